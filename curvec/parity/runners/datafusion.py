"""Apache DataFusion, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from curvec.parity.runners.arrow import arrow_table
from curvec.parity.runners.optional import missing_packages, optional, package_version
from curvec.parity.runners.sql import Session, SqlRunner, TableColumn

__all__ = ["DatafusionRunner"]


class DatafusionRunner(SqlRunner):
    """DataFusion in this process."""

    name = "datafusion"
    dialect: ClassVar[str] = "datafusion"

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return missing_packages("datafusion", "pyarrow")

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        return package_version("datafusion")

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        yield _Session(optional("datafusion").SessionContext())


class _Session:
    def __init__(self, context: Any) -> None:
        self.context = context

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        self.context.register_record_batches(table, [arrow_table(columns).to_batches()])

    def query(self, sql: str) -> Iterable[Sequence[Any]]:
        table = self.context.sql(sql).to_arrow_table()
        rows: Iterable[Sequence[Any]] = zip(*(column.to_pylist() for column in table.columns), strict=True)
        return rows
