"""One term of a teacher beside what stands for it."""

from __future__ import annotations

from dataclasses import dataclass

from curvec.distill.fitted_curve import FittedCurve
from curvec.ir import EnumCurve, PWLCurve, Term

__all__ = ["DistilledTerm", "constant_of", "distilled_term"]


@dataclass(frozen=True)
class DistilledTerm:
    """One function of the teacher beside its distilled form.

    Attributes:
        label: the feature, or the features that the function joins.
        teacher: the teacher's function.
        term: what stands for it; None where a constant does.
        constant: that constant (0 otherwise); it is part of the distilled intercept.
        curves: the curves in the term, innermost first.
        notes: what became of an interaction.

    """

    label: str
    teacher: Term
    term: Term | None
    constant: float
    curves: tuple[FittedCurve, ...]
    notes: tuple[str, ...] = ()


def distilled_term(
    label: str, teacher: Term, term: Term, curves: tuple[FittedCurve, ...], notes: tuple[str, ...] = ()
) -> DistilledTerm:
    """The function beside ``term``, or beside a constant where the term is one."""
    constant = constant_of(term)
    if constant is None:
        return DistilledTerm(label, teacher, term, 0.0, curves, notes)
    return DistilledTerm(label, teacher, None, constant, curves, notes)


def constant_of(term: Term) -> float | None:
    """The value of a term that is the same number for every input, missing and unseen ones included."""
    values: set[float | None]
    if isinstance(term, PWLCurve):
        values = {*(y for _, y in term.points), term.missing}
    elif isinstance(term, EnumCurve):
        values = {*term.levels.values(), term.missing, *(() if term.levels.complete else (term.default,))}
    else:
        return None
    return next(iter(values)) if len(values) == 1 else None
