"""Columns as an Arrow table, for engines that read one: doubles stay exact, and NaN and NULL different."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.optional import optional


def arrow_table(columns: Sequence[TableColumn], types: Mapping[str, str] = MappingProxyType({})) -> Any:
    """The columns as a pyarrow Table.

    Args:
        columns: the columns.
        types: for column types with another name in Arrow, that name.

    """
    arrays = [arrow_array(column, types.get(column.type.name, column.type.name)) for column in columns]
    return optional("pyarrow").table(arrays, names=[column.name for column in columns])


def arrow_rows(table: Any) -> list[Sequence[Any]]:
    """The rows of a pyarrow Table, as Python values."""
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def arrow_array(column: TableColumn, kind: str) -> Any:
    """A column as an array of an Arrow type, called as pyarrow's function for it: "int64", "decimal128(15, 6)"."""
    pa = optional("pyarrow")
    if kind == "dictionary":
        return pa.array(list(column.values), pa.string()).dictionary_encode()
    name, _, arguments = kind.rstrip(")").partition("(")
    return pa.array(list(column.values), getattr(pa, f"{name}_" if name == "bool" else name)(*_integers(arguments)))


def _integers(arguments: str) -> list[int]:
    return [int(argument) for argument in arguments.split(",") if argument]
