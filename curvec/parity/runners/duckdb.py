"""DuckDB, in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import ClassVar

from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, decimal, double, integer, single, text
from curvec.parity.runners.optional import optional
from curvec.parity.runners.sql import Session, SqlRunner, declared, doubled, labels

_NUMBERS = (
    single("FLOAT"),
    decimal("DECIMAL(15,6)", 15, 6),
    decimal("DECIMAL(38,12)", 38, 12),
    integer("HUGEINT", 64),
    integer("UBIGINT", 64, signed=False),
    integer("INTEGER", 32),
    integer("TINYINT", 8),
)
_DOUBLE, _BIGINT = double("DOUBLE"), integer("BIGINT", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS, boolean("BOOLEAN")),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (text("VARCHAR"), text("ENUM"), text("CHAR(n)")),
    "bool": (boolean("BOOLEAN"), integer("TINYINT", 8), _BIGINT, _DOUBLE, single("FLOAT")),
}


class DuckdbRunner(SqlRunner):
    """DuckDB, in memory."""

    name = "duckdb"
    dialect: ClassVar[str] = "duckdb"
    types = _TYPES
    packages = ("duckdb",)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        duckdb = optional("duckdb")

        with closing(duckdb.connect()) as connection:
            yield _Session(connection)


class _Session(Session):
    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        # Lists as parameters keep NaN apart from NULL, and need no Arrow.
        lists = ", ".join(f"unnest(CAST(? AS {_declared(column)}[])) AS {doubled(column.name)}" for column in columns)
        self.connection.execute(f"CREATE TABLE {doubled(table)} AS SELECT {lists}", [list(c.values) for c in columns])


def _declared(column: TableColumn) -> str:
    if column.type.name == "ENUM":
        return f"ENUM({', '.join(doubled(label, chr(39)) for label in labels(column))})"
    return declared(column)
