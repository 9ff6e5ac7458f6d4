"""A column of bools is a category of the model, whatever the teacher made of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import curvec
from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.parity import check
from curvec.teachers import read_and_check


@pytest.fixture(scope="module")
def rows(cancer) -> pd.DataFrame:
    texture = cancer[0]["mean texture"]
    return pd.DataFrame({"rough": texture > texture.mean(), "symmetry": cancer[0]["worst symmetry"]})


TEACHERS = [
    LogisticRegression(),
    GradientBoostingClassifier(max_depth=1, n_estimators=20),
    HistGradientBoostingClassifier(interaction_cst="no_interactions", max_iter=20),
]


@pytest.mark.parametrize("teacher", TEACHERS, ids=lambda teacher: type(teacher).__name__)
def test_the_column_of_x_says_so(rows, cancer, teacher):
    reading = read_and_check(teacher.fit(rows, cancer[1]), rows)
    assert reading.check is not None
    assert [feature.type for feature in reading.model.features] == ["bool", "number"]
    term = next(term for term in reading.model.terms if isinstance(term, EnumCurve))
    assert list(term.mapping) == [False, True]
    # The same rows as numbers are the same model, as numbers.
    numbers = read_and_check(teacher, rows.astype({"rough": int}))
    assert [feature.type for feature in numbers.model.features] == ["number", "number"]
    np.testing.assert_allclose(numbers.model.eval(rows), reading.model.eval(rows), rtol=1e-13)


def test_every_kind_of_table_and_every_place_of_a_term():
    inner = Sum([Line("flag"), PWLCurve("x", [(0, 0), (1, 1)])])
    teacher = CurveModel(
        "m",
        [
            PWLCurve(inner, [(0, 0), (2, 4)]),
            Product([StepCurve("flag", [0.5], [1.0, 3.0], missing=2.0), PWLCurve("x", [(0, 1), (1, 2)])]),
            EnumCurve("flag", {0: 1.0, 1: 5.0}),
        ],
    )  # fmt: skip
    plain = {"flag": np.array([True, False, True]), "x": np.array([0.0, 0.5, 1.0])}
    with_gap = pd.DataFrame({"flag": pd.Series([True, None, False], dtype="object"), "x": [0.0, 0.5, 1.0]})
    for table in (plain, pd.DataFrame(plain), pl.DataFrame(plain), with_gap, with_gap.astype({"flag": "boolean"})):
        model = read_and_check(CurveModel("m", teacher.terms[1:2]), table).model
        assert model.features[0].type == "bool"
        (product,) = model.terms
        assert isinstance(product, Product)
        assert product.factors[0] == EnumCurve("flag", {False: 1.0, True: 3.0}, missing=2.0)
    model = read_and_check(CurveModel("m", teacher.terms[:1]), plain).model
    assert model.terms[0].input.terms[0] == EnumCurve("flag", {False: 0.0, True: 1.0})
    assert read_and_check(CurveModel("m", teacher.terms[2:]), plain).model.terms[0].mapping.keys() == {False, True}


def test_a_boolean_column_of_a_database_is_scored(rows, cancer):
    model = curvec.distill(TEACHERS[0].fit(rows, cancer[1]), rows).model
    assert isinstance(next(term for term in model.terms if "rough" in str(term)), EnumCurve)
    assert 'EnumCurve("rough", {False: ' in curvec.emit(model, "python")
    report = check(model, rows, ["python", "duckdb"])
    assert report.ok
