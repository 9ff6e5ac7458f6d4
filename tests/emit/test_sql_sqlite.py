# ruff: noqa: S608  the statements are made of names of this file
"""What only SQLite has: values of any storage class in any column, and subqueries that it flattens."""

from __future__ import annotations

import math
import random
import re
import sqlite3
from contextlib import closing
from typing import Any

import numpy as np
import pytest
import sql_engines as engines
from real_engines import needed

import curvec
from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_limits import parser_stack

EXACT = 2**53
"""Up to it every integer is a double; further up an integer and the double that it is cast to compare differently."""
NEAR = [
    -18,
    0,
    1,
    18,
    19,
    21,
    46,
    47,
    EXACT - 1,
    EXACT,
    EXACT + 1,
    EXACT + 3,
    2**54 - 1,
    -EXACT - 1,
    2**63 - 1,
    -(2**63),
]
STORED: list[Any] = [
    None, *NEAR, *map(float, NEAR), math.inf, -math.inf, 1e-300, -0.0, 20.999999999999996, math.nextafter(EXACT, 0),
    "20", "20.5", " 20 ", "+2e1", "1e400", "9007199254740993", "20 years", "99 years", "years", "", "0x14", "-18",
    "nan", b"20", b"20.5x", b"", b"\xff",
]  # fmt: skip
"""What a column may hold, at and beside the bounds of the curves."""

POINTS = [(-18.0, 1.0), (0.0, 3.13), (18.0, 0.6), (21.0, 0.5914), (46.0, -0.7206), (47.5, 1 / 3), (60.0, 0.1)]
LARGE = [(0.0, 0.1), (2.0**53, 0.7), (2.0**53 + 2, 1 / 3), (2.0**54, 0.2), (2.0**55, 11.0)]
TERMS = [
    PWLCurve("x", POINTS[:4], missing=7.0),
    PWLCurve("x", POINTS),
    PWLCurve("x", POINTS[2:], "log", missing=-1.0),
    PWLCurve("x", POINTS, "symlog1p"),
    PWLCurve("x", LARGE, missing=0.25),
    StepCurve("x", [-18.0, 0.0, 18.0, 46.0], [1, 2, 3, 4, 5], missing=6.0),
    StepCurve("x", [0.0, 2.0**53 - 1, 2.0**53, 2.0**53 + 2, 2.0**54], [1, 2, 3, 4, 5, 6]),
    StepCurve("x", list(map(float, range(-20, 60, 2))), list(map(float, range(41)))),
    PWLCurve(Sum([PWLCurve("x", POINTS, missing=2.0), StepCurve("x", [18.0], [0.1, 0.3])]), [(0, 0), (2, 5), (3, 1)]),
    Product([PWLCurve("x", POINTS), StepCurve("x", [18.0], [0.1, 0.3])]),
    Line("x"),
]


@pytest.mark.parametrize("runner", ["sqlite", "apsw"])
@pytest.mark.parametrize("declared", ["", "TEXT", "TEXT COLLATE NOCASE", "INTEGER", "NUMERIC", "REAL", "BLOB"])
def test_a_value_of_any_storage_class_is_the_number_that_it_is_cast_to(runner: str, declared: str) -> None:
    with needed(runner).session() as session:
        connection: Any = session.connection
        connection.execute(f"CREATE TABLE held (k INTEGER PRIMARY KEY, x {declared})")
        connection.executemany("INSERT INTO held VALUES (?, ?)", list(enumerate(STORED)))
        cast = list(connection.execute("SELECT CAST(x AS REAL) FROM held ORDER BY k"))
        numbers = np.array([np.nan if x is None else x for (x,) in cast])
        for place, term in enumerate(TERMS):
            model = CurveModel(f"m{place}", [term], 0.5)
            wanted = model.eval({"x": numbers})
            queries = {"expression": f"SELECT k, {curvec.emit(model, 'sql', 'sqlite')} FROM held"}
            for form in ("select", "view"):
                queries[form] = curvec.emit(model, "sql", "sqlite", form=form, table="held", key=["k"])
            connection.execute(queries["view"])
            queries["view"] = f"SELECT * FROM m{place}"
            for form, query in queries.items():
                found = [score for _, score in sorted(connection.execute(query))]
                for value, score, right in zip(STORED, found, wanted.tolist(), strict=True):
                    assert score is None or isinstance(score, float), (form, term, value)
                    assert score == right or (score is None and math.isnan(right)), (form, term, value)


def test_a_curve_of_small_numbers_is_compared_without_a_cast() -> None:
    """No number reaches the last branch, where the casts are but for the upper bound's, which is for text above it.

    Beyond 2**53 they are in every branch.
    """
    small, large = (
        curvec.emit(CurveModel("m", [PWLCurve("x", points)]), "sql", "sqlite") for points in (POINTS, LARGE)
    )
    assert "CAST" not in small[: small.index("WHEN x IS NULL")].replace("CAST(x AS REAL) >= 60 ", "")
    assert "+x" not in large


MODEL = CurveModel(
    "risk",
    [
        PWLCurve("x", POINTS),
        EnumCurve("c", {f"level {k}": k / 7 for k in range(300)}, 0.5),
        PWLCurve("x", POINTS, "symlog1p"),
    ],
    link="logit",
)
CONDITIONS = {
    "k = 7": [7],
    "k = '7'": [7],
    "name = 'N7'": [7],
    "k IN (3, 5)": [3, 5],
    "name = 'n3' AND score > -99": [3],
}


@pytest.mark.parametrize("runner", ["sqlite", "apsw"])
@pytest.mark.parametrize("link", [False, True])
def test_a_condition_on_a_query_or_a_view_reaches_the_tables_index(runner: str, link: bool) -> None:
    with needed(runner).session() as session:
        connection: Any = session.connection
        connection.execute("CREATE TABLE rows (k INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE, x REAL, c TEXT)")
        rows = [(k, f"n{k}", k / 3, f"level {k}") for k in range(50)]
        connection.executemany("INSERT INTO rows VALUES (?, ?, ?, ?)", rows)
        options: dict[str, Any] = {"table": "rows", "key": ["k", "name"], "per_term": True, "link": link}
        connection.execute(curvec.emit(MODEL, "sql", "sqlite", form="view", **options))
        for source in (f"({curvec.emit(MODEL, 'sql', 'sqlite', form='select', **options)})", "risk"):
            for condition, wanted in CONDITIONS.items():
                query = f"SELECT * FROM {source} WHERE {condition}"
                assert sorted(row[0] for row in connection.execute(query)) == wanted
                plan = [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
                assert [step for step in plan if step.startswith("SEARCH t USING")], plan


def test_a_view_without_a_link_is_joined_row_by_row() -> None:
    model = CurveModel("risk", [PWLCurve("x", POINTS), StepCurve("x", [18.0], [0.1, 0.3], missing=1.0)])
    with engines.connected("sqlite") as connection:
        connection.execute("CREATE TABLE rows (k INTEGER PRIMARY KEY, x REAL)")
        connection.execute("CREATE TABLE asked (k INTEGER)")
        connection.execute(curvec.emit(model, "sql", "sqlite", form="view", table="rows", key=["k"], per_term=True))
        query = "EXPLAIN QUERY PLAN SELECT score FROM asked CROSS JOIN risk ON risk.k = asked.k"
        plan = [row[-1] for row in connection.execute(query)]
    assert plan == ["SCAN asked", "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)"]


def test_curves_are_computed_once_for_their_uses() -> None:
    """A curve that both a score and a link use stands once in the program that SQLite makes of the query."""
    model = CurveModel("risk", [PWLCurve("x", [(1.0, 2.0), (5.0, 3.0)], "log")], link="logit")
    options: dict[str, Any] = {"table": "rows", "link": True}
    with engines.connected("sqlite") as connection, closing(connection.cursor()) as cursor:
        cursor.execute("CREATE TABLE rows (x REAL)")
        cursor.execute(curvec.emit(model, "sql", "sqlite", form="view", **options))
        for query, times in (
            (curvec.emit(model, "sql", "sqlite", form="select", **options), 1),
            ("SELECT * FROM risk", 2),
        ):
            program = cursor.execute(f"EXPLAIN {query}").fetchall()
            calls = [step for step in program if step[1] == "Function" and str(step[5]).lower().startswith("ln")]
            assert len(calls) == times, "in a view it stands in the branch for text too"


STEPS = [float(k) for k in range(60)]
NESTED = {
    "sum": lambda inner: Sum([Line("x"), inner]),
    "sum, first": lambda inner: Sum([inner, Line("x")]),
    "product": lambda inner: Product([Line("x"), inner]),
    "sum and product": lambda inner: Sum([Line("x"), Product([PWLCurve("x", POINTS, "symlog1p"), inner])]),
    "curve": lambda inner: PWLCurve(Sum([inner]), [(0, 0), (1, 1)]),
    "steps": lambda inner: Sum([StepCurve("x", STEPS, [*STEPS, 1.0]), Product([Line("x"), inner])]),
    "steps of a sum": lambda inner: StepCurve(Sum([inner]), STEPS, [*STEPS, 1.0]),
}
DEPTHS = dict.fromkeys(NESTED, range(0, 15, 2)) | {shape: range(0, 31, 3) for shape in ("sum", "sum, first", "product")}


@pytest.mark.parametrize("shape", NESTED)
def test_what_is_emitted_is_parsed_and_what_nests_too_deeply_for_the_parser_is_refused(shape: str) -> None:
    """The parser of Python's SQLite, before 3.46 with a stack of 100 symbols; in another query and as a view, too."""
    refused = dict.fromkeys(("expression", "select", "view"), 0)
    with engines.connected("sqlite") as connection:
        connection.execute("CREATE TABLE rows (k INTEGER PRIMARY KEY, x REAL)")
        for depth in DEPTHS[shape]:
            term: Any = PWLCurve("x", POINTS, "symlog1p")
            for _ in range(depth):
                term = NESTED[shape](term)
            model = CurveModel(f"m{depth}", [EnumCurve("k", {1: 2.0}), term])
            for form in refused:
                options = {} if form == "expression" else {"form": form, "table": "rows", "link": True}
                try:
                    text = curvec.emit(model, "sql", "sqlite", **options)
                except UnsupportedError as error:
                    assert re.search("nests too deeply for SQLite: |use form='select'", str(error))  # noqa: PT017
                    refused[form] += 1
                    continue
                around = {"expression": f"CREATE TEMP TABLE m AS SELECT ({text}) AS score FROM rows", "view": text}
                connection.execute(around.get(form, f"SELECT score FROM ({text})"))
                connection.execute("DROP TABLE IF EXISTS m")
    assert refused["expression"] < len(DEPTHS[shape]), "some of them fit"
    assert refused["expression"] or shape == "sum, first", "and some do not, but for what adds nothing to the stack"


def test_the_parsers_stack_is_counted_as_the_parser_counts_it() -> None:
    """Up to the symbols that stand around an expression, which are four in a SELECT and few more where it ends."""
    if sqlite3.sqlite_version_info >= (3, 46):
        pytest.skip("this SQLite's parser takes what memory holds")
    inside = ["({} + 1e0)", "(1e0 + {})", "1e0 + 2e0 * ({})", "LN({})", "CAST({} AS REAL)", "-({})", "1e0 * ({} - 1e0)"]
    inside += ["CASE WHEN x < 1e0 THEN {} ELSE 1e0 END", "CASE WHEN x < 1e0 THEN 1e0 ELSE {} END"]
    inside += ["CASE WHEN x < 1e0 THEN 1e0 WHEN {} < 1e0 THEN 1e0 END", "NULLIF((1e0 + {}) - 1e0, 0e0)"]
    inside += [
        "CASE WHEN x < 1e0 THEN 1e0 WHEN x < 2e0 THEN {} END",
        "CASE WHEN x IS NOT NULL OR -({}) <= 0e0 THEN x END",
    ]
    choose = random.Random(4)  # noqa: S311  texts for a test
    with engines.connected("sqlite") as connection:
        connection.execute("CREATE TABLE rows (x REAL)")
        deep = 0
        for _ in range(1000):
            text = "`x`"
            for _ in range(choose.randrange(10, 35)):
                text = choose.choice(inside).format(text)
            counted = parser_stack(text)
            try:
                connection.execute(f"SELECT {text} FROM rows")
            except sqlite3.OperationalError as error:
                assert "parser stack overflow" in str(error)  # noqa: PT017
                assert counted > 92, text
                deep += 1
            else:
                assert counted < 100, text
    assert 100 < deep < 900
    assert (DIALECTS["sqlite"].max_stack or 0) < 92 - 15, "what a view has before an expression"
