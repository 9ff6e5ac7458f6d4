"""Numbers and strings as source text: the only place where a double becomes digits, for every target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

from curvec.contract import EXACT_INTEGERS
from curvec.errors import InputError, shown


def decimals(values: Iterable[float]) -> int:
    """How many digits after the point the values have at most, as they are printed."""
    return max([0, *(-int(Decimal(repr(float(value))).normalize().as_tuple().exponent) for value in values)])


def to_decimals(value: float, places: int) -> float:
    """A value rounded to so many digits after the point, halves away from 0; unchanged if it has no more digits."""
    if abs(value) >= _WHOLE or places > _MOST_PLACES:
        return value
    with localcontext() as context:
        context.prec = _MOST_PLACES + 25
        return float(Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)) + 0.0


def places_of(values: Sequence[float]) -> int:
    """How many digits after the point a new value among others gets: as many as they, or 3 digits of their range."""
    span = max(values) - min(values)
    own = decimals(values)
    return max(own, 2 - Decimal(repr(span)).adjusted()) if 0 < span < math.inf else own


def decimal_of(value: float, *operands: float) -> float:
    """A computed value, or the short decimal that it is but for rounding errors: 0.3 for 0.1 + 0.2.

    Args:
        value: a sum or a product of numbers that may be printed ones.
        operands: the numbers that were added, of whose size the rounding errors are.

    """
    short = rounded(value, 12) if math.isfinite(value) else value
    return short if abs(short - value) <= 2 * math.ulp(max(map(abs, (value, *operands)))) else value


_WHOLE, _MOST_PLACES = 1e21, 100
"""The limits of JavaScript's toFixed, with which the report's page rounds."""


def shortest(value: float) -> str:
    """The fewest digits that read back as the same double; integers without a point: ``18``, ``0.5914``, ``1e+300``.

    Raises:
        InputError: the value is not finite.

    """
    if not math.isfinite(value):
        raise InputError(f"{shown(value)} has no literal; every number of a model is finite")
    number = float(value) + 0.0  # a plain float whatever numpy scalar came in, and no negative zero
    if number.is_integer() and abs(number) < EXACT_INTEGERS:
        return str(int(number))
    return repr(number)


def with_point(value: float) -> str:
    """As :func:`shortest`, but never an integer literal: ``18.0``, ``1e+300``."""
    digits = shortest(value)
    return digits if any(mark in digits for mark in ".e") else f"{digits}.0"


def with_exponent(value: float, digits: int | None = None) -> str:
    """In scientific form, which engines that tell doubles from decimals by the exponent read as a double.

    ``18e0``, ``5.914e-1``; with ``digits`` exactly that many significant digits (17 always read back).
    """
    if digits is not None:
        return f"{float(shortest(value)):.{digits - 1}e}"
    text = shortest(value)
    if "e" in text:
        return text.replace("e+", "e")
    return f"{text}e0"


def rounded(value: float, digits: int) -> float:
    """The double nearest to ``value`` in that many significant decimal digits."""
    return float(f"{value:.{digits}g}") + 0.0


def quoted(text: str) -> str:
    """A Python string in double quotes, or in single ones where that takes fewer backslashes, as black writes it."""
    literal = repr(text)
    if literal[0] == '"' or text.count('"') > text.count("'"):
        return literal
    body = literal[1:-1].replace("\\'", "'").replace('"', '\\"')
    return f'"{body}"'


def listed(pieces: Iterable[str]) -> str:
    """Expressions as a list of them."""
    return f"[{', '.join(pieces)}]"


def literal(value: Any) -> str:
    """A name, a number, a list, a pair in a list, or a mapping as the Python expression of it; else its own text."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        return shortest(value)
    if isinstance(value, (Mapping, tuple)):
        return bracketed(value, elements(value))
    return str(value)


def elements(value: Sequence[Any] | Mapping[Any, Any]) -> list[str]:
    """Each element of a list, or entry of a mapping, as :func:`literal` writes it."""
    if isinstance(value, Mapping):
        return [f"{literal(key)}: {literal(item)}" for key, item in value.items()]
    return [f"({', '.join(map(literal, item))})" if isinstance(item, tuple) else literal(item) for item in value]


def bracketed(value: Sequence[Any] | Mapping[Any, Any], pieces: Iterable[str]) -> str:
    """The list or mapping of these elements, whichever the value is."""
    return f"{{{', '.join(pieces)}}}" if isinstance(value, Mapping) else listed(pieces)


def call(name: str, *positional: str, **named: str) -> str:
    """A call: named arguments whose text is empty are left out."""
    given = [f"{key}={value}" for key, value in named.items() if value]
    return f"{name}({', '.join([*positional, *given])})"
