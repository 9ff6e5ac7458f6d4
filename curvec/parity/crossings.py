"""Inputs at which a sum inside a curve passes one of the curve's points: found by bisection down to two doubles."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from curvec.data import Table
from curvec.doubles import first_double
from curvec.evaluate import term_values
from curvec.ir import Curve, Feature, features_of, walk
from curvec.model import CurveModel

__all__ = ["crossings"]

_MOST = 500
"""The most crossings of one model."""


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
                yield from _beside(left, right, partial(_is_below, inner, edge))


def _evaluate(term: Any, features: Sequence[Feature], columns: Mapping[str, list[Any]]) -> list[float]:
    return [float(value) for value in term_values(term, Table(columns, features))]


def _is_below(inner: Callable[[Sequence[float]], list[float]], edge: float, x: float) -> bool:
    return inner([x])[0] < edge


def _beside(left: float, right: float, below: Callable[[float], bool]) -> Iterator[float]:
    """The two neighbouring doubles between which ``below`` changes."""
    start = below(left)
    first = first_double(lambda x: below(x) != start, left, right)
    yield math.nextafter(first, -math.inf)
    yield first
