"""The runners by name: those of the languages that emit has a driver for, and the others, which are listed here."""

from __future__ import annotations

from curvec.emit import TARGETS
from curvec.emit.dialects import DIALECTS
from curvec.parity.runners.base import Data, Limits, Runner, Scores, StoredTable, TableColumn
from curvec.parity.runners.bigquery import BigqueryRunner
from curvec.parity.runners.bound import BoundRunner
from curvec.parity.runners.clickhouse import ClickhouseRunner
from curvec.parity.runners.column_types import ColumnType, ColumnTypes
from curvec.parity.runners.cpp import CppRunner
from curvec.parity.runners.datafusion import DatafusionRunner
from curvec.parity.runners.driven import DrivenRunner
from curvec.parity.runners.duckdb import DuckdbRunner
from curvec.parity.runners.h2 import H2Runner
from curvec.parity.runners.mariadb import MariadbRunner
from curvec.parity.runners.polars import PolarsRunner
from curvec.parity.runners.postgres import PostgresRunner
from curvec.parity.runners.python import PythonRunner
from curvec.parity.runners.spark import SparkRunner
from curvec.parity.runners.sql import SqlRunner
from curvec.parity.runners.sqlite import ApswRunner, SqliteRunner

__all__ = [
    "RUNNERS",
    "ColumnType",
    "ColumnTypes",
    "Data",
    "Limits",
    "Runner",
    "Scores",
    "StoredTable",
    "TableColumn",
]

_ALL: tuple[Runner, ...] = (
    PythonRunner("python", standalone=False),
    PythonRunner("python_standalone", standalone=True),
    CppRunner("cpp", standalone=False),
    CppRunner("cpp_standalone", standalone=True),
    BoundRunner(),
    *(DrivenRunner(name, target.suffix, target.driver) for name, target in TARGETS.items() if target.driver),
    SqliteRunner(),
    ApswRunner(),
    DuckdbRunner(),
    PostgresRunner(),
    MariadbRunner(),
    SparkRunner(),
    ClickhouseRunner(),
    DatafusionRunner(),
    PolarsRunner(),
    BigqueryRunner(),
    H2Runner(),
)

RUNNERS: dict[str, Runner] = {
    runner.name: runner for runner in _ALL if not isinstance(runner, SqlRunner) or runner.dialect in DIALECTS
}
