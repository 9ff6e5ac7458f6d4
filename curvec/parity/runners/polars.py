"""Polars' SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from curvec.parity.runners.optional import missing_packages, optional, package_version
from curvec.parity.runners.sql import Session, SqlRunner, TableColumn

__all__ = ["PolarsRunner"]


class PolarsRunner(SqlRunner):
    """Polars' SQLContext in this process."""

    name = "polars"
    dialect: ClassVar[str] = "polars"

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return missing_packages("polars")

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        return package_version("polars")

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        yield _Session(optional("polars"))


class _Session:
    def __init__(self, polars: Any) -> None:
        self.polars = polars
        self.context = polars.SQLContext(eager=True)

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        pl = self.polars
        types = {"number": pl.Float64, "int": pl.Int64, "str": pl.String, "bool": pl.Boolean}
        series = [pl.Series(column.name, list(column.values), types[column.type]) for column in columns]
        self.context.register(table, pl.DataFrame(series))

    def query(self, sql: str) -> Iterable[Sequence[Any]]:
        rows: Iterable[Sequence[Any]] = self.context.execute(sql).rows()
        return rows
