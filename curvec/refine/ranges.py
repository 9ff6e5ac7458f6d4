"""How far the curves of a distilled model may go: the range of the teacher's functions, as in the distillation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from curvec.distill import Distillation
from curvec.evaluate import term_values
from curvec.ir import PWLCurve, Term
from curvec.parameters.design import size_of


def ranged_functions(distilled: Distillation) -> dict[int, tuple[Term, PWLCurve]]:
    """Start of a curve's block -> the teacher's function that has a range, and the curve.

    These are the numeric curves that stand for a function of one feature: factors of products and inner curves have no
    range of their own.
    """
    found, start = {}, 0
    for part in distilled.parts:
        if part.term is None:
            continue
        if isinstance(part.term, PWLCurve) and isinstance(part.term.input, str):
            found[start] = part.teacher, part.term
        start += size_of(part.term)
    return found


def with_own_values(
    ranges: Mapping[int, tuple[float, float]], functions: Mapping[int, tuple[Term, PWLCurve]]
) -> dict[int, tuple[float, float]]:
    """The ranges of the functions, each with the curve's own values inside."""
    result = {}
    for start, (_, curve) in functions.items():
        values = [*ranges[start], *(y for _, y in curve.points)]
        result[start] = (min(values), max(values))
    return result


def teacher_ranges(distilled: Distillation, rows: Any) -> dict[int, tuple[float, float]]:
    """Start of a curve's block -> lowest and highest value of the teacher's function on the rows, and of the curve."""
    table, functions = distilled.teacher.table(rows), ranged_functions(distilled)
    ranges = {}
    for start, (term, _) in functions.items():
        exact = term_values(term, table)
        exact = exact[np.isfinite(exact)]
        ranges[start] = float(exact.min(initial=np.inf)), float(exact.max(initial=-np.inf))
    return with_own_values(ranges, functions)
