import math
import numbers
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

GROUP = 25
EXP_BOUND = 700.0
EXACT = 2**53


class InputError(ValueError):
    """What was passed in breaks a rule; the message names it."""


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


def check_increasing(values: Sequence[float]) -> None:
    """Refuse points or cuts that are out of order."""
    for left, right in pairwise(values):
        if not left < right:
            raise InputError(
                f"{left!r} is followed by {right!r}; x must be strictly increasing"
            )


def segment_slope(u0: float, y0: float, u1: float, y1: float) -> float:
    """The slope between two points, moved towards zero until it does not overshoot."""
    du, dy = u1 - u0, y1 - y0
    slope = dy / du if du > 0 else math.inf
    if not (math.isfinite(slope) and math.isfinite(du)):
        raise InputError(
            f"no finite slope joins the points ({u0!r}, {y0!r}) "
            f"and ({u1!r}, {y1!r}) in u = fx(x)"
        )
    while (y0 + slope * du > y1) if dy > 0 else (y0 + slope * du < y1):
        slope = math.nextafter(slope, 0.0)
    return slope


def grouped_sum(values: Sequence[float], start: float | None = None) -> float:
    """Groups of 25 left to right, the first starting at ``start``; then the groups.

    Not sum(), which compensates.
    """
    if not values and start is not None:
        return start
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


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA; "" and "nan" are categories like any other."""
    if isinstance(value, (float, Decimal)):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def number(value: Any) -> float:
    """A numeric feature's value as a float, NaN where it is missing."""
    if is_missing(value):
        return math.nan
    if isinstance(value, numbers.Integral) and abs(int(value)) > EXACT:
        raise InputError(
            f"{value} is beyond 2^53, where doubles skip integers; "
            "pass a float to accept the rounding"
        )
    if isinstance(value, (int, float, Decimal)):
        return float(value)
    raise InputError(f"{value!r} is not a number")


def key(value: Any, kind: type) -> Any:
    """A category as a level of that type, None where it is missing.

    An integral float stands for the integer, and 0 and 1 stand for False and True;
    a fraction matches no level.
    """
    if is_missing(value):
        return None
    if (
        kind is int
        and isinstance(value, Decimal)
        and value.is_finite()
        and value == value.to_integral_value()
    ):
        return int(value)
    if kind is int and isinstance(value, (float, Decimal)):
        real = float(value)
        return int(real) if real.is_integer() and abs(real) <= EXACT else real
    if kind is bool and isinstance(value, (int, float)) and value in (0, 1):
        return bool(value)
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise InputError(
        f"{value!r} is a {type(value).__name__}, "
        f"and the model's levels are {kind.__name__}"
    )


def column_names(data: Any) -> list[str]:
    """The names of the columns of a mapping or a data frame."""
    names = getattr(data, "column_names", None)
    return list(getattr(data, "columns", data) if names is None else names)


def column(data: Any, name: str) -> list[Any]:
    """A column of a mapping or a data frame as Python values."""
    if name not in column_names(data):
        raise InputError(f"column {name!r} is missing from the data")
    values = data[name]
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, method):
            values = getattr(values, method)()
            break
    return [
        value.item() if hasattr(value, "dtype") and hasattr(value, "item") else value
        for value in values
    ]


def converted(values: Iterable[Any], name: str, kind: type) -> list[Any]:
    """Each value of a column as a number or a level.

    An error names the column and the row.
    """
    result: list[Any] = []
    try:
        for value in values:
            result.append(number(value) if kind is float else key(value, kind))
    except InputError as error:
        raise InputError(f"column {name!r}, row {len(result)}: {error}") from None
    return result


Row = Mapping[tuple[str, type], Any]


class Term:
    """A part of a model: its value for one row, NaN where it is missing."""

    note: str

    def value(self, row: Row) -> float:
        """The term's value."""
        raise NotImplementedError

    def inputs(self) -> Iterator[tuple[str, type]]:
        """The features it reads, each as float or as the type of its levels."""
        raise NotImplementedError

    def label(self) -> str:
        """Its features, with the arithmetic between them."""
        return next(self.inputs())[0]

    def __add__(self, other: "Term") -> "Sum":
        return Sum(
            [
                *(self.terms if isinstance(self, Sum) and not self.note else [self]),
                other,
            ]
        )

    def __mul__(self, other: "Term") -> "Product":
        return Product(
            [
                *(
                    self.factors
                    if isinstance(self, Product) and not self.note
                    else [self]
                ),
                other,
            ]
        )


@dataclass(frozen=True)
class Feature:
    """A column of the input."""

    name: str
    type: str = "number"


@dataclass(frozen=True)
class Line(Term):
    """A coefficient times a feature."""

    input: str
    coefficient: float = 1.0
    missing: float | None = None
    note: str = ""

    def value(self, row: Row) -> float:
        """The product."""
        x = float(row[self.input, float])
        if x != x:
            return math.nan if self.missing is None else float(self.missing)
        return float(self.coefficient) * x

    def inputs(self) -> Iterator[tuple[str, type]]:
        """The feature."""
        yield self.input, float


@dataclass(frozen=True)
class Sum(Term):
    """The sum of its terms."""

    terms: Sequence[Term]
    note: str = ""

    def value(self, row: Row) -> float:
        """The terms' values, added in groups."""
        return grouped_sum([term.value(row) for term in self.terms])

    def label(self) -> str:
        """The terms' labels, with pluses between them."""
        return " + ".join(dict.fromkeys(term.label() for term in self.terms))

    def inputs(self) -> Iterator[tuple[str, type]]:
        """Those of the terms."""
        for term in self.terms:
            yield from term.inputs()


class NumericCurve(Term):
    """A curve of a numeric feature, or of a sum."""

    input: str | Sum
    missing: float | None
    special: Mapping[float, float]

    def label(self) -> str:
        """The feature, or what the sum is called."""
        return self.input if isinstance(self.input, str) else self.input.label()

    def x(self, row: Row) -> float:
        """Where the curve is read; NaN where that is missing."""
        return (
            float(row[self.input, float])
            if isinstance(self.input, str)
            else self.input.value(row)
        )

    def value(self, row: Row) -> float:
        """The curve at the row's x; a special code has a value of its own."""
        x = self.x(row)
        if x != x:
            return math.nan if self.missing is None else float(self.missing)
        return float(self.special[x]) if x in self.special else self.at(x)

    def at(self, x: float) -> float:
        """The curve at x."""
        raise NotImplementedError

    def inputs(self) -> Iterator[tuple[str, type]]:
        """The feature, or those of the sum."""
        if isinstance(self.input, str):
            yield self.input, float
        else:
            yield from self.input.inputs()


@dataclass(frozen=True)
class PWLCurve(NumericCurve):
    """Linear in fx(x) between its points, constant outside them."""

    input: str | Sum
    points: Sequence[tuple[float, float]]
    fx: str = "identity"
    missing: float | None = None
    note: str = ""
    special: Mapping[float, float] = field(default_factory=dict)
    xs: list[float] = field(init=False)
    us: list[float] = field(init=False)
    slopes: list[float] = field(init=False)

    def __post_init__(self) -> None:
        xs = [float(x) for x, _ in self.points]
        check_increasing(xs)
        us = [TRANSFORMS[self.fx](x) for x in xs]
        knots = [(u, float(y)) for u, (_, y) in zip(us, self.points, strict=True)]
        slopes = [segment_slope(*left, *right) for left, right in pairwise(knots)]
        for name, values in (("xs", xs), ("us", us), ("slopes", slopes)):
            object.__setattr__(self, name, values)

    def at(self, x: float) -> float:
        """The curve at x."""
        k = bisect_right(self.xs, x) - 1
        if k < 0 or k == len(self.slopes):
            return float(self.points[max(k, 0)][1])
        return float(self.points[k][1]) + self.slopes[k] * (
            TRANSFORMS[self.fx](x) - self.us[k]
        )


@dataclass(frozen=True)
class StepCurve(NumericCurve):
    """Constant between its cuts; x == cut belongs to the right."""

    input: str | Sum
    cuts: Sequence[float]
    values: Sequence[float]
    missing: float | None = None
    note: str = ""
    special: Mapping[float, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_increasing(self.cuts)

    def at(self, x: float) -> float:
        """The step at x."""
        return float(self.values[bisect_right(self.cuts, x)])


@dataclass(frozen=True)
class EnumCurve(Term):
    """A table from categories to values."""

    input: str
    mapping: Mapping[Any, float]
    default: float | None = None
    missing: float | None = None
    note: str = ""

    def value(self, row: Row) -> float:
        """The value of the row's level."""
        level = row[self.input, type(next(iter(self.mapping)))]
        value = self.missing if level is None else self.mapping.get(level, self.default)
        return math.nan if value is None else float(value)

    def inputs(self) -> Iterator[tuple[str, type]]:
        """The feature."""
        yield self.input, type(next(iter(self.mapping)))


@dataclass(frozen=True)
class Product(Term):
    """The product of its factors."""

    factors: Sequence[Term]
    note: str = ""

    def value(self, row: Row) -> float:
        """The factors' values, multiplied left to right."""
        result = self.factors[0].value(row)
        for factor in self.factors[1:]:
            result = result * factor.value(row)
        return result

    def label(self) -> str:
        """The factors' labels, with stars between them."""
        parts = list(dict.fromkeys(factor.label() for factor in self.factors))
        return " * ".join(
            f"({part})" if " + " in part and parts[1:] else part for part in parts
        )

    def inputs(self) -> Iterator[tuple[str, type]]:
        """Those of the factors."""
        for factor in self.factors:
            yield from factor.inputs()


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

    def rows(self, data: Any) -> Iterator[Row]:
        """The rows of a data frame or a mapping of columns, as the terms read them.

        A constant reads none of the values.
        """
        used = list(
            dict.fromkeys(pair for term in self.terms for pair in term.inputs())
        )
        if not used:
            return (
                dict[tuple[str, type], Any]()
                for name in column_names(data)[:1]
                for _ in column(data, name)
            )
        columns = [converted(column(data, name), name, kind) for name, kind in used]
        lengths = {
            name: len(values) for (name, _), values in zip(used, columns, strict=True)
        }
        if len(set(lengths.values())) > 1:
            raise InputError(f"columns differ in length: {lengths}")
        return (
            dict(zip(used, values, strict=True))
            for values in zip(*columns, strict=True)
        )

    def names(self) -> list[str]:
        """What the terms are called, all different."""
        names: dict[str, None] = {}
        for label in [term.label() for term in self.terms]:
            name, count = label, 1
            while name in names:
                count += 1
                name = f"{label} ({count})"
            names[name] = None
        return list(names)

    def values(self, row: Mapping[str, Any]) -> list[float]:
        """The value of each term for one row."""
        used = list(
            dict.fromkeys(pair for term in self.terms for pair in term.inputs())
        )
        for name, _ in used:
            if name not in row:
                raise InputError(
                    f"feature {name!r} is missing from the row; "
                    "pass None where its value is missing"
                )
        values = {
            (name, kind): converted([row[name]], name, kind)[0] for name, kind in used
        }
        return [term.value(values) for term in self.terms]

    def score_row(self, row: Mapping[str, Any]) -> float:
        """The raw score of one row."""
        return grouped_sum(self.values(row), self.intercept)

    def predict_row(self, row: Mapping[str, Any]) -> float:
        """The inverse link of the raw score of one row."""
        return LINKS[self.link](self.score_row(row))

    def contributions_row(self, row: Mapping[str, Any]) -> dict[str, float]:
        """The value of each term for one row, by the term's name."""
        return dict(zip(self.names(), self.values(row), strict=True))

    def contributions(self, data: Any) -> list[list[float]]:
        """One list a row: the value of each term."""
        return [[term.value(row) for term in self.terms] for row in self.rows(data)]

    def eval(self, data: Any) -> list[float]:
        """The raw score of every row."""
        return [
            grouped_sum(values, self.intercept) for values in self.contributions(data)
        ]

    def predict(self, data: Any) -> list[float]:
        """The inverse link of the raw score of every row."""
        return [LINKS[self.link](score) for score in self.eval(data)]
