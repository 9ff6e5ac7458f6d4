"""Inputs at which a sum inside a curve passes one of the curve's points: found by bisection down to two doubles."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from curvec.data import Table
from curvec.evaluate import term_values
from curvec.ir import Curve, Feature, features_of, walk
from curvec.model import CurveModel

__all__ = ["crossings"]

_MOST = 500
"""Crossings of one model at most."""


def crossings(
    model: CurveModel, typical: Mapping[str, Any], tried: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[str, float]]:
    """Pairs of a feature and a value, the others being typical: the two doubles around each crossing.

    Args:
        model: the model.
        typical: a value for each feature.
        tried: values for each feature; a crossing is looked for between neighbours of these.

    """
    found = (
        (feature, value)
        for curve in walk(*model.terms)
        if isinstance(curve, Curve) and curve.children
        for feature in dict.fromkeys(use.name for use in features_of(curve) if use.type == "number")
        if all(use.type == "number" for use in model.features if use.name == feature)
        for value in _of_curve(curve, feature, typical, tried[feature])
    )
    return itertools.islice(found, _MOST)


def _of_curve(curve: Curve, feature: str, typical: Mapping[str, Any], tried: Sequence[Any]) -> Iterator[float]:
    (inside,) = curve.children
    features = list({use.name: use for use in features_of(inside)}.values())
    finite = sorted({value for value in tried if value is not None and math.isfinite(value)})

    def inner(values: Sequence[float]) -> list[float]:
        columns = {use.name: [typical[use.name]] * len(values) for use in features} | {feature: list(values)}
        return _evaluate(inside, features, columns)

    heights = inner(finite)
    for edge in curve.breaks:
        for (left, low), (right, high) in itertools.pairwise(zip(finite, heights, strict=True)):
            if (low < edge) != (high < edge) and math.isfinite(low) and math.isfinite(high):
                yield from _bisect(left, right, lambda x, edge=edge: inner([x])[0] < edge)


def _evaluate(term: Any, features: Sequence[Feature], columns: Mapping[str, list[Any]]) -> list[float]:
    return [float(value) for value in term_values(term, Table(columns, features))]


def _bisect(left: float, right: float, below: Any) -> Iterator[float]:
    """The two neighbouring doubles between which ``below`` changes."""
    start = below(left)
    low, high = _ordinal(left), _ordinal(right)
    while high - low > 1:
        middle = (low + high) // 2
        if below(_double(middle)) == start:
            low = middle
        else:
            high = middle
    yield _double(low)
    yield _double(high)


def _ordinal(value: float) -> int:
    """The place of a double among all doubles: neighbours differ by one."""
    bits = int(np.float64(value).view(np.int64))
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def _double(place: int) -> float:
    return math.copysign(float(np.int64(abs(place)).view(np.float64)), place)
