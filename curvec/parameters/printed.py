"""A model with new values, rounded as they are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from curvec.model import CurveModel
from curvec.parameters.constraints import Constraints
from curvec.parameters.design import Block, with_parameters
from curvec.parameters.level_groups import grouped, with_defaults
from curvec.parameters.precision import Digits, Precision
from curvec.transforms import FloatArray


def with_printed(
    model: CurveModel,
    theta: FloatArray,
    parts: Sequence[Block],
    constraints: Constraints,
    counts: Mapping[int, FloatArray],
    digits: Digits,
    precision: Precision,
    curvature: FloatArray,
) -> CurveModel:
    """The model with other values, in groups and decimals as before.

    Args:
        model: the model.
        theta: (p,) its new values.
        parts: its blocks.
        constraints: what the values obey, and will after rounding.
        counts: for the start of each table's block the weight of the rows at each of its levels.
        digits: as in ``distill``.
        precision: at which decimal place values end, with ``digits="auto"``.
        curvature: (p, p) the loss's second derivative, for which the errors of rounding make up for each other.

    """
    bounded = [bool(np.isfinite(bounds).any()) for bounds in constraints.bounds]
    theta, shifts = grouped(theta, parts, bounded, counts)
    theta = constraints.printed(theta, parts, digits, precision, curvature)
    return with_defaults(with_parameters(model, theta), parts, shifts, digits, precision)
