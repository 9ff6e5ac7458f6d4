"""The differences of one engine's SQL from that of others, as a record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import msgspec

_DOUBLED: Mapping[str, str] = {'"': '""'}
"""A quote inside a quoted name."""


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """The differences of an engine's SQL; each default is what most engines do.

    Attributes:
        name: what ``emit`` is asked for.
        title: the engine's own name, for messages.
        double: an expression cast to IEEE double.
        double_once: the same for a column that a subquery computes once, if that differs; "" is ``double``.
        raw_column: a column for a comparison without a cast, on an engine that compares a column of any type with a
            double below 2**53 as a double, and takes what is not a number as greater than every number; "" for other
            engines, and for those whose columns have one type each.
        compares_exactly: whether a comparison of an integer with a column of any numeric type rounds neither. Other
            engines round it to a 32-bit float for a column of that type, or may overflow for decimals.
        careful_digits: whether the engine does not always read a literal as the nearest double, so that literals need
            enough digits to be within a quarter of the distance to the next double, which 17 digits always are.
        exact_literals: the magnitudes between which a literal is read exactly; others are written as products of exact
            numbers.
        least: the smallest positive double that the engine holds.
        suffix: the suffix that makes a number a double.
        needs_exponent: whether a number is a double only with an exponent (and the suffix), and without one a decimal.
        plain_digits: how many digits a decimal may have beside a double, in a comparison or an operation, so that the
            engine takes the nearest double for it, once a query; 0 if none may. Integers below 2**31 are exact
            everywhere.
        integer: an expression cast to an integer.
        ln: the natural logarithm.
        greatest: the function that gives the largest of its arguments.
        quotes: the characters that open and close a quoted identifier.
        capitals: whether a name without quotes is stored in capitals, so that ``age`` is ``"AGE"`` and not ``"age"``.
        quotes_all: whether every name is quoted, and so taken exactly as it is given, which the caller may ask for.
        table_alias: the text between a table and its alias.
        name_escapes: characters that are escaped inside a quoted identifier.
        name_refused: text that a quoted identifier cannot hold.
        name_edges: whether an identifier may begin or end with a blank, and begin with a control character.
        name_empty: whether an identifier may be empty.
        name_astral: whether an identifier may hold characters beyond the basic plane of Unicode.
        qualified: whether ``t.x`` can only be a column x, so that columns are written that way.
        name_of_row: names that have a meaning of their own in every table, such as that of a row's number.
        name_of_session: names that the engine reads as functions if no column has them, unless a table's name precedes.
        reserved: further words that are no names without quotes, which most engines take for ordinary ones.
        name_limit: the longest identifier, in ``name_unit``; None for no limit.
        name_unit: the unit of ``name_limit``.
        folds: which letters are compared without their case in quoted identifiers.
        string: a string literal around its escaped text.
        string_escapes: characters that are escaped inside a string literal.
        control: the form of a control character that is not in ``string_escapes``: an expression of its code, which is
            concatenated; inside the string if it begins with a backslash; "" is the character itself.
        string_coded: further characters that are written as ``control`` says, because drivers that fill in parameters
            interpret them even inside a string.
        hex_string: a string as its bytes in hexadecimal, for texts with a backslash, a control character or a percent
            sign, if a setting of the session decides how string literals are read; "" if none does.
        shown_string: such a string as a query returns it, if its bytes alone would not be text.
        concat: joins two strings.
        empty_string: whether the empty string differs from NULL.
        join_key: both sides of a join on numbers, if the engine joins only columns of the same type. Where 2**53 is a
            level, the values are compared once more without the cast, as a double does not hold the next integer.
        join_text: a text column in a join, if the engine does not join categorical types with text.
        text_key: a text column in the form in which it is compared by bytes.
        text_level: a string literal in the form in which it is compared with ``text_key``.
        level_limit: the most bytes of a level that ``text_key`` tells from every longer text; None for no limit.
        boolean: a boolean column (or one of 0 and 1) as a number to compare with 1 and 0.
        has_nan: whether a column or result can be NaN.
        nan_unordered: whether every comparison with NaN is false. On other engines it is above all numbers.
        nan_first: a test for NaN that must precede the comparisons, as a NaN may be less than a number.
        guards_ln: whether LN raises for zero and below, so that its argument must be valid in branches not taken, too.
        guards_underflow: whether a product too small for a double raises; a curve then keeps its point's y if its slope
            times the distance to that point would be such a product.
        guards_division: whether dividing by zero raises, so that the divisor must not be zero in branches not taken.
        materialise: the end of a subquery whose columns must be computed once, without which the engine would copy
            their expressions to every use. ``{nulls}`` is one NULL for each of its columns.
        view_materialise: the same for a view, which must let conditions through to an index; "" is ``materialise``.
        view_materialise_column: a further column that ``view_materialise`` needs, "" for none.
        materialise_casts: whether it pays to compute the casts of the columns once, too.
        null_as_nan: a curve's input as a number that is NaN if it is NULL, for an engine that tests for NULL at every
            operation on what can be NULL, and computes repeated expressions once.
        search_from: the least number of arms for which a CASE is searched by halves; None if searching them one by one
            is faster for every length tried.
        search_leaf: how many conditions a search by halves leaves to be searched one by one.
        max_bytes: the longest statement; None for no practical limit.
        max_bytes_setting: the setting that raises ``max_bytes``; "" if there is none.
        max_arms: the most arms of one CASE.
        max_columns: the most columns of a table or result.
        max_union: the most parts of a UNION; None for no limit.
        max_joined: the most rows of a subquery of levels that the engine joins by an index; None for no limit.
        max_cases: the deepest nesting of CASE.
        max_nesting: the deepest nesting of parentheses, a CASE counting as four.
        max_stack: the most symbols on the stack of the engine's parser, less those that may surround an expression,
            such as the head of a view or of an outer query; None for no limit.
        values_head: the head of a subquery ``name`` with rows of a ``level`` (of a ``type``) and a ``value``.
        values_row: one row, on a line of its own.
        values_between: the text between rows.
        values_tail: the end of the subquery.
        values_types: the types of a level that is a number, and of one that is a string, if types are written.
        not_number: a test whether a column is not of numbers, or a value is not one; "" if the engine cannot test that,
            or refuses such a column by itself.
        not_text: a test whether a column is not of text, or a value is not one; "" if the engine cannot test that.
        function: the definition of a function of the features: ``{create}`` (CREATE, or the words that replace an
            existing one), ``{name}``, ``{parameters}`` and ``{body}``; "" if the engine has no function that is an
            expression.
        parameter: one of its parameters, by ``{name}`` and ``{type}``.
        parameter_types: the types of a parameter that is a number, a text and a boolean.
        views: whether the engine has views, which dbt makes, too.
        replace_view: the head of a view's definition that replaces an existing one; "" if there is none.
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
    needs_exponent: bool = True
    plain_digits: int = 0
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
    reserved: tuple[str, ...] = ()
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
    nan_unordered: bool = False
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

    @property
    def nan_is_above(self) -> bool:
        """Whether a NaN that no earlier test has caught is at or above every bound."""
        return self.has_nan and not self.nan_unordered and not self.nan_first
