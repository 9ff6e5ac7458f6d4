from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

GROUP = 25
EXP_BOUND = 700.0


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)


def log1p(x: float) -> float:
    """log(1 + x) in Kahan's form: the same bits wherever log has the same bits."""
    total = 1.0 + x
    return x if total == 1.0 else math.log(total) * (x / (total - 1.0))


def symlog1p(x: float) -> float:
    """log1p of the magnitude, with the sign of x."""
    return -log1p(-x) if x < 0 else log1p(x)


TRANSFORMS: dict[str, Callable[[float], float]] = {
    "identity": lambda x: x,
    "log": math.log,
    "log1p": log1p,
    "symlog1p": symlog1p,
}


def segment_slope(u0: float, y0: float, u1: float, y1: float) -> float:
    """The slope between two points, moved towards zero until it does not overshoot."""
    du, dy = u1 - u0, y1 - y0
    slope = dy / du
    while (y0 + slope * du > y1) if dy > 0 else (y0 + slope * du < y1):
        slope = math.nextafter(slope, 0.0)
    return slope


def grouped_sum(values: Sequence[float], start: float | None = None) -> float:
    """Groups of 25 left to right, the first starting at ``start``; then the groups. Not sum(), which compensates."""
    groups = []
    for first in range(0, len(values), GROUP):
        group = values[first : first + GROUP]
        total = group[0] if first or start is None else start + group[0]
        for value in group[1:]:
            total = total + value
        groups.append(total)
    total = groups[0]
    for value in groups[1:]:
        total = total + value
    return total


class Term:
    """A part of a model: its value for one row, NaN where it is missing."""

    def value(self, row: Mapping[str, Any]) -> float:
        """The term's value."""
        raise TypeError(f"{type(self).__name__} has no value")


def numeric(source: str | Term, row: Mapping[str, Any]) -> float:
    """A feature or a nested sum as a number, NaN where it is missing."""
    if isinstance(source, Term):
        return source.value(row)
    value = row[source]
    return math.nan if is_missing(value) else float(value)


@dataclass(frozen=True)
class Feature:
    """A column of the input."""

    name: str
    type: str = "number"


@dataclass(frozen=True)
class Column(Term):
    """The raw value of a feature."""

    feature: str

    def value(self, row: Mapping[str, Any]) -> float:
        """The feature."""
        return numeric(self.feature, row)


class PWLCurve(Term):
    """Linear in fx(x) between its points, constant outside them."""

    def __init__(
        self,
        source: str | Term,
        points: Sequence[tuple[float, float]],
        fx: str = "identity",
        missing: float | None = None,
        note: str = "",
    ) -> None:
        self.source, self.fx, self.note = source, TRANSFORMS[fx], note
        self.missing = math.nan if missing is None else missing
        self.points = [(float(x), self.fx(float(x)), float(y)) for x, y in points]
        pairs = zip(self.points, self.points[1:], strict=False)
        self.slopes = [segment_slope(u0, y0, u1, y1) for (_, u0, y0), (_, u1, y1) in pairs]

    def value(self, row: Mapping[str, Any]) -> float:
        """The curve at the row's x."""
        x = numeric(self.source, row)
        if x != x:
            return self.missing
        if x <= self.points[0][0]:
            return self.points[0][2]
        for (_, u, y), slope, (right, _, _) in zip(self.points, self.slopes, self.points[1:], strict=False):
            if x < right:
                return y + slope * (self.fx(x) - u)
        return self.points[-1][2]


class StepCurve(Term):
    """Constant between its cuts; x == cut belongs to the right."""

    def __init__(
        self,
        source: str | Term,
        cuts: Sequence[float],
        values: Sequence[float],
        missing: float | None = None,
        note: str = "",
    ) -> None:
        self.source, self.cuts, self.values, self.note = source, cuts, [float(value) for value in values], note
        self.missing = math.nan if missing is None else missing

    def value(self, row: Mapping[str, Any]) -> float:
        """The step at the row's x."""
        x = numeric(self.source, row)
        if x != x:
            return self.missing
        for cut, value in zip(self.cuts, self.values, strict=False):
            if x < cut:
                return value
        return self.values[-1]


class EnumCurve(Term):
    """A table from categories to values."""

    def __init__(
        self,
        feature: str,
        mapping: Mapping[Any, float],
        default: float | None = None,
        missing: float | None = None,
        note: str = "",
    ) -> None:
        self.feature, self.note = feature, note
        self.mapping = {key: float(value) for key, value in mapping.items()}
        self.key_type = type(next(iter(self.mapping)))
        self.default = math.nan if default is None else default
        self.missing = math.nan if missing is None else missing

    def value(self, row: Mapping[str, Any]) -> float:
        """The value of the row's level."""
        key = row[self.feature]
        if is_missing(key):
            return self.missing
        if (self.key_type is str) != isinstance(key, str) or (self.key_type is int and isinstance(key, bool)):
            raise TypeError(f"{self.feature!r} is {key!r}; its levels are {self.key_type.__name__}")
        return self.mapping.get(key, self.default)


class Sum(Term):
    """The sum of its terms."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms

    def value(self, row: Mapping[str, Any]) -> float:
        """The terms' values, added in groups."""
        return grouped_sum([term.value(row) for term in self.terms])


class Product(Term):
    """The product of its factors."""

    def __init__(self, factors: Sequence[Term]) -> None:
        self.factors = factors

    def value(self, row: Mapping[str, Any]) -> float:
        """The factors' values, multiplied left to right."""
        result = self.factors[0].value(row)
        for factor in self.factors[1:]:
            result = result * factor.value(row)
        return result


def logistic(score: float) -> float:
    """1 / (1 + exp(-score)), with the exponent bounded."""
    if score != score:
        return score
    e = math.exp(-min(abs(score), EXP_BOUND))
    return 1.0 / (1.0 + e) if score >= 0 else e / (1.0 + e)


def exponential(score: float) -> float:
    """exp(score), with the exponent bounded."""
    return score if score != score else math.exp(max(-EXP_BOUND, min(EXP_BOUND, score)))


LINKS: dict[str, Callable[[float], float]] = {
    "identity": lambda score: score,
    "logit": logistic,
    "log": exponential,
}


@dataclass(frozen=True)
class CurveModel:
    """A sum of terms over named features."""

    name: str
    terms: Sequence[Term]
    intercept: float = 0.0
    link: str = "identity"
    features: Sequence[Feature] = ()
    note: str = ""

    def rows(self, data: Any) -> Iterable[dict[str, Any]]:
        """The rows of a data frame or a mapping of columns."""
        names = [feature.name for feature in self.features]
        return (dict(zip(names, values, strict=False)) for values in zip(*(data[name] for name in names), strict=False))

    def contributions(self, data: Any) -> list[list[float]]:
        """One list a row: the value of each term."""
        return [[term.value(row) for term in self.terms] for row in self.rows(data)]

    def eval(self, data: Any) -> list[float]:
        """The raw score of every row."""
        return [grouped_sum(values, self.intercept) for values in self.contributions(data)]

    def predict(self, data: Any) -> list[float]:
        """The inverse link of the raw score of every row."""
        return [LINKS[self.link](score) for score in self.eval(data)]
