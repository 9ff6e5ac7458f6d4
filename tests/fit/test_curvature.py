"""Convex and concave curves: found where there are any, and nothing bent the wrong way by a rounding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples

import curvec

KINDS = [("convex", "increasing"), ("convex", "decreasing"), ("concave", "peak"), ("concave", "bitonic")]


def noise(seed, count=12):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.normal(size=count) * 3).round(2)
    return x, np.round(rng.normal(size=count), 1)


def bends(fit, curvature):
    """How much the slopes change the wrong way, beside what rounding y does to them."""
    u, y = np.array(fit.curve.points).T
    width = np.diff(u)
    rounding = 4e-16 * (1 + np.abs(y).max()) / width
    bend = np.diff(np.diff(y) / width) * (1 if curvature == "convex" else -1)
    return bend + rounding[1:] + rounding[:-1]


@pytest.mark.parametrize(("curvature", "mono"), KINDS)
@pytest.mark.parametrize("seed", [4, 9, 13, 23])
def test_a_direction_holds_in_every_digit(curvature, mono, seed):
    """A flat segment went down by an ULP, and some data had no curve at all."""
    x, y = noise(seed)
    fit = curvec.fit_pwl(
        x, y, num_segments=3, candidates=np.unique(x), mono=mono, curvature=curvature, fx="identity"
    )  # fmt: skip
    rises = np.sign(np.diff([y for _, y in fit.curve.points]))
    changes = np.diff(rises[rises != 0])
    assert {"increasing": -1, "decreasing": 1}.get(mono, 0) not in rises
    assert np.all(changes <= 0)
    assert len(changes[changes < 0]) <= (mono in ("peak", "bitonic"))
    assert np.all(bends(fit, curvature) >= 0)


@pytest.mark.parametrize("curvature", ["convex", "concave"])
@pytest.mark.parametrize("scale", [1.0, 1e-100, 1e50, 1e84])
@pytest.mark.parametrize("heavy", [1.0, 1e12])
def test_one_value_is_left_to_the_curve(curvature, scale, heavy):
    """Bounds that meet leave a flat curve, wherever the mean of y is and however large y is: it was not found."""
    x, y = noise(5)
    w = np.where(np.arange(12) == 3, heavy, 1.0)
    fit = curvec.fit_pwl(
        x, y * scale, w, num_segments=2, curvature=curvature, y_bounds=(0.3 * scale, 0.3 * scale), fx="identity",
        candidates=np.unique(x)[::3],
    )  # fmt: skip
    assert {value for _, value in fit.curve.points} == {0.3 * scale}
    assert fit.sse == pytest.approx(np.dot(w, (y * scale - 0.3 * scale) ** 2))


@given(st.integers(0, 10**6), st.sampled_from(["convex", "concave"]), st.sampled_from([1e-6, 1e-11]))
@examples(25)
def test_nothing_bends_the_wrong_way_between_knots_close_together(seed, curvature, apart):
    x, y = noise(seed)
    x = np.unique(np.r_[x, x + apart])
    y = np.interp(np.arange(len(x)), np.arange(12) * 2, y)
    fit = curvec.fit_pwl(x, y, num_segments=4, curvature=curvature, fx="identity", refine_knots=False, num_samples=12)
    assert np.all(bends(fit, curvature) >= 0)


@pytest.mark.parametrize(("seed", "curvature"), [(12, "convex"), (16, "convex"), (109, "concave"), (142, "convex")])
def test_a_knot_brought_back_within_the_bounds_does_not_bend_the_curve(seed, curvature):
    x, y = noise(seed)
    w = np.random.default_rng(seed).choice([1e-12, 1.0, 1e8], 12)
    fit = curvec.fit_pwl(
        x, y, w, num_segments=4, curvature=curvature, candidates=np.unique(x)[::2], learn_ends=False, fx="identity"
    )  # fmt: skip
    assert np.all(bends(fit, curvature) >= 0)
