"""The values that a term can take, by interval arithmetic: exact for a curve, a bound for sums and products."""

from __future__ import annotations

import itertools

from curvec.ir import Sum, Term

__all__ = ["times", "value_range"]


def value_range(term: Term) -> tuple[float, float]:
    """(lowest, highest) value over every input, the declared values of missing and unseen ones included.

    A line, and a sum that holds one, is unbounded. For a curve of a sum the whole curve counts.
    """
    if (own := term.own_range) is not None:
        return own
    if isinstance(term, Sum):
        lows, highs = zip(*map(value_range, term.terms), strict=True)
        return sum(lows), sum(highs)
    low, high = value_range(term.children[0])
    for factor in term.children[1:]:
        corners = [times(a, b) for a, b in itertools.product((low, high), value_range(factor))]
        low, high = min(corners), max(corners)
    return low, high


def times(a: float, b: float) -> float:
    """The product of two bounds; one that is 0 stays 0 beside an unbounded one."""
    return 0.0 if a == 0 or b == 0 else a * b
