"""How far two sets of terms are apart over every input: exactly, if each term is of one feature.

Curves of one feature differ by a function that is linear in x, log(x), log(1 + x) and symlog1p(x) between the points of
all of them. Its extremes lie at points, just left of them (steps jump there), or where its derivative vanishes between
two points, which is a quadratic equation in x whatever the transforms are. So they are found in closed form, and
computed by the reference evaluator: exact up to the rounding of the evaluation itself.

Products of curves of different features are linear in each, so their extremes lie at combinations of those places, as
long as the curves of a feature share one transform and the combinations are few enough to try. What is left (nested
curves, lines in products, mixed transforms) is evaluated at the combinations too, and interval arithmetic says
how much further the difference can reach at most.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import msgspec
import numpy as np

from curvec.data import Table
from curvec.evaluate import term_values
from curvec.ir import (
    Feature,
    Key,
    Product,
    PWLCurve,
    Sum,
    Term,
    features_of,
    uses_of,
    walk,
)
from curvec.review.ranges import product_of, value_range
from curvec.transforms import FloatArray, transform

UNSEEN = "(unseen)"
_MAX_COMBINATIONS = 4096


class Extremes(msgspec.Struct, frozen=True):
    """The least and the greatest value of a difference (new - old) over every input.

    Attributes:
        low: the least value found; 0 if nothing differs.
        high: the greatest value found.
        at_low: an input where low is reached: feature -> value, None for a missing one.
        at_high: the same for high.
        least: no input gives less; equal to low where the result is exact.
        greatest: no input gives more.
        undefined: the first input found for which one side is missing (NaN) and the other is not, as ``at_low``.

    """

    low: float
    high: float
    at_low: Mapping[str, Key | float | None]
    at_high: Mapping[str, Key | float | None]
    least: float
    greatest: float
    undefined: Mapping[str, Key | float | None] | None = None

    @property
    def exact(self) -> bool:
        """Whether nothing lies beyond what was found."""
        return self.least == self.low and self.greatest == self.high

    @property
    def largest(self) -> float:
        """The largest change found, in size."""
        return max(abs(self.low), abs(self.high))


def extremes(new: Sequence[Term], old: Sequence[Term]) -> Extremes:
    """The extremes of sum(new) - sum(old), over all values of all their features independently."""
    features = _features([*new, *old])
    if any(len(kinds) > 1 and kinds != {"int", "number"} for kinds in features.values()):
        return _of_different_types(extremes(new, []), extremes(old, []))
    grid = _Grid({name: _places(name, kinds, new, old) for name, kinds in features.items()})
    before, after = (_sum(terms, grid) for terms in (old, new))
    difference = after - before
    gone = np.flatnonzero(np.isnan(before) != np.isnan(after))
    undefined = grid.at(int(gone[0])) if gone.size else None
    defined = np.flatnonzero(~np.isnan(difference))
    if not defined.size:
        return Extremes(0.0, 0.0, {}, {}, 0.0, 0.0, undefined)
    values = difference[defined]
    found = float(values.min()), float(values.max())
    # Points are listed before the doubles beside them, which may be worth a rounding error more: name the point.
    slack = 1e-13 * max(np.max(np.abs(side[defined])) for side in (before, after))
    low = int(defined[np.argmax(values <= found[0] + slack)])
    high = int(defined[np.argmax(values >= found[1] - slack)])
    whole = all(map(_plain, [*new, *old])) if len(features) == 1 else not grid.sampled and _multilinear([*new, *old])
    if not whole:
        least, greatest = _bound(new, old)
        return Extremes(*found, grid.at(low), grid.at(high), min(least, found[0]), max(greatest, found[1]), undefined)
    if _end_slopes(new) != _end_slopes(old):  # the difference goes on for ever, so it is unbounded
        return Extremes(-math.inf, math.inf, {}, {}, -math.inf, math.inf, undefined)
    return Extremes(*found, grid.at(low), grid.at(high), *found, undefined)


def _of_different_types(new: Extremes, old: Extremes) -> Extremes:
    """The extremes if a feature has different types on the two sides, so that no input is valid for both."""
    low, high = new.low - old.high, new.high - old.low
    return Extremes(low, high, {}, {}, new.least - old.greatest, new.greatest - old.least)


def _features(terms: Iterable[Term]) -> dict[str, set[str]]:
    result: dict[str, set[str]] = {}
    for term in terms:
        for use in features_of(term):
            result.setdefault(use.name, set()).add(use.type)
    return result


class _Grid:
    """Inputs to evaluate at: every combination of the features' places, or a fixed sample of them if they are many."""

    def __init__(self, places: Mapping[str, Sequence[Any]]) -> None:
        self.sampled = math.prod(map(len, places.values())) > _MAX_COMBINATIONS
        if not self.sampled:
            self._rows = list(itertools.product(*places.values()))
        else:
            random = np.random.default_rng(0)
            picks = [random.integers(0, len(values), _MAX_COMBINATIONS).tolist() for values in places.values()]
            columns = [[values[k] for k in pick] for values, pick in zip(places.values(), picks, strict=True)]
            self._rows = list(zip(*columns, strict=True))
        self._names = list(places)
        columns_of = {name: [row[k] for row in self._rows] for k, name in enumerate(self._names)}
        self.table = Table(columns_of, [Feature(name) for name in self._names])

    def at(self, row: int) -> dict[str, Key | float | None]:
        return dict(zip(self._names, self._rows[row], strict=True))


def _sum(terms: Sequence[Term], grid: _Grid) -> FloatArray:
    total = np.zeros(grid.table.rows)
    with np.errstate(invalid="ignore", over="ignore"):
        for term in terms:
            total = total + term_values(term, grid.table)
    return total


def _places(name: str, kinds: set[str], new: Sequence[Term], old: Sequence[Term]) -> list[Any]:
    """The inputs of one feature where the difference may be extreme: levels, an unseen one, missing, x of curves."""
    uses = uses_of(name, *new, *old)
    levels: list[Any] = list(uses.levels)
    if "str" in kinds:
        unseen = UNSEEN
        while unseen in levels:
            unseen += "?"
        return [*levels, unseen, None]
    if "bool" in kinds:
        return [*levels, *[value for value in (True, False) if value not in levels], None]
    edges = sorted({*uses.breaks, *(x for curve in uses.nodes for x in transform(curve.fx).kinks)})
    curved = {node.fx for node in walk(*new, *old)} - {"identity"}
    between = itertools.pairwise(edges) if curved else []  # straight lines have no turn between edges
    inner = itertools.chain.from_iterable(_turns(name, pair, new, old) for pair in between)
    beside = [math.nextafter(x, -math.inf) for x in edges]
    found = [*map(float, levels), *uses.special_codes, *edges, *inner, *beside]
    numbers = list(dict.fromkeys(found)) or [0.0]
    unseen_number = [math.floor(min(numbers)) - 0.5] if levels else []
    return [*numbers, *unseen_number, None]


def _turns(name: str, between: tuple[float, float], new: Sequence[Term], old: Sequence[Term]) -> Iterator[float]:
    """Where the derivative of the difference may vanish between two neighbouring edges."""
    left, right = between
    slopes = dict.fromkeys(("identity", "log", "log1p", "symlog1p"), 0.0)
    for sign, terms in ((1.0, new), (-1.0, old)):
        for node in uses_of(name, *terms).nodes:
            slopes[node.fx] += sign * node.slope_at(left)
    a, b, c, d = slopes.values()
    # a + b/x + c/(1 + x) + d/(1 + |x|) = 0, times x(1 + x) right of 0 and times (1 + x)(1 - x) left of it
    quadratic = (a, a + b + c + d, b) if left >= 0 else (-a, d - c, a + c + d)
    for x in _roots(*quadratic):
        if left < x < right:
            yield x


def _roots(a: float, b: float, c: float) -> list[float]:
    if a == 0:
        return [-c / b] if b != 0 else []
    inside = b * b - 4 * a * c
    if not inside >= 0:
        return []
    q = -0.5 * (b + math.copysign(math.sqrt(inside), b))
    return [q / a, *([c / q] if q != 0 else [])]


def _plain(term: Term) -> bool:
    """Whether a term is a sum of curves of features themselves."""
    if isinstance(term, Sum):
        return all(map(_plain, term.terms))
    return not isinstance(term, Product) and not term.children


def _multilinear(terms: Sequence[Term]) -> bool:
    """Whether terms are linear in fx of each feature between its points, so that extremes lie at combined points.

    Products of curves of different features are, if all curves of a feature share fx; a line goes on for ever.
    """
    transforms: dict[str, set[str]] = {}
    for node in walk(*terms):
        if any(map(node.slope_at, _ENDS)) or (node.children and not isinstance(node, (Sum, Product))):
            return False
        if isinstance(node, PWLCurve) and node.feature is not None:
            transforms.setdefault(node.feature, set()).add(node.fx)
        if isinstance(node, Product):
            names = [set(_features([factor])) for factor in node.factors]
            if len(set().union(*names)) < sum(map(len, names)):
                return False
    return all(len(found) == 1 for found in transforms.values())


_ENDS = (-math.inf, math.inf)


def _end_slopes(terms: Sequence[Term]) -> list[float]:
    """The slope of plain terms of one feature on the far left and on the far right: that of their lines."""
    return [math.fsum(node.slope_at(end) for node in walk(*terms)) for end in _ENDS]


def _bound(new: Sequence[Term], old: Sequence[Term]) -> tuple[float, float]:
    """Bounds of the difference by interval arithmetic, terms compared in order where both sides have as many."""
    if len(new) == len(old):
        pairs = [_pair_bound(a, b) for a, b in zip(new, old, strict=True)]
        return sum(low for low, _ in pairs), sum(high for _, high in pairs)
    lows, highs = zip(*[value_range(term) for term in new] or [(0.0, 0.0)], strict=True)
    old_lows, old_highs = zip(*[value_range(term) for term in old] or [(0.0, 0.0)], strict=True)
    return sum(lows) - sum(old_highs), sum(highs) - sum(old_lows)


def _pair_bound(new: Term, old: Term) -> tuple[float, float]:
    if new == old:
        return 0.0, 0.0
    if _plain(new) and _plain(old) and len(_features([new, old])) == 1:
        found = extremes([new], [old])
        return found.least, found.greatest
    if isinstance(new, Sum) and isinstance(old, Sum):
        return _bound(new.terms, old.terms)
    if isinstance(new, Product) and isinstance(old, Product) and len(new.factors) == len(old.factors):
        changed = [k for k, pair in enumerate(zip(new.factors, old.factors, strict=True)) if pair[0] != pair[1]]
        if len(changed) == 1:
            k = changed[0]
            ranges = [value_range(factor) for factor in new.factors]
            ranges[k] = _pair_bound(new.factors[k], old.factors[k])
            return reduce(product_of, ranges)
    (low, high), (old_low, old_high) = value_range(new), value_range(old)
    return low - old_high, high - old_low
