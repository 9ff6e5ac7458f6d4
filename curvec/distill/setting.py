"""The data and the options of one distillation."""

from __future__ import annotations

from dataclasses import dataclass

from curvec.data import Table
from curvec.distill.leaf import Sample
from curvec.distill.options import Options
from curvec.evaluate import term_values
from curvec.ir import Term
from curvec.transforms import FloatArray

__all__ = ["Setting"]


@dataclass(frozen=True)
class Setting:
    """What every job of a distillation reads.

    Attributes:
        table: the data.
        weights: (rows,) row weights.
        options: the options.

    """

    table: Table
    weights: FloatArray
    options: Options

    def sample(self, term: Term, feature: str, w: FloatArray | None = None) -> Sample:
        """A function of a numeric feature on the rows; ``w`` in place of the row weights."""
        return Sample(self.table.number(feature), term_values(term, self.table), self.weights if w is None else w)
