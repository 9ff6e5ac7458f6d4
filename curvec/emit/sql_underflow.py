"""Where a curve's product is too small for a double: zero to most engines, an error to a few."""

from __future__ import annotations

import math

import numpy as np

from curvec.contract import Segments
from curvec.transforms import transform


def underflow_edge(curve: Segments, k: int) -> float | None:
    """The x of segment k from which slope * (u - u_k) is not zero, if it is zero before for being too small.

    Below it the curve is y_k, in every bit, so that the product need not be made there. Only a point at or next to
    zero has such an edge.
    """
    slope, u_k = float(curve.slope[k]), float(curve.u[k])
    low, high = float(curve.x[k]), float(curve.x[k + 1])
    if slope == 0.0 or slope * _distance(curve, u_k, math.nextafter(low, math.inf)) != 0.0:
        return None
    # Over doubles: a halving for each power of two at most, and 52 more. Where a library has told the processor that
    # the tiniest numbers are zero, there is no double between two of them, and the search ends earlier.
    while low < (middle := low + (high - low) / 2) < high:
        low, high = (low, middle) if slope * _distance(curve, u_k, middle) != 0.0 else (middle, high)
    return high if _distance(curve, u_k, low) != 0.0 else None


def _distance(curve: Segments, u_k: float, x: float) -> float:
    return float(transform(curve.fx).forward(np.array([x]))[0]) - u_k
