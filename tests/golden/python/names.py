"""Curve model 'names': 13 terms over 13 features."""

from curvec import Column, CurveModel

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
