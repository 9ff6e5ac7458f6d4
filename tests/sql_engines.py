# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""SQL on the engines in this process and on PostgreSQL: tables of any declared type, statements of any form."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
from real_engines import needed

from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_text import name, unescaped

__all__ = ["IN_PROCESS", "READ_AS", "assert_same", "connected", "fetch", "fill", "quoted"]

READ_AS = {"mariadb": "mysql", **dict.fromkeys(("datafusion", "polars", "oracle", "h2"), "postgres")}
"""Dialects that sqlglot reads as another one."""

IN_PROCESS = ["sqlite", "duckdb", "postgres"]
"""The engines whose connection takes any statement; the second half of their runner's session is not needed."""


@contextmanager
def connected(dialect: str) -> Iterator[Any]:
    """A connection to an empty database."""
    if dialect == "postgres":
        with needed("postgres").session() as session:
            yield session.connection
    else:
        made = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect(config={"threads": 1})
        with closing(made) as connection:
            yield connection


def quoted(dialect: str, text: str) -> str:
    """A name as the dialect writes it."""
    return unescaped(name(DIALECTS[dialect], text))


def fill(
    connection: Any, dialect: str, types: Mapping[str, str], rows: Sequence[Sequence[Any]], table: str = "rows"
) -> None:
    """A table of columns with their declared types."""
    declared = ", ".join(f"{quoted(dialect, column)} {kind}" for column, kind in types.items())
    connection.execute(f"CREATE TABLE {table} ({declared})")
    mark = "%s" if dialect == "postgres" else "?"
    insert = f"INSERT INTO {table} VALUES ({', '.join([mark] * len(types))})"
    cursor = connection.cursor() if dialect == "postgres" else connection
    if rows:
        cursor.executemany(insert, [tuple(row) for row in rows])


def fetch(connection: Any, text: str) -> npt.NDArray[np.float64]:
    """(rows, columns) of the query's result, NaN for NULL."""
    rows = connection.execute(text.encode() if not isinstance(connection, _TEXT) else text).fetchall()
    return np.array([[np.nan if value is None else value for value in row] for row in rows], dtype=np.float64)


_TEXT = (sqlite3.Connection, duckdb.DuckDBPyConnection)
"""Connections that take a string; psycopg reads marks of parameters in one."""


def assert_same(found: Any, wanted: Any) -> None:
    """Equal in every bit; missing is missing; a zero has no sign, which engines do not keep."""
    np.testing.assert_array_equal(np.asarray(found, dtype=np.float64), np.asarray(wanted, dtype=np.float64))
