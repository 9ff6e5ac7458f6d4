"""Interactions of two features, as tables and as sums of products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.ir import EnumCurve, Key, Levels, Product, Sum, Term
from curvec.model import CurveModel
from curvec.teachers.parts.curves import merged_steps
from curvec.transforms import FloatArray


class Axis(msgspec.Struct, frozen=True, eq=False):
    """The cells of one side of a pair table.

    Cell 0 is the missing input; then come the cells of the values, in order; then, for categories, the cell of an
    unseen level.

    Attributes:
        feature: the feature's name.
        cuts: a numeric feature's cuts (x == cut belongs to the right): ``len(cuts) + 1`` cells; None for categories.
        places: for numbers that are categories, each interval's cell; None where interval k is cell k + 1.
        levels: for categories, level -> its cell (several levels may share one); None for a numeric feature.

    """

    feature: str
    cuts: tuple[float, ...] | None = None
    levels: Mapping[Key, int] | None = None
    places: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        """How many cells there are, those of missing and unseen included."""
        if self.places is not None:
            return max(self.places) + 1
        if self.cuts is not None:
            return len(self.cuts) + 2
        return max((self.levels or {}).values(), default=0) + 2

    def curve(self, values: FloatArray) -> Term:
        """The curve with ``values[i]`` in cell i; ``values`` has :attr:`size` finite entries."""
        value = np.asarray(values, dtype=np.float64)
        if self.cuts is not None:
            intervals = value[1:] if self.places is None else value[list(self.places)]
            return merged_steps(self.feature, self.cuts, intervals, float(value[0]))
        levels = Levels((key, float(value[cell])) for key, cell in (self.levels or {}).items())
        return EnumCurve(self.feature, levels, default=float(value[-1]), missing=float(value[0]))

    def cells(self, data: Any) -> npt.NDArray[np.intp]:
        """(rows,) the cell of every row of ``data`` (a mapping of arrays or a frame)."""
        numbers = self.curve(np.arange(self.size, dtype=np.float64))
        return CurveModel("cells", [numbers]).eval(data).astype(np.intp)


class Pair(msgspec.Struct, frozen=True, eq=False):
    """An interaction of two features, as the teacher's table.

    The table's exact form as a term is :meth:`term`, and stands in the model at ``index``. A factorisation
    ``table ~ sum_r u_r v_r`` becomes products of one-variable curves by
    ``Product((axes[0].curve(u_r), axes[1].curve(v_r)))``.

    Attributes:
        features: the two names.
        axes: the cells of the rows and of the columns.
        table: (axes[0].size, axes[1].size) the teacher's value in each cell.
        weights: the same shape, the training weight in each cell, or None where the teacher keeps none.
        index: which of ``model.terms`` is this pair; None once it is taken out.

    """

    features: tuple[str, str]
    axes: tuple[Axis, Axis]
    table: FloatArray
    weights: FloatArray | None = None
    index: int | None = None

    def term(self) -> Sum:
        """The same function exactly, as a sum of products.

        For each different row of the table (of the shorter side), a curve that is 1 there and 0 elsewhere, times the
        row as a curve: at any input one product is not zero, and it is 1 times the table's value.
        """
        short, long = self.axes if self.axes[0].size <= self.axes[1].size else self.axes[::-1]
        table = self.table if short is self.axes[0] else self.table.T
        products: dict[bytes, tuple[FloatArray, FloatArray]] = {}
        for cell, row in enumerate(table):
            indicator, _ = products.setdefault(row.tobytes(), (np.zeros(short.size), row))
            indicator[cell] = 1.0
        kept = [(indicator, row) for indicator, row in products.values() if row.any()] or list(products.values())
        return Sum([Product((short.curve(indicator), long.curve(row))) for indicator, row in kept])
