"""The search finds the best curve there is: brute force over all knot sets, with scipy's solvers, says so."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nightly import examples

import curvec

INF = np.inf

values = st.integers(0, 9).map(float)
targets = st.integers(-20, 20).map(lambda v: v / 10)
weights = st.sampled_from([0.5, 1.0, 3.0])
rows = st.lists(st.tuples(values, targets, weights), min_size=3, max_size=14)
candidate_sets = st.sets(st.integers(-2, 22).map(lambda v: v / 2), min_size=2, max_size=6)


def data(drawn):
    x, y, w = (np.array(column) for column in zip(*drawn, strict=True))
    assume(len(np.unique(x)) > 1)
    assume(len(np.unique(y)) > 1)
    return x, y, w


def check(fit, best):
    scale = 1e-9 * (1 + abs(best))
    assert fit.optimal
    assert fit.sse == pytest.approx(best, abs=scale)
    assert fit.lower_bound == pytest.approx(fit.sse, abs=scale)


@given(rows, candidate_sets, st.integers(1, 3))
@examples(25)
def test_free(brute_force, drawn, candidates, segments):
    x, y, w = data(drawn)
    fit = curvec.fit_pwl(x, y, w, num_segments=segments, candidates=sorted(candidates), y_bounds=None, fx="identity")
    check(fit, brute_force(x, y, w, sorted(candidates), segments))


@given(rows, candidate_sets, st.integers(1, 3), st.sampled_from(["increasing", "decreasing"]))
@examples(25)
def test_monotone(brute_force, drawn, candidates, segments, mono):
    x, y, w = data(drawn)
    fit = curvec.fit_pwl(
        x, y, w, num_segments=segments, mono=mono, candidates=sorted(candidates), y_bounds=None, fx="identity"
    )
    slopes = (0, INF) if mono == "increasing" else (-INF, 0)
    check(fit, brute_force(x, y, w, sorted(candidates), segments, slopes))


@given(rows, candidate_sets, st.integers(1, 3), st.sampled_from([(-0.1, 0.2), (0.05, 0.3), (None, 0.1), (-0.2, None)]))
@examples(25)
def test_slope_bounds(brute_force, drawn, candidates, segments, slopes):
    x, y, w = data(drawn)
    low, high = slopes
    fit = curvec.fit_pwl(
        x, y, w, num_segments=segments, min_slope=low, max_slope=high, candidates=sorted(candidates),
        y_bounds=None, fx="identity", learn_ends=True,
    )  # fmt: skip
    bounds = (-INF if low is None else low, INF if high is None else high)
    check(fit, brute_force(x, y, w, sorted(candidates), segments, bounds))


@given(rows, candidate_sets, st.integers(1, 3), st.sampled_from([(-0.5, 0.7), (-3.0, 0.1), (0.0, 3.0)]))
@examples(25)
def test_y_bounds(brute_force, drawn, candidates, segments, y_bounds):
    x, y, w = data(drawn)
    fit = curvec.fit_pwl(
        x, y, w, num_segments=segments, candidates=sorted(candidates), y_bounds=y_bounds, fx="identity"
    )
    check(fit, brute_force(x, y, w, sorted(candidates), segments, y_bounds=y_bounds))
    ys = [p[1] for p in fit.curve.points]
    assert y_bounds[0] <= min(ys)
    assert max(ys) <= y_bounds[1]


@given(
    rows,
    st.sets(st.integers(0, 9).map(float), min_size=3, max_size=5),
    st.integers(1, 3),
    st.sampled_from(["peak", "valley", "bitonic"]),
)
@examples(25)
def test_bitonic(brute_force, drawn, candidates, segments, turn):
    x, y, w = data(drawn)
    fit = curvec.fit_pwl(
        x, y, w, num_segments=segments, mono=turn, candidates=sorted(candidates), y_bounds=None, fx="identity"
    )
    check(fit, brute_force(x, y, w, sorted(candidates), segments, turn=turn))


@given(rows, candidate_sets, st.data())
@examples(25)
def test_required_knots_and_pinned_ends(brute_force, drawn, candidates, more):
    x, y, w = data(drawn)
    candidates = sorted(candidates)
    required = more.draw(st.sets(st.sampled_from(candidates), max_size=2))
    pinned = more.draw(st.booleans())
    needed = required | ({candidates[0], candidates[-1]} if pinned else set())
    segments = max(2, len(needed) - 1)
    fit = curvec.fit_pwl(
        x, y, w, num_segments=segments, candidates=candidates, knots=sorted(required), learn_ends=not pinned,
        y_bounds=None, fx="identity",
    )  # fmt: skip
    assert needed <= {p[0] for p in fit.curve.points}
    check(fit, brute_force(x, y, w, candidates, segments, required=needed))


@given(rows, st.sets(st.integers(0, 9).map(float), min_size=2, max_size=4))
@examples(10)
def test_slopes_and_y_bounds_at_once(brute_force, drawn, candidates):
    x, y, w = data(drawn)
    candidates = sorted(candidates)
    fit = curvec.fit_pwl(
        x, y, w, num_segments=2, candidates=candidates, min_slope=-0.3, max_slope=0.2, y_bounds=(-0.4, 0.6),
        fx="identity",
    )  # fmt: skip
    check(fit, brute_force(x, y, w, candidates, 2, slopes=(-0.3, 0.2), y_bounds=(-0.4, 0.6)))


few_rows = st.lists(st.tuples(st.sampled_from([0.0, 4.0, 6.0]), targets, weights), min_size=3, max_size=9)


@given(
    few_rows,
    st.sets(st.integers(-1, 7).map(float), min_size=3, max_size=7),
    st.integers(1, 3),
    st.sampled_from(
        [{}, {"slopes": (0, INF)}, {"slopes": (-0.1, 0.2)}, {"y_bounds": (-0.5, 0.7)}, {"turn": "peak"}],
    ),
    st.data(),
)
@examples(50)
def test_many_candidates_between_few_values(brute_force, drawn, candidates, segments, limits, more):
    """Most pairs of candidates have no data between them, and the search leaves them out."""
    x, y, w = data(drawn)
    candidates = sorted(candidates)
    required = more.draw(st.sets(st.sampled_from(candidates), max_size=min(1, segments)))
    low, high = limits.get("slopes", (-INF, INF))
    fit = curvec.fit_pwl(
        x, y, w, num_segments=segments, candidates=candidates, knots=sorted(required), fx="identity",
        y_bounds=limits.get("y_bounds"), mono=limits.get("turn", False),
        min_slope=None if low == -INF else low, max_slope=None if high == INF else high,
    )  # fmt: skip
    check(fit, brute_force(x, y, w, candidates, segments, required=required, **limits))


@pytest.mark.parametrize("slopes", [(0.0, INF), (-0.4, 0.3)])
def test_against_bounded_least_squares(bounded_least_squares, slopes):
    """A second opinion where no knot set is degenerate."""
    rng = np.random.default_rng(5)
    x, y, w = rng.uniform(0, 9, 60), rng.normal(size=60), rng.uniform(1, 2, 60)
    candidates = np.linspace(0, 9, 8)
    best = min(
        bounded_least_squares(x, y, w, np.array(knots), slopes) for knots in itertools.combinations(candidates, 4)
    )
    low, high = slopes
    fit = curvec.fit_pwl(
        x, y, w, num_segments=3, candidates=candidates, fx="identity", y_bounds=None, min_slope=low,
        max_slope=None if high == INF else high,
    )  # fmt: skip
    assert fit.sse == pytest.approx(best, rel=1e-9)


def test_every_entry_of_the_path_is_the_best_for_its_number_of_segments(brute_force):
    rng = np.random.default_rng(1)
    x, y, w = rng.uniform(0, 9, 20), rng.normal(size=20), np.ones(20)
    candidates = np.linspace(0, 9, 7).tolist()
    fit = curvec.fit_pwl(x, y, num_segments=4, candidates=candidates, y_bounds=None, fx="identity")
    assert [entry.num_segments for entry in fit.path] == [1, 2, 3, 4]
    for entry in fit.path:
        assert entry.sse == pytest.approx(brute_force(x, y, w, candidates, entry.num_segments))


def test_ten_segments_reach_half_the_depth_from_both_ends():
    """Even and odd numbers of segments join in different ways; each must equal the next smaller search."""
    rng = np.random.default_rng(2)
    x = np.arange(24.0)
    y = np.cumsum(rng.normal(size=24))
    whole = curvec.fit_pwl(x, y, num_segments=10, candidates=x, fx="identity")
    for entry in whole.path:
        alone = curvec.fit_pwl(x, y, num_segments=entry.num_segments, candidates=x, fx="identity")
        assert entry.sse == pytest.approx(alone.sse, rel=1e-9)


@pytest.mark.parametrize("required", [(), (-7.5, 3.75, 5.625, 5.75)])
def test_y_on_its_bound_before_a_gap_without_rows(brute_force, required):
    """The best y was an ULP beyond the ends of both pieces of a cost, and both were dropped."""
    x = np.array([-7.5, *[0.0] * 11, *[3.75] * 3, 5.25, *[5.75] * 5])
    y = np.array([-0.9375, *[0.0] * 11, 0.0, 0.0, 1.40625, -0.03125, *[0.0] * 5]) - 7
    candidates = [-7.5, 3.75, 5.625, 5.75]
    fit = curvec.fit_pwl(x, y, num_segments=3, candidates=candidates, knots=required, fx="identity")
    check(fit, brute_force(x, y, np.ones(len(x)), candidates, 3, y_bounds=(y.min(), y.max()), required=required))


def test_a_value_on_the_first_knot_is_on_it_from_the_right_too(brute_force):
    """Read from the right it is at the end of its segment; a rounding before that, and the best valley was lost."""
    x = np.array([0.27536174466850144, 0.9954426011176774, 0.06713136009004077, 0.019161390220364033,
                  0.029718520730451333, 0.2917908413085328, 0.011356894625286303, 0.03153601211654738])  # fmt: skip
    y, w = np.array([1.625, 2, 0.75, 0.125, 0.25, 1.75, 0, 0.5]), np.array([1.0, 2, 1, 2, 2, 2, 1, 1])
    knots = [0.04467973416501107, 0.06713136009004077]
    candidates = [0.029718520730451333, 0.030470642057930653, 0.13357165736008836]
    fit = curvec.fit_pwl(
        x, y, w, num_segments=3, candidates=candidates, knots=knots, mono="valley", fx="identity", y_bounds=(None, 1.0)
    )
    best = brute_force(x, y, w, sorted(candidates + knots), 3, y_bounds=(-INF, 1.0), turn="valley", required=knots)
    check(fit, best)
