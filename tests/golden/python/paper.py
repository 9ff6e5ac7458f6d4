"""Curve model 'compas': 4 terms over 4 features, link logit."""

from __future__ import annotations

from typing import Any

from curvec import CurveModel, EnumCurve, Feature, PWLCurve

MODEL = CurveModel(
    name="compas",
    terms=[
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log"),
        PWLCurve("priors_count", [(0, -0.8415), (1, -0.4452), (38, 2.146)], fx="log1p"),
        PWLCurve("length_of_stay", [(0, -0.1855), (3, -0.04099), (4, 0.2443)], fx="log1p"),
        EnumCurve("c_charge_degree", {1: 0.0198, 2: -0.0384}),
    ],
    intercept=0,
    link="logit",
    features=[Feature("age"), Feature("priors_count"), Feature("length_of_stay"), Feature("c_charge_degree", "int")],
)


def score(
    *, age: float | None, priors_count: float | None, length_of_stay: float | None, c_charge_degree: int | None
) -> float:
    """The raw score of one row, before the link; None is a missing value."""
    row = {
        "age": [age],
        "priors_count": [priors_count],
        "length_of_stay": [length_of_stay],
        "c_charge_degree": [c_charge_degree],
    }
    return float(MODEL.eval(row)[0])


def predict(
    *, age: float | None, priors_count: float | None, length_of_stay: float | None, c_charge_degree: int | None
) -> float:
    """The prediction for one row: the inverse link of the raw score."""
    row = {
        "age": [age],
        "priors_count": [priors_count],
        "length_of_stay": [length_of_stay],
        "c_charge_degree": [c_charge_degree],
    }
    return float(MODEL.predict(row)[0])


def score_table(data: Any) -> Any:
    """The raw score of every row of a data frame or a mapping of columns."""
    return MODEL.eval(data)
