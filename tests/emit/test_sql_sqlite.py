# ruff: noqa: S608  the statements are made of names of this file
"""What only SQLite has: values of any storage class in any column, and subqueries that it flattens."""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any

import numpy as np
import pytest
import sql_engines as engines
from real_engines import needed

import curvec
from curvec import Column, CurveModel, EnumCurve, Product, PWLCurve, StepCurve, Sum

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
    Column("x"),
]


@pytest.mark.parametrize("runner", ["sqlite", "apsw"])
@pytest.mark.parametrize("declared", ["", "TEXT", "TEXT COLLATE NOCASE", "INTEGER", "NUMERIC", "REAL", "BLOB"])
def test_a_value_of_any_storage_class_is_the_number_that_it_is_cast_to(runner: str, declared: str) -> None:
    with needed(runner).session() as session:
        connection: Any = session.connection  # type: ignore[attr-defined]
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
    """The casts are in the last branch only, which no number reaches; beyond 2**53 they are in every one."""
    small, large = (
        curvec.emit(CurveModel("m", [PWLCurve("x", points)]), "sql", "sqlite") for points in (POINTS, LARGE)
    )
    assert "CAST" not in small[: small.index("WHEN `x` IS NULL")]
    assert "+`x`" not in large


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
        connection: Any = session.connection  # type: ignore[attr-defined]
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
