"""Searches that prove only what is asked of them: the same curves as searches of everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nightly import examples

import curvec
from curvec.condense import points_of
from curvec.fit.constraints import Constraints
from curvec.fit.data import LOG_MARGIN
from curvec.fit.options import Keywords, check_options
from curvec.fit.search_space import SearchSpace
from curvec.transforms import TRANSFORMS

INF = np.inf
CHECKED = check_options(Keywords())
seeds = st.integers(0, 2**32 - 1)


def data(seed, rows=120):
    """Steps, bends and noise over few or many values of x."""
    rng = np.random.default_rng(seed)
    x = rng.gamma(1.0, 5.0, rows)
    if rng.random() < 0.5:
        x = np.round(x)
    y = np.round(np.log1p(x) + rng.normal(size=rows) * rng.choice([0.0, 0.3, 1.0]) + (x > 6) * rng.normal(), 2)
    return x, y


def problem(seed, slopes, y_bounds, count=30):
    x, y = data(seed)
    knots = np.unique(np.quantile(x, np.linspace(0, 1, count)))
    points = points_of(x, y)
    fx = TRANSFORMS["identity"]
    space = SearchSpace(points, CHECKED, fx, Constraints(slopes=slopes, y_bounds=y_bounds), knots, digits=None)
    return space.problem(space.x)


@given(
    seeds,
    st.integers(1, 6),
    st.sampled_from([(-INF, INF), (0.0, INF), (-INF, 0.0), (-0.05, 0.2), (0.02, INF)]),
    st.sampled_from([(-INF, INF), (-2.0, 2.0), (-0.5, 0.4)]),
)
@examples(60)
def test_one_number_of_segments_alone_is_as_good_as_all_of_them_together(seed, most, slopes, y_bounds):
    """The search of all numbers at once does not use the bound by Lagrange multipliers."""
    searched = problem(seed, slopes, y_bounds)
    whole = searched.search(most)
    assume(whole[-1].chosen)
    alone = searched.search(most, fewest=most)[-1]
    assert alone.optimal
    assert alone.cost == pytest.approx(whole[-1].cost, rel=1e-9, abs=1e-12)


@given(seeds, st.integers(1, 4), st.sampled_from([(-INF, INF), (0.0, INF)]))
@examples(30)
def test_below_a_ceiling_there_is_the_optimum_or_nothing(seed, most, slopes):
    searched = problem(seed, slopes, (-3.0, 3.0), count=20)
    best = searched.search(most, fewest=most)[-1]
    assume(best.cost > 1e-9)
    above = searched.search(most, fewest=most, ceiling=best.cost * 1.001)[-1]
    assert above.cost == pytest.approx(best.cost, rel=1e-9)
    below = searched.search(most, fewest=most, ceiling=best.cost * 0.999)[-1]
    assert below.optimal
    assert not below.chosen
    assert below.lower == pytest.approx(best.cost * 0.999)


@given(seeds, st.integers(1, 4), st.sampled_from([{}, {"mono": True}, {"mono": "peak"}]))
@examples(40)
def test_the_transform_is_the_one_that_full_fits_of_both_say(seed, segments, shape):
    x, y = data(seed)
    assume(len(np.unique(x)) > 2)
    assume(np.ptp(y) > 0)
    options = {"num_segments": segments, "refine_knots": False, "num_samples": 40, **shape}
    fit = curvec.fit_pwl(x, y, **options)
    both = {fx: curvec.fit_pwl(x, y, fx=fx, **options) for fx in ("identity", "log" if x.min() > 0 else "log1p")}
    identity, log = both.values()
    assume(abs(log.unexplained - (1 - LOG_MARGIN) * identity.unexplained) > 1e-12)
    expected = log if log.unexplained < (1 - LOG_MARGIN) * identity.unexplained else identity
    assert fit.curve.fx == expected.curve.fx
    assert fit.sse == pytest.approx(expected.sse, rel=1e-9, abs=1e-12)
    assert fit.optimal


@given(seeds, st.integers(1, 4), st.sampled_from([False, True]), st.sampled_from([None, 3]))
@examples(25)
def test_the_bound_is_never_above_the_error_and_refinement_never_a_loss(seed, segments, mono, digits):
    x, y = data(seed)
    assume(np.ptp(y) > 0)
    options = {"num_segments": segments, "mono": mono, "digits": digits, "fx": "identity", "num_samples": 40}
    plain = curvec.fit_pwl(x, y, refine_knots=False, **options)
    fine = curvec.fit_pwl(x, y, **options)
    for fit in (plain, fine):
        assert fit.optimal
        assert fit.lower_bound <= fit.sse
    assert fine.lower_bound <= plain.lower_bound * (1 + 1e-9) + 1e-12


def test_the_path_is_searched_when_it_is_read():
    x, y = data(3)
    fit = curvec.fit_pwl(x, y, num_segments=4)
    assert "path" not in vars(fit)
    assert [entry.num_segments for entry in fit.path] == [1, 2, 3, 4]
    assert fit.path[-1].curve is fit.curve
    assert fit.path[-1].sse == fit.sse
    for entry in fit.path:
        alone = curvec.fit_pwl(
            x, y, num_segments=entry.num_segments, candidates=fit.candidates, fx=fit.curve.fx,
        )  # fmt: skip
        assert entry.sse == pytest.approx(alone.sse, rel=1e-9)


def test_more_candidates_than_memory_holds_are_refused():
    x, y = data(1)
    with pytest.raises(curvec.InputError, match="num_samples=100000; memory grows with its square"):
        curvec.fit_pwl(x, y, num_samples=100_000)
    with pytest.raises(curvec.InputError, match="5000 candidates; memory grows"):
        curvec.fit_pwl(x, y, candidates=np.linspace(0, 1, 5000))


@pytest.mark.parametrize("name", ["identity", "log", "log1p", "symlog1p"])
def test_a_value_on_a_knot_is_at_no_distance_from_it(name):
    """Two logarithms of one x may differ in the last bit, and a distance of one bit bends a curve that is straight."""
    x = np.sort(np.random.default_rng(5).uniform(0.1, 9, 300))
    points = points_of(x, np.sin(x))
    free = Constraints(slopes=(-INF, INF), y_bounds=(-INF, INF))
    alone = SearchSpace(points, CHECKED, TRANSFORMS[name], free, x, digits=None).problem(x)
    assert np.all(alone.core.gaps(range(len(x)))[1:, 1] == 0)


@pytest.mark.parametrize("mono", [False, True, "peak", "valley"])
@pytest.mark.parametrize("extra", [0, 3])
def test_with_a_knot_for_every_value_no_transform_is_better_than_the_identity(mono, extra):
    rng = np.random.default_rng(3)
    x = rng.choice([1.0, 2.0, 5.0, 9.0, 70.0], 200)
    y = np.log(x) * (1 if mono is True else np.sin(x)) + rng.normal(size=200) * 0.1
    fit = curvec.fit_pwl(x, y, num_segments=4 + extra, mono=mono)
    log = curvec.fit_pwl(x, y, num_segments=4 + extra, mono=mono, fx="log")
    assert fit.curve.fx == "identity"
    assert fit.optimal
    assert fit.sse == pytest.approx(log.sse, rel=1e-9)
    assert {point[0] for point in fit.curve.points} <= set(x)
