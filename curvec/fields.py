"""Records as values: a copy with some fields different, a dict, and what the fields of a node must be."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import msgspec

from curvec.checks import is_real, is_whole
from curvec.errors import InputError, shown

StructT = TypeVar("StructT", bound=msgspec.Struct)


def changed(value: StructT, **fields: Any) -> StructT:
    """The node, model or other record with some fields different, constructed anew so that every check runs.

    (``msgspec.structs.replace`` runs none before msgspec 0.21.)

    Raises:
        InputError: a rule of the class is broken.

    """
    return type(value)(**{name: getattr(value, name) for name in value.__struct_fields__} | fields)


def plain(record: msgspec.Struct) -> dict[str, Any]:
    """A record as a dict, with the records in its fields, tuples and lists as dicts too: what JSON can hold."""

    def of(value: Any) -> Any:
        if isinstance(value, msgspec.Struct):
            return plain(value)
        return type(value)(map(of, value)) if type(value) in (list, tuple) else value

    return {name: of(getattr(record, name)) for name in record.__struct_fields__}


def number(value: Any, what: str) -> float:
    """``value`` as a finite float, exactly; -0.0 becomes 0.0.

    Raises:
        InputError: not a real number, not finite, or an integer that no double holds.

    """
    if type(value) is float and math.isfinite(value):
        return value + 0.0
    if not is_real(value):
        raise InputError(f"{what} is {shown(value)}; it must be a number")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise InputError(f"{what} is {shown(value)}; it must be finite")
    if is_whole(value) and int(result) != int(value):
        raise InputError(f"{what} is {shown(value)}, which no double holds; the nearest is {result!r}")
    return result + 0.0


def text(value: Any, what: str) -> str:
    """``value`` as text that UTF-8 can hold.

    Raises:
        InputError: not a string, or a string with a lone surrogate.

    """
    if not isinstance(value, str):
        raise InputError(f"{what} is {shown(value)}; it must be a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} is {shown(value)}, which is not valid Unicode (a lone surrogate)") from None
    return str(value)


def sequence(values: Any, what: str) -> tuple[Any, ...]:
    """``values`` as a tuple.

    Raises:
        InputError: they cannot be iterated over.

    """
    try:
        return tuple(values)
    except TypeError:
        raise InputError(f"{what} are {shown(values)}; pass a list") from None
