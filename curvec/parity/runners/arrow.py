"""Columns as an Arrow table, for the engines that read one: exact doubles, NaN apart from NULL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curvec.parity.runners.optional import optional
from curvec.parity.runners.sql import TableColumn

__all__ = ["arrow_table"]


def arrow_table(columns: Sequence[TableColumn]) -> Any:
    """The columns as a pyarrow Table."""
    pa = optional("pyarrow")

    types = {"number": pa.float64(), "int": pa.int64(), "str": pa.string(), "bool": pa.bool_()}
    arrays = [pa.array(list(column.values), type=types[column.type]) for column in columns]
    return pa.table(arrays, names=[column.name for column in columns])
