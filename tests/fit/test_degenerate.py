"""Data without a shape, and what is asked of it all the same."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

import curvec


def test_a_flat_curve_obeys_the_bounds_of_y_and_the_digits():
    fit = curvec.fit_pwl([1, 1, 1], [2, 3, 4], y_bounds=(5, 6))
    assert {y for _, y in fit.curve.points} == {5.0}
    assert fit.sse == pytest.approx(9 + 4 + 1)
    printed = curvec.fit_pwl([0.23456] * 2, [2.6, 2.7], digits=2, y_bounds=None)
    assert all(v == float(f"{v:.1e}") for point in printed.curve.points for v in point)
    assert printed.sse == pytest.approx(
        (2.6 - printed.curve.points[0][1]) ** 2 + (2.7 - printed.curve.points[0][1]) ** 2
    )
    assert not printed.notes


@pytest.mark.parametrize("curvature", ["convex", "concave"])
def test_a_flat_curve_has_a_curvature_and_digits(curvature):
    for x, y in (([1, 1, 1], [2, 3, 4]), ([1, 2, 3], [0.123456, 0.123456, 0.123456])):
        fit = curvec.fit_pwl(x, y, digits=2, curvature=curvature, y_bounds=None)
        assert {value for _, value in fit.curve.points} == {float(f"{np.mean(y):.1e}")}
        assert fit.lower_bound <= np.sum((y - np.mean(y)) ** 2) + 1e-15


@pytest.mark.parametrize("options", [{"knots": [5]}, {"learn_ends": False}, {"knots": [5], "fx": "log", "digits": 1}])
def test_one_x_that_must_be_a_knot_has_another_beside_it(options):
    fit = curvec.fit_pwl([5, 5], [1, 3], **options)
    assert fit.curve.points == ((5.0, 2.0), (6.0, 2.0))
    assert fit.sse == pytest.approx(2)


@pytest.mark.parametrize("digits", [None, 1, 17])
@pytest.mark.parametrize("x", [sys.float_info.max, -sys.float_info.max, 5e-324])
def test_numbers_at_the_end_of_the_doubles(x, digits):
    fit = curvec.fit_pwl([x, x], [1, 3], digits=digits)
    assert {y for _, y in fit.curve.points} == {2.0}
    flat = curvec.fit_pwl([1, 2], [x, x], digits=digits, y_bounds=None)
    assert {y for _, y in flat.curve.points} == {x if digits != 1 or abs(x) < 1 else math.copysign(1e308, x)}


@pytest.mark.parametrize("y_bounds", [(1e160, None), (None, -1e200), (sys.float_info.max, sys.float_info.max)])
def test_bounds_too_far_from_y_are_refused(y_bounds):
    """Every curve cost infinity, and taking knots out of it had no end."""
    with pytest.raises(curvec.InputError, match=r"away from y, which goes from 1\.0 to 3\.0; the squares"):
        curvec.fit_pwl([1, 2, 3], [1, 2, 3], y_bounds=y_bounds)
    assert curvec.fit_pwl([1, 2, 3], [1, 2, 3], y_bounds=(1e130, None)).optimal


def test_slopes_that_no_flat_curve_has_are_not_dropped():
    with pytest.raises(curvec.FitError, match="one distinct value"):
        curvec.fit_pwl([1, 1], [2, 3], min_slope=1)
    with pytest.raises(curvec.FitError, match="y_bounds"):
        curvec.fit_pwl([1, 2, 3], [2, 2, 2], min_slope=1)
    steep = curvec.fit_pwl([1, 2, 3], [2, 2, 2], min_slope=1, y_bounds=None)
    (x0, y0), *_, (x1, y1) = steep.curve.points
    assert y1 - y0 >= (x1 - x0) * (1 - 1e-12)


def test_constant_data_are_checked_against_the_domain_and_keep_required_knots():
    with pytest.raises(curvec.InputError, match="outside the domain of log"):
        curvec.fit_pwl([-1, 2, 3], [2, 2, 2], fx="log")
    assert 2.5 in {x for x, _ in curvec.fit_pwl([1, 2, 3], [2, 2, 2], knots=[2.5]).curve.points}


def test_the_logarithm_fits_the_candidates_too():
    fit = curvec.fit_pwl([1, 2, 3, 4], [2, 2, 4, 1], candidates=[0, 2, 4])
    assert fit.curve.fx in ("identity", "log1p")
    assert curvec.fit_pwl([1, 2, 3, 4], [2, 2, 4, 1], knots=[-3]).curve.points[0][0] == -3


@pytest.mark.parametrize("mono", [False, True, "peak"])
def test_knots_lie_on_values_of_the_data_where_that_costs_nothing(mono):
    rng = np.random.default_rng(0)
    flag = rng.random(100) < 0.5
    fit = curvec.fit_pwl(flag, flag * 0.5 + rng.normal(size=100) * 0.1, mono=mono)
    assert [x for x, _ in fit.curve.points] == [0.0, 1.0]
    level = rng.integers(0, 4, 400)
    four = curvec.fit_pwl(level, np.array([0.1, 0.7, 0.9, 0.2])[level])
    assert [x for x, _ in four.curve.points] == [0.0, 1.0, 2.0, 3.0]
    assert four.sse == pytest.approx(0, abs=1e-20)


def test_more_segments_than_there_can_be_are_no_work():
    x = np.linspace(0, 6, 200)
    for count in (300, 10**9):
        fit = curvec.fit_pwl(x, np.sin(x), num_segments=count)
        assert fit.optimal
        assert fit.sse == pytest.approx(0, abs=1e-20)


def test_the_knots_of_moments_are_said_to_be_their_own():
    moments = curvec.Moments([0, 1.234, 2.5])
    moments.update(np.array([0.1, 1.5, 2.2]), np.array([1.0, 2, 3]))
    assert "they are the moments' own" in moments.fit(digits=2).notes[0]


@pytest.mark.parametrize("mono", [False, "peak", "bitonic"])
def test_knots_that_do_not_help_are_left_out(mono):
    x = np.linspace(0, 10, 51)
    fit = curvec.fit_pwl(x, -np.abs(x - 4), num_segments=5, mono=mono, fx="identity")
    assert [round(point[0], 12) for point in fit.curve.points] == [0, 4, 10]


def test_a_perfect_curve_has_no_knot_that_says_nothing() -> None:
    """Four values are met by three segments; a fourth had a knot at 3.875, at any y."""
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([-0.0122, 0.0212, -0.0293, 0.1586])
    for most in (3, 4, 8):
        fit = curvec.fit_pwl(x, y, num_segments=most, digits=6)
        assert fit.curve.points == tuple(zip(x.tolist(), y.tolist(), strict=True))
    assert [len(entry.curve.points) for entry in fit.path] == [2, 3, 4, 4, 4, 4, 4, 4]
    required = curvec.fit_pwl(x, y, num_segments=5, knots=[2.5]).curve
    assert 2.5 in [place for place, _ in required.points]
    line = np.linspace(0, 10, 50)
    assert len(curvec.fit_pwl(line, 3 - 2 * line, num_segments=5).curve.points) == 2
    rising = curvec.fit_pwl(x, np.array([0.0, 1.0, 1.0, 4.0]), num_segments=6, mono="increasing", digits=6).curve
    assert rising.points == ((1.0, 0.0), (2.0, 1.0), (3.0, 1.0), (4.0, 4.0))


def test_a_knot_that_settles_on_a_line_is_left_out() -> None:
    """Beside a required knot, knots between values cost nothing too; once on values, one of them says nothing."""
    x = np.array([6.0, 15, 20, 26, 28, 29, 39])
    y = np.array([1.3911, 0.5036, 0.0999, 0.2722, 1.0976, -2.3219, 1.9077])
    fit = curvec.fit_pwl(x, y, num_segments=7, knots=[12.5])
    assert [place for place, _ in fit.curve.points] == [6, 12.5, 20, 26, 28, 29, 39]
