"""Computations on the points of a piecewise-linear curve: its inverse, and its form without a transform."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from curvec.contract import Segments, pwl_values
from curvec.errors import InputError, shown
from curvec.transforms import FloatArray, Transform, transform

_MOST_POINTS = 1_000
"""The most points of a curve that is meant to be copied as text."""


def inverse_values(y: FloatArray, curve: Segments) -> FloatArray:
    """(n,) the x at which a monotone curve has the value y (n,); where it is level, the least such x; NaN for NaN.

    Raises:
        InputError: the curve never is one of the y.

    """
    low, high = sorted((float(curve.y[0]), float(curve.y[-1])))
    outside = np.flatnonzero((y < low) | (y > high))
    if outside.size:
        raise InputError(f"the curve never is {float(y[outside[0]])!r}; it goes from {low!r} to {high!r}")
    sign = 1.0 if curve.y[-1] > curve.y[0] else -1.0
    nan = np.isnan(y)
    wanted = np.where(nan, curve.y[0], y)
    # The first point that is not before y; the segment that ends in it holds y, and is not level there.
    end = np.searchsorted(sign * curve.y, sign * wanted, side="left")
    k = np.maximum(end - 1, 0)
    level = curve.slope[k] == 0
    u = curve.u[k] + (wanted - curve.y[k]) / np.where(level, 1.0, curve.slope[k])
    x = np.clip(transform(curve.fx).inverse(u), curve.x[k], curve.x[k + 1])
    x = np.where(wanted == curve.y[end], curve.x[end], x)
    return np.where(nan, math.nan, x)


def without_transform(curve: Segments, tolerance: float) -> list[tuple[float, float]]:
    """Points of the curve between which straight lines in x are within the tolerance of it.

    Each chord goes as far as it may, found by bisection: between two kinks u = fx(x) bends one way, so a longer chord
    is further from it.

    Raises:
        InputError: it takes too many points.

    """
    fx = transform(curve.fx)
    allowed = tolerance - 1e-12 * float(np.abs(curve.y).max())  # what rounding may add
    kinks = [x for x in fx.kinks if curve.x[0] < x < curve.x[-1]]
    ends = np.union1d(curve.x, kinks)
    points = [float(ends[0])]
    too_small = InputError(
        f"tolerance={shown(tolerance)} takes more than {_MOST_POINTS:,} points; allow a larger one, or "
        f"keep fx={curve.fx!r}"
    )
    if allowed <= 0:
        raise too_small
    for left, right in itertools.pairwise(ends.tolist()):
        slope = abs(float(curve.slope[np.searchsorted(curve.x, left, side="right") - 1]))
        for x in _chords(fx, left, right, allowed / slope if slope else math.inf):
            points.append(x)
            if len(points) > _MOST_POINTS:
                raise too_small
    return list(zip(points, pwl_values(np.array(points), curve, None).tolist(), strict=True))


def _chords(fx: Transform, left: float, right: float, allowed: float) -> Iterator[float]:
    """Where chords of fx end that are no more than ``allowed`` from it, the first beginning at ``left``."""
    while left < right:
        good, bad = left, right
        if _distance(fx, left, right) <= allowed:
            good = right
        for step in itertools.count():
            middle = fx.middle(good, bad)
            if middle in (good, bad) or (step >= _HALVINGS and good > left):
                break
            good, bad = (middle, bad) if _distance(fx, left, middle) <= allowed else (good, middle)
        left = good if good > left else bad  # no double lies between these two, so the chord misses none
        yield left


_HALVINGS = 24
"""Bisections: the end of a chord is found to 2^-24 of the segment's width in u."""


def _distance(fx: Transform, left: float, right: float) -> float:
    """How far fx is from its chord at most, which is where it has the chord's slope."""
    ends = fx.forward(np.array([left, right]))
    chord = float(ends[1] - ends[0]) / (right - left)
    if not chord > 0:  # u is the same at both ends, so nothing is between fx and the chord
        return 0.0
    x = np.clip(fx.where_steep(np.array([chord])), left, right)
    return float(np.abs(fx.forward(x) - ends[0] - chord * (x - left)).max())
