"""A model by its terms' names, and rows in the forms that people have them in."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from curvec import CurveModel, EnumCurve, Feature, InputError, PWLCurve

AGE = PWLCurve("age", [(18, 3.0), (46, -1.0)], missing=0.5)
DEGREE = EnumCurve("degree", {0: 0.25, 1: -0.5}, default=0.0)
FEATURES = [Feature("unused"), Feature("degree", "int"), Feature("age")]
LISTED = CurveModel("m", [AGE, DEGREE], 0.125, features=FEATURES)
FOLLOWING = CurveModel("m", [AGE, DEGREE], 0.125)
FRAME = pd.DataFrame({"unused": [9.0, 9, 9], "degree": [0.0, 1, 5], "age": [18.0, np.nan, 32]})
SCORES = [3.375, 0.125, 1.125]


def forms() -> dict[str, Any]:
    records = FRAME.to_dict("records")
    return {
        "array": FRAME.to_numpy(),
        "array in Fortran's order": np.asfortranarray(FRAME.to_numpy()),
        "array of objects": FRAME.to_numpy(dtype=object),
        "dicts": records,
        "tuple of dicts": tuple(records),
        "dicts with None": [{**row, "age": None} if row["age"] != row["age"] else row for row in records],
        "structured": FRAME.to_records(index=False).view(np.ndarray),
        "record array": FRAME.to_records(),
    }


@pytest.mark.parametrize("form", forms())
def test_rows_in_every_form_score_alike(form: str) -> None:
    data = forms()[form]
    assert LISTED.eval(data).tolist() == SCORES
    assert LISTED.predict(data).tolist() == SCORES
    assert LISTED.compile().eval(data, threads=2).tolist() == SCORES
    assert LISTED.contributions(data).tolist() == LISTED.contributions(FRAME).tolist()
    if "array" not in form or form == "record array":
        assert FOLLOWING.eval(data).tolist() == SCORES
        assert (AGE + DEGREE)(data).tolist() == [3.25, 0.0, 1.0]
        assert AGE(data).tolist() == AGE(FRAME["age"]).tolist()


def test_an_array_of_one_feature_needs_no_order() -> None:
    assert CurveModel("m", [AGE]).eval(FRAME[["age"]].to_numpy()).tolist() == AGE(FRAME["age"]).tolist()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (FRAME.to_numpy()[:, :2], "an array of 2 columns, and the model's features are 3: 'unused', 'degree', 'age'"),
        (FRAME.to_numpy()[0], "have shape (3,); pass a frame or (rows, columns), or for one row model.score_row("),
        ([{"age": 1}, {"degree": 1}], "row 0 has no 'degree'; give None where its value is missing"),
        ([[9.0, 0.0, 18.0]], "data is a list; pass a mapping of arrays"),
        ("age", "age: no such file or folder"),
        (None, "data is a NoneType; pass a mapping of arrays"),
        (FRAME["age"], "a Series is one column without the features' names"),
        (pl.Series("age", [1.0]), "pass a frame: series.to_frame(), or {name: column}; for one row model.score_row("),
        ({"age": ["18", "x"], "degree": [1, 2]}, "column 'age', row 1: 'x' is not a number; where a value is miss"),
        ({"age": ["18"], "degree": [1]}, "'18' is not a number but text that reads as one; make numbers of the col"),
    ],
)
def test_what_is_no_table_is_refused_with_the_way_out(data: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        LISTED.eval(data)


def test_an_array_without_an_order_is_refused_and_the_way_out_works() -> None:
    X = FRAME[["age", "degree"]].to_numpy()
    with pytest.raises(InputError, match="nothing says their order") as refused:
        FOLLOWING.eval(X)
    way_out = re.search(r"dict\(zip\(names, X\.T\)\)", str(refused.value))
    assert way_out is not None
    assert str(refused.value).endswith(
        "names being those of all columns of X in their order: the model reads ['age', 'degree']"
    )
    named = {"X": X, "names": ["age", "degree"]}
    assert FOLLOWING.eval(eval(way_out[0], named)).tolist() == SCORES  # noqa: S307  our own message


def test_terms_by_name() -> None:
    model = CurveModel("m", [AGE, AGE * DEGREE, 2 * AGE, DEGREE])
    assert list(model) == model.term_names == ["age", "age * degree", "age (2)", "degree"]
    assert [model[name] for name in model] == list(model.terms)
    assert "age" in model
    assert "sex" not in model
    assert list(dict(model).items()) == list(zip(model.term_names, model.terms, strict=True))
    assert model.term("age") == model["age"] == AGE
    with pytest.raises(InputError, match=r"model 'm' has no term 'sex'; it has 'age', 'age \* degree', 'age \(2\)'"):
        model["sex"]
    with pytest.raises(InputError, match="has no term 0"):
        model[0]  # type: ignore[index]
    assert CurveModel("constant", [])  # no terms, and a model nevertheless
