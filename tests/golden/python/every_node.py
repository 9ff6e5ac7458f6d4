"""Curve model 'every node': 10 terms over 6 features, link logit."""

from __future__ import annotations

from typing import Any

from curvec import Column, CurveModel, EnumCurve, Feature, Product, PWLCurve, StepCurve, Sum

MODEL = CurveModel(
    name="every node",
    terms=[
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log", missing=0.25),
        PWLCurve("a b", [(0, -1.5), (1000.5, 0.1), (20000, 0.7), (1000000, 0.70001)], fx="log1p"),
        PWLCurve(
            "balance - 100%", [(-5000, 1), (-1, 0.3), (0, 0), (7, -0.2), (90000, -2)], fx="symlog1p", missing=0.125
        ),
        StepCurve("age", [18, 30.5, 65], [0.1, -0.2, 0.3333333333333333, 0.7], missing=-1),
        EnumCurve(
            "select", {"F": 0.0198, "f": 0.5, "O'Brien": -0.0384, "back\\slash": 2.5}, default=0.75, missing=-0.5
        ),
        EnumCurve("naïve", {0: -1.25, 1: 0.1, 12: 7}, missing=0.0625),
        EnumCurve("1x", {True: 1.5, False: -1.5}),
        PWLCurve(
            Sum(
                [
                    PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log", missing=0.25),
                    Column("a b"),
                    EnumCurve("naïve", {0: -1.25, 1: 0.1, 12: 7}, missing=0.0625),
                ]
            ),
            [(-10, 0), (0.5, 1), (1.5, -1), (2000, 2)],
            missing=9,
        ),
        StepCurve(
            Sum(
                [
                    Column("age"),
                    Product(
                        [
                            EnumCurve(
                                "select",
                                {"F": 0.0198, "f": 0.5, "O'Brien": -0.0384, "back\\slash": 2.5},
                                default=0.75,
                                missing=-0.5,
                            ),
                            Column("naïve"),
                        ]
                    ),
                ]
            ),
            [0, 50],
            [1, 2, 3],
        ),
        Product(
            [
                Sum(
                    [
                        EnumCurve(
                            "select",
                            {"F": 0.0198, "f": 0.5, "O'Brien": -0.0384, "back\\slash": 2.5},
                            default=0.75,
                            missing=-0.5,
                        ),
                        EnumCurve("1x", {True: 1.5, False: -1.5}),
                    ]
                ),
                PWLCurve("a b", [(0, -1.5), (1000.5, 0.1), (20000, 0.7), (1000000, 0.70001)], fx="log1p"),
                Column("age"),
            ]
        ),
    ],
    intercept=-0.3,
    link="logit",
    features=[
        Feature("age"),
        Feature("a b"),
        Feature("balance - 100%"),
        Feature("select", "str"),
        Feature("naïve", "int"),
        Feature("1x", "bool"),
    ],
)

# parameter a_b: feature "a b"
# parameter balance_100: feature "balance - 100%"
# parameter naive: feature "naïve"
# parameter x1x: feature "1x"


def score(
    *,
    age: float | None,
    a_b: float | None,
    balance_100: float | None,
    select: str | None,
    naive: int | None,
    x1x: bool | None,
) -> float:
    """The raw score of one row, before the link; None is a missing value."""
    row = {
        "age": [age],
        "a b": [a_b],
        "balance - 100%": [balance_100],
        "select": [select],
        "naïve": [naive],
        "1x": [x1x],
    }
    return float(MODEL.eval(row)[0])


def predict(
    *,
    age: float | None,
    a_b: float | None,
    balance_100: float | None,
    select: str | None,
    naive: int | None,
    x1x: bool | None,
) -> float:
    """The prediction for one row: the inverse link of the raw score."""
    row = {
        "age": [age],
        "a b": [a_b],
        "balance - 100%": [balance_100],
        "select": [select],
        "naïve": [naive],
        "1x": [x1x],
    }
    return float(MODEL.predict(row)[0])


def score_table(data: Any) -> Any:
    """The raw score of every row of a data frame or a mapping of columns."""
    return MODEL.eval(data)
