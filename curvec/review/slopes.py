"""The slopes of a curve, and the factors by which they are multiplied in a term's value."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from curvec.ir import Curve, Product, Sum, Term
from curvec.review.ranges import Interval, product_of, value_range
from curvec.spelling import shortest


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
