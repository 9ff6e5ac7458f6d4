"""Sums over the rows of a bin: they add up, and do not depend on the order of the rows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from curvec._core import BIN_DOUBLES, accumulate, bin_moments, merge_bins
from curvec.condense.points import Parts, Points
from curvec.fields import changed
from curvec.transforms import FloatArray, Transform

_WEIGHT, _FIRST, _LAST = slice(16, 18), 18, 19
"""Columns of the sums: the weight in two parts, the least and the largest x."""
_NARROW = 1e-3
"""The least width of a bin, relative to its distance from the origin of u, that keeps five digits of its second moment.

That moment is about the bin's mean: a difference of sums as large as the distance's square. The ratio is taken in x;
under a logarithm it may be a thirtieth of that, which is what the five digits are counted for."""
_LEAST_NORMAL = 2.0**-1000
"""With a first edge above this no row is subnormal (below 2^-1022), so the rows need no check for it."""


class Bins(msgspec.Struct, frozen=True):
    """Bins that begin at edges (the first one lies left of the first edge), and their sums.

    Attributes:
        edges: (k,) ascending.
        starts: (k + 1,) the x that is the origin of u in each bin.
        transforms: one, or identity and a second.
        sums: (k + 1, d) per bin: the sums of u, y, uu, uy, yy and the weight, each in twice a double's precision,
            then the least and the largest x.
        y_origin: what is taken off every y.
        compensated: whether products, too, are kept in twice a double's precision: then y needs no origin.

    """

    edges: FloatArray
    starts: FloatArray
    transforms: tuple[Transform, ...]
    sums: FloatArray
    y_origin: float
    compensated: bool

    @classmethod
    def empty(
        cls, edges: FloatArray, transforms: Sequence[Transform], *, y_origin: float = 0.0, compensated: bool = False
    ) -> Bins:
        """No rows yet; u is measured from each bin's edge."""
        starts = np.concatenate([edges[:1], edges])
        return cls(edges, starts, tuple(transforms), _no_sums(len(starts)), y_origin, compensated)

    def with_local_origins(self) -> Bins | None:
        """The same bins without rows, each with its own least x as the origin of u; None if no bin needs that.

        A bin needs it if its values are close together relative to their distance from the origin (see ``_NARROW``):
        the difference of their large squares would be rounding.
        """
        first, last = self.sums[:, _FIRST], self.sums[:, _LAST]
        held = first < last
        if not (last[held] - first[held] <= _NARROW * (last[held] - self.starts[held])).any():
            return None
        starts = np.where(first <= last, first, self.starts)
        return changed(self, starts=starts, sums=_no_sums(len(starts)))

    def add(self, x: FloatArray, y: FloatArray, w: FloatArray | None, unit: float = 1.0) -> None:
        """Add rows; weights are divided by ``unit``."""
        u, v = (fx.forward(self.starts) for fx in (self.transforms[0], self.transforms[-1]))
        codes = self.transforms[0].code, self.transforms[1].code if len(self.transforms) > 1 else 0
        normal = bool(self.edges[0] >= _LEAST_NORMAL)
        accumulate(self.sums, self.edges, u, v, x, y, w, unit, self.y_origin, codes, normal, self.compensated)

    def merge(self, other: Bins) -> None:
        """Add another's rows; edges, transforms, origin and the unit of weights must be the same."""
        merge_bins(self.sums, other.sums)

    def scaled(self, factor: float) -> Bins:
        """The same rows with their weights multiplied by a power of two, which changes no digit."""
        sums = _no_sums(len(self.sums))
        sums[:] = self.sums
        sums[:, :_FIRST] *= factor
        return changed(self, sums=sums)

    @property
    def weight(self) -> float:
        """Total weight."""
        return float(self.sums[:, _WEIGHT].sum())

    def points(self, y_range: tuple[float, float], weight_unit: float) -> Points:
        """The bins that hold rows, as data for a fit."""
        sums = bin_moments(self.sums, second=False, y_origin=0.0)
        held = sums[:, 0] > 0
        total = float(sums[:, 0].sum())
        origin = float(np.dot(sums[:, 0], sums[:, 2])) / total
        parts = {
            fx.name: self._part(fx, bin_moments(self.sums, second=k == 1, y_origin=origin)[held], held)
            for k, fx in enumerate(self.transforms)
        }
        first = next(iter(parts.values())).moments
        rest = np.min([part.moments[:, 5] for part in parts.values()], axis=0)
        table = np.column_stack([self.sums[held, _FIRST], first[:, 0], first[:, 2], rest])
        noise = float(rest.sum())
        within = float((first[:, 5] + first[:, 4] ** 2 * first[:, 3]).sum())  # about the mean of each bin
        return Points(
            table, self.sums[held, _LAST], self.y_origin + origin, y_range, total * weight_unit, weight_unit,
            noise, float(np.dot(table[:, 1], table[:, 2] ** 2)) + within, parts,
        )  # fmt: skip

    def _part(self, fx: Transform, moments: FloatArray, held: npt.NDArray[np.bool_]) -> Parts:
        """The bins under one transform.

        Of a single value the place is known better than as a mean: rounding would put it beside the edge that it is
        on, and a curve would seem to have a slope there.
        """
        u = fx.forward(self.starts[held])
        first, last = fx.forward(self.sums[held, _FIRST]), fx.forward(self.sums[held, _LAST])
        single = first == last
        moments[single, 5] += moments[single, 4] ** 2 * moments[single, 3]
        moments[single, 3:5] = 0.0
        moments[single, 1] = first[single] - u[single]
        return Parts(u, moments)


def _no_sums(count: int) -> FloatArray:
    """(count, d) of no rows, from a cache line on, as each bin then begins at one: unaligned ones are slower."""
    room = np.zeros(count * BIN_DOUBLES + 7)
    start = -room.ctypes.data // 8 % 8
    sums = room[start : start + count * BIN_DOUBLES].reshape(count, BIN_DOUBLES)
    sums[:, _FIRST], sums[:, _LAST] = np.inf, -np.inf
    return sums
