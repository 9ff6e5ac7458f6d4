"""How the rows are distributed over what a picture shows: a quantity on its axis, or the levels of a category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from curvec.data import Table
from curvec.ir import Feature, Key, Term, walk
from curvec.review.panels import Panel, breakpoints, thinned
from curvec.transforms import FloatArray

MAX_LEVELS = 24
"""Levels in one picture; the rest is counted in its last line."""


class Distribution(msgspec.Struct, frozen=True):
    """The cumulative distribution of a quantity: (n,) x and (n,) the share of present rows at or below it."""

    x: FloatArray
    share: FloatArray
    missing: float


class Density(msgspec.Struct, frozen=True):
    """Where the rows are: the share of the present ones in each of many bins of equal width on the axis.

    Attributes:
        shares: one a bin, from left to right.
        missing: the share of all rows in which the quantity is missing.
        below: the share of present rows below the curve's first point or cut; 0 where there is none.
        above: the share above the last.

    """

    shares: FloatArray
    missing: float
    below: float
    above: float


class Shares(msgspec.Struct, frozen=True):
    """The levels to draw, each with its share of rows (None without data), and how many further levels there are."""

    levels: list[Key]
    shares: list[float] | None
    further: int


def distribution(x: FloatArray) -> Distribution:
    """The cumulative distribution of (rows,) values, NaN where missing."""
    present = np.sort(x[~np.isnan(x)])
    if not len(present):
        return Distribution(np.empty(0), np.empty(0), 1.0 if len(x) else 0.0)
    values = thinned(np.unique(present))
    share = np.searchsorted(present, values, side="right") / len(present)
    return Distribution(values, share, 1 - len(present) / len(x))


BINS = 48


def density(panel: Panel, x: FloatArray, low: float, high: float) -> Density:
    """How (rows,) values, NaN where missing, are distributed over the panel's axis from ``low`` to ``high``.

    A value beyond an end of the axis, where the curve is constant, counts in the bin at that end.
    """
    present = x[~np.isnan(x)]
    missing = 1 - len(present) / len(x) if len(x) else 0.0
    if not len(present):
        return Density(np.zeros(BINS), missing, 0.0, 0.0)
    start, end = panel.fx.forward(np.array([low, high])).tolist()
    share = (panel.fx.forward(np.clip(present, low, high)) - start) / (end - start)
    places = np.clip((share * BINS).astype(np.int64), 0, BINS - 1)
    knots = breakpoints(panel.node)
    below, above = (float((present < knots[0]).mean()), float((present > knots[-1]).mean())) if knots else (0.0, 0.0)
    return Density(np.bincount(places, minlength=BINS) / len(present), missing, below, above)


def shares(panel: Panel, data: Any, nodes: Sequence[Term] = (), most: int = MAX_LEVELS) -> Shares:
    """At most so many levels of a category, without the rarest: the model's first, then those only in the data."""
    levels: dict[Key, float] = dict.fromkeys(panel.levels, 0.0)
    for curve in walk(*nodes):
        if curve.reads == panel.type:
            levels.update(dict.fromkeys([level for level in curve.levels if level not in levels], 0.0))
    if data is None:
        kept = list(levels)[:most]
        return Shares(kept, None, len(levels) - len(kept))
    keys = Table(data, [Feature(panel.feature, panel.type)]).keys(panel.feature, panel.type)
    for key in keys:
        if key is not None:
            levels[key] = levels.get(key, 0.0) + 1 / len(keys)
    often = set(sorted(levels, key=lambda level: -levels[level])[:most])
    kept = [level for level in levels if level in often]
    return Shares(kept, [levels[level] for level in kept], len(levels) - len(kept))
