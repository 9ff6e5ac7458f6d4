"""Points that a curve must have, and equal ends: how good the curves are, and that both hold in the printed numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from nightly import examples
from scipy.optimize import minimize

import curvec

INF = np.inf

values = st.integers(0, 9).map(float)
targets = st.integers(-20, 20).map(lambda v: v / 10)
weights = st.sampled_from([0.5, 1.0, 3.0])
rows = st.lists(st.tuples(values, targets, weights), min_size=3, max_size=14)
candidate_sets = st.sets(st.integers(-2, 22).map(lambda v: v / 2), min_size=3, max_size=6)


def data(drawn):
    x, y, w = (np.array(column) for column in zip(*drawn, strict=True))
    assume(len(np.unique(x)) > 1)
    assume(len(np.unique(y)) > 1)
    return x, y, w


def hats(u, knots):
    return np.column_stack([np.interp(u, knots, row) for row in np.eye(len(knots))])


def least(x, y, w, candidates, segments, through=(), *, periodic=False):
    """The least squared error over all knot sets: equations for what is given, put into least squares."""
    best, root, held = INF, np.sqrt(w), dict(through)
    for count in range(1, min(segments, len(candidates) - 1) + 1):
        for knots in itertools.combinations(candidates, count + 1):
            if not set(held) <= set(knots):
                continue
            a = hats(x, knots) * root[:, None]
            equations = [(np.eye(count + 1)[knots.index(at)], value) for at, value in held.items()]
            if periodic:
                equations.append((np.eye(count + 1)[0] - np.eye(count + 1)[-1], 0.0))
            base, free = np.zeros(count + 1), np.eye(count + 1)
            if equations:
                c, d = np.array([e for e, _ in equations]), np.array([v for _, v in equations])
                base = np.linalg.lstsq(c, d, rcond=None)[0]
                if np.abs(c @ base - d).max() > 1e-9:
                    continue
                _, size, vt = np.linalg.svd(c)
                free = vt[(size > 1e-12).sum() :].T
            v = base
            if free.size:
                v = base + free @ np.linalg.lstsq(a @ free, y * root - a @ base, rcond=None)[0]
            best = min(best, float(np.sum((a @ v - y * root) ** 2)))
    return best


@given(rows, candidate_sets, st.integers(2, 4), st.lists(st.tuples(st.integers(0, 5), targets), min_size=1, max_size=2))
@examples(60)
def test_through_is_exact(drawn, candidates, segments, points):
    x, y, w = data(drawn)
    ordered = sorted(candidates)
    through = sorted({ordered[at % len(ordered)]: value for at, value in points}.items())
    fit = curvec.fit_pwl(
        x, y, w, num_segments=segments, through=through, candidates=ordered, y_bounds=None, fx="identity"
    )
    best = least(x, y, w, ordered, segments, through)
    assert fit.optimal
    assert fit.sse == pytest.approx(best, abs=1e-9 * (1 + best))
    assert set(through) <= set(fit.curve.points)


@example([(0.0, 0.0, 0.5), (0.0, 0.1, 0.5), (1.0, 0.0, 0.5)], {0.0, -0.5, -1.0}, 1)  # two levels of equal loss
@given(rows, candidate_sets, st.integers(1, 3))
@examples(40)
def test_equal_ends_and_the_bound_of_those_that_need_not_be(drawn, candidates, segments):
    x, y, w = data(drawn)
    ordered = sorted(candidates)
    fit = curvec.fit_pwl(x, y, w, num_segments=segments, periodic=True, candidates=ordered, fx="identity")
    assert fit.curve.points[0][1] == fit.curve.points[-1][1]
    free = curvec.fit_pwl(x, y, w, num_segments=segments, candidates=ordered, fx="identity")
    assert fit.lower_bound <= fit.sse
    assert fit.lower_bound >= free.sse * (1 - 1e-9) - 1e-9
    if fit.optimal:
        assert fit.sse == pytest.approx(free.sse, abs=1e-6)


def test_periodic_is_close_to_the_best_of_all_knots():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 24, 300).astype(float)
    w = rng.uniform(0.5, 2, 300)
    for seed in range(6):
        phase, noise = np.random.default_rng(seed).uniform(0, 6, 2)
        y = np.sin((x + phase) / 24 * 2 * np.pi) + 0.05 * noise * rng.normal(size=300)
        candidates = [0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 18.0, 21.0, 24.0]
        fit = curvec.fit_pwl(
            x, y, w, num_segments=4, periodic=True, candidates=candidates, y_bounds=None, fx="identity"
        )
        best = least(x, y, w, candidates, 4, periodic=True)
        assert best * (1 - 1e-9) <= fit.sse <= best * 1.01


SHAPES = [
    {}, {"mono": "peak"}, {"mono": "valley"}, {"curvature": "concave"}, {"min_slope": -0.4, "max_slope": 0.4},
    {"y_bounds": (-1.2, 1.2)}, {"learn_ends": False}, {"knots": [11.5]},
]  # fmt: skip


@pytest.mark.parametrize("digits", [None, 2, "auto"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_both_hold_in_the_printed_numbers_with_every_constraint(shape, digits):
    rng = np.random.default_rng(1)
    x = rng.integers(0, 25, 60).astype(float)
    y = np.sin(x / 25 * np.pi) * (-1 if shape.get("mono") == "valley" else 1) + rng.normal(0, 0.1, 60)
    point = (6.123, -0.712345 if shape.get("mono") == "valley" else 0.712345)
    options = {**shape, "digits": digits, "margin": 0.01 if digits == "auto" else 0.0, "fx": "identity"}
    fit = curvec.fit_pwl(x, y, num_segments=4, through=[point], **options)
    assert point in fit.curve.points
    equal = curvec.fit_pwl(x, y, num_segments=4, periodic=True, num_samples=20, refine_knots=False, **options)
    assert equal.curve.points[0][1] == equal.curve.points[-1][1]
    both = curvec.fit_pwl(
        x, y, num_segments=5, periodic=True, through=[point], num_samples=20, refine_knots=False, **options
    )
    assert point in both.curve.points
    assert both.curve.points[0][1] == both.curve.points[-1][1]
    for made in (fit, equal, both):
        slopes = made.slopes
        assert slopes.min() >= shape.get("min_slope", -INF) - 1e-9
        assert slopes.max() <= shape.get("max_slope", INF) + 1e-9
        if shape.get("curvature"):
            assert np.diff(slopes).max(initial=0) <= 1e-9
        if shape.get("mono"):
            signs = np.sign(slopes[slopes != 0]) * (1 if shape["mono"] == "peak" else -1)
            assert (np.diff(signs) <= 0).all()


def test_through_many_rows_and_moments():
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 10, 30_000)
    y = np.sqrt(x) + rng.normal(0, 0.1, len(x))
    for digits in (None, 3):
        fit = curvec.fit_pwl(x, y, num_segments=3, through=[(0, 0), (4.123456, 2)], digits=digits)
        assert {(0.0, 0.0), (4.123456, 2.0)} <= set(fit.curve.points)
    moments = curvec.Moments(np.linspace(0, 10, 21)).update(x, y)
    assert (4.0, 2.0) in moments.fit(num_segments=3, through=[(4, 2)]).curve.points
    with pytest.raises(curvec.InputError, match=r"through holds 4\.1"):
        moments.fit(num_segments=3, through=[(4.1, 2)])


def test_an_hour_is_as_good_as_its_best_neighbourhood():
    """A solver that knows nothing of knots agrees on the knots that were found."""
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 24, 200)
    y = np.cos(x / 24 * 2 * np.pi) + rng.normal(0, 0.1, 200)
    fit = curvec.fit_pwl(x, y, num_segments=4, periodic=True, knots=[0, 24], fx="identity", y_bounds=None)
    a = hats(x, fit.knots)
    a = np.column_stack([a[:, 0] + a[:, -1], a[:, 1:-1]])
    found = minimize(lambda v: float(np.sum((a @ v - y) ** 2)), np.zeros(a.shape[1]), tol=1e-12)
    assert fit.sse == pytest.approx(found.fun, rel=1e-8)
    assert (fit.knots[0], fit.knots[-1]) == (0, 24)


REFUSED = [
    ({"through": [(1, 2), (1, 3)]}, r"through has 2 and 3 at x = 1"),
    ({"through": [(1, 9)], "y_bounds": (0, 5)}, r"through has the point \(1, 9\), outside y_bounds=\(0, 5\)"),
    ({"through": [(1, 3), (2, 2)], "mono": "increasing"}, r"\(1, 3\) and \(2, 2\), which contradict mono='increasing'"),
    ({"through": [(1, 2), (2, 3)], "max_slope": 0}, r"contradict max_slope=0.0: it may not rise"),
    ({"through": [(1, 0), (2, 3)], "max_slope": 2}, r"contradict max_slope=2: between them the curve rises by more"),
    ({"through": [(1, 0), (2, 0)], "min_slope": 1}, r"contradict min_slope=1: between them the curve rises by less"),
    ({"through": [(0, 1), (1, 0), (2, 1)], "mono": "peak"}, r"y of 1, 0, 1 from left to right.*mono='peak'"),
    ({"through": [(0, 1), (1, 2), (2, 1)], "curvature": "convex"}, r"\(0, 1\), \(1, 2\), \(2, 1\), which no convex"),
    ({"through": [(0, 0), (1, 1), (2, 2)], "num_segments": 1}, r"through= requires 3 knots, but a curve of 1 segment"),
    ({"through": [(0, 0)], "knots": [1, 2], "num_segments": 1}, r"knots= and through= require 3 knots"),
    ({"through": [(-1, 0)], "fx": "log"}, r"through holds -1.0, outside the domain of log"),
    ({"through": (1, 2)}, r"through=\(1, 2\); give points of finite numbers: \[\(x, y\), ...\]"),
    ({"through": [(np.nan, 2)]}, r"through=\[\(nan, 2\)\]; give points of finite numbers"),
    ({"through": [(1, "a")]}, r"through=\[\(1, 'a'\)\]; give points of finite numbers"),
    (
        {"through": [(20240101.25, 5), (20240101.5, 2)], "mono": "increasing"},
        r"\(20240101\.25, 5\) and \(20240101\.5, 2\), which contradict",
    ),
    ({"through": [(1, 2.00000001)], "y_bounds": (0, 2)}, r"point \(1, 2\.00000001\), outside y_bounds"),
    ({"through": [(1, 2)], "special": [1]}, r"point \(1, 2\), but x = 1 is a special code"),
    ({"periodic": True, "mono": "increasing"}, r"periodic=True asks for equal y at both ends"),
    ({"periodic": True, "min_slope": 0.1}, r"periodic=True asks for equal y at both ends"),
    ({"periodic": "yes"}, r"periodic='yes'; use True or False"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_contradicts_is_refused_and_named(options, message):
    with pytest.raises(curvec.InputError, match=message):
        curvec.fit_pwl([0.5, 1, 2, 3], [0, 1, 3, 2], **options)


def test_no_curve_with_equal_ends_through_other_points_is_said():
    with pytest.raises(curvec.FitError, match=r"through \(0, 0\), \(3, 1\), equal y at both ends"):
        curvec.fit_pwl([0, 1, 2, 3], [0, 1, 3, 2], periodic=True, through=[(0, 0), (3, 1)], candidates=[0, 1, 2, 3])


def test_every_constraint_of_the_shape_is_named_where_no_curve_is_found():
    with pytest.raises(curvec.FitError, match=r"mono='peak', curvature='concave', through \(1, -9\), \(2, 0\)"):
        curvec.fit_pwl(
            [0, 1, 2, 3], [0, 1, 3, 2], mono="peak", curvature="concave", through=[(1, -9), (2, 0)], y_bounds=(-9, 5),
            candidates=[0, 1, 2, 3],
        )  # fmt: skip


def test_mono_true_goes_the_way_of_the_points():
    x = np.arange(20.0)
    fit = curvec.fit_pwl(x, x, mono=True, through=[(5, 3), (10, 2)], num_segments=4)
    assert fit.slopes.max() <= 0


def test_no_term_of_a_model_is_asked_for_points():
    model = curvec.CurveModel("m", [curvec.StepCurve("a", [1.0, 2.0], [0.0, 1.0, 2.0])])
    with pytest.raises(curvec.InputError, match="overrides has 'through'"):
        curvec.distill(model, {"a": [0.0, 1.5, 3.0]}, overrides={"through": [(0, 0)]})


def test_points_may_be_an_array():
    x = np.arange(10.0)
    given = np.array([[3.0, 1.0], [7.0, 2.0]])
    assert curvec.fit_pwl(x, x, through=given).curve == curvec.fit_pwl(x, x, through=[(3, 1), (7, 2)]).curve
