"""Curve model 'long': 3 terms over 4 features, link identity."""

from __future__ import annotations

from typing import Any

from curvec import CurveModel, EnumCurve, Feature, PWLCurve, StepCurve

MODEL = CurveModel(
    name="long",
    note="two\nlines",
    terms=[
        StepCurve(
            "binned",
            [
                0,
                0.125,
                0.25,
                0.375,
                0.5,
                0.625,
                0.75,
                0.875,
                1,
                1.125,
                1.25,
                1.375,
                1.5,
                1.625,
                1.75,
                1.875,
                2,
                2.125,
                2.25,
                2.375,
                2.5,
                2.625,
                2.75,
                2.875,
                3,
                3.125,
                3.25,
                3.375,
                3.5,
                3.625,
            ],
            [
                0,
                -0.25,
                0.5,
                -0.75,
                1,
                -1.25,
                1.5,
                -1.75,
                2,
                -2.25,
                2.5,
                -2.75,
                3,
                -3.25,
                3.5,
                -3.75,
                4,
                -4.25,
                4.5,
                -4.75,
                5,
                -5.25,
                5.5,
                -5.75,
                6,
                -6.25,
                6.5,
                -6.75,
                7,
                -7.25,
                7.5,
            ],
            missing=0,
            note="bins",
        ),
        EnumCurve(
            "region",
            {
                "region number 0": 0,
                "region number 1": 0.1,
                "region number 2": 0.2,
                "region number 3": 0.3,
                "region number 4": 0.4,
                "region number 5": 0.5,
                "region number 6": 0.6,
                "region number 7": 0.7,
                "region number 8": 0.8,
                "region number 9": 0.9,
                "region number 10": 1,
                "region number 11": 1.1,
            },
            default=0,
        ),
        PWLCurve(
            "income",
            [
                (0, 0),
                (1, 0.3333333333333333),
                (2, 1.3333333333333333),
                (3, 3),
                (4, 5.333333333333333),
                (5, 8.333333333333334),
                (6, 12),
                (7, 16.333333333333332),
                (8, 21.333333333333332),
                (9, 27),
                (10, 33.333333333333336),
                (11, 40.333333333333336),
            ],
            note="a remark that goes on for longer than a line of the file may be, which no formatter can help, and that is fine",
        ),
    ],
    intercept=0,
    link="identity",
    features=[Feature("binned"), Feature("region", "str"), Feature("income"), Feature("unused", "bool")],
)


def score(*, binned: float | None, region: str | None, income: float | None, unused: bool | None) -> float:
    """The raw score of one row, before the link; None is a missing value."""
    row = {"binned": [binned], "region": [region], "income": [income], "unused": [unused]}
    return float(MODEL.eval(row)[0])


def predict(*, binned: float | None, region: str | None, income: float | None, unused: bool | None) -> float:
    """The prediction for one row: the inverse link of the raw score."""
    row = {"binned": [binned], "region": [region], "income": [income], "unused": [unused]}
    return float(MODEL.predict(row)[0])


def score_table(data: Any) -> Any:
    """The raw score of every row of a data frame or a mapping of columns."""
    return MODEL.eval(data)
