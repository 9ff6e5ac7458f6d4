"""Curve model 'compas': 4 terms over 4 features.

The score is the intercept plus every term; the prediction is 1 / (1 + exp(-score)).
PWLCurve: straight between its points (x, value), in fx(x) with fx=; constant outside.
EnumCurve: a value for each category, and default= for any other.
missing=: the value of a missing input. Where a term has no value, the score is NaN.
"""

from curvec import CurveModel, EnumCurve, PWLCurve

MODEL = CurveModel(
    name="compas",
    terms=[
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log"),
        PWLCurve("priors_count", [(0, -0.8415), (1, -0.4452), (38, 2.146)], fx="log1p"),
        PWLCurve(
            "length_of_stay", [(0, -0.1855), (3, -0.04099), (4, 0.2443)], fx="log1p"
        ),
        EnumCurve("c_charge_degree", {1: 0.0198, 2: -0.0384}),
    ],
    link="logit",
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
