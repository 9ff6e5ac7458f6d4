"""ClickHouse, as the library chdb."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar

from curvec.ir import FeatureType
from curvec.parity.runners.arrow import arrow_table
from curvec.parity.runners.optional import missing_packages, optional
from curvec.parity.runners.sql import Session, SqlRunner, TableColumn

__all__ = ["ClickhouseRunner"]

_TYPES: dict[FeatureType, str] = {"number": "Float64", "int": "Int64", "str": "String", "bool": "Bool"}


class ClickhouseRunner(SqlRunner):
    """ClickHouse in this process, with its files in a temporary folder."""

    name = "clickhouse"
    dialect: ClassVar[str] = "clickhouse"
    log_ulps = 8.0  # a libm of its own, which rounds better than the C library's and so differently

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return missing_packages("chdb", "pyarrow")

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        with self.session() as session:
            ((version,),) = session.query("SELECT version()")
        return str(version)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        with (
            tempfile.TemporaryDirectory(prefix="curvec-ch-") as folder,
            closing(optional("chdb.session").Session(f"{folder}/data")) as session,
        ):
            yield _Session(session, Path(folder))


class _Session:
    def __init__(self, session: Any, folder: Path) -> None:
        self.session, self.folder = session, folder
        # The text of a large model is longer, and deeper, than the defaults allow.
        self.session.query(
            "SET max_query_size = 100000000, max_ast_elements = 10000000, max_expanded_ast_elements = 10000000"
        )

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        path = self.folder / "rows.arrow"
        arrow = arrow_table(columns)
        ipc = optional("pyarrow.ipc")
        with ipc.new_file(str(path), arrow.schema) as file:
            file.write_table(arrow)
        types = ", ".join(f"{_quoted(column.name)} Nullable({_TYPES[column.type]})" for column in columns)
        self.session.query(f"CREATE TABLE {_quoted(table)} ({types}) ENGINE = Memory")
        self.session.query(f"INSERT INTO {_quoted(table)} SELECT * FROM file('{path}', 'Arrow')")  # noqa: S608  our path

    def query(self, sql: str) -> Iterable[Sequence[Any]]:
        table = self.session.query(sql, "ArrowTable")
        rows: Iterable[Sequence[Any]] = zip(*(column.to_pylist() for column in table.columns), strict=True)
        return rows


def _quoted(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
