"""Moments: chunks equal the whole, and many rows need neither a sort nor a sample."""

from __future__ import annotations

import copy
import inspect
import pickle

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples

import curvec
from curvec.condense import read_rows, rows
from curvec.fit.api import _FIXED
from curvec.fit.options import Keywords

CANDIDATES = np.linspace(0.5, 40, 25)


def table(n=3000, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.gamma(2, 6, n)
    return x, np.sin(x / 5) + rng.normal(size=n) * 0.1, rng.uniform(0, 2, n).round(1)


def whole(fx="identity"):
    x, y, w = table()
    return curvec.Moments(CANDIDATES, fx).update(x, y, w)


@given(st.lists(st.integers(0, 3000), max_size=6), st.randoms(use_true_random=False))
@examples(20)
def test_chunks_in_any_order_equal_the_whole(cuts, random):
    x, y, w = table()
    chunks = np.split(np.arange(3000), sorted(cuts))
    random.shuffle(chunks)
    moments = curvec.Moments(CANDIDATES)
    for rows_ in chunks:
        moments.update(x[rows_], y[rows_], w[rows_])
    assert moments.fit(digits=6) == whole().fit(digits=6)


@pytest.mark.parametrize("fx", ["identity", "log", "log1p", "symlog1p"])
def test_merged_partitions_equal_the_rows(fx):
    x, y, w = table()
    left = curvec.Moments(CANDIDATES, fx).update(x[:1000], y[:1000], w[:1000])
    right = pickle.loads(pickle.dumps(curvec.Moments(CANDIDATES, fx).update(x[1000:], y[1000:], w[1000:])))  # noqa: S301
    merged = left.merge(right).fit(mono="bitonic")
    direct = curvec.fit_pwl(x, y, w, candidates=CANDIDATES, fx=fx, mono="bitonic")
    assert merged.sse == pytest.approx(direct.sse, rel=1e-10)
    assert np.array(merged.curve.points) == pytest.approx(np.array(direct.curve.points), rel=1e-7)
    assert merged.curve.fx == fx


def test_a_copy_has_rows_of_its_own():
    """A shallow one shared the sums, but not their ranges and units."""
    moments = whole()
    before = moments.fit(digits=6)
    for other in (copy.copy(moments), copy.deepcopy(moments), pickle.loads(pickle.dumps(moments))):  # noqa: S301
        other.update([1.0, 20.0], [1e3, -1e3])
        assert other.weight == moments.weight + 2
        assert moments.fit(digits=6) == before


def test_a_far_y_keeps_its_digits():
    x, y, w = table()
    near, far = curvec.Moments(CANDIDATES).update(x, y, w).fit(), curvec.Moments(CANDIDATES).update(x, y + 1e9, w).fit()
    assert far.sse == pytest.approx(near.sse, rel=1e-5)


def test_required_knots_are_candidates_or_divide_no_rows():
    """One between candidates was left out, without a word."""
    moments = whole()
    with pytest.raises(curvec.InputError, match=r"knots holds 7\.3, between two of the moments' candidates"):
        moments.fit(knots=[7.3])
    fit = moments.fit(knots=[CANDIDATES[3], 500.0])
    assert {CANDIDATES[3], 500.0} <= {knot for knot, _ in fit.curve.points}


def test_rows_outside_the_candidates_count():
    x, y = np.arange(10.0), np.arange(10.0)
    fit = curvec.Moments([4.0, 5.0]).update(x, y).fit(y_bounds=None)
    direct = curvec.fit_pwl(x, y, candidates=[4.0, 5.0], fx="identity", y_bounds=None)
    assert fit.sse == pytest.approx(direct.sse)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda m: m.fit(), "no rows"),
        (lambda m: m.update([1.0], [np.nan]), r"y\[0\] is nan"),
        (lambda m: m.update([1.0, 2.0], [3.0]), "x has 2 rows and y has 1"),
        (lambda m: m.update([], [3.0]), "x has 0 rows and y has 1"),
        (lambda m: m.update([3.0], [1e200]).update([4.0], [-1e200]), "y goes from -1e\\+200 to 1e\\+200"),
        (lambda m: m.update([1e200], [0.0]), "x goes from 0.5 to 1e\\+200"),
        (lambda m: m.merge(m.candidates), "other is an ndarray; only Moments can be merged"),
        (lambda m: m.merge(curvec.Moments([1.0, 2.0])), "different candidates"),
        (lambda m: m.merge(curvec.Moments(CANDIDATES, "log")), "different candidates or transforms"),
        (lambda m: m.update([1.0], [1.0]).fit(fx="log"), "fx is fixed by the moments"),
        (lambda m: m.update([1.0], [1.0]).fit(segments=3), "segments is not an option"),
        (lambda _: curvec.Moments([3.0]), "at least two"),
        (lambda _: curvec.Moments([0.0, 3.0], "log"), r"0\.0 is outside the domain of log"),
        (lambda _: curvec.Moments([1.0, 3.0], "log").update([2.0, 0.0], [1.0, 1.0]), r"x\[1\] is 0\.0"),
    ],
)
def test_errors(act, message):
    with pytest.raises(curvec.InputError, match=message):
        act(curvec.Moments(CANDIDATES))


def test_no_rows_and_no_weights_are_no_change():
    moments = whole().update([], []).update([7.0, 1e9], [5.0, -1e9], [0.0, 0.0]).merge(curvec.Moments(CANDIDATES))
    assert moments.fit() == whole().fit()


@pytest.mark.parametrize("scale", [2.0**-990, 2.0**990])
def test_a_scale_of_the_weights_is_no_change(scale):
    x, y, w = table()
    fit = curvec.Moments(CANDIDATES).update(x[:9], y[:9], w[:9] * scale).update(x[9:], y[9:], w[9:] * scale).fit()
    assert fit.curve == whole().fit().curve
    assert fit.sse == pytest.approx(whole().fit().sse * scale, rel=1e-12)


def test_tiny_and_huge_weights_come_in_any_order():
    """The tiny ones are nothing beside the huge ones, and everything where those are not."""
    x, y = [0.5, 0.7, 1.5], [1.0, 2.0, 3.0]
    huge = curvec.Moments([0.0, 1.0, 2.0]).update(x, y, [1e300] * 3)
    tiny = curvec.Moments([0.0, 1.0, 2.0]).update([0.2, 1.2], [9.0, -9.0], [1e-300] * 2)
    expected = curvec.Moments([0.0, 1.0, 2.0]).update(x, y).fit(y_bounds=None).curve.points
    for fit in (copy.deepcopy(huge).merge(tiny).fit(y_bounds=None), copy.deepcopy(tiny).merge(huge).fit(y_bounds=None)):
        assert np.array(fit.curve.points) == pytest.approx(np.array(expected), rel=1e-9)


@pytest.fixture
def binned(monkeypatch):
    """Few rows take the way of many."""
    monkeypatch.setattr(rows, "SORT_UP_TO", 100)


@pytest.mark.usefixtures("binned")
@pytest.mark.parametrize("digits", [None, 4])
def test_bins_fit_as_well_as_sorted_rows(digits, monkeypatch):
    x, y, w = table(20_000)
    many = curvec.fit_pwl(x, y, w, digits=digits)
    monkeypatch.setattr(rows, "SORT_UP_TO", 10**9)
    few = curvec.fit_pwl(x, y, w, digits=digits)
    assert many.sse == pytest.approx(few.sse, rel=1e-3)
    assert many.optimal


@pytest.mark.usefixtures("binned")
def test_bins_of_single_values_are_exact(monkeypatch):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 60, 5000).astype(float)
    y = rng.normal(size=5000) + np.abs(x - 20)
    many = curvec.fit_pwl(x, y, digits=8)
    monkeypatch.setattr(rows, "SORT_UP_TO", 10**9)
    few = curvec.fit_pwl(x, y, digits=8)
    assert many.sse == pytest.approx(few.sse, rel=1e-12)


@pytest.mark.usefixtures("binned")
@given(st.integers(0, 5))
@examples(6)
def test_bins_do_not_depend_on_the_order(seed):
    x, y, w = table(5000, seed)
    order = np.random.default_rng(seed).permutation(5000)
    assert curvec.fit_pwl(x[order], y[order], w[order]) == curvec.fit_pwl(x, y, w)


@pytest.mark.usefixtures("binned")
@pytest.mark.parametrize(
    "x",
    [
        np.random.default_rng(0).normal(size=5000),
        np.random.default_rng(0).lognormal(size=5000) * (np.arange(5000) % 2),
        1.7e9 + np.random.default_rng(0).uniform(0, 6e4, 5000),
        np.r_[np.random.default_rng(0).uniform(1, 100, 4999), 1e12],
        np.r_[np.zeros(4990), np.arange(10.0)],
    ],
    ids=["normal", "half zero", "epoch", "outlier", "nearly constant"],
)
@pytest.mark.parametrize("digits", [None, 4])
def test_bins_of_awkward_columns(x, digits):
    y = np.tanh((x - np.median(x)) / (np.std(np.sort(x)[:-1]) + 1e-3))
    fit = curvec.fit_pwl(x, y, digits=digits, num_segments=5)
    assert fit.unexplained < 0.02
    sizes = read_rows(x, y).edges()
    assert np.all(np.diff(sizes) > 0)


@pytest.mark.usefixtures("binned")
def test_own_knots_and_candidates_of_many_rows():
    x, y, w = table(5000)
    fit = curvec.fit_pwl(x, y, w, knots=[3.14159], digits=3)
    assert 3.14 in {p[0] for p in fit.curve.points}
    own = curvec.fit_pwl(x, y, w, candidates=[1.0, 2.5, 17.25, 30.0], num_segments=3, fx="identity")
    assert {p[0] for p in own.curve.points} <= {1.0, 2.5, 17.25, 30.0}
    assert np.array_equal(own.candidates, [1.0, 2.5, 17.25, 30.0])


def test_many_rows_are_not_sampled():
    """A single row in 300,000 moves the mean by what it should."""
    x = np.tile(np.arange(1000.0), 300)
    y = np.zeros(300_000)
    y[123_456] = 3e5
    fit = curvec.fit_pwl(x, y, num_segments=1, candidates=[456.0, 457.0], fx="identity", y_bounds=None)
    assert fit.mse * len(x) == pytest.approx(fit.sse)
    assert fit.sse == pytest.approx(9e10, rel=1e-2)
    total = sum(p[1] for p in fit.curve.points)
    assert total > 0


def test_moments_fit_with_the_defaults_of_fit_pwl():
    """They are written twice: in the signature that people read, and in the record that moments take them from."""
    keywords = inspect.signature(curvec.fit_pwl).parameters.values()
    of_rows = {"special"}  # what moments cannot tell apart any more
    assert {
        k.name: k.default for k in keywords if k.kind is inspect.Parameter.KEYWORD_ONLY and k.name not in of_rows
    } == msgspec.structs.asdict(Keywords())


def test_moments_refuse_what_they_decide():
    """Each of these says why, and the docstring names them all."""
    for name in _FIXED:
        with pytest.raises(curvec.InputError, match=f"{name} is fixed by the moments"):
            curvec.Moments([0.0, 1.0], "identity").update([0, 1], [0, 1]).fit(**{name: None})
        assert f"``{name}``" in curvec.Moments.fit.__doc__


@pytest.mark.parametrize("fx", ["identity", "log1p"])
def test_the_variance_is_that_of_the_rows_however_wide_the_gaps(fx):
    rng = np.random.default_rng(8)
    x, w = rng.uniform(0, 2, 500), rng.uniform(0, 1, 500)
    y = np.sin(4 * x) + rng.normal(size=500)
    fit = curvec.Moments([0, 1, 2], fx).update(x, y, w).fit(num_segments=2)
    assert fit.variance == pytest.approx(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
    assert fit.mse == pytest.approx(np.average((y - fit(x)) ** 2, weights=w))
    assert 0 < fit.unexplained < 1


def test_a_criterion_that_counts_rows_is_refused():
    with pytest.raises(curvec.InputError, match="counts rows, which moments do not know; use 'auto'"):
        curvec.Moments([0, 1, 2]).update([0, 1, 2], [0, 1, 3]).fit(num_segments="bic")
    assert curvec.Moments([0, 1, 2]).update([0, 1, 2], [0, 1, 3]).fit(num_segments="auto").num_segments == 2
