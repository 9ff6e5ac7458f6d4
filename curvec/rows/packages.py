"""The packages that read rows, which are extras."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from curvec.errors import MissingDependencyError


def pyarrow() -> Any:
    """The package pyarrow, for batches.

    Raises:
        MissingDependencyError: it is not installed.

    """
    return _needed("pyarrow", "rows in files and streams are read by pyarrow")


def duckdb() -> Any:
    """The package duckdb, for files.

    Raises:
        MissingDependencyError: it is not installed.

    """
    return _needed("duckdb", "Parquet and CSV files are read by DuckDB")


def _needed(package: str, why: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise MissingDependencyError(f"{why}: pip install 'curvec[sql]'") from None
