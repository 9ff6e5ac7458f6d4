"""The nodes of a curve model: six frozen, validated values, each of which knows its value on rows.

They are every part of the model forms of Ravina et al. (2021, section 4) and of every additive teacher read
exactly: lines (a coefficient times a feature), piecewise-linear curves, step curves, tables of categories, sums and
products.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, overload

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import check, is_number
from curvec.contract import grouped_sum, line_values, pwl_values, segment_of, segments, special_values, step_values
from curvec.data import Table, rows_of
from curvec.directions import Direction, Way, direction_of, nearest_monotone
from curvec.errors import InputError, counted, with_article
from curvec.features import Feature, FeatureType
from curvec.fields import changed, number, text
from curvec.ir.base import NodeBase, Value, Weights
from curvec.ir.levels import Levels, LevelsLike, SpecialCodes, SpecialLike
from curvec.ir.points import inverse_values, without_transform
from curvec.ir.rules import check_increasing, number_pairs, numbers, terms_tuple
from curvec.spelling import decimals, places_of, shortest, to_decimals
from curvec.transforms import FloatArray, transform

if TYPE_CHECKING:
    from typing_extensions import Self  # of Python 3.11

__all__ = [
    "NODES",
    "Curve",
    "EnumCurve",
    "Line",
    "Node",
    "PWLCurve",
    "Product",
    "StepCurve",
    "Sum",
    "Term",
]


def _is_factor(value: Any) -> bool:
    """Whether it is a number to multiply by; :meth:`Node.scaled` refuses those that are not finite by name."""
    return isinstance(value, Real) and not isinstance(value, bool)


class Node(NodeBase, frozen=True):
    """Base of the nodes, with their arithmetic: ``a + b`` is a Sum, ``a * b`` a Product, ``2 * a`` the node scaled."""

    @property
    def input(self) -> str | Sum | None:
        """What the node itself reads: a feature's name, or the Sum inside a nested curve; None for other nodes."""
        return None

    @property
    def children(self) -> tuple[Term, ...]:
        """The nodes directly inside."""
        return ()

    def capped(self, low: float, high: float) -> Term:  # noqa: ARG002  there is nothing to cap
        """The node in which values of its feature outside of ``low`` and ``high`` count as these bounds.

        Raises:
            InputError: it has no bounds.

        """
        raise InputError(f"{with_article(type(self).__name__)} cannot be capped")

    __array_ufunc__ = None  # so that numpy's numbers leave ``2 * a`` to the node

    def __add__(self: Term, other: Term) -> Sum:  # type: ignore[misc]  # every node is a Term
        """``a + b + c`` is ``Sum([a, b, c])``."""
        if not isinstance(other, Node):
            return NotImplemented
        return Sum([*(self.terms if isinstance(self, Sum) and not self.note else [self]), other])

    @overload
    def __mul__(self, other: float) -> Self: ...
    @overload
    def __mul__(self: Term, other: Term) -> Product: ...  # type: ignore[misc]  # every node is a Term
    def __mul__(self: Any, other: Any) -> Any:
        """``a * b * c`` is ``Product([a, b, c])``; ``2 * a`` is ``a.scaled(2)``."""
        if isinstance(other, Node):
            return Product([*(self.factors if isinstance(self, Product) and not self.note else [self]), other])  # type: ignore[list-item]  # every node is a Term
        return self.scaled(other) if _is_factor(other) else NotImplemented

    def __rmul__(self, other: float) -> Self:
        """``2 * a`` is ``a.scaled(2)``."""
        return self.scaled(other) if _is_factor(other) else NotImplemented

    def __neg__(self) -> Self:
        """``-a`` is ``a.scaled(-1)``."""
        return self.scaled(-1.0)

    def __sub__(self: Term, other: Term) -> Sum:  # type: ignore[misc]  # every node is a Term
        """``a - b`` is ``a + -b``."""
        return self + -other if isinstance(other, Node) else NotImplemented


class Line(Node, frozen=True):
    """A coefficient times a numeric feature, ``coefficient * x`` at every finite x: a term of a linear model.

    Nothing is clamped: a line has no end points. Its constant belongs to the intercept.

    Attributes:
        input: the feature's name.
        coefficient: what the feature is multiplied by; 1 is the feature itself.
        missing: the value for a missing input; None gives a missing result.
        note: a reviewer's remark, carried along.

    Raises:
        InputError: a name is no string, or a number is not finite.

    """

    input: str
    coefficient: float = 1.0
    missing: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Check every rule."""
        text(self.input, "the input of a Line")
        self._set("coefficient", number(self.coefficient, f"the coefficient of the Line of {self.input!r}"))
        self._set_declared("missing")
        text(self.note, "a note")

    @property
    def coefficients(self) -> tuple[float, ...]:
        """The coefficient."""
        return (self.coefficient,)

    def with_coefficients(self, values: Iterable[float]) -> Self:
        """The line with another coefficient."""
        (coefficient,) = values
        return changed(self, coefficient=coefficient)

    @property
    def entries(self) -> dict[str, float]:
        """The coefficient."""
        return {"coefficient": self.coefficient}

    @property
    def direction(self) -> Direction:
        """The direction of the line: the sign of its coefficient."""
        return direction_of((0.0, self.coefficient))

    @property
    def slopes(self) -> tuple[float, ...]:
        """The coefficient."""
        return (self.coefficient,)

    def slope_at(self, x: float) -> float:  # noqa: ARG002  it is the same everywhere
        """The coefficient."""
        return self.coefficient

    @property
    def own_range(self) -> tuple[float, float]:
        """Every number; where the coefficient is 0, only 0 and the value for a missing input."""
        if self.coefficient:
            return -math.inf, math.inf
        return min(0.0, self.missing or 0.0), max(0.0, self.missing or 0.0)

    def at_rows(self, table: Table) -> FloatArray:
        """See :meth:`NodeBase.at_rows`."""
        return line_values(table.number(self.input), self.coefficient, self.missing)

    def weights(self, table: Table) -> Weights:
        """The feature."""
        x = table.number(self.input)
        rows = np.flatnonzero(~np.isnan(x))
        return Weights(rows, np.zeros_like(rows), np.nan_to_num(x[rows]))

    def is_missing(self, table: Table) -> npt.NDArray[np.bool_]:
        """Where the feature is missing."""
        return np.isnan(table.number(self.input))

    def capped(self, low: float, high: float) -> PWLCurve:
        """The curve that is the line between two bounds and constant outside them.

        Raises:
            InputError: a bound is infinite.

        """
        _check_range(low, high)
        if math.isinf(low) or math.isinf(high):
            raise InputError(f"the line of {self.input!r} is capped on one side only; give above and below")
        exact = decimals([self.coefficient])
        points = [(x, to_decimals(self.coefficient * x, exact + decimals([x]))) for x in (low, high)]
        return PWLCurve(self.input, points, missing=self.missing, note=self.note)

    def _numbers(self, change: Callable[[float], float]) -> dict[str, Any]:
        return {"coefficient": change(self.coefficient)}


class Curve(Node, frozen=True):
    """Base of the curves over numbers, which a feature or a sum gives."""

    input: str | Sum

    @property
    def children(self) -> tuple[Term, ...]:
        """The input, where that is a sum."""
        return () if isinstance(self.input, str) else (self.input,)

    def map_children(self, change: Callable[[Any], Any]) -> Self:
        """The curve with the sum that is its input changed, if it is one."""
        return changed(self, input=change(self.input)) if self.children else self

    @property
    def direction(self) -> Direction:
        """The direction of the values from the least input to the largest."""
        return direction_of(self.ordinates)

    @property
    def special_codes(self) -> SpecialCodes:
        """The special codes as they are stored."""
        codes = getattr(self, "special", SpecialCodes())
        assert isinstance(codes, SpecialCodes)  # noqa: S101  what _set_special made of it
        return codes

    def _set_special(self, what: str) -> None:
        codes = getattr(self, "special", None)
        if not isinstance(codes, SpecialCodes):
            try:
                codes = SpecialCodes({} if codes is None else codes)
            except InputError as error:
                raise error.about(what) from None
            self._set("special", codes)
        if codes and not isinstance(self.input, str):
            raise InputError(f"{what} has special codes, which only a feature has; give them to the curves inside it")

    def with_special(self, x: FloatArray, values: FloatArray) -> FloatArray:
        """(rows,) the values of the curve at x, replaced at its special codes."""
        return special_values(x, values, self.special_codes)

    def is_missing(self, table: Table) -> npt.NDArray[np.bool_]:
        """Where the input is missing."""
        return np.isnan(self.input_at_rows(table))

    def _plain_rows(self, x: FloatArray) -> npt.NDArray[np.intp]:
        """The rows whose x is no special code, and not missing."""
        return np.flatnonzero(~np.isnan(x) & ~np.isin(x, list(self.special_codes)))

    def monotone(self, direction: Way | None = None) -> Self:
        """The nearest monotone curve: its values by isotonic regression, least squares with equal weights.

        Args:
            direction: "increasing", "decreasing", or None for the one that changes the values less (increasing if
                equal). The inputs, and the values for missing ones and special codes, stay.

        Raises:
            InputError: another direction.

        """
        return self.with_ordinates(nearest_monotone(self.ordinates, direction))

    def input_at_rows(self, table: Table) -> FloatArray:
        """(rows,) what the curve is applied to: its feature, or the sum inside it."""
        return table.number(self.input) if isinstance(self.input, str) else self.input.at_rows(table)


class PWLCurve(Curve, frozen=True):
    """A piecewise-linear curve in ``fx(x)``, constant outside its points.

    Attributes:
        input: a feature's name, or a Sum (a curve nested in a curve).
        points: K >= 2 pairs (x, y), x strictly increasing and inside the domain of fx; all finite.
        fx: the transform's name.
        missing: the value for a missing input; None gives a missing result.
        note: a reviewer's remark, carried along.
        special: inputs with a value each, ``{-9: 0.1, -8: 0.2}``, for codes that stand for "no record" and the like in
            credit and health data: exactly such an input gives its value, and the curve is of all others.

    Raises:
        InputError: a rule above is broken, or two points are too close for a finite slope.

    """

    points: Sequence[tuple[float, float]]
    fx: str = "identity"
    missing: float | None = None
    note: str = ""
    special: SpecialLike = msgspec.field(default_factory=SpecialCodes)

    def __post_init__(self) -> None:
        """Normalise the points to a tuple of float pairs and check every rule."""
        what = f"PWLCurve of {_input_name(self.input)}"
        self._set("points", number_pairs(self.points, what))
        self._set_declared("missing")
        self._set_special(what)
        text(self.note, "a note")
        domain, least = transform(self.fx), self.points[0][0]
        if not domain.contains(least):
            message = f"{what}: x={shortest(least)} is outside the domain of {self.fx} (x > {domain.lower:g})"
            raise InputError(message).at("points", 0)
        try:
            segments(self.points, self.fx)
        except InputError as error:
            raise InputError(f"{what}: {error}") from None

    @property
    def breaks(self) -> tuple[float, ...]:
        """The points' x."""
        return tuple(x for x, _ in self.points)

    @property
    def ordinates(self) -> tuple[float, ...]:
        """The points' y."""
        return tuple(y for _, y in self.points)

    def with_ordinates(self, values: Iterable[float]) -> Self:
        """The curve with other y at its x."""
        return changed(self, points=list(zip(self.breaks, values, strict=True)))

    @property
    def entries(self) -> dict[str, float]:
        """The y of each x."""
        return {f"x={shortest(x)}": y for x, y in self.points}

    @property
    def pieces(self) -> int:
        """The segments between the points."""
        return len(self.points) - 1

    @overload
    def inverse(self, y: Value) -> float: ...
    @overload
    def inverse(self, y: Any) -> FloatArray: ...
    def inverse(self, y: Any) -> float | FloatArray:
        """The input at which a monotone curve is y, up to rounding; at its points' y exactly their x.

        Args:
            y: one value, an array of any shape, a list or a series; None and NaN give NaN. Where the curve is level at
                y, the least of its x.

        Returns:
            A float for one value, else an array.

        Raises:
            InputError: the curve turns or is constant, or never is y.

        """
        if self.direction not in ("increasing", "decreasing"):
            raise InputError(
                f"the curve of {_input_name(self.input)} is {self._course()}, so it has no inverse; "
                "curve.monotone() gives the nearest one that goes one way"
            )
        table, shape = rows_of(y, [Feature("y")])
        x = inverse_values(table.number("y"), segments(self.points, self.fx))
        return x.reshape(shape) if shape else float(x[0])

    def _course(self) -> str:
        return "constant" if self.direction == "constant" else "not monotone"

    def to_identity(self, tolerance: float) -> PWLCurve:
        """The curve without a transform: on more points, straight lines between which stay close to this one.

        Its points can be copied into whatever interpolates linearly: ``numpy.interp``, a spreadsheet, a dashboard.

        Args:
            tolerance: how far the two may be apart at any x, in units of y; above zero. The points are on this curve,
                and its own are among them.

        Raises:
            InputError: the tolerance is no number above zero, or so small that it takes more than 1,000 points.

        """
        check("tolerance", tolerance, "it must be above zero", holds=is_number(tolerance) and 0 < tolerance < math.inf)
        if self.fx == "identity":
            return self
        return changed(self, points=without_transform(segments(self.points, self.fx), float(tolerance)), fx="identity")

    def at_rows(self, table: Table) -> FloatArray:
        """See :meth:`NodeBase.at_rows`."""
        x = self.input_at_rows(table)
        return self.with_special(x, pwl_values(x, segments(self.points, self.fx), self.missing))

    def weights(self, table: Table) -> Weights:
        """The two points of a row's segment, each weighted by how near the row is to it."""
        x = self.input_at_rows(table)
        rows, known = self._plain_rows(x), segments(self.points, self.fx)
        clamped, k = segment_of(x[rows], known)
        share = (transform(self.fx).forward(clamped) - known.u[k]) / (known.u[k + 1] - known.u[k])
        return Weights(np.tile(rows, 2), np.concatenate([k, k + 1]), np.concatenate([1.0 - share, share]))

    def gains(self, table: Table) -> tuple[FloatArray, ...]:
        """How steep the curve is in x; 0 outside its points."""
        x, known = self.input_at_rows(table), segments(self.points, self.fx)
        clamped, k = segment_of(x, known)
        moving = (x > known.x[0]) & (x < known.x[-1])
        steep = np.where(moving, known.slope[k] * transform(self.fx).derivative(clamped), 0.0)
        return tuple(steep for _ in self.children)

    @property
    def slopes(self) -> tuple[float, ...]:
        """The slope of each segment, per unit of fx(x)."""
        return tuple(segments(self.points, self.fx).slope.tolist())

    def slope_at(self, x: float) -> float:
        """The slope of the segment that begins at x or holds it; 0 outside the points."""
        check("x", x, "it must be a number", holds=is_number(x))
        k = bisect_right(self.breaks, x) - 1
        return self.slopes[k] if 0 <= k < len(self.slopes) else 0.0

    def capped(self, low: float, high: float) -> PWLCurve:
        """The curve that is constant outside of the bounds; two points stay where it is constant everywhere.

        A value at a bound is rounded to the decimals that the curve's values have, or to three digits of their range.
        """
        _check_range(low, high)
        first, last = self.breaks[0], self.breaks[-1]

        def within(x: float) -> float:
            return min(max(min(max(x, low), high), first), last)

        kept = sorted({within(first), within(last)} | {x for x in self.breaks if low < x < high})
        if len(kept) == 1:  # a constant curve stays, for its value for missing inputs
            kept = [first, last]
        at, own, places = [within(x) for x in kept], dict(self.points), places_of(self.ordinates)
        y = pwl_values(np.array(at), segments(self.points, self.fx), None).tolist()
        printed = [own[x] if x in own else to_decimals(value, places) for x, value in zip(at, y, strict=True)]
        return changed(self, points=list(zip(kept, printed, strict=True)))

    def _numbers(self, change: Callable[[float], float]) -> dict[str, Any]:
        return {"points": [(change(x), change(y)) for x, y in self.points]}


class StepCurve(Curve, frozen=True):
    """A step curve: ``values[k]`` on cuts[k-1] <= x < cuts[k], the form of trees and binned models.

    Attributes:
        input: a feature's name, or a Sum.
        cuts: K >= 1 finite numbers, strictly increasing; x == cut belongs to the right.
        values: K + 1 finite numbers.
        missing: the value for a missing input; None gives a missing result.
        note: a reviewer's remark, carried along.
        special: inputs with a value each, ``{-9: 0.1, -8: 0.2}``, for codes that stand for "no record" and the like in
            credit and health data: exactly such an input gives its value, and the curve is of all others.

    Raises:
        InputError: a rule above is broken.

    """

    cuts: Sequence[float]
    values: Sequence[float]
    missing: float | None = None
    note: str = ""
    special: SpecialLike = msgspec.field(default_factory=SpecialCodes)

    def __post_init__(self) -> None:
        """Normalise to tuples of floats and check every rule."""
        what = f"StepCurve of {_input_name(self.input)}"
        self._set("cuts", numbers(self.cuts, what, "cuts"))
        self._set("values", numbers(self.values, what, "values"))
        self._set_declared("missing")
        self._set_special(what)
        text(self.note, "a note")
        if not self.cuts:
            raise InputError(f"{what} has no cut; fold the constant into the intercept")
        if len(self.values) != len(self.cuts) + 1:
            raise InputError(
                f"{what} has {counted(len(self.cuts), 'cut')} and "
                f"{counted(len(self.values), 'value')}; need one more value"
            )
        check_increasing(self.cuts, what, "cuts")

    @property
    def breaks(self) -> tuple[float, ...]:
        """The cuts."""
        return tuple(self.cuts)

    @property
    def ordinates(self) -> tuple[float, ...]:
        """The steps' values."""
        return tuple(self.values)

    def with_ordinates(self, values: Iterable[float]) -> Self:
        """The curve with other values between its cuts."""
        return changed(self, values=list(values))

    def at_rows(self, table: Table) -> FloatArray:
        """See :meth:`NodeBase.at_rows`."""
        x = self.input_at_rows(table)
        return self.with_special(x, step_values(x, np.array(self.cuts), np.array(self.values), self.missing))

    def weights(self, table: Table) -> Weights:
        """The step that a row is on."""
        x = self.input_at_rows(table)
        rows = self._plain_rows(x)
        return Weights(rows, np.searchsorted(self.cuts, x[rows], side="right"), np.ones(len(rows)))

    def gains(self, table: Table) -> tuple[FloatArray, ...]:
        """A step has no slope."""
        return tuple(np.zeros(table.rows) for _ in self.children)

    @property
    def entries(self) -> dict[str, float]:
        """The value of each step."""
        starts = [f"below {shortest(self.cuts[0])}", *(f"from {shortest(cut)}" for cut in self.cuts)]
        return dict(zip(starts, self.values, strict=True))

    @property
    def slopes(self) -> tuple[float, ...]:
        """Plus or minus infinity at each cut; 0 where the values beside it are equal."""
        pairs = itertools.pairwise(self.values)
        return tuple(math.copysign(math.inf, right - left) if left != right else 0.0 for left, right in pairs)

    def capped(self, low: float, high: float) -> StepCurve:
        """The curve that is constant outside of the bounds; a cut stays where it is constant everywhere."""
        _check_range(low, high)
        cuts = [cut for cut in self.cuts if low < cut <= high] or [self.cuts[0]]
        where = [min(max(x, low), high) for x in (-math.inf, *cuts)]
        return changed(self, cuts=cuts, values=[self.values[bisect_right(self.cuts, x)] for x in where])

    def _numbers(self, change: Callable[[float], float]) -> dict[str, Any]:
        return {"cuts": [*map(change, self.cuts)], "values": [*map(change, self.values)]}


class EnumCurve(Node, frozen=True):
    """A table from categories to values.

    Attributes:
        input: the feature's name.
        mapping: level -> finite value, in order; keys all int, all str or all bool (the type is part of the node).
        default: the value of an unseen level; None gives a missing result.
        missing: the value for a missing input; None gives a missing result.
        note: a reviewer's remark, carried along.

    Raises:
        InputError: a rule above is broken.

    """

    input: str
    mapping: LevelsLike
    default: float | None = None
    missing: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Make the mapping immutable and check every rule."""
        text(self.input, "the input of an EnumCurve")
        if not isinstance(self.mapping, Levels):
            try:
                self._set("mapping", Levels(self.mapping))
            except InputError as error:
                raise error.about(f"EnumCurve of {self.input!r}") from None
        self._set_declared("default")
        self._set_declared("missing")
        text(self.note, "a note")

    @property
    def levels(self) -> Levels:
        """The mapping as it is stored."""
        assert isinstance(self.mapping, Levels)  # noqa: S101  what __post_init__ made of it
        return self.mapping

    @property
    def reads(self) -> FeatureType:
        """The type of the levels."""
        return self.levels.type

    @property
    def ordinates(self) -> tuple[float, ...]:
        """The levels' values."""
        return tuple(self.levels.values())

    def _own_numbers(self) -> int:
        groups = set(self.ordinates)
        return 1 if len(groups) == 2 and 0.0 in groups else 2 * len(groups - {0.0})

    def with_ordinates(self, values: Iterable[float]) -> Self:
        """The table with other values of its levels."""
        return changed(self, mapping=Levels(zip(self.levels, values, strict=True)))

    def at_rows(self, table: Table) -> FloatArray:
        """See :meth:`NodeBase.at_rows`."""
        missing, default = (math.nan if value is None else value for value in (self.missing, self.default))
        lookup: dict[object, float] = {**dict(self.levels.items()), None: missing}
        keys = table.keys(self.input, self.levels.type)
        return np.fromiter((lookup.get(key, default) for key in keys), np.float64, len(keys))

    def weights(self, table: Table) -> Weights:
        """The level of a row."""
        place = {key: k for k, key in enumerate(self.levels)}
        found = np.array([place.get(key, -1) for key in table.keys(self.input, self.reads).tolist()], np.intp)
        rows = np.flatnonzero(found >= 0)
        return Weights(rows, found[rows], np.ones(len(rows)))

    def is_missing(self, table: Table) -> npt.NDArray[np.bool_]:
        """Where the feature is missing."""
        return np.array([key is None for key in table.keys(self.input, self.reads).tolist()], np.bool_)

    @property
    def entries(self) -> dict[str, float]:
        """The value of each level."""
        return {repr(level): value for level, value in self.levels.items()}

    def capped(self, low: float, high: float) -> Term:  # noqa: ARG002  none is taken
        """Refused: categories have no order."""
        raise InputError(f"feature {self.feature!r} is one of categories; cap a number, or replace the table")

    def _numbers(self, change: Callable[[float], float]) -> dict[str, Any]:
        return {"mapping": Levels((key, change(value)) for key, value in self.levels.items())}


def _check_range(low: float, high: float) -> None:
    for name, value in (("low", low), ("high", high)):
        check(name, value, "it must be a number", holds=is_number(value))
    check("low", low, f"it must be below high={high!r}", holds=low < high)


class Sum(Node, frozen=True):
    """The sum of its terms, in groups of 25 (contract, point 5)."""

    terms: Sequence[Term]
    note: str = ""

    def __post_init__(self) -> None:
        """Make the terms a tuple and check them."""
        self._set("terms", terms_tuple(self.terms, "a Sum"))
        text(self.note, "a note")

    @property
    def children(self) -> tuple[Term, ...]:
        """The terms."""
        return tuple(self.terms)

    def map_children(self, change: Callable[[Any], Any]) -> Self:
        """The sum with each of its terms changed."""
        return changed(self, terms=[*map(change, self.terms)])

    def at_rows(self, table: Table) -> FloatArray:
        """See :meth:`NodeBase.at_rows`."""
        return grouped_sum([term.at_rows(table) for term in self.terms])


class Product(Node, frozen=True):
    """The product of its factors, left to right."""

    factors: Sequence[Term]
    note: str = ""

    def __post_init__(self) -> None:
        """Make the factors a tuple and check them."""
        self._set("factors", terms_tuple(self.factors, "a Product"))
        text(self.note, "a note")

    @property
    def children(self) -> tuple[Term, ...]:
        """The factors."""
        return tuple(self.factors)

    def map_children(self, change: Callable[[Any], Any]) -> Self:
        """The product with each of its factors changed."""
        return changed(self, factors=[*map(change, self.factors)])

    def inside_scaled(self, factor: float) -> Self:
        """The product with its first factor scaled."""
        first, *others = self.factors
        return changed(self, factors=[first.scaled(factor), *others])

    def gains(self, table: Table) -> tuple[FloatArray, ...]:
        """For each factor, the product of the others."""
        values = [factor.at_rows(table) for factor in self.factors]
        others = (values[:place] + values[place + 1 :] for place in range(len(values)))
        return tuple(math.prod(several, start=np.ones(table.rows)) for several in others)

    def at_rows(self, table: Table) -> FloatArray:
        """See :meth:`NodeBase.at_rows`."""
        result = self.factors[0].at_rows(table)
        for factor in self.factors[1:]:
            result = result * factor.at_rows(table)
        return result


Term: TypeAlias = Line | PWLCurve | StepCurve | EnumCurve | Sum | Product

NODES: dict[str, type[Term]] = {kind.__name__: kind for kind in sorted(get_args(Term), key=lambda kind: kind.__name__)}
"""The nodes by name."""


def _input_name(value: Any) -> str:
    if isinstance(value, Sum):
        return "a Sum"
    return repr(text(value, "the input of a curve"))
