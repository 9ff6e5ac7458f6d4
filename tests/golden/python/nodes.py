"""Curve model 'nodes': 6 terms over 4 features.

The score is the intercept plus every term; the prediction is exp(score).
PWLCurve: straight between its points (x, value), in fx(x) with fx=; constant outside.
StepCurve: its first value below the first cut, the next one from each cut on.
EnumCurve: a value for each category, and default= for any other.
Line: its number times the feature.
missing=: the value of a missing input. Where a term has no value, the score is NaN.
"""

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum

MODEL = CurveModel(
    name="nodes",
    terms=[
        PWLCurve(
            "x",
            [(-1e-07, 0.1), (0, 0.3333333333333333), (1e22, -2.5e-300)],
            fx="symlog1p",
            missing=0,
            note="why",
        ),
        StepCurve("x", [0.5], [1, -1], missing=2),
        PWLCurve(
            Sum(
                [
                    PWLCurve(
                        "x",
                        [(-1e-07, 0.1), (0, 0.3333333333333333), (1e22, -2.5e-300)],
                        fx="symlog1p",
                        missing=0,
                        note="why",
                    ),
                    Line("y", 1, note="raw"),
                ],
                note="inside",
            ),
            [(0, 0), (1, 1)],
        ),
        EnumCurve("k", {-1: 0.5, 2: 1}, default=0),
        EnumCurve("flag", {True: 1, False: 0}, missing=0.5),
        Product(
            [
                Sum(
                    [
                        PWLCurve(
                            Sum(
                                [
                                    PWLCurve(
                                        "x",
                                        [
                                            (-1e-07, 0.1),
                                            (0, 0.3333333333333333),
                                            (1e22, -2.5e-300),
                                        ],
                                        fx="symlog1p",
                                        missing=0,
                                        note="why",
                                    ),
                                    Line("y", 1, note="raw"),
                                ],
                                note="inside",
                            ),
                            [(0, 0), (1, 1)],
                        ),
                        StepCurve(
                            Sum([StepCurve("x", [0.5], [1, -1], missing=2)]),
                            [1, 2],
                            [3, 4, 5],
                        ),
                    ]
                ),
                PWLCurve(
                    "x",
                    [(-1e-07, 0.1), (0, 0.3333333333333333), (1e22, -2.5e-300)],
                    fx="symlog1p",
                    missing=0,
                    note="why",
                ),
            ],
            note="pair",
        ),
    ],
    intercept=0.25,
    link="log",
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
