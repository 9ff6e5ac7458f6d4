"""One node as a SQL expression: one CASE for each curve, in a form that every engine computes correctly.

Arms ascend and compare the raw input, so that a logarithm never decides which arm a row takes. NULL and NaN fall
through all of them to the missing value. On engines on which NaN is greater than every number, the last arm compares
``-x`` with ``-x_K`` for that: it is ``x >= x_K``, and false for NaN.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from curvec.contract import EXACT_INTEGERS, EXACT_SINGLES, GROUP, Segments, segments
from curvec.emit.dialect import Dialect
from curvec.emit.sql_text import (
    Arm,
    Part,
    case,
    comment,
    comparand,
    in_brackets,
    joined,
    literal,
    minus,
    operand,
    string,
    times,
)
from curvec.emit.sql_transforms import transformed, underflow_edge
from curvec.errors import UnsupportedError
from curvec.fields import changed
from curvec.ir import EnumCurve, FeatureType, Key, Line, Product, PWLCurve, StepCurve, Sum, Term
from curvec.spelling import shortest

_SHOWN = 12
"""The most points that a comment shows; the arms have all of them."""
_NO_NUMBER = "text, which is not a number before it is cast"
_TOO_SMALL = "so near the point the product is too small for a double, which is an error"


class InputColumns(msgspec.Struct, frozen=True):
    """The table's columns.

    Attributes:
        columns: the column of each feature.
        doubles: the features whose columns are known to hold doubles, which need no cast.

    """

    columns: Mapping[str, str]
    doubles: Collection[str] = ()

    def __getitem__(self, feature: str) -> str:
        """The column of a feature."""
        return self.columns[feature]


class Writer(msgspec.Struct, frozen=True):
    """Writes nodes in a dialect, over columns that the caller names.

    Attributes:
        dialect: the engine's dialect.
        number: gives a feature as an expression of type double.
        raw_column: gives a feature's column for a comparison without a cast, if the dialect allows it; else None.
        key: gives a feature as an expression to compare with levels of a type.
        nested: gives a Sum that is a curve's input as an expression that may be repeated.
        joined: gives a categorical as a column of a joined table, or None if it is written as a CASE.

    """

    dialect: Dialect
    number: Callable[[str], str]
    raw_column: Callable[[str], str | None]
    key: Callable[[str, FeatureType], str]
    nested: Callable[[Sum], str]
    joined: Callable[[EnumCurve], str | None]

    def term(self, node: Term) -> str:
        """The node's value, NULL where it is missing."""
        match node:
            case Line():
                return self._line(node)
            case PWLCurve():
                curve = segments(node.points, node.fx)
                return self._curve(
                    node, [x for x, _ in node.points], lambda compared, x, top: self._pwl(compared, x, top, curve)
                )
            case StepCurve():
                return self._curve(node, node.cuts, lambda compared, _, top: self._steps(compared, top, node))
            case EnumCurve():
                return self.joined(node) or self._levels(node)
            case Sum():
                return sum_in_groups(self.dialect, [self.part(child) for child in node.terms])
            case Product():
                return joined("*", [self._factor(child) for child in node.factors])

    def part(self, node: Term) -> Part:
        """The node's value under its description."""
        return Part(self.term(node), describe(node))

    def _factor(self, node: Term) -> Part:
        """A factor of a product; in brackets if it is a product itself, so that it is computed first."""
        part = self.part(node)
        return Part(in_brackets(part.text), part.comment) if isinstance(node, Line) and " * " in part.text else part

    def _input(self, value: str | Sum) -> str:
        return self.number(value) if isinstance(value, str) else self.nested(value)

    def _line(self, line: Line) -> str:
        x = self.number(line.input)
        value = x if line.coefficient == 1 else f"{operand(self.dialect, line.coefficient)} * {x}"
        if line.missing is None and not self.dialect.has_nan:
            return value
        return self._case([*self._nan_arm(x, line.missing), Arm(has_value(self.dialect, x), value)], line.missing)

    def _curve(
        self, node: PWLCurve | StepCurve, bounds: Sequence[float], arms: Callable[[str, str, str], list[Arm]]
    ) -> str:
        """The CASE of a curve.

        Args:
            node: the curve.
            bounds: all numbers that its input is compared with.
            arms: gives its arms from three forms of the input: for comparisons with what is above, for arithmetic, and
                for the comparison with the last bound, which text is not above.

        """
        x = self.dialect.null_as_nan.format(self._input(node.input))
        cast = [*self._nan_arm(x, node.missing), *self._special(x, node), *self._searched(arms(x, x, x))]
        raw_column = self.raw_column(node.input) if isinstance(node.input, str) else None
        if raw_column is None or max(map(abs, [*bounds, *node.special_codes])) >= EXACT_INTEGERS:
            return self._case(cast, node.missing)
        null = Arm(f"{raw_column} IS NULL", self._value(node.missing))
        compared = self.dialect.raw_column.format(raw_column)
        first, *others = cast
        raw = [*self._special(compared, node), *self._searched(arms(compared, raw_column, x)), null]
        return self._case([*raw, changed(first, comment=_NO_NUMBER), *others], node.missing)

    def _special(self, compared: str, node: PWLCurve | StepCurve) -> list[Arm]:
        codes = node.special_codes.items()
        return [Arm(f"{compared} = {comparand(self.dialect, code)}", self._number(value)) for code, value in codes]

    def _pwl(self, compared: str, x: str, top: str, curve: Segments) -> list[Arm]:
        last = len(curve.slope)
        arms: list[Arm] = []
        for k in range(last):
            edge = underflow_edge(curve, k) if self.dialect.guards_underflow else None
            if edge is not None:
                arms.append(Arm(self._less(compared, edge), self._number(curve.y[k]), _TOO_SMALL))
            arms.append(Arm(self._less(compared, curve.x[k + 1]), self._segment(x, curve, k)))
        first = Arm(f"{compared} <= {comparand(self.dialect, curve.x[0])}", self._number(curve.y[0]))
        return [first, *arms, Arm(at_least(self.dialect, top, curve.x[last]), self._number(curve.y[last]))]

    def _segment(self, x: str, curve: Segments, k: int) -> str:
        y, slope = float(curve.y[k]), float(curve.slope[k])
        if slope == 0:
            return self._number(y)
        u = transformed(self.dialect, curve, k, x)
        run = minus(self.dialect, u, float(curve.u[k]))
        return times(self.dialect, y, slope, run if run == x else in_brackets(run))

    def _steps(self, compared: str, top: str, curve: StepCurve) -> list[Arm]:
        pairs = zip(curve.cuts, curve.values[:-1], strict=True)
        arms = [Arm(self._less(compared, cut), self._number(value)) for cut, value in pairs]
        return [*arms, Arm(at_least(self.dialect, top, curve.cuts[-1]), self._number(curve.values[-1]))]

    def _searched(self, arms: Sequence[Arm]) -> list[Arm]:
        """The arms, nested so that they are searched by halves if that is faster.

        All arms but the last test whether x is less than a bound, and the bounds ascend; the last arm has the rest.
        """
        start = self.dialect.search_from
        return [*arms] if start is None or len(arms) < start else [*self._halves(arms[:-1]), arms[-1]]

    def _halves(self, arms: Sequence[Arm]) -> list[Arm]:
        """The arms with the first half in a CASE of its own, which is entered by the middle arm's condition."""
        if len(arms) <= self.dialect.search_leaf:
            return [*arms]
        middle = arms[len(arms) // 2]
        left = self._halves(arms[: len(arms) // 2])
        return [Arm(middle.when, case(left, middle.then)), *self._halves(arms[len(arms) // 2 + 1 :])]

    def _levels(self, curve: EnumCurve) -> str:
        levels = curve.levels
        if len(levels) > self.dialect.max_arms:
            raise UnsupportedError(
                f"the categorical {curve.input!r} has {len(levels)} levels, and a CASE in {self.dialect.title} takes "
                f"{self.dialect.max_arms}; form='select' joins a table of levels instead"
            )
        return self.categorical(curve, [Arm(self._equals(curve, key), self._number(levels[key])) for key in levels])

    def categorical(self, curve: EnumCurve, known: Sequence[Arm]) -> str:
        """The CASE of a categorical: ``known`` are the arms for its levels; all other values are missing or unseen."""
        if curve.levels.type == "str":
            null = Arm(f"{self.key(curve.input, 'str')} IS NULL", self._value(curve.missing))
            return self._case([null, *known], curve.default)
        nan = self._nan_arm(self._numeric_key(curve), curve.missing) if self.dialect.nan_first else []
        unseen = [Arm(self._is_level(curve), self._value(curve.default))] if curve.default != curve.missing else []
        return self._case([*nan, *known, *unseen], curve.missing)

    def level(self, key: int | str | bool, kind: FeatureType) -> str:  # noqa: FBT001  a level may be a boolean
        """A level as the literal with which a key is compared."""
        if kind == "str":
            return self.dialect.text_level.format(string(self.dialect, str(key)))
        return str(int(key))

    def _equals(self, curve: EnumCurve, level: int | str | bool) -> str:  # noqa: FBT001  a level may be a boolean
        """Whether a categorical has a level."""
        kind = curve.levels.type
        cast = not self.dialect.compares_exactly and beyond_singles(level)
        return f"{self.number(curve.input) if cast else self.key(curve.input, kind)} = {self.level(level, kind)}"

    def _is_level(self, curve: EnumCurve) -> str:
        """A test whether a numeric key is not missing: neither NULL nor NaN."""
        if not self.dialect.has_nan:
            return f"{self.key(curve.input, curve.levels.type)} IS NOT NULL"
        return has_value(self.dialect, self._numeric_key(curve))

    def _numeric_key(self, curve: EnumCurve) -> str:
        """The key of a categorical of numbers as a number that can be NaN."""
        return self.number(curve.input) if curve.levels.type == "int" else self.key(curve.input, "bool")

    def _nan_arm(self, x: str, missing: float | None) -> list[Arm]:
        test = self.dialect.nan_first
        return [Arm(test.format(x), self._value(missing))] if test else []

    def _less(self, x: str, bound: float) -> str:
        return f"{x} < {comparand(self.dialect, bound)}"

    def _number(self, value: float) -> str:
        return literal(self.dialect, float(value))

    def _value(self, value: float | None) -> str:
        return "NULL" if value is None else self._number(value)

    def _case(self, arms: Sequence[Arm], otherwise: float | None) -> str:
        return case(arms, self._value(otherwise))


def beyond_singles(level: int | str | bool) -> bool:  # noqa: FBT001  a level may be a boolean
    """Whether a level is an integer that a 32-bit float may not hold, so that it is compared as a double.

    2**53 is none: the integer above it would be rounded to it as a double, and a 32-bit float holds it.
    """
    return not isinstance(level, str) and EXACT_SINGLES < abs(level) < EXACT_INTEGERS


def has_value(dialect: Dialect, x: str) -> str:
    """A test for neither NULL nor NaN; in dialects in which NaN would pass it, ``nan_first`` precedes it."""
    return f"{x} <= 0 OR {at_least(dialect, x, 0.0)}" if dialect.has_nan else f"{x} IS NOT NULL"


def at_least(dialect: Dialect, x: str, bound: float, sign: str = ">=") -> str:
    """``x >= bound``, which neither NULL nor NaN is; with another sign ``x > bound``."""
    if not dialect.nan_is_above:
        return f"{x} {sign} {comparand(dialect, bound)}"
    return f"-{x} {sign.replace('>', '<')} {comparand(dialect, -bound)}"


def sum_in_groups(dialect: Dialect, parts: Sequence[Part], start: float | None = None) -> str:
    """The sum of ``parts`` in the contract's groups (point 5), the first group beginning at ``start``."""
    texts = [joined("+", group) for group in groups(dialect, parts, start)]
    return texts[0] if len(texts) == 1 else joined("+", [Part(text) for text in texts])


def groups(dialect: Dialect, parts: Sequence[Part], start: float | None = None) -> list[list[Part]]:
    """The contract's groups of a sum, ``start`` the first of all."""
    found = [list(parts[first : first + GROUP]) for first in range(0, len(parts), GROUP)] or [[]]
    if start is not None:
        found[0].insert(0, Part(literal(dialect, start), "intercept"))
    return found


def describe(node: Term) -> str:
    """The comment above a term: its features, its control points, its note."""
    match node:
        case Line(feature, coefficient):
            by = "the value itself" if coefficient == 1 else f"times {shortest(coefficient)}"
            text = f"{comment(feature)}: {by}"
        case PWLCurve():
            fx = "" if node.fx == "identity" else f"{node.fx}, "
            text = f"{_described(node.input)}: {fx}{_shown([_pair(x, y) for x, y in node.points], 'points')}"
        case StepCurve():
            steps = [_pair(x, y) for x, y in itertools.zip_longest(node.cuts, node.values[1:])]
            shown = _shown(steps, "cuts")
            text = f"{_described(node.input)}: {shortest(node.values[0])}, then from {shown}"
        case EnumCurve():
            shown = _shown([f"{_level(key)}: {shortest(value)}" for key, value in node.levels.items()], "levels")
            unseen = "" if node.default is None else f"; unseen {shortest(node.default)}"
            text = f"{comment(node.input)}: {shown}{unseen}"
        case Sum():
            return f"sum of {len(node.terms)}"
        case Product():
            return f"product of {len(node.factors)}"
    missing, note = getattr(node, "missing", None), getattr(node, "note", "")
    codes = [f"{shortest(code)}: {shortest(value)}" for code, value in node.special_codes.items()]
    text += f"; special {_shown(codes, 'codes')}" if codes else ""
    text += "" if missing is None else f"; missing {shortest(missing)}"
    return f"{text}; note: {comment(note)}" if note else text


def _level(key: Key) -> str:
    """A level in a comment: text in quotes, so that "1" is told from 1, and ends where it ends."""
    doubled = str(key).replace('"', '""')
    return comment(f'"{doubled}"' if isinstance(key, str) else str(key))


def _described(value: str | Sum) -> str:
    return comment(value) if isinstance(value, str) else f"a sum of {len(value.terms)}"


def _pair(x: float, y: float) -> str:
    return f"({shortest(x)}, {shortest(y)})"


def _shown(items: Sequence[str], what: str) -> str:
    if len(items) <= _SHOWN:
        return ", ".join(items)
    return f"{', '.join(items[:3])}, ... {items[-1]}: {len(items)} {what}"
