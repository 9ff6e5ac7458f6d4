"""ClickHouse, as the library chdb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar

from curvec.parity.runners.arrow import arrow_rows, arrow_table
from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, decimal, double, integer, single, text
from curvec.parity.runners.optional import optional
from curvec.parity.runners.scratch import scratch_folder
from curvec.parity.runners.sql import Session, SqlRunner, labels

_NUMBERS = (
    single("Float32"),
    decimal("Decimal(15, 6)", 15, 6),
    integer("Int32", 32),
    integer("UInt64", 64, signed=False),
    integer("UInt8", 8, signed=False),
)
_DOUBLE, _BIGINT = double("Float64"), integer("Int64", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT, *_NUMBERS, boolean("Bool")),
    "int": (_BIGINT, _DOUBLE, *_NUMBERS),
    "str": (text("String"), text("LowCardinality(String)"), text("Enum16")),
    "bool": (boolean("Bool"), integer("UInt8", 8, signed=False), _DOUBLE),
}

_SETTINGS = {"max_query_size": 10**8, "max_ast_elements": 10**7, "max_expanded_ast_elements": 10**7}
"""The text of a large model is longer, and deeper, than the defaults allow."""


class ClickhouseRunner(SqlRunner):
    """ClickHouse in this process, with its files in a temporary folder."""

    name = "clickhouse"
    dialect: ClassVar[str] = "clickhouse"
    most_labels: ClassVar[Mapping[str, int]] = {"Enum16": 32_767}  # numbered from 1, in 16 bits with a sign
    types = _TYPES
    packages = ("chdb", "pyarrow")
    version_query = "SELECT version()"
    log_ulps = 8.0  # a libm of its own, which rounds better than the C library's and so differently

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        with (
            scratch_folder("ch") as folder,
            closing(optional("chdb.session").Session(f"{folder}/data")) as session,
        ):
            yield _Session(session, Path(folder))


class _Session(Session):
    def __init__(self, connection: Any, folder: Path) -> None:
        super().__init__(connection)
        self.folder = folder
        self.connection.query("SET " + ", ".join(f"{name} = {value}" for name, value in _SETTINGS.items()))

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        path = self.folder / "rows.arrow"
        arrow = arrow_table(columns, _ARROW)
        ipc = optional("pyarrow.ipc")
        with ipc.new_file(str(path), arrow.schema) as file:
            file.write_table(arrow)
        types = ", ".join(f"{_quoted(column.name)} {_declared(column)}" for column in columns)
        self.connection.query(f"CREATE TABLE {_quoted(table)} ({types}) ENGINE = Memory")
        self.connection.query(f"INSERT INTO {_quoted(table)} SELECT * FROM file('{path}', 'Arrow')")  # noqa: S608  our path

    def query(self, sql: str) -> list[Sequence[Any]]:
        return arrow_rows(self.connection.query(sql, "ArrowTable"))


def _quoted(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


_ARROW = {
    "Float64": "float64",
    "Float32": "float32",
    "Decimal(15, 6)": "decimal128(15, 6)",
    "Bool": "bool",
    "String": "string",
    "LowCardinality(String)": "string",
    "Enum16": "string",
    **{f"{sign}Int{bits}": f"{sign.lower()}int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)},
}


def _declared(column: TableColumn) -> str:
    if column.type.name == "LowCardinality(String)":
        return "LowCardinality(Nullable(String))"
    if column.type.name == "Enum16":
        listed = ", ".join("'" + label.replace("\\", "\\\\").replace("'", "\\'") + "'" for label in labels(column))
        return f"Nullable(Enum16({listed}))"
    return f"Nullable({column.type.name})"
