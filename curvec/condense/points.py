"""Data in parts that no knot divides: single values of x, or bins, each with its moments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from curvec._core import Sample
from curvec.errors import InputError
from curvec.transforms import FloatArray, Transform

_ROUNDING = 1e-24
"""Squared errors below this share of the total are rounding: (4500 * 2.2e-16)^2, thousands of roundings of a double."""


class Parts(NamedTuple):
    """Bins under one transform.

    Attributes:
        u: (n,) what u is measured from in each bin.
        moments: (n, 6) w, mean u, mean y, centred uu, slope, squared error about the bin's own line.

    """

    u: FloatArray
    moments: FloatArray


class Points(msgspec.Struct, frozen=True):
    """Data in ascending order of x.

    Attributes:
        table: (n, 4) x (of a bin: its least), total weight, weighted mean of y - y_origin, squared error that no
            curve on the allowed knots avoids (about that mean, or a bin's own line).
        last: (n,) the largest x of each bin; x itself where there are no bins. No knot lies in (x, last].
        y_origin: what was taken off every y, so that a far origin costs no digits.
        y_range: least and largest y of a row with positive weight.
        weight: total weight, in the caller's units; the table's weights are divided by ``weight_unit``.
        weight_unit: the largest weight.
        noise: squared error that no curve can avoid: the spread of y at equal x (or about a bin's line).
        total: squared error of the mean, noise included.
        parts: the bins by the name of the transform; None where every x is single.

    """

    table: FloatArray
    last: FloatArray
    y_origin: float
    y_range: tuple[float, float]
    weight: float
    weight_unit: float
    noise: float
    total: float
    parts: Mapping[str, Parts] | None = None

    @property
    def x(self) -> FloatArray:
        """(n,) distinct x, ascending."""
        return self.table[:, 0]

    @property
    def w(self) -> FloatArray:
        """(n,) the weight at each x, in units of the largest row's."""
        return self.table[:, 1]

    @property
    def y(self) -> FloatArray:
        """(n,) mean y at each x, less y_origin."""
        return self.table[:, 2]

    @property
    def spread(self) -> FloatArray:
        """(n,) squared error about the mean y of each x (or bin)."""
        if self.parts is None:
            return self.table[:, 3]
        moments = next(iter(self.parts.values())).moments
        return np.asarray(moments[:, 5] + moments[:, 4] ** 2 * moments[:, 3])

    @property
    def floor(self) -> float:
        """The squared error below which a curve is perfect: what no curve avoids, and what rounding adds to it."""
        return self.noise + _ROUNDING * (self.total - self.noise)

    def in_units(self) -> FloatArray:
        """(n, 3) x, weight and mean y as the caller has them."""
        return np.column_stack([self.x, self.w * self.weight_unit, self.y + self.y_origin])

    def sample(self, fx: Transform) -> Sample:
        """The data in u = fx(x), ready to be cut into gaps at any knots.

        Raises:
            InputError: the data are bins, made for other transforms.

        """
        if self.parts is None:
            # Numpy's own logarithm: its last bit is not the contract's, and does not matter to a sum over rows.
            return Sample(self.table, (fx.fast or fx.forward)(self.x), None)
        if fx.name not in self.parts:
            raise InputError(
                f"these moments are in {', '.join(self.parts)} of x; fx={fx.name!r} needs moments of its own"
            )
        return Sample(self.table, *self.parts[fx.name])

    def allowed(self, knots: FloatArray) -> npt.NDArray[np.bool_]:
        """(k,) which knots divide no bin."""
        if self.parts is None:
            return np.ones(len(knots), dtype=bool)
        at = np.searchsorted(self.x, knots, side="right") - 1
        inside = (at >= 0) & (knots > self.x[at]) & (knots <= self.last[at])
        return np.asarray(~inside)
