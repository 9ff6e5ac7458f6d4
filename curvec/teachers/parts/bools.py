"""Bools stay bools: a teacher that computed with 0 and 1 is a table over False and True where X has bools.

So the emitted functions ask for a bool, and a database's BOOLEAN column, which few cast to a double, is read as it is.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from curvec.data import Table
from curvec.evaluate import term_values
from curvec.ir import EnumCurve, Feature, Levels, Term, names_of
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.user_rows import UserRows

__all__ = ["keep_bools"]


def keep_bools(parts: AdditiveParts, rows: UserRows) -> None:
    """Make tables of the terms' curves of columns that hold bools, but for those of a pair: its table has cuts."""
    paired = {name for pair in parts.pairs for name in pair.features}
    numbers = [feature.name for feature in parts.features if feature.type in ("number", "int")]
    bools = {name for name in rows.bools(numbers) if name not in paired}
    if bools:
        parts.terms = [_tabled(term, bools) for term in parts.terms]
        parts.features = [Feature(one.name, "bool") if one.name in bools else one for one in parts.features]


def _tabled(term: Term, bools: Collection[str]) -> Term:
    names = set(names_of(term))
    if not names & set(bools):
        return term
    if len(names) == 1:
        return _table(term, names.pop())
    return term.map_children(lambda child: _tabled(child, bools))


def _table(term: Term, name: str) -> EnumCurve:
    """The values at False, True and a missing input."""
    values = term_values(term, Table({name: np.array([0, 1, None])}, [Feature(name)])).tolist()
    low, high, missing = (None if math.isnan(value) else value for value in values)
    levels = [(key, value) for key, value in ((False, low), (True, high)) if value is not None]
    return EnumCurve(name, Levels(levels), missing=missing, note=term.note)
