"""One term of a teacher with its replacement."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from curvec.data import Table
from curvec.distill.correspondence import values_or_zero
from curvec.distill.fidelity import fidelity
from curvec.distill.fitted_curve import FittedCurve
from curvec.fields import changed
from curvec.ir import EnumCurve, PWLCurve, Term
from curvec.transforms import FloatArray


class DistilledTerm(msgspec.Struct, frozen=True):
    """One function of the teacher with its distilled form.

    Attributes:
        label: the feature, or the features that the function joins.
        teacher: the teacher's function.
        term: the replacement; None if it is a constant.
        constant: that constant, which is part of the distilled intercept; 0 otherwise.
        curves: the curves in the term, innermost first.
        notes: what became of an interaction.

    """

    label: str
    teacher: Term
    term: Term | None
    constant: float
    curves: tuple[FittedCurve, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Without the teacher's function, which may have thousands of numbers."""
        return f"<DistilledTerm {self.label!r}: {type(self.teacher).__name__} -> {self.term or self.constant}>"


def distilled_term(
    label: str, teacher: Term, term: Term, curves: tuple[FittedCurve, ...], notes: tuple[str, ...] = (), *, null: bool
) -> DistilledTerm:
    """The function with its replacement: ``term``, or a constant where the term is constant.

    ``null`` says whether a term that has no score at missing or unseen inputs counts as more than a constant.
    """
    constant = _constant_of(term, null=null)
    if constant is None:
        return DistilledTerm(label, teacher, term, 0.0, curves, notes)
    return DistilledTerm(label, teacher, None, constant, curves, notes)


def without_noise(part: DistilledTerm, noise: float, *, null: bool) -> DistilledTerm:
    """The function replaced by a constant if its term varies by no more than ``noise`` over all inputs."""
    values = _values(part.term, null=null)
    if values is None or max(values) - min(values) > noise:
        return part
    note = f"moves the raw score by {max(values) - min(values):.2g} at most, which is rounding: it is in the intercept"
    return changed(part, term=None, constant=min(values), notes=(*part.notes, note))


def by_importance(parts: Sequence[DistilledTerm], rows: Sequence[tuple[Table, FloatArray]]) -> list[DistilledTerm]:
    """The parts by the weighted standard deviation of their terms' contributions, largest first.

    Equal ones keep their order; those replaced by a constant come last.

    Args:
        parts: the parts.
        rows: for each of them its table and (rows,) weights.

    """
    sizes = []
    for part, (table, w) in zip(parts, rows, strict=True):
        values = values_or_zero(part.term, table)
        sizes.append(fidelity(values, values, w).sd)
    order = sorted(range(len(parts)), key=lambda place: (parts[place].term is None, -sizes[place]))
    return [parts[place] for place in order]


def _constant_of(term: Term, *, null: bool) -> float | None:
    """The value of a term that is the same number for every input, missing and unseen ones included."""
    values = _values(term, null=null)
    return values[0] if values is not None and len(set(values)) == 1 else None


def _values(term: Term | None, *, null: bool) -> list[float] | None:
    """Every value that a curve or table can give; None for other terms, and with ``null`` if an input has no value."""
    if not isinstance(term, (PWLCurve, EnumCurve)):
        return None
    declared: list[float | None] = [term.missing]
    if isinstance(term, EnumCurve) and not term.levels.complete:
        declared.append(term.default)
    known = [value for value in [*term.ordinates, *term.special_codes.values(), *declared] if value is not None]
    return None if null and None in declared else known
