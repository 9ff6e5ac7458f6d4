"""The constants of the C++ runtime's vector logarithms, and the errors that their comments state, against mpmath."""

from __future__ import annotations

import re
import struct
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

HEADERS = Path(__file__).parents[1] / "runtime/cpp/include/curvec"
PLATFORM = (HEADERS / "platform_log.hpp").read_text(encoding="utf-8")
VECTOR = (HEADERS / "vector_log.hpp").read_text(encoding="utf-8")
SHARED = (HEADERS / "log_constants.hpp").read_text(encoding="utf-8")
EPSILON = mpmath.mpf(2) ** -53
LARGEST_S = 2 * (mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)  # of m = sqrt(2), where s = 2 (m - 1) / (m + 1)


def numbers(text: str, pattern: str) -> list[float]:
    """The doubles in the first match of a pattern, in the order in which they stand."""
    found = re.search(pattern, text, re.DOTALL)
    assert found is not None
    return [float(number) for number in re.findall(r"\d\.\d+(?:e-\d+)?", found[0])]


LN2_HIGH, LN2_LOW = (numbers(SHARED, rf"{name} = [^;]*;")[0] for name in ("kLn2High", "kLn2Low"))
P = numbers(PLATFORM, r"kP\[\] = \{[^}]*\}")


def tail(z: mpmath.mpf) -> mpmath.mpf:
    """P of log(m) = s + s^3 P(s^2), where s = 2 (m - 1) / (m + 1)."""
    root = mpmath.sqrt(z)
    return (2 * mpmath.atanh(root / 2) - root) / root**3


def test_the_split_of_ln_2() -> None:
    with mpmath.workprec(200):
        high = mpmath.floor(mpmath.log(2) * 2**32) / 2**32
        assert high == LN2_HIGH
        assert float(mpmath.log(2) - high) == LN2_LOW
        assert abs(mpmath.log(2) - high - LN2_LOW) < 1.2e-26


def test_the_bits_of_the_root_of_one_half() -> None:
    assert f"{struct.unpack('>Q', struct.pack('>d', float(mpmath.sqrt(0.5))))[0]:#x}" in SHARED


def test_the_polynomials_are_as_far_off_as_is_said() -> None:
    even = numbers(VECTOR, r"Lanes even = [^;]*;")
    odd = numbers(VECTOR, r"Lanes odd = [^;]*;")
    vector = [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3]]
    with mpmath.workprec(200):
        for i in range(1, 400):
            z = LARGEST_S**2 * (1 - mpmath.cos(mpmath.pi * i / 400)) / 2
            assert abs(mpmath.polyval(P, z, asc=True) / tail(z) - 1) <= mpmath.mpf(2) ** -53.99
            # there s is half as large, and log(m) = 2 s + s^3 P(s^2)
            assert abs(mpmath.polyval(vector, z / 4, asc=True) - 8 * tail(z)) <= 3.2e-16


def fused(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def error_in_cubes(m: float) -> mpmath.mpf:
    """How far Transformer's steps are off log(m), before the last sum is rounded; in units of |s|^3."""
    d = m / 2 + 0.5
    d_low = m / 2 - (d - 0.5)
    inverse = 1 / d
    s = (m - 1) * inverse
    s_low = fused(-s, d_low, fused(-s, d, m - 1)) * inverse
    p = P[-1]
    for coefficient in P[-2::-1]:
        p = fused(p, s * s, coefficient)
    cube = s * (s * s)
    low = fused(cube, p, s_low)
    return abs(mpmath.log(m) - s - low) / abs(cube)


@pytest.mark.parametrize("half", [0, 1])
def test_the_logarithm_that_decides_which_rows_ask_the_platform_is_as_near_as_it_says(half: int) -> None:
    bound = numbers(PLATFORM, r"kOwnError = [^;]*;")[0]
    with mpmath.workprec(200):
        low, high = (0.7072, 0.95) if half == 0 else (1.05, 1.4142)
        worst = max(error_in_cubes(m) for m in np.random.default_rng(half).uniform(low, high, 2000).tolist()) / EPSILON
    assert bound / 2.2 < worst <= bound  # near enough to be a bound of this, and not of anything
