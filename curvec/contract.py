"""The numeric contract in numpy, which every target must reproduce.

Points 1 to 7 of the contract, on plain arrays; :mod:`curvec.ir` applies it to the nodes of a model.
All arithmetic is IEEE double, one operation at a time, never fused or reordered.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.errors import InputError
from curvec.transforms import FloatArray, transform

GROUP = 25
"""Terms of one group of a sum (point 5)."""


EXACT_INTEGERS = 2**53
"""Doubles hold every integer up to this size; beyond, they skip some."""
EXACT_SINGLES = 2**24
"""32-bit floats hold every integer up to this size."""


class Segments(msgspec.Struct, frozen=True):
    """A piecewise-linear curve ready to evaluate.

    Attributes:
        x: (K,) the points' x, strictly increasing.
        u: (K,) fx(x), strictly increasing.
        y: (K,) the points' y.
        slope: (K - 1,) the slope of each segment in u, as point 3 defines it.
        fx: the transform's name.

    """

    x: FloatArray
    u: FloatArray
    y: FloatArray
    slope: FloatArray
    fx: str


def segment_slope(u0: float, y0: float, u1: float, y1: float) -> float:
    """The slope between two points, moved towards zero until it does not overshoot (point 3).

    Raises:
        InputError: the points are so close in u, or so far apart in y, that no finite slope joins them.

    """
    du, dy = u1 - u0, y1 - y0
    slope = dy / du if du > 0 else math.inf
    if not (math.isfinite(slope) and math.isfinite(du)):
        raise InputError(
            f"no finite slope joins the points ({u0!r}, {y0!r}) and ({u1!r}, {y1!r}) in u = fx(x); "
            "move the points further apart"
        )
    while (y0 + slope * du > y1) if dy > 0 else (y0 + slope * du < y1):
        slope = math.nextafter(slope, 0.0)
    return slope


def segments(points: Sequence[tuple[float, float]], fx: str) -> Segments:
    """The segments of a curve through ``points`` (K >= 2, x strictly increasing, inside the domain of fx).

    Raises:
        InputError: see :func:`segment_slope`.

    """
    table = np.array(points, dtype=np.float64)
    x, y = table[:, 0].copy(), table[:, 1].copy()
    u = transform(fx).forward(x)
    pairs = list(zip(u.tolist(), y.tolist(), strict=True))
    slopes = [segment_slope(*left, *right) for left, right in itertools.pairwise(pairs)]
    return Segments(x, u, y, np.array(slopes), fx)


def pwl_values(x: FloatArray, curve: Segments, missing: float | None) -> FloatArray:
    """Points 1 to 3: the curve at each x; NaN gives ``missing`` (NaN where that is None)."""
    clamped, k = segment_of(x, curve)
    u = transform(curve.fx).forward(clamped)
    value = np.where(clamped == curve.x[-1], curve.y[-1], curve.y[k] + curve.slope[k] * (u - curve.u[k]))
    return np.where(np.isnan(x), math.nan if missing is None else missing, value)


def segment_of(x: FloatArray, curve: Segments) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """(n,) each x clamped to the points, NaN to the first of them; and (n,) the segment that it is on, from 0."""
    clamped = np.clip(np.where(np.isnan(x), curve.x[0], x), curve.x[0], curve.x[-1])
    k = np.searchsorted(curve.x, clamped, side="right") - 1
    return clamped, np.minimum(k, len(curve.slope) - 1)


def line_values(x: FloatArray, coefficient: float, missing: float | None) -> FloatArray:
    """A line: coefficient * x, rounded once; NaN gives ``missing``."""
    return np.where(np.isnan(x), math.nan if missing is None else missing, coefficient * x)


def special_values(x: FloatArray, values: FloatArray, codes: Mapping[float, float]) -> FloatArray:
    """The values, replaced where x is a special code by that code's value."""
    for code, value in codes.items():
        values = np.where(x == code, value, values)
    return values


def step_values(x: FloatArray, cuts: FloatArray, values: FloatArray, missing: float | None) -> FloatArray:
    """A step curve: constant between cuts, x == cut belongs to the right."""
    nan = np.isnan(x)
    value = values[np.searchsorted(cuts, np.where(nan, 0.0, x), side="right")]
    return np.where(nan, math.nan if missing is None else missing, value)


def grouped_sum(terms: Sequence[FloatArray], start: float | None = None) -> FloatArray:
    """Point 5: groups of 25 terms left to right, the first starting at ``start``; then the groups."""
    groups: list[FloatArray] = []
    for first in range(0, len(terms), GROUP):
        group = terms[first : first + GROUP]
        acc = group[0] if first or start is None else start + group[0]
        for term in group[1:]:
            acc = acc + term
        groups.append(acc)
    total = groups[0]
    for group_total in groups[1:]:
        total = total + group_total
    return total
