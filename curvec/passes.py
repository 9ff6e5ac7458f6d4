"""Passes: a model into a shorter model of the same meaning.

Each pass keeps the value of the model at every input, missing and unseen ones included, up to the rounding of the
numbers it has to add.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from curvec.ir import EnumCurve, PWLCurve, StepCurve, Term, changed, merged_terms
from curvec.model import CurveModel
from curvec.spelling import decimal_of
from curvec.transforms import transform

Pass: TypeAlias = Callable[[CurveModel], CurveModel]


def simplify(model: CurveModel) -> CurveModel:
    """Every pass of :data:`PASSES`, in order."""
    for one in PASSES.values():
        model = one(model)
    return model


def fold_constants(model: CurveModel) -> CurveModel:
    """Terms with the same value for every input go into the intercept; one term stays, as a model has at least one."""
    terms: list[Term] = []
    intercept = model.intercept
    for place, term in enumerate(model.terms):
        value = _constant(term)
        last = not terms and place == len(model.terms) - 1
        if value is None or last:
            terms.append(term)
        else:
            intercept = decimal_of(intercept + value, intercept, value)
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
    return changed(model, terms=merged_terms(model.terms))


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
    """From the left, a point is dropped if it and all dropped since the last kept one lie on the line past them."""
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
    """Without flat segments at the ends: a curve is constant outside its points anyway."""
    kept = list(kept)
    while len(kept) > 2 and points[kept[0]][1] == points[kept[1]][1]:
        del kept[0]
    while len(kept) > 2 and points[kept[-1]][1] == points[kept[-2]][1]:
        del kept[-1]
    return kept
