"""One part of a teacher beside what stands for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from curvec.data import Table
from curvec.distill.leaf import Leaf, Sample, compare
from curvec.distill.setting import Setting
from curvec.evaluate import term_values
from curvec.ir import Term
from curvec.transforms import FloatArray

__all__ = ["PairReport", "Replaced", "Replacement", "mean_difference", "part_of"]


@dataclass(frozen=True)
class PairReport:
    """An interaction as products of curves.

    Attributes:
        label: the two features.
        products: how many products stand for it; 0 where it was dropped.
        share: of the table's weighted variance that the factorisation explains, before its factors are distilled.
        unexplained: share of that variance that is lost in the end.
        sd: weighted standard deviation of the pair, in units of the raw score.

    """

    label: str
    products: int
    share: float
    unexplained: float
    sd: float


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
        pair: for an interaction, how it was taken apart.

    """

    label: str
    teacher: Term
    term: Term | None
    constant: float
    shift: float
    leaves: tuple[Leaf, ...]
    pair: PairReport | None = None

    def values(self, table: Table) -> FloatArray:
        """(rows,) what stands for the part, the constant included."""
        return np.full(table.rows, self.constant) if self.term is None else term_values(self.term, table)


class Replacement(NamedTuple):
    """What stands for a part: a term with its curves, or a constant."""

    term: Term | None
    constant: float
    leaves: tuple[Leaf, ...]
    pair: tuple[int, float] | None = None


def part_of(label: str, teacher: Term, new: Replacement, setting: Setting) -> Replaced:
    """A part with its shift over the rows of the distillation."""
    table, w = setting.table, setting.weights
    values = np.full(table.rows, new.constant) if new.term is None else term_values(new.term, table)
    exact = term_values(teacher, table)
    pair = None
    if new.pair is not None:
        # A constant is no loss: the intercept takes it up.
        shift = mean_difference(exact, values, w)
        stats = compare(Sample(np.arange(table.rows), exact, w), values + shift)
        pair = PairReport(label, *new.pair, stats.unexplained, stats.sd)
    return Replaced(label, teacher, *new[:2], mean_difference(exact, values, w), new.leaves, pair)


def mean_difference(teacher: FloatArray, new: FloatArray, w: FloatArray) -> float:
    """Weighted mean of ``teacher - new`` over the rows where both are finite."""
    both = np.isfinite(teacher) & np.isfinite(new) & (w > 0)
    return float(np.average(teacher[both] - new[both], weights=w[both])) if both.any() else 0.0
