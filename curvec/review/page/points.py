"""The points of a scorecard: a model's log-odds on the scale that its readers are used to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from curvec.checks import is_number
from curvec.errors import InputError, shown
from curvec.model import CurveModel


def points_scale(model: CurveModel, scale: Sequence[float] | None) -> dict[str, Any] | None:
    """Points as a function of the raw score, ``offset + factor * score``; None without a scale.

    Args:
        model: a model of link logit.
        scale: the points that double the odds of class 1 (negative where more points are lower odds), and the points
            at some odds: (20, 600, 50) for 600 points at odds of 50 to 1 and 620 at 100 to 1.

    Raises:
        InputError: the numbers are no scale, or the model has no odds.

    """
    if scale is None:
        return None
    numbers = list(scale) if isinstance(scale, Sequence) else []
    finite = all(is_number(one) and math.isfinite(one) for one in numbers)
    if len(numbers) != 3 or not finite or not numbers[0] or numbers[2] <= 0:
        raise InputError(
            f"points={shown(scale)} is no scale: give the points that double the odds (not 0), points, and the odds "
            "that have these (above 0), (20, 600, 50) for instance"
        )
    if model.link != "logit":
        raise InputError(f"points are of log-odds, and the model has the link {model.link}; leave points out")
    double, at, odds = map(float, numbers)
    factor = double / math.log(2)
    return {
        "factor": factor,
        "offset": at - factor * math.log(odds),
        "text": f"{at:g} at odds {odds:g}, {double:+g} doubles them",
    }
