"""A model without terms: what a constant teacher distils to. It is read, scored and reviewed like any other."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nightly import by_diagonal

import curvec
from curvec import CurveModel, EnumCurve, Feature, InputError, PWLCurve, StepCurve, parity
from curvec.emit.dialects import DIALECTS
from curvec.model import from_json
from curvec.parity import RUNNERS
from curvec.review.diff import diff
from curvec.review.report import report
from curvec.review.values import value_table

DATA: dict[str, Any] = {"x": [1.0, 2.0, math.nan], "k": np.array(["a", "b", None], dtype=object)}
MODELS = {
    "unused features": CurveModel("c", [], 0.25, "logit", [Feature("x"), Feature("k", "str")]),
    "no features": CurveModel("c", [], -1.5, "log"),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_it_scores_and_is_written_and_read(model: CurveModel, tmp_path: Path) -> None:
    assert model.eval(DATA).tolist() == [model.intercept] * 3
    inverse = 1 / (1 + math.exp(-0.25)) if model.link == "logit" else math.exp(-1.5)
    assert model.predict(DATA) == pytest.approx([inverse] * 3, rel=1e-15)
    assert model.contributions(DATA).shape == (3, 0)
    assert model.compile().score_row({}) == model.intercept
    assert from_json(model.to_json()) == model
    path = tmp_path / "model.py"
    path.write_text(curvec.emit(model, "python"), encoding="utf-8")
    assert curvec.load(path) == model


@by_diagonal(["model", "target"], list(MODELS), [name for name, runner in RUNNERS.items() if runner.needs() is None])
def test_every_target_gives_the_constant(model: str, target: str) -> None:
    result = parity.check(MODELS[model], DATA, [target])
    assert result.ok, str(result)
    assert result.results[0].rows >= 3


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("form", ["expression", "select", "view", "dbt"])
def test_every_dialect_and_form_says_it(dialect: str, form: str) -> None:
    table = {} if form == "expression" else {"table": "rows"}
    try:
        text = curvec.emit(MODELS["no features"], "sql", dialect=dialect, form=form, **table)
    except curvec.UnsupportedError:
        return
    assert "1.5" in text


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_it_is_reviewed(model: CurveModel) -> None:
    base = CurveModel("b", [PWLCurve("x", [(0, 0), (1, 1)]), EnumCurve("k", {"a": 1.0}, default=0.0, missing=0.0)])
    page = report(model, DATA, base=base, teacher=base).html
    assert page.count("<figure ") == 2  # what the base model has
    assert [line.value for line in value_table(model)] == [model.intercept]
    assert "- PWLCurve" in str(diff(base, model))
    assert diff(model, model).identical
    assert "0 terms" in model._repr_html_()
    assert model.round(1).terms == ()
    with pytest.raises(InputError, match=r"is a constant, .*no curve to draw"):
        curvec.plot(model)


def test_a_constant_teacher_distils_to_its_intercept() -> None:
    teacher = CurveModel(
        "t", [StepCurve("x", [1.5], [0.5, 0.5], 0.5), EnumCurve("k", {"a": 0.1, "b": 0.1}, 0.1, 0.1)], 1
    )
    found = curvec.distill(teacher, DATA)
    assert found.model.terms == ()
    assert found.model.intercept == pytest.approx(1.6)
    assert found.report.rmse == pytest.approx(0, abs=1e-12)
    assert [(curve.label, curve.kind, curve.unexplained) for curve in found.report.curves] == [
        ("x", "constant", 0.0),
        ("k", "constant", 0.0),
    ]
    assert "0 terms, 1 number to read, 3 rows" in str(found)
    assert found.evaluate(DATA, [1.0, 2.0, 3.0], "rmse").teacher == found.evaluate(DATA, [1.0, 2.0, 3.0]).distilled


@pytest.mark.parametrize("budget", [{}, {"max_numbers": 5}, {"num_segments": 2}], ids=str)
def test_a_model_without_terms_distils_to_itself(budget: dict[str, int]) -> None:
    found = curvec.distill(MODELS["no features"], DATA, **budget)
    assert (found.model.terms, found.model.intercept, found.report.rmse) == ((), -1.5, 0.0)


@pytest.mark.parametrize("rows", [8, 400])
def test_a_forest_that_never_split(rows: int) -> None:
    """Too few rows for a split, and labels that say nothing."""
    from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: PLC0415

    x = np.arange(rows, dtype=float)
    teacher = HistGradientBoostingRegressor(max_iter=5, interaction_cst="no_interactions")
    teacher.fit(x[:, None], np.full(rows, 7.0))
    found = curvec.distill(teacher, {"x0": x})
    assert found.model.terms == ()
    assert found.model.predict({name.name: x for name in found.teacher.features}) == pytest.approx(np.full(rows, 7.0))
