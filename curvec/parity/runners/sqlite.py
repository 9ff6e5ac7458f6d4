"""SQLite: the library that Python links, and the newer one that apsw carries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import ClassVar

from curvec.parity.runners.base import Limits, TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, double, integer, single, text
from curvec.parity.runners.optional import optional
from curvec.parity.runners.sql import Session, SqlRunner, declared, doubled

# The declared type says which values a column prefers; NUMERIC and no type take both integers and floats, as they come:
# https://www.sqlite.org/datatype3.html
_REAL, _INTEGER = double("REAL"), integer("INTEGER", 64)
_TYPES: ColumnTypes = {
    "number": (_REAL, _INTEGER, double("NUMERIC"), single("FLOAT"), double("no type"), boolean("BOOLEAN")),
    "int": (_INTEGER, _REAL, double("NUMERIC"), integer("no type", 64)),
    "str": (text("TEXT"), text("VARCHAR(n)"), text("CHAR(n)"), text("no type")),
    "bool": (boolean("INTEGER"), boolean("BOOLEAN"), double("REAL"), double("no type")),
}


class SqliteRunner(SqlRunner):
    """The SQLite of the standard library, in memory."""

    name = "sqlite"
    dialect: ClassVar[str] = "sqlite"
    types = _TYPES
    limits = Limits(nan=False)  # a NaN is stored as NULL

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        with closing(sqlite3.connect(":memory:")) as connection:
            try:
                connection.execute("SELECT LN(1.0)")
            except sqlite3.OperationalError:
                return f"SQLite {sqlite3.sqlite_version} was built without its mathematical functions; pip install apsw"
        return None

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        return sqlite3.sqlite_version

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        with closing(sqlite3.connect(":memory:")) as connection:
            yield _Session(connection)


class ApswRunner(SqlRunner):
    """The SQLite that apsw carries, in memory."""

    name = "apsw"
    dialect: ClassVar[str] = "sqlite"
    types = _TYPES
    packages = ("apsw",)
    limits = SqliteRunner.limits

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        return str(optional("apsw").sqlite_lib_version())

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        apsw = optional("apsw")

        with closing(apsw.Connection(":memory:")) as connection:
            yield _Session(connection)


class _Session(Session):
    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        types = ", ".join(f"{doubled(column.name)} {declared(column).replace('no type', '')}" for column in columns)
        self.connection.execute(f"CREATE TABLE {doubled(table)} ({types})")
        holes = ", ".join("?" for _ in columns)
        rows = zip(*(column.values for column in columns), strict=True)
        insert = f"INSERT INTO {doubled(table)} VALUES ({holes})"  # noqa: S608  only quoted names
        self.connection.execute("BEGIN")
        self.connection.cursor().executemany(insert, rows)
        self.connection.execute("COMMIT")
