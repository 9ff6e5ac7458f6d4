"""Columns of X keep their types: functions of bools, and of text that a teacher reads as numbers, become tables.

A teacher that computes with 0 and 1 becomes a table over False and True where X has bools: the emitted functions take a
bool, and a database's BOOLEAN column, which few databases cast to a double, is read as it is. An EBM reads a column of
text as numbers if all of it can be read so; a model can score text only through a table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvec.conversion import is_missing
from curvec.data import Table
from curvec.errors import InputError, counted, shown
from curvec.evaluate import term_values
from curvec.ir import EnumCurve, Feature, Key, Levels, Term, names_of
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.categories import key_type
from curvec.teachers.parts.user_rows import UserRows, as_list


def keep_column_types(parts: AdditiveParts, rows: UserRows) -> None:
    """Turn the terms' curves of such columns into tables, except for bools in a pair, whose table has cuts.

    Raises:
        InputError: text cannot be read as a number, or stands in a pair.

    """
    paired = {name for pair in parts.pairs for name in pair.features}
    read = {*names_of(*parts.terms), *paired}
    numbers = [one.name for one in parts.features if one.type in ("number", "int") and one.name in read]
    tables: dict[str, list[tuple[Key, float]]] = {
        name: [(False, 0.0), (True, 1.0)] for name in rows.bools(numbers) if name not in paired
    }
    if parts.reads_text:
        names = [feature.name for feature in parts.features]
        columns = rows.columns(names)
        for name in numbers:
            if rows.kind(names, names.index(name)) == "str":
                tables[name] = _texts(name, as_list(columns[name]), paired=name in paired)
                parts.notes.append(
                    f"{name}: text that the teacher reads as numbers, here a table of "
                    f"{counted(len(tables[name]), 'text')}, those in X; another text has no score. "
                    "As a column of numbers it is a curve"
                )
    if tables:
        parts.terms = [_as_tables(term, tables) for term in parts.terms]
        parts.spread = [_as_tables(term, tables) for term in parts.spread]
        parts.features = [
            Feature(one.name, key_type(key for key, _ in tables[one.name])) if one.name in tables else one
            for one in parts.features
        ]


def _texts(name: str, column: Sequence[Any], *, paired: bool) -> list[tuple[Key, float]]:
    """Each text of the column with the number that it stands for."""
    if paired:
        raise InputError(
            f"column {name!r} holds text that the teacher reads as numbers, in a pair; make it a column of numbers, in "
            f"pandas X[{name!r}].astype(float)"
        )
    texts = dict.fromkeys(value for value in column if not is_missing(value))
    return [(text, _number(text, name)) for text in texts]


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"column {name!r} holds {shown(text)}, and the teacher was trained on text that can all be read as "
            "numbers; make it a number or a missing value"
        ) from None


def _as_tables(term: Term, tables: Mapping[str, Sequence[tuple[Key, float]]]) -> Term:
    names = set(names_of(term))
    if not names & set(tables):
        return term
    if len(names) == 1:
        name = names.pop()
        return _table(term, name, tables[name])
    return term.map_children(lambda child: _as_tables(child, tables))


def _table(term: Term, name: str, numbers: Sequence[tuple[Key, float]]) -> EnumCurve:
    """The values at the keys' numbers and at a missing input."""
    column = np.array([number for _, number in numbers] + [math.nan])
    *values, missing = term_values(term, Table({name: column}, [Feature(name)])).tolist()
    levels = [(key, value) for (key, _), value in zip(numbers, values, strict=True) if not math.isnan(value)]
    return EnumCurve(name, Levels(levels), missing=None if math.isnan(missing) else missing, note=term.note)
