"""Digits that read back as the same double, in the form that each target needs."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvec import InputError
from curvec.spelling import decimals, shortest, with_exponent, with_point

finite = st.floats(allow_nan=False, allow_infinity=False)


def bits(value: float) -> bytes:
    return struct.pack("d", value + 0.0)


@given(finite)
def test_every_form_reads_back_as_the_same_double(value: float) -> None:
    for text in (shortest(value), with_point(value), with_exponent(value), with_exponent(value, digits=17)):
        assert bits(float(text)) == bits(value)


@given(finite)
def test_a_double_is_never_an_integer_or_a_decimal_to_an_engine(value: float) -> None:
    assert set(with_point(value)) & set(".e")
    assert "e" in with_exponent(value)
    assert "e" in with_exponent(value, digits=17)


@pytest.mark.parametrize(
    ("value", "short", "point", "exponent"),
    [
        (18.0, "18", "18.0", "18e0"),
        (-0.0, "0", "0.0", "0e0"),
        (0.1, "0.1", "0.1", "0.1e0"),
        (1e22, "1e+22", "1e+22", "1e22"),
        (5e-324, "5e-324", "5e-324", "5e-324"),
        (np.float64(0.5), "0.5", "0.5", "0.5e0"),
        (2.0**53, "9007199254740992.0", "9007199254740992.0", "9007199254740992.0e0"),
    ],
)
def test_the_forms(value: float, short: str, point: str, exponent: str) -> None:
    assert (shortest(value), with_point(value), with_exponent(value)) == (short, point, exponent)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_literal(value: float) -> None:
    with pytest.raises(InputError, match="has no literal"):
        shortest(value)


@pytest.mark.parametrize(("values", "places"), [([], 0), ([3.0, 1e20], 0), ([0.5, 2.25], 2), ([1e-7], 7)])
def test_decimals_are_those_printed(values: list[float], places: int) -> None:
    assert decimals(values) == places
