"""Where knots may be: the paper's weight quantiles, points between values, and the user's own."""

from __future__ import annotations

import numpy as np

from curvec._core import splits
from curvec.condense import Points
from curvec.errors import InputError
from curvec.fit.options import Options
from curvec.transforms import FloatArray, Transform

__all__ = ["candidates_of", "check_domain", "quantiles", "round_significant", "rounded"]


_HIDDEN = 1e-5
"""Share of the shape's error that a gap between candidates may hide before it is split."""


def candidates_of(points: Points, options: Options) -> FloatArray:
    """(k,) candidate knots in the units of x, ascending, before any rounding.

    The user's, or else the weight quantiles (Ravina et al. 2021, section 3: resampled until repeated values
    leave ``num_samples`` distinct ones); where a feature has few values, points between them as well. Required
    knots are always among them, and so are both ends of the data where the ends are not learnt.
    """
    ends = np.empty(0)
    if options.candidates is not None:
        base = options.candidates
    else:
        ends = ends if options.learn_ends else points.x[[0, -1]]
        base = quantiles(points, options.num_samples)
        if len(base) == len(points.x):
            base = _with_points_between(base, options.num_samples)
        else:
            base = _with_bends(base, points, options.num_samples)
    wanted = np.unique(np.concatenate([base, options.knots, ends]))
    return np.asarray(wanted[points.allowed(wanted)])


def quantiles(points: Points, most: int) -> FloatArray:
    """(k,) at most ``most`` distinct x, equally spaced by weight, both ends included.

    Values that repeat take several quantiles, so the number of quantiles is raised until the distinct ones
    would be too many; each set holds the one before.
    """
    x = points.x
    if len(x) <= most:
        return x.copy()
    cumulative = np.cumsum(points.w)
    picked = np.array([0, len(x) - 1])
    count = most
    while True:
        levels = np.linspace(0.0, cumulative[-1], count)
        found = np.unique(np.minimum(np.searchsorted(cumulative, levels), len(x) - 1))
        if len(found) > most:
            return np.asarray(x[picked])
        picked = found
        if len(found) == most or count > 64 * len(x):
            return np.asarray(x[picked])
        count = 2 * count - 1


def _with_points_between(values: FloatArray, most: int) -> FloatArray:
    """Midpoints and quarter points, as far as there is room for them: a bend need not be at a value."""
    parts = 4 if 4 * len(values) <= most else 2 if 2 * len(values) <= most else 1
    steps = np.arange(1, parts) / parts
    between = values[:-1, None] + np.diff(values)[:, None] * steps
    return np.unique(np.concatenate([values, between.ravel()]))


def _with_bends(values: FloatArray, points: Points, most: int) -> FloatArray:
    """Points where the data between two quantiles are furthest from a line, up to ``most`` of them."""
    at = np.searchsorted(points.x, values)
    bounds = [0, *at[1:-1].tolist(), len(points.x)]
    found = splits(points.table, bounds, most, _HIDDEN * (points.total - points.noise))
    return np.union1d(values, points.x[found])


def round_significant(values: FloatArray, digits: int) -> FloatArray:
    """Each value at ``digits`` significant decimal digits, as the double nearest to that decimal number."""
    return np.array([float(f"{v:.{digits - 1}e}") for v in values.tolist()], dtype=np.float64)


def rounded(values: FloatArray, options: Options, fx: Transform, fewest: int) -> tuple[FloatArray, int | None]:
    """The candidates as they will be printed, distinct and inside the domain, and the digits that took.

    More digits than asked for are used only where fewer would leave too few distinct candidates (far origins:
    1.7e9 and 1.7e9 + 60), merge two required knots, or leave the domain of fx.
    """
    if options.digits is None:
        return values, None
    enough = min(len(values), max(fewest, 2))
    for digits in range(int(options.digits), 18):
        out = np.unique(round_significant(values, digits))
        inside = bool(np.all(out > fx.lower))
        distinct = len(np.unique(round_significant(options.knots, digits))) == len(options.knots)
        if len(out) >= enough and inside and distinct:
            return out, digits
    return values, None


def check_domain(values: FloatArray, fx: Transform, name: str) -> None:
    """Every value must be inside the domain of fx.

    Raises:
        InputError: names the first that is not.

    """
    if values.size and not values.min() > fx.lower:
        bad = float(values[np.flatnonzero(~(values > fx.lower))[0]])
        instead = "log1p" if fx.name == "log" and bad > -1 else "symlog1p"
        raise InputError(
            f"{name} holds {bad!r}, outside the domain of {fx.name} (x > {fx.lower:g}); "
            f"use fx='identity' or fx={instead!r}"
        )
