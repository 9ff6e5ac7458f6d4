"""A sample of the rows by a hash of each: the same rows in whatever order and parts they come."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from curvec._core import mix_values
from curvec.data import Table
from curvec.distill.row_summary import axes_of
from curvec.model import CurveModel
from curvec.transforms import FloatArray

Hashes: TypeAlias = npt.NDArray[np.uint64]

_MOST = 20_000
"""The most rows of a sample that differ from each other, ..."""
_MOST_VALUES = 1 << 22
"""... and the most values in it: 32 MB."""


def mixed_with(hashes: Hashes, value: float) -> Hashes:
    """Each hash (rows,) as another one that depends on all of its bits and on a value."""
    found = hashes.copy()
    mix_values(found, np.full(len(hashes), value))
    return found


def _begin_with_zeros(hashes: Hashes, zeros: int) -> npt.NDArray[np.bool_]:
    """(rows,) whether a hash begins with so many zero bits."""
    return hashes <= np.uint64(2 ** (64 - zeros) - 1)


class RowSample:
    """All rows that differ, or a sample of them: a :class:`curvec.distill.row_summary.Summary`.

    Of more than ``most`` those count whose hash begins with a zero bit, of more than ``most`` of these those with two,
    and so on. Equal rows of equal weight are one row of the sample, which counts as often as it occurs.

    Args:
        model: whose features are sampled.
        most: how many rows that differ may be held; fewer where there are very many features.

    """

    def __init__(self, model: CurveModel, most: int = _MOST) -> None:
        self._axes = axes_of(model)
        self._most = max(1, min(most, _MOST_VALUES // (len(self._axes) + 1)))
        self._zeros = 0
        self._hashes = np.zeros(0, dtype=np.uint64)
        self._columns = np.zeros((len(self._axes) + 1, 0))
        self._counts = np.zeros(0, dtype=np.int64)

    def update(self, table: Table, w: FloatArray | None) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        columns = [*(axis.numbers(table) for axis in self._axes), np.ones(table.rows) if w is None else w]
        hashes = np.zeros(table.rows, dtype=np.uint64)
        for column in columns:
            mix_values(hashes, np.ascontiguousarray(column))
        self._zeros = self._zeros_for(hashes)
        some = np.flatnonzero(_begin_with_zeros(hashes, self._zeros))
        found, first, counts = np.unique(hashes[some], return_index=True, return_counts=True)
        rows = some[first]
        self._add(found, np.array([column[rows] for column in columns]), counts)

    def _zeros_for(self, hashes: Hashes) -> int:
        """The fewest zero bits with which at most so many that differ begin; where all differ, no sort is needed."""
        zeros = self._zeros
        while np.count_nonzero(_begin_with_zeros(hashes, zeros)) > self._most:
            zeros += 1
        while zeros > self._zeros and len(np.unique(hashes[_begin_with_zeros(hashes, zeros - 1)])) <= self._most:
            zeros -= 1
        return zeros

    def merge(self, other: RowSample) -> None:
        """Add another's rows."""
        self._zeros = max(self._zeros, other._zeros)
        self._add(other._hashes, other._columns, other._counts)

    def _add(self, hashes: Hashes, columns: FloatArray, counts: npt.NDArray[np.int64]) -> None:
        together = np.concatenate([self._hashes, hashes])
        self._hashes, first, place = np.unique(together, return_index=True, return_inverse=True)
        self._columns = np.concatenate([self._columns, columns], axis=1)[:, first]
        self._counts = np.bincount(place, np.concatenate([self._counts, counts]), len(first)).astype(np.int64)
        self._zeros = self._zeros_for(self._hashes)
        kept = _begin_with_zeros(self._hashes, self._zeros)
        self._hashes, self._columns, self._counts = self._hashes[kept], self._columns[:, kept], self._counts[kept]

    def rows(self) -> tuple[Table, FloatArray]:
        """The sample, and (rows,) what each of its rows counts for."""
        columns = {axis.name: axis.column(own) for axis, own in zip(self._axes, self._columns, strict=False)}
        features = [feature for axis in self._axes for feature in axis.features]
        table = Table(columns or {"": np.zeros(len(self._hashes))}, features)
        return table, self._columns[-1] * self._counts
