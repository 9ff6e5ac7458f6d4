"""How far the curves of a distilled model may go: the range of the teacher's functions, as in the distillation."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.distill import Distillation
from curvec.evaluate import term_values
from curvec.ir import PWLCurve
from curvec.refine.design import size_of

__all__ = ["teacher_ranges"]


def teacher_ranges(distilled: Distillation, rows: Any) -> dict[int, tuple[float, float]]:
    """Start of a curve's block -> lowest and highest value of the teacher's function on the rows.

    For the numeric curves that stand for a function of one feature: factors of products and inner curves have no range
    of their own. The distilled curve's own values are always inside.
    """
    table = distilled.teacher.table(rows)
    ranges: dict[int, tuple[float, float]] = {}
    start = 0
    for part in distilled.parts:
        if part.term is None:
            continue
        if isinstance(part.term, PWLCurve) and isinstance(part.term.input, str):
            exact = term_values(part.teacher, table)
            values = [*exact[np.isfinite(exact)].tolist(), *(y for _, y in part.term.points)]
            ranges[start] = (min(values), max(values))
        start += size_of(part.term)
    return ranges
