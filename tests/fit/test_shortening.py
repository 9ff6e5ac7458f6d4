"""Short texts: knots on round or whole numbers, few digits, few points; no loss beyond the margin, constraints kept."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples

import curvec

seeds = st.integers(0, 2**32 - 1)
SHORT = {"knots_on": "auto", "digits": "auto", "margin": 1e-3}


def data(seed, rows=300):
    """Bends, steps and noise over whole or real numbers, few or many."""
    rng = np.random.default_rng(seed)
    x = rng.gamma(1.0, 8.0, rows) * rng.choice([1e-3, 1.0, 50.0])
    if rng.random() < 0.5:
        x = np.round(x)
    y = np.log1p(x) + rng.normal(size=rows) * rng.choice([0.0, 0.05, 0.5]) + (x > np.median(x)) * rng.normal()
    return x, y * rng.choice([1e-4, 1.0, 3e3]) + rng.choice([0.0, 17.0])


def squares(curve, x, y):
    """The weighted squared error of the printed curve, by the evaluation of models."""
    values = curvec.CurveModel("m", [curve]).eval({"x": x})
    return float(np.sum((values - y) ** 2))


def variance(x, y):
    """What a function of x can explain at most."""
    means = pd.Series(y).groupby(x).transform("mean")
    return float(np.sum((means - np.mean(y)) ** 2))


@given(
    seeds,
    st.sampled_from(["any", "auto", "values", "whole", "round"]),
    st.sampled_from([None, "auto"]),
    st.sampled_from([0.0, 1e-4, 1e-2]),
    st.sampled_from([False, "increasing", "peak"]),
)
@examples(60)
def test_no_text_loses_more_than_the_margin_and_constraints_hold_in_it(seed, knots_on, digits, margin, mono):
    x, y = data(seed)
    same = {"num_segments": 3, "mono": mono, "num_samples": 40, "fx": "identity"}
    fit = curvec.fit_pwl(x, y, **same, knots_on=knots_on, digits=digits, margin=margin)
    searched = {"round": "any", "auto": "whole" if (x == np.rint(x)).all() else "any"}.get(knots_on, knots_on)
    best = curvec.fit_pwl(x, y, **same, knots_on=searched)
    if np.ptp(x) == 0:
        return
    total, spread = float(np.sum((y - y.mean()) ** 2)), variance(x, y)
    lost = squares(fit.curve, x, y) - squares(best.curve, x, y)
    assert lost <= margin * spread + 1e-9 * total
    assert fit.shortening_loss <= margin * (1 + 1e-9) + 1e-12
    assert fit.shortening_loss == pytest.approx(max(lost, 0.0) / spread, rel=1e-4, abs=1e-7)
    assert fit.lower_bound <= fit.sse + 1e-12 * total
    if fit.optimal:
        assert fit.lower_bound == pytest.approx(best.sse, rel=1e-9, abs=1e-12 * total) or fit.sse < best.sse
    knots, values = np.array(fit.curve.points).T
    assert values.min() >= y.min()
    assert values.max() <= y.max()
    rises = np.diff(values)
    if mono == "increasing":
        assert (rises >= 0).all()
    if mono == "peak":
        down = np.flatnonzero(rises < 0)
        assert not down.size or (rises[down[0] :] <= 0).all()
    if searched == "whole":
        assert (knots == np.rint(knots)).all()
    if searched == "values":
        assert np.isin(knots, x).all()


@given(seeds, st.sampled_from([1e-4, 1e-2]))
@examples(20)
def test_the_order_of_the_rows_does_not_matter(seed, margin):
    x, y = data(seed)
    order = np.random.default_rng(seed).permutation(len(x))
    options = {**SHORT, "margin": margin, "num_segments": 4}
    assert curvec.fit_pwl(x[order], y[order], **options).curve == curvec.fit_pwl(x, y, **options).curve


@given(seeds, st.integers(1, 3))
@examples(25)
def test_the_search_on_whole_numbers_is_exact(brute_force, seed, segments):
    rng = np.random.default_rng(seed)
    x = np.unique(rng.integers(0, 9, 6)).astype(float)
    y = rng.normal(size=len(x)).round(2)
    if len(x) < 3:
        return
    fit = curvec.fit_pwl(x, y, num_segments=segments, knots_on="auto", fx="identity", y_bounds=None)
    everywhere = np.arange(x[0], x[-1] + 1)
    best = brute_force(x, y, np.ones(len(x)), everywhere, segments)
    assert fit.optimal
    assert fit.lower_bound == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert set(fit.candidates) == set(everywhere)


WHOLE = np.arange(21.0)
REAL = np.linspace(0.0, 10.0, 2001)


@pytest.mark.parametrize(
    ("x", "y", "text"),
    [
        (WHOLE, 2 * WHOLE + 1, "(0, 1), (20, 41)"),
        (WHOLE, np.where(WHOLE < 7, 0.3, 1.7), "(6, 0.3), (7, 1.7)"),
        (WHOLE, np.full(21, 0.25), "(0, 0.25), (20, 0.25)"),
        (REAL + 1.2e-5, np.full(2001, 0.25), "(0, 0.25), (10, 0.25)"),
        (WHOLE, np.clip(WHOLE, 5, 12) / 10, "(5, 0.5), (12, 1.2)"),
        (WHOLE, np.abs(WHOLE - 7.5), "(0, 7.5), (7, 0.5), (8, 0.5), (20, 12.5)"),
        (WHOLE, 0.1 * WHOLE + 1e-4 * np.sin(WHOLE), "(0, 0), (20, 2)"),
        (REAL, 2 * REAL + 1, "(0, 1), (10, 21)"),
        (REAL, np.where(REAL < 4, 0.3, 1.7), "(3.995, 0.3), (4, 1.7)"),
        (REAL, np.clip(REAL, 2.5, 7), "(2.5, 2.5), (7, 7)"),
        (REAL + 0.0003, np.abs(REAL - 4), "(0, 4), (4, 0), (10, 6)"),
        (1000 * WHOLE, 3 - WHOLE / 10, "(0, 3), (20000, 1)"),
    ],
)
def test_the_text_is_what_a_person_would_write(x, y, text):
    fit = curvec.fit_pwl(x, y, **SHORT, fx="identity", y_bounds=(-50, 50))
    assert str(fit.curve) == f'PWLCurve("x", [{text}])'


def test_a_transform_that_says_nothing_is_left_out():
    """A step from one whole number to the next is the same on a logarithmic axis; a bend is not."""
    x = np.tile(np.arange(1.0, 8.0), 30)
    noise = np.where(x % 2, 1e-3, -1e-3)
    step = curvec.fit_pwl(x, np.where(x <= 2, 0.05, -0.02) + noise, num_segments=3, **{**SHORT, "margin": 0.1})
    assert str(step.curve) == 'PWLCurve("x", [(2, 0.05), (3, -0.02)])'
    bend = curvec.fit_pwl(x, np.log(x), num_segments=1, **SHORT)
    assert bend.curve.fx == "log"


def test_the_y_of_a_curve_share_their_last_decimal_place_and_have_the_fewest():
    x = np.linspace(0, 6, 500)
    shorter = [curvec.fit_pwl(x, np.sin(x), **{**SHORT, "margin": m}, y_bounds=None) for m in (1e-6, 1e-4, 1e-2)]

    def places(fit):
        return max(len(repr(y).partition(".")[2].rstrip("0")) for _, y in fit.curve.points)

    assert [places(fit) for fit in shorter] == sorted((places(fit) for fit in shorter), reverse=True)
    assert places(shorter[0]) >= 3 > 1 >= places(shorter[-1])


def test_required_knots_stay_and_pinned_ends_move_outwards_to_rounder_numbers():
    x = np.linspace(0.037, 9.981, 400)
    fit = curvec.fit_pwl(x, np.sin(x), **SHORT, num_segments=4, knots=[3.217], learn_ends=False)
    knots = [knot for knot, _ in fit.curve.points]
    assert (knots[0], knots[-1]) == (0, 10)
    assert 3.217 in knots
    own = curvec.fit_pwl(x, np.sin(x), **SHORT, num_segments=4, knots=[0.037], learn_ends=False).curve.points
    assert (own[0][0], own[-1][0]) == (0.037, 10)
    day = curvec.fit_pwl(x, np.cos(x), **SHORT, num_segments=4, periodic=True, learn_ends=False).curve.points
    assert (day[0][0], day[-1][0]) == (0.037, 9.981)


def test_of_a_logarithm_every_knot_is_inside_the_domain():
    x = np.geomspace(1e-4, 1e3, 500)
    fit = curvec.fit_pwl(x, np.clip(np.log(x), -4, 3), **SHORT, fx="log")
    assert all(knot > 0 for knot, _ in fit.curve.points)
    inside = curvec.fit_pwl(np.linspace(0.1, 0.9, 50), np.linspace(0, 1, 50), knots_on="whole")
    assert [point[0] for point in inside.curve.points] == [0, 1]
    with pytest.raises(curvec.InputError, match="fewer than two whole numbers are inside the domain of fx='log'"):
        curvec.fit_pwl(np.linspace(0.1, 0.9, 50), np.linspace(0, 1, 50), knots_on="whole", fx="log")


@pytest.mark.parametrize("whole", [True, False])
def test_many_rows_and_moments_have_short_texts(whole):
    rng = np.random.default_rng(5)
    x = rng.gamma(4.0, 5.0, 250_000)
    x = np.round(x) if whole else x
    y = np.sin(x / 10)
    fit = curvec.fit_pwl(x, y, **SHORT, num_segments=4)
    assert fit.shortening_loss <= 1e-3
    assert all(len(repr(number).removesuffix(".0")) <= 6 for point in fit.curve.points for number in point)
    assert all(knot == round(knot) for knot, _ in fit.curve.points) or not whole
    moments = curvec.Moments(np.arange(0.0, 60.0)).update(x, y)
    by_moments = moments.fit(digits="auto", margin=1e-3, num_segments=4)
    assert by_moments.shortening_loss <= 1e-3
    assert {knot for knot, _ in by_moments.curve.points} <= set(np.arange(60.0))


def test_the_path_is_short_too_and_a_fit_pickles():
    x = np.linspace(0, 6, 500)
    fit = curvec.fit_pwl(x, np.sin(x), **SHORT)
    assert all(a.sse >= b.sse for a, b in pairwise(fit.path) if b.num_segments < fit.num_segments)
    assert all(len(repr(y)) <= 7 for entry in fit.path for _, y in entry.curve.points)
    assert pickle.loads(pickle.dumps(fit)).curve == fit.curve  # noqa: S301 - made here


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"knots_on": "integers"}, "knots_on='integers'; use one of 'any', 'auto', 'values', 'whole', 'round'"),
        ({"digits": "few"}, "digits='few'; use 1 to 17 significant digits, 'auto' for the fewest that do or None"),
        ({"margin": 1.0}, "margin=1.0; it is a share of the shape's variance"),
        ({"margin": None}, "margin=None; it must be a share"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(curvec.InputError, match=message):
        curvec.fit_pwl([0.0, 1.0], [0.0, 1.0], **options)


def test_among_many_whole_numbers_a_knot_need_not_be_one_that_occurs():
    rng = np.random.default_rng(2)
    income = np.unique(rng.integers(8_000, 250_000, 4_000)).astype(float)
    fit = curvec.fit_pwl(income, np.clip(income, 40_321, 127_345), **SHORT, fx="identity")
    assert all(knot % 1000 == 0 for knot, _ in fit.curve.points)
