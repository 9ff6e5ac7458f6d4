"""Edits of curves and models, as values: nothing is changed in place, and every result is checked as new.

The methods of :class:`curvec.CurveModel` and of the nodes lead here.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from curvec.contract import pwl_values, segments
from curvec.errors import InputError
from curvec.evaluate import term_values
from curvec.ir import (
    Column,
    EnumCurve,
    Feature,
    Levels,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    Term,
    changed,
    children,
    features_of,
    names_of,
)
from curvec.model import CurveModel

__all__ = ["DIRECTIONS", "cap", "drop", "drop_unused", "monotone", "rename", "replace", "round_model", "round_term"]

DIRECTIONS = ("increasing", "decreasing")

_T = TypeVar("_T", bound=Term)
_Curve = TypeVar("_Curve", PWLCurve, StepCurve)


def round_term(term: _T, digits: int) -> _T:
    """The term with every number at ``digits`` significant decimal digits; levels and notes stay.

    Raises:
        InputError: digits is not 1 to 17, or rounded points fall together or leave the domain of fx.

    """
    if type(digits) is not int or not 1 <= digits <= 17:
        raise InputError(f"digits={digits!r}; a double has 1 to 17 significant digits")
    try:
        return _with_numbers(term, lambda value: float(f"{value:.{digits}g}"))
    except InputError as error:
        raise InputError(f"rounding to {digits} digits: {error}; keep more digits") from None


def round_model(model: CurveModel, digits: int) -> CurveModel:
    """The model with the numbers of its terms and its intercept rounded (see :func:`round_term`)."""
    terms = [round_term(term, digits) for term in model.terms]
    return changed(model, terms=terms, intercept=float(f"{model.intercept:.{digits}g}"))


def _with_numbers(term: _T, change: Callable[[float], float]) -> _T:
    fields: dict[str, Any] = {}
    for name in ("missing", "default"):
        if getattr(term, name, None) is not None:
            fields[name] = change(getattr(term, name))
    if isinstance(term, PWLCurve):
        fields["points"] = [(change(x), change(y)) for x, y in term.points]
    elif isinstance(term, StepCurve):
        fields |= {"cuts": [*map(change, term.cuts)], "values": [*map(change, term.values)]}
    elif isinstance(term, EnumCurve):
        fields["mapping"] = Levels([(key, change(value)) for key, value in term.levels.items()])
    return _inside(changed(term, **fields), lambda child: _with_numbers(child, change))


def _inside(term: _T, change: Callable[[Any], Any]) -> _T:
    """The term with the nodes directly inside it changed."""
    if isinstance(term, Sum):
        return changed(term, terms=[*map(change, term.terms)])
    if isinstance(term, Product):
        return changed(term, factors=[*map(change, term.factors)])
    if isinstance(term, (PWLCurve, StepCurve)) and isinstance(term.input, Sum):
        return changed(term, input=change(term.input))
    return term


def monotone(curve: _Curve, direction: str | None = None) -> _Curve:
    """The nearest monotone curve: y values by isotonic regression, least squares over the points with equal weights.

    Args:
        curve: what to change; its x, and the value for missing inputs, stay.
        direction: "increasing", "decreasing", or None for the one that changes y less (increasing if equal).

    Raises:
        InputError: another direction.

    """
    if direction is not None and direction not in DIRECTIONS:
        raise InputError(f"direction={direction!r}; use {', '.join(DIRECTIONS)} or None")
    y = [value for _, value in curve.points] if isinstance(curve, PWLCurve) else list(curve.values)
    fits = [_isotonic(y, way) for way in ([direction] if direction else DIRECTIONS)]
    best = min(fits, key=lambda fit: math.fsum((a - b) ** 2 for a, b in zip(fit, y, strict=True)))
    if isinstance(curve, PWLCurve):
        points = [(x, value) for (x, _), value in zip(curve.points, best, strict=True)]
        return changed(curve, points=points)
    return changed(curve, values=best)


def _isotonic(y: Sequence[float], direction: str) -> list[float]:
    # Pool adjacent violators. Means are clipped to their block, so that values already in order stay as they are.
    sign = 1.0 if direction == "increasing" else -1.0
    blocks: list[list[float]] = []
    for value in y:
        blocks.append([sign * value])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return [sign * _mean(block) + 0.0 for block in blocks for _ in block]


def _mean(block: Sequence[float]) -> float:
    return min(max(math.fsum(value / len(block) for value in block), min(block)), max(block))


def cap(model: CurveModel, feature: str, *, above: float | None = None, below: float | None = None) -> CurveModel:
    """The model in which values of a numeric feature above (below) a bound count as the bound.

    Every curve of the feature becomes constant there, at its own value at the bound.

    Raises:
        InputError: no term uses the feature, no bound or bounds out of order are given, the feature is one of
            categories, or a raw column is capped on one side only.

    """
    low = -math.inf if below is None else float(below)
    high = math.inf if above is None else float(above)
    if math.isnan(low) or math.isnan(high) or low >= high or (above is None and below is None):
        raise InputError(f"above={above!r}, below={below!r}: give one bound, or two with below < above")
    _check_used(model, feature)
    bounds = _Bounds(feature, low, high)
    return changed(model, terms=[_capped(term, bounds) for term in model.terms])


@dataclass(frozen=True, slots=True)
class _Bounds:
    feature: str
    low: float
    high: float

    def clamp(self, x: float) -> float:
        return min(max(x, self.low), self.high)


def _capped(term: Term, bounds: _Bounds) -> Term:
    if isinstance(term, EnumCurve) and term.feature == bounds.feature:
        raise InputError(f"feature {term.feature!r} is one of categories; cap a number, or replace the table")
    if isinstance(term, Column) and term.feature == bounds.feature:
        if math.isinf(bounds.low) or math.isinf(bounds.high):
            raise InputError(f"the raw column {term.feature!r} is capped on one side only; give above and below")
        return PWLCurve(term.feature, [(bounds.low, bounds.low), (bounds.high, bounds.high)], note=term.note)
    if isinstance(term, PWLCurve) and term.input == bounds.feature:
        return _capped_pwl(term, bounds)
    if isinstance(term, StepCurve) and term.input == bounds.feature:
        return _capped_steps(term, bounds)
    return _inside(term, lambda child: _capped(child, bounds))


def _capped_pwl(curve: PWLCurve, bounds: _Bounds) -> PWLCurve:
    first, last = curve.points[0][0], curve.points[-1][0]
    ends = {min(max(bounds.clamp(x), first), last) for x in (first, last)}
    kept = sorted(ends | {x for x, _ in curve.points if bounds.low < x < bounds.high})
    if len(kept) == 1:  # constant now; a curve has two points, and its value for missing inputs is worth keeping
        kept = [first, last]
    x = np.array([min(max(bounds.clamp(value), first), last) for value in kept])
    y = pwl_values(x, segments(curve.points, curve.fx), None)
    return changed(curve, points=list(zip(kept, y.tolist(), strict=True)))


def _capped_steps(curve: StepCurve, bounds: _Bounds) -> StepCurve:
    cuts = [cut for cut in curve.cuts if bounds.low < cut <= bounds.high] or [curve.cuts[0]]
    where = [bounds.clamp(x) for x in (-math.inf, *cuts)]
    return changed(curve, cuts=cuts, values=[curve.values[bisect_right(curve.cuts, x)] for x in where])


def drop(model: CurveModel, feature: str, *, recentre: Any = None, weights: Any = None) -> CurveModel:
    """The model without a feature: terms, factors' sums and interactions that use it go, and so does its column.

    A product loses the feature as a whole where a factor is the feature's own; a sum loses the parts that use it.

    Args:
        model: what to change.
        feature: the feature's name.
        recentre: a table of rows; the mean over them of what was dropped goes into the intercept, so that the mean
            raw score stays.
        weights: of those rows; equal without.

    Raises:
        InputError: the model does not have the feature, nothing would be left, or what was dropped has no finite mean.

    """
    if all(column.name != feature for column in model.features):
        _check_used(model, feature)
    terms = [left for term in model.terms if (left := _without(term, feature)) is not None]
    if not terms:
        raise InputError(f"every term uses {feature!r}; nothing would be left without it")
    intercept = model.intercept
    if recentre is not None:
        intercept += _mean_change(model, terms, recentre, weights, feature)
    features = [column for column in model.features if column.name != feature]
    return changed(model, terms=terms, intercept=intercept, features=features)


def rename(model: CurveModel, features: Mapping[str, str]) -> CurveModel:
    """The model with features called otherwise, in their places; what it computes stays.

    Args:
        model: what to change.
        features: old name -> new name; two may change places.

    Raises:
        InputError: the model does not have a feature, or two would have one name.

    """
    own = [column.name for column in model.features]
    for name in features:
        if name not in own:
            raise InputError(f"model {model.name!r} has no feature {name!r}; it has {', '.join(map(repr, own))}")
    named = [features.get(name, name) for name in own]
    twice = [name for name in named if named.count(name) > 1]
    if twice:
        raise InputError(f"two features would be called {twice[0]!r}; names must differ")
    columns = [changed(column, name=name) for column, name in zip(model.features, named, strict=True)]
    terms = [_renamed(term, features) for term in model.terms]
    return changed(model, terms=terms, features=columns)


def _renamed(term: _T, features: Mapping[str, str]) -> _T:
    if isinstance(term, (Column, EnumCurve)):
        return changed(term, feature=features.get(term.feature, term.feature))
    if isinstance(term, (PWLCurve, StepCurve)) and isinstance(term.input, str):
        return changed(term, input=features.get(term.input, term.input))
    return _inside(term, lambda child: _renamed(child, features))


def drop_unused(model: CurveModel) -> CurveModel:
    """The model without the columns that no term uses: emitted functions no longer ask for them."""
    used = set(names_of(*model.terms))
    return changed(model, features=[column for column in model.features if column.name in used])


def _without(term: Term, feature: str) -> Term | None:
    if all(use.name != feature for use in features_of(term)):
        return term
    if isinstance(term, Sum):
        left = [child for part in term.terms if (child := _without(part, feature)) is not None]
        return changed(term, terms=left) if left else None
    inner = [_without(child, feature) for child in children(term)]
    if not inner or None in inner:
        return None
    rest = iter(inner)
    return _inside(term, lambda _: next(rest))


def _mean_change(model: CurveModel, terms: Sequence[Term], rows: Any, weights: Any, feature: str) -> float:
    table = model.table(rows)
    kept = set(map(id, terms))
    before = [term for term in model.terms if id(term) not in kept]
    after = [term for term in terms if id(term) not in set(map(id, model.terms))]
    change = np.zeros(table.rows)
    for sign, group in ((1.0, before), (-1.0, after)):
        for term in group:
            change += sign * term_values(term, table)
    w = np.ones(table.rows) if weights is None else np.asarray(weights, dtype=np.float64)
    if w.shape != change.shape or not (np.isfinite(w).all() and (w >= 0).all() and w.sum() > 0):
        raise InputError(f"weights must be {table.rows} finite numbers, none negative, not all zero")
    mean = float(np.average(change, weights=w))
    if not math.isfinite(mean):
        raise InputError(
            f"the mean of the terms of {feature!r} over these rows is {mean}; declare their missing values"
        )
    return mean


def replace(model: CurveModel, what: str | Term, term: Term) -> CurveModel:
    """The model with one term replaced, in its place.

    Args:
        model: what to change.
        what: a feature, which one term must use and no other; or the term itself.
        term: the new term. Features that it brings are added behind the model's own.

    Raises:
        InputError: no term, or more than one, is meant.

    """
    if isinstance(what, str):
        found = [k for k, old in enumerate(model.terms) if set(names_of(old)) == {what}]
        name = f"the feature {what!r}"
    else:
        found = [k for k, old in enumerate(model.terms) if old == what]
        name = f"the term {what!r}"
    if len(found) != 1:
        raise InputError(f"{len(found)} terms of model {model.name!r} are of {name} alone; name one term")
    terms = [*model.terms[: found[0]], term, *model.terms[found[0] + 1 :]]
    known = {column.name for column in model.features}
    used = CurveModel(model.name, terms).features
    # An integer table in place of a numeric curve, say, changes the type that the column is listed with.
    types = {column.name: column for column in used}
    listed = [types.get(column.name, column) if _stricter(column, types) else column for column in model.features]
    added = [column for column in used if column.name not in known]
    return changed(model, terms=terms, features=[*listed, *added])


def _stricter(column: Feature, types: dict[str, Feature]) -> bool:
    use = types.get(column.name)
    return use is not None and use.type != column.type and (column.type, use.type) != ("int", "number")


def _check_used(model: CurveModel, feature: str) -> None:
    used = set(names_of(*model.terms))
    if feature not in used:
        raise InputError(
            f"no term of model {model.name!r} uses {feature!r}; it uses {', '.join(map(repr, sorted(used)))}"
        )
