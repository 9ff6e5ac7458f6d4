"""Scoring twice, by the compiled core and by the reference, to compare every number when it is computed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.compiled import CompiledModel
from curvec.data import Table
from curvec.errors import ParityError
from curvec.evaluate import contributions, raw_score
from curvec.features import Feature
from curvec.ir import Term
from curvec.links import link
from curvec.transforms import FloatArray


def is_asked_for() -> bool:
    """Whether the environment says ``CURVEC_VERIFY=1``."""
    return os.environ.get("CURVEC_VERIFY") == "1"


class VerifiedModel(CompiledModel):
    """A model that scores as a :class:`CompiledModel` does, and compares each number with the reference's.

    It takes the time of the reference too.

    Args:
        json: the model's file form.
        features: the features that the terms use.
        order: the names of an array's columns; None if they are not known.
        terms: the terms of the model.
        intercept: its intercept.
        link: the name of its link.

    Raises:
        ParityError: from each method that scores, if a number differs between the two.

    """

    def __init__(
        self,
        json: bytes,
        features: Sequence[Feature],
        order: Sequence[str] | None,
        terms: Sequence[Term],
        intercept: float,
        link: str,
    ) -> None:
        super().__init__(json, features, order)
        self._made_of = (json, tuple(features), order, tuple(terms), intercept, link)

    def __reduce__(self) -> tuple[type[CompiledModel], tuple[Any, ...]]:
        """The arguments to make it again."""
        return VerifiedModel, self._made_of

    def score_row(self, row: Mapping[str, Any]) -> float:
        """The raw score of one row."""
        return self._of_one(row, super().score_row(row), predict=False)

    def predict_row(self, row: Mapping[str, Any]) -> float:
        """The prediction for one row."""
        return self._of_one(row, super().predict_row(row), predict=True)

    def _of_one(self, row: Mapping[str, Any], value: float, *, predict: bool) -> float:
        columns = {feature.name: [row[feature.name]] for feature in self.features}
        self._check(Table(columns or {"": [None]}, self.features), np.array([value]), predict=predict)
        return value

    def _run(self, table: Table, *, per_term: bool = False, predict: bool = False, threads: int = 1) -> FloatArray:
        values = super()._run(table, per_term=per_term, predict=predict, threads=threads)
        self._check(table, values, per_term=per_term, predict=predict)
        return values

    def _check(self, table: Table, values: FloatArray, *, per_term: bool = False, predict: bool = False) -> None:
        *_, terms, intercept, name = self._made_of
        if per_term:
            _compare(values.reshape(len(terms), table.rows).T, contributions(terms, table), table)
            return
        score = raw_score(terms, intercept, table)
        _compare(values, link(name).inverse(score) if predict else score, table)


def _compare(core: FloatArray, reference: FloatArray, table: Table) -> None:
    wrong = ~_same(core, reference)
    if not wrong.any():
        return
    row, *term = (int(index) for index in np.argwhere(wrong)[0])
    at = (row, *term)
    place = f"row {table.place.first + row}" + (f", term {term[0]}" if term else "")
    raise ParityError(
        f"{table.place.head}{place}: the compiled core gives {float(core[at]).hex()} and the reference "
        f"{float(reference[at]).hex()}; please report it, with the model and the row. Without CURVEC_VERIFY=1 nothing "
        "is compared"
    )


def _same(core: FloatArray, reference: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether the bits are the same; any NaN is one."""
    same: npt.NDArray[np.bool_] = (core == reference) & (np.signbit(core) == np.signbit(reference))
    same |= np.isnan(core) & np.isnan(reference)
    return same
