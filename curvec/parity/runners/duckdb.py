"""DuckDB, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, ClassVar

from curvec.ir import FeatureType
from curvec.parity.runners.optional import missing_packages, optional, package_version
from curvec.parity.runners.sql import Session, SqlRunner, TableColumn, doubled

__all__ = ["DuckdbRunner"]

_TYPES: dict[FeatureType, str] = {"number": "DOUBLE", "int": "BIGINT", "str": "VARCHAR", "bool": "BOOLEAN"}


class DuckdbRunner(SqlRunner):
    """DuckDB, in memory."""

    name = "duckdb"
    dialect: ClassVar[str] = "duckdb"

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return missing_packages("duckdb")

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        return package_version("duckdb")

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        duckdb = optional("duckdb")

        with closing(duckdb.connect()) as connection:
            yield _Session(connection)


class _Session:
    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        # Lists as parameters keep NaN apart from NULL, and need no Arrow.
        lists = ", ".join(f"unnest(CAST(? AS {_TYPES[column.type]}[])) AS {doubled(column.name)}" for column in columns)
        self.connection.execute(f"CREATE TABLE {doubled(table)} AS SELECT {lists}", [list(c.values) for c in columns])

    def query(self, sql: str) -> Iterable[Sequence[Any]]:
        rows: Iterable[Sequence[Any]] = self.connection.execute(sql).fetchall()
        return rows
