# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""A column that the table does not have is an error on every engine, in every form, whatever its name."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import jinja2
import pytest
from nightly import NIGHTLY
from real_engines import by_engine, needed

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_text import check_column_names, name, unescaped
from curvec.parity.runners.sql import Session

NAMES = [
    *("age", "t", "people", "rowid", "oid", "_rowid_", "user", "current_user", "current_date", "now", "today", "_part"),
    *("count", "max", "row_to_json", "ctid", "true", "null", "localtime", "current_catalog", "curvec_row", "_table"),
]
"""Ordinary ones, those of the tables and of rows, functions of a session, functions of a row, constants."""


def refused_or_wrong(session: Session, model: CurveModel, dialect: str, form: str) -> str:
    """What went through: "" where the emitter or the engine said that there is no such column."""
    options = {} if form == "expression" else {"table": "people"}
    try:
        text = curvec.emit(model, "sql", dialect, form=form, **options)
    except UnsupportedError:
        return ""
    if form == "expression":
        text = f"SELECT {text} FROM people"
    elif form == "view":
        text = text.partition(" AS\n")[2]
    elif form == "dbt":
        text = jinja2.Template(text).render(ref=lambda table: unescaped(name(DIALECTS[dialect], table)))
    try:
        session.query(text)
    except Exception:  # noqa: BLE001  whatever the driver calls it
        return ""
    (feature,) = model.features
    return f"{feature.name}, {feature.type}, as {form}"


@by_engine("engine")
def test_a_column_that_is_not_there_is_an_error(engine: str) -> None:
    runner = needed(engine)
    makers: list[Callable[[str], Any]] = [
        lambda feature: EnumCurve(feature, {"a": 1, "b": 2}, default=0, missing=0),
        lambda feature: PWLCurve(feature, [(0, 0), (1, 1)], missing=0.5),
        lambda feature: EnumCurve(feature, {1: 1, 2: 2}, default=0, missing=0),
    ]
    forms = ["expression", "select"] + ["view", "dbt"] * (engine in ("sqlite", "postgres"))
    wrong: list[str] = []
    with runner.session() as session:
        session.load("people", [runner.column("agee", "number", [1.0]), runner.column("b", "str", ["x"])])
        connection = getattr(session, "connection", None)
        if engine == "postgres":  # else the first error ends the transaction, and all that follows is an error too
            connection.commit()  # type: ignore[union-attr]
            connection.autocommit = True  # type: ignore[union-attr]
        try:
            used = makers[:1] if engine in ("spark", "bigquery") else makers  # slow planners
            models = [CurveModel("risk", [make(feature)]) for feature in NAMES for make in used]
            for form in forms:
                wrong += [
                    found for model in models if (found := refused_or_wrong(session, model, runner.dialect, form))
                ]
        finally:
            if engine == "postgres":
                connection.execute("DROP TABLE people")  # type: ignore[union-attr]
    if engine in ("postgres", "duckdb"):  # an expression does not know its table, and these make text of a whole row
        wrong.remove("people, str, as expression")
    assert not wrong


FUNCTIONS = {
    "clickhouse": "SELECT name FROM system.functions",
    "duckdb": "SELECT DISTINCT function_name FROM duckdb_functions()",
    "mariadb": "SELECT function FROM information_schema.sql_functions",
    "postgres": "SELECT DISTINCT proname::text FROM pg_proc",
    "sqlite": "SELECT DISTINCT name FROM pragma_function_list",
}
"""What each engine says that its functions are called."""


@pytest.mark.parametrize("engine", FUNCTIONS)
def test_no_function_of_an_engine_stands_in_for_a_column_that_is_not_there(engine: str) -> None:
    """Some are read without brackets, as the date of today, where no column is called so."""
    runner = needed(engine)
    dialect = DIALECTS[runner.dialect]
    found = []
    with runner.session() as session:
        session.load("people", [runner.column("agee", "number", [1.0])])
        connection = getattr(session, "connection", None)
        if engine == "postgres":
            connection.commit()  # type: ignore[union-attr]
            connection.autocommit = True  # type: ignore[union-attr]
        try:
            functions = sorted(session.query(FUNCTIONS[engine]))
            if engine == "clickhouse" and not NIGHTLY:  # 1,600, none of them read without brackets
                functions = functions[::12]
            for (function,) in functions:
                for feature in {function, function.lower(), function.upper()}:
                    with contextlib.suppress(Exception):
                        check_column_names(dialect, [feature], qualified=False)
                        session.query(f"SELECT {unescaped(name(dialect, feature))} FROM people")
                        found.append(feature)
        finally:
            if engine == "postgres":
                connection.execute("DROP TABLE people")  # type: ignore[union-attr]
    assert not found


def test_a_name_that_every_row_has_is_refused_by_what_it_is() -> None:
    curve = CurveModel("m", [PWLCurve("RowID", [(0, 0), (1, 1)])])
    with pytest.raises(UnsupportedError, match="the feature 'RowID' is something that every row has in SQLite"):
        curvec.emit(curve, "sql", "sqlite", form="select", table="t")
    session = CurveModel("m", [EnumCurve("user", {"a": 1})])
    with pytest.raises(UnsupportedError, match=r"'user' is a function of the session in Spark .* use form='select'"):
        curvec.emit(session, "sql", "spark")
    assert "t.`user`" in curvec.emit(session, "sql", "spark", form="select", table="t")
