"""Which terms of a model matter: how far each moves the raw score, on average over rows and at most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.columns import check_aligned, weights_or_ones
from curvec.distill.correspondence import terms_by_features
from curvec.ir import is_logarithm, label_of, walk
from curvec.model import CurveModel
from curvec.review.ranges import value_range
from curvec.transforms import FloatArray


class TermImportance(msgspec.Struct, frozen=True):
    """How far the terms of the same features move the raw score together.

    Attributes:
        label: the features, as every report calls them.
        terms: indices in ``model.terms``.
        mean_size: weighted mean over the rows of the contribution's absolute difference from its mean, so that a
            constant that could as well be in the intercept does not count; None without data.
        low: the least contribution on the rows; without data over every input, where a line and an exposure have -inf.
        high: the greatest.

    """

    label: str
    terms: tuple[int, ...]
    mean_size: float | None
    low: float
    high: float

    @property
    def span(self) -> float:
        """How far the contribution moves between its least and its greatest value."""
        return self.high - self.low

    @property
    def size(self) -> float:
        """What terms are ranked by: the mean size, without data the span."""
        return self.span if self.mean_size is None else self.mean_size


def importances(model: CurveModel, data: Any = None, w: npt.ArrayLike | None = None) -> tuple[TermImportance, ...]:
    """How far each function of a model moves the raw score; in the order of the model.

    Args:
        model: the model.
        data: (rows, features) data; None: over every input that there could be.
        w: (rows,) weights of the rows.

    Raises:
        InputError: the data lacks a column, or the weights are none.

    """
    groups = list(map(tuple, terms_by_features(model).values()))
    if data is None:
        return tuple(_of_every_input(model, group) for group in groups)
    check_aligned(data=data, w=w)
    values = model.contributions(data)
    weights = weights_or_ones(w, len(values))
    return tuple(_of_rows(model, group, values[:, group].sum(axis=1), weights) for group in groups)


def ranked(found: Sequence[TermImportance]) -> list[int]:
    """The indices of the functions, the most important first; equal ones in the order of the model."""
    return sorted(range(len(found)), key=lambda place: -found[place].size)


def _of_every_input(model: CurveModel, group: tuple[int, ...]) -> TermImportance:
    terms = [model.terms[index] for index in group]
    if any(map(is_logarithm, walk(*terms))):
        return TermImportance(label_of(terms[0]), group, None, -math.inf, math.inf)
    low, high = (sum(ends) for ends in zip(*map(value_range, terms), strict=True))
    return TermImportance(label_of(terms[0]), group, None, float(low), float(high))


def _of_rows(model: CurveModel, group: tuple[int, ...], values: FloatArray, w: FloatArray) -> TermImportance:
    used = np.isfinite(values) & (w > 0)
    label = label_of(model.terms[group[0]])
    if not used.any():
        return TermImportance(label, group, 0.0, 0.0, 0.0)
    values, w = values[used], w[used] / w[used].max()
    unit = float(np.abs(values).max()) or 1.0  # sums of the largest doubles must not overflow
    scaled = values / unit
    size = unit * float(np.average(np.abs(scaled - np.average(scaled, weights=w)), weights=w))
    low, high = float(values.min()), float(values.max())
    return TermImportance(label, group, size if math.isfinite(size) and low < high else 0.0, low, high)
