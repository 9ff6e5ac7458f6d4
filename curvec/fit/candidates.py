"""Where knots may be: the paper's weight quantiles, points between values, and the user's own."""

from __future__ import annotations

import math
import sys

import numpy as np

from curvec._core import candidates
from curvec._core import round_significant as round_each
from curvec.condense import Points
from curvec.errors import InputError
from curvec.fit.options import Options
from curvec.fit.rounding import place_of
from curvec.transforms import FloatArray, Transform, logarithm_for

_HIDDEN = 1e-5
"""A gap between candidates is split where the data in it are further from a line than this share of the variance."""


def candidates_of(points: Points, options: Options, ends: FloatArray) -> FloatArray:
    """(k,) candidate knots in the units of x, ascending, before any rounding.

    The user's, or else the weight quantiles (Ravina et al. 2021, section 3: resampled until repeated values
    leave ``num_samples`` distinct ones) and points where the data between two of them are furthest from a line; where
    a feature has few values, points between them; and ``ends``. Required knots are always among them.
    """
    if options.candidates is not None:
        found, ends = options.candidates, np.empty(0)
    else:
        # A curve of many segments may need more knots than that.
        count = max(options.num_samples, min(options.most_segments + 1, 2 * options.num_samples))
        found = candidates(points.table, count, _HIDDEN * (points.total - points.noise))
        if options.knots_on == "values":
            found = found[np.isin(found, points.x)]
        elif options.knots_on == "whole":
            outermost = [math.floor(points.x[0]), math.ceil(points.last[-1])]
            found = np.unique(np.concatenate([np.rint(found), outermost]))
    if len(options.required) or len(ends):
        found = np.unique(np.concatenate([found, options.required, ends]))
    if len(found) == 1:  # one x, and it is a required knot
        found = np.unique([found[0], *points_beside(float(found[0]))])[-2:]
    return found if points.parts is None else np.asarray(found[points.allowed(found)])


def points_beside(x: float) -> tuple[float, float]:
    """A point on either side of x: a thousandth of it away, at least 1, and never beyond the largest double."""
    step = max(1.0, abs(x) * 1e-3)
    return max(x - step, -sys.float_info.max), min(x + step, sys.float_info.max)


def rough_ends(low: float, high: float) -> tuple[float, float]:
    """Two different x near the least and the largest one, at the decimal place of what is between them.

    A constant curve is the same whatever its ends, so short ones will do.
    """
    if low == high:
        low, high = points_beside(low)
    span = high - low
    if not math.isfinite(span):
        return low, high
    place = -place_of(span)
    ends = round(low, place) + 0.0, round(high, place) + 0.0
    return ends if -math.inf < ends[0] < ends[1] < math.inf else (low, high)


def round_significant(values: FloatArray, digits: int) -> FloatArray:
    """Each value at ``digits`` significant decimal digits, as the double nearest to that decimal number."""
    return np.asarray(round_each(values, digits), dtype=np.float64)


def round_candidates(values: FloatArray, options: Options, fx: Transform, fewest: int) -> tuple[FloatArray, int | None]:
    """The candidates as they will be printed, distinct and inside the domain, and the digits that took.

    More digits than asked for are used only where fewer would leave too few distinct candidates (far origins:
    1.7e9 and 1.7e9 + 60), merge two required knots, or leave the domain of fx.
    """
    if options.significant is None:
        return values, None
    enough = min(len(values), max(fewest, 2))
    for digits in range(options.significant, 18):
        out = np.unique(round_significant(values, digits))
        inside = bool(np.all((out > fx.lower) & np.isfinite(out)))
        distinct = len(np.unique(round_significant(options.knots, digits))) == len(options.knots)
        if len(out) >= enough and inside and distinct:
            return (np.union1d(out, options.through[:, 0]) if len(options.through) else out), digits
    return values, None


def check_domain(values: FloatArray, fx: Transform, name: str) -> None:
    """Every value, in ascending order, must be inside the domain of fx.

    Raises:
        InputError: names the first that is not.

    """
    if values.size and not values[0] > fx.lower:
        bad = float(values[0])
        raise InputError(
            f"{name} holds {bad!r}, outside the domain of {fx.name} (x > {fx.lower:g}); "
            f"use fx='identity' or fx={logarithm_for(bad).name!r}"
        )
