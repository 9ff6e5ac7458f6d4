# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""form="function": the raw score as a function of the features, called on the engines that have such functions."""

from __future__ import annotations

import math
from typing import Any

import pytest
import sql_engines as engines
from golden_sql import MODEL as EVERY_NODE
from real_engines import SQL_ENGINES, by_engine, needed

import curvec
from curvec import CurveModel, EnumCurve, InputError, PWLCurve, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_text import name, unescaped

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=1.5)
MODEL = CurveModel("risk", [AGE, EnumCurve("sex", {"f": 1, "m": 2}, default=3)], 0.25, "logit")
ABLE = [engine for engine in SQL_ENGINES if DIALECTS.get(engine) and DIALECTS[engine].function and engine != "bigquery"]
"""BigQuery's evaluator takes queries only."""
DATA: dict[str, list[Any]] = {
    "age": [17.0, 20.5, 46.0, None, 30.0, math.inf],
    "priors count": [0.0, 2.5, None, 9.0, 10.0, 3.0],
    "charge": ["F", "M'", "Ünï\n", "f", None, "F"],
    "kind": [1, 2, 3, None, 1, 2],
    "felony": [True, False, True, False, True, None],
    "balance": [-2000.0, 0.0, 1e-7, 6.5, 12.0, 999.0],
    "score 2": [-1.0, 0.0, 0.125, 3.0, 8.7, 100.0],
    "post code": ["1000", "1199", "999", None, "1100", "1001"],
}


def run(session: Any, engine: str, text: str) -> None:
    """A statement that returns nothing."""
    if engine == "clickhouse":
        session.connection.query(text)
    elif engine == "spark":
        session.connection.sql(text.replace("CREATE FUNCTION", "CREATE TEMPORARY FUNCTION"))
    else:
        session.connection.execute(text.encode() if engine == "postgres" else text)


@by_engine("engine", ABLE)
def test_the_function_of_the_features_is_the_raw_score(engine: str) -> None:
    runner = needed(engine)
    data = {
        key: [46.0 if x == math.inf and not runner.limits.infinity else x for x in held] for key, held in DATA.items()
    }
    with runner.session() as session:
        columns = [runner.column(feature.name, feature.type, data[feature.name]) for feature in EVERY_NODE.features]
        session.load("people", [runner.column("k", "int", range(6)), *columns])
        run(session, engine, curvec.emit(EVERY_NODE, "sql", engine, form="function", comments=engine != "spark"))
        quoted = [unescaped(name(DIALECTS[engine], feature.name)) for feature in EVERY_NODE.features]
        called = unescaped(name(DIALECTS[engine], EVERY_NODE.name))
        found = sorted(session.query(f"SELECT k, {called}({', '.join(quoted)}) FROM people"))
    scores = [math.nan if row[1] is None else row[1] for row in found]
    if runner.log_ulps:
        assert scores == pytest.approx(EVERY_NODE.eval(data).tolist(), rel=1e-12, nan_ok=True)
    else:
        engines.assert_same(scores, EVERY_NODE.eval(data))


def test_a_function_can_be_defined_anew_under_another_name() -> None:
    with engines.connected("postgres") as connection:
        for value in (1.0, 2.0):
            model = CurveModel("m", [PWLCurve("age", [(0, value), (1, value)])])
            connection.execute(curvec.emit(model, "sql", "postgres", form="function", view="public.risk", replace=True))
            assert connection.execute("SELECT public.risk(0.5), risk(7)").fetchall() == [(value, value)]


def test_what_has_no_function_and_what_a_function_does_not_take_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"SQLite has no function that is an expression .*; use form='view'"):
        curvec.emit(MODEL, "sql", "sqlite", form="function")
    with pytest.raises(InputError, match="form='function' is one column of numbers and takes no link, table"):
        curvec.emit(MODEL, "sql", "duckdb", form="function", link=True, table="t")
    dollars = CurveModel("m", [EnumCurve("c", {"a$$b": 1.0})])
    with pytest.raises(UnsupportedError, match=r"holds \$\$, which ends a function's body in Snowflake; rename it"):
        curvec.emit(dollars, "sql", "snowflake", form="function")


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake", "databricks", "mysql"])
def test_functions_of_engines_that_cannot_run_here_are_read_by_sqlglot(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot", reason="pip install sqlglot")
    (tree,) = sqlglot.parse(curvec.emit(MODEL, "sql", dialect, form="function"), read=dialect)
    assert isinstance(tree, sqlglot.exp.Create)
    assert tree.kind == "FUNCTION"
