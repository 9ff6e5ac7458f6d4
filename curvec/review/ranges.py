"""The values that a term can take, by interval arithmetic: exact for a curve, a bound for sums and products."""

from __future__ import annotations

import itertools
from functools import reduce
from typing import TypeAlias

from curvec.ir import Sum, Term

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
