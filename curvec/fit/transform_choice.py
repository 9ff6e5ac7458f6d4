"""The choice of the transform, by the loss of the fit."""

from __future__ import annotations

from curvec.condense import Points
from curvec.transforms import TRANSFORMS, Transform, logarithm_for, transform

_ROUNDING = 1e-24
"""Squared errors below this share of the total are rounding: (4500 * 2.2e-16)^2, thousands of roundings of a double."""

LOG_MARGIN = 0.02
"""A logarithm is chosen over the identity only if it leaves at least this share less of the shape's error."""


def transforms_for(fx: str | None, least: float) -> tuple[Transform, ...]:
    """The transforms to try: the one asked for, or identity and the logarithm that fits the domain.

    Args:
        fx: what was asked.
        least: the least value that the curve is asked about.

    Raises:
        InputError: fx is no transform.

    """
    if fx is not None:
        return (transform(fx),)
    return TRANSFORMS["identity"], logarithm_for(least)


def floor_of(points: Points) -> float:
    """The squared error below which a curve is perfect: what no curve avoids, and what rounding adds to it."""
    return points.noise + _ROUNDING * (points.total - points.noise)
