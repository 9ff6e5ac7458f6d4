"""Curve model ''''; exit(); '''': 12 terms over 12 features.

The score is the intercept plus every term.
EnumCurve: a value for each category, and default= for any other.
missing=: the value of a missing input. Where a term has no value, the score is NaN.
"""

from curvec import CurveModel, EnumCurve

MODEL = CurveModel(
    name='"""; exit(); """',
    note="\"\"\"\n'''\n\\\na'b\"c\n{{ x }}\n{% raw %}\n# no\n\r\n\n\x00\n\u202e\n'); exit(); ('\n\x85",
    terms=[
        EnumCurve(
            '"""',
            {
                '"""': 1,
                "'''": 1,
                "\\": 1,
                "a'b\"c": 1,
                "{{ x }}": 1,
                "{% raw %}": 1,
                "# no": 1,
                "\r\n": 1,
                "\x00": 1,
                "\u202e": 1,
                "'); exit(); ('": 1,
                "\x85": 1,
            },
            note='"""',
        ),
        EnumCurve("'''", {"'''": 1}, note="'''"),
        EnumCurve("\\", {"\\": 1}, note="\\"),
        EnumCurve("a'b\"c", {"a'b\"c": 1}, note="a'b\"c"),
        EnumCurve("{{ x }}", {"{{ x }}": 1}, note="{{ x }}"),
        EnumCurve("{% raw %}", {"{% raw %}": 1}, note="{% raw %}"),
        EnumCurve("# no", {"# no": 1}, note="# no"),
        EnumCurve("\r\n", {"\r\n": 1}, note="\r\n"),
        EnumCurve("\x00", {"\x00": 1}, note="\x00"),
        EnumCurve("\u202e", {"\u202e": 1}, note="\u202e"),
        EnumCurve("'); exit(); ('", {"'); exit(); ('": 1}, note="'); exit(); ('"),
        EnumCurve("\x85", {"\x85": 1}, note="\x85"),
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
