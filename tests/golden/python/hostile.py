"""Curve model '</script><script>window.pwned=1</script>': 35 terms over 35 features, link identity."""

from __future__ import annotations

from typing import Any

from curvec import CurveModel, EnumCurve, Feature, PWLCurve

MODEL = CurveModel(
    name="</script><script>window.pwned=1</script>",
    note='</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1><!--<script>"><svg onload=window.pwned=1>{{ 7 * 7 }}{% raw %}javascript:window.pwned=1\u202egnp.exe];window.pwned=1;//</style><style>*{display:none}',
    terms=[
        PWLCurve(
            "</script><script>window.pwned=1</script>",
            [(0, 0), (1, 1)],
            note="</script><script>window.pwned=1</script>",
        ),
        PWLCurve("<img src=x onerror=window.pwned=1>", [(0, 0), (1, 1)], note="<img src=x onerror=window.pwned=1>"),
        PWLCurve("<!--<script>", [(0, 0), (1, 1)], note="<!--<script>"),
        PWLCurve('"><svg onload=window.pwned=1>', [(0, 0), (1, 1)], note='"><svg onload=window.pwned=1>'),
        PWLCurve("{{ 7 * 7 }}{% raw %}", [(0, 0), (1, 1)], note="{{ 7 * 7 }}{% raw %}"),
        PWLCurve("javascript:window.pwned=1", [(0, 0), (1, 1)], note="javascript:window.pwned=1"),
        PWLCurve("\u202egnp.exe", [(0, 0), (1, 1)], note="\u202egnp.exe"),
        PWLCurve("];window.pwned=1;//", [(0, 0), (1, 1)], note="];window.pwned=1;//"),
        PWLCurve("</style><style>*{display:none}", [(0, 0), (1, 1)], note="</style><style>*{display:none}"),
        PWLCurve("age", [(0, 0), (1, 1)], note="age"),
        PWLCurve("a b", [(0, 0), (1, 1)], note="a b"),
        PWLCurve("select", [(0, 0), (1, 1)], note="select"),
        PWLCurve("class", [(0, 0), (1, 1)], note="class"),
        PWLCurve("1x", [(0, 0), (1, 1)], note="1x"),
        PWLCurve('x"; DROP TABLE t; --', [(0, 0), (1, 1)], note='x"; DROP TABLE t; --'),
        PWLCurve("naïve", [(0, 0), (1, 1)], note="naïve"),
        PWLCurve("score", [(0, 0), (1, 1)], note="score"),
        PWLCurve("prediction", [(0, 0), (1, 1)], note="prediction"),
        PWLCurve("a`b", [(0, 0), (1, 1)], note="a`b"),
        PWLCurve("a]b", [(0, 0), (1, 1)], note="a]b"),
        PWLCurve("a\\b", [(0, 0), (1, 1)], note="a\\b"),
        PWLCurve("a'b", [(0, 0), (1, 1)], note="a'b"),
        PWLCurve("50%", [(0, 0), (1, 1)], note="50%"),
        PWLCurve("{{x}}", [(0, 0), (1, 1)], note="{{x}}"),
        PWLCurve("${x}", [(0, 0), (1, 1)], note="${x}"),
        PWLCurve(":p", [(0, 0), (1, 1)], note=":p"),
        PWLCurve("home.dest", [(0, 0), (1, 1)], note="home.dest"),
        PWLCurve("日本", [(0, 0), (1, 1)], note="日本"),
        PWLCurve("*/ x /*", [(0, 0), (1, 1)], note="*/ x /*"),
        PWLCurve("new\nline", [(0, 0), (1, 1)], note="new\nline"),
        PWLCurve(" blank ", [(0, 0), (1, 1)], note=" blank "),
        PWLCurve("income (k$)", [(0, 0), (1, 1)], note="income (k$)"),
        PWLCurve("-- x", [(0, 0), (1, 1)], note="-- x"),
        PWLCurve("a\u2028b", [(0, 0), (1, 1)], note="a\u2028b"),
        EnumCurve(
            "levels </script><script>window.pwned=1</script>",
            {
                "</script><script>window.pwned=1</script>": 0,
                "<img src=x onerror=window.pwned=1>": 1,
                "<!--<script>": 2,
                '"><svg onload=window.pwned=1>': 3,
                "{{ 7 * 7 }}{% raw %}": 4,
                "javascript:window.pwned=1": 5,
                "\u202egnp.exe": 6,
                "];window.pwned=1;//": 7,
                "</style><style>*{display:none}": 8,
                "a": 9,
                "A": 10,
                "a ": 11,
                " a": 12,
                "": 13,
                "O'Brien": 14,
                'say "x"': 15,
                "back\\slash": 16,
                "end\\": 17,
                "new\nline": 18,
                "50%": 19,
                "{{x}}": 20,
                "${x}": 21,
                "é": 22,
                "é": 23,
                "🙂": 24,
                "🙁": 25,
                "nan": 26,
                "NULL": 27,
                "1": 28,
                "1.0": 29,
                "*/": 30,
                '"""': 31,
                "a:b,c": 32,
            },
            default=-1,
            note="<img src=x onerror=window.pwned=1>",
        ),
    ],
    intercept=0,
    link="identity",
    features=[
        Feature("</script><script>window.pwned=1</script>"),
        Feature("<img src=x onerror=window.pwned=1>"),
        Feature("<!--<script>"),
        Feature('"><svg onload=window.pwned=1>'),
        Feature("{{ 7 * 7 }}{% raw %}"),
        Feature("javascript:window.pwned=1"),
        Feature("\u202egnp.exe"),
        Feature("];window.pwned=1;//"),
        Feature("</style><style>*{display:none}"),
        Feature("age"),
        Feature("a b"),
        Feature("select"),
        Feature("class"),
        Feature("1x"),
        Feature('x"; DROP TABLE t; --'),
        Feature("naïve"),
        Feature("score"),
        Feature("prediction"),
        Feature("a`b"),
        Feature("a]b"),
        Feature("a\\b"),
        Feature("a'b"),
        Feature("50%"),
        Feature("{{x}}"),
        Feature("${x}"),
        Feature(":p"),
        Feature("home.dest"),
        Feature("日本"),
        Feature("*/ x /*"),
        Feature("new\nline"),
        Feature(" blank "),
        Feature("income (k$)"),
        Feature("-- x"),
        Feature("a\u2028b"),
        Feature("levels </script><script>window.pwned=1</script>", "str"),
    ],
)

# parameter script_script_window_pwned_1_script: feature "</script><script>window.pwned=1</script>"
# parameter img_src_x_onerror_window_pwned_1: feature "<img src=x onerror=window.pwned=1>"
# parameter script: feature "<!--<script>"
# parameter svg_onload_window_pwned_1: feature '"><svg onload=window.pwned=1>'
# parameter x7_7_raw: feature "{{ 7 * 7 }}{% raw %}"
# parameter javascript_window_pwned_1: feature "javascript:window.pwned=1"
# parameter gnp_exe: feature "\u202egnp.exe"
# parameter window_pwned_1: feature "];window.pwned=1;//"
# parameter style_style_display_none: feature "</style><style>*{display:none}"
# parameter a_b: feature "a b"
# parameter class_: feature "class"
# parameter x1x: feature "1x"
# parameter x_DROP_TABLE_t: feature 'x"; DROP TABLE t; --'
# parameter naive: feature "naïve"
# parameter score_: feature "score"
# parameter a_b_2: feature "a`b"
# parameter a_b_3: feature "a]b"
# parameter a_b_4: feature "a\\b"
# parameter a_b_5: feature "a'b"
# parameter x50: feature "50%"
# parameter x: feature "{{x}}"
# parameter x_2: feature "${x}"
# parameter p: feature ":p"
# parameter home_dest: feature "home.dest"
# parameter x_3: feature "日本"
# parameter x_4: feature "*/ x /*"
# parameter new_line: feature "new\nline"
# parameter blank: feature " blank "
# parameter income_k: feature "income (k$)"
# parameter x_5: feature "-- x"
# parameter ab: feature "a\u2028b"
# parameter levels_script_script_window_pwned_1_script: feature "levels </script><script>window.pwned=1</script>"


def score(
    *,
    script_script_window_pwned_1_script: float | None,
    img_src_x_onerror_window_pwned_1: float | None,
    script: float | None,
    svg_onload_window_pwned_1: float | None,
    x7_7_raw: float | None,
    javascript_window_pwned_1: float | None,
    gnp_exe: float | None,
    window_pwned_1: float | None,
    style_style_display_none: float | None,
    age: float | None,
    a_b: float | None,
    select: float | None,
    class_: float | None,
    x1x: float | None,
    x_DROP_TABLE_t: float | None,
    naive: float | None,
    score_: float | None,
    prediction: float | None,
    a_b_2: float | None,
    a_b_3: float | None,
    a_b_4: float | None,
    a_b_5: float | None,
    x50: float | None,
    x: float | None,
    x_2: float | None,
    p: float | None,
    home_dest: float | None,
    x_3: float | None,
    x_4: float | None,
    new_line: float | None,
    blank: float | None,
    income_k: float | None,
    x_5: float | None,
    ab: float | None,
    levels_script_script_window_pwned_1_script: str | None,
) -> float:
    """The raw score of one row, before the link; None is a missing value."""
    row = {
        "</script><script>window.pwned=1</script>": [script_script_window_pwned_1_script],
        "<img src=x onerror=window.pwned=1>": [img_src_x_onerror_window_pwned_1],
        "<!--<script>": [script],
        '"><svg onload=window.pwned=1>': [svg_onload_window_pwned_1],
        "{{ 7 * 7 }}{% raw %}": [x7_7_raw],
        "javascript:window.pwned=1": [javascript_window_pwned_1],
        "\u202egnp.exe": [gnp_exe],
        "];window.pwned=1;//": [window_pwned_1],
        "</style><style>*{display:none}": [style_style_display_none],
        "age": [age],
        "a b": [a_b],
        "select": [select],
        "class": [class_],
        "1x": [x1x],
        'x"; DROP TABLE t; --': [x_DROP_TABLE_t],
        "naïve": [naive],
        "score": [score_],
        "prediction": [prediction],
        "a`b": [a_b_2],
        "a]b": [a_b_3],
        "a\\b": [a_b_4],
        "a'b": [a_b_5],
        "50%": [x50],
        "{{x}}": [x],
        "${x}": [x_2],
        ":p": [p],
        "home.dest": [home_dest],
        "日本": [x_3],
        "*/ x /*": [x_4],
        "new\nline": [new_line],
        " blank ": [blank],
        "income (k$)": [income_k],
        "-- x": [x_5],
        "a\u2028b": [ab],
        "levels </script><script>window.pwned=1</script>": [levels_script_script_window_pwned_1_script],
    }
    return float(MODEL.eval(row)[0])


def predict(
    *,
    script_script_window_pwned_1_script: float | None,
    img_src_x_onerror_window_pwned_1: float | None,
    script: float | None,
    svg_onload_window_pwned_1: float | None,
    x7_7_raw: float | None,
    javascript_window_pwned_1: float | None,
    gnp_exe: float | None,
    window_pwned_1: float | None,
    style_style_display_none: float | None,
    age: float | None,
    a_b: float | None,
    select: float | None,
    class_: float | None,
    x1x: float | None,
    x_DROP_TABLE_t: float | None,
    naive: float | None,
    score_: float | None,
    prediction: float | None,
    a_b_2: float | None,
    a_b_3: float | None,
    a_b_4: float | None,
    a_b_5: float | None,
    x50: float | None,
    x: float | None,
    x_2: float | None,
    p: float | None,
    home_dest: float | None,
    x_3: float | None,
    x_4: float | None,
    new_line: float | None,
    blank: float | None,
    income_k: float | None,
    x_5: float | None,
    ab: float | None,
    levels_script_script_window_pwned_1_script: str | None,
) -> float:
    """The prediction for one row: the inverse link of the raw score."""
    row = {
        "</script><script>window.pwned=1</script>": [script_script_window_pwned_1_script],
        "<img src=x onerror=window.pwned=1>": [img_src_x_onerror_window_pwned_1],
        "<!--<script>": [script],
        '"><svg onload=window.pwned=1>': [svg_onload_window_pwned_1],
        "{{ 7 * 7 }}{% raw %}": [x7_7_raw],
        "javascript:window.pwned=1": [javascript_window_pwned_1],
        "\u202egnp.exe": [gnp_exe],
        "];window.pwned=1;//": [window_pwned_1],
        "</style><style>*{display:none}": [style_style_display_none],
        "age": [age],
        "a b": [a_b],
        "select": [select],
        "class": [class_],
        "1x": [x1x],
        'x"; DROP TABLE t; --': [x_DROP_TABLE_t],
        "naïve": [naive],
        "score": [score_],
        "prediction": [prediction],
        "a`b": [a_b_2],
        "a]b": [a_b_3],
        "a\\b": [a_b_4],
        "a'b": [a_b_5],
        "50%": [x50],
        "{{x}}": [x],
        "${x}": [x_2],
        ":p": [p],
        "home.dest": [home_dest],
        "日本": [x_3],
        "*/ x /*": [x_4],
        "new\nline": [new_line],
        " blank ": [blank],
        "income (k$)": [income_k],
        "-- x": [x_5],
        "a\u2028b": [ab],
        "levels </script><script>window.pwned=1</script>": [levels_script_script_window_pwned_1_script],
    }
    return float(MODEL.predict(row)[0])


def score_table(data: Any) -> Any:
    """The raw score of every row of a data frame or a mapping of columns."""
    return MODEL.eval(data)
