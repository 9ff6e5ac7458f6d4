"""Each curve in turn fitted anew to what the others leave of the teacher's score (Buja, Hastie and Tibshirani 1989).

A curve of a few segments leaves out what its own function does between its knots. Where features are correlated, curves
of other features can take some of that over, if their knots move as well: on ten sets of real data it lowered the loss
on the labels of new rows where rows are many, and changed it by less than chance where they are few
(docs/explanation/refine.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from curvec.data import Table
from curvec.distill.context import Aim
from curvec.distill.correspondence import values_or_zero
from curvec.distill.fitted_curve import Examples, fits_of_sizes
from curvec.errors import CurvecError
from curvec.evaluate import raw_score, term_values
from curvec.fields import changed
from curvec.ir import PWLCurve
from curvec.model import CurveModel
from curvec.transforms import FloatArray

_TIMES_CHANCE = 4
"""How many times more a curve has to gain than chance alone would give as many free numbers."""


class Target(NamedTuple):
    """What a model's terms are moved towards.

    Attributes:
        table: rows.
        left: (rows,) the teacher's score less that of the terms, up to a constant.
        shares: (rows,) the weights, which add up to 1.

    """

    table: Table
    left: FloatArray
    shares: FloatArray

    def beside(self, before: CurveModel, after: CurveModel) -> Target:
        """What is left with other terms."""
        scores = (np.nan_to_num(raw_score(model.terms, 0.0, self.table)) for model in (before, after))
        return self._replace(left=self.left + next(scores) - next(scores))


def variance(values: FloatArray, shares: FloatArray) -> float:
    """The weighted variance; the weights add up to 1."""
    return float(shares @ np.square(values - shares @ values))


def backfitted(
    model: CurveModel, target: Target, ranges: Mapping[str, tuple[float, float]], aim: Aim, weight: float
) -> CurveModel:
    """The model with curves of other knots, where the score gains by it, clearly more than chance would give.

    Args:
        model: each of its terms is one curve, line or table.
        target: what it is to come nearer to.
        ranges: for the feature of each curve the least and the largest value that it may have.
        aim: what the distillation is asked for.
        weight: the weight of all rows, of which the aim's allowance is a sum.

    """
    table, left, shares = target
    by_chance = float(np.sum(np.square(shares)))
    terms = list(model.terms)
    for place, term in enumerate(model.terms):
        if not isinstance(term, PWLCurve):
            continue
        feature, centred = str(term.input), left - shares @ left
        examples = Examples(table.number(feature), centred + term_values(term, table), shares)
        trial = _curve_anew(term, examples, ranges[feature], aim, weight)
        rest = left - (values_or_zero(trial, table) - values_or_zero(term, table))
        before = variance(left, shares)
        if before - variance(rest, shares) > _TIMES_CHANCE * term.numbers_to_read * by_chance * before:
            terms[place], left = trial, rest
    return CurveModel(model.name, terms)


def _curve_anew(term: PWLCurve, examples: Examples, bounds: tuple[float, float], aim: Aim, weight: float) -> PWLCurve:
    """The best curve of a term's form through other values: as many segments, the same transform, direction and codes.

    The term itself where there is none.
    """
    feature = str(term.input)
    segments = len(term.points) - 1
    form = {
        "num_segments": segments,
        "fx": term.fx,
        "y_bounds": bounds,
        "special": tuple(term.special_codes),
    }
    if term.direction in ("increasing", "decreasing"):
        form["mono"] = term.direction
    options = aim.options
    for name, value in form.items():
        options = options.with_option(feature, name, value)
    precision = changed(aim.precision, allowance=(aim.precision.allowance or 0.0) / weight)
    try:
        *_, fit = fits_of_sizes(feature, examples, options, term.missing, precision, fewest=segments)
    except CurvecError:  # no sampled row has a value, or what the others leave is too large to be squared
        return term
    return changed(fit.curve, special=term.special)
