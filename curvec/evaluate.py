"""What a model means: its terms' own values, added up. The reference that every target must equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curvec.contract import grouped_sum
from curvec.data import Table
from curvec.ir import Term
from curvec.transforms import FloatArray

__all__ = ["added", "columns_of", "contributions", "raw_score", "term_values"]


def term_values(term: Term, table: Table) -> FloatArray:
    """(rows,) the value of one term; NaN where it is missing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return term.at_rows(table)


def contributions(terms: Sequence[Term], table: Table) -> FloatArray:
    """(rows, terms) the value of each term."""
    return columns_of([term_values(term, table) for term in terms], table.rows)


def columns_of(values: Sequence[FloatArray], rows: int) -> FloatArray:
    """(rows, n) n columns side by side, also where there are none."""
    return np.column_stack(values) if values else np.empty((rows, 0))


def raw_score(terms: Sequence[Term], intercept: float, table: Table) -> FloatArray:
    """(rows,) intercept plus terms, in the contract's order; before the link."""
    with np.errstate(over="ignore", invalid="ignore"):
        return added([term.at_rows(table) for term in terms], intercept, table.rows)


def added(values: Sequence[FloatArray], intercept: float, rows: int) -> FloatArray:
    """(rows,) intercept plus values, each (rows,), in the contract's order, also where there are none."""
    return grouped_sum(values, start=intercept) if values else np.full(rows, intercept)
