"""The values and the slopes that a term can take: exact for a curve, a bound by interval arithmetic for others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import reduce
from typing import TypeAlias

from curvec.ir import Curve, Product, Sum, Term
from curvec.spelling import shortest

Interval: TypeAlias = tuple[float, float]
"""The least and the greatest value."""


def value_range(term: Term) -> Interval:
    """(lowest, highest) value over every input, the declared values of missing and unseen ones included.

    A line, and a sum that holds one, is unbounded. For a curve of a sum the whole curve counts.
    """
    if (own := term.own_range) is not None:
        return own
    if isinstance(term, Sum):
        lows, highs = zip(*map(value_range, term.terms), strict=True)
        return sum(lows), sum(highs)
    return reduce(product_of, map(value_range, term.children))


def product_of(one: Interval, other: Interval) -> Interval:
    """The least and the greatest product of a value of one interval and a value of the other."""
    corners = [product_of_bounds(*pair) for pair in itertools.product(one, other)]
    return min(corners), max(corners)


def product_of_bounds(a: float, b: float) -> float:
    """The product of two bounds; one that is 0 stays 0 beside an unbounded one."""
    return 0.0 if a == 0 or b == 0 else a * b


def slopes(curve: Term) -> Iterator[tuple[float, str]]:
    """Each slope per unit of fx(x), and where; a step's is infinite. A table has none."""
    breaks = [f"x={shortest(x)}" for x in curve.breaks]
    if not breaks:
        where = ["everywhere"] * len(curve.slopes)
    elif len(curve.slopes) == len(breaks):
        where = [f"at {x}" for x in breaks]
    else:
        where = [f"between {left} and {right}" for left, right in itertools.pairwise(breaks)]
    yield from zip(curve.slopes, where, strict=True)


def curves_with_factors(term: Term, feature: str, factor: Interval = (1.0, 1.0)) -> Iterator[tuple[Term, Interval]]:
    """Each curve of a feature, and the interval of the factors by which the term multiplies a change of its value.

    These are the other factors of a product, by interval arithmetic, and the slopes of a curve of a sum. They are
    treated as independent, so the interval is never too narrow.
    """
    if isinstance(term, Sum):
        for child in term.terms:
            yield from curves_with_factors(child, feature, factor)
    elif isinstance(term, Product):
        for k, child in enumerate(term.factors):
            rest = factor
            for other in (*term.factors[:k], *term.factors[k + 1 :]):
                rest = product_of(rest, value_range(other))
            yield from curves_with_factors(child, feature, rest)
    elif isinstance(term, Curve) and isinstance(term.input, Sum):
        yield from curves_with_factors(term.input, feature, product_of(factor, (min(term.slopes), max(term.slopes))))
    elif term.feature == feature:
        yield term, factor
