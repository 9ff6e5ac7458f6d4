"""The golden SQL: one model with every node in every dialect, and every form of it in one.

One text is kept whole, Trino's, which is the plainest: no function in it needs a guard. Of every other dialect a file
holds how it differs from one that is close to it. Two dialects differ in nearly every line by how they spell a name, a
number or a string, so those are replaced first; what is left is a unified diff. A dialect that DIFFERENCES does not
name is kept whole.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import curvec
from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.emit.dialects import DIALECTS

__all__ = ["DIFFERENCES", "FOLDER", "MODEL", "golden", "respelled", "texts"]

FOLDER = Path(__file__).parent / "golden" / "sql"

_AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=1.5, note="approved")
_PRIORS = StepCurve("priors count", [1, 2.5, 10], [-0.4, 0.1, 0.75, 1.9])
_CHARGE = EnumCurve("charge", {"F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5}, default=0.25)


def _model(cuts: int, levels: int) -> CurveModel:
    """Every node; the last two terms have that many cuts, and levels."""
    return CurveModel(
        "recidivism",
        [
            _AGE,
            _PRIORS,
            _CHARGE,
            EnumCurve("kind", {1: 0.5, 2: -0.5}, default=0.1, missing=0.2),
            EnumCurve("felony", {True: 0.3, False: -0.3}),
            PWLCurve("balance", [(-1000, 1), (0, 0), (1000, -2)], "symlog1p"),
            PWLCurve("balance", [(-0.5, 0), (1e-7, 0.1), (7, -2)], "log1p"),
            Product([Sum([_AGE, _CHARGE]), Line("balance")]),
            PWLCurve(Sum([_PRIORS, Line("balance")]), [(0, 0.1), (1, 0.3)]),
            StepCurve("score 2", [k / 8 for k in range(cuts)], [k % 7 / 10 for k in range(cuts + 1)]),
            EnumCurve("post code", {f"{1000 + k}": k / 16 for k in range(levels)}, default=0.0, missing=-1.0),
        ],
        intercept=-1.25,
        link="logit",
    )


MODEL = _model(cuts=70, levels=200)
"""Long enough for every dialect to search the cuts by halves, if it ever does, and to join the levels."""

_SHORT = _model(cuts=8, levels=3)
"""For an expression, which joins nothing and writes every level out."""


class Difference(NamedTuple):
    """How a text is kept that is not kept whole.

    Attributes:
        base: the text that it is compared with.
        spelled: regular expressions of what is replaced in the base first, and by what, in this order.

    """

    base: str
    spelled: Mapping[str, str] = MappingProxyType({})


_NAME = r'"([^"\n]*)"'
_NUMBER = r"\b(\d[\d.]*e-?\d+)\b(?!,)"  # in a comment, a point has a comma after its x
_PLAIN = {r"\b(\d[\d.]*)e0(?= [-+*/])": r"\1", r"([-+*/<>=] -?)(\d[\d.]*)e0\b": r"\1\2"}  # beside a double
_FEW_DIGITS = {pattern.replace("*)", "{,15})"): plain for pattern, plain in _PLAIN.items()}
_POINT = {r"\b(\d+\.\d+)e0\b": r"\1", r"\b(\d+)e0\b": r"\1.0"}
_STRING = r"('(?:[^'\n]|'')*')"
_INDENTED = {r"^    (\('1.*\),?)$": r"        \1"}
_NO_ROW = {r"^    ROW \(": "    ("}
_IN_BACKTICKS = {_NAME: r"`\1`"}
_IN_QUOTES = {r"`([^`\n]*)`": r'"\1"'}
_COALESCED = r"(WHEN -?|(?<!-)[-+*] |\(-?)(age|balance|sum_priors_count_balance|`priors count`|`score 2`)(?=\W)"

DIFFERENCES = {
    "athena": Difference("trino"),
    "bigquery": Difference(
        "trino", {**_INDENTED, **_IN_BACKTICKS, **_PLAIN, **_POINT, _STRING: r"b\1", "DOUBLE": "FLOAT64"}
    ),
    "clickhouse": Difference("trino", {**_INDENTED, **_PLAIN, **_POINT, r"CAST\((.*) AS DOUBLE\)": r"toFloat64(\1)"}),
    "databricks": Difference("polars", _IN_BACKTICKS),
    "datafusion": Difference("trino", {**_PLAIN, **_POINT}),
    "duckdb": Difference("databricks", {**_IN_QUOTES, **_FEW_DIGITS}),
    "duckdb.dbt": Difference("duckdb"),
    "duckdb.view": Difference("duckdb"),
    "h2": Difference(
        "trino",
        {
            _NUMBER: r"\1::FLOAT8",
            _STRING: r"CAST(\1 AS VARBINARY)",
            "DOUBLE": "DOUBLE PRECISION",
            r'(\w+|"[^"\n]*") >= (\d)': r"-\1 <= -\2",
        },
    ),
    "mariadb": Difference("mysql", _NO_ROW),
    "mysql": Difference("trino", {**_IN_BACKTICKS, r"^    (\('1)": r"    ROW \1"}),
    "oracle": Difference(
        "trino",
        {
            _NUMBER: r"\1d",
            r"e0d\b": "d",
            _STRING: r"NLSSORT(\1, 'NLS_SORT=BINARY')",
            r"CAST\((.*) AS DOUBLE\)": r"TO_BINARY_DOUBLE(\1)",
            r"^    \((.*), ([^,\n]*)\)$": r"    SELECT\n        \1,\n        \2\n    FROM DUAL",
            r"^    \((.*), ([^,\n]*)\),$": r"    SELECT\n        \1,\n        \2\n    FROM DUAL\n    UNION ALL",
        },
    ),
    "polars": Difference("trino"),
    "postgres": Difference("mysql", {**_IN_QUOTES, **_PLAIN, r"\b(\d[\d.]*)e0\b": r"\1::float8", **_NO_ROW}),
    "redshift": Difference(
        "trino",
        {
            _NUMBER: r"\1::float8",
            _STRING: r"(\1 || '|')",
            "DOUBLE": "double precision",
            r"^    \((.*), ([^,\n]*)\)$": r"    SELECT\n        \1,\n        \2",
            r"^    \((.*), ([^,\n]*)\),$": r"    SELECT\n        \1,\n        \2\n    UNION ALL",
        },
    ),
    "snowflake": Difference("trino", {**_INDENTED, _NUMBER: r"\1::FLOAT", "DOUBLE": "FLOAT"}),
    "spark": Difference("databricks", {_COALESCED: r"\1COALESCE(\2, DOUBLE('NaN'))", **_PLAIN}),
    "sqlite": Difference("mysql", {**_NO_ROW, **_INDENTED, **_PLAIN, **_POINT}),
    "tsql": Difference(
        "trino",
        {**_INDENTED, _NAME: r"[\1]", _STRING: r"CAST(N\1 AS VARBINARY(MAX))", "DOUBLE": "FLOAT", r"\bLN\(": "LOG("},
    ),
}


def texts() -> dict[str, str]:
    """Every text, by the name of its file without the ending."""
    options = {"table": "cases", "key": ["id"], "per_term": True, "link": True}
    found = {dialect: curvec.emit(MODEL, "sql", dialect, form="select", **options) for dialect in DIALECTS}
    found["duckdb.expression"] = curvec.emit(_SHORT, "sql", "duckdb")
    found["sqlite.expression"] = curvec.emit(_SHORT, "sql", "sqlite")
    found["duckdb.view"] = curvec.emit(MODEL, "sql", "duckdb", form="view", **options)
    found["duckdb.dbt"] = curvec.emit(MODEL, "sql", "duckdb", form="dbt", **options)
    return found


def respelled(text: str, spelled: Mapping[str, str]) -> str:
    """The text with each regular expression replaced, but for the levels in its comments."""
    levels = re.findall(r"^ *-- .*\".*$", text, flags=re.MULTILINE)
    text = re.sub(r"^ *-- .*\".*$", _KEPT, text, flags=re.MULTILINE)
    for pattern, replacement in spelled.items():
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    kept = iter(levels)
    return re.sub(_KEPT, lambda _: next(kept), text)


_KEPT = "\N{SECTION SIGN}"
"""Stands for a comment with levels in it."""


def golden() -> dict[str, str]:
    """What each file of FOLDER holds."""
    found = texts()
    whole = {f"{name}.sql": text for name, text in found.items() if name not in DIFFERENCES}
    return {**whole, **{f"{name}.diff": _difference(name, found) for name in DIFFERENCES}}


def _difference(name: str, found: Mapping[str, str]) -> str:
    """The diff of that text, under what is replaced in its base."""
    base, spelled = DIFFERENCES[name]
    lines = (respelled(found[base], spelled).split("\n"), found[name].split("\n"))
    diff = difflib.unified_diff(*lines, base, name, n=0, lineterm="")
    return "".join(f"{line}\n" for line in [*(f"# s/{old}/{new}/" for old, new in spelled.items()), *diff])
