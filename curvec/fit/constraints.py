"""What every curve must obey: slopes, directions, curvature and y within bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from curvec.condense import Points
from curvec.errors import InputError
from curvec.fit.options import Bounds, Options
from curvec.transforms import FloatArray

__all__ = ["Constraints", "constraints_of", "increasing_fits_better", "projected"]


_FURTHEST = 1e140
"""The square of a larger distance between curve and y, summed over 1e28 rows, would overflow."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """Bounds on each segment's slope (per unit of u = fx(x)) and on y, and whether the direction may turn once.

    Attributes:
        slopes: least and largest slope.
        y_bounds: least and largest y, y_origin taken off.
        y_limits: the same in the caller's units, exactly.
        turn: "peak": up, then down; "valley": down, then up; "bitonic": the better of both.
        curvature: "convex": slopes grow from segment to segment; "concave": they shrink.

    """

    slopes: tuple[float, float]
    y_bounds: tuple[float, float]
    y_limits: tuple[float, float] = (-math.inf, math.inf)
    turn: Literal["peak", "valley", "bitonic"] | None = None
    curvature: Literal["convex", "concave"] | None = None


def constraints_of(options: Options, points: Points) -> Constraints:
    """The constraints as numbers; ``mono=True`` takes the direction that isotonic regression fits better.

    Raises:
        InputError: y_bounds too far from y.

    """
    low, high = options.min_slope, options.max_slope
    mono = options.mono
    if mono is True and not (low >= 0 or high <= 0):
        mono = "increasing" if increasing_fits_better(points.y, points.w) else "decreasing"
    if mono == "increasing":
        low = max(low, 0.0)
    elif mono == "decreasing":
        high = min(high, 0.0)
    limits = _limits(options.y_bounds, points.y_range)
    away = max(limits[0] - points.y_range[1], points.y_range[0] - limits[1])
    if away > _FURTHEST:
        raise InputError(
            f"y_bounds={options.y_bounds!r} keep the curve {away:g} away from y, which goes from {points.y_range[0]!r} "
            f"to {points.y_range[1]!r}; the squares of such errors are no doubles"
        )
    return Constraints(
        slopes=(low, high),
        y_bounds=(limits[0] - points.y_origin, limits[1] - points.y_origin),
        y_limits=limits,
        turn=mono if mono in ("peak", "valley", "bitonic") else None,
        curvature=options.curvature,
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


def projected(u: FloatArray, y: FloatArray, constraints: Constraints, y_bounds: tuple[float, float]) -> FloatArray:
    """The y (k,) of a curve, projected onto the constraints; its violations are of rounding size only.

    From left to right each y is clipped to the bounds and to what the slopes allow from the one before. Where a curve
    may turn ("peak", "valley", "bitonic"), each segment's direction is known only with a curvature: concave goes up to
    its largest y and then down. Without one the directions are not enforced here.
    """
    out = np.clip(y, *y_bounds)
    low, high = np.full((2, len(u) - 1), [[constraints.slopes[0]], [constraints.slopes[1]]])
    if constraints.turn is not None and constraints.curvature is not None:
        concave = constraints.curvature == "concave"
        up = (np.arange(len(u) - 1) < np.argmax(y if concave else -y)) == concave
        low[up], high[~up] = np.maximum(low[up], 0.0), np.minimum(high[~up], 0.0)
    values = out.tolist()  # Python floats: an unbounded slope times a width overflows without a warning
    for k, (width, least, most) in enumerate(zip(np.diff(u).tolist(), low.tolist(), high.tolist(), strict=True)):
        values[k + 1] = min(max(values[k + 1], values[k] + least * width), values[k] + most * width)
    return np.asarray(np.clip(values, *y_bounds))
