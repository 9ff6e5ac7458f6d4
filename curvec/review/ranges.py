"""The values that a term can take, by interval arithmetic: exact for a curve, a bound for sums and products."""

from __future__ import annotations

import itertools
import math

from curvec.ir import Column, EnumCurve, PWLCurve, StepCurve, Sum, Term

__all__ = ["times", "value_range"]


def value_range(term: Term) -> tuple[float, float]:
    """(lowest, highest) value over every input, the declared values of missing and unseen ones included.

    A raw column, and a sum that holds one, is unbounded. For a curve of a sum the whole curve counts.
    """
    if isinstance(term, Column):
        return -math.inf, math.inf
    if isinstance(term, (PWLCurve, StepCurve, EnumCurve)):
        values = list(_values(term))
        return min(values), max(values)
    if isinstance(term, Sum):
        lows, highs = zip(*map(value_range, term.terms), strict=True)
        return sum(lows), sum(highs)
    low, high = value_range(term.factors[0])
    for factor in term.factors[1:]:
        corners = [times(a, b) for a, b in itertools.product((low, high), value_range(factor))]
        low, high = min(corners), max(corners)
    return low, high


def _values(curve: PWLCurve | StepCurve | EnumCurve) -> list[float]:
    if isinstance(curve, PWLCurve):
        values = [y for _, y in curve.points]
    elif isinstance(curve, StepCurve):
        values = list(curve.values)
    else:
        values = list(curve.levels.values())
    declared = (curve.missing, getattr(curve, "default", None))
    return values + [value for value in declared if value is not None]


def times(a: float, b: float) -> float:
    """The product of two bounds; one that is 0 stays 0 beside an unbounded one."""
    return 0.0 if a == 0 or b == 0 else a * b
