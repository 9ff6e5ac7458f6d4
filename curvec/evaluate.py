"""What a model means: the reference evaluator that every target must equal."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from curvec.contract import grouped_sum, pwl_values, segments, step_values
from curvec.data import Table
from curvec.ir import Column, EnumCurve, Product, PWLCurve, StepCurve, Sum, Term
from curvec.transforms import FloatArray

__all__ = ["added", "columns_of", "contributions", "input_values", "raw_score", "term_values"]


def term_values(term: Term, table: Table) -> FloatArray:
    """(rows,) the value of one term; NaN where it is missing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return _values(term, table)


def contributions(terms: Sequence[Term], table: Table) -> FloatArray:
    """(rows, terms) the value of each term."""
    return columns_of([term_values(term, table) for term in terms], table.rows)


def columns_of(values: Sequence[FloatArray], rows: int) -> FloatArray:
    """(rows, n) n columns side by side, also where there are none."""
    return np.column_stack(values) if values else np.empty((rows, 0))


def raw_score(terms: Sequence[Term], intercept: float, table: Table) -> FloatArray:
    """(rows,) intercept plus terms, in the contract's order; before the link."""
    with np.errstate(over="ignore", invalid="ignore"):
        return added([_values(term, table) for term in terms], intercept, table.rows)


def added(values: Sequence[FloatArray], intercept: float, rows: int) -> FloatArray:
    """(rows,) intercept plus values, each (rows,), in the contract's order, also where there are none."""
    return grouped_sum(values, start=intercept) if values else np.full(rows, intercept)


def input_values(curve: PWLCurve | StepCurve, table: Table) -> FloatArray:
    """(rows,) what a curve is applied to: its feature, or the sum inside it."""
    return table.number(curve.input) if isinstance(curve.input, str) else _values(curve.input, table)


def _values(term: Term, table: Table) -> FloatArray:
    match term:
        case Column(feature):
            return table.number(feature)
        case PWLCurve():
            return pwl_values(input_values(term, table), segments(term.points, term.fx), term.missing)
        case StepCurve():
            cuts, values = np.array(term.cuts), np.array(term.values)
            return step_values(input_values(term, table), cuts, values, term.missing)
        case EnumCurve():
            return _enum_values(term, table)
        case Sum():
            return grouped_sum([_values(child, table) for child in term.terms])
        case Product():
            result = _values(term.factors[0], table)
            for factor in term.factors[1:]:
                result = result * _values(factor, table)
            return result


def _enum_values(curve: EnumCurve, table: Table) -> FloatArray:
    missing = math.nan if curve.missing is None else curve.missing
    default = math.nan if curve.default is None else curve.default
    lookup: dict[object, float] = {**dict(curve.levels.items()), None: missing}
    keys = table.keys(curve.input, curve.levels.type)
    return np.fromiter((lookup.get(key, default) for key in keys), np.float64, len(keys))
