"""Apache DataFusion, in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from curvec.parity.runners.arrow import arrow_rows, arrow_table
from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, decimal, double, integer, single, text
from curvec.parity.runners.optional import optional
from curvec.parity.runners.sql import Session, SqlRunner

_NUMBERS = (
    single("float32"),
    decimal("decimal128(15, 6)", 15, 6),
    integer("int32", 32),
    integer("uint64", 64, signed=False),
    integer("int8", 8),
)
_DOUBLE, _BIGINT = double("float64"), integer("int64", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS, boolean("bool")),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (text("string"), text("large_string"), text("string_view"), text("dictionary")),
    "bool": (boolean("bool"), integer("int8", 8), _BIGINT, _DOUBLE),
}


class DatafusionRunner(SqlRunner):
    """DataFusion in this process."""

    name = "datafusion"
    dialect: ClassVar[str] = "datafusion"
    types = _TYPES
    packages = ("datafusion", "pyarrow")

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        yield _Session(optional("datafusion").SessionContext())


class _Session(Session):
    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        self.connection.register_record_batches(table, [arrow_table(columns).to_batches()])

    def query(self, sql: str) -> list[Sequence[Any]]:
        return arrow_rows(self.connection.sql(sql).to_arrow_table())
