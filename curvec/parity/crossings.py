"""Inputs at which a sum inside a curve passes one of the curve's points: found by bisection down to two doubles."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from curvec.data import Table
from curvec.doubles import change_between
from curvec.evaluate import term_values
from curvec.ir import Curve
from curvec.transforms import FloatArray

_MOST = 500
"""The most crossings of one model."""


def crossings(
    curves: Iterable[Curve], typical: Mapping[str, Any], numbers: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[str, float]]:
    """Pairs of a feature and a value, the other features at their typical values: the two doubles around each crossing.

    Args:
        curves: curves over a sum.
        typical: a value for each feature.
        numbers: for each numeric feature some values; a crossing is looked for between neighbours of these.

    """
    found = (
        (use.name, value)
        for curve in curves
        for use in curve.features
        if use.type == "number" and use.name in numbers
        for value in _of_curve(curve, use.name, typical, numbers[use.name])
    )
    return itertools.islice(found, _MOST)


def _of_curve(curve: Curve, feature: str, typical: Mapping[str, Any], values: Sequence[Any]) -> Iterator[float]:
    (inside,) = curve.children

    def inside_at(some: Sequence[float]) -> FloatArray:
        columns = {use.name: [typical[use.name]] * len(some) for use in inside.features} | {feature: some}
        return term_values(inside, Table(columns, inside.features))

    finite = sorted({value for value in values if value is not None and math.isfinite(value)})
    heights = inside_at(finite).tolist()
    for edge in curve.breaks:
        for (left, low), (right, high) in itertools.pairwise(zip(finite, heights, strict=True)):
            if (low < edge) != (high < edge) and math.isfinite(low) and math.isfinite(high):
                yield from change_between(partial(_is_below, inside_at, edge), left, right)


def _is_below(inside_at: Callable[[Sequence[float]], FloatArray], edge: float, x: float) -> bool:
    return bool(inside_at([x])[0] < edge)
