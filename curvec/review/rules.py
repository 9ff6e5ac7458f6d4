"""The rules of a policy: each with its name, its values, its description and its check of a model.

A rule that is added here is read, checked, documented and listed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

import msgspec

from curvec.errors import counted
from curvec.ir import Curve, EnumCurve, PWLCurve, StepCurve, Term, names_of
from curvec.links import LINKS
from curvec.model import CurveModel
from curvec.review.ranges import curves_with_factors, product_of_bounds, slopes, value_range
from curvec.spelling import rounded, shortest
from curvec.transforms import TRANSFORMS


class Value(msgspec.Struct, frozen=True):
    """What a rule takes.

    Attributes:
        takes: in words.
        parse: the value, checked; raises a ValueError.

    """

    takes: str
    parse: Callable[[Any], Any]


Violations: TypeAlias = Iterator[tuple[Any, str]]
"""Of each violation the offending value, and a sentence."""


class Rule(msgspec.Struct, frozen=True):
    """One rule.

    Attributes:
        name: its key in the policy file.
        value: what it takes.
        says: what must hold.
        check: finds the violations, given the value and what the rule is about.

    """

    name: str
    value: Value
    says: str
    check: Callable[[Any, Any], Violations]


class Use(msgspec.Struct, frozen=True):
    """A term of the model, and a feature that it uses."""

    term: Term
    feature: str


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def _digits(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 17:
        raise ValueError
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError
    return float(value)


def _range(value: Any) -> tuple[float, float]:
    if type(value) is not list or len(value) != 2 or not _number(value[0]) < _number(value[1]):
        raise ValueError
    return _number(value[0]), _number(value[1])


def _names(value: Any) -> list[str]:
    if type(value) is not list or not all(type(name) is str for name in value):
        raise ValueError
    return value


def _some_of(known: Collection[str]) -> Value:
    def parse(value: Any) -> list[str]:
        if not set(_names(value)) <= set(known):
            raise ValueError
        return list(value)

    return Value(f"a list of {', '.join(known)}", parse)


def _one_of(*known: str) -> Value:
    def parse(value: Any) -> Any:
        if value not in known:
            raise ValueError
        return value

    return Value(" or ".join(f'"{one}"' for one in known), parse)


def _at_most(noun: str, count_of: Callable[[Any], int], after: str = "") -> Callable[[int, Any], Violations]:
    """The check that there are at most so many of something."""

    def check(limit: int, subject: Any) -> Violations:
        if (count := count_of(subject)) > limit:
            yield count, f"{counted(count, noun)}{after}, at most {limit} allowed"

    return check


def _check_segments(limit: int, curve: Term) -> Violations:
    if isinstance(curve, Curve) and curve.pieces > limit:
        kind = "step" if isinstance(curve, StepCurve) else "segment"
        yield curve.pieces, f"{counted(curve.pieces, kind)}, at most {limit} allowed"


def _check_digits(limit: int, curve: Term) -> Violations:
    for value in curve.numbers:
        if rounded(value, limit) != value:
            yield value, f"{shortest(value)} has more than {limit} significant digits"


def _check_characters(limit: int, curve: Term) -> Violations:
    for x, y in curve.points if isinstance(curve, PWLCurve) else ():
        count = len(shortest(x)) + len(shortest(y))
        if count > limit:
            point = f"({shortest(x)}, {shortest(y)})"
            yield count, f"the numbers of the point {point} have {count} characters, at most {limit} allowed"


def _check_knots(_: str, curve: Term) -> Violations:
    if isinstance(curve, PWLCurve) and curve.feature is not None:
        for x in curve.breaks:
            if x % 1:
                yield x, f"the point at x={shortest(x)} is between two whole numbers, where no row can be"


def _check_transforms(allowed: list[str], curve: Term) -> Violations:
    if isinstance(curve, PWLCurve) and curve.fx not in allowed:
        yield curve.fx, f"fx={curve.fx!r} is not among the allowed {', '.join(allowed)}"


def _check_monotone(direction: str, use: Use) -> Violations:
    sign = 1.0 if direction == "increasing" else -1.0
    alone = len(names_of(use.term)) == 1
    opening = f"not {direction}" if alone else f"not {direction} in {use.feature}"
    for curve, (low, high) in curves_with_factors(use.term, use.feature):
        factor = "" if low == high == 1 else f", times {low:.4g} to {high:.4g}"
        wrong = [
            found for found in _steps(curve) if min(product_of_bounds(sign * found[0], end) for end in (low, high)) < 0
        ]
        if low < 0 < high:  # the factor has both signs, so every step goes both ways: the greatest one is enough
            wrong = sorted(wrong, key=lambda found: -abs(found[0]))[:1]
        for _, value, words in wrong:
            yield value, f"{opening}: {words}{factor}"


def _steps(curve: Term) -> Iterator[tuple[float, Any, str]]:
    """Each slope, or difference between neighbouring integer categories: its size, its name, and the words for it."""
    if curve.levels and curve.reads != "str":
        for (before, low), (behind, high) in itertools.pairwise(sorted(curve.levels.items())):
            yield high - low, behind, f"{low:.4g} at {before!r} and {high:.4g} at {behind!r}"
    for slope, where in slopes(curve):
        yield slope, slope, f"slope {slope:.4g} {where}"


def _check_min_slope(limit: float, curve: Term) -> Violations:
    for slope, where in slopes(curve):
        if slope < limit:
            yield slope, f"slope {slope:.4g} {where}, at least {limit:g} allowed"


def _check_max_slope(limit: float, curve: Term) -> Violations:
    for slope, where in slopes(curve):
        if slope > limit:
            yield slope, f"slope {slope:.4g} {where}, at most {limit:g} allowed"


def _check_range(bounds: tuple[float, float], curve: Term) -> Violations:
    places = map(float, curve.levels) if curve.reads == "int" else curve.breaks
    for x in places:
        if not bounds[0] <= x <= bounds[1]:
            yield x, f"x={shortest(x)} is outside the range of validity {bounds[0]:g} to {bounds[1]:g}"


def _check_missing(_: str, curve: Term) -> Violations:
    if curve.missing is None:
        yield None, "no value is declared for missing input"


def _check_unseen(_: str, curve: Term) -> Violations:
    if isinstance(curve, EnumCurve) and curve.default is None and not curve.levels.complete:
        yield None, "no value is declared for unseen levels"


def _check_least(limit: float, use: Use) -> Violations:
    low = value_range(use.term)[0]
    if low < limit:
        yield low, f"the contribution goes down to {low:.6g}, at least {limit:g} allowed"


def _check_most(limit: float, use: Use) -> Violations:
    high = value_range(use.term)[1]
    if high > limit:
        yield high, f"the contribution goes up to {high:.6g}, at most {limit:g} allowed"


def _check_links(allowed: list[str], model: CurveModel) -> Violations:
    if model.link not in allowed:
        yield model.link, f"link={model.link!r} is not among the allowed {', '.join(allowed)}"


def _check_required(names: list[str], model: CurveModel) -> Violations:
    present = {feature.name for feature in model.features}
    for name in names:
        if name not in present:
            yield name, f"the required feature {name!r} is not in the model"


def _check_banned(patterns: list[str], model: CurveModel) -> Violations:
    used = set(names_of(*model.terms))
    for feature in model.features:
        for pattern in patterns:
            if fnmatchcase(feature.name, pattern):
                left = "" if feature.name in used else "; no term uses it, but features lists it as an input"
                yield feature.name, f"the feature {feature.name!r} is banned (by {pattern!r}){left}"
                break


_COUNT = Value("an integer from 0", _count)
_DIGITS = Value("1 to 17", _digits)
_FINITE = Value("a finite number", _number)
_RANGE = Value("[low, high]", _range)
_FEATURES = Value("a list of features", _names)
_PATTERNS = Value("a list of features; * and ? match", _names)
_DECLARED = _one_of("declared")

_MODEL_RULES = (
    Rule("max_terms", _COUNT, "the model has at most so many terms", _at_most("term", lambda model: len(model.terms))),
    Rule(
        "max_numbers",
        _COUNT,
        "the model has at most so many numbers to read",
        _at_most("number", lambda model: model.numbers_to_read, " to read"),
    ),
    Rule("links", _some_of(LINKS), "the link is one of these", _check_links),
    Rule("required", _FEATURES, "the model has each of these features", _check_required),
    Rule("banned", _PATTERNS, "the model has none of these", _check_banned),
)
_CURVE_RULES = (
    Rule("max_segments", _COUNT, "a curve has at most so many segments or steps", _check_segments),
    Rule(
        "max_levels", _COUNT, "a table has at most so many levels", _at_most("level", lambda curve: len(curve.levels))
    ),
    Rule("max_digits", _DIGITS, "numbers have at most so many significant digits", _check_digits),
    Rule(
        "max_characters",
        _COUNT,
        "a point, its x and its y as they are printed, has at most so many characters",
        _check_characters,
    ),
    Rule("knots", _one_of("whole"), "every point of a curve is at a whole number", _check_knots),
    Rule("transforms", _some_of(TRANSFORMS), "fx is one of these", _check_transforms),
    Rule("min_slope", _FINITE, "no slope, per unit of fx(x), is below", _check_min_slope),
    Rule("max_slope", _FINITE, "no slope, per unit of fx(x), is above", _check_max_slope),
    Rule("range", _RANGE, "every x of the curve, special codes apart, is in the range of validity", _check_range),
    Rule("missing", _DECLARED, "missing input has a value of its own", _check_missing),
    Rule("unseen", _DECLARED, "unseen levels have a value of their own", _check_unseen),
)
_TERM_RULES = (
    Rule(
        "monotone",
        _one_of("increasing", "decreasing"),
        "no term goes the other way in the feature, whatever the others are; its special codes are apart",
        _check_monotone,
    ),
    Rule("min_contribution", _FINITE, "no term of the feature adds less", _check_least),
    Rule("max_contribution", _FINITE, "no term of the feature adds more", _check_most),
)

MODEL_RULES, CURVE_RULES, TERM_RULES = (
    {rule.name: rule for rule in rules} for rules in (_MODEL_RULES, _CURVE_RULES, _TERM_RULES)
)
"""By name the rules of the table [model]; of [curves] and [features.NAME] for each curve, column and table, also inside
sums and products; and of these two for each :class:`Use` of a feature, in products by the factors' ranges."""
