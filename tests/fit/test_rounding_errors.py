"""Where a double's last digits decide: knots that a transform makes one, pieces that hardly bend, heavy weights."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import curvec

FAR = 1e15 + 0.125
"""Its logarithm is that of 1e15."""


def test_a_required_knot_stays_where_a_transform_makes_it_one_with_a_value():
    """The value stayed; the next candidate passed for the knot, or what lies in memory behind the last one."""
    x, y = [1.0, 2.0, 1e15 - 0.25, 1e15, FAR, 1e16], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    fit = curvec.fit_pwl(x, y, num_segments=3, fx="log", knots=[FAR])
    assert FAR in [knot for knot, _ in fit.curve.points]
    assert FAR in fit.candidates


def test_a_pinned_end_stays_where_a_transform_makes_it_one_with_a_value():
    x = 1.4407539859160732 + 2.0**-52 * np.arange(12)
    fit = curvec.fit_pwl(x, x > x[4], num_segments=1, fx="symlog1p", candidates=x, learn_ends=False)
    assert [knot for knot, _ in fit.curve.points] == [x[0], x[-1]]


@pytest.mark.parametrize(
    "options", [{}, {"num_segments": "auto"}, {"mono": "peak"}, {"curvature": "convex", "learn_ends": True}]
)
def test_a_transform_that_makes_all_candidates_one_is_not_chosen(options):
    fit = curvec.fit_pwl([1e15, FAR], [0, 1], **options)
    assert fit.curve.points == ((1e15, 0.0), (FAR, 1.0))
    with pytest.raises(curvec.InputError, match="are one under fx='log'"):
        curvec.fit_pwl([1e15, FAR], [0, 1], fx="log", **options)


@pytest.mark.parametrize("options", [{"knots": [1e15, FAR]}, {"learn_ends": False}])
def test_required_knots_that_a_transform_makes_one_are_refused(options):
    assert curvec.fit_pwl([1e15, FAR], [0, 1], **options).curve.points == ((1e15, 0.0), (FAR, 1.0))
    with pytest.raises(
        curvec.InputError, match=r"1000000000000000\.0 and 1000000000000000\.1 are required, but fx='log'"
    ):
        curvec.fit_pwl([1e15, FAR], [0, 1], fx="log", **options)


@pytest.mark.parametrize("last", [1e5, 1e16, 1e20, 1e49])
def test_a_candidate_far_beyond_the_data_proves_nothing_that_is_not_so(last):
    """Read from the right, a segment lost how far the data are from its right knot; the bound was a quarter."""
    fit = curvec.fit_pwl(
        [2, 4, 5], [1, 0, 1], num_segments=2, candidates=[2, 3, 5, last], mono="increasing", y_bounds=None,
        fx="identity",
    )  # fmt: skip
    assert fit.sse == pytest.approx(2 / 3)
    assert fit.lower_bound == pytest.approx(2 / 3)


def test_a_value_next_to_a_knot_costs_the_same_from_both_sides():
    """What hardly bends has its vertex far away; measured from there, a sum's vertex was off in the sixth digit."""
    x = [2.4135757960421493, 6.011851575479356, 6.011851575519356, 6.4079713585997835, 6.4079713586397835]
    candidates = [2.4135757960821493, 5.259509284991935, 6.011851575519356, 6.4079713585997835]
    fit = curvec.fit_pwl(
        x, [-2, -7, -8, -10, -12], num_segments=2, candidates=candidates, fx="log",
        y_bounds=(-43.54480548856431, -6.069944503135669),
    )  # fmt: skip
    assert fit.lower_bound == pytest.approx(fit.sse, rel=1e-12)


def test_a_light_row_beside_a_heavy_one_costs_what_it_does():
    """What no curve avoids is what the light row is off; it was rounded as the heavy row's square is."""
    x, y, w = [1.0, 3.0, 3.0, 4.0], [0.0, 2 / 3, 4 / 3, 2.0], [1e-12, 1.0, 1e8, 1e8]
    fit = curvec.fit_pwl(x, y, w, num_segments=1, learn_ends=False, y_bounds=None, fx="identity")
    light, heavy = Fraction(y[1]), Fraction(y[2])
    share = Fraction(w[2]) / (1 + Fraction(w[2]))
    assert fit.pure_error * sum(w) == pytest.approx(float(share * (heavy - light) ** 2), rel=1e-12)


def test_weights_whose_squared_errors_are_no_doubles_are_refused():
    x, y = np.arange(5.0), np.array([0.0, 1e90, 3e90, -1e90, 2e90])
    with pytest.raises(curvec.InputError, match=r"w goes up to 1e\+135 and y from -1e\+90 to 3e\+90"):
        curvec.fit_pwl(x, y, np.full(5, 1e135))
    assert np.isfinite(curvec.fit_pwl(x, y, np.full(5, 1e100)).sse)


@pytest.mark.parametrize(("seed", "least"), [(12, 0.0126), (2, 0.01), (3, 0.003)])
def test_slopes_hold_where_y_is_near_zero(seed, least):
    """Adding the origin back rounds a y near zero as if it were as large as the origin."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.normal(size=12) * 3)
    y = np.r_[0, x[1:-1] > -1, 1]
    fit = curvec.fit_pwl(x, y, num_segments=3, fx="identity", candidates=x[::2], min_slope=least, learn_ends=False)
    u, y = np.array(fit.curve.points).T
    assert np.all(np.diff(y) >= least * np.diff(u) - 4e-16 * (y[1:] + y[:-1]))


def test_a_piece_that_ends_a_rounding_within_a_bound_ends_on_it(brute_force):
    """Nothing took over from its soft end, so the curve could not rise further: a quarter more error, and a proof."""
    top = 1.6256297199310228
    rows = [
        (0.7, 1.0, 1e-8), (-0.9, 0.0, 1.0), (1.3, top, 1.0), (1.2, top, 1.0), (-0.9, 0.0, 1.0), (-2.067, 0.0, 1.0),
        (-0.8, 0.0, 1.0), (0.6, 1.0, 1e-8), (-0.3, 1.0, 1.0), (0.7, 1.0, 1.0), (0.8, top, 1e-8), (0.5, 1.0, 1.0),
        (-3.199246696110824, 0.0, 1e-8), (0.9, top, 1.0), (-0.5, 1.0, 1.0), (-0.8974415458293477, 0.0, 1.0),
        (1.0, top, 1e-8),
    ]  # fmt: skip
    x, y, w = np.array(rows).T
    knots = [-3.3214775654116067, -1.1722175769637915, -0.8352098632262145, -0.329617754920924]
    fit = curvec.fit_pwl(x, y, w, num_segments=3, candidates=knots, knots=knots, fx="identity", y_bounds=(0.0, 2.0))
    assert fit.sse == pytest.approx(brute_force(x, y, w, knots, 3, y_bounds=(0.0, 2.0), required=knots), rel=1e-9)
