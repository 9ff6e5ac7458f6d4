"""A sample of the rows by a hash of each: the same rows in whatever order and parts they come."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from curvec._core import hash_rows
from curvec.data import Table
from curvec.distill.row_summary import axes_of
from curvec.model import CurveModel
from curvec.transforms import FloatArray

Hashes: TypeAlias = npt.NDArray[np.uint64]

_MOST = 20_000
"""The most rows of a sample that differ from each other."""
_MOST_VALUES = 1 << 22
"""The most values in a sample, 32 MB; of many features it has fewer rows."""


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
        self._pending: list[tuple[Hashes, FloatArray, npt.NDArray[np.int64]]] = []

    def update(self, table: Table, w: FloatArray | None) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        columns = [np.ascontiguousarray(axis.numbers(table)) for axis in self._axes]
        columns.append(np.ones(table.rows) if w is None else np.ascontiguousarray(w))
        hashes = hash_rows(columns, 0)
        self._zeros = self._zeros_for(hashes)
        some = np.flatnonzero(_begin_with_zeros(hashes, self._zeros))
        found, first, counts = np.unique(hashes[some], return_index=True, return_counts=True)
        rows = some[first]
        self._pending.append((found, np.array([column[rows] for column in columns]), counts))
        if sum(len(own) for own, *_ in self._pending) > self._most // 8:
            self._settle()

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
        other._settle()
        self._zeros = max(self._zeros, other._zeros)
        self._pending.append((other._hashes, other._columns, other._counts))
        self._settle()

    def __getstate__(self) -> dict[str, Any]:
        """The same for the same rows, in whatever order they came."""
        self._settle()
        return self.__dict__

    def _settle(self) -> None:
        """Join the rows that were added since with those before."""
        if not self._pending:
            return
        parts = [(self._hashes, self._columns, self._counts), *self._pending]
        self._pending = []
        together = np.concatenate([hashes for hashes, *_ in parts])
        self._hashes, first, place = np.unique(together, return_index=True, return_inverse=True)
        counts = np.concatenate([own for *_, own in parts])
        self._counts = np.bincount(place, counts, len(first)).astype(np.int64)
        self._zeros = self._zeros_for(self._hashes)
        kept = _begin_with_zeros(self._hashes, self._zeros)
        chosen = np.empty((len(self._columns), np.count_nonzero(kept)))  # column by column, without a copy of all
        for column, *own in zip(chosen, *(columns for _, columns, _ in parts), strict=True):
            column[:] = np.concatenate(own)[first[kept]]
        self._columns = chosen
        self._hashes, self._counts = self._hashes[kept], self._counts[kept]

    @property
    def is_part(self) -> bool:
        """Whether rows were left out."""
        self._settle()
        return self._zeros > 0

    @property
    def evenness(self) -> float:
        """How many rows of equal weight say as much as one of these, on average: 1 for equal weights (Kish 1965)."""
        self._settle()
        w = self._columns[-1]
        return float(np.square(self._counts @ w) / (self._counts @ np.square(w) * self._counts.sum()))

    def rows(self) -> tuple[Table, FloatArray]:
        """The sample, and (rows,) what each of its rows counts for."""
        self._settle()
        columns = {axis.name: axis.column(own) for axis, own in zip(self._axes, self._columns, strict=False)}
        features = [feature for axis in self._axes for feature in axis.features]
        table = Table(columns or {"": np.zeros(len(self._hashes))}, features)
        return table, self._columns[-1] * self._counts
