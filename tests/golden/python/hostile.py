"""Curve model ''''; exit(); '''': 12 terms over 12 features, link identity."""

from __future__ import annotations

from typing import Any

from curvec import CurveModel, EnumCurve, Feature

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
        EnumCurve(
            "'''",
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
            note="'''",
        ),
        EnumCurve(
            "\\",
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
            note="\\",
        ),
        EnumCurve(
            "a'b\"c",
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
            note="a'b\"c",
        ),
        EnumCurve(
            "{{ x }}",
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
            note="{{ x }}",
        ),
        EnumCurve(
            "{% raw %}",
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
            note="{% raw %}",
        ),
        EnumCurve(
            "# no",
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
            note="# no",
        ),
        EnumCurve(
            "\r\n",
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
            note="\r\n",
        ),
        EnumCurve(
            "\x00",
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
            note="\x00",
        ),
        EnumCurve(
            "\u202e",
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
            note="\u202e",
        ),
        EnumCurve(
            "'); exit(); ('",
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
            note="'); exit(); ('",
        ),
        EnumCurve(
            "\x85",
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
            note="\x85",
        ),
    ],
    intercept=0,
    link="identity",
    features=[
        Feature('"""', "str"),
        Feature("'''", "str"),
        Feature("\\", "str"),
        Feature("a'b\"c", "str"),
        Feature("{{ x }}", "str"),
        Feature("{% raw %}", "str"),
        Feature("# no", "str"),
        Feature("\r\n", "str"),
        Feature("\x00", "str"),
        Feature("\u202e", "str"),
        Feature("'); exit(); ('", "str"),
        Feature("\x85", "str"),
    ],
)

# parameter x: feature '"""'
# parameter x_2: feature "'''"
# parameter x_3: feature "\\"
# parameter a_b_c: feature "a'b\"c"
# parameter x_4: feature "{{ x }}"
# parameter raw: feature "{% raw %}"
# parameter no: feature "# no"
# parameter x_5: feature "\r\n"
# parameter x_6: feature "\x00"
# parameter x_7: feature "\u202e"
# parameter exit: feature "'); exit(); ('"
# parameter x_8: feature "\x85"


def score(
    *,
    x: str | None,
    x_2: str | None,
    x_3: str | None,
    a_b_c: str | None,
    x_4: str | None,
    raw: str | None,
    no: str | None,
    x_5: str | None,
    x_6: str | None,
    x_7: str | None,
    exit: str | None,
    x_8: str | None,
) -> float:
    """The raw score of one row, before the link; None is a missing value."""
    row = {
        '"""': [x],
        "'''": [x_2],
        "\\": [x_3],
        "a'b\"c": [a_b_c],
        "{{ x }}": [x_4],
        "{% raw %}": [raw],
        "# no": [no],
        "\r\n": [x_5],
        "\x00": [x_6],
        "\u202e": [x_7],
        "'); exit(); ('": [exit],
        "\x85": [x_8],
    }
    return float(MODEL.eval(row)[0])


def predict(
    *,
    x: str | None,
    x_2: str | None,
    x_3: str | None,
    a_b_c: str | None,
    x_4: str | None,
    raw: str | None,
    no: str | None,
    x_5: str | None,
    x_6: str | None,
    x_7: str | None,
    exit: str | None,
    x_8: str | None,
) -> float:
    """The prediction for one row: the inverse link of the raw score."""
    row = {
        '"""': [x],
        "'''": [x_2],
        "\\": [x_3],
        "a'b\"c": [a_b_c],
        "{{ x }}": [x_4],
        "{% raw %}": [raw],
        "# no": [no],
        "\r\n": [x_5],
        "\x00": [x_6],
        "\u202e": [x_7],
        "'); exit(); ('": [exit],
        "\x85": [x_8],
    }
    return float(MODEL.predict(row)[0])


def score_table(data: Any) -> Any:
    """The raw score of every row of a data frame or a mapping of columns."""
    return MODEL.eval(data)
