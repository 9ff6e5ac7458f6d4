"""What the SQL of one engine differs in from that of others, as a record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import msgspec

__all__ = ["Dialect"]

_DOUBLED: Mapping[str, str] = {'"': '""'}
"""A quote inside a quoted name."""


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine's SQL differs in; every default is what most engines do.

    Attributes:
        name: what ``emit`` is asked for.
        title: the engine's own name, for messages.
        double: an expression cast to IEEE double.
        double_once: the same for a column that a subquery has computed once, where that is another; "" is ``double``.
        raw_column: a column of any type as it is compared without a cast: as a double, where the other side is one
            below 2**53; and where it is no number, greater than every number. "" where columns have one type each, or
            that is not so.
        compares_exactly: whether an integer is compared with a column of numbers of any type without a rounding of
            either. Elsewhere it is rounded to a 32-bit float beside a column of such, or may overflow beside decimals.
        careful_digits: whether the engine rounds a literal almost, not always, to the nearest double, so that a literal
            is to be close to its double: within a quarter of the distance to the next, which 17 digits always are.
        exact_literals: the magnitudes between which a literal is read exactly; others are written as products of exact
            numbers.
        least: the smallest positive double that the engine holds.
        suffix: what makes a number with an exponent a double.
        integer: an expression cast to an integer.
        ln: the natural logarithm.
        greatest: the function that is the largest of its arguments.
        quotes: what opens and closes a quoted identifier.
        capitals: whether a name without quotes is kept in capitals, so that ``age`` is ``"AGE"`` and not ``"age"``.
        quotes_all: whether every name is put in quotes and is exactly what they hold, which the caller may ask for.
        table_alias: what stands between a table and its alias.
        name_escapes: characters written otherwise inside a quoted identifier.
        name_refused: text that no quoted identifier can hold.
        name_edges: whether an identifier may begin or end with a blank, and begin with a control character.
        name_empty: whether an identifier may be empty.
        name_astral: whether an identifier may hold characters beyond the basic plane of Unicode.
        qualified: whether ``t.x`` is a column x and nothing else, so that it is written so.
        name_of_row: names that every table has for something of its own, such as a row's number, whatever its columns.
        name_of_session: names that without a table's name before them are read as functions, where no column has them.
        name_limit: how long an identifier may be, in ``name_unit``; None for no limit.
        name_unit: what ``name_limit`` counts.
        folds: which letters of two quoted identifiers are the same whatever their case.
        string: a string literal around its escaped text.
        string_escapes: characters written otherwise inside a string literal.
        control: how a control character is spelled when ``string_escapes`` has no form for it: an expression over its
            code, concatenated. One that begins with a backslash stays inside; "" is the character itself.
        string_coded: other characters that are spelled as ``control`` says, because a driver that fills in parameters
            reads them as its own even inside a string.
        hex_string: a string around its bytes in hexadecimal, for one that holds a backslash, a control character or a
            percent sign, where a setting of the session decides how a string literal is read; "" where none does.
        shown_string: a string as a query returns it, where its bytes alone would not be text.
        concat: joins two strings.
        empty_string: whether the empty string differs from NULL.
        join_key: both sides of a join on numbers, where the engine joins only columns of one type. They are compared
            as they are again afterwards, as a double does not hold every integer.
        join_text: a text column in a join, where the engine joins no categorical type with text.
        text_key: a text column made ready to be compared by bytes.
        text_level: a string literal made ready to be compared with ``text_key``.
        level_limit: bytes of a level that ``text_key`` still tells from every longer text; None for no limit.
        boolean: a boolean column (or one of 0 and 1) as a number that is compared with 1 and 0.
        has_nan: whether a column or result can be NaN.
        nan_first: a test for NaN that has to stand before the comparisons, where a NaN may be less than a number.
        guards_ln: whether LN raises for zero and below, so that its argument is made safe in branches not taken too.
        guards_underflow: whether a product too small for a double raises, so that a curve keeps its y where its slope
            times the distance to its point is one.
        guards_division: whether dividing by zero raises, so that the divisor is made safe in branches not taken too.
        materialise: what ends a subquery whose columns must be computed once; the engine would otherwise copy their
            expressions to every use. ``{nulls}`` is as many NULLs as it has columns.
        view_materialise: the same for a view, which a condition has to get through to an index; "" is ``materialise``.
        view_materialise_column: a further column that ``view_materialise`` needs, "" for none.
        materialise_casts: whether the casts of the columns are worth it too.
        null_as_nan: the input of a curve as a number that is NaN where it is NULL, for an engine that looks for a NULL
            at every operation on what can be one, and computes once what is repeated.
        search_from: arms from which a CASE is searched by halves instead of one by one; None where one by one is
            faster for every length tried.
        search_leaf: conditions that are still searched one by one at the end of a search by halves.
        max_bytes: length of a statement that the engine takes at most; None for no limit worth a word.
        max_bytes_setting: the setting that raises ``max_bytes``; "" where none does.
        max_arms: arms of one CASE that the engine takes at most.
        max_columns: columns of a table or result that the engine takes at most.
        max_union: parts of a UNION that the engine takes at most; None where that is no limit.
        max_joined: rows of a subquery of levels that the engine still joins by an index; None where that is no limit.
        max_cases: CASEs inside one another that the engine takes at most.
        max_nesting: parentheses inside one another that the engine takes at most, a CASE counting as four.
        max_stack: symbols that the engine's parser holds at most for one statement, less those that may stand around
            an expression: what begins a view, or a query that it is put into; None where that is no limit.
        values_head: what begins a subquery ``name`` that holds rows of a ``level`` (of a ``type``) and a ``value``.
        values_row: one row, on a line of its own.
        values_between: what stands between rows.
        values_tail: what ends the subquery.
        values_types: the types of a level that is a number, and of one that is a string, where they are written.
        not_number: whether a column is of another type than numbers, or holds something else; "" where the engine
            cannot say, or refuses such a column by itself.
        not_text: whether a column is of another type than text, or holds something else; "" where it cannot say.
        function: a function of the features: ``{create}`` is CREATE, or what replaces one; ``{name}``, ``{parameters}``
            and ``{body}``; "" where the engine has none that is an expression.
        parameter: one parameter of it, by its ``{name}`` and ``{type}``.
        parameter_types: the types of a parameter that is a number, a text and a boolean.
        views: whether the engine has views; dbt makes them too.
        replace_view: what begins the definition of a view that may be there already; "" where nothing does.
        notes: what a user of the text should know; shown at its head.

    """

    name: str
    title: str
    double: str = "CAST({} AS DOUBLE)"
    double_once: str = ""
    raw_column: str = ""
    compares_exactly: bool = False
    careful_digits: bool = False
    exact_literals: tuple[float, float] = (0.0, math.inf)
    least: float = 0.0
    suffix: str = ""
    integer: str = "CAST({} AS INTEGER)"
    ln: str = "LN"
    greatest: str = "GREATEST"
    quotes: tuple[str, str] = ('"', '"')
    capitals: bool = False
    quotes_all: bool = False
    table_alias: str = " AS "
    name_escapes: Mapping[str, str] = msgspec.field(default_factory=lambda: _DOUBLED)
    name_refused: tuple[str, ...] = ()
    name_edges: bool = True
    name_empty: bool = False
    name_astral: bool = True
    qualified: bool = True
    name_of_row: tuple[str, ...] = ()
    name_of_session: tuple[str, ...] = ()
    name_limit: int | None = None
    name_unit: Literal["bytes", "characters"] = "characters"
    folds: Literal["nothing", "ascii", "unicode"] = "nothing"
    string: str = "'{}'"
    string_escapes: Mapping[str, str] = msgspec.field(default_factory=lambda: {"'": "''"})
    control: str = "CHR({})"
    string_coded: str = ""
    hex_string: str = ""
    shown_string: str = "{}"
    concat: str = " || "
    empty_string: bool = True
    join_key: str = "{}"
    join_text: str = "{}"
    text_key: str = "{}"
    text_level: str = "{}"
    level_limit: int | None = None
    boolean: str = "CAST({} AS DOUBLE)"
    has_nan: bool = True
    nan_first: str = ""
    guards_ln: bool = False
    guards_underflow: bool = False
    guards_division: bool = False
    materialise: str = ""
    view_materialise: str = ""
    view_materialise_column: str = ""
    materialise_casts: bool = False
    null_as_nan: str = "{}"
    search_from: int | None = None
    search_leaf: int = 3
    max_bytes: int | None = None
    max_bytes_setting: str = ""
    max_arms: int = 5000
    max_columns: int = 1600
    max_union: int | None = None
    max_joined: int | None = None
    max_cases: int = 400
    max_nesting: int = 1600
    max_stack: int | None = None
    values_head: str = "{name} ({level}, {value}) AS (\n    VALUES"
    values_row: str = "    ({}, {})"
    values_between: str = ","
    values_tail: str = ")"
    values_types: tuple[str, str] = ("", "")
    not_number: str = ""
    not_text: str = ""
    function: str = ""
    parameter: str = "{name} {type}"
    parameter_types: tuple[str, str, str] = ("DOUBLE", "STRING", "BOOLEAN")
    views: bool = True
    replace_view: str = "CREATE OR REPLACE VIEW"
    notes: tuple[str, ...] = ()
