"""Numbers to text: the one place where a double becomes digits, for every target."""

from __future__ import annotations

import math

from curvec.errors import InputError

__all__ = ["shortest", "with_exponent", "with_point"]

_EXACT = 2**53


def shortest(value: float) -> str:
    """The fewest digits that read back as the same double; integers without a point: ``18``, ``0.5914``, ``1e+300``.

    Raises:
        InputError: the value is not finite.

    """
    if not math.isfinite(value):
        raise InputError(f"{value!r} has no literal; every number of a model is finite")
    number = float(value) + 0.0  # a plain float whatever numpy scalar came in, and no negative zero
    if number.is_integer() and abs(number) < _EXACT:
        return str(int(number))
    return repr(number)


def with_point(value: float) -> str:
    """As :func:`shortest`, and never an integer to a compiler: ``18.0``, ``1e+300``."""
    digits = shortest(value)
    return digits if any(mark in digits for mark in ".e") else f"{digits}.0"


def with_exponent(value: float, digits: int | None = None) -> str:
    """In scientific form, a double on every engine that tells doubles from decimals by the exponent.

    ``18e0``, ``5.914e-1``; with ``digits`` exactly that many significant digits (17 always read back).
    """
    if digits is not None:
        return f"{float(shortest(value)):.{digits - 1}e}"
    text = shortest(value)
    if "e" in text:
        return text.replace("e+", "e")
    return f"{text}e0"
