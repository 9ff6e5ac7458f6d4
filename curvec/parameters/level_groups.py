"""Refined tables keep their groups: levels that share a value still share one, and a base level of 0 stays at 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from curvec.data import Table
from curvec.ir import EnumCurve, changed
from curvec.model import CurveModel
from curvec.parameters.design import Block
from curvec.parameters.precision import Digits, Precision
from curvec.transforms import FloatArray


def rows_at_levels(blocks: Sequence[Block], table: Table) -> Iterator[tuple[int, Iterator[npt.NDArray[np.bool_]]]]:
    """For each table where its block starts, and for each of its levels (rows,) which rows are at it."""
    for block in blocks:
        if isinstance(block.curve, EnumCurve):
            keys = table.keys(block.curve.input, block.curve.levels.type)
            yield block.start, (keys == level for level in block.curve.levels)


def level_weights(blocks: Sequence[Block], table: Table, w: FloatArray) -> dict[int, FloatArray]:
    """For the start of each table's block (levels,) the weight of the rows, w (rows,), at each level."""
    found = rows_at_levels(blocks, table)
    return {start: np.array([float(w[own].sum()) for own in at_levels]) for start, at_levels in found}


def grouped(
    theta: FloatArray, blocks: Sequence[Block], bounded: Sequence[bool], counts: Mapping[int, FloatArray]
) -> tuple[FloatArray, dict[int, float]]:
    """Parameters in which levels that shared a value share their weighted mean, and base levels are at 0.

    The refined value of a base level goes into the intercept, so that no score changes.

    Args:
        theta: (p,) the refined parameters, the intercept last.
        blocks: the curves before refining.
        bounded: for each block whether its values have bounds; then its base level stays where it is.
        counts: for the start of each table's block the weight of the rows at each of its levels.

    Returns:
        the parameters; and for each block that was shifted, by its start, the amount that was subtracted.

    """
    result, shifts = theta.copy(), {}
    for block, fixed in zip(blocks, bounded, strict=True):
        curve = block.curve
        if not isinstance(curve, EnumCurve) or len(set(curve.ordinates)) == 1:
            continue  # all levels have one value: a model to train from scratch, where each gets its own
        before = np.array(curve.ordinates)
        own = slice(block.start, block.start + block.size)
        for value in dict.fromkeys(curve.ordinates):
            members = before == value
            at_levels = counts[block.start][members]
            weights = at_levels if at_levels.any() else None
            result[own][members] = np.average(theta[own][members], weights=weights)
        if block.summand and 0.0 in curve.ordinates and not fixed:
            shifts[block.start] = float(result[own][before == 0.0][0])
            result[block.start : block.stop] -= shifts[block.start]
            result[-1] += shifts[block.start]
    return result, shifts


def with_defaults(
    model: CurveModel, blocks: Sequence[Block], shifts: Mapping[int, float], digits: Digits, precision: Precision
) -> CurveModel:
    """The model with the defaults of shifted tables shifted too, so that unseen levels keep their score."""
    taken = {block.curve.input: shifts[block.start] for block in blocks if block.start in shifts}
    terms = [
        changed(term, default=precision.round(term.default - taken[term.input], digits))
        if isinstance(term, EnumCurve) and term.default is not None and term.input in taken
        else term
        for term in model.terms
    ]
    return changed(model, terms=terms)
