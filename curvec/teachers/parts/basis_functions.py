"""The functions of one feature that a pipeline makes of a column, while its linear model is taken apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np

from curvec.doubles import first_double
from curvec.errors import UnsupportedError
from curvec.fields import changed
from curvec.ir import EnumCurve, Key, Levels, Line, Term, joined_pairwise
from curvec.teachers.parts.curves import polynomial_term
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    from scipy.interpolate import BSpline, PPoly


class Polynomial(msgspec.Struct, frozen=True, eq=False):
    """A piecewise polynomial of a numeric feature (see :func:`curvec.teachers.parts.curves.polynomial_term`).

    ``exact``, for a straight line, is the library's own arithmetic of it.
    """

    feature: int
    cuts: FloatArray
    anchors: FloatArray
    coefficients: FloatArray
    missing: float | None = None
    exact: Callable[[float], float] | None = None

    @property
    def is_line(self) -> bool:
        """Whether it is one straight line."""
        return not self.cuts.size and self.coefficients.shape[1] == 2 and not self.anchors.any()

    @property
    def is_raw(self) -> bool:
        """Whether it is the feature itself."""
        return self.is_line and self.coefficients.tolist() == [[0.0, 1.0]]

    def value_at(self, x: float) -> float:
        """The value at x."""
        piece = int(np.searchsorted(self.cuts, x, side="right"))
        return float(np.polynomial.polynomial.polyval(x - self.anchors[piece], self.coefficients[piece]))

    def times(self, factor: float) -> Polynomial:
        """The function times a number."""
        missing = None if self.missing is None else self.missing * factor
        return changed(self, coefficients=self.coefficients * factor, missing=missing, exact=None)

    def plus(self, other: Polynomial) -> Polynomial | None:
        """The sum of two functions with the same pieces; None where they differ."""
        same = np.array_equal(self.cuts, other.cuts) and np.array_equal(self.anchors, other.anchors)
        if self.feature != other.feature or not same or (self.missing is None) != (other.missing is None):
            return None
        width = max(self.coefficients.shape[1], other.coefficients.shape[1])
        total = sum(np.pad(f.coefficients, ((0, 0), (0, width - f.coefficients.shape[1]))) for f in (self, other))
        missing = None if self.missing is None or other.missing is None else self.missing + other.missing
        return changed(self, coefficients=np.asarray(total), missing=missing, exact=None)


class LevelValues(msgspec.Struct, frozen=True, eq=False):
    """A value for each category of a feature."""

    feature: int
    values: Mapping[Key, float]
    default: float | None
    missing: float | None

    def times(self, factor: float) -> LevelValues:
        """The function times a number."""
        return self.mapped(lambda value: value * factor)

    def mapped(self, change: Callable[[float], float]) -> LevelValues:
        """The function with every value changed."""
        default = None if self.default is None else change(self.default)
        missing = None if self.missing is None else change(self.missing)
        return LevelValues(self.feature, {key: change(value) for key, value in self.values.items()}, default, missing)

    def plus(self, other: LevelValues) -> LevelValues | None:
        """The sum of two tables of one feature; None where levels differ, or only one has a default or a missing."""
        known = (self.default is None, self.missing is None) == (other.default is None, other.missing is None)
        if self.feature != other.feature or list(self.values) != list(other.values) or not known:
            return None
        values = {key: value + other.values[key] for key, value in self.values.items()}
        default = None if self.default is None or other.default is None else self.default + other.default
        missing = None if self.missing is None or other.missing is None else self.missing + other.missing
        return LevelValues(self.feature, values, default, missing)


class Filled(msgspec.Struct, frozen=True, eq=False):
    """A column of strings whose missing values are filled with ``missing``; an encoder has to follow."""

    feature: int
    missing: str

    def times(self, factor: float) -> Filled:
        """A column of strings cannot be multiplied."""
        raise UnsupportedError(f"a column of strings is multiplied by {factor:g}; encode it first")


Function: TypeAlias = Polynomial | LevelValues | Filled


def column(feature: int) -> Polynomial:
    """The feature itself."""
    return Polynomial(feature, np.empty(0), np.zeros(1), np.array([[0.0, 1.0]]), exact=lambda x: x)


def add_up(functions: Iterable[Function], names: list[str]) -> tuple[list[Term], float]:
    """The sum of functions: terms, one a feature where its functions have the same pieces, and a constant."""
    terms: list[Term] = []
    constant = 0.0
    for function in joined_pairwise(functions, _sum):
        term, rest = _term(function, names[function.feature])
        constant += rest
        terms.extend([] if term is None else [term])
    return terms, constant


def _sum(one: Function, other: Function) -> Function | None:
    if isinstance(one, Polynomial) and isinstance(other, Polynomial):
        return one.plus(other)
    return one.plus(other) if isinstance(one, LevelValues) and isinstance(other, LevelValues) else None


def _term(function: Function, name: str) -> tuple[Term | None, float]:
    assert not isinstance(function, Filled)  # noqa: S101  its times() has refused
    if isinstance(function, LevelValues):
        levels = Levels(function.values)
        same = {*levels.values(), function.default, function.missing}
        if len(same) == 1 and None not in same:
            return None, next(iter(levels.values()))
        return EnumCurve(name, levels, default=function.default, missing=function.missing), 0.0
    if function.is_line:
        return _line(function, name)
    values = {*function.coefficients[:, 0].tolist(), function.missing}
    if not function.coefficients[:, 1:].any() and len(values) == 1:
        return None, float(function.coefficients[0, 0])
    used = max(1, 1 + int(np.flatnonzero(function.coefficients.any(axis=0)).max(initial=0)))
    pieces = function.coefficients[:, :used]
    return polynomial_term(name, function.cuts, function.anchors, pieces, function.missing), 0.0


def _line(function: Polynomial, name: str) -> tuple[Term | None, float]:
    """A straight line: slope times x, and its constant apart; no term where it is the constant alone."""
    start, slope = function.coefficients[0].tolist()
    missing = None if function.missing is None else function.missing - start
    return None if slope == 0 and not missing else Line(name, slope, missing), start


def preimage(function: Polynomial, value: float) -> float:
    """The first double at which an increasing straight line, in the library's own arithmetic, reaches ``value``.

    Raises:
        UnsupportedError: the line does not increase.

    """
    start, slope = function.coefficients[0].tolist()
    exact = function.exact or function.value_at
    if slope <= 0:
        raise UnsupportedError(f"a column is multiplied by {slope:g} before it is binned; bin it before it is scaled")
    x = (value - start) / slope
    width = 1e-12 * (abs(x) + abs(start / slope) + abs(value / slope)) or 1e-300
    low, high = x - width, x + width
    while exact(low) >= value:
        low -= (high - low) * 2
    while exact(high) < value:
        high += (high - low) * 2
    return first_double(lambda double: exact(double) >= value, low, high)


def spline(function: Polynomial, basis: BSpline, before: str, after: str) -> Polynomial:
    """A spline of a straight line of a feature.

    ``before`` and ``after`` say how it goes on outside its base interval: "constant", "linear" or "continue".
    """
    from scipy.interpolate import PPoly

    start, slope = function.coefficients[0].tolist()
    knots = basis.t[basis.k : len(basis.t) - basis.k]
    inner = np.unique(knots)
    pieces = PPoly.from_spline((basis.t, basis.c, basis.k))
    rising = [_piece(pieces, knot) for knot in inner[:-1]]
    left = _outside(rising[0], 0.0, before)
    rows = [left, *rising, _outside(rising[-1], inner[-1] - inner[-2], after)]
    anchors = np.r_[inner[0], inner[:-1], inner[-1] if after != "continue" else inner[-2]]
    coefficients = np.array(rows) * slope ** np.arange(basis.k + 1)
    # A spline of degree 0 jumps at its knots, so that they are needed to the last double.
    cuts = (inner - start) / slope if basis.k else np.array([preimage(function, float(knot)) for knot in inner])
    return Polynomial(function.feature, cuts, (anchors - start) / slope, coefficients)


def _piece(pieces: PPoly, knot: float) -> FloatArray:
    """The coefficients, rising, of the piece that starts at this knot."""
    index = int(np.searchsorted(pieces.x, knot, side="right")) - 1
    return np.asarray(pieces.c[::-1, index], dtype=np.float64)


def _outside(nearest: FloatArray, end: float, kind: str) -> FloatArray:
    """The piece beyond the end of the nearest one, ``end`` away from that one's anchor."""
    if kind == "continue":
        return nearest
    result = np.zeros(len(nearest))
    result[0] = np.polynomial.polynomial.polyval(end, nearest)
    if kind == "linear" and len(result) > 1:
        result[1] = np.polynomial.polynomial.polyval(end, np.polynomial.polynomial.polyder(nearest))
    return result
