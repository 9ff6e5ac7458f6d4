"""How close one function is to another on rows: the figures of every report, computed in this one place."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.condense.spread import ROUNDING
from curvec.transforms import FloatArray


class Fidelity(msgspec.Struct, frozen=True, kw_only=True):
    """How far a function is from the teacher's, over the rows where both have a value.

    Attributes:
        rows: how many rows of positive weight those are.
        sd: weighted standard deviation of the teacher's function, in units of the raw score.
        rmse: root of the weighted mean squared difference, in units of the raw score.
        unexplained: weighted squared difference over the weighted total sum of squares of the teacher's function:
            a share of its variance. 0 where there is no difference; None where a constant function has one.
        max_error: largest absolute difference on a row of positive weight, in units of the raw score.
        at: the input at which it occurs, or the row (from 0) for a function of several features; None without one.
        end_errors: the difference at the least and at the largest x, where a curve may be constant because its end
            knots are learnt; zeros for categories and for functions of several features.

    """

    rows: int
    sd: float
    rmse: float
    unexplained: float | None
    max_error: float
    at: Any
    end_errors: tuple[float, float] = (0.0, 0.0)


def fidelity(
    teacher: FloatArray, new: FloatArray, w: FloatArray, x: npt.NDArray[Any] | None = None, *, shift: float = 0.0
) -> Fidelity:
    """The distance of ``new`` from ``teacher``.

    Args:
        teacher: (rows,) values of the teacher's function; NaN where it has none.
        new: (rows,) values of its replacement.
        w: (rows,) weights.
        x: (rows,) the inputs, numbers or keys; None for a function of several features.
        shift: a constant to add to ``new`` first, which stands for a change of the intercept; see
            :func:`mean_difference`.

    """
    used = np.isfinite(teacher) & np.isfinite(new) & (w > 0)
    if not used.any():
        return Fidelity(rows=0, sd=0.0, rmse=0.0, unexplained=0.0, max_error=0.0, at=None)
    y, error, w = teacher[used], (new - teacher)[used] + shift, w[used]
    # Weights and values are divided by their largest first: sums of squares must not overflow.
    w = w / w.max()
    unit = max(float(np.abs(y).max()), float(np.abs(new[used]).max())) or 1.0
    y, error = y / unit, error / unit
    total = float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
    squared = float(np.average(error**2, weights=w))
    if squared <= ROUNDING:
        error, squared = np.zeros(len(error)), 0.0
    constant = total <= ROUNDING
    worst = int(np.argmax(np.abs(error)))
    places = np.flatnonzero(used) if x is None else x[used]
    where = places[worst]
    return Fidelity(
        rows=len(y),
        sd=0.0 if constant else unit * math.sqrt(total),
        rmse=unit * math.sqrt(squared),
        unexplained=0.0 if not squared else None if constant else squared / total,
        max_error=unit * float(abs(error[worst])),
        at=None if not error[worst] else where.item() if isinstance(where, np.generic) else where,
        end_errors=(0.0, 0.0) if x is None else _end_errors(places, unit * error),
    )


def _end_errors(x: npt.NDArray[Any], error: FloatArray) -> tuple[float, float]:
    """The error at the least and at the largest x, which give one value each as functions of x do."""
    if x.dtype.kind not in "iuf" or np.isnan(x).all():
        return 0.0, 0.0
    return float(error[np.nanargmin(x)]), float(error[np.nanargmax(x)])


def mean_difference(teacher: FloatArray, new: FloatArray, w: FloatArray) -> float:
    """Weighted mean of ``teacher - new`` over the rows where both are finite: the change of the intercept."""
    both = np.isfinite(teacher) & np.isfinite(new) & (w > 0)
    return float(np.average(teacher[both] - new[both], weights=w[both] / w[both].max())) if both.any() else 0.0
