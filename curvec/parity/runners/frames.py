"""Tables of Python: lists, NumPy arrays, and frames of pandas, polars and pyarrow, with columns of every type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from curvec.fields import changed
from curvec.parity.runners.arrow import arrow_table
from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.column_types import (
    ColumnType,
    ColumnTypes,
    boolean,
    decimal,
    double,
    integer,
    single,
    text,
)
from curvec.parity.runners.optional import missing_packages, optional
from curvec.parity.runners.polars import polars_series


@cache
def frame_types() -> ColumnTypes:
    """The types of Python's own values, and of every library that is installed."""
    found = [_LISTS, _NUMPY]
    found += [types for library, types in _FRAMES.items() if missing_packages(library) is None]
    return {kind: [column for types in found for column in types[kind]] for kind in ("number", "int", "str", "bool")}


def frame(columns: Sequence[TableColumn]) -> Any:
    """The columns as what their library makes of them; those of Python and of NumPy are a mapping."""
    (library,) = {column.type.library for column in columns}
    return _MADE[library](columns)


def _lists(columns: Sequence[TableColumn]) -> Any:
    return {column.name: list(column.values) for column in columns}


def _numpy(columns: Sequence[TableColumn]) -> Any:
    return {column.name: _array(column) for column in columns}


def _array(column: TableColumn) -> Any:
    kind = column.type.name.removeprefix("numpy ")
    if kind == "str" and None not in column.values:
        return np.array(column.values)
    values = [np.nan if value is None and kind.startswith("float") else value for value in column.values]
    return np.array(values, dtype=kind)


def _pandas(columns: Sequence[TableColumn]) -> Any:
    pd = optional("pandas")
    series = {
        column.name: pd.Series(list(column.values), dtype=column.type.name.removeprefix("pandas "))
        for column in columns
    }
    return pd.DataFrame(series)


def _polars(columns: Sequence[TableColumn]) -> Any:
    return optional("polars").DataFrame([polars_series(_without_library(column)) for column in columns])


def _pyarrow(columns: Sequence[TableColumn]) -> Any:
    return arrow_table([_without_library(column) for column in columns])


def _without_library(column: TableColumn) -> TableColumn:
    kind = column.type
    return changed(column, type=changed(kind, name=kind.name.removeprefix(f"{kind.library} ")))


_MADE: dict[str, Callable[[Sequence[TableColumn]], Any]] = {
    "": _lists,
    "numpy": _numpy,
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
}
_DECIMAL = decimal("Decimal", 38, 12)
_LISTS: ColumnTypes = {
    "number": (double("float"), integer("int", 64), boolean("bool"), _DECIMAL),
    "int": (integer("int", 64), double("float"), _DECIMAL),
    "str": (text("str"),),
    "bool": (boolean("bool"), integer("int", 64), double("float")),
}


def _complete(kind: ColumnType, instead: Any) -> ColumnType:
    """A type without a missing value."""

    def nearest(value: Any) -> Any:
        held = kind.nearest(value)
        return instead if held is None else held

    return changed(kind, nearest=nearest)


def _types(
    library: str, floats: str, decimals: str, texts: Sequence[str], truth: str, integers: str = "int"
) -> ColumnTypes:
    """The types of a library, from what it calls them."""
    name = f"{library} {{}}".format
    numbers = [double(name(f"{floats}64"), library), single(name(f"{floats}32"), library)]
    numbers += [decimal(name(decimals), 38, 12, library)] if decimals else []
    whole = [integer(name(f"{integers}{bits}"), bits, library=library) for bits in (64, 8)]
    unsigned = f"U{integers}" if integers[0] == "I" else f"u{integers}"
    whole += [integer(name(f"{unsigned}{bits}"), bits, signed=False, library=library) for bits in (64, 8)]
    flag = boolean(name(truth), library)
    return {
        "number": (*numbers, *whole, flag),
        "int": (*whole, *numbers),
        "str": [text(name(kind), library) for kind in texts],
        "bool": (flag, *whole, *numbers[:2]),
    }


def _without_missing(types: ColumnTypes) -> ColumnTypes:
    instead: dict[str, Any] = {"number": 0.0, "int": 0, "bool": False}
    return {
        kind: [
            _complete(column, instead[kind]) if "int" in column.name or "bool" in column.name else column
            for column in found
        ]
        for kind, found in types.items()
    }


_NUMPY = _without_missing(_types("numpy", "float", "", ("object",), "bool"))
_FRAMES = {
    "pandas": _types("pandas", "Float", "object", ("object", "string", "category"), "boolean", "Int"),
    "polars": _types("polars", "Float", "Decimal(38, 12)", ("String", "Categorical", "Enum"), "Boolean", "Int"),
    "pyarrow": _types("pyarrow", "float", "decimal128(38, 12)", ("string", "large_string", "dictionary"), "bool"),
}
