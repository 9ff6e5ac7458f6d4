"""The weighted mean and the spread of a value over rows, from exact sums: the order of the rows does not matter."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from curvec._core import ExactSum, add_squares
from curvec.transforms import FloatArray

ROUNDING = 1e-28
"""Mean squares below this share of the largest value squared are rounding: all values are the same."""


class Spread:
    """Rows of positive weight with a finite value: built in parts, merged, then read.

    It can be pickled. ``w``, ``w y`` and ``w y^2`` are added without rounding, so that parts in any order give the same
    figures to the last bit.

    Args:
        unit: what a weight of 1 stands for.

    Attributes:
        rows: how many rows.
        without: how many rows had no value (NaN), whatever their weight.
        low: the least value; inf without rows.
        high: the largest value.

    """

    def __init__(self, unit: Fraction = Fraction(1)) -> None:
        self._weight, self._first, self._second = ExactSum(), ExactSum(), ExactSum()
        self._unit = unit
        self.rows = self.without = 0
        self.low, self.high = math.inf, -math.inf

    @classmethod
    def of(cls, values: FloatArray, w: FloatArray) -> Spread:
        """Of one table's rows: (rows,) values and weights."""
        found = cls()
        found.update(values, w)
        return found

    def update(self, values: FloatArray, w: FloatArray | None) -> None:
        """Add rows: (rows,) values, NaN where there is none, and weights; None for ones."""
        rows, without, low, high = add_squares(*self._sums, np.ascontiguousarray(values), w)
        self.rows, self.without = self.rows + rows, self.without + without
        self.low, self.high = min(self.low, low), max(self.high, high)

    def merge(self, other: Spread) -> None:
        """Add another's rows."""
        for own, theirs in zip(self._sums, other._sums, strict=True):
            own.merge(theirs)
        self.rows, self.without = self.rows + other.rows, self.without + other.without
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def scaled(self, unit: float) -> Spread:
        """The same rows with their weights multiplied by a power of two."""
        found = Spread(self._unit * Fraction(unit))
        found.merge(self)
        return found

    @property
    def _sums(self) -> tuple[ExactSum, ExactSum, ExactSum]:
        return self._weight, self._first, self._second

    @property
    def weight(self) -> float:
        """The total weight."""
        return float(exact_value(self._weight) * self._unit)

    @property
    def mean(self) -> float:
        """The weighted mean; 0 without rows."""
        return float(exact_value(self._first) / exact_value(self._weight)) if self.rows else 0.0

    @property
    def squares(self) -> float:
        """The weighted sum of squares about the mean; inf beyond the doubles."""
        if not self.rows or self.low == self.high:
            return 0.0
        first = exact_value(self._first)
        return _nearest((exact_value(self._second) - first * first / exact_value(self._weight)) * self._unit)

    def squares_about(self, value: float) -> float:
        """The weighted sum of squares about a value; inf beyond the doubles."""
        about = Fraction(value)
        sums = (
            exact_value(self._second) - 2 * about * exact_value(self._first) + about * about * exact_value(self._weight)
        )
        return _nearest(sums * self._unit)

    @property
    def largest(self) -> float:
        """The largest value without its sign; 0 without rows."""
        return max(abs(self.low), abs(self.high)) if self.rows else 0.0

    @property
    def sd(self) -> float:
        """The weighted standard deviation; 0 if it is within rounding errors."""
        mean_square = self.squares / self.weight if self.rows else 0.0
        return math.sqrt(mean_square) if mean_square > ROUNDING * self.largest * self.largest else 0.0


def _nearest(squares: Fraction) -> float:
    try:
        return max(0.0, float(squares))
    except OverflowError:
        return math.inf


def exact_value(total: ExactSum) -> Fraction:
    """A sum as the fraction that it is."""
    return Fraction(sum(word << (32 * place) for place, word in enumerate(total.words)), 2**1075)
