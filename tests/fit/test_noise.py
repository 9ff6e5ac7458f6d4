"""``num_segments="auto"`` on noisy rows: what is not there is not fitted, and what is there is."""

from __future__ import annotations

import numpy as np
import pytest
from nightly import by_diagonal
from sklearn.datasets import load_diabetes

import curvec

SHAPES = {
    "line": (lambda x: x, 1),
    "corner": (np.abs, 2),
    "step": (lambda x: np.sign(x - 0.5), 1),  # constant, one steep segment, constant
    "hat": (lambda x: np.interp(x, [-2, 0, 2], [0, 2, 0]), 2),
}


def rows(shape, noise, seed, n=300):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, n)
    return x, SHAPES[shape][0](x) + rng.normal(0, noise, n)


def test_noise_alone_has_one_segment():
    rng = np.random.default_rng(1)
    found = [
        curvec.fit_pwl(rng.normal(size=200), rng.normal(size=200), num_segments="auto").num_segments for _ in range(20)
    ]
    assert sum(count > 1 for count in found) <= 1


@by_diagonal(["shape", "noise"], list(SHAPES), [0.2, 0.6])
def test_the_segments_that_are_there_are_found(shape, noise):
    found = [curvec.fit_pwl(*rows(shape, noise, seed), num_segments="auto").num_segments for seed in range(3)]
    assert SHAPES[shape][1] in found
    assert max(found) <= SHAPES[shape][1] + 1


@pytest.mark.parametrize("feature", ["bmi", "bp", "s5"])
def test_no_worse_than_a_line_on_rows_held_out_by_more_than_its_standard_error(feature):
    data = load_diabetes(as_frame=True)
    x, y = data.data[feature].to_numpy(), data.target.to_numpy()
    fold = np.random.default_rng(3).integers(0, 5, len(x))
    errors = {}
    for segments in (1, "auto"):
        curves = [curvec.fit_pwl(x[fold != k], y[fold != k], num_segments=segments) for k in range(5)]
        errors[segments] = np.concatenate([(curves[k](x[fold == k]) - y[fold == k]) ** 2 for k in range(5)])
    apart = errors["auto"] - errors[1]
    assert apart.mean() <= errors[1].std() / np.sqrt(len(x))


def is_line(fit, x):
    return len(fit.curve.points) == 2 and fit.curve.fx == "identity" and set(fit.knots) == {x.min(), x.max()}


@pytest.mark.parametrize("judge", ["auto", "bic"])
@pytest.mark.parametrize("noise", [0.05, 0.17, 3.0])
def test_a_line_is_a_line_over_the_whole_range_whatever_the_noise(noise, judge):
    """With 0.17 the noise alone is about the tolerance: its variance is a hundredth of the line's."""
    for seed in range(2):
        x, y = rows("line", noise, seed)
        fit = curvec.fit_pwl(x, y, num_segments=judge, y_bounds=None)
        assert is_line(fit, x)
        np.testing.assert_allclose(fit(x), np.polyval(np.polyfit(x, y, 1), x), atol=1e-9)


def test_a_line_that_would_leave_the_range_of_y_is_constant_from_there():
    """Held within that range at the ends of x it would lose to least squares, which it must not."""
    rng = np.random.default_rng(3)
    labels = rng.uniform(-3, 3, 300)
    for x, y in [*(rows("line", 0.05, seed) for seed in range(4)), (labels, (labels + rng.normal(size=300) > 0) * 1.0)]:
        fit = curvec.fit_pwl(x, y, num_segments="auto")
        line = np.polyval(np.polyfit(x, y, 1), x)
        reached = [line.min() < y.min(), line.max() > y.max()]
        assert fit.num_segments == 1
        assert [fit.knots[0] > x.min(), fit.knots[-1] < x.max()] == reached
        assert y.min() <= fit(x).min() <= fit(x).max() <= y.max()
        assert fit.sse <= ((line - y) ** 2).sum() * (1 + 1e-12)


@pytest.mark.parametrize("fx", ["identity", "symlog1p"])
@pytest.mark.parametrize("n", [300, 300_000])
def test_such_a_line_ends_where_knots_may_be(fx, n):
    x, y = rows("line", 0.05, 7, n)
    y = np.sign(x) * np.log1p(np.abs(x)) + y - x if fx == "symlog1p" else y
    grid = np.linspace(-3, 3, 601)
    for options, places in (
        ({"knots_on": "whole"}, np.arange(-3, 4)),
        ({"knots_on": "values"}, x),
        ({"candidates": grid}, grid),
        ({"digits": "auto", "margin": 1e-4}, np.round(grid, 2)),
        ({"y_bounds": (None, float(y.max()) - 0.02)}, None),
    ):
        if n > 1000 and options.get("knots_on") == "values":
            continue  # they are bins there
        fit = curvec.fit_pwl(x, y, num_segments="auto", fx=fx, **options)
        assert fit.num_segments == 1, options
        assert places is None or np.isin(fit.knots, places).all(), (options, fit.knots)
        assert fit(x).max() <= options.get("y_bounds", (0, 4))[1]


def test_who_says_whether_the_ends_move_is_obeyed():
    x, y = rows("line", 1.0, 0)
    assert not is_line(curvec.fit_pwl(x, y, num_segments="auto", learn_ends=True), x)
    pinned = curvec.fit_pwl(x, np.abs(x) + y - x, num_segments="auto", learn_ends=False)
    assert (pinned.num_segments, pinned.knots[0], pinned.knots[-1]) == (2, x.min(), x.max())


def test_bic_is_that_of_the_squared_errors_and_the_numbers_that_the_rows_decide():
    """On given candidates, from the path of the fit: 2 numbers of a line, 2 (k + 1) of k segments."""
    for shape, noise in (("corner", 1.0), ("hat", 0.7), ("step", 0.5)):
        x, y = rows(shape, noise, 11)
        options = {"candidates": np.linspace(-3, 3, 25), "fx": "identity", "max_segments": 6}
        path = curvec.fit_pwl(x, y, num_segments=6, **{k: v for k, v in options.items() if k != "max_segments"}).path
        line = curvec.fit_pwl(x, y, num_segments=1, learn_ends=False, candidates=[-3, 3], fx="identity").sse
        n = len(x)
        bic = [
            n * np.log(line) + 2 * np.log(n),
            *(n * np.log(e.sse) + 2 * (e.num_segments + 1) * np.log(n) for e in path),
        ]
        fit = curvec.fit_pwl(x, y, num_segments="bic", **options)
        assert fit.num_segments == max(int(np.argmin(bic)), 1)
        assert "would follow the noise of y, by BIC" in fit.notes[0]


def test_noise_alone_has_one_segment_by_bic():
    rng = np.random.default_rng(1)
    found = [curvec.fit_pwl(rng.normal(size=200), rng.normal(size=200), num_segments="bic") for _ in range(20)]
    assert sum(fit.num_segments > 1 for fit in found) <= 1


def test_repeated_x_tell_the_noise_too():
    rng = np.random.default_rng(4)
    x = rng.integers(0, 40, 400)
    y = 0.02 * x + rng.normal(size=400)
    assert curvec.fit_pwl(x, y, num_segments="auto").num_segments == 1
    exact = curvec.fit_pwl(x, np.sin(x / 5), num_segments="auto")
    assert exact.unexplained <= 0.01
    assert not exact.notes


def test_many_rows_weights_and_the_order_of_the_rows():
    rng = np.random.default_rng(5)
    x = rng.uniform(-3, 3, 250_000)
    y = np.abs(x) + rng.normal(0, 30, len(x))
    many = curvec.fit_pwl(x, y, num_segments="auto", fx="identity")
    assert many.num_segments <= 2
    x, y = rows("hat", 0.5, 6)
    w = rng.integers(0, 3, len(x)).astype(float)
    expected = curvec.fit_pwl(x, y, w, num_segments="auto")
    assert expected.num_segments == 2
    order = rng.permutation(len(x))
    assert curvec.fit_pwl(x[order], y[order], w[order], num_segments="auto") == expected
    more = np.r_[x, 50.0], np.r_[y, 1e6], np.r_[w, 0.0]
    assert curvec.fit_pwl(*more, num_segments="auto") == expected


def test_a_tolerance_that_is_not_reached_is_said():
    x, y = rows("corner", 0.5, 7)
    noisy = curvec.fit_pwl(x, y, num_segments="auto")
    assert len(noisy.notes) == 1
    assert "tolerance=0.01: more than 2 segments would follow the noise of y, by cross-validation" in noisy.notes[0]
    x = np.linspace(0, 30, 300)
    short = curvec.fit_pwl(x, np.sin(x), num_segments="auto", max_segments=3)
    assert "tolerance=0.01: max_segments=3 is all that was allowed" in short.notes[0]
    rough = curvec.fit_pwl(x, np.sin(x) - 2, num_segments="auto", max_segments=30, digits=1)
    assert "tolerance=0.01: the curve was closer before it was rounded (digits=1)" in rough.notes[-1]
    assert not curvec.fit_pwl(x, np.sin(x), num_segments="auto", max_segments=30).notes


@pytest.mark.parametrize("options", [{"mono": True}, {"curvature": "convex"}, {"knots": [0.0]}, {"digits": 3}])
def test_constraints_hold_in_the_folds_too(options):
    x, y = rows("corner", 0.3, 8)
    assert curvec.fit_pwl(x, y, num_segments="auto", **options).num_segments <= 3


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 12])
def test_few_rows(n):
    x, y = rows("line", 1.0, 9, n)
    fit = curvec.fit_pwl(x, y, num_segments="auto")
    assert fit.num_segments <= (n // 3 if n > 6 else max(1, n - 1))
