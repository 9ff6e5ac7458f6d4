"""The functions of an emitted module: the model's numbers, by the model's own names; and no more around the listing."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from golden_python import paper
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from noted import noted_models
from strategies import rows

from curvec import CurveModel, Feature, InputError, Line, Product, PWLCurve, Sum, emit
from curvec.read import from_python

HARD = ["", "class", "a b", "row", "self", "MODEL", "1st", "größe", "new\nline", "score", "**"]


def imported(model: CurveModel, standalone: bool) -> Any:
    module = ModuleType("emitted")
    code = compile(emit(model, "python", standalone=standalone), "emitted.py", "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102  the text that curvec itself wrote
    return module


@given(noted_models(), st.data(), st.booleans())
@examples(8)
def test_a_row_scores_as_the_table_of_that_row(model: CurveModel, data: st.DataObject, standalone: bool) -> None:
    table = data.draw(rows(model, count=3))
    module = imported(model, standalone)
    wanted = model.eval(table), model.predict(table), model.contributions(table)
    for index, (score, prediction, terms) in enumerate(zip(*wanted, strict=True)):
        values = {name: column[index] for name, column in table.items()}
        row = {name: None if value is np.ma.masked else value for name, value in values.items()}
        found = module.contributions(**row)
        assert list(found) == model.term_names
        numbers = [module.score(**row), module.predict(**row), *found.values()]
        assert np.array_equal(numbers, [score, prediction, *terms], equal_nan=True)


@pytest.mark.parametrize("standalone", [False, True])
def test_features_are_called_by_their_own_names(standalone: bool) -> None:
    module = imported(CurveModel("m", [Line(name) for name in HARD], 0.5), standalone)
    values = {name: 2.0**k for k, name in enumerate(HARD)}
    assert module.contributions(**values) == values
    assert module.score(**values) == module.predict(**values) == 0.5 + sum(values.values())
    with pytest.raises(ValueError, match=r"feature 'row' is missing from the row; pass None"):
        module.score(**{name: value for name, value in values.items() if name != "row"})
    assert math.isnan(module.score(**{**values, "row": None}))


@pytest.mark.parametrize("standalone", [False, True])
def test_terms_are_called_by_their_features_and_arithmetic(standalone: bool) -> None:
    a, b, c = Line("a"), Line("b"), Line("c")
    curve = PWLCurve(Sum([a, b]), [(0, 0), (9, 9)])
    terms = [a, Product([Sum([a, b]), c]), curve, a, Sum([a, a]), Product([curve, curve]), Line("a (2)")]
    names = ["a", "(a + b) * c", "a + b", "a (2)", "a (3)", "a + b (2)", "a (2) (2)"]
    model = CurveModel("m", terms)
    assert model.term_names == names
    found = imported(model, standalone).contributions(a=1, b=2, c=4, **{"a (2)": 8})
    assert found == dict(zip(names, [1, 12, 3, 1, 2, 9, 8], strict=True))


@pytest.mark.parametrize("standalone", [False, True])
def test_a_constant_scores_a_row_of_nothing(standalone: bool) -> None:
    module = imported(CurveModel("m", [], 0.25, "logit"), standalone)
    assert module.score() == 0.25
    assert module.predict() == 1 / (1 + math.exp(-0.25))
    assert module.contributions() == {}


def test_a_value_of_the_wrong_type_is_refused_by_every_function() -> None:
    model = paper()
    row: dict[str, Any] = dict.fromkeys((feature.name for feature in model.features), 1)
    for value in ("x", [1.0], np.array([1.0]), {}):
        for function in (model.score_row, model.predict_row, model.contributions_row):
            with pytest.raises(InputError, match="'age'"):
                function({**row, "age": value})


def test_features_are_listed_where_they_say_more_than_the_terms() -> None:
    terms = [Line("a"), Line("b")]
    a, b = Feature("a"), Feature("b")
    assert "features=" not in emit(CurveModel("m", terms), "python")
    assert "features=" not in emit(CurveModel("m", terms, features=[a, b]), "python")
    for features in ([b, a], [a, b, Feature("c")], [a, Feature("b", "int")]):
        model = CurveModel("m", terms, features=features)
        for text in (emit(model, "python"), emit(model, "python", standalone=True), str(model)):
            assert "features=[Feature(" in text
            assert from_python(text) == model


def test_nothing_is_said_that_is_the_default() -> None:
    text = emit(CurveModel("m", [Line("a")]), "python")
    assert 'MODEL = CurveModel(\n    name="m",\n    terms=[\n        Line("a", 1),\n    ],\n)\n' in text
    assert "from curvec import CurveModel, Line\n" in text
