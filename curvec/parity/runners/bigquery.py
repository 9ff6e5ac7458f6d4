"""GoogleSQL, BigQuery's language: its front end and reference evaluator, in the WebAssembly build of zetasql.

Types, names, errors, NULL and NaN behave as in BigQuery. LN and EXP are those of the WebAssembly build, so the last
digits of logarithms may differ from BigQuery's.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from curvec.parity.runners.base import Limits, TableColumn
from curvec.parity.runners.column_types import ColumnTypes, boolean, double, integer, text
from curvec.parity.runners.optional import optional, package_version
from curvec.parity.runners.sql import Session, SqlRunner

_DOUBLE, _BIGINT = double("FLOAT64"), integer("INT64", 64)
_TYPES: ColumnTypes = {
    "number": (_DOUBLE, _BIGINT),
    "int": (_BIGINT, _DOUBLE),
    "str": (text("STRING"),),
    "bool": (boolean("BOOL"), _BIGINT),
}
# What the evaluator calls the type, and where a value of it is.
_KINDS = {"FLOAT64": "TYPE_DOUBLE", "INT64": "TYPE_INT64", "STRING": "TYPE_STRING", "BOOL": "TYPE_BOOL"}
_FIELDS = {"FLOAT64": "double_value", "INT64": "int64_value", "STRING": "string_value", "BOOL": "bool_value"}


class BigqueryRunner(SqlRunner):
    """GoogleSQL in this process; the first run compiles it, which takes a minute, and caches the result on disk."""

    name = "bigquery"
    dialect: ClassVar[str] = "bigquery"
    types = _TYPES
    packages = ("zetasql", "wasmtime")
    log_ulps = 8.0  # the logarithm of the WebAssembly build's own library
    # "Returns an error if overflow occurs":
    # https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#arithmetic_operators
    limits = Limits(overflow=False)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """See :meth:`SqlRunner.session`."""
        try:
            yield _Session(_service())
        except Exception:
            _service.cache_clear()  # an instance that has trapped, as on a deep expression, answers nothing any more
            raise


class _Session(Session):
    def __init__(self, service: Any) -> None:
        super().__init__(service)
        self.api, self.types = optional("zetasql.api"), optional("zetasql.types")
        options = self.types.LanguageOptions.maximum_features()
        builtin = self.types.ZetaSQLBuiltinFunctionOptions(language_options=options)
        self.options = self.types.AnalyzerOptions(language_options=options)
        self.catalog = self.api.CatalogBuilder("curvec").with_builtin_functions(builtin)
        self.content: dict[str, Any] = {}

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        builder = self.api.TableBuilder(table)
        for column in columns:
            builder = builder.add_column(column.name, getattr(self.types.TypeKind, _KINDS[column.type.name]))
        self.catalog = self.catalog.add_table(builder.build())
        cells = [[self.cell(column, value) for value in column.values] for column in columns]
        rows = [self.types.TableData.Row(cell=list(row)) for row in zip(*cells, strict=True)]
        self.content[table] = self.types.TableContent(table_data=self.types.TableData(row=rows))

    def cell(self, column: TableColumn, value: Any) -> Any:
        return self.types.Value() if value is None else self.types.Value(**{_FIELDS[column.type.name]: value})

    def query(self, sql: str) -> list[Sequence[Any]]:
        builder = self.api.PreparedQuery.builder().set_service(self.connection).set_sql(sql)
        builder = builder.set_analyzer_options(self.options).set_catalog(self.catalog.build())
        with builder.set_table_content(self.content).prepare() as query:
            rows = query.execute().content.table_data.row
        return [[_plain(cell) for cell in row.cell] for row in rows]


def _plain(cell: Any) -> Any:
    given = (getattr(cell, field) for field in (*_FIELDS.values(), "bytes_value"))
    return next((value for value in given if value is not None), None)


@cache
def _service() -> Any:
    """The engine; compiled once for each version and kept in the cache folder."""
    client, wasmtime = optional("zetasql.core.wasm_client"), optional("wasmtime")
    version = "-".join(map(package_version, ("zetasql", "wasmtime")))
    original = client.Module, client.Config
    client.Module, client.Config = _Modules(wasmtime, _cache_folder() / f"{version}.cwasm"), lambda: _config(wasmtime)
    local = optional("zetasql.core.local_service").ZetaSqlLocalService
    try:
        local._instance = local()  # noqa: SLF001  the one that its options ask, too
    finally:
        client.Module, client.Config = original
    return local._instance  # noqa: SLF001


def _config(wasmtime: Any) -> Any:
    config = wasmtime.Config()
    config.cranelift_opt_level = "none"  # a fifth of the time to compile
    return config


def _cache_folder() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "curvec" / "zetasql"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class _Modules:
    """Stands where zetasql looks for wasmtime's Module: compiles a file once, and later reads what was compiled."""

    def __init__(self, wasmtime: Any, compiled: Path) -> None:
        self.wasmtime, self.compiled = wasmtime, compiled

    def from_file(self, engine: Any, path: str) -> Any:
        if self.compiled.exists():
            return self.wasmtime.Module.deserialize_file(engine, str(self.compiled))
        module = self.wasmtime.Module.from_file(engine, path)
        with tempfile.NamedTemporaryFile(dir=self.compiled.parent, delete=False) as file:
            file.write(module.serialize())
        Path(file.name).replace(self.compiled)
        return module
