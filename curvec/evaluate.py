"""The value of a model: the values of its terms, added up. This is the reference that every target must equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curvec.contract import grouped_sum
from curvec.data import Table
from curvec.errors import InputError
from curvec.ir import Node, Term
from curvec.transforms import FloatArray

SCORE_ROUNDING = 2.0**-40
"""As a share of the largest score: smaller differences of scores are rounding, since another order of adding the terms
moves a score by as much."""


def term_values(term: Node, table: Table) -> FloatArray:
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


def check_scored(score: FloatArray, whose: str = "") -> None:
    """Check that every row has a score.

    Args:
        score: (rows,) raw scores, NaN where there is none.
        whose: what gives the scores, for the message; empty for the model that the user passed.

    Raises:
        InputError: a row has none; the message names the first.

    """
    if np.isnan(score).any():
        row = int(np.argmax(np.isnan(score)))
        raise InputError(
            f"row {row} has no score{whose} (a missing or unseen input without a value); leave such rows out"
        )


def without_rounding(score: FloatArray) -> FloatArray:
    """(rows,) the scores, equal where they differ only by rounding, so that a metric sees the ties of step curves."""
    finite = score[np.isfinite(score)]
    unit = float(np.abs(finite).max(initial=0.0)) * SCORE_ROUNDING
    return np.round(score / unit) * unit if unit else score
