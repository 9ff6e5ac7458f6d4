"""The SQL dialects: one record each, the one place for what differs between engines.

A field holds a fact of the engine, never a decision of the emitter. What was run is said by the tests; what could only
be read carries the vendor's page. A new dialect is one record here and its line in the tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from curvec.errors import InputError

__all__ = ["DIALECTS", "Dialect", "dialect"]

_DOUBLED: Mapping[str, str] = {'"': '""'}
_BACKSLASH: Mapping[str, str] = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What an engine's SQL differs in; every default is what most engines do.

    Attributes:
        name: what ``emit`` is asked for.
        title: the engine's own name, for messages.
        double: an expression cast to IEEE double.
        careful_digits: whether the engine rounds a literal almost, not always, to the nearest double, so that a literal
            is to be close to its double: within a quarter of the distance to the next, which 17 digits always are.
        exact_literals: the magnitudes between which a literal is read exactly; others are written as products of exact
            numbers.
        suffix: what makes a number with an exponent a double.
        ln: the natural logarithm.
        quotes: what opens and closes a quoted identifier.
        name_escapes: characters written otherwise inside a quoted identifier.
        name_refused: characters that no quoted identifier can hold.
        name_edges: whether an identifier may begin or end with a blank.
        name_empty: whether an identifier may be empty.
        name_astral: whether an identifier may hold characters beyond the basic plane of Unicode.
        name_limit: how long an identifier may be, in ``name_unit``; None for no limit.
        name_unit: what ``name_limit`` counts.
        folds: which letters of two quoted identifiers are the same whatever their case.
        string: a string literal around its escaped text.
        string_escapes: characters written otherwise inside a string literal.
        control: how a control character is spelled when ``string_escapes`` has no form for it: an expression over its
            code, concatenated. One that begins with a backslash stays inside.
        concat: joins two strings.
        empty_string: whether the empty string differs from NULL.
        text_key: a text column made ready to be compared by bytes.
        text_level: a string literal made ready to be compared with ``text_key``.
        boolean: a boolean column (or one of 0 and 1) as a number that is compared with 1 and 0.
        has_nan: whether a column or result can be NaN.
        nan_first: a test for NaN that has to stand before the comparisons, where a NaN may be less than a number.
        guards_ln: whether LN raises for zero and below, so that its argument is made safe in branches not taken too.
        guards_division: whether dividing by zero raises, so that the divisor is made safe in branches not taken too.
        fence: what ends a subquery whose columns must be computed once; the engine would otherwise copy their
            expressions to every use.
        fences_casts: whether the casts of the columns are worth a fence too.
        search_from: arms from which a CASE is searched by halves instead of one by one; None where one by one is
            faster for every length tried.
        max_bytes: length of a statement that the engine takes at most; None for no limit worth a word.
        max_bytes_setting: the setting that raises ``max_bytes``; "" where none does.
        max_arms: arms of one CASE that the engine takes at most.
        max_columns: columns of a table or result that the engine takes at most.
        max_depth: groups of a sum that the engine takes at most in one expression.
        values_head: what begins a subquery ``name`` that holds rows of a ``level`` (of a ``type``) and a ``value``.
        values_row: one row.
        values_between: what stands between rows.
        values_tail: what ends the subquery.
        values_types: the types of a level that is a number, and of one that is a string, where they are written.
        notes: what a user of the text should know; shown at its head.

    """

    name: str
    title: str
    double: str = "CAST({} AS DOUBLE)"
    careful_digits: bool = False
    exact_literals: tuple[float, float] = (0.0, math.inf)
    suffix: str = ""
    ln: str = "LN"
    quotes: tuple[str, str] = ('"', '"')
    name_escapes: Mapping[str, str] = field(default_factory=lambda: _DOUBLED)
    name_refused: str = ""
    name_edges: bool = True
    name_empty: bool = False
    name_astral: bool = True
    name_limit: int | None = None
    name_unit: Literal["bytes", "characters"] = "characters"
    folds: Literal["nothing", "ascii", "unicode"] = "nothing"
    string: str = "'{}'"
    string_escapes: Mapping[str, str] = field(default_factory=lambda: {"'": "''"})
    control: str = "CHR({})"
    concat: str = " || "
    empty_string: bool = True
    text_key: str = "{}"
    text_level: str = "{}"
    boolean: str = "CAST({} AS DOUBLE)"
    has_nan: bool = True
    nan_first: str = ""
    guards_ln: bool = False
    guards_division: bool = False
    fence: str = ""
    fences_casts: bool = False
    search_from: int | None = None
    max_bytes: int | None = None
    max_bytes_setting: str = ""
    max_arms: int = 5000
    max_columns: int = 1600
    max_depth: int = 200
    values_head: str = "{name} ({level}, {value}) AS (\n  VALUES"
    values_row: str = "({}, {})"
    values_between: str = ","
    values_tail: str = ")"
    values_types: tuple[str, str] = ("", "")
    notes: tuple[str, ...] = ()


# NaN does not exist: it is stored, and computed, as NULL. The shortest literal is read one ULP off for 4 of 40,000
# numbers in 3.40, where a quotient of integers is rounded twice. Beyond 1e-30 and 1e30 up to one in seven is read wrong
# by 3.40 and 3.51. LN needs a library built with mathematical functions.
# https://www.sqlite.org/lang_mathfunc.html https://www.sqlite.org/limits.html
# A subquery without LIMIT is flattened into its outer query, and its expressions are evaluated at every use:
# https://www.sqlite.org/optoverview.html#flattening
SQLITE = Dialect(
    name="sqlite",
    title="SQLite",
    double="CAST({} AS REAL)",
    careful_digits=True,
    exact_literals=(1e-22, 1e22),
    name_empty=True,
    folds="ascii",
    control="CHAR({})",
    boolean="{}",
    has_nan=False,
    fence="LIMIT -1",
    fences_casts=True,
    search_from=16,
    max_columns=2000,
)

# LN(0) is an error before version 2. 0.1 is a DECIMAL, 1e-1 a DOUBLE.
# https://duckdb.org/docs/stable/sql/data_types/numeric https://duckdb.org/docs/stable/sql/functions/numeric
DUCKDB = Dialect(
    name="duckdb",
    title="DuckDB",
    folds="ascii",
    guards_ln=True,
)

DIALECTS: dict[str, Dialect] = {entry.name: entry for entry in (SQLITE, DUCKDB)}


def dialect(name: str | None) -> Dialect:
    """The dialect of that name.

    Raises:
        InputError: no dialect has that name.

    """
    if name is None or name not in DIALECTS:
        raise InputError(f"dialect={name!r} is not a dialect; use one of {', '.join(DIALECTS)}")
    return DIALECTS[name]
