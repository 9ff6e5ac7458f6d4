"""Where a curve's product is too small for a double: zero to most engines, an error to a few."""

from __future__ import annotations

import math

import numpy as np

from curvec.contract import Segments
from curvec.transforms import transform

__all__ = ["underflow_edge"]


def underflow_edge(curve: Segments, k: int) -> float | None:
    """The first x of segment k whose product slope * (u - u_k) is not zero; None if that is the first of all after x_k.

    Below it the curve is y_k, in every bit, so that the product need not be made there. Only a point at or next to
    zero has such an edge.
    """
    slope, start, end = float(curve.slope[k]), float(curve.x[k]), float(curve.x[k + 1])
    if slope == 0.0 or not _vanishes(curve, k, after := math.nextafter(start, math.inf)):
        return None
    low, high = after, end  # a bisection over doubles: at most a halving for each power of two, and 52 more
    while math.nextafter(low, math.inf) < high:
        middle = low + (high - low) / 2
        low, high = (middle, high) if _vanishes(curve, k, middle) else (low, middle)
    return high


def _vanishes(curve: Segments, k: int, x: float) -> bool:
    u = float(transform(curve.fx).forward(np.array([x]))[0])
    return float(curve.slope[k]) * (u - float(curve.u[k])) == 0.0
