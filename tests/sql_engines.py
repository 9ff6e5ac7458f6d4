# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""The smallest way to run emitted SQL on a real engine: a table of the model's features, the query, its columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

import curvec
from curvec import CurveModel
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql import columns
from curvec.emit.sql_text import name, released

Rows = Mapping[str, npt.NDArray[Any]]
TYPES = {
    "sqlite": {"number": "REAL", "int": "INTEGER", "str": "TEXT", "bool": "INTEGER"},
    "duckdb": {"number": "DOUBLE", "int": "BIGINT", "str": "VARCHAR", "bool": "BOOLEAN"},
}


def connect(dialect: str) -> Any:
    """A fresh database in memory."""
    return sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect(config={"threads": 1})


def fill(connection: Any, dialect: str, rows: Rows, types: Mapping[str, str], table: str = "rows") -> None:
    """A table with those columns, NULL where a column is masked or None."""
    quoted = [released(name(DIALECTS[dialect], column)) for column in rows]
    declared = ", ".join(f"{column} {types[key]}" for column, key in zip(quoted, rows, strict=True))
    connection.execute(f"CREATE TABLE {table} ({declared})")
    values = list(zip(*(column.tolist() for column in rows.values()), strict=True))
    if dialect == "duckdb":
        insert_duckdb(connection, table, rows)
    elif values:
        marks = ", ".join("?" * len(rows))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)


def insert_duckdb(connection: Any, table: str, rows: Rows) -> None:
    """Through Arrow, by position: a prepared statement a row is slow."""
    import pyarrow as pa  # noqa: PLC0415  only this engine needs it

    arrays = [pa.array(column.tolist()) for column in rows.values()]
    connection.register("incoming", pa.table(arrays, names=[f"c{k}" for k in range(len(arrays))]))
    connection.execute(f"INSERT INTO {table} SELECT * FROM incoming")
    connection.unregister("incoming")


def fetch(connection: Any, text: str) -> npt.NDArray[np.float64]:
    """(rows, columns) of the query's result, NaN for NULL."""
    rows = connection.execute(text).fetchall()
    return np.array([[np.nan if value is None else value for value in row] for row in rows], dtype=np.float64)


def score(dialect: str, model: CurveModel, rows: Rows, **options: Any) -> dict[str, npt.NDArray[np.float64]]:
    """The columns that the emitted query returns for the rows, in their order."""
    connection = connect(dialect)
    types = {feature.name: TYPES[dialect][feature.type] for feature in model.features}
    count = len(next(iter(rows.values())))
    numbered = {**rows, ROW: np.arange(count)}
    fill(connection, dialect, numbered, {**types, ROW: TYPES[dialect]["int"]})
    given = {"per_term": True, "link": True, "key": [ROW], **options}
    text = curvec.emit(model, "sql", dialect=dialect, form="select", table="rows", **given)
    found = fetch(connection, text)
    connection.close()
    found = found[np.argsort(found[:, 0])]
    return dict(zip(columns(model, dialect=dialect, **given), found.T, strict=True))


ROW = "row number"


def expression(dialect: str, model: CurveModel, rows: Rows) -> npt.NDArray[np.float64]:
    """The emitted bare expression over the rows."""
    connection = connect(dialect)
    fill(connection, dialect, rows, {feature.name: TYPES[dialect][feature.type] for feature in model.features})
    found = fetch(connection, f"SELECT {curvec.emit(model, 'sql', dialect=dialect)} FROM rows")
    connection.close()
    return found[:, 0]


def assert_same(found: Sequence[float] | npt.NDArray[np.float64], wanted: npt.NDArray[np.float64]) -> None:
    """Equal in every bit; missing is missing; a zero has no sign, which engines do not keep."""
    np.testing.assert_array_equal(np.asarray(found), wanted)
