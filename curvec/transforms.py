"""The transforms fx of a curve, by name.

A curve is linear in ``u = fx(x)`` (Ravina et al. 2021, section 3). The names here are all that a curve can
carry: every target knows how to spell them. ``log`` is the platform's logarithm, taken through
:func:`math.log`, because numpy has vector logarithms of its own whose last bits differ from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from curvec.errors import InputError, shown

__all__ = ["TRANSFORMS", "FloatArray", "Transform", "transform"]

FloatArray: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Transform:
    """A strictly increasing function of one variable.

    Attributes:
        name: what a curve's ``fx`` says.
        forward: u = fx(x), elementwise over float64 arrays of finite values inside the domain.
        inverse: x = fx^-1(u), up to rounding.
        lower: the domain is every finite x > lower.

    """

    name: str
    forward: Callable[[FloatArray], FloatArray]
    inverse: Callable[[FloatArray], FloatArray]
    lower: float = -math.inf

    def contains(self, x: float) -> bool:
        """Whether x is a finite value of the domain."""
        return math.isfinite(x) and x > self.lower


def _identity(x: FloatArray) -> FloatArray:
    return x


def _log(x: FloatArray) -> FloatArray:
    flat = np.fromiter(map(math.log, x.ravel().tolist()), dtype=np.float64, count=x.size)
    return flat.reshape(x.shape)


def _log1p(x: FloatArray) -> FloatArray:
    # Kahan's form: at most 1.8 ULP off, and the same bits wherever log has the same bits.
    one_plus = 1.0 + x
    tiny = one_plus == 1.0
    safe = np.where(tiny, 2.0, one_plus)
    value = _log(safe) * (x / np.where(tiny, 1.0, one_plus - 1.0))
    return np.where(tiny, x, value)


def _symlog1p(x: FloatArray) -> FloatArray:
    value = _log1p(np.abs(x))
    return np.where(x < 0, -value, value)


def _inverse_symlog1p(u: FloatArray) -> FloatArray:
    return np.copysign(np.expm1(np.abs(u)), u)


TRANSFORMS: dict[str, Transform] = {
    entry.name: entry
    for entry in (
        Transform("identity", _identity, _identity),
        Transform("log", _log, np.exp, lower=0.0),
        Transform("log1p", _log1p, np.expm1, lower=-1.0),
        Transform("symlog1p", _symlog1p, _inverse_symlog1p),
    )
}


def transform(name: str) -> Transform:
    """The transform of that name.

    Raises:
        InputError: no transform has that name.

    """
    try:
        return TRANSFORMS[name]
    except (KeyError, TypeError):
        known = ", ".join(TRANSFORMS)
        raise InputError(f"fx={shown(name)} is not a transform; use one of {known}") from None
