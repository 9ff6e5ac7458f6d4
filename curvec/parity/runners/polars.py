"""Polars' SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, decimal, double, integer, single, text
from curvec.parity.runners.optional import optional
from curvec.parity.runners.sql import Session, SqlRunner, labels

_NUMBERS = (
    single("Float32"),
    decimal("Decimal(15, 6)", 15, 6),
    decimal("Decimal(38, 12)", 38, 12),
    integer("Int32", 32),
    integer("UInt64", 64, signed=False),
    integer("Int8", 8),
)
_DOUBLE, _BIGINT = double("Float64"), integer("Int64", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS, boolean("Boolean")),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (text("String"), text("Categorical"), text("Enum")),
    "bool": (boolean("Boolean"), integer("Int8", 8), _BIGINT, _DOUBLE),
}


class PolarsRunner(SqlRunner):
    """Polars' SQLContext in this process."""

    name = "polars"
    dialect: ClassVar[str] = "polars"
    types = _TYPES
    packages = ("polars",)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        yield _Session(optional("polars").SQLContext(eager=True))


class _Session(Session):
    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        self.connection.register(table, optional("polars").DataFrame(list(map(polars_series, columns))))

    def query(self, sql: str) -> list[Sequence[Any]]:
        return list(self.connection.execute(sql).rows())


def polars_series(column: TableColumn) -> Any:
    """A column as a series of the type that its name says."""
    pl = optional("polars")
    name, _, arguments = column.type.name.rstrip(")").partition("(")
    kind = getattr(pl, name)
    if name == "Enum":
        kind = pl.Enum(labels(column))
    elif arguments:
        kind = kind(*map(int, arguments.split(",")))
    return pl.Series(column.name, list(column.values), kind)
