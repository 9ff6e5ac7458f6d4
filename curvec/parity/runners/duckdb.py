"""DuckDB, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, ClassVar

from curvec.parity.runners.arrow import arrow_table
from curvec.parity.runners.optional import missing_packages, optional
from curvec.parity.runners.sql import Session, SqlRunner, TableColumn, doubled

__all__ = ["DuckdbRunner"]


class DuckdbRunner(SqlRunner):
    """DuckDB, in memory."""

    name = "duckdb"
    dialect: ClassVar[str] = "duckdb"

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return missing_packages("duckdb", "pyarrow")

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
        self.connection.register("curvec_arrow", arrow_table(columns))
        self.connection.execute(f"CREATE TABLE {doubled(table)} AS SELECT * FROM curvec_arrow")  # noqa: S608

    def query(self, sql: str) -> Iterable[Sequence[Any]]:
        rows: Iterable[Sequence[Any]] = self.connection.execute(sql).fetchall()
        return rows
