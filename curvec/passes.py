"""Passes: a model into a shorter model of the same meaning.

Each pass keeps the value of the model at every input, missing and unseen ones included, up to the rounding of the
numbers it has to add.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias, TypeVar

import numpy as np

from curvec.contract import pwl_values, segments, step_values
from curvec.ir import EnumCurve, Key, Levels, Line, PWLCurve, StepCurve, Term, changed
from curvec.model import CurveModel
from curvec.transforms import FloatArray, transform

__all__ = ["PASSES", "drop_collinear_knots", "fold_constants", "joined_pairwise", "merge_curves", "simplify"]

Item = TypeVar("Item")
Pass: TypeAlias = Callable[[CurveModel], CurveModel]


def simplify(model: CurveModel) -> CurveModel:
    """Every pass of :data:`PASSES`, in order."""
    for one in PASSES.values():
        model = one(model)
    return model


def fold_constants(model: CurveModel) -> CurveModel:
    """Terms that have one value for every input go into the intercept; the last term stays, for a model has one."""
    terms: list[Term] = []
    intercept = model.intercept
    for place, term in enumerate(model.terms):
        value = _constant(term)
        last = not terms and place == len(model.terms) - 1
        if value is None or last:
            terms.append(term)
        else:
            intercept += value
    return changed(model, terms=terms, intercept=intercept)


def drop_collinear_knots(model: CurveModel, tolerance: float = 4.0) -> CurveModel:
    """Points that lie on the line between their neighbours are dropped, and cuts between equal values.

    Args:
        model: the model.
        tolerance: how far a point may be from the line, in units of the last place of the curve's largest |y|.

    """
    return changed(model, terms=[_thinned(term, tolerance) for term in model.terms])


def merge_curves(model: CurveModel) -> CurveModel:
    """Curves of one feature and one transform become one curve: their points joined, their values added.

    Lines join lines, step curves step curves, tables tables, piecewise-linear curves those of the same fx. An input
    that gave a missing result in either gives one in the sum. Where lines overflow, at an infinite input or one
    near the largest double, their one line may do so elsewhere (infinity less infinity is NaN).
    """
    return changed(model, terms=joined_pairwise(model.terms, _joined, lambda term: (type(term), term.feature)))


def joined_pairwise(
    items: Iterable[Item], join: Callable[[Item, Item], Item | None], key: Callable[[Item], Hashable] = lambda _: None
) -> list[Item]:
    """The items, each joined to the first earlier one that ``join`` takes it with.

    Args:
        items: what to join.
        join: two items as one; None for a pair that stays apart.
        key: only items of one key are tried with each other, so that many items do not take their square in time.

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


PASSES: Mapping[str, Pass] = MappingProxyType(
    {
        "merge_curves": merge_curves,
        "drop_collinear_knots": drop_collinear_knots,
        "fold_constants": fold_constants,
    }
)
"""The passes by name, in the order in which :func:`simplify` runs them: joining makes knots and constants."""


def _constant(term: Term) -> float | None:
    """The value of a curve that is the same for every input; None if it varies or can be missing."""
    if term.feature is None or not term.ordinates:
        return None
    values = {
        *term.ordinates,
        *term.special_codes.values(),
        term.missing,
        *([term.default] if isinstance(term, EnumCurve) else []),
    }
    return values.pop() if len(values) == 1 else None


def _thinned(term: Term, tolerance: float) -> Term:
    if isinstance(term, PWLCurve):
        return changed(term, points=_without_collinear(term, tolerance))
    if isinstance(term, StepCurve):
        kept = [k for k, cut in enumerate(term.cuts) if term.values[k] != term.values[k + 1]] or [0]
        cuts = [term.cuts[k] for k in kept]
        return changed(term, cuts=cuts, values=[term.values[kept[0]], *(term.values[k + 1] for k in kept)])
    return term


def _without_collinear(curve: PWLCurve, tolerance: float) -> list[tuple[float, float]]:
    """Greedily from the left: a point goes if every point dropped since the last one kept is on the longer line."""
    points = list(curve.points)
    forward = transform(curve.fx).forward
    u = forward(np.array([x for x, _ in points])).tolist()
    allowed = tolerance * math.ulp(max(abs(y) for _, y in points))
    kept = [0]
    for k in range(1, len(points) - 1):
        left, right = kept[-1], k + 1
        slope = (points[right][1] - points[left][1]) / (u[right] - u[left])
        between = range(left + 1, right)
        if any(abs(points[left][1] + slope * (u[i] - u[left]) - points[i][1]) > allowed for i in between):
            kept.append(k)
    kept.append(len(points) - 1)
    return [points[k] for k in _trim_flat(points, kept)]


def _trim_flat(points: Sequence[tuple[float, float]], kept: Sequence[int]) -> Sequence[int]:
    """A flat first or last segment says what clamping says already."""
    kept = list(kept)
    while len(kept) > 2 and points[kept[0]][1] == points[kept[1]][1]:
        del kept[0]
    while len(kept) > 2 and points[kept[-1]][1] == points[kept[-2]][1]:
        del kept[-1]
    return kept


def _joined(left: Term, right: Term) -> Term | None:
    missing = _sum_or_none(left.missing, right.missing)
    note = "; ".join(note for note in (left.note, right.note) if note)
    match left, right:
        case EnumCurve(), EnumCurve():
            return _joined_tables(left, right, missing, note)
        case Line(), Line() if left.feature == right.feature and math.isfinite(left.coefficient + right.coefficient):
            return Line(left.input, left.coefficient + right.coefficient, missing, note)
        case StepCurve(), StepCurve() if left.input == right.input:
            cuts = sorted({*left.cuts, *right.cuts})
            values = _steps(left, cuts) + _steps(right, cuts)
            return StepCurve(left.input, cuts, values.tolist(), missing, note, _codes(left, right))
        case PWLCurve(), PWLCurve() if left.input == right.input and left.fx == right.fx:
            xs = np.array(sorted({x for x, _ in (*left.points, *right.points)}))
            ys = _pwl(left, xs) + _pwl(right, xs)
            points = list(zip(xs.tolist(), ys.tolist(), strict=True))
            return PWLCurve(left.input, points, left.fx, missing, note, _codes(left, right))
    return None


def _codes(left: Term, right: Term) -> dict[float, float]:
    """The special codes of either curve; one that the other does not have is to that one an input like any."""
    return {code: left(code) + right(code) for code in (*left.special_codes, *right.special_codes)}


def _steps(curve: StepCurve, cuts: Sequence[float]) -> FloatArray:
    """The curve left of all cuts, and from each cut on."""
    return step_values(np.array([-math.inf, *cuts]), np.array(curve.cuts), np.array(curve.values), None)


def _pwl(curve: PWLCurve, xs: FloatArray) -> FloatArray:
    return pwl_values(xs, segments(curve.points, curve.fx), None)


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
    return None if left is None or right is None else left + right
