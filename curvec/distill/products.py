"""The factors of an interaction distilled together, each given the others, so that their errors do not multiply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.distill.leaf import Leaf, Sample, best_curve, compare, round_digits, rounded
from curvec.distill.setting import Setting
from curvec.evaluate import term_values
from curvec.fit import Fit
from curvec.ir import EnumCurve, Levels, Product, PWLCurve, StepCurve, Sum, Term
from curvec.transforms import FloatArray

__all__ = ["distilled_products"]

_PASSES = 3


@dataclass
class _Factor:
    """One factor on its way from the teacher's to a curve.

    Attributes:
        source: the step curve or table of the factorisation.
        teacher: (rows,) its values.
        term: what stands for it by now.
        values: (rows,) the values of that.
        fit: the last fit, of a numeric factor.

    """

    source: Term
    teacher: FloatArray
    term: Term
    values: FloatArray
    fit: Fit | None = None


def distilled_products(term: Term, setting: Setting) -> tuple[Term, tuple[Leaf, ...]]:
    """The products of a factorised pair, every factor a curve.

    Each factor in turn is fitted to what the pair leaves when all the other products are taken off, over the other
    factor of its product, with the square of that as weight: the least squares factor given all others. Two passes
    more let each answer the errors of those that came before it. Within the range of the factor it replaces, zero
    included, so that a product can vanish and no pass makes the pair worse.
    """
    products = term.terms if isinstance(term, Sum) else [term]
    exact = term_values(term, setting.table)
    rows: list[list[_Factor]] = []
    for product in products:
        assert isinstance(product, Product)  # noqa: S101  what factored() makes
        values = [term_values(factor, setting.table) for factor in product.factors]
        rows.append([_Factor(factor, v, factor, v) for factor, v in zip(product.factors, values, strict=True)])
    for _ in range(_PASSES):
        for product_factors in rows:
            rest = exact - sum(a.values * b.values for a, b in rows if a is not product_factors[0])
            for factor, other in (product_factors, product_factors[::-1]):
                _refit(factor, other.values, rest, setting)
    leaves = []
    for place, (a, b) in enumerate(rows, start=1):
        where = f"product {place}, " if len(rows) > 1 else ""
        leaves += [_leaf(where, a, b, setting), _leaf(where, b, a, setting)]
    replaced = [Product([factor.term for factor in product_factors]) for product_factors in rows]
    return (Sum(replaced) if len(replaced) > 1 else replaced[0]), tuple(leaves)


def _refit(factor: _Factor, other: FloatArray, rest: FloatArray, setting: Setting) -> None:
    usable = np.isfinite(rest) & np.isfinite(other) & (other != 0)
    w = np.where(usable, setting.weights * np.square(np.nan_to_num(other)), 0.0)
    if not w.any():
        return  # the other factor vanishes on every row: any value will do, and the teacher's is as good
    y = np.where(usable, rest / np.where(usable, other, 1.0), 0.0)
    if isinstance(factor.source, EnumCurve):
        factor.term = _table(factor.source, y, w, setting)
    else:
        factor.term, factor.fit = _curve(factor, y, w, setting)
    factor.values = term_values(factor.term, setting.table)


def _curve(factor: _Factor, y: FloatArray, w: FloatArray, setting: Setting) -> tuple[Term, Fit | None]:
    source = factor.source
    assert isinstance(source, StepCurve)  # noqa: S101  what factored() makes
    assert isinstance(source.input, str)  # noqa: S101
    x = setting.table.number(source.input)
    digits = setting.options.fit_options(source.input)["digits"]
    known = factor.teacher[np.isfinite(factor.teacher) & ~np.isnan(x)]
    bounds = (min(0.0, float(known.min())), max(0.0, float(known.max())))
    gaps = np.isnan(x) & (w > 0)
    missing = float(np.average(y[gaps], weights=w[gaps])) if gaps.any() else source.missing
    options = setting.options.with_option(source.input, "y_bounds", bounds)
    if not (w[~np.isnan(x)] > 0).any():
        return source, None
    return best_curve(source.input, Sample(x, y, w), options, rounded(missing, digits))


def _table(source: EnumCurve, y: FloatArray, w: FloatArray, setting: Setting) -> EnumCurve:
    digits = setting.options.fit_options(source.feature)["digits"]
    keys = setting.table.keys(source.feature, source.levels.type)
    means = {level: _mean(y, w, keys == level, value) for level, value in source.levels.items()}
    levels = Levels((level, round_digits(value, digits)) for level, value in means.items())
    return EnumCurve(source.feature, levels, rounded(source.default, digits), rounded(source.missing, digits))


def _mean(y: FloatArray, w: FloatArray, rows: npt.NDArray[np.bool_], otherwise: float) -> float:
    return float(np.average(y[rows], weights=w[rows])) if w[rows].any() else otherwise


def _leaf(where: str, factor: _Factor, other: _Factor, setting: Setting) -> Leaf:
    """The factor beside the teacher's, where its product counts."""
    w = setting.weights * np.square(np.nan_to_num(other.teacher))
    source = factor.source
    x: npt.NDArray[Any]
    if isinstance(source, EnumCurve):
        label, x = source.feature, setting.table.keys(source.feature, source.levels.type)
    else:
        assert isinstance(source, (StepCurve, PWLCurve))  # noqa: S101
        label = str(source.input)
        x = setting.table.number(label)
    notes = factor.fit.notes if factor.fit else ()
    stats = compare(Sample(x, factor.teacher, w), factor.values)
    return Leaf(where + label, factor.term, stats, fit=factor.fit, notes=notes)
