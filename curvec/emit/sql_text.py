"""Numbers, names and strings as a dialect writes them; what it cannot hold is refused by name."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from curvec.emit.dialect import Dialect
from curvec.emit.environment import render
from curvec.emit.names import comment_text
from curvec.emit.sql_words import RESERVED
from curvec.errors import UnsupportedError
from curvec.spelling import shortest, with_exponent

_NEAR = Fraction(45, 100)
"""Distance to its double, in that of the next double, that a shortest literal may have for a careful reader.

17 digits are never further off than 0.36.
"""


_MARKS = [*map(chr, range(128)), "\x85", "\u2028", "\u2029"]
_ESCAPED = {ord(mark): 0xDC00 + place for place, mark in enumerate(_MARKS)}
_UNESCAPED = {held: mark for mark, held in _ESCAPED.items()}
"""ASCII and line ends in names, strings and comments while the text is laid out: as lone surrogates, which none of them
holds, so that nothing inside them is taken for SQL, or for the end of a line to be indented."""


def unescaped(text: str) -> str:
    """The text once it is laid out, with its names, strings and comments back in place."""
    return text.translate(_UNESCAPED)


def lay_out(template: str, **prepared: Any) -> str:
    """A template's text without its last line end: a part of an expression."""
    return render(template, **prepared).removesuffix("\n")


class Part(msgspec.Struct, frozen=True):
    """An expression and the comment above it."""

    text: str
    comment: str = ""


class Arm(msgspec.Struct, frozen=True):
    """``WHEN when THEN then``, and the comment above it."""

    when: str
    then: str
    comment: str = ""


def case(arms: Iterable[Arm], otherwise: str = "NULL") -> str:
    """The value of the first arm that holds."""
    return lay_out("sql/case.sql.jinja", arms=list(arms), otherwise=otherwise)


def joined(sign: str, parts: Sequence[Part]) -> str:
    """The parts with an operator between them, in parentheses."""
    return lay_out("sql/joined.sql.jinja", sign=f"{sign} ", parts=parts)


def in_brackets(text: str, function: str = "") -> str:
    """The text in parentheses, behind a function's name where there is one; on lines of its own if it has more."""
    if "\n" not in text:
        return f"{function}({text})"
    return lay_out("sql/call.sql.jinja", function=function, arguments=[text])


def literal(dialect: Dialect, value: float) -> str:
    """A double that the engine reads back to the bit, whatever stands beside it: ``18e0``, ``0.72::float8``."""
    if value and abs(value) < dialect.least:
        raise UnsupportedError(f"{value!r} is a number that {dialect.title} does not hold; round it to zero")
    low, high = dialect.exact_literals
    if value and not low <= abs(value) <= high:
        return _with_powers_of_two(dialect, value)
    if dialect.needs_exponent:
        return with_exponent(value) + dialect.suffix
    text = shortest(value).replace("e+", "e")
    if dialect.careful_digits and abs(Fraction(text) - Fraction(value)) > _NEAR * Fraction(math.ulp(value)):
        text = _of_17_digits(value)
    is_integer = not any(mark in text for mark in ".e")
    return f"{text}.0" if is_integer and not dialect.suffix else text + dialect.suffix


def operand(dialect: Dialect, value: float) -> str:
    """A number beside a double in an operation, so that the engine takes it for a double, too: ``18``.

    Where columns are read without a cast, one may hold integers: beside 18.0 those are doubles.
    """
    if _is_small_integer(value) and not dialect.raw_column:
        return shortest(value)
    text = shortest(value)
    plain = "e" not in text and len(Decimal(text).as_tuple().digits) <= dialect.plain_digits
    return text if plain else literal(dialect, value)


def comparand(dialect: Dialect, value: float) -> str:
    """A number that a double, or a column of integers, is compared with."""
    return shortest(value) if _is_small_integer(value) else operand(dialect, value)


def _is_small_integer(value: float) -> bool:
    return float(value).is_integer() and abs(value) < 2**31


def _of_17_digits(value: float) -> str:
    """The digits that are nearest to a double, without an exponent where that is as short: ``0.019800000000000002``."""
    text = with_exponent(value, 17).replace("e+", "e")
    return f"{Decimal(text):f}" if 1e-5 < abs(value) < 1e17 else text


def _with_powers_of_two(dialect: Dialect, value: float) -> str:
    """An integer times powers of two, each of which the engine reads exactly, as every product on the way is exact."""
    numerator, denominator = value.as_integer_ratio()
    power = (numerator & -numerator).bit_length() - 1
    whole, shift = numerator >> power, power - (denominator.bit_length() - 1)
    steps = [_STEP] * (abs(shift) // _STEP) + [abs(shift) % _STEP]
    factors = [with_exponent(2.0**step) + dialect.suffix for step in steps if step]
    sign = " * " if shift > 0 else " / "
    return f"({sign.join([with_exponent(whole) + dialect.suffix, *factors])})"


_STEP = 50
"""The largest power of two that is written as one literal: 16 digits."""


def plus(dialect: Dialect, left: str, value: float) -> str:
    """``left + value``, of which ``left`` is a double; a negative value is subtracted, to be read."""
    sign, size = ("-", -value) if value < 0 else ("+", value)
    return f"{left} {sign} {operand(dialect, size)}"


def minus(dialect: Dialect, left: str, value: float) -> str:
    """``left - value``, as :func:`plus`; nothing for a zero, which changes no bit that is looked at."""
    return left if value == 0 else plus(dialect, left, -value)


def times(dialect: Dialect, start: float, slope: float, run: str) -> str:
    """``start + slope * run``, as :func:`plus`; ``run`` is a double, and so both numbers are."""
    return f"{plus(dialect, operand(dialect, start), slope)} * {run}"


def name(dialect: Dialect, text: str) -> str:
    """An identifier, in quotes where it would be another one, or none, without them.

    Without quotes are lower-case letters, digits and underscores that no engine reserves. Every engine reads them alike
    in quotes and without, but for those that keep a name without quotes in capitals: there such a name is that of what
    was created without quotes.

    Raises:
        UnsupportedError: the dialect has no spelling for it; the message says why.

    """
    if reason := _name_refusal(dialect, text):
        raise UnsupportedError(f"the name {_shortened(text)} {reason} in {dialect.title}; rename the column")
    spelled, in_quotes = spelling(dialect, text)
    if not in_quotes:
        return spelled
    opening, closing = dialect.quotes
    escaped = "".join(dialect.name_escapes.get(mark, mark) for mark in spelled)
    return opening + escaped.translate(_ESCAPED) + closing


def spelling(dialect: Dialect, text: str) -> tuple[str, bool]:
    """A name as it is written, and whether in quotes."""
    kept = _as_kept(dialect, text)
    plain = kept.lower() if dialect.capitals else kept
    reserved = plain in RESERVED or plain in dialect.reserved
    alike = kept == _as_kept(dialect, plain) and _PLAIN.fullmatch(plain) and not reserved
    return (plain, False) if alike and not dialect.quotes_all else (kept, True)


_PLAIN = re.compile("[a-z][a-z0-9_]*")
"""What every engine takes for a name without quotes, unless it reserves the word."""


def _as_kept(dialect: Dialect, text: str) -> str:
    """The name as the engine keeps it."""
    return text.upper() if dialect.capitals and not dialect.quotes_all and _PLAIN.fullmatch(text) else text


def _name_refusal(dialect: Dialect, text: str) -> str:  # noqa: PLR0911  one return a rule
    if "\0" in text:
        return "holds a NUL character, which no identifier can"
    if any("\ud800" <= mark <= "\udfff" for mark in text):
        return "holds half of a surrogate pair, which no text can"
    if not text and not dialect.name_empty:
        return "is empty, which no identifier can be"
    if held := next((mark for mark in dialect.name_refused if mark in text), ""):
        return f"holds {held!r}, which no identifier can"
    if not dialect.name_edges and (text[:1] == " " or text.rstrip(" \t\n\v\f\r") != text):
        return "begins or ends with a blank, which no identifier can"
    if not dialect.name_edges and _is_control(text[:1] or " "):
        return "begins with a control character, which a column of a query loses"
    if not dialect.name_astral and any(ord(mark) > 0xFFFF for mark in text):
        return "holds a character beyond the basic plane of Unicode, which no identifier can"
    size = _name_size(dialect, text)
    if dialect.name_limit is not None and size > dialect.name_limit:
        return f"has {size} {dialect.name_unit}, and an identifier has at most {dialect.name_limit}"
    return ""


def _name_size(dialect: Dialect, text: str) -> int:
    return len(text.encode()) if dialect.name_unit == "bytes" else len(text)


def with_ending(dialect: Dialect, text: str, ending: str) -> str:
    """A name and its ending, the name cut where both together are longer than the engine takes."""
    while dialect.name_limit is not None and _name_size(dialect, text + ending) > dialect.name_limit:
        text = text[:-1]
    return text + ending


def fold_case(dialect: Dialect, text: str) -> str:
    """What two spellings of one identifier have in common for the engine."""
    if dialect.folds == "nothing":
        return _as_kept(dialect, text)
    if dialect.folds == "ascii":
        return "".join(mark.lower() if mark.isascii() else mark for mark in text)
    return text.casefold()


def check_names(dialect: Dialect, names: Iterable[str], what: str) -> None:
    """Refuse two names that are one to the engine.

    Raises:
        UnsupportedError: names both.

    """
    seen: dict[str, str] = {}
    for text in names:
        other = seen.setdefault(fold_case(dialect, text), text)
        if other != text:
            raise UnsupportedError(
                f"the {what} {other!r} and {text!r} differ only in case, one column in {dialect.title}; rename one"
            )


def check_column_names(dialect: Dialect, features: Iterable[str], *, qualified: bool) -> None:
    """Refuse features whose name the engine reads as something else, without an error, where no column has it.

    ``qualified`` says whether a table stands before each name.

    Raises:
        UnsupportedError: names the feature and what it would be.

    """
    for text in features:
        folded = text.lower()
        if folded in dialect.name_of_row:
            raise UnsupportedError(
                f"the feature {text!r} is something that every row has in {dialect.title}, even where no column is "
                "called so; rename the column"
            )
        if not qualified and folded in dialect.name_of_session:
            raise UnsupportedError(
                f"the feature {text!r} is a function of the session in {dialect.title} where the table has no such "
                "column; use form='select', which names the table, or rename the column"
            )


def string(dialect: Dialect, text: str) -> str:
    """A string literal, on one line whatever the string holds.

    Raises:
        UnsupportedError: a NUL character, an empty string where that is NULL, or more bytes than the engine compares.

    """
    if "\0" in text:
        raise UnsupportedError(
            f"the level {_shortened(text)} holds a NUL character, which SQL text cannot; rename the level"
        )
    if not text and not dialect.empty_string:
        raise UnsupportedError(f"the level '' is NULL in {dialect.title}; give it a name")
    if dialect.level_limit is not None and (size := len(text.encode())) > dialect.level_limit:
        raise UnsupportedError(
            f"the level {_shortened(text)} has {size} bytes, and {dialect.title} compares {dialect.level_limit}; "
            "shorten it"
        )
    if dialect.hex_string and any(mark in "\\%" or _is_control(mark) for mark in text):
        return dialect.hex_string.format(text.encode().hex())
    pieces = _string_pieces(dialect, text)
    return pieces[0] if len(pieces) == 1 else f"({dialect.concat.join(pieces)})"


def label(dialect: Dialect, text: str) -> str:
    """A string that a query returns, for a person to read."""
    return dialect.shown_string.format(string(dialect, text))


def _string_pieces(dialect: Dialect, text: str) -> list[str]:
    """The literals and control characters that make up ``text``; a plain string is one piece."""
    pieces, plain = [], ""
    for mark in text:
        if mark in dialect.string_escapes or not (_is_control(mark) or mark in dialect.string_coded):
            plain += dialect.string_escapes.get(mark, mark)
        elif dialect.control.startswith("\\"):
            plain += dialect.control.format(ord(mark))
        elif not dialect.control:
            plain += mark
        else:
            pieces += [dialect.string.format(plain.translate(_ESCAPED))] if plain else []
            pieces.append(dialect.control.format(ord(mark)))
            plain = ""
    if plain or not pieces:
        pieces.append(dialect.string.format(plain.translate(_ESCAPED)))
    if len(pieces) == 1 and not plain and text:  # a lone character's code, made a string beyond doubt
        pieces.insert(0, dialect.string.format(""))
    return pieces


def _is_control(mark: str) -> bool:
    """What a file, a terminal or a driver may change on its way: line ends of any kind, tabs, other controls."""
    return unicodedata.category(mark) in ("Cc", "Zl", "Zp")


def comment(text: str) -> str:
    """``text`` inside a one-line comment: inert for the engine, and for what substitutes ``${..}`` before it.

    Accents stay, as they do in names and levels.
    """
    return comment_text(text, ascii_only=False).replace("${", "$ {").translate(_ESCAPED)


def _shortened(text: str) -> str:
    return repr(text) if len(text) <= 60 else f"{text[:40]!r}... ({len(text)} characters)"
