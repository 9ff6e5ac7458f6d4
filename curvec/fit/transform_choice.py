"""Which transform: by the fit's own loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from curvec.condense import Points
from curvec.errors import InputError, shown
from curvec.fit.options import Fx
from curvec.transforms import TRANSFORMS, FloatArray, Transform, logarithm_for, transform

__all__ = ["LOG_MARGIN", "floor_of", "transforms_for"]

_ROUNDING = 1e-24
"""Squared errors below this share of the total are rounding: (4500 * 2.2e-16)^2, thousands of roundings of a double."""

LOG_MARGIN = 0.02
"""A logarithm is chosen over the identity only if it leaves at least this share less of the shape's error."""


def transforms_for(fx: Fx, x: FloatArray, least: float) -> tuple[Transform, ...]:
    """The transforms to try: the one asked for, or identity and the logarithm that fits the domain.

    Args:
        fx: what was asked.
        x: (n,) distinct values, ascending, on which a function of the user's own is checked.
        least: the least value that the curve is asked about.

    Raises:
        InputError: fx is no transform.

    """
    if isinstance(fx, Transform):
        return (fx,)
    if isinstance(fx, str):
        return (transform(fx),)
    if fx is not None:
        return (_own(fx, x),)
    return TRANSFORMS["identity"], logarithm_for(least)


def _own(function: Callable[[Any], Any], x: FloatArray) -> Transform:
    """A user's function, checked on the data and wherever it is used.

    Raises:
        InputError: not callable, or not strictly increasing on the data; later, not finite where it is asked.

    """
    if not callable(function):
        raise InputError(f"fx={shown(function)}; use the name of a transform ({', '.join(TRANSFORMS)}) or a function")

    def forward(values: FloatArray) -> FloatArray:
        try:
            u = np.asarray(function(values))
        except (TypeError, ValueError) as error:
            raise InputError(f"fx must take an array of numbers and give one as long; it says: {error}") from error
        if u.dtype.kind not in "fiu":
            raise InputError(f"fx gave values of type {u.dtype}; they must be real numbers")
        if u.shape != values.shape:
            raise InputError(
                f"fx turned an array of shape {values.shape} into one of shape {u.shape}; it must work elementwise"
            )
        bad = np.flatnonzero(~np.isfinite(u))
        if bad.size:
            raise InputError(
                f"fx({float(values[bad[0]])!r}) is {float(u[bad[0]])!r}; "
                "fx must be finite on the data, the candidates and the knots"
            )
        return u.astype(np.float64, copy=False)

    u = forward(x)
    down = np.flatnonzero(np.diff(u) <= 0)
    if down.size:
        a, b = float(x[down[0]]), float(x[down[0] + 1])
        raise InputError(f"fx({b!r}) is not above fx({a!r}); fx must be strictly increasing")
    return Transform("own", forward, forward)


def floor_of(points: Points) -> float:
    """The squared error that no curve avoids, and what rounding makes of it."""
    return points.noise + _ROUNDING * (points.total - points.noise)
