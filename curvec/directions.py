"""The direction of a curve, and the nearest curve that only rises or only falls."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

from curvec.errors import InputError, shown

Way: TypeAlias = Literal["increasing", "decreasing"]
Direction: TypeAlias = Literal["increasing", "decreasing", "constant", "neither"]

WAYS: tuple[Way, ...] = ("increasing", "decreasing")


def direction_of(values: Sequence[float]) -> Direction:
    """The direction of values from the first to the last; "neither" if they turn."""
    up = all(left <= right for left, right in itertools.pairwise(values))
    down = all(left >= right for left, right in itertools.pairwise(values))
    return "constant" if up and down else "increasing" if up else "decreasing" if down else "neither"


def nearest_monotone(values: Sequence[float], direction: Way | None = None) -> list[float]:
    """The nearest monotone values, by least squares with equal weights.

    Args:
        values: what to change; if they go that way already, they stay.
        direction: "increasing", "decreasing", or None for the one that changes less (increasing if equal).

    Raises:
        InputError: another direction.

    """
    if direction is not None and not (isinstance(direction, str) and direction in WAYS):
        raise InputError(f"direction={shown(direction)}; use {', '.join(WAYS)} or None")
    fits = [_isotonic(values, way) for way in ([direction] if direction else WAYS)]
    power = math.frexp(max(map(abs, values), default=0.0))[1]  # the squares of huge values would overflow

    def distance(fit: Sequence[float]) -> float:
        pairs = zip(fit, values, strict=True)
        return math.fsum((math.ldexp(a, -power) - math.ldexp(b, -power)) ** 2 for a, b in pairs)

    return min(fits, key=distance)


def _isotonic(values: Sequence[float], direction: Way) -> list[float]:
    # Pool adjacent violators. Means are clipped to their block, so that values already in order stay as they are.
    sign = 1.0 if direction == "increasing" else -1.0
    blocks: list[list[float]] = []
    for value in values:
        blocks.append([sign * value])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    printed = itertools.accumulate((_printed(block) for block in blocks), max)
    return [sign * mean + 0.0 for block, mean in zip(blocks, printed, strict=True) for _ in block]


def _mean(block: Sequence[float]) -> float:
    return min(max(math.fsum(value / len(block) for value in block), min(block)), max(block))


def _printed(block: Sequence[float]) -> float:
    """The mean without the digits that are rounding errors: 0.2 of 0.3 and 0.1, not 0.19999999999999998."""
    return min(max(float(f"{_mean(block):.15g}"), min(block)), max(block))
