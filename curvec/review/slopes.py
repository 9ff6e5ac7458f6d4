"""How steep a curve is, and what its steepness is multiplied by on the way to a term's value."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from curvec.contract import segments
from curvec.ir import Column, Curve, Product, PWLCurve, StepCurve, Sum, Term
from curvec.review.ranges import times, value_range
from curvec.spelling import shortest

__all__ = ["placed", "slopes"]

Interval = tuple[float, float]


def slopes(curve: Term) -> Iterator[tuple[float, str]]:
    """Each slope per unit of fx(x), and where; a step's is infinite. A table has none."""
    if isinstance(curve, Column):
        yield 1.0, "everywhere"
    elif isinstance(curve, PWLCurve):
        found = segments(curve.points, curve.fx).slope.tolist()
        for slope, (left, right) in zip(found, itertools.pairwise(curve.points), strict=True):
            yield slope, f"between x={shortest(left[0])} and x={shortest(right[0])}"
    elif isinstance(curve, StepCurve):
        for cut, (before, behind) in zip(curve.cuts, itertools.pairwise(curve.values), strict=True):
            yield (math.copysign(math.inf, behind - before) if before != behind else 0.0), f"at x={shortest(cut)}"


def placed(term: Term, feature: str, factor: Interval = (1.0, 1.0)) -> Iterator[tuple[Term, Interval]]:
    """Each curve of a feature itself, and the interval of what a change of its value is multiplied by.

    That is the other factors of a product, by interval arithmetic, and the slopes of a curve of a sum. The factors
    are taken as independent, so the interval is never too narrow.
    """
    if isinstance(term, Sum):
        for child in term.terms:
            yield from placed(child, feature, factor)
    elif isinstance(term, Product):
        for k, child in enumerate(term.factors):
            rest = factor
            for other in (*term.factors[:k], *term.factors[k + 1 :]):
                rest = _product(rest, value_range(other))
            yield from placed(child, feature, rest)
    elif isinstance(term, Curve) and isinstance(term.input, Sum):
        steepness = [slope for slope, _ in slopes(term)]
        yield from placed(term.input, feature, _product(factor, (min(steepness), max(steepness))))
    elif term.feature == feature:
        yield term, factor


def _product(a: Interval, b: Interval) -> Interval:
    corners = [times(*pair) for pair in itertools.product(a, b)]
    return min(corners), max(corners)
