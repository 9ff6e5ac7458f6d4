"""Points that a curve must pass through: checks that the other constraints allow such a curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from curvec.errors import InputError
from curvec.spelling import shortest
from curvec.transforms import FloatArray, transform


def check_given(
    points: FloatArray,
    *,
    slopes: tuple[float, float],
    y_bounds: Any,
    mono: bool | str,
    curvature: str | None,
    fx: str | None,
) -> None:
    """Refuse points that no curve with the constraints passes through.

    Args:
        points: (p, 2) by ascending x.
        slopes: least and largest.
        y_bounds: "data", None, or a pair, in which None is no bound.
        mono: as asked.
        curvature: as asked.
        fx: the name of the transform; None where it is to be found, and then no slope is asked for.

    Raises:
        InputError: names the points and the constraint that they contradict.

    """
    _check_bounds(points, y_bounds)
    if len(points) < 2:
        return
    rise = np.diff(points[:, 1])
    if mono == "increasing" or slopes[0] == 0:
        _refuse_pair(points, rise < 0, f"{_direction_text(mono, 'increasing', 'min_slope=0.0')}: it may not fall")
    elif mono == "decreasing" or slopes[1] == 0:
        _refuse_pair(points, rise > 0, f"{_direction_text(mono, 'decreasing', 'max_slope=0.0')}: it may not rise")
    elif mono:
        _check_turns(points, rise, mono)
    if fx is not None:
        _check_slopes(points, rise / np.diff(transform(fx).forward(points[:, 0])), slopes, curvature)


def check_codes(points: FloatArray, codes: Sequence[float]) -> None:
    """Refuse a point at a special code, whose value does not depend on the curve.

    Raises:
        InputError: names the point.

    """
    for x, y in points.tolist():
        if x in codes:
            raise InputError(
                f"through has the point {point_text(x, y)}, but x = {shortest(x)} is a special code, whose value is "
                "the mean of its rows; leave out the point, or the code of special"
            )


def point_text(x: float, y: float) -> str:
    """A point in a message, with all digits: points that differ in the last one look different."""
    return f"({shortest(x)}, {shortest(y)})"


def _direction_text(mono: Any, direction: str, slope: str) -> str:
    return f"mono={mono!r}" if mono == direction else slope


def _check_bounds(points: FloatArray, bounds: Any) -> None:
    low, high = (None, None) if bounds is None or isinstance(bounds, str) else bounds
    for x, y in points.tolist():
        if (low is not None and y < low) or (high is not None and y > high):
            raise InputError(
                f"through has the point {point_text(x, y)}, outside y_bounds={bounds!r}; change one of them"
            )


def _check_turns(points: FloatArray, rise: FloatArray, mono: Any) -> None:
    up_down, down_up = turns_once(rise), turns_once(-rise)
    one_way = bool((rise >= 0).all() or (rise <= 0).all())
    fits = {True: one_way, "peak": up_down, "valley": down_up, "bitonic": up_down or down_up}[mono]
    if not fits:
        ys = ", ".join(map(shortest, points[:, 1].tolist()))
        raise InputError(
            f"through has y of {ys} from left to right, which contradicts mono={mono!r}; change one of them"
        )


def turns_once(rise: FloatArray) -> bool:
    """Whether a curve goes up, then down; one of both may be missing."""
    down = np.flatnonzero(rise < 0)
    return not down.size or not bool((rise[down[0] :] > 0).any())


def _check_slopes(points: FloatArray, chords: FloatArray, slopes: tuple[float, float], curvature: str | None) -> None:
    slack = 4e-16 * np.abs(chords) if any(slopes) else 0.0
    low, high = slopes
    if math.isfinite(low):
        _refuse_pair(points, chords < low - slack, f"min_slope={low:g}: between them the curve rises by less")
    if math.isfinite(high):
        _refuse_pair(points, chords > high + slack, f"max_slope={high:g}: between them the curve rises by more")
    if curvature is None:
        return
    bend = np.diff(chords) * (1.0 if curvature == "convex" else -1.0)
    wrong = np.flatnonzero(bend < -1e-12 * np.abs(chords).max())
    if wrong.size:
        at = points[wrong[0] : wrong[0] + 3]
        raise InputError(
            f"through has the points {', '.join(point_text(x, y) for x, y in at.tolist())}, which no {curvature} "
            "curve joins; leave one out, or curvature"
        )


def _refuse_pair(points: FloatArray, wrong: Any, why: str) -> None:
    at = np.flatnonzero(wrong)
    if at.size:
        first, second = (point_text(x, y) for x, y in points[at[0] : at[0] + 2].tolist())
        raise InputError(f"through has the points {first} and {second}, which contradict {why}; change one of them")
