"""``Moments``: rows from anywhere, reduced to the sums that a fit on given candidates needs."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from curvec.columns import column, unit_of
from curvec.condense.bins import Bins
from curvec.condense.rows import check_ranges, read_rows
from curvec.errors import InputError, with_article
from curvec.fit.api import fit_moments
from curvec.fit.result import Fit
from curvec.transforms import FloatArray, transform


class Moments:
    """Weighted moments of rows between candidate knots: built in chunks, merged, then fitted.

    ``Moments(candidates)`` takes the place of the rows in :func:`curvec.fit_pwl` where those are too many, in
    pieces, or elsewhere: update it on every chunk (or one on every partition, then merge), and fit. Neither the
    order of the rows nor the chunks change the result. It pickles, so partitions can send it.

    Args:
        candidates: where knots may be, in the units of x; at least two.
        fx: the transform's name; the moments are in u = fx(x).

    Raises:
        InputError: fewer than two candidates, or one outside the domain of fx; or they are too far apart.

    """

    def __init__(self, candidates: Sequence[float] | FloatArray, fx: str = "identity") -> None:
        edges = np.unique(column(candidates, "candidates"))
        self._fx = transform(fx)
        if len(edges) < 2:
            raise InputError(f"there are {len(edges)} distinct candidates; at least two are needed")
        if not self._fx.contains(float(edges[0])):
            raise InputError(
                f"the candidate {float(edges[0])!r} is outside the domain of {fx} (x > {self._fx.lower:g})"
            )
        self._bins = Bins.empty(edges, (self._fx,), compensated=True)
        self._unit = 0.0  # of the weights in the bins: a power of two, by the largest weight so far
        self._x_range = float(edges[0]), float(edges[-1])
        self._y_range = (math.inf, -math.inf)
        check_ranges(self._x_range, self._y_range)

    @property
    def candidates(self) -> FloatArray:
        """(k,) where knots may be."""
        return self._bins.edges.copy()

    @property
    def fx(self) -> str:
        """The transform's name."""
        return self._fx.name

    @property
    def weight(self) -> float:
        """Total weight so far."""
        return self._bins.weight * self._unit

    def update(self, x: Any, y: Any, w: Any = None) -> Moments:
        """Add rows, in one pass; there may be none, and none with a weight.

        Args:
            x: (n,) the feature, inside the domain of fx.
            y: (n,) the target.
            w: (n,) weights >= 0; None: all ones.

        Returns:
            This object.

        Raises:
            InputError: see :func:`curvec.fit_pwl`. Nothing has been added then.

        """
        rows = read_rows(x, y, w, fewest=0)
        if not rows.w_max > 0:
            return self
        if not self._fx.contains(rows.x_range[0]):
            index = int(np.flatnonzero(~(rows.x > self._fx.lower))[0])
            raise InputError(f"x[{index}] is {float(rows.x[index])!r}, outside the domain of {self.fx}")
        self._widen(rows.x_range, rows.y_range)
        self._raise_unit(unit_of(rows.w_max))
        w = np.ones(len(rows.x)) if rows.w is None and self._unit != 1 else rows.w
        self._bins.add(rows.x, rows.y, w, self._unit)
        return self

    def merge(self, other: Moments) -> Moments:
        """Add the rows of another.

        Returns:
            This object.

        Raises:
            InputError: the other has different candidates or another transform. Nothing has been added then.

        """
        if not isinstance(other, Moments):
            raise InputError(f"other is {with_article(type(other).__name__)}; only Moments can be merged")
        if self.fx != other.fx or not np.array_equal(self._bins.edges, other._bins.edges):
            raise InputError("these moments are on different candidates or transforms; only equal ones can be merged")
        if other._unit > 0:
            self._widen(other._x_range, other._y_range)
            self._raise_unit(other._unit)
            same = other._unit == self._unit
            self._bins.merge(other._bins if same else other._bins.scaled(other._unit / self._unit))
        return self

    def fit(self, **options: Any) -> Fit:
        """Fit as :func:`curvec.fit_pwl` does, on these candidates and this transform.

        Args:
            options: keywords of ``fit_pwl``, but for ``candidates``, ``fx``, ``knots_on``, ``num_samples``,
                ``refine_knots`` and ``special``, and ``num_segments="bic"``, which counts rows.

        Raises:
            InputError: no rows yet, or a bad option.
            FitError: no curve on the candidates obeys the constraints.

        """
        if not self.weight > 0:
            raise InputError("no rows with a weight above zero have been added; update the moments first")
        return fit_moments(self._bins.points(self._y_range, self._unit), self.candidates, self.fx, options)

    def __copy__(self) -> Moments:
        # A copy that shared the sums would have the same rows, but ranges and units of its own.
        return copy.deepcopy(self)

    def _widen(self, x_range: tuple[float, float], y_range: tuple[float, float]) -> None:
        """Take in the ranges of further rows, if a fit can be made over them."""
        x_range = min(self._x_range[0], x_range[0]), max(self._x_range[1], x_range[1])
        y_range = min(self._y_range[0], y_range[0]), max(self._y_range[1], y_range[1])
        check_ranges(x_range, y_range)
        self._x_range, self._y_range = x_range, y_range

    def _raise_unit(self, unit: float) -> None:
        """Measure the weights in this unit from now on, if it is larger: as sums, tiny ones would vanish."""
        if unit > self._unit:
            if self._unit > 0:
                self._bins = self._bins.scaled(self._unit / unit)
            self._unit = unit
