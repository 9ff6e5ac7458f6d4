"""Curve model 'names': 13 terms over 13 features.

The score is the intercept plus every term.
Line: its number times the feature.
missing=: the value of a missing input. Where a term has no value, the score is NaN.
"""

from curvec import CurveModel, Line

MODEL = CurveModel(
    name="names",
    terms=[
        Line("", 1),
        Line("class", 1),
        Line("a b", 1),
        Line("a-b", 1),
        Line("a_b", 1),
        Line("row", 1),
        Line("MODEL", 1),
        Line("1st", 1),
        Line("größe", 1),
        Line("日本", 1),
        Line("new\nline", 1),
        Line("float", 1),
        Line("x", 1),
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
