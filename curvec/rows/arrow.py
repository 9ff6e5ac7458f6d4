"""Arrow columns as the arrays that a table takes: the same values, whatever the layout."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.conversion import Coded, objects
from curvec.rows.packages import pyarrow
from curvec.transforms import FloatArray

_EXACT_DIGITS = 15
"""Decimals of so many digits are integers over a power of ten, both doubles: one division rounds once."""


def array_of(column: Any) -> Any:
    """(rows,) the values of a pyarrow array.

    Numbers and booleans with gaps become float64 with NaN, where doubles hold them; text becomes codes
    (:class:`curvec.conversion.Coded`). What is none of these comes as Python's own values.
    """
    arrow = pyarrow()
    types = arrow.types
    kind = column.type
    if types.is_dictionary(kind):
        values = column.dictionary
        distinct = objects(values.to_pylist()) if _is_text(types, values.type) else array_of(values)
        return Coded(distinct, column.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False))
    if _is_text(types, kind):
        return array_of(column.dictionary_encode())
    if types.is_decimal128(kind) and kind.scale >= 0 and kind.precision <= _EXACT_DIGITS:
        return _decimals(column)
    if types.is_floating(kind) or (_is_plain(types, kind) and not column.null_count):
        return column.to_numpy(zero_copy_only=False)
    if _is_plain(types, kind):
        try:
            return column.cast("float64").to_numpy(zero_copy_only=False)
        except arrow.ArrowInvalid:
            pass  # an integer that no double holds; whoever wants numbers will say which
    return objects(column.to_pylist())


def arrow_doubles(values: FloatArray) -> Any:
    """(rows,) doubles as a pyarrow array, with null in the place of NaN."""
    return pyarrow().array(np.ascontiguousarray(values), from_pandas=True)


def _is_text(types: Any, kind: Any) -> bool:
    view = getattr(types, "is_string_view", lambda _: False)
    return bool(types.is_string(kind) or types.is_large_string(kind) or view(kind))


def _is_plain(types: Any, kind: Any) -> bool:
    return bool(types.is_integer(kind) or types.is_boolean(kind))


def _decimals(column: Any) -> Any:
    """Decimals of few digits: the low halves of their 128 bits are all of their digits."""
    data = column.buffers()[1]
    halves = np.frombuffer(data, dtype="<i8", count=2 * (column.offset + len(column)))
    whole = halves[2 * column.offset :: 2].astype(np.float64)
    values = whole / 10.0**column.type.scale
    if column.null_count:
        values[column.is_null().to_numpy(zero_copy_only=False)] = np.nan
    return values
