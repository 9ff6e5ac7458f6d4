"""Terms of one feature joined into one: their points, cuts or levels together, their values added."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from curvec.contract import pwl_values, segments, step_values
from curvec.features import Key
from curvec.ir.levels import Levels
from curvec.ir.nodes import EnumCurve, Line, PWLCurve, StepCurve, Term
from curvec.spelling import decimal_of

Item = TypeVar("Item")


def merged_terms(terms: Iterable[Term]) -> list[Term]:
    """The terms, in which those of one kind, feature and transform are merged, in the place of the first of them."""
    return joined_pairwise(terms, _joined, _alike)


def _alike(term: Term) -> Hashable:
    """What two terms that can be joined have in common; a sum or a product is joined with none."""
    return (type(term), term.input) if isinstance(term, (EnumCurve, Line, PWLCurve, StepCurve)) else id(term)


def joined_pairwise(
    items: Iterable[Item], join: Callable[[Item, Item], Item | None], key: Callable[[Item], Hashable] = lambda _: None
) -> list[Item]:
    """The items, each joined to the first earlier one with which ``join`` can join it.

    Args:
        items: what to join.
        join: two items as one; None for a pair that stays apart.
        key: only items of one key are tried with each other, as trying all pairs of many items would take too long.

    """
    merged: list[Item] = []
    places: dict[Hashable, list[int]] = {}
    for item in items:
        alike = places.setdefault(key(item), [])
        for place in alike:
            joined = join(merged[place], item)
            if joined is not None:
                merged[place] = joined
                break
        else:
            alike.append(len(merged))
            merged.append(item)
    return merged


def _joined(left: Term, right: Term) -> Term | None:
    missing = _sum_or_none(left.missing, right.missing)
    note = "; ".join(note for note in (left.note, right.note) if note)
    match left, right:
        case EnumCurve(), EnumCurve():
            return _joined_tables(left, right, missing, note)
        case Line(), Line() if left.feature == right.feature and math.isfinite(left.coefficient + right.coefficient):
            return Line(left.input, _sum(left.coefficient, right.coefficient), missing, note)
        case StepCurve(), StepCurve() if left.input == right.input:
            cuts = sorted({*left.cuts, *right.cuts})
            values = list(map(_sum, _steps(left, cuts), _steps(right, cuts)))
            return StepCurve(left.input, cuts, values, missing, note, _codes(left, right))
        case PWLCurve(), PWLCurve() if left.input == right.input and left.fx == right.fx:
            xs = sorted({x for x, _ in (*left.points, *right.points)})
            points = list(zip(xs, map(_sum, _pwl(left, xs), _pwl(right, xs)), strict=True))
            return PWLCurve(left.input, points, left.fx, missing, note, _codes(left, right))
    return None


def _codes(left: Term, right: Term) -> dict[float, float]:
    """The special codes of either curve; at a code of only one, the other has the value of an ordinary input."""
    return {code: _sum(left(code), right(code)) for code in (*left.special_codes, *right.special_codes)}


def _steps(curve: StepCurve, cuts: Sequence[float]) -> list[float]:
    """The curve left of all cuts, and from each cut on."""
    x = np.array([-math.inf, *cuts])
    values: list[float] = step_values(x, np.array(curve.cuts), np.array(curve.values), None).tolist()
    return values


def _pwl(curve: PWLCurve, xs: Sequence[float]) -> list[float]:
    values: list[float] = pwl_values(np.array(xs), segments(curve.points, curve.fx), None).tolist()
    return values


def _sum(left: float, right: float) -> float:
    """Of printed decimals, a decimal again."""
    return decimal_of(left + right, left, right)


def _joined_tables(left: EnumCurve, right: EnumCurve, missing: float | None, note: str) -> EnumCurve | None:
    if left.input != right.input or left.levels.type != right.levels.type:
        return None
    mapping: dict[Key, float] = {}
    for key in dict.fromkeys((*left.levels, *right.levels)):
        value = _sum_or_none(_level(left, key), _level(right, key))
        if value is not None:
            mapping[key] = value  # else one of them has no value here, and an unlisted level has none either
    if not mapping:
        return None
    return EnumCurve(left.input, Levels(mapping), _sum_or_none(left.default, right.default), missing, note)


def _level(table: EnumCurve, key: Key) -> float | None:
    return table.levels.get(key, table.default)


def _sum_or_none(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else _sum(left, right)
