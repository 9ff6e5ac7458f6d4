"""The inverse links of a model, by name: from the raw score to the prediction (contract, point 7)."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
import numpy as np

from curvec.checks import named_entry
from curvec.transforms import FloatArray

EXP_BOUND = 700.0
"""|s| is bounded by this before exp, so that no engine overflows or underflows into an error."""


class Link(msgspec.Struct, frozen=True):
    """A link: everything that the package has to know about it, in one record.

    Attributes:
        name: the value of a model's ``link``.
        inverse: raw scores to predictions, elementwise; NaN stays NaN.
        slope: the derivative of the inverse, from the prediction.
        cpp: the name of its type in the C++ runtime.
        formula: the inverse for people to read; "" where the prediction is the score.
        known_variance: whether labels are yes or no, or counts, whose variance follows from the prediction: it is
            ``slope`` then.

    """

    name: str
    inverse: Callable[[FloatArray], FloatArray]
    slope: Callable[[FloatArray], FloatArray]
    cpp: str
    formula: str
    known_variance: bool


def _exp(x: FloatArray) -> FloatArray:
    # math.exp is the platform's; numpy's own vector exp differs from it in the last bit.
    return np.fromiter(map(math.exp, x.tolist()), dtype=np.float64, count=x.size)


def _identity(score: FloatArray) -> FloatArray:
    return score


def _logistic(score: FloatArray) -> FloatArray:
    e = _exp(-np.minimum(np.abs(score), EXP_BOUND))
    return np.where(score >= 0, 1.0 / (1.0 + e), e / (1.0 + e))


def _exponential(score: FloatArray) -> FloatArray:
    return _exp(np.clip(score, -EXP_BOUND, EXP_BOUND))


def _logistic_slope(prediction: FloatArray) -> FloatArray:
    return prediction * (1.0 - prediction)


LINKS: dict[str, Link] = {
    entry.name: entry
    for entry in (
        Link("identity", _identity, np.ones_like, "IdentityLink", "", known_variance=False),
        Link("logit", _logistic, _logistic_slope, "LogitLink", "1 / (1 + exp(-score))", known_variance=True),
        Link("log", _exponential, _identity, "LogLink", "exp(score)", known_variance=True),
    )
}


def link(name: str) -> Link:
    """The link of that name.

    Raises:
        InputError: no link has that name.

    """
    return named_entry("link", name, LINKS, "a link")
