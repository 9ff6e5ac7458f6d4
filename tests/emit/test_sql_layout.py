"""The emitted SQL in the eyes of sqlfluff: its default rules, less those that the page on SQL leaves out and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlfluff.core import FluffConfig, Linter

import curvec
from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.emit import sql_layers
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_options import Form

PAGE = Path(__file__).parent.parent.parent / "docs" / "howto" / "sql.md"

UNREAD = {
    "oracle": "its literals of doubles, 1e-1d",
    "datafusion": "there is no such dialect",
    "polars": "there is no such dialect",
    "h2": "there is no such dialect",
}
"""What sqlfluff cannot read."""

BY_DAY = {"sqlite", "postgres", "bigquery", "tsql"}
"""Four that are far from each other; most others are one of them with a few facts changed, few of the layout."""

_CHARGE = EnumCurve("charge", {"F": 0.0198, "M": -0.0384, "O'Brien": 0.5}, default=0.25)
_AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=1.5, note="approved")
MODEL = CurveModel(
    "recidivism",
    [
        _AGE,
        StepCurve("priors", [k / 8 for k in range(20)], [k % 7 / 10 for k in range(21)]),
        _CHARGE,
        EnumCurve("kind", {1: 0.5, 2: -0.5}, default=0.1, missing=0.2),
        EnumCurve("felony", {True: 0.3, False: -0.3}),
        PWLCurve("balance", [(-1000, 1), (0, 0), (1000, -2)], "symlog1p"),
        Product([Sum([Line("age"), _CHARGE]), Line("balance")]),
        PWLCurve(Sum([Line("age"), Line("balance")]), [(0, 0.1), (1, 0.3)]),
        EnumCurve("month", {k: k / 16 for k in range(4)}, default=0.0, missing=-1.0),
    ],
    intercept=-1.25,
    link="logit",
)
"""Every node, a search by halves, and levels that are joined."""


def found(dialect: str, text: str) -> list[str]:
    """What sqlfluff has to say."""
    (settings,) = re.findall(r"```ini title=\"\.sqlfluff\"\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    called = {"spark": "sparksql"}.get(dialect, dialect)
    config = FluffConfig.from_string(settings, overrides={"dialect": called})
    return [f"{error.line_no}: {error.desc()}" for error in Linter(config).lint_string(text).get_violations()]


@pytest.mark.parametrize(
    "dialect",
    [
        pytest.param(dialect, marks=[pytest.mark.nightly] * (dialect not in BY_DAY))
        for dialect in DIALECTS
        if dialect not in UNREAD
    ],
)
def test_a_query_passes_the_default_rules(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_layers, "JOIN_FROM", 4)
    terms = [term for term in MODEL.terms if dialect != "sqlite" or not _text(term)]  # it reads no COLLATE there
    model = CurveModel("recidivism", terms, MODEL.intercept, MODEL.link)
    text = curvec.emit(model, "sql", dialect, form="select", table="cases", key=["id"], per_term=True, link=True)
    assert not found(dialect, text)


def _text(term: object) -> bool:
    return "'charge'" in repr(term) or '"charge"' in repr(term)


@pytest.mark.parametrize("form", ["view", "check", "dbt"])
def test_other_forms_pass_them_too(form: Form) -> None:
    text = curvec.emit(CurveModel("risk", [_AGE, _CHARGE]), "sql", "postgres", form=form, table="cases")
    assert not found("postgres", text.replace("{{ ref('cases') }}", "cases"))
