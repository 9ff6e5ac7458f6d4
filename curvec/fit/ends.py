"""A curve at the ends of the data: its end knots are learnt, and it is constant beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curvec.condense import Points
from curvec.transforms import FloatArray, Transform


class End(NamedTuple):
    """One end of a curve.

    If there are many rows, the figures are by bins, each with about a 2,000th of the weight, or of one value.

    Attributes:
        x: the least x of the rows; of the last end the largest.
        error: the curve there less the mean y there.
        weight: total weight of the rows at or beyond the end knot, where the curve is constant.
        mse: their mean squared error; 0 where there are none.

    """

    x: float
    error: float
    weight: float
    mse: float


def ends_of(points: Points, fx: Transform, knots: FloatArray, y: Sequence[float]) -> tuple[End, End]:
    """Both ends of the curve that is y (k,) at knots (k,), in the units of x."""
    outermost = np.array([points.x[0], points.last[-1]])
    error = np.interp(fx.forward(outermost), fx.forward(knots), y) - points.y_origin - points.y[[0, -1]]
    beyond = points.last <= knots[0], points.x >= knots[-1]
    first, last = (_error_where_flat(points, rows, end) for rows, end in zip(beyond, (y[0], y[-1]), strict=True))
    return End(float(outermost[0]), float(error[0]), *first), End(float(outermost[1]), float(error[1]), *last)


def _error_where_flat(points: Points, rows: npt.NDArray[np.bool_], y: float) -> tuple[float, float]:
    """Weight and mean squared error of the rows on which the curve is ``y``."""
    w = points.w[rows]
    weight = float(w.sum())
    if not weight > 0:
        return 0.0, 0.0
    squares = np.dot(w, (y - points.y_origin - points.y[rows]) ** 2) + points.spread[rows].sum()
    return weight * points.weight_unit, float(squares) / weight
