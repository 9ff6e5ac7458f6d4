"""The constraints of a curve: on slopes, direction, curvature and the values y."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import msgspec
import numpy as np

from curvec.condense import Points
from curvec.errors import InputError, shown
from curvec.fields import changed
from curvec.fit.options import Bounds, Options
from curvec.transforms import FloatArray

Bound: TypeAlias = float | FloatArray
"""Of all y, or (k,) one of each knot's y."""


_FURTHEST = 1e140
"""The square of a larger distance between curve and y, summed over 1e28 rows, would overflow."""


class Constraints(msgspec.Struct, frozen=True):
    """Bounds on each segment's slope (per unit of u = fx(x)) and on y, and whether the direction may turn once.

    Attributes:
        slopes: least and largest slope.
        y_bounds: least and largest y, after y_origin was subtracted.
        y_limits: the same in the caller's units, exactly.
        turn: "peak": up, then down; "valley": down, then up; "bitonic": the better of both.
        curvature: "convex": slopes grow from segment to segment; "concave": they shrink.
        through: (p, 2) points of the curve, in the caller's units, by ascending x.
        origin: the amount that was subtracted from y.
        periodic: whether y is the same at the first and at the last knot.

    """

    slopes: tuple[float, float]
    y_bounds: tuple[Bound, Bound]
    y_limits: tuple[Bound, Bound] = (-math.inf, math.inf)
    turn: Literal["peak", "valley", "bitonic"] | None = None
    curvature: Literal["convex", "concave"] | None = None
    through: FloatArray = msgspec.field(default_factory=lambda: np.empty((0, 2)))
    origin: float = 0.0
    periodic: bool = False

    def at_knots(self, x: FloatArray) -> Constraints:
        """The same for curves on these knots (k,): where a y is given, it is its own lower and upper bound."""
        at = np.flatnonzero(np.isin(x, self.through[:, 0]))
        if not at.size:
            return self
        y = self.through[np.searchsorted(self.through[:, 0], x[at]), 1]
        bounds, limits = (np.repeat(np.array(pair)[:, None], len(x), axis=1) for pair in (self.y_bounds, self.y_limits))
        bounds[:, at], limits[:, at] = y - self.origin, y
        return changed(self, y_bounds=(bounds[0], bounds[1]), y_limits=(limits[0], limits[1]))


def constraints_of(options: Options, points: Points) -> Constraints:
    """The constraints as numbers; ``mono=True`` takes the direction that isotonic regression fits better.

    Raises:
        InputError: y_bounds too far from y.

    """
    low, high = options.min_slope, options.max_slope
    mono = options.mono
    if mono is True and not (low >= 0 or high <= 0):
        up = float(np.ptp(options.through[:, 1])) if len(options.through) else 0.0
        given = options.through[-1, 1] > options.through[0, 1] if up else increasing_fits_better(points.y, points.w)
        mono = "increasing" if given else "decreasing"
    if mono == "increasing":
        low = max(low, 0.0)
    elif mono == "decreasing":
        high = min(high, 0.0)
    given = options.through[:, 1].tolist()
    limits = _limits(options.y_bounds, (min([points.y_range[0], *given]), max([points.y_range[1], *given])))
    away = max(limits[0] - points.y_range[1], points.y_range[0] - limits[1])
    if away > _FURTHEST:
        raise InputError(
            f"y_bounds={shown(options.y_bounds)} keep the curve {away:g} away from y, which goes from "
            f"{points.y_range[0]!r} "
            f"to {points.y_range[1]!r}; the squares of such errors are no doubles"
        )
    return Constraints(
        slopes=(low, high),
        y_bounds=(limits[0] - points.y_origin, limits[1] - points.y_origin),
        y_limits=limits,
        turn=mono if mono in ("peak", "valley", "bitonic") else None,
        curvature=options.curvature,
        through=options.through,
        origin=points.y_origin,
        periodic=options.periodic,
    )


def _limits(bounds: Bounds, y_range: tuple[float, float]) -> tuple[float, float]:
    if bounds is None:
        return -math.inf, math.inf
    low, high = y_range if isinstance(bounds, str) else bounds
    return -math.inf if low is None else float(low), math.inf if high is None else float(high)


def increasing_fits_better(y: FloatArray, w: FloatArray) -> bool:
    """Whether the best increasing function leaves no more squared error than the best decreasing one."""
    from scipy.optimize import isotonic_regression

    up = isotonic_regression(y, weights=w, increasing=True).x
    down = isotonic_regression(y, weights=w, increasing=False).x
    return bool(np.dot(w, (y - up) ** 2) <= np.dot(w, (y - down) ** 2))


def projected(u: FloatArray, y: FloatArray, constraints: Constraints, y_bounds: tuple[Bound, Bound]) -> FloatArray:
    """The y (k,) of a curve, projected onto the constraints; its violations are of rounding size only.

    From left to right each y is clipped to the bounds and to what the slopes allow from the one before; where some y
    are given, or both ends are one, then from right to left, too. Where a curve may turn ("peak", "valley",
    "bitonic"), each segment's direction is known only with a curvature: concave goes up to its largest y and then down.
    Without one the directions are not enforced here.
    """
    out = np.clip(y, *y_bounds)
    low, high = np.full((2, len(u) - 1), [[constraints.slopes[0]], [constraints.slopes[1]]])
    if constraints.turn is not None and constraints.curvature is not None:
        concave = constraints.curvature == "concave"
        up = (np.arange(len(u) - 1) < np.argmax(y if concave else -y)) == concave
        low[up], high[~up] = np.maximum(low[up], 0.0), np.minimum(high[~up], 0.0)
    values = out.tolist()  # Python floats: an unbounded slope times a width overflows without a warning
    steps = list(enumerate(zip(np.diff(u).tolist(), low.tolist(), high.tolist(), strict=True)))
    for k, (width, least, most) in steps:
        values[k + 1] = min(max(values[k + 1], values[k] + least * width), values[k] + most * width)
    values = np.clip(values, *y_bounds).tolist()
    if constraints.periodic:
        values[-1] = values[0]
    if constraints.periodic or len(constraints.through):
        for k, (width, least, most) in reversed(steps[1:]):
            values[k] = max(min(values[k], values[k + 1] - least * width), values[k + 1] - most * width)
    return np.asarray(np.clip(values, *y_bounds))
