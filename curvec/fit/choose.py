"""Which transform: by the fit's own loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from curvec.condense import Points
from curvec.errors import InputError
from curvec.fit.options import Fx, Options
from curvec.fit.search import Best
from curvec.transforms import TRANSFORMS, FloatArray, Transform, transform

__all__ = ["LOG_MARGIN", "floor_of", "log_wins", "transforms_for", "wanted_segments"]

_ROUNDING = 1e-24
"""Of the shape's squared error: the square of a double's precision, and some."""

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
    log = "log" if least > 0 else "log1p" if least > -1 else "symlog1p"
    return TRANSFORMS["identity"], TRANSFORMS[log]


def _own(function: Callable[[Any], Any], x: FloatArray) -> Transform:
    """A user's function, checked on the data and wherever it is used.

    Raises:
        InputError: not callable, or not strictly increasing on the data; later, not finite where it is asked.

    """
    if not callable(function):
        raise InputError(f"fx={function!r}; use the name of a transform ({', '.join(TRANSFORMS)}) or a function")

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


def wanted_segments(answers: list[Best], options: Options, points: Points) -> int:
    """The fewest segments that leave no more than the tolerance unexplained."""
    allowed = points.noise + options.tolerance * (points.total - points.noise)
    for answer in answers:
        if answer.chosen and answer.cost <= allowed:
            return answer.num_segments
    return len(answers)


def log_wins(identity: Best, log: Best, floor: float) -> bool:
    """Fewer segments (only "auto" differs in them), then the lower loss, with a margin for the identity.

    Args:
        identity: the best curve under the identity.
        log: the best under the logarithm.
        floor: the loss that no curve avoids; nothing below it counts.

    """
    if identity.num_segments != log.num_segments:
        return log.num_segments < identity.num_segments
    return bool(log.chosen) and max(log.cost - floor, 0.0) < (1 - LOG_MARGIN) * max(identity.cost - floor, 0.0)


def floor_of(points: Points) -> float:
    """The squared error that no curve avoids, and what rounding makes of it."""
    return points.noise + _ROUNDING * (points.total - points.noise)
