"""The data and the options of one distillation."""

from __future__ import annotations

import msgspec

from curvec.data import Table
from curvec.distill.fitted_curve import Examples
from curvec.distill.options import DistillOptions
from curvec.evaluate import term_values
from curvec.ir import Term
from curvec.parameters.precision import Precision
from curvec.transforms import FloatArray


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """What a distillation is asked for, and how exact it has to be.

    Attributes:
        options: the options.
        precision: how exact the functions that are added to the score have to be.
        margin: the share of the score's variance that may be lost.
        total: weighted sum of squares of the teacher's raw score about its mean.

    """

    options: DistillOptions
    precision: Precision
    margin: float
    total: float


class Context(Aim, frozen=True, kw_only=True):
    """What the distillation of one function reads.

    Attributes:
        table: the rows, or a summary of them.
        weights: (rows,) their weights.

    """

    table: Table
    weights: FloatArray

    def examples(self, term: Term, feature: str, w: FloatArray | None = None) -> Examples:
        """A function of a numeric feature on the rows; ``w`` in place of the row weights."""
        return Examples(self.table.number(feature), term_values(term, self.table), self.weights if w is None else w)
