"""The names of the largest terms of a row's score, reason codes, as columns of a query.

SQL cannot sort the columns of a row. So the largest value is taken, found among the terms, excluded, and the next one
taken. Each step is a subquery, whose text grows with the number of terms.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

from curvec.contract import GROUP
from curvec.emit.dialect import Dialect
from curvec.emit.sql_curves import has_value
from curvec.emit.sql_text import Arm, case, label, lay_out, literal

_LEAST = -sys.float_info.max
"""The value that replaces a missing term, and one that has been taken already; and the rank of minus infinity, which
has no literal that every engine reads."""


Columns: TypeAlias = Sequence[tuple[str, str]]
"""Columns of a query: each its expression and its name."""


def reason_names(count: int) -> list[str]:
    """The names of the columns of so many reasons: for each the term's name, then its value."""
    return [text for place in range(1, abs(count) + 1) for text in (f"reason_{place}", f"reason_{place}_value")]


def ranking(
    dialect: Dialect, terms: Sequence[str], labels: Sequence[str], count: int, alias: Callable[[str], str]
) -> tuple[Sequence[tuple[str, Columns]], Columns]:
    """The subqueries that rank the terms of a row, each by its name with the columns that it adds; and the reasons.

    Args:
        dialect: how the engine spells things.
        terms: the columns that hold the terms.
        labels: what they are called.
        count: how many reasons; below zero those that lower the score most.
        alias: makes a name that no column has.

    """
    sign, least = "-" if count < 0 else "", literal(dialect, _LEAST)
    values = [alias("ranked") for _ in terms]
    usable = [_usable_value(dialect, term, f"{sign}{term}", least) for term in terms]
    steps: list[tuple[str, Columns]] = [("curvec_ranked", list(zip(usable, values, strict=True)))]
    columns: list[tuple[str, str]] = []
    places: list[str] = []
    for number in range(1, abs(count) + 1):
        largest, place = alias("largest"), alias("place")
        left = [_remaining_value(value, places, index, least) for index, value in enumerate(values)]
        steps.append((f"curvec_largest_{number}", [(_greatest(dialect, left), largest)]))
        steps.append((f"curvec_place_{number}", [(_place_of_largest(values, places, largest), place)]))
        places.append(place)
        called = [label(dialect, text) for text in labels]
        for texts, name in zip((called, terms), reason_names(number)[-2:], strict=True):
            columns.append((case(Arm(f"{place} = {index}", text) for index, text in enumerate(texts)), name))
    return steps, columns


def _usable_value(dialect: Dialect, term: str, value: str, least: str) -> str:
    """A term's value where it has one, at least the least double; else NULL."""
    first = [Arm(dialect.nan_first.format(term), "NULL")] if dialect.nan_first else []
    return case([*first, Arm(f"{value} < {least}", least), Arm(has_value(dialect, term), value)])


def _remaining_value(value: str, places: Sequence[str], index: int, least: str) -> str:
    """A term's value, or the least double where it has none or an earlier reason is that term."""
    there = f"COALESCE({value}, {least})"
    if not places:
        return there
    return case([Arm(" OR ".join(f"{place} = {index}" for place in places), least)], there)


def _place_of_largest(values: Sequence[str], places: Sequence[str], largest: str) -> str:
    """The place of the first term that has the largest value and is no earlier reason; NULL where none is left."""
    tests = [
        [f"{value} = {largest}", *(f"{place} <> {index}" for place in places)] for index, value in enumerate(values)
    ]
    return case(Arm(" AND ".join(held), str(index)) for index, held in enumerate(tests))


def _greatest(dialect: Dialect, values: Sequence[str]) -> str:
    """The largest of values that are never NULL, in groups: functions have a limit of arguments."""
    while len(values) > 1:
        groups = [values[first : first + GROUP] for first in range(0, len(values), GROUP)]
        values = [
            group[0] if len(group) == 1 else lay_out("sql/call.sql.jinja", function=dialect.greatest, arguments=group)
            for group in groups
        ]
    return values[0]
