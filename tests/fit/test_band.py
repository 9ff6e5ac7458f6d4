"""``Fit.band``: the sandwich of the same linear regression, and how often it holds the truth."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import statsmodels.api as sm

import curvec
from curvec.transforms import transform

KNOTS = [0.5, 2.0, 4.0, 9.0]
AT = np.linspace(0, 11, 60)


def rows(seed, n=150):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    return x, np.interp(x, [0, 4, 10], [0, 3, 2]) + rng.normal(0, 0.1 + 0.1 * x), rng.uniform(0.2, 2, n)


def hats(x, fx="identity"):
    """(n, knots) the linear splines that are 1 at one knot, from the definition."""
    u = transform(fx).fast or transform(fx).forward
    return np.column_stack([np.interp(u(x), u(np.array(KNOTS)), own) for own in np.eye(len(KNOTS))])


def regression(x, y, w, design, level=0.9):
    """The interval of statsmodels, with the covariance HC3, at AT."""
    result = sm.WLS(y, design(x), w).fit(cov_type="HC3")
    return result.get_prediction(design(AT)).conf_int(alpha=1 - level)


ON_KNOTS = {"candidates": KNOTS, "num_segments": 3, "learn_ends": False, "y_bounds": None}


@pytest.mark.parametrize("fx", ["identity", "log1p"])
def test_it_is_that_of_statsmodels_for_the_same_regression(fx):
    x, y, w = rows(0)
    fit = curvec.fit_pwl(x, y, w, fx=fx, **ON_KNOTS)
    expected = regression(x, y, w, lambda at: hats(at, fx))
    np.testing.assert_allclose(fit.band(AT, 0.9), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fit)).band(AT), fit.band(AT))  # noqa: S301


def test_equal_ends_are_one_value_and_a_given_point_is_sure():
    x, y, w = rows(1)
    periodic = curvec.fit_pwl(x, y, w, fx="identity", periodic=True, **ON_KNOTS)
    one = lambda at: np.column_stack([hats(at)[:, 0] + hats(at)[:, 3], hats(at)[:, 1:3]])  # noqa: E731
    np.testing.assert_allclose(periodic.band(AT, 0.9), regression(x, y, w, one), rtol=1e-6, atol=1e-6)
    given = curvec.fit_pwl(x, y, w, fx="identity", through=[(2.0, 1.5)], **ON_KNOTS)
    assert given.band(2.0).tolist() == [1.5, 1.5]
    known = 1.5 * hats(x)[:, 1]
    result = sm.WLS(y - known, hats(x)[:, [0, 2, 3]], w).fit(cov_type="HC3")
    expected = result.get_prediction(hats(AT)[:, [0, 2, 3]]).conf_int() + 1.5 * hats(AT)[:, [1]]
    np.testing.assert_allclose(given.band(AT), expected, rtol=1e-9, atol=1e-12)


def test_a_code_has_the_interval_of_a_mean():
    x, y, w = rows(2)
    x[:20] = -9.0
    fit = curvec.fit_pwl(x, y, w, special=[-9], num_segments=2)
    mean = sm.WLS(y[:20], np.ones(20), w[:20]).fit(cov_type="HC3")
    np.testing.assert_allclose(fit.band(-9.0), mean.conf_int()[0], rtol=1e-12)


def test_it_holds_the_truth_as_often_as_it_says_where_the_knots_are_given():
    at = np.linspace(0.5, 9.5, 10)
    truth = np.interp(at, [0, 4, 10], [0, 3, 2])
    held = []
    for seed in range(200):
        x, y, _ = rows(seed)
        fit = curvec.fit_pwl(x, y, fx="identity", **{**ON_KNOTS, "candidates": [0, 4, 10], "num_segments": 2})
        low, high = fit.band(at, 0.9).T
        held.append((low <= truth) & (truth <= high))
    assert 0.88 <= np.mean(held) <= 0.93  # four standard errors of 200 bands are .02 where they are alike


def test_where_the_rows_say_nothing_it_is_infinite_and_a_lone_row_has_the_variance_of_the_others():
    x = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 5.0])
    y = np.array([0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 2.0])
    fit = curvec.fit_pwl(x, y, candidates=[1, 2, 5, 7], knots=[1, 2, 5, 7], num_segments=3, fx="identity")
    assert np.isinf(fit.band([6.0, 7.0])).all()
    half = fit.band([1.0, 5.0])[:, 1] - fit([1.0, 5.0])
    # A mean of three whose residuals 1 and -1 grow by 1 / (1 - 1/3); all squares over the rows less three values.
    expected = 1.959964 * np.sqrt([2 * 1.5**2 / 9, 4 / (7 - 3)])
    np.testing.assert_allclose(half, expected, rtol=1e-6)
    assert np.isnan(fit.band([None])).all()  # type: ignore[list-item]


@pytest.mark.parametrize("level", [0, 1, 95, "0.95", np.nan])
def test_a_level_that_is_no_share_is_refused(level):
    fit = curvec.fit_pwl([1, 2, 3], [1, 2, 4])
    with pytest.raises(curvec.InputError, match=r"0 < level < 1, such as 0\.95"):
        fit.band([1.0], level)


def test_moments_have_no_residuals():
    x, y, w = rows(3)
    fit = curvec.Moments(KNOTS).update(x, y, w).fit(num_segments=2)
    assert not fit.has_band
    with pytest.raises(curvec.InputError, match="pass the rows to fit_pwl"):
        fit.band(AT)
