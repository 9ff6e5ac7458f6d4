"""How exact a short function has to be: what it may lose, and at which decimal place its numbers end."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias, overload

import msgspec

from curvec.condense.spread import Spread
from curvec.ir import changed, is_offset, walk
from curvec.model import CurveModel
from curvec.spelling import decimals, rounded

Digits: TypeAlias = int | Literal["auto"] | None

MARGIN = 1e-3
"""Share of the score's variance that a model may lose to be shorter, unless asked otherwise, ..."""
MOST_MARGIN = 6.5e-3
"""... and the most where chance alone makes much more of the score: curvec/distill/automatic_margin.py."""

_FACTOR_DIGITS = 4
"""Significant digits of factors and inner curves, whose values are not in units of the score."""


class Precision(msgspec.Struct, frozen=True):
    """What a function may lose to be shorter.

    Attributes:
        margin: share of the variance of the score (of the function, where ``allowance`` is None) that it may lose.
        allowance: the same as a weighted squared error, in squared units of the raw score; None for a function inside
            another, whose errors are not those of the score.
        place: the decimal place of values that are added to the score: 10^place is the last digit; None for a factor.

    """

    margin: float
    allowance: float | None = None
    place: int | None = None

    @property
    def of_factor(self) -> Precision:
        """The same for a factor of a product: its values are not in units of the score."""
        return Precision(self.margin, self.allowance)

    @property
    def of_inner(self) -> Precision:
        """The same for a function that another function reads."""
        return Precision(self.margin)

    def of_coefficient(self, spread: float) -> Precision:
        """The same for a line's coefficient: rounding it moves the score no more than rounding a value does.

        ``spread`` is the root mean square of the feature about its mean, which is what a change of 1 moves the score.
        """
        place = None if self.place is None else math.floor(self.place - math.log10(spread))
        return Precision(self.margin, self.allowance, place)

    @overload
    def round(self, value: float, digits: Digits) -> float: ...
    @overload
    def round(self, value: None, digits: Digits) -> None: ...
    @overload
    def round(self, value: float | None, digits: Digits) -> float | None: ...
    def round(self, value: float | None, digits: Digits) -> float | None:
        """A value rounded to so many significant digits; None stays None.

        "auto" rounds to the decimal place, or keeps every digit if nothing may be lost.
        """
        if value is None or digits is None or (digits == "auto" and not self.margin):
            return value
        if digits != "auto":
            return rounded(value, digits)
        return rounded(value, _FACTOR_DIGITS) if self.place is None else round(value, -self.place) + 0.0

    def shortest(self, value: float, spread: float, digits: Digits) -> float:
        """A value to as many digits as asked for, or to as few as its part of the margin allows.

        Args:
            value: a coefficient, or a constant factor.
            spread: the weighted sum of squares of what it multiplies, which is what a value that is off by 1 loses.
            digits: as in :meth:`round`.

        """
        if digits is None or not value:
            return value
        if digits != "auto":
            return rounded(value, digits)
        allowed = math.sqrt((self.allowance or 0.0) / spread) if spread > 0 else 0.0
        trials = (rounded(value, digits) for digits in range(1, 17))
        return next((trial for trial in trials if abs(trial - value) <= allowed), value)

    def share(self, total: float) -> float:
        """The margin as a share of a function's total sum of squares."""
        if self.allowance is None:
            return self.margin
        return self.allowance / total if total > 0 else math.inf


def score_precision(score: Spread, margin: float, functions: int) -> Precision:
    """What each function of a score may lose, so that all together lose at most a share of the score's variance.

    Args:
        score: the spread of the teacher's raw score over the rows.
        margin: the share that all may lose; each may lose an equal part of it. Rounding a value to a multiple of d adds
            an error of variance d^2 / 12, and between two points, whose errors are independent, two thirds of that on
            average; so the place is the coarsest one for which d^2 / 18 is within the function's part.
        functions: how many there are.

    """
    margin /= max(1, functions)
    if not margin:
        return Precision(0.0, 0.0)
    if not score.sd:  # a constant score: it may lose what the rounding of its sums left behind, and nothing else
        return Precision(margin, 0.0, math.floor(math.log10(score.largest)) - 12 if score.largest else None)
    place = math.floor(math.log10(score.sd * math.sqrt(18 * margin)))
    return Precision(margin, margin * score.sd**2 * score.weight, place)


def refined_precision(score: Spread, model: CurveModel) -> Precision:
    """How exact new values of a model are: with no more decimals than its own, where ``distill`` may choose so few.

    Args:
        score: the spread of the model's raw score without offsets.
        model: the model.

    """
    terms = without_offsets(model).terms
    precision, roughest = (score_precision(score, margin, len(terms)) for margin in (MARGIN, MOST_MARGIN))
    own = -decimals(value for node in walk(*terms) for value in node.ordinates)
    if precision.place is None or roughest.place is None or not precision.place < own <= roughest.place:
        return precision
    return changed(precision, place=own)


def without_offsets(model: CurveModel) -> CurveModel:
    """The model without its offsets, whose variance is no measure of what the rest may lose; itself if it has none."""
    terms = [term for term in model.terms if not is_offset(term)]
    return model if len(terms) == len(model.terms) else changed(model, terms=terms)
