"""The factors of an interaction distilled together, each given the others, so that their errors do not multiply."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.condense.spread import Spread
from curvec.distill.context import Context
from curvec.distill.fitted_curve import Examples, FittedCurve, best_curve, distance_of
from curvec.evaluate import term_values
from curvec.fields import changed
from curvec.fit import Fit
from curvec.ir import Curve, EnumCurve, Levels, Product, StepCurve, Sum, Term
from curvec.transforms import FloatArray

_PASSES = 3


class _Factor(msgspec.Struct, frozen=True):
    """One factor of a product: the teacher's, and the curve that stands for it so far.

    Attributes:
        source: the step curve or table of the factorisation.
        teacher: (rows,) its values.
        term: its replacement so far.
        values: (rows,) the replacement's values.
        fit: the last fit, of a numeric factor.

    """

    source: Term
    teacher: FloatArray
    term: Term
    values: FloatArray
    fit: Fit | None = None


def distilled_products(term: Term, context: Context) -> tuple[Term, tuple[FittedCurve, ...]]:
    """The products of a factorised pair, every factor a curve.

    Each factor in turn is fitted by least squares, given all others: to the pair less all other products, divided by
    the other factor of its own product, with the square of that factor as the weight. Two more passes let each factor
    correct the errors of the others. Its values stay within the range of the factor that it replaces and zero, so that
    a product can vanish, and no pass makes the pair worse.
    """
    products = term.terms if isinstance(term, Sum) else [term]
    exact = term_values(term, context.table)
    rows: list[tuple[_Factor, _Factor]] = []
    for product in products:
        assert isinstance(product, Product)  # noqa: S101  what factored() makes
        factors = with_gates(product.factors, context)
        values = [term_values(factor, context.table) for factor in factors]
        first, second = (_Factor(factor, v, factor, v) for factor, v in zip(factors, values, strict=True))
        rows.append((first, second))
    for _ in range(_PASSES):
        for place, (first, second) in enumerate(rows):
            rest = exact - sum(a.values * b.values for other, (a, b) in enumerate(rows) if other != place)
            new = _refitted(first, second.values, rest, context)
            rows[place] = new, _refitted(second, new.values, rest, context)
    curves = []
    for place, (first, second) in enumerate(rows, start=1):
        where = f"product {place}, " if len(rows) > 1 else ""
        curves += [_fitted(where, first, second, context), _fitted(where, second, first, context)]
    replaced = [Product([first.term, second.term]) for first, second in rows]
    return (Sum(replaced) if len(replaced) > 1 else replaced[0]), tuple(curves)


def with_gates(factors: Sequence[Term], context: Context) -> Sequence[Term]:
    """The factors of a product scaled so that all but the main one are gates: positive, with mean 1 over the rows.

    The main factor carries the sign and the scale of the product. It is the first factor that changes its sign over the
    rows or, if none does, the one that varies most relative to its mean. Other factors that change their sign stay as
    they are.
    """
    w = context.weights
    values = [term_values(factor, context.table) for factor in factors]
    known = np.isfinite(values).all(axis=0) & (w > 0)
    if not known.any():
        return factors
    spreads = [Spread.of(value[known], w[known]) for value in values]
    signed = [spread.low < 0 < spread.high or not spread.mean for spread in spreads]
    varies = [spread.sd / abs(spread.mean) if spread.mean else np.inf for spread in spreads]
    main = signed.index(True) if any(signed) else int(np.argmax(varies))
    gates = [place for place in range(len(factors)) if place != main and not signed[place]]
    scale = math.prod(spreads[place].mean for place in gates)
    if not all(_SMALLEST < abs(size) < 1 / _SMALLEST for size in (scale, *(spreads[place].mean for place in gates))):
        return factors
    scaled = {main: scale} | {place: 1 / spreads[place].mean for place in gates}
    return [factor.scaled(scaled.get(place, 1.0)) for place, factor in enumerate(factors)]


_SMALLEST = 1e-50
"""Factors beyond this or its inverse are left as they are: scaled, their products may be no doubles."""


def _refitted(factor: _Factor, other: FloatArray, rest: FloatArray, context: Context) -> _Factor:
    usable = np.isfinite(rest) & np.isfinite(other) & (other != 0)
    w = np.where(usable, context.weights * np.square(np.nan_to_num(other)), 0.0)
    if not w.any():
        return factor  # the other factor is 0 on every row, so this one does not matter
    y = np.where(usable, rest / np.where(usable, other, 1.0), 0.0)
    fit: Fit | None = None
    if isinstance(factor.source, EnumCurve):
        term: Term = _table(factor.source, y, w, context)
    else:
        term, fit = _curve(factor, y, w, context)
    return changed(factor, term=term, values=term_values(term, context.table), fit=fit)


def _curve(factor: _Factor, y: FloatArray, w: FloatArray, context: Context) -> tuple[Term, Fit | None]:
    source = factor.source
    assert isinstance(source, StepCurve)  # noqa: S101  what factored() makes
    assert isinstance(source.input, str)  # noqa: S101
    x = context.table.number(source.input)
    digits = context.options.fit_options(source.input)["digits"]
    known = factor.teacher[np.isfinite(factor.teacher) & ~np.isnan(x)]
    bounds = (min(0.0, float(known.min())), max(0.0, float(known.max())))
    gaps = np.isnan(x) & (w > 0)
    unshown = source.missing if context.options.unseen == "teacher" else None
    missing = float(np.average(y[gaps], weights=w[gaps])) if gaps.any() else unshown
    options = context.options.with_option(source.input, "y_bounds", bounds)
    if not (w[~np.isnan(x)] > 0).any():
        return source, None
    precision = context.precision.of_factor
    return best_curve(source.input, Examples(x, y, w), options, precision.round(missing, digits), precision)


def _table(source: EnumCurve, y: FloatArray, w: FloatArray, context: Context) -> EnumCurve:
    digits = context.options.fit_options(source.input)["digits"]
    keys = context.table.keys(source.input, source.levels.type)
    means = {level: _mean(y, w, keys == level, value) for level, value in source.levels.items()}
    rounded = context.precision.of_factor.round
    levels = Levels((level, rounded(value, digits)) for level, value in means.items())
    shown = set(keys[context.weights > 0].tolist()) - set(levels)
    asked = context.options.unseen == "teacher"
    default = source.default if asked or shown - {None} else None
    missing = source.missing if asked or None in shown else None
    return EnumCurve(source.input, levels, rounded(default, digits), rounded(missing, digits))


def _mean(y: FloatArray, w: FloatArray, rows: npt.NDArray[np.bool_], otherwise: float) -> float:
    return float(np.average(y[rows], weights=w[rows])) if w[rows].any() else otherwise


def _fitted(where: str, factor: _Factor, other: _Factor, context: Context) -> FittedCurve:
    """The factor with its replacement, fitted on rows weighted by how much the other factor amplifies its error."""
    w = context.weights * np.square(np.nan_to_num(other.teacher))
    source = factor.source
    x: npt.NDArray[Any]
    if isinstance(source, EnumCurve):
        label, x = source.input, context.table.keys(source.input, source.levels.type)
    else:
        assert isinstance(source, Curve)  # noqa: S101
        label = str(source.input)
        x = context.table.number(label)
    notes = factor.fit.notes if factor.fit else ()
    distance = distance_of(Examples(x, factor.teacher, w), factor.values)
    return FittedCurve(where + label, factor.term, distance, fit=factor.fit, notes=notes)
