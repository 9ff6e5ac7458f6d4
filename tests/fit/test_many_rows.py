"""What must hold for every fit holds where the rows are put into bins, too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples

import curvec
from curvec.condense import rows
from curvec.contract import pwl_values, segments
from curvec.transforms import TRANSFORMS

SHAPES = [{}, {"mono": "increasing"}, {"min_slope": -0.5, "max_slope": 1.0}, {"mono": "bitonic"}]
KINDS = ["normal", "lognormal", "few", "clusters", "zeros"]


@pytest.fixture(autouse=True, scope="module")
def _binned():
    """Few rows take the way of many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "SORT_UP_TO", 100)
        yield


@st.composite
def samples(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(101, 3000))
    x = {
        "normal": rng.normal(size=n),
        "lognormal": rng.lognormal(size=n),
        "few": rng.integers(-4, 5, n).astype(float),
        "clusters": rng.choice([1e-3, 2.0, 1e5], n) + rng.normal(size=n) * 1e-4,
        "zeros": rng.normal(size=n) * rng.integers(0, 2, n),
    }[draw(st.sampled_from(KINDS))]
    y = np.tanh(x) + rng.normal(size=n) * draw(st.sampled_from([0.0, 0.3]))
    return x, y, rng.integers(0, 4, n) / 2


def same(left, right, scale):
    assert left == pytest.approx(right, rel=1e-9, abs=1e-12 * scale)


@given(samples(), st.sampled_from(SHAPES))
@examples(15)
def test_the_errors_are_those_of_the_curve_on_the_rows(sample, shape):
    x, y, w = sample
    fit = curvec.fit_pwl(x, y, w, num_segments=3, **shape)
    error = pwl_values(x, segments(fit.curve.points, fit.curve.fx), None) - y
    same(fit.sse, np.sum(w * error**2), np.sum(w * y**2))
    assert fit.mse == pytest.approx(fit.sse / w.sum())


@given(samples(), st.sampled_from(SHAPES))
@examples(15)
def test_duplicated_rows_are_doubled_weights(sample, shape):
    x, y, w = sample
    twice = curvec.fit_pwl(np.tile(x, 2), np.tile(y, 2), np.tile(w, 2), num_segments=3, refine_knots=False, **shape)
    double = curvec.fit_pwl(x, y, 2 * w, num_segments=3, refine_knots=False, **shape)
    same(twice.sse, double.sse, np.sum(w * y**2))


@given(samples(), st.sampled_from([1e-12, 0.3, 1e12]))
@examples(15)
def test_weights_scale_without_effect(sample, scale):
    x, y, w = sample
    one = curvec.fit_pwl(x, y, w, num_segments=3, refine_knots=False)
    other = curvec.fit_pwl(x, y, w * scale, num_segments=3, refine_knots=False)
    same(other.sse, one.sse * scale, np.sum(w * y**2) * scale)
    assert np.array_equal(other.candidates, one.candidates)


def test_a_bin_of_one_value_is_at_that_value():
    """Its mean a rounding beside the edge made a better curve look dearer, and a worse one be proved the best."""
    rng = np.random.default_rng(153)
    n = int(rng.integers(101, 600))
    x = rng.normal(size=n)
    rng.lognormal(size=n), rng.integers(-4, 5, n), rng.normal(size=n), rng.integers(0, 2, n)
    y, w = np.tanh(x) + rng.normal(size=n) * 0.3, rng.integers(0, 4, n) / 2 * 0.3
    points = rows.read_rows(x, y, w).binned(np.unique(x), [TRANSFORMS["identity"], TRANSFORMS["symlog1p"]])
    for part in points.parts.values():
        assert not part.moments[:, [1, 3, 4]].any()
    options = {"num_segments": 3, "refine_knots": False, "fx": "identity"}
    fit, known = (curvec.fit_pwl(x, y, weights, **options) for weights in (w, w / 0.3))
    assert np.array_equal(fit.candidates, known.candidates)
    assert fit.sse == pytest.approx(known.sse * 0.3, rel=1e-12)


@pytest.mark.parametrize("apart", [4e-11, 1e-9, 1e-7, 1e-5])
def test_values_close_together_in_a_bin_cost_what_their_rows_do(apart):
    """Squares of distances from the bin's edge cannot tell such values apart; their spread was off by a per cent."""
    rng = np.random.default_rng(5)
    x = np.repeat(np.sort(rng.lognormal(size=2000)), 2) + np.tile([0, apart], 2000)
    y = np.log(x) + rng.normal(size=4000)
    for fx in ("identity", "log"):
        fit = curvec.fit_pwl(x, y, num_segments=3, fx=fx, refine_knots=False)
        error = pwl_values(x, segments(fit.curve.points, fit.curve.fx), None) - y
        assert fit.sse == pytest.approx(np.sum(error**2), rel=1e-8)


@pytest.mark.parametrize("fx", ["identity", "log1p", "log"])
def test_rows_close_together_far_from_their_bins_edge_cost_what_they_do(monkeypatch, fx):
    """Their line was left out, as if no knot could be next to them: a third of the error, and a proof of it."""
    monkeypatch.setattr(rows, "BINS", 8)
    rng = np.random.default_rng(7)
    x = rng.choice([1e-3, 2.0, 1e5], 300) + rng.uniform(0, 1e-4, 300)
    y = np.floor(x * 4e4) % 5 + rng.normal(size=300) * 0.1
    fit = curvec.fit_pwl(x, y, num_segments=4, fx=fx)
    error = pwl_values(x, segments(fit.curve.points, fit.curve.fx), None) - y
    # A logarithm's last digit is a millionth of such a distance.
    assert fit.sse == pytest.approx(np.sum(error**2), rel=1e-9 if fx == "identity" else 1e-6)


def test_knots_and_candidates_asked_for_are_those_that_will_be_printed(monkeypatch):
    """Unrounded they divide bins; they were left out for that, and the next candidate passed for a required knot."""
    monkeypatch.setattr(rows, "BINS", 20)
    x = np.random.default_rng(0).normal(size=300)
    fit = curvec.fit_pwl(x, np.sin(2 * x), num_segments=3, digits=2, knots=[0.12345, 0.9876])
    assert {0.12, 0.99} <= {knot for knot, _ in fit.curve.points}
    own = [-1.234, 0.1234, 0.9876, 1.56]
    fit = curvec.fit_pwl(x, np.sin(2 * x), num_segments=3, digits=2, candidates=own)
    assert fit.candidates.tolist() == [-1.2, 0.12, 0.99, 1.6]
    near = curvec.fit_pwl(x, np.sin(2 * x), num_segments=3, digits=1, candidates=[0.12, 0.13, 1.0])
    assert near.candidates.tolist() == [0.12, 0.13, 1.0]


@pytest.mark.parametrize("digits", [None, 2])
def test_pinned_ends_are_those_of_the_data(monkeypatch, digits):
    monkeypatch.setattr(rows, "BINS", 20)
    x = np.random.default_rng(0).normal(size=300)
    ends = [x.min(), x.max()] if digits is None else [float(f"{v:.{digits - 1}e}") for v in (x.min(), x.max())]
    fit = curvec.fit_pwl(x, np.sin(2 * x), num_segments=3, digits=digits, learn_ends=False)
    assert [fit.curve.points[k][0] for k in (0, -1)] == ends


@given(samples())
@examples(10)
def test_no_weights_are_equal_weights(sample):
    x, y, _ = sample
    none = curvec.fit_pwl(x, y, num_segments=3, refine_knots=False)
    equal = curvec.fit_pwl(x, y, np.full(len(x), 0.7), num_segments=3, refine_knots=False)
    assert np.array_equal(none.candidates, equal.candidates)
    same(equal.sse, none.sse * 0.7, np.sum(y**2))


@given(samples(), st.sampled_from(SHAPES), st.randoms(use_true_random=False))
@examples(15)
def test_the_order_of_the_rows_leaves_no_trace(sample, shape, random):
    x, y, w = sample
    order = list(range(len(x)))
    random.shuffle(order)
    assert curvec.fit_pwl(x[order], y[order], w[order], **shape) == curvec.fit_pwl(x, y, w, **shape)


@given(samples(), st.integers(2, 5))
@examples(15)
def test_rows_of_weight_zero_leave_no_trace(sample, factor):
    x, y, w = sample
    more = np.concatenate([x, x.min() - 10.0 ** np.arange(factor)])
    zeros = np.zeros(factor)
    assert curvec.fit_pwl(more, np.r_[y, zeros + 99], np.r_[w, zeros]) == curvec.fit_pwl(x, y, w)


def test_more_rows_than_can_be_numbered_are_refused(monkeypatch):
    """Kind F35."""
    monkeypatch.setattr(rows, "SORTABLE", 200)
    x = np.arange(201.0)
    assert curvec.fit_pwl(x, x).sse == pytest.approx(0)
    with pytest.raises(curvec.InputError, match=r"201 rows; at most 200 can be sorted, so use curvec\.Moments"):
        curvec.fit_pwl(np.ones(201), x)
