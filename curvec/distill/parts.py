"""One part of a teacher beside what stands for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from curvec.data import Table
from curvec.distill.leaf import Leaf
from curvec.distill.setting import Setting
from curvec.evaluate import term_values
from curvec.ir import Term
from curvec.transforms import FloatArray

__all__ = ["Replaced", "Replacement", "mean_difference", "part_of"]


@dataclass(frozen=True)
class Replaced:
    """One part of the teacher beside its distilled form.

    Attributes:
        label: the feature, or the features that the part joins.
        teacher: the teacher's function.
        term: what stands for it; None where a constant stands for it.
        constant: that constant (0 otherwise); it is part of the distilled intercept.
        shift: weighted mean of the teacher's function less that of what stands for it.
        leaves: the curves in it.

    """

    label: str
    teacher: Term
    term: Term | None
    constant: float
    shift: float
    leaves: tuple[Leaf, ...]

    def values(self, table: Table) -> FloatArray:
        """(rows,) what stands for the part, the constant included."""
        return np.full(table.rows, self.constant) if self.term is None else term_values(self.term, table)


class Replacement(NamedTuple):
    """What stands for a part: a term with its curves, or a constant."""

    term: Term | None
    constant: float
    leaves: tuple[Leaf, ...]


def part_of(label: str, teacher: Term, new: Replacement, setting: Setting) -> Replaced:
    """A part with its shift over the rows of the distillation."""
    table, w = setting.table, setting.weights
    values = np.full(table.rows, new.constant) if new.term is None else term_values(new.term, table)
    return Replaced(label, teacher, *new[:2], mean_difference(term_values(teacher, table), values, w), new.leaves)


def mean_difference(teacher: FloatArray, new: FloatArray, w: FloatArray) -> float:
    """Weighted mean of ``teacher - new`` over the rows where both are finite."""
    both = np.isfinite(teacher) & np.isfinite(new) & (w > 0)
    return float(np.average(teacher[both] - new[both], weights=w[both])) if both.any() else 0.0
