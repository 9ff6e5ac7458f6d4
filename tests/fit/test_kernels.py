"""What the compiled kernels make of the rows and of the candidates: the same on every processor, and in any order."""

from __future__ import annotations

import itertools
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples

import curvec
from curvec._core import fuse, hash_rows, round_significant, use_level

RNG = np.random.default_rng(21)
N = 2500
COLUMNS = {
    "continuous": RNG.normal(size=N),
    "wide": RNG.standard_cauchy(N) ** 5,
    "whole": np.round(RNG.gamma(2, 20, N)),
    "few": RNG.integers(-3, 4, N).astype(float),
    "signed zeros": np.where(np.arange(N) % 2 == 0, -0.0, np.arange(N) % 5),
    "many, repeated": np.round(RNG.normal(size=N), 3),
    "largest": RNG.choice([-1e308, 1.7e308, 3.0], N) * RNG.random(N),
    "neighbours": RNG.choice([1.0, np.nextafter(1, 2), 5e-324, 1e-300], N),
}


@pytest.mark.parametrize("options", [{}, {"mono": True}, {"mono": True, "y_bounds": None}, {"knots": [20.0]}])
@pytest.mark.parametrize("segments", [1, 3, 5])
def test_every_processor_fits_the_same_curve(options, segments):
    x = COLUMNS["whole"]
    y = np.sin(x / 30) + (x > 50) + np.arange(N) % 7 / 10
    fits = []
    top = use_level(1)
    try:
        for level in (1, 3, 4):
            if level <= top:
                use_level(level)
                fits.append(curvec.fit_pwl(x, y, num_segments=segments, **options))
    finally:
        use_level(top)
    for one, other in itertools.pairwise(fits):
        assert one == other


def hash_of_row(row, seed):
    """The hash that runtime/cpp/fit/row_kernels.hpp describes, in Python's integers."""
    for value in row.tolist():
        number = float("nan") if value != value else value + 0.0
        (bits,) = struct.unpack("<Q", struct.pack("<d", number))
        seed = ((seed ^ bits) * 0x9E3779B97F4A7C15) % 2**64
        seed ^= seed >> 32
    seed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    seed = ((seed ^ (seed >> 27)) * 0x94D049BB133111EB) % 2**64
    return seed ^ (seed >> 31)


@pytest.mark.parametrize("rows", [1, 7, 8, 1023, 1030])
def test_every_processor_hashes_a_row_by_its_values(rows):
    columns = [COLUMNS[name][:rows] for name in ("wide", "signed zeros", "neighbours")]
    columns.append(np.where(np.arange(rows) % 3 == 0, -np.nan, np.inf))
    expected = [hash_of_row(row, 5) for row in np.column_stack(columns)]
    top = use_level(1)
    try:
        for level in (1, 3, 4):
            if level <= top:
                use_level(level)
                assert hash_rows(columns, 5).tolist() == expected
    finally:
        use_level(top)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("kind", ["one y an x", "noise", "weights"])
def test_rows_of_one_x_are_one_point(name, kind):
    x = COLUMNS[name] + 0.0
    y = np.round(x % 3) if kind == "one y an x" else RNG.normal(size=N)
    w = RNG.integers(0, 3, N).astype(float) if kind == "weights" else None
    table, mean, weight, noise, total = fuse(COLUMNS[name], y, w)
    weights = np.ones(N) if w is None else w
    keep = weights > 0
    distinct, at = np.unique(x[keep], return_inverse=True)
    sums = np.bincount(at, weights[keep])
    means = np.bincount(at, (weights * y)[keep]) / sums
    spread = np.bincount(at, (weights[keep] * (y[keep] - means[at]) ** 2))
    assert np.array_equal(table[:, 0], distinct)
    assert np.allclose(table[:, 1], sums)
    assert np.allclose(table[:, 2] + mean, means, rtol=1e-12, atol=1e-12)
    assert np.allclose(table[:, 3], spread, rtol=1e-9, atol=1e-9)
    assert weight == pytest.approx(sums.sum())
    assert noise == pytest.approx(spread.sum(), abs=1e-9)
    assert total == pytest.approx(np.sum(weights * (y - np.average(y, weights=weights)) ** 2))


@given(st.sampled_from(list(COLUMNS)), st.randoms(use_true_random=False), st.integers(1, N))
@examples(30)
def test_the_order_of_the_rows_leaves_no_trace(name, random, count):
    x, y = COLUMNS[name][:count], np.sin(np.arange(count))
    order = list(range(count))
    random.shuffle(order)
    for one, other in zip(fuse(x, y, None), fuse(x[order], y[order], None), strict=True):
        assert np.array_equal(one, other)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 17))
def test_rounding_is_that_of_printed_text(value, digits):
    assert float(round_significant(value, digits)) == float(f"{value:.{digits - 1}e}")


def test_many_near_ties_are_no_endless_refinement():
    """Half as many segments as values: curves between neighbouring values cost about the same, in all combinations."""
    x = [2, 4, 6, 8, 10, 12, 15, 18, 20, 26, 27, 29, 30, 32, 34, 35, 36, 40, 42, 45, 50, 60, 70, 72]
    y = [43, 56, 54, 61, 64, 64, 62, 58, 60, 64, 52, 65, 44, 40, 21, 21, -6, 0, 13, -4, -10, -93, -94, -130]
    w = [5, 23, 20, 26, 17, 30, 21, 12, 38, 52, 1, 5, 51, 13, 3, 51, 4, 52, 6, 58, 52, 67, 62, 3]
    for segments in (11, 12, 13, 16):
        fine = curvec.fit_pwl(x, y, w, num_segments=segments)
        plain = curvec.fit_pwl(x, y, w, num_segments=segments, refine_knots=False)
        assert fine.optimal
        assert fine.sse <= plain.sse * (1 + 1e-9)
