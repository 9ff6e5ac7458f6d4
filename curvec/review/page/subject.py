"""What a review page is about: the model, the models it is compared with, and the rows, read once for all sections."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy.typing as npt

from curvec.checks import check, string_list
from curvec.data import Table
from curvec.errors import InputError
from curvec.fields import changed
from curvec.ir import Feature, features_of
from curvec.model import CurveModel, check_model
from curvec.parity import ParityReport
from curvec.review.policy import Finding
from curvec.review.rows import EvaluationRows, check_threshold


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What a review page is about; the fields are the arguments of :func:`curvec.review.report.report`.

    ``given`` are the data with target, weights and query ids; what was not given is None.
    """

    model: CurveModel
    teacher: CurveModel | None
    base: CurveModel | None
    given: EvaluationRows | None
    held_out: EvaluationRows | None
    metric: Any
    groups: Sequence[str]
    threshold: float | None
    spread: CurveModel | None
    points: Sequence[float] | None
    examples: int
    ids: npt.ArrayLike | None
    parity: ParityReport | None
    findings: Sequence[Finding] | None
    origin: Mapping[str, str]

    @property
    def others(self) -> dict[str, CurveModel]:
        """The models that the model is compared with, by what the page calls them."""
        named = {"teacher": self.teacher, "base model": self.base}
        return {name: other for name, other in named.items() if other is not None}

    @property
    def rows(self) -> dict[str, EvaluationRows]:
        """The sets of rows by what the page calls them; rows that nothing was trained on are last."""
        named = {"data" if self.held_out is None else "training rows": self.given, "held-out rows": self.held_out}
        return {name: rows for name, rows in named.items() if rows is not None}

    @property
    def data(self) -> Any:
        """(rows, features) the data; None without any."""
        return None if self.given is None else self.given.X

    def read(self) -> Subject:
        """The subject with the columns that the page needs, each to be converted once for all sections.

        Raises:
            InputError: a model, a row's column or an option is not what it has to be.

        """
        for model in (self.model, *self.others.values(), *([] if self.spread is None else [self.spread])):
            check_model(model)
        for name, rows in (("data", self.given), ("held_out", self.held_out)):
            rule = "pass curvec.review.rows.EvaluationRows(X, y)"
            check(name, rows, rule, holds=rows is None or isinstance(rows, EvaluationRows))
        made = self.parity is None or isinstance(self.parity, ParityReport)
        check("parity", self.parity, "pass what curvec.parity.check returned", holds=made)
        found = self.findings is None or (
            isinstance(self.findings, (list, tuple)) and all(isinstance(one, Finding) for one in self.findings)
        )
        check("findings", self.findings, "pass the list that check_policy returned", holds=found)
        string_list(self.groups, "groups")
        check_threshold(self.threshold, self.model.link)
        lines = isinstance(self.origin, Mapping) and all(
            isinstance(part, str) for line in self.origin.items() for part in line
        )
        check("origin", self.origin, "pass {name: text}", holds=lines)
        labelled = [rows for rows in (self.held_out, self.given) if rows is not None and rows.y is not None]
        if self.groups and not labelled:
            raise InputError(
                "groups tell the quality on labelled rows apart; pass a target, or held_out rows with labels"
            )
        return changed(
            self,
            given=self._columns_of(self.given, (self.model, self.teacher, self.base), labelled),
            held_out=self._columns_of(self.held_out, (self.model, self.teacher), labelled),
        )

    def _columns_of(
        self, rows: EvaluationRows | None, models: Sequence[CurveModel | None], labelled: Sequence[EvaluationRows]
    ) -> EvaluationRows | None:
        """Rows with the columns that models read, and the groups' where the quality is judged on them."""
        if rows is None:
            return None
        terms = [term for model in models if model is not None for term in model.terms]
        groups = self.groups if any(rows is one for one in labelled[:1]) else ()
        features = [*itertools.chain.from_iterable(map(features_of, terms)), *map(Feature, groups)]
        return changed(rows, X=Table(rows.X, list(dict.fromkeys(features))))
