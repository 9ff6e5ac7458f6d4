"""Curve model 'names': 13 terms over 13 features, link identity."""

from __future__ import annotations

from typing import Any

from curvec import Column, CurveModel, Feature

MODEL = CurveModel(
    name="names",
    terms=[
        Column(""),
        Column("class"),
        Column("a b"),
        Column("a-b"),
        Column("a_b"),
        Column("row"),
        Column("MODEL"),
        Column("1st"),
        Column("größe"),
        Column("日本"),
        Column("new\nline"),
        Column("float"),
        Column("x"),
    ],
    intercept=0,
    link="identity",
    features=[
        Feature(""),
        Feature("class"),
        Feature("a b"),
        Feature("a-b"),
        Feature("a_b"),
        Feature("row"),
        Feature("MODEL"),
        Feature("1st"),
        Feature("größe"),
        Feature("日本"),
        Feature("new\nline"),
        Feature("float"),
        Feature("x"),
    ],
)

# parameter x_2: feature ""
# parameter class_: feature "class"
# parameter a_b_2: feature "a b"
# parameter a_b_3: feature "a-b"
# parameter row_: feature "row"
# parameter MODEL_: feature "MODEL"
# parameter x1st: feature "1st"
# parameter groe: feature "größe"
# parameter x_3: feature "日本"
# parameter new_line: feature "new\nline"
# parameter float_: feature "float"


def score(
    *,
    x_2: float | None,
    class_: float | None,
    a_b_2: float | None,
    a_b_3: float | None,
    a_b: float | None,
    row_: float | None,
    MODEL_: float | None,
    x1st: float | None,
    groe: float | None,
    x_3: float | None,
    new_line: float | None,
    float_: float | None,
    x: float | None,
) -> float:
    """The raw score of one row, before the link; None is a missing value."""
    row = {
        "": [x_2],
        "class": [class_],
        "a b": [a_b_2],
        "a-b": [a_b_3],
        "a_b": [a_b],
        "row": [row_],
        "MODEL": [MODEL_],
        "1st": [x1st],
        "größe": [groe],
        "日本": [x_3],
        "new\nline": [new_line],
        "float": [float_],
        "x": [x],
    }
    return float(MODEL.eval(row)[0])


def predict(
    *,
    x_2: float | None,
    class_: float | None,
    a_b_2: float | None,
    a_b_3: float | None,
    a_b: float | None,
    row_: float | None,
    MODEL_: float | None,
    x1st: float | None,
    groe: float | None,
    x_3: float | None,
    new_line: float | None,
    float_: float | None,
    x: float | None,
) -> float:
    """The prediction for one row: the inverse link of the raw score."""
    row = {
        "": [x_2],
        "class": [class_],
        "a b": [a_b_2],
        "a-b": [a_b_3],
        "a_b": [a_b],
        "row": [row_],
        "MODEL": [MODEL_],
        "1st": [x1st],
        "größe": [groe],
        "日本": [x_3],
        "new\nline": [new_line],
        "float": [float_],
        "x": [x],
    }
    return float(MODEL.predict(row)[0])


def score_table(data: Any) -> Any:
    """The raw score of every row of a data frame or a mapping of columns."""
    return MODEL.eval(data)
