"""The numeric contract, point by point, on the reference evaluator."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.contract import EXACT_INTEGERS, EXACT_SINGLES, GROUP, grouped_sum, segment_slope
from curvec.links import LINKS
from curvec.transforms import TRANSFORMS

DOMAIN = {"identity": -1e6, "log": 1e-3, "log1p": -0.999, "symlog1p": -1e6}


@st.composite
def curves(draw: st.DrawFn, *, monotone: bool = False, fx: str | None = None) -> PWLCurve:
    """Curves of 2 to 7 points, with steep, flat and far segments."""
    fx = fx or draw(st.sampled_from(sorted(TRANSFORMS)))
    x = draw(st.lists(st.floats(DOMAIN[fx], 1e6), min_size=2, max_size=7, unique=True))
    y = draw(st.lists(st.floats(-1e3, 1e3), min_size=len(x), max_size=len(x)))
    y = sorted(y) if monotone else y
    try:
        return PWLCurve("x", list(zip(sorted(x), y, strict=True)), fx)
    except InputError:  # points too close for a finite slope: refused, and that is tested elsewhere
        return PWLCurve("x", [(1.0, y[0]), (2.0, y[1])], fx)


def values(curve: PWLCurve | StepCurve | EnumCurve, x: object) -> np.ndarray:
    return CurveModel("m", [curve]).contributions({"x": x})[:, 0]


def neighbours(x: float, reach: int = 3) -> list[float]:
    found = [x]
    low = high = x
    for _ in range(reach):
        low, high = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
        found += [low, high]
    return sorted(found)


@given(curves())
def test_a_curve_passes_exactly_through_its_points(curve: PWLCurve) -> None:
    x, y = zip(*curve.points, strict=True)
    assert values(curve, list(x)).tolist() == list(y)


@given(curves(), st.data())
def test_between_two_points_it_stays_between_their_y(curve: PWLCurve, data: st.DataObject) -> None:
    for (x0, y0), (x1, y1) in zip(curve.points, curve.points[1:], strict=False):
        inside = data.draw(st.lists(st.floats(x0, x1), min_size=5, max_size=5))
        close = [v for v in neighbours(x0) + neighbours(x1) if x0 <= v <= x1]
        got = values(curve, inside + close)
        slack = 0.0
        if curve.fx != "identity":  # there as far as fx of neighbouring doubles is in order: two ULP of u, in y
            u = TRANSFORMS[curve.fx].forward(np.array([x0, x1]))
            slack = abs(y1 - y0) * 4 * math.ulp(abs(u).max()) / (u[1] - u[0]) + math.ulp(max(abs(y0), abs(y1)))
        assert ((min(y0, y1) - slack <= got) & (got <= max(y0, y1) + slack)).all()


@given(curves(monotone=True, fx="identity"), st.data())
def test_an_increasing_curve_increases_for_adjacent_doubles(curve: PWLCurve, data: st.DataObject) -> None:
    low, high = curve.points[0][0] - 1, curve.points[-1][0] + 1
    anywhere = data.draw(st.lists(st.floats(low, high), min_size=20, max_size=20))
    x = sorted({v for x in [*anywhere, *(x for x, _ in curve.points)] for v in neighbours(x)})
    assert (np.diff(values(curve, x)) >= 0).all()


@given(curves())
def test_outside_its_points_it_is_constant(curve: PWLCurve) -> None:
    first, last = curve.points[0], curve.points[-1]
    below, above = math.nextafter(first[0], -math.inf), math.nextafter(last[0], math.inf)
    assert values(curve, [below, -1e300, -math.inf]).tolist() == [first[1]] * 3
    assert values(curve, [above, 1e300, math.inf]).tolist() == [last[1]] * 3


@given(curves())
def test_between_points_it_is_the_line_in_u(curve: PWLCurve) -> None:
    mpmath.mp.dps = 40
    fx = {
        "identity": mpmath.mpf,
        "log": lambda v: mpmath.log(mpmath.mpf(v)),
        "log1p": lambda v: mpmath.log1p(mpmath.mpf(v)),
        "symlog1p": lambda v: mpmath.sign(v) * mpmath.log1p(abs(mpmath.mpf(v))),
    }[curve.fx]
    for (x0, y0), (x1, y1) in zip(curve.points, curve.points[1:], strict=False):
        x = x0 + (x1 - x0) / 3
        if not x0 < x < x1:
            continue
        t = (fx(x) - fx(x0)) / (fx(x1) - fx(x0))
        exact = y0 + t * (mpmath.mpf(y1) - y0)
        # u is rounded: its error, relative to the segment's length in u, is the error of t
        slack = 8 * 2.0**-52 * (abs(fx(x0)) + abs(fx(x1))) / (fx(x1) - fx(x0)) + 8 * 2.0**-52
        subnormal = 5e-324 * (4 + fx(x1) - fx(x0))  # a subnormal slope is rounded to a multiple of 5e-324
        bound = slack * abs(y1 - y0) + 4 * 2.0**-52 * (abs(y0) + abs(y1)) + subnormal
        assert abs(values(curve, [x])[0] - exact) <= bound


@given(st.floats(-1e300, 1e300), st.floats(1e-300, 1e300), st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_the_slope_is_the_largest_that_does_not_overshoot(u0: float, du: float, y0: float, y1: float) -> None:
    u1 = u0 + du
    try:
        slope = segment_slope(u0, y0, u1, y1)
    except InputError:
        assert u1 == u0 or not math.isfinite((y1 - y0) / (u1 - u0))
        return
    reached = y0 + slope * (u1 - u0)
    assert min(y0, y1) <= reached <= max(y0, y1)
    quotient = (y1 - y0) / (u1 - u0)
    if slope != quotient:
        one_more = math.nextafter(slope, quotient)
        assert not min(y0, y1) <= y0 + one_more * (u1 - u0) <= max(y0, y1)


def test_points_too_close_for_a_finite_slope_are_refused() -> None:
    with pytest.raises(InputError, match="no finite slope"):
        PWLCurve("x", [(0.0, 0.0), (5e-324, 1.0)])
    with pytest.raises(InputError, match="no finite slope"):
        PWLCurve("x", [(1e16, 0.0), (1e16 + 2, 1.0)], "log")


@pytest.mark.parametrize("missing", [None, -0.5])
@pytest.mark.parametrize("curve", [PWLCurve("x", [(0, 1), (1, 2)]), StepCurve("x", [0.5], [1, 2])])
def test_a_missing_x_gives_the_missing_value(curve: PWLCurve | StepCurve, missing: float | None) -> None:
    curve = type(curve)(curve.input, *(getattr(curve, f) for f in curve.__struct_fields__[1:3]), missing=missing)
    got = values(curve, [None, math.nan, 0.0])
    expected = math.nan if missing is None else missing
    np.testing.assert_array_equal(got, [expected, expected, 1.0])


def test_a_step_at_its_cut_belongs_to_the_right() -> None:
    curve = StepCurve("x", [1.0, 2.0], [10, 20, 30])
    x = [math.nextafter(1, 0), 1.0, math.nextafter(2, 0), 2.0, -math.inf, math.inf]
    assert values(curve, x).tolist() == [10, 20, 20, 30, 10, 30]


@pytest.mark.parametrize(
    ("default", "missing", "expected"), [(None, None, [1, math.nan, math.nan]), (7.0, 8.0, [1, 7, 8])]
)
def test_an_unseen_category_gives_the_default(default: float, missing: float, expected: list[float]) -> None:
    curve = EnumCurve("x", {"a": 1.0}, default, missing)
    np.testing.assert_array_equal(values(curve, ["a", "A", None]), expected)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=120), st.floats(-1e6, 1e6))
def test_a_sum_is_made_in_groups_of_25(terms: list[float], start: float) -> None:
    expected_groups = []
    for first in range(0, len(terms), 25):
        acc = start if first == 0 else None
        for value in terms[first : first + 25]:
            # the exact sum of two doubles, rounded once: what IEEE addition is
            acc = value if acc is None else float(Fraction(acc) + Fraction(value))
        expected_groups.append(acc)
    expected = expected_groups[0]
    for group in expected_groups[1:]:
        expected = float(Fraction(expected) + Fraction(group))
    assert GROUP == 25
    assert grouped_sum([np.array([v]) for v in terms], start)[0] == expected


def test_sums_products_and_nesting_mean_what_they_say() -> None:
    data = {"c": [1, 2, 9], "d": ["a", "b", "a"], "x": [0.5, 1.0, 2.0]}
    curve = PWLCurve("x", [(0, 0), (1, 10)])
    product = Product([Sum([EnumCurve("c", {1: 2.0, 2: 3.0}), EnumCurve("d", {"a": 1.0, "b": -1.0})]), curve])
    nested = PWLCurve(Sum([Line("x"), curve]), [(0, 0), (100, 1)], missing=5)
    got = CurveModel("m", [product, nested, Line("x")]).contributions(data)
    np.testing.assert_array_equal(got[:, 0], [(2 + 1) * 5, (3 - 1) * 10, math.nan])
    np.testing.assert_allclose(got[:, 1], [0.055, 0.11, 0.12], rtol=1e-15)
    assert got[:, 2].tolist() == data["x"]


@given(st.one_of(st.floats(1e-320, 1e300), st.floats(-0.9999999999, 10)))
def test_log1p_is_within_two_ulp(x: float) -> None:
    mpmath.mp.dps = 60
    got = float(TRANSFORMS["log1p"].forward(np.array([x]))[0])
    exact = mpmath.log1p(mpmath.mpf(x))
    assert abs(got - exact) <= 2 * math.ulp(float(exact))


def test_log_is_the_platforms() -> None:
    x = np.geomspace(1e-300, 1e300, 999)
    assert TRANSFORMS["log"].forward(x).tolist() == [math.log(v) for v in x]


@pytest.mark.parametrize("score", [0.0, 1e-9, -3.0, 36.0, -37.0, 700.0, -700.0, 1e308, -1e308, math.inf, -math.inf])
def test_the_logistic_link_is_finite_and_accurate(score: float) -> None:
    mpmath.mp.dps = 400
    got = LINKS["logit"].inverse(np.array([score]))[0]
    bounded = max(-700.0, min(700.0, score))
    exact = 1 / (1 + mpmath.exp(-mpmath.mpf(bounded)))
    assert abs(got - exact) <= 4 * math.ulp(float(exact))
    assert 0 < got <= 1


def test_links_keep_a_missing_score() -> None:
    for entry in LINKS.values():
        assert math.isnan(entry.inverse(np.array([math.nan]))[0])


@pytest.mark.parametrize("name", sorted(TRANSFORMS))
def test_transforms_invert(name: str) -> None:
    entry = TRANSFORMS[name]
    x = np.linspace(max(DOMAIN[name], -50), 50, 101)
    np.testing.assert_allclose(entry.inverse(entry.forward(x)), x, rtol=1e-12, atol=1e-13)
    assert (np.diff(entry.forward(x)) > 0).all()


@pytest.mark.parametrize(("most", "kind"), [(EXACT_INTEGERS, np.float64), (EXACT_SINGLES, np.float32)])
def test_beyond_the_largest_exact_integer_comes_one_that_is_not(most, kind):
    assert all(int(kind(whole)) == whole for whole in (most - 1, most, -most))
    assert int(kind(most + 1)) != most + 1
