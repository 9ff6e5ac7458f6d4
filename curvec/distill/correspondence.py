"""Which function of a model replaces which function of its teacher: the one-to-one correspondence of distillation.

Distillation keeps it (Ravina et al. 2021, section 4), and edits mostly do. Terms of the same features belong together,
so it is found from the two models alone, whatever the order of their terms.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from curvec.data import Table
from curvec.evaluate import term_values
from curvec.ir import Sum, Term, label_of, names_of
from curvec.model import CurveModel
from curvec.transforms import FloatArray


class Counterparts(msgspec.Struct, frozen=True):
    """A function of the teacher, and its counterpart in a model.

    Attributes:
        label: the features: ``age``, ``x * z`` for a product, ``(c1 + c2) * x`` for a product with a sum.
        teacher: the teacher's function: its terms of these features, added up; None where it has none.
        model: the model's; None if a constant in the intercept replaces the teacher's.

    """

    label: str
    teacher: Term | None
    model: Term | None

    def __repr__(self) -> str:
        """Without the teacher's function, which may have thousands of numbers."""
        return f"<Counterparts {self.label!r}: {type(self.teacher).__name__} -> {self.model}>"


def counterparts(model: CurveModel, teacher: CurveModel) -> tuple[Counterparts, ...]:
    """Every function of either model, in the order of the model's terms; those of the teacher alone are last."""
    own, theirs = (
        {key: joined([side.terms[index] for index in group]) for key, group in terms_by_features(side).items()}
        for side in (model, teacher)
    )
    return tuple(
        Counterparts(label_of(theirs.get(key) or own[key]), theirs.get(key), own.get(key))
        for key in dict.fromkeys([*own, *theirs])
    )


def features_in(term: Term) -> frozenset[str]:
    """The names of a term's features: what it has in common with its counterpart."""
    return frozenset(names_of(term))


def terms_by_features(model: CurveModel) -> dict[frozenset[str], list[int]]:
    """The indices of a model's terms, those of the same features together, in the order of their first."""
    groups: dict[frozenset[str], list[int]] | None = model.__dict__.get("terms_by_features")
    if groups is None:
        groups = {}
        for index, term in enumerate(model.terms):
            groups.setdefault(features_in(term), []).append(index)
        model.__dict__["terms_by_features"] = groups  # kept with the model, as its compiled form is: pages ask often
    return groups


def joined(terms: Sequence[Term]) -> Term:
    """Several terms as one."""
    return terms[0] if len(terms) == 1 else Sum(terms)


def values_or_zero(term: Term | None, table: Table) -> FloatArray:
    """(rows,) a function's values; zeros for none."""
    return np.zeros(table.rows) if term is None else term_values(term, table)
