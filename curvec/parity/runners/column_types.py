"""The column types that can hold a feature: the name that an engine has for each, and the values that it holds.

In a database a feature has the type that its owner chose: an integer category is a BIGINT, or a DOUBLE because some
rows are missing. Parity tests a target with each type, on the values that the type can hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal
from functools import cache
from typing import Any, TypeAlias

import msgspec
import numpy as np

from curvec.conversion import is_missing
from curvec.ir import FeatureType

Held: TypeAlias = Callable[[Any], Any]
"""From a value that is wanted, or None, to the nearest one that a type holds."""

_EXACT = 2**53
_WIDE = Context(prec=400)


class ColumnType(msgspec.Struct, frozen=True):
    """A type of a column.

    Attributes:
        name: what the engine or the library calls it.
        nearest: from a wanted value (float, int, str or bool) to the nearest one that the type holds; None, a missing
            value, if it holds none.
        stored: from a value that the type holds to the form in which a driver or library takes it.
        library: the library, if the type is one of a library's data frames.

    """

    name: str
    nearest: Held
    stored: Held
    library: str = ""


ColumnTypes: TypeAlias = Mapping[FeatureType, Sequence[ColumnType]]
"""The types that can hold a feature of each type; the first is the one that a user would choose."""


def same(value: Any) -> Any:
    """The value itself."""
    return value


def double(name: str, library: str = "") -> ColumnType:
    """A double; an integer category as such a number."""
    return ColumnType(name, _double, _as(float), library)


def single(name: str, library: str = "") -> ColumnType:
    """A 32-bit float; an integer category as such a number, which is rounded beyond 2**24."""
    return ColumnType(name, _single, _as(float), library)


@cache
def integer(name: str, bits: int, *, signed: bool = True, library: str = "") -> ColumnType:
    """An integer of at most 2**53 in size, as the model's numbers are doubles."""
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)

    def nearest(value: Any) -> Any:
        if is_missing(value):
            return None
        if isinstance(value, int) and not isinstance(value, bool):
            return min(max(value, low), high)
        whole = round(min(max(value, -_EXACT), _EXACT))
        return type(value)(min(max(whole, low), high))

    return ColumnType(name, nearest, _as(int), library)


@cache
def decimal(name: str, digits: int, places: int, library: str = "") -> ColumnType:
    """A decimal number of so many digits, some of them after the point."""
    step = Decimal(1).scaleb(-places)
    largest = Decimal(10**digits - 1).scaleb(-places, context=_WIDE)

    def stored(value: Any) -> Any:
        if is_missing(value):
            return None
        if math.isinf(value):
            return largest.copy_sign(Decimal(value))
        rounded = Decimal(value).quantize(step, context=_WIDE)
        return min(max(rounded, largest.copy_negate()), largest) if rounded else abs(rounded)  # no negative zero

    def nearest(value: Any) -> Any:
        rounded = stored(value)
        return None if rounded is None else type(value)(rounded)

    return ColumnType(name, nearest, stored, library)


def boolean(name: str, library: str = "") -> ColumnType:
    """False and True; under a curve 0 and 1."""
    return ColumnType(name, _truth, _as(bool), library)


def text(name: str, library: str = "") -> ColumnType:
    """Any text."""
    return ColumnType(name, same, same, library)


def char(name: str) -> ColumnType:
    """Text of a fixed length, padded with blanks, so that blanks at the end of a text do not count."""
    return ColumnType(name, lambda value: None if value is None else value.rstrip(" "), same)


def _as(kind: type) -> Held:
    """The value as another type of Python."""
    return lambda value: None if value is None else kind(value)


def _double(value: Any) -> Any:
    return int(float(value)) if isinstance(value, int) and not isinstance(value, bool) else value


def _single(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    with np.errstate(over="ignore"):
        return type(value)(float(np.float32(value)))


def _truth(value: Any) -> Any:
    if is_missing(value):
        return None
    return value if isinstance(value, bool) else type(value)(value >= 0.5)
