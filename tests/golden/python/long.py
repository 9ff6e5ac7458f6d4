"""Curve model 'long': 3 terms over 4 features.

The score is the intercept plus every term.
PWLCurve: straight between its points (x, value), in fx(x) with fx=; constant outside.
StepCurve: its first value below the first cut, the next one from each cut on.
EnumCurve: a value for each category, and default= for any other.
missing=: the value of a missing input. Where a term has no value, the score is NaN.
"""

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
    features=[
        Feature("binned"),
        Feature("region", "str"),
        Feature("income"),
        Feature("unused", "bool"),
    ],
)


def score(**row: object) -> float:
    """The raw score of one row, before the link; None is a missing value."""
    return MODEL.score_row(row)


def predict(**row: object) -> float:
    """The prediction for one row: the inverse link of the raw score."""
    return MODEL.predict_row(row)


def contributions(**row: object) -> dict[str, float]:
    """What each term adds to the raw score of one row, by the term's name."""
    return MODEL.contributions_row(row)
