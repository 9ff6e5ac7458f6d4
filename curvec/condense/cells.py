"""The distribution of rows over one or several columns, in cells that depend only on the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curvec._core import Tally
from curvec.errors import InputError
from curvec.transforms import FloatArray

LARGEST_WEIGHT = 2.0**32
"""The largest weight of a row: the total of 2^32 such rows still fits the sums."""


class Examples(NamedTuple):
    """Rows that represent all rows.

    Attributes:
        values: (columns, n) the values of each, NaN where missing; in ascending order of the first column.
        weights: (n,) the weight that each has.
        rows: (n,) how many rows it stands for; halves where two stand for a cell.

    """

    values: FloatArray
    weights: FloatArray
    rows: FloatArray


class Cells:
    """How rows are distributed over columns of numbers: built in parts, merged, then read. It can be pickled.

    The finest cells hold one value each. If the rows are in more than ``most`` cells, values that agree in all but
    their last bits share a cell. As few bits as possible are ignored, and no cell extends across a cut. So up to
    ``most`` distinct values (or combinations of values) are all kept; if there are more, every row still counts, in a
    cell that is narrow relative to its values. The cells, and their exact sums of weights, do not depend on the order
    of the rows or on the parts in which they come.

    Args:
        cuts: for each column the values at which a cell always begins.
        most: the most cells.

    """

    def __init__(self, cuts: Sequence[FloatArray | Sequence[float]], most: int) -> None:
        self._cuts = [np.asarray(own, dtype=np.float64).tolist() for own in cuts]
        least = int(np.prod([len(own) + 2 for own in cuts])) if len(cuts) == 1 else 0
        self._tally = Tally(self._cuts, max(most, least))

    def update(self, columns: Sequence[npt.NDArray[np.float64]], w: FloatArray | None) -> None:
        """Add rows.

        Args:
            columns: each (rows,) doubles; NaN where missing.
            w: (rows,) weights from 0 to 2^32; None for ones. Rows of weight 0 are left out.

        """
        self._tally.add([np.ascontiguousarray(column) for column in columns], w)

    def merge(self, other: Cells) -> None:
        """Add another's rows; its cuts must be the same."""
        if self._cuts != other._cuts:
            raise InputError("these cells have other cuts; only equal ones can be merged")
        self._tally.merge(other._tally)

    @property
    def too_many(self) -> bool:
        """Whether the rows are in too many cells even if these are as wide as possible; then there are no examples."""
        return self._tally.full

    def examples(self) -> Examples:
        """The rows that represent all: one for a cell of one value, and the least and the largest of any other cell.

        These two have half of the cell's weight each, so that the ends of the data are kept, and nearly the mean.
        """
        low, high, rows, weights = self._tally.cells()
        single = ((low == high) | np.isnan(low)).all(axis=1)
        count = np.where(single, 1, 2)
        values = np.repeat(low, count, axis=0)
        second = np.cumsum(count)[~single] - 1
        values[second] = high[~single]
        order = np.lexsort(values.T[::-1]) if values.shape[1] == 1 else np.arange(len(values))
        shared = np.repeat(count, count)
        return Examples(
            values[order].T, (np.repeat(weights, count) / shared)[order], (np.repeat(rows, count) / shared)[order]
        )
