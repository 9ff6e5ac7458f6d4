"""The transforms fx of a curve, by name.

A curve is linear in ``u = fx(x)`` (Ravina et al. 2021, section 3). The names here are all that a curve can
carry: every target knows how to spell them. ``log`` is the platform's logarithm, taken through
:func:`math.log`, because numpy has vector logarithms of its own whose last bits differ from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import named_entry

FloatArray: TypeAlias = npt.NDArray[np.float64]


class Transform(msgspec.Struct, frozen=True):
    """A strictly increasing function of one variable: everything that the package has to know about it, in one record.

    Attributes:
        name: the value of a curve's ``fx``.
        forward: u = fx(x), elementwise over float64 arrays of finite values inside the domain.
        inverse: x = fx^-1(u), up to rounding.
        derivative: fx'(x), up to rounding.
        where_steep: every x at which the derivative has a given value; any x for the identity, whose derivative is 1.
        code: its place among the transforms of the C++ runtime (``Transforms`` in transforms.hpp).
        cpp: the name of its type there.
        lower: the domain is every finite x > lower.
        fast: forward by numpy's vector functions, which may differ in the last bit: for sums over rows only. None where
            forward is as fast.
        kinks: the x at which its formula changes.

    """

    name: str
    forward: Callable[[FloatArray], FloatArray]
    inverse: Callable[[FloatArray], FloatArray]
    derivative: Callable[[FloatArray], FloatArray]
    where_steep: Callable[[FloatArray], FloatArray]
    code: int
    cpp: str
    lower: float = -math.inf
    fast: Callable[[FloatArray], FloatArray] | None = None
    kinks: tuple[float, ...] = ()

    def contains(self, x: float) -> bool:
        """Whether x is a finite value of the domain."""
        return math.isfinite(x) and x > self.lower

    def middle(self, left: float, right: float) -> float:
        """A value between two others, half way in fx(x); one of them where no double is between them."""
        u = self.forward(np.array([left, right]))
        middle = float(self.inverse(np.array([u[0] + (u[1] - u[0]) / 2]))[0])
        return middle if left < middle < right else left + (right - left) / 2


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


def _log_slope(x: FloatArray) -> FloatArray:
    return 1.0 / x


def _log1p_slope(x: FloatArray) -> FloatArray:
    return 1.0 / (1.0 + x)


def _symlog1p_slope(x: FloatArray) -> FloatArray:
    return 1.0 / (1.0 + np.abs(x))


def _log_with_slope(slope: FloatArray) -> FloatArray:
    return 1.0 / slope


def _log1p_with_slope(slope: FloatArray) -> FloatArray:
    return 1.0 / slope - 1.0


def _symlog1p_with_slope(slope: FloatArray) -> FloatArray:
    x = _log1p_with_slope(slope)
    return np.concatenate([-x, x])


def _fast_symlog1p(x: FloatArray) -> FloatArray:
    return np.copysign(np.log1p(np.abs(x)), x)


TRANSFORMS: dict[str, Transform] = {
    entry.name: entry
    for entry in (
        Transform("identity", _identity, _identity, np.ones_like, _identity, 0, "Identity"),
        Transform("log", _log, np.exp, _log_slope, _log_with_slope, 1, "Log", lower=0.0, fast=np.log),
        Transform("log1p", _log1p, np.expm1, _log1p_slope, _log1p_with_slope, 2, "Log1p", lower=-1.0, fast=np.log1p),
        Transform(
            "symlog1p",
            _symlog1p,
            _inverse_symlog1p,
            _symlog1p_slope,
            _symlog1p_with_slope,
            3,
            "SymLog1p",
            fast=_fast_symlog1p,
            kinks=(0.0,),
        ),
    )
}


def transform(name: str) -> Transform:
    """The transform of that name.

    Raises:
        InputError: no transform has that name.

    """
    return named_entry("fx", name, TRANSFORMS, "a transform")


def logarithm_for(x: float) -> Transform:
    """The plainest logarithm whose domain holds x."""
    return next(fx for fx in TRANSFORMS.values() if fx.name != "identity" and fx.contains(x))
