"""The constraints of a refined model (directions, bounds), and the ridge that keeps it near its first values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np

from curvec.directions import Way
from curvec.errors import InputError, shown
from curvec.ir import EnumCurve, Line
from curvec.parameters.design import Block
from curvec.parameters.precision import Digits, Precision
from curvec.transforms import FloatArray

Bounds = Mapping[str, tuple[float | None, float | None]]
Ranges = Mapping[int, tuple[float, float]]
Mono = Literal["keep"] | Mapping[str, Way | None] | None

LEVEL = 0.1
"""Weight of a curve's level in the ridge; that of the steps between its points is 1 (chosen by
benchmarks/refine.py)."""


class Constraints(msgspec.Struct, frozen=True):
    """Linear inequalities ``matrix @ theta >= least``, and the same by curve, for rounding.

    Attributes:
        matrix: (m, p).
        least: (m,).
        directions: for each block 1, -1 or 0: increasing, decreasing, free.
        bounds: for each block the lowest and the highest value, infinite where there is none.

    """

    matrix: FloatArray
    least: FloatArray
    directions: tuple[int, ...]
    bounds: tuple[tuple[float, float], ...]

    def obeyed_by(self, theta: FloatArray) -> bool:
        """Whether the values obey every constraint, up to rounding errors, which :meth:`printed` corrects."""
        return bool(np.all(self.matrix @ theta >= self.least - 1e-12 * (1.0 + np.abs(self.least))))

    def printed(
        self, theta: FloatArray, blocks: Sequence[Block], digits: Digits, precision: Precision, curvature: FloatArray
    ) -> FloatArray:
        """``theta`` rounded, with every rule exact: a rounding never turns a direction or leaves a bound.

        Values that are added to the score are rounded up or down so that the errors make up for each other, as far as
        the loss's second derivative ``curvature`` (p, p) shows it; all to the nearest, they could add up.
        """
        precisions = _precisions(blocks, precision, curvature)
        result = np.array([own.round(value, digits) for own, value in zip(precisions, theta.tolist(), strict=True)])
        for block, direction, (low, high) in zip(blocks, self.directions, self.bounds, strict=True):
            own = slice(block.start, block.start + block.size)
            if direction:
                result[own] = direction * np.maximum.accumulate(direction * result[own])
            result[own] = np.clip(result[own], *_printed_bounds(low, high, digits, precision.place))
        return self._balanced(result, theta, blocks, precisions, curvature) if digits == "auto" else result

    def _balanced(
        self,
        rounded: FloatArray,
        theta: FloatArray,
        blocks: Sequence[Block],
        precisions: Sequence[Precision],
        curvature: FloatArray,
    ) -> FloatArray:
        """Rounded values, one at a time on the other side of the exact one, as long as the loss falls by it."""
        result = rounded.copy()
        intercept = len(theta) - 1
        summands = (block for block in blocks if block.summand and not isinstance(block.curve, EnumCurve))
        movable = [intercept, *(k for block in summands for k in range(block.start, block.start + block.size))]
        for index in [*movable, *reversed(movable)]:  # the intercept first and last
            place, second = precisions[index].place, float(curvature[index, index])
            if place is None or not second > 0:
                continue
            slope = float(curvature[index] @ (result - theta))
            step = math.inf if index == intercept else 10.0**place  # the intercept may take up what is left
            wanted = float(result[index] + np.clip(-slope / second, -step, step))
            trial = result.copy()
            trial[index] = precisions[index].round(wanted, "auto")
            change = float(trial[index] - result[index])
            gains = slope * change + second * change**2 / 2 < 0
            if gains and abs(trial[index] - theta[index]) < step and self._obeys_to_the_bit(trial, blocks):
                result = trial
        return result

    def _obeys_to_the_bit(self, theta: FloatArray, blocks: Sequence[Block]) -> bool:
        """Whether printed values obey directions and bounds, to the last bit."""
        for block, direction, (low, high) in zip(blocks, self.directions, self.bounds, strict=True):
            own = theta[block.start : block.start + block.size]
            rising = direction * (own if isinstance(block.curve, Line) else np.diff(own))
            if (rising < 0).any() or (own < low).any() or (own > high).any():
                return False
        return True


def constraints_of(
    blocks: Sequence[Block], p: int, mono: Mono, y_bounds: Bounds, ranges: Ranges | None = None
) -> Constraints:
    """The constraints of a model with these blocks and ``p`` parameters.

    Args:
        blocks: the model's.
        p: the number of parameters.
        mono: as in ``refine``.
        y_bounds: feature -> bounds of its curves.
        ranges: block's start -> bounds of that one, where ``y_bounds`` has none.

    Raises:
        InputError: a feature has no curve, a curve breaks what it should keep, or a category gets a direction.

    """
    features = {_feature(block) for block in blocks}
    for name in (*y_bounds, *(mono if isinstance(mono, Mapping) else ())):
        if name not in features:
            raise InputError(f"feature {shown(name)} has no curve in the model; it has {sorted(features)!r}")
    rows, least, directions, bounds = [], [], [], []
    identity = np.eye(p)
    for block in blocks:
        own = identity[block.start : block.start + block.size]
        direction = _direction(block, mono)
        if direction:
            steps = own if isinstance(block.curve, Line) else np.diff(own, axis=0)
            rows.append(direction * steps)
            least.append(np.zeros(len(steps)))
        low, high = y_bounds.get(_feature(block)) or (ranges or {}).get(block.start) or (None, None)
        pair = (-np.inf if low is None else float(low), np.inf if high is None else float(high))
        _check_inside(block, pair)
        for sign, bound in ((1.0, pair[0]), (-1.0, pair[1])):
            if np.isfinite(bound):
                rows.append(sign * own)
                least.append(np.full(block.size, sign * bound))
        directions.append(direction)
        bounds.append(pair)
    matrix = np.vstack(rows) if rows else np.zeros((0, p))
    return Constraints(matrix, np.concatenate(least) if least else np.zeros(0), tuple(directions), tuple(bounds))


def penalty(blocks: Sequence[Block], p: int, level: float = LEVEL) -> FloatArray:
    """(p, p) the ridge: squared changes of the steps between neighbouring points, and a little of the level.

    So it costs little to make a curve a bit steeper everywhere, and much to bend it at one point; a plain ridge on the
    values would do the opposite. The values of a table, of special codes and at missing inputs have no neighbours, so
    the change of each value counts; for a line, the change where its feature is largest. The intercept is free.
    """
    result = np.zeros((p, p))
    for block in blocks:
        own = slice(block.start, block.start + block.size)
        if isinstance(block.curve, (EnumCurve, Line)):
            result[own, own] = block.span**2 * np.eye(block.size)
        else:
            steps = np.diff(np.eye(block.size), axis=0)
            result[own, own] = steps.T @ steps + level * np.eye(block.size)
        for place in range(own.stop, block.stop):
            result[place, place] = 1.0
    return result


def _precisions(blocks: Sequence[Block], precision: Precision, curvature: FloatArray) -> list[Precision]:
    """(p,) of each parameter: factors and coefficients of lines are not in units of the score."""
    result = [precision] * len(curvature)
    for block in blocks:
        if not block.summand:
            result[block.start : block.stop] = [precision.of_factor] * (block.stop - block.start)
        elif isinstance(block.curve, Line):
            result[block.start] = precision.of_coefficient(_spread(block, curvature))
    return result


def _spread(line: Block, curvature: FloatArray) -> float:
    """The root mean square of a line's feature about its mean, each row by its second derivative; else its largest."""
    weight, mean, square = curvature[-1, -1], curvature[line.start, -1], curvature[line.start, line.start]
    variance = float(square / weight - (mean / weight) ** 2) if weight > 0 else 0.0
    return math.sqrt(variance) if variance > 1e-12 * line.span**2 else line.span


def _printed_bounds(low: float, high: float, digits: Digits, place: int | None) -> tuple[float, float]:
    """The least and the largest value within bounds that end where printed values do; the bounds if there is none."""
    least, largest = _rounded_inward(low, 1, digits, place), _rounded_inward(high, -1, digits, place)
    return (least, largest) if least <= largest else (low, high)


def _rounded_inward(bound: float, way: int, digits: Digits, place: int | None) -> float:
    """A bound rounded up (``way`` 1) or down (-1)."""
    if digits not in (None, "auto") and bound:
        place = math.floor(math.log10(abs(bound))) - int(digits) + 1 if math.isfinite(bound) else None
    if place is None or digits is None or not math.isfinite(bound):
        return bound
    near = round(bound, -place) + 0.0
    return near if way * (near - bound) >= 0 else round(near + way * 10.0**place, -place) + 0.0


def _feature(block: Block) -> str:
    return "a curve of curves" if block.curve.feature is None else block.curve.feature


def _direction(block: Block, mono: Mono) -> int:
    if isinstance(block.curve, EnumCurve):
        if isinstance(mono, Mapping) and mono.get(_feature(block)):
            raise InputError(f"mono[{_feature(block)!r}] cannot hold: its levels have no order")
        return 0
    signs = {"increasing": 1, "decreasing": -1, "constant": 0, "neither": 0, None: 0}
    direction = block.curve.direction
    found = signs[direction]
    if mono is None:
        return 0
    if not isinstance(mono, Mapping):
        return found
    wanted = signs[mono.get(_feature(block))]
    if wanted and found != wanted and direction != "constant":
        raise InputError(f"the curve of {_feature(block)!r} is not {mono[_feature(block)]} to begin with")
    return wanted


def _check_inside(block: Block, bounds: tuple[float, float]) -> None:
    if isinstance(block.curve, Line) and bounds != (-np.inf, np.inf):
        raise InputError(f"y_bounds[{_feature(block)!r}] cannot hold: a line has no bounds; cap the feature first")
    values = block.curve.coefficients
    if min(values) < bounds[0] or max(values) > bounds[1]:
        raise InputError(
            f"the curve of {_feature(block)!r} has values from {min(values)!r} to {max(values)!r}, outside its "
            f"y_bounds {shown(bounds)} to begin with"
        )
