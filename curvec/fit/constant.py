"""Data for which the best curve is constant: one distinct x, or one distinct y."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from curvec.condense import Points
from curvec.errors import FitError
from curvec.fit.candidates import points_beside, rough_ends, round_significant
from curvec.fit.constraints import Constraints
from curvec.fit.ends import ends_of
from curvec.fit.options import Options
from curvec.fit.result import Fit, PathEntry
from curvec.fit.rounding import bounds_note, notes, round_y
from curvec.ir import PWLCurve
from curvec.transforms import TRANSFORMS


def is_constant(points: Points, options: Options, constraints: Constraints) -> bool:
    """Whether the best curve is flat, and nothing was asked of its knots."""
    asked = (
        options.candidates is not None or len(options.required) or not (options.learn_ends or options.forbids_flat_ends)
    )
    one_x = points.x[0] == points.last[-1]
    one_y = points.y_range[0] == points.y_range[1] and constraints.slopes[0] <= 0 <= constraints.slopes[1]
    return (one_x or one_y) and not asked


def constant_fit(points: Points, options: Options, constraints: Constraints) -> Fit:
    """A flat curve of two points, at the mean of y or as near to it as y_bounds allow.

    Raises:
        FitError: no flat curve obeys the slope bounds.

    """
    if not constraints.slopes[0] <= 0 <= constraints.slopes[1]:
        raise FitError(
            f"x has one distinct value, {float(points.x[0])!r}, so the curve is flat, which slopes within "
            f"{constraints.slopes} do not allow; leave min_slope and max_slope out"
        )
    y, y_digits = float(np.clip(points.y_origin, *constraints.y_limits)), None
    best = _squared_error(points, y)
    if options.significant is not None:
        rounded, y_digits = round_y(
            np.zeros(1),
            lambda rows: np.abs(rows[:, 0]),
            np.array([y]),
            points.y_origin,
            options.significant,
            constraints,
        )
        y = float(rounded[0])
    (low, high), x_digits = _ends(points, options)
    sse = _squared_error(points, y)
    curve = PWLCurve(options.feature, [(low, y), (high, y)], "identity", options.missing)
    mean = points.weight_unit / points.weight
    return Fit(
        curve, sse, sse / points.weight, 0.0, points.total * mean, points.noise * mean, optimal=True,
        lower_bound=min(best, sse), candidates=np.array([low, high]),
        notes=(*notes(options, x_digits, y_digits), *bounds_note(points, constraints)),
        _condensed=points.in_units,
        _path=partial(tuple, [PathEntry(1, sse, curve)]),
        _ends=partial(ends_of, points, TRANSFORMS["identity"], np.array([low, high]), [y, y]),
    )  # fmt: skip


def _squared_error(points: Points, y: float) -> float:
    """The squared error of a flat curve."""
    error = y - points.y_origin
    return points.noise * points.weight_unit + points.weight * error * error


def _ends(points: Points, options: Options) -> tuple[tuple[float, float], int | None]:
    """The least and the largest x, or points on both sides of the only one, and the digits they have (None: all)."""
    low, high = float(points.x[0]), float(points.last[-1])
    if options.shortens and options.rounds_knots:
        return rough_ends(low, high), options.significant
    if low == high:
        low, high = points_beside(low)
    for digits in range(options.significant or 18, 18):
        rounded = round_significant(np.array([low, high]), digits)
        if -math.inf < rounded[0] < rounded[1] < math.inf:
            return (float(rounded[0]), float(rounded[1])), digits
    return (low, high), None
