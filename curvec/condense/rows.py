"""Rows in memory reduced to points: few rows are sorted, many are put into bins of equal weight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from curvec._core import find_edges, fuse, weighted_extent
from curvec.columns import check_aligned, surveyed, weights_of
from curvec.condense.bins import Bins
from curvec.condense.points import Points
from curvec.errors import InputError, counted
from curvec.transforms import FloatArray, Transform

SORT_UP_TO = 200_000
"""Rows that are sorted; more are put into bins, which hold what a fit needs without a sort."""
_SMALLEST = 1e-140
"""Ranges and slopes below this, or above its inverse, have squares that under- or overflow in a sum over rows."""
SORTABLE = 2**32 - 1
"""Rows that a sort can number."""
BINS = 2048
"""About how many bins of equal weight; a value with more weight than that has a bin of its own."""


class Rows(msgspec.Struct, frozen=True):
    """Checked columns.

    Attributes:
        x: (n,) float64.
        y: (n,) float64.
        w: (n,) float64 >= 0, None for ones.
        w_max: the largest weight; 0 where there is none.
        x_range: least and largest x of a row with positive weight.
        y_range: the same of y.

    """

    x: FloatArray
    y: FloatArray
    w: FloatArray | None
    w_max: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    @property
    def count(self) -> int:
        """How many have a weight above zero."""
        return len(self.x) if self.w is None else int(np.count_nonzero(self.w))

    @property
    def needs_bins(self) -> bool:
        """Whether they are put into bins."""
        return len(self.x) > SORT_UP_TO

    def points(self) -> Points:
        """Sort the rows and make those with equal x one.

        Raises:
            InputError: there are too many.

        """
        if len(self.x) > SORTABLE:
            raise InputError(
                f"x has {counted(len(self.x), 'row')}; at most {SORTABLE} can be sorted, so use curvec.Moments"
            )
        w = self.w if self.w is None or self.w_max == 1 else self.w / self.w_max
        table, origin, weight, noise, total = fuse(self.x, self.y, w)
        return Points(table, table[:, 0], origin, self.y_range, weight * self.w_max, self.w_max, noise, total)

    def edges(self) -> FloatArray:
        """(k,) where bins of about equal weight begin; the last edge is the largest x."""
        found = find_edges(self.x, self.w, self.w_max, *self.x_range, BINS)
        return np.unique([self.x_range[0], *found, self.x_range[1]])

    def binned(self, edges: FloatArray, transforms: Sequence[Transform]) -> Points:
        """Put the rows into bins that begin at the edges."""
        middle = self.y_range[0] / 2 + self.y_range[1] / 2
        bins = Bins.empty(edges, transforms, y_origin=middle)
        bins.add(self.x, self.y, self.w, self.w_max)
        if (local := bins.with_local_origins()) is not None:
            bins = local
            bins.add(self.x, self.y, self.w, self.w_max)
        return bins.points(self.y_range, self.w_max)


def read_rows(x: Any, y: Any, w: Any = None, *, fewest: int = 1) -> Rows:
    """Check the columns.

    Args:
        x: (n,) the feature. Anything that becomes a one-dimensional array of real numbers.
        y: (n,) the target.
        w: (n,) weights >= 0, None for ones; rows of weight zero are ignored.
        fewest: 0 where there may be no row with a weight above zero; ``w_max`` is 0 then.

    Raises:
        InputError: different lengths, no row, a value that is no finite real number, a negative weight, or columns of
            pandas in different orders.

    """
    check_aligned(x=x, y=y, w=w)
    xs, *x_range = surveyed(x, "x")
    ys, *y_range = surveyed(y, "y")
    ws, least, unit = (None, 1.0, 1.0) if w is None else weights_of(w)
    for name, values in (("y", ys), ("w", ws)):
        if values is not None and len(values) != len(xs):
            raise InputError(f"x has {counted(len(xs), 'row')} and {name} has {len(values):,}; they must agree")
    if not len(xs):
        unit = 0.0
    if fewest and not len(xs):
        raise InputError("x and y have no rows; at least one is needed")
    if fewest and not unit > 0:
        raise InputError(f"of {counted(len(xs), 'row')}, none has a weight above zero; at least one is needed")
    ranges = {"x": (x_range[0], x_range[1]), "y": (y_range[0], y_range[1])}
    if ws is not None and least == 0:
        ranges = {"x": weighted_extent(xs, ws), "y": weighted_extent(ys, ws)}
    check_ranges(ranges["x"], ranges["y"])
    span = ranges["y"][1] - ranges["y"][0] if unit > 0 else 0.0
    if unit * len(xs) * span * span == math.inf:
        raise InputError(
            f"w goes up to {unit!r} and y from {ranges['y'][0]!r} to {ranges['y'][1]!r}; their squared errors are no "
            "doubles, so rescale w: only its ratios matter"
        )
    return Rows(xs, ys, ws, unit, ranges["x"], ranges["y"])


def check_ranges(x_range: tuple[float, float], y_range: tuple[float, float]) -> None:
    """Check that the squares of differences, and of slopes, are doubles; an empty range is fine.

    Raises:
        InputError: x or y is too wide or too narrow, or one of them is against the other.

    """
    spans = {}
    for name, (low, high) in (("x", x_range), ("y", y_range)):
        spans[name] = high - low
        if low < high and not _SMALLEST < high - low < 1 / _SMALLEST:
            raise InputError(
                f"{name} goes from {low!r} to {high!r}; the squares of such differences are no doubles, so rescale it"
            )
    if min(spans.values()) > 0 and not _SMALLEST < spans["y"] / spans["x"] < 1 / _SMALLEST:
        raise InputError(
            f"x goes from {x_range[0]!r} to {x_range[1]!r} and y from {y_range[0]!r} to {y_range[1]!r}; the squares of "
            "such slopes are no doubles, so rescale one of them"
        )


def points_of(x: Any, y: Any, w: Any = None) -> Points:
    """Reduce rows to points with distinct x, by sorting.

    Raises:
        InputError: see :func:`read_rows`.

    """
    return read_rows(x, y, w).points()
