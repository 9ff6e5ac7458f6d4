"""What must hold for every fit, whatever the data."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from nightly import examples

import curvec
from curvec.contract import pwl_values, segments

SHAPES = [{}, {"mono": "increasing"}, {"min_slope": -0.5, "max_slope": 1.0}, {"mono": "bitonic"}]


@st.composite
def samples(draw, most=24):
    n = draw(st.integers(3, most))
    x = draw(hnp.arrays(float, n, elements=st.integers(-40, 40).map(lambda v: v / 4)))
    y = draw(hnp.arrays(float, n, elements=st.integers(-50, 50).map(lambda v: v / 8)))
    w = draw(hnp.arrays(float, n, elements=st.sampled_from([0.5, 1.0, 2.0])))
    assume(len(np.unique(x)) > 2)
    assume(len(np.unique(y)) > 1)
    return x, y, w


def value(curve, x):
    return pwl_values(np.asarray(x, dtype=float), segments(curve.points, curve.fx), None)


def same(left, right, scale):
    assert left == pytest.approx(right, rel=1e-9, abs=1e-9 * scale)


@given(samples(), st.sampled_from(SHAPES))
@examples(25)
def test_the_errors_are_those_of_the_curve_on_the_rows(sample, shape):
    x, y, w = sample
    fit = curvec.fit_pwl(x, y, w, num_segments=3, digits=4, **shape)
    error = np.sum(w * (y - value(fit.curve, x)) ** 2)
    same(fit.sse, error, np.sum(w * y**2))
    assert fit.mse == pytest.approx(fit.sse / w.sum())


@given(samples(), st.sampled_from(SHAPES))
@examples(25)
def test_more_segments_are_never_worse(sample, shape):
    x, y, w = sample
    fit = curvec.fit_pwl(x, y, w, num_segments=6, refine_knots=False, **shape)
    costs = [entry.sse for entry in fit.path]
    assert all(b <= a * (1 + 1e-12) + 1e-12 for a, b in itertools.pairwise(costs))


@given(samples())
@examples(25)
def test_a_constraint_is_never_better_than_none(sample):
    x, y, w = sample
    options = {"num_segments": 3, "refine_knots": False, "fx": "identity"}
    free = curvec.fit_pwl(x, y, w, y_bounds=None, **options).sse
    bounded = curvec.fit_pwl(x, y, w, **options).sse
    monotone = curvec.fit_pwl(x, y, w, mono=True, **options).sse
    bitonic = curvec.fit_pwl(x, y, w, mono="bitonic", **options).sse
    slack = 1e-9 * (1 + bounded)
    assert free <= bounded + slack
    assert bounded <= bitonic + slack
    assert bitonic <= monotone + slack


# Refinement starts from the best curve. Where two curves are equally good on the candidates, the last bit decides,
# so what follows holds for the search itself (refine_knots=False), not for the last steps of the refinement.


@given(samples(), st.sampled_from(SHAPES[:2]), st.sampled_from([0.25, 3.0]), st.sampled_from([-7.0, 40.0]))
@examples(25)
def test_translation_and_scale_of_y_commute(sample, shape, scale, shift):
    x, y, w = sample
    fit = curvec.fit_pwl(x, y, w, num_segments=3, refine_knots=False, **shape)
    moved = curvec.fit_pwl(x, y * scale + shift, w, num_segments=3, refine_knots=False, **shape)
    same(moved.sse, fit.sse * scale**2, np.sum(w * y**2) * scale**2 + 1)


@given(samples(), st.sampled_from(SHAPES[:2]), st.sampled_from([0.5, 8.0]), st.sampled_from([-64.0, 1024.0]))
@examples(25)
def test_translation_and_scale_of_x_commute(sample, shape, scale, shift):
    """Powers of two, so that the moved x are exact; the identity, which is what such a move keeps."""
    x, y, w = sample
    fit = curvec.fit_pwl(x, y, w, num_segments=3, refine_knots=False, fx="identity", **shape)
    moved = curvec.fit_pwl(x * scale + shift, y, w, num_segments=3, refine_knots=False, fx="identity", **shape)
    same(moved.sse, fit.sse, np.sum(w * y**2))


@given(samples(), st.sampled_from(SHAPES))
@examples(25)
def test_duplicated_rows_are_doubled_weights(sample, shape):
    x, y, w = sample
    twice = curvec.fit_pwl(np.tile(x, 2), np.tile(y, 2), np.tile(w, 2), num_segments=3, refine_knots=False, **shape)
    double = curvec.fit_pwl(x, y, 2 * w, num_segments=3, refine_knots=False, **shape)
    same(twice.sse, double.sse, np.sum(w * y**2))


@given(samples(), st.randoms(use_true_random=False))
@examples(25)
def test_the_order_of_the_rows_leaves_no_trace(sample, random):
    x, y, w = sample
    order = list(range(len(x)))
    random.shuffle(order)
    assert curvec.fit_pwl(x[order], y[order], w[order]) == curvec.fit_pwl(x, y, w)


@pytest.mark.parametrize("scale", [1e-12, 0.3, 1e12])
def test_weights_scale_without_effect(scale):
    rng = np.random.default_rng(0)
    x, y, w = rng.normal(size=300), rng.normal(size=300), rng.uniform(0.1, 1, 300)
    one = curvec.fit_pwl(x, y, w, digits=6)
    other = curvec.fit_pwl(x, y, w * scale, digits=6)
    assert other.curve == one.curve
    assert other.mse == pytest.approx(one.mse)
    assert other.sse == pytest.approx(one.sse * scale)


@given(samples(), st.integers(1, 5), st.sampled_from(["increasing", "decreasing"]))
@examples(30)
def test_a_monotone_curve_is_monotone_in_its_printed_numbers(sample, digits, mono):
    x, y, w = sample
    for fit in (curvec.fit_pwl(x, y, w, mono=mono, digits=digits), curvec.fit_pwl(x, y, w, mono=mono)):
        steps = np.diff([p[1] for p in fit.curve.points])
        assert np.all(steps >= 0 if mono == "increasing" else steps <= 0)


@given(samples())
@examples(25)
def test_the_curve_stays_within_the_data(sample):
    x, y, w = sample
    for digits in (None, 2):
        ys = [p[1] for p in curvec.fit_pwl(x, y, w, digits=digits).curve.points]
        assert y.min() <= min(ys)
        assert max(ys) <= y.max()


JUMP = (np.r_[np.zeros(5), -0.5, -0.75], np.r_[np.zeros(5), -0.5, -2.625], np.full(7, 0.5))
"""The data leave two of four knots free: their equations are near to singular ones."""


@example(JUMP, "convex")
@given(samples(), st.sampled_from(["convex", "concave"]))
@examples(25)
def test_curvature_holds_and_has_a_bound(sample, curvature):
    x, y, w = sample
    fit = curvec.fit_pwl(x, y, w, num_segments=4, curvature=curvature, fx="identity", refine_knots=False)
    points = np.array(fit.curve.points)
    slopes = np.diff(points[:, 1]) / np.diff(points[:, 0])
    bends = np.diff(slopes) * (1 if curvature == "convex" else -1)
    assert np.all(bends >= -1e-9 * (1 + np.abs(slopes).max()))
    assert fit.lower_bound <= fit.sse * (1 + 1e-9) + 1e-12
    assert fit.optimal == (fit.sse <= fit.lower_bound * (1 + 1e-8) + 1e-12) or not fit.optimal


def test_curvature_finds_a_convex_curve_in_noise():
    rng = np.random.default_rng(3)
    x = rng.uniform(-3, 3, 800)
    y = x**2 + rng.normal(size=800)
    convex = curvec.fit_pwl(x, y, num_segments=4, curvature="convex")
    free = curvec.fit_pwl(x, y, num_segments=4)
    assert convex.sse <= free.sse * 1.02
    assert free.sse <= convex.sse * (1 + 1e-9) or convex.fx != free.curve.fx
