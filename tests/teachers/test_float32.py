"""The double where a comparison of float32(x) changes: against the cast itself, on both sides of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curvec.teachers.parts.float32 import first_double_rounding_above, first_double_rounding_to

LARGEST = float(np.finfo(np.float32).max)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
@example(3.190000057220459)
@example(0.0)
@example(-0.0)
@example(1e-45)
@example(-1e-45)
@example(LARGEST)
@example(-LARGEST)
@example(1.0)
@example(16777216.0)
def test_the_cut_is_the_first_double_that_is_cast_to_the_threshold_or_more(threshold):
    """Kind P01: a double that float32 rounds to the threshold."""
    cut = first_double_rounding_to(threshold)
    with np.errstate(over="ignore", under="ignore"):
        assert np.float32(cut) >= np.float32(threshold)
        assert np.float32(math.nextafter(cut, -math.inf)) < np.float32(threshold)


@given(st.floats(min_value=-1e38, max_value=1e38))
@example(0.1)
@example(0.5)
@example(0.0)
@example(1e-300)
@example(-1e-300)
def test_the_cut_is_the_first_double_that_is_cast_above_the_threshold(threshold):
    cut = first_double_rounding_above(threshold)
    with np.errstate(over="ignore", under="ignore"):
        assert float(np.float32(cut)) > threshold
        assert float(np.float32(math.nextafter(cut, -math.inf))) <= threshold


@pytest.mark.parametrize(("threshold", "right"), [(1.0, True), (1.0000001192092896, False)])
def test_a_tie_goes_to_the_even_neighbour(threshold, right):
    """Kind P02: the midpoint between a threshold and its neighbour."""
    middle = (float(np.nextafter(np.float32(threshold), np.float32(0))) + threshold) / 2
    assert (first_double_rounding_to(threshold) == middle) is right
