# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""Curves nested in curves cost what they say, once; conditions reach the tables' indexes through views all the same.

Engines that copy a subquery's expressions to their every use would make exponentially many of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sql_engines as engines
from real_engines import needed

import curvec
from curvec import CurveModel, EnumCurve, Line, PWLCurve, Sum

POINTS = [(0, 0), (1, 1), (2, 1.5), (3, 0.5), (4, 2)]
HELD = [-1.0, 0.0, 0.3, 1.0, 2.5, 3.99, 4.0, 1e9, None]


def nested(depth: int) -> CurveModel:
    """A curve of a sum of a curve of a sum ...; beside it a text, which PostgreSQL gives a collation."""
    term: Any = PWLCurve("x", POINTS, missing=0.25)
    for _ in range(depth):
        term = PWLCurve(Sum([term, Line("x")]), POINTS, missing=0.75)
    return CurveModel("m", [term, EnumCurve("c", {"a": 1.0}, default=0.5, missing=0.125)], 0.5, "logit")


def planned_by_sqlite(execute: Callable[[str], list[Any]], query: str) -> str:
    return "\n".join(map(str, execute(f"EXPLAIN {query}")))


def planned_by_postgres(execute: Callable[[str], list[Any]], query: str) -> str:
    return "\n".join(row[0] for row in execute(f"EXPLAIN VERBOSE {query}"))


def planned_by_mariadb(execute: Callable[[str], list[Any]], query: str) -> str:
    """The steps, and the query as it was rewritten."""
    steps = execute(f"EXPLAIN EXTENDED {query}")
    return "\n".join(map(str, [*steps, *execute("SHOW WARNINGS")]))


PLANS = {"sqlite": planned_by_sqlite, "postgres": planned_by_postgres, "mariadb": planned_by_mariadb}


@pytest.mark.parametrize("form", ["select", "view", "dbt"])
@pytest.mark.parametrize("engine", PLANS)
def test_a_plan_grows_with_the_depth_of_nesting_and_no_faster(engine: str, form: str) -> None:
    sizes = {}
    for depth in (2, 4, 8):
        with needed(engine).session() as session:
            database: Any = session.connection

            def execute(text: str, database: Any = database, engine: str = engine) -> list[Any]:
                done = database.execute(text.encode() if engine == "postgres" else text)
                rows: list[Any] = (database if engine == "mariadb" else done).fetchall()
                return rows

            quote = "`" if engine != "postgres" else '"'
            types = "k integer primary key, x double precision, c varchar(9)"
            database.execute(f"CREATE TABLE people ({types})")
            values = ", ".join(f"({k}, {'NULL' if x is None else x}, 'a')" for k, x in enumerate(HELD))
            database.execute(f"INSERT INTO people VALUES {values}")
            model = nested(depth)
            text = curvec.emit(model, "sql", engine, form=form, table="people", key=["k"], link=True)
            text = text.partition(" AS\n")[2] if form == "view" else text
            text = text.replace("{{ ref('people') }}", f"{quote}people{quote}")
            sizes[depth] = len(PLANS[engine](execute, text))
            found = sorted(execute(text))
            engines.assert_same([row[1] for row in found], model.eval({"x": HELD, "c": ["a"] * len(HELD)}))
            if form != "select" or engine == "sqlite":
                plan = PLANS[engine](execute, f"SELECT * FROM ({text}) scored WHERE k = 7")
                wanted = {
                    "sqlite": "SeekRowid",
                    "postgres": "Index Cond: (people.k = 7)",
                    "mariadb": "'const', 'PRIMARY'",
                }
                if engine == "postgres":  # which reads a table of so few rows as a whole
                    database.execute("SET enable_seqscan = off")
                    plan = PLANS[engine](execute, f"SELECT * FROM ({text}) scored WHERE k = 7")
                assert wanted[engine].lower() in plan.lower().replace("curvec_row.k", "people.k")
    assert sizes[8] < 2.5 * sizes[4] < 2.5 * 2.5 * sizes[2]
