"""The options of distill: by feature, refused by name, and few."""

from __future__ import annotations

import inspect

import numpy as np
import pyarrow as pa
import pytest
from sklearn.linear_model import LinearRegression
from toy_teacher import DATA, ROWS, TEACHER

import curvec
from curvec import CurveModel, InputError, PWLCurve


def curve_of(model: CurveModel, feature: str) -> PWLCurve:
    return next(term for term in model.terms if isinstance(term, PWLCurve) and term.input == feature)


def test_mono_of_a_category_is_refused() -> None:
    with pytest.raises(InputError, match=r"mono\['c'\] cannot hold"):
        curvec.distill(TEACHER, DATA, mono={"c": True})


def test_options_by_feature() -> None:
    model = curvec.distill(
        TEACHER,
        DATA,
        num_segments={"x": 1},
        overrides={"fx": "log1p", "x": {"fx": "log"}, "z": {"knots": [0.0], "fx": None}},
    ).model
    assert curve_of(model, "x").fx == "log"
    assert len(curve_of(model, "x").points) == 2
    assert 0.0 in [x for x, _ in curve_of(model, "z").points]


def test_a_distillation_is_no_model_but_has_one() -> None:
    found = curvec.distill(TEACHER, DATA)
    with pytest.raises(InputError, match=r"a Distillation is no CurveModel; pass its \.model"):
        curvec.emit(found, "python")
    with pytest.raises(InputError, match=r"a Distillation is no CurveModel; pass its \.model"):
        curvec.parity.check(found, targets=["python"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mono": {"age": True}}, "names feature 'age'; the teacher uses 'x', 'z', 'c', 'r'"),
        ({"overrides": {"x": {"segments": 3}}}, "has 'segments'; fit_pwl takes"),
        ({"digits": 0}, "digits=0"),
        ({"margin": 1.0}, "margin=1.0; it is a share of the score's variance"),
        ({"overrides": {"knots_on": "whole numbers"}}, "knots_on='whole numbers'; use one of"),
        ({"overrides": {"x": {"knots_on": "whole numbers"}}}, "knots_on='whole numbers'; use one of"),
        ({"overrides": {"num_segments": "auto"}}, "num_segments='auto'; it must be a whole number >= 1"),
        ({"overrides": {"segments": 3}}, "overrides has 'segments': 3; give an option of fit_pwl for every curve"),
        ({"max_numbers": 0}, "max_numbers=0; it is how many numbers"),
        ({"max_numbers": "few"}, "max_numbers='few'"),
        ({"max_numbers": "auto"}, "max_numbers='auto' is chosen by labels"),
        ({"unseen": "guess"}, "unseen='guess'; use one of 'null', 'teacher'"),
        ({"num_segments": "auto"}, "num_segments='auto'; it must be a whole number"),
        ({"categorical": ["x"]}, "'x' is to be a category, and its values"),
        ({"order": "size"}, "order='size'; use one of 'importance', 'teacher'"),
        ({"digits": "4"}, "digits='4'; use 1 to 17"),
        ({"digits": 2.5}, r"digits=2\.5"),
        ({"margin": "0.1"}, r"margin='0\.1'; it is a share"),
        ({"max_numbers": 9.0}, r"max_numbers=9\.0; it is how many numbers"),
        ({"w": ["a"] * ROWS}, r"w.0.: .* is not a number"),
        ({"y": ["no", "yes"] * (ROWS // 2), "metric": "rmse"}, "y.0.: .* is not a number; encode two classes"),
        ({"y": np.ones(ROWS)}, "needs both y and metric"),
        ({"w": np.ones(3)}, r"w has shape \(3,\)"),
        ({"w": -np.ones(ROWS)}, r"w\[0\] is -1.0"),
        ({"w": np.zeros(ROWS)}, "every weight is 0"),
    ],
)
def test_bad_options_are_refused_by_name(options, message) -> None:
    with pytest.raises(InputError, match=message):
        curvec.distill(TEACHER, DATA, **options)


def test_no_rows_and_missing_columns_are_refused() -> None:
    with pytest.raises(InputError, match="X has no rows"):
        curvec.distill(TEACHER, {name: column[:0] for name, column in DATA.items()})
    with pytest.raises(InputError, match="column 'r' is missing"):
        curvec.distill(TEACHER, {name: DATA[name] for name in "xzc"})


def test_it_has_no_more_keywords_than_a_person_looks_through() -> None:
    keywords = [one for one in inspect.signature(curvec.distill).parameters.values() if one.kind is one.KEYWORD_ONLY]
    assert len(keywords) <= 16


def test_infinities_are_refused_with_the_row() -> None:
    rows = {**DATA, "x": np.where(np.arange(ROWS) == 5, np.inf, DATA["x"])}
    for given in (rows, pa.table(rows).to_reader()):
        with pytest.raises(InputError, match=r"^column 'x', row 5: the value is inf; .* make it missing"):
            curvec.distill(TEACHER, given)
    curvec.distill(TEACHER, {**rows, "x": np.where(np.isinf(rows["x"]), np.nan, rows["x"])})  # the way out
    curvec.distill(TEACHER, rows, np.where(np.isinf(rows["x"]), 0.0, 1.0))


def test_arrays_are_read_in_the_order_of_a_teacher_without_names() -> None:
    """All columns being used, the model's features follow from its terms, which have another order."""
    X = np.random.default_rng(0).normal(size=(60, 3)) * [1.0, 9.0, 3.0]
    teacher = LinearRegression().fit(X, X @ [1.0, 2.0, 3.0])
    named = dict(zip(["a", "b", "c"], X.T, strict=True))
    records = np.rec.fromarrays(list(named.values()), names=list(named))
    for given in (X, named, records):
        found = curvec.distill(teacher, given, feature_names=[*named], y=X[:, 0], metric="rmse")
        assert {term.input: term.coefficient for term in found.model.terms} == {"a": 1, "b": 2, "c": 3}
    with pytest.raises(InputError, match="X has 2 columns and the teacher has 3 features"):
        curvec.distill(teacher, X[:, :2])
