"""The horizontal axis of a picture: how far it goes, its ticks, and the room for special codes beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from curvec.ir import Term
from curvec.review.panels import Panel, breakpoints
from curvec.transforms import FloatArray, Transform


def axis_range(panel: Panel, x: FloatArray | None, nodes: Sequence[Term] = ()) -> tuple[float, float]:
    """The quantity's least and largest value to draw: of the data and of every point, with room at both ends.

    Args:
        panel: the picture.
        x: (rows,) the quantity in the data, NaN where missing; None without data.
        nodes: further functions of the same feature.

    """
    values = [value for node in (panel.node, *nodes) for value in breakpoints(node)]
    if x is not None:
        values.extend(_ends(x))
    fx = panel.fx
    values = [value for value in values if fx.contains(value)] or [1.0]
    u = fx.forward(np.array([min(values), max(values)]))
    room = 0.04 * (u[1] - u[0]) if u[1] > u[0] else max(0.5, 1e-3 * abs(u[0]))
    with np.errstate(over="ignore"):
        low, high = fx.inverse(np.array([u[0] - room, u[1] + room])).tolist()
    low = low if math.isfinite(low) and fx.contains(low) else min(values)
    return low, high if math.isfinite(high) and fx.contains(high) else max(values)


def others_drawn(x: FloatArray | None, teacher: Term | None, *others: Term | None) -> list[Term]:
    """The functions whose breakpoints must be on the axis: not the teacher's, if its dots are drawn at the data."""
    at_breakpoints = x is None or not np.isfinite(x).any()
    return [node for node in (teacher if at_breakpoints else None, *others) if node is not None]


def room_of_codes(panel: Panel, low: float, high: float) -> tuple[float, FloatArray]:
    """Where the axis begins with room for the special codes left of ``low``, and (codes,) their places there."""
    count = len(panel.codes)
    if not count:
        return low, np.empty(0)
    start, end = panel.fx.forward(np.array([low, high])).tolist()
    steps = np.array([count, *np.arange(count, 0, -1) - 0.5])
    found = panel.fx.inverse(start - _ROOM_OF_CODE * (end - start) * steps)
    return float(found[0]), found[1:]


_ROOM_OF_CODE = 0.14
"""The room left of the axis for each special code, as a share of the axis."""


def _ends(x: FloatArray) -> list[float]:
    finite = x[np.isfinite(x)]
    return [float(finite.min()), float(finite.max())] if len(finite) else []


def ticks(fx: Transform, low: float, high: float, count: int = 5) -> list[float]:
    """Round values on [low, high], spread over the axis in u = fx(x): multiples, or 1-2-5 on a log axis."""
    if fx.name == "identity":
        return _linear_ticks(low, high, count)
    powers = range(-307 if fx.name == "log" else -12, 309)
    rank = [[0.0], *([sign * digit * 10.0**power for power in powers for sign in (1, -1)] for digit in (1, 2, 5, 3))]
    ends = fx.forward(np.array([low, high]))
    gap = (ends[1] - ends[0]) / (count + 1)
    chosen: list[tuple[float, float]] = []
    for candidates in rank:
        for value in (value for value in candidates if low <= value <= high and fx.contains(value)):
            u = float(fx.forward(np.array([value]))[0])
            if all(abs(u - other) >= gap for other, _ in chosen):
                chosen.append((u, value))
    if len(chosen) < 3:  # the axis spans less than a decade
        return [value for value in _linear_ticks(low, high, count) if fx.contains(value)]
    return sorted(value for _, value in chosen)


def _linear_ticks(low: float, high: float, count: int) -> list[float]:
    if not high > low:
        return [low]
    raw = high / count - low / count
    if raw < 1e-307:  # no powers of ten are left below
        return [low, high]
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= raw * 0.999)
    first = math.floor(low / step)
    places = [round(k * step, 12 - math.floor(math.log10(step))) for k in range(first, int(high / step) + 2)]
    return sorted({place for place in places if low <= place <= high}) or [low, high]
