"""Where a comparison of float32(x) changes, as a double.

XGBoost, CatBoost and scikit-learn's GradientBoosting round x to float32 before they compare. That is a step at the
midpoint of two neighbouring float32 (ties go to the even one), not at the threshold that the model prints.
"""

from __future__ import annotations

import math

import numpy as np

_BEYOND = 2.0**128
"""What the float32 after the largest would be: doubles from halfway between the two on round to infinity."""


def first_double_rounding_to(threshold: float) -> float:
    """The least double x with float32(x) >= threshold, for a threshold that is a float32."""
    with np.errstate(over="ignore", under="ignore"):
        upper = np.float32(threshold)
        lower = np.nextafter(upper, np.float32(-np.inf))
        top = _BEYOND if np.isinf(upper) else float(upper)
        bottom = -_BEYOND if np.isinf(lower) else float(lower)
        middle = (bottom + top) / 2  # exact: both have 24 bits and are neighbours
        rounds_up = np.float32(middle) >= upper
    return middle if rounds_up else math.nextafter(middle, math.inf)


def first_double_rounding_above(threshold: float) -> float:
    """The least double x with float32(x) > threshold, for any double threshold."""
    with np.errstate(over="ignore", under="ignore"):
        nearest = np.float32(threshold)
        if float(nearest) <= threshold:
            nearest = np.nextafter(nearest, np.float32(np.inf))
    return first_double_rounding_to(float(nearest))
