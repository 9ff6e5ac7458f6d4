"""Edits mean what they say, leave what they edit alone, and are checked as any new model is."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nightly import examples
from strategies import models, numbers, pwl_curves, rows, step_curves

from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum, emit
from curvec.ir import changed
from curvec.spelling import decimals, to_decimals

AGE = PWLCurve("age", [(18, 3.0), (21, 0.5), (46, -0.7)], fx="log", missing=0.1)
PRIORS = StepCurve("priors", [1, 4, 9], [-0.8, -0.4, 0.3, 2.0], missing=0.0)
RACE = EnumCurve("race", {"a": 1.0, "b": -1.0}, default=0.25, missing=0.5)


@given(
    st.one_of(pwl_curves(st.just("x")), step_curves(st.just("x"))),
    st.lists(numbers(), min_size=2, max_size=2, unique=True),
    st.lists(numbers(2e6), max_size=20),
)
def test_capping_is_clamping_the_input(curve: Any, bounds: list[float], values: list[float]) -> None:
    low, high = sorted(bounds)
    model = CurveModel("m", [curve])
    x = np.array([*values, *curve.breaks, low, high, -math.inf, math.inf, math.nan])
    special = getattr(curve, "special", {})
    line = CurveModel("m", [changed(curve, special={})]) if special else model
    codes = np.isin(x, list(special))  # a special code has its own value, inside and beyond

    def clamped(inside: np.ndarray) -> np.ndarray:
        return np.where(codes, model.eval({"x": x}), line.eval({"x": inside}))

    try:
        capped = model.cap("x", above=high, below=low)
    except InputError as error:
        assume("finite slope" not in str(error))
        idle = np.minimum(x, high) if str(error).startswith("above=") else np.maximum(x, low)
        if "changes nothing" in str(error) and np.array_equal(clamped(idle), model.eval({"x": x}), equal_nan=True):
            return
        raise
    expected, found = clamped(np.clip(x, low, high)), capped.eval({"x": x})
    rounding = (
        0.005 * np.ptp(ys(curve)) * isinstance(curve, PWLCurve)
    )  # a value at a bound has three digits of the range
    assert np.allclose(expected, found, rtol=0, atol=rounding + 1e-9 * max(map(abs, ys(curve))), equal_nan=True)


def test_capping_reaches_every_curve_of_the_feature() -> None:
    curve = PWLCurve("x", [(0, 0), (10, 1)])
    deep = Product([Sum([curve, Line("y")]), PWLCurve(Sum([curve]), [(0, 0), (1, 1)]), EnumCurve("k", {1: 2})])
    short = PWLCurve("x", [(0, 0), (5, 0.5)])
    capped = CurveModel("m", [deep, curve]).cap("x", above=5)
    assert capped == CurveModel(
        "m",
        [Product([Sum([short, Line("y")]), PWLCurve(Sum([short]), [(0, 0), (1, 1)]), EnumCurve("k", {1: 2})]), short],
    )


def walk(terms: Any) -> list[Any]:
    return [node for term in terms for node in [term, *walk(term.children)]]


def ys(term: Any) -> list[float]:
    return [y for _, y in term.points] if isinstance(term, PWLCurve) else list(getattr(term, "values", ()))


@pytest.mark.parametrize("x", [-1.0, 0.0, 1.0, 3.5, 4.0, 9.0, 30.0, math.nan])
@pytest.mark.parametrize(
    "bounds", [(None, 8), (2, None), (1, 8.5), (None, -5), (9, None), (50, None), (4, 8), (None, 0.5)]
)
def test_a_capped_step_curve_is_the_clamped_one_to_the_bit(x: float, bounds: tuple[Any, Any]) -> None:
    model = CurveModel("m", [PRIORS])
    below, above = bounds
    clamped = np.clip(x, -math.inf if below is None else below, math.inf if above is None else above)
    found = model.cap("priors", above=above, below=below).eval({"priors": [x]})
    assert np.array_equal(found, model.eval({"priors": [clamped]}), equal_nan=True)


def test_a_capped_curve_ends_at_the_bound() -> None:
    curve = PWLCurve("x", [(0, 0), (10, 1), (20, 5)], note="kept", missing=2)
    model = CurveModel("m", [curve, Line("y")])
    assert model.cap("x", above=15).terms[0] == PWLCurve("x", [(0, 0), (10, 1), (15, 3)], note="kept", missing=2)
    assert model.cap("x", below=5, above=10).terms[0].points == ((5, 0.5), (10, 1))
    assert model.cap("x", above=-1).terms[0].points == ((0, 0), (20, 0))
    assert model.cap("x", below=25).terms[0].points == ((0, 5), (20, 5))
    assert model.cap("y", below=0, above=1).terms[1] == PWLCurve("y", [(0, 0), (1, 1)])
    assert model.terms[0] == curve


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"feature": "age"}, "give one bound, or two"),
        ({"feature": "age", "above": math.nan}, "above is nan; it must be finite"),
        ({"feature": "age", "above": math.inf}, "above is inf; it must be finite"),
        ({"feature": "age", "above": "50"}, "above is '50'; it must be a number"),
        ({"feature": "age", "above": 1, "below": 2}, "give one bound, or two"),
        ({"feature": "sex", "above": 1}, "no term of model 'm' uses 'sex'; it uses 'age', 'race', 'raw'"),
        ({"feature": "race", "above": 1}, "'race' is one of categories"),
        ({"feature": "raw", "above": 1}, "'raw' is capped on one side only"),
    ],
)
def test_caps_that_mean_nothing_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        CurveModel("m", [AGE, RACE, Line("raw")]).cap(**arguments)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda m: m.cap("age", above=46), "above=46 changes nothing: the score depends on 'age' from 18 to 46 only"),
        (lambda m: m.cap("age", below=18, above=30), "below=18 changes nothing"),
        (lambda m: m.cap("age", below=20, above=80), "above=80 changes nothing"),
        (lambda m: m.cap("priors", above=9), "above=9 changes nothing: the score depends on 'priors' from 1 to 9 only"),
        (lambda m: m.cap("priors", below=0.5), "below=0.5 changes nothing"),
        (lambda m: m.rename({}), "renames no feature"),
        (lambda m: m.rename({"age": "age"}), "renames no feature"),
        (lambda m: m.replace("age", AGE), "the new term is the old one"),
        (lambda m: m.drop("sex"), "no term of model 'm' uses 'sex'"),
    ],
)
def test_an_edit_without_effect_says_so(edit: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        edit(CurveModel("m", [AGE, PRIORS, RACE]))


def test_what_is_already_so_stays_as_it_is() -> None:
    """An edit that says how the result shall be, and not what to change, may find it so."""
    model = CurveModel("m", [AGE, PRIORS, RACE], 0.25)
    assert model.round(4) == model
    assert model.drop_unused() == model
    assert AGE.monotone("decreasing") == AGE
    assert PRIORS.monotone() == PRIORS


def test_dropping_a_feature_takes_its_terms_its_interactions_and_its_column() -> None:
    nested = PWLCurve(Sum([RACE, AGE]), [(0, 0), (1, 1)])
    pair = Product([Sum([RACE, AGE], "left"), PRIORS])
    model = CurveModel("m", [AGE, RACE, Product([RACE, PRIORS]), nested, pair, Sum([RACE])], 0.5)
    dropped = model.drop("race")
    assert dropped.terms == (
        AGE,
        PWLCurve(Sum([AGE]), [(0, 0), (1, 1)]),
        Product([Sum([AGE], "left"), PRIORS]),
    )
    assert dropped.features == (Feature("age"), Feature("priors"))
    assert dropped.intercept == 0.5


def test_recentring_keeps_the_weighted_mean() -> None:
    model = CurveModel("m", [AGE, RACE, Product([Sum([RACE, PRIORS]), AGE])], 0.5)
    rng = np.random.default_rng(0)
    table = {
        "age": rng.uniform(15, 60, 200),
        "race": rng.choice(["a", "b", "c", None], 200),
        "priors": rng.integers(0, 12, 200),
    }
    weights = rng.uniform(0, 2, 200)
    plain, weighted = model.drop("race", recentre=table), model.drop("race", recentre=table, weights=weights)
    expected = np.average(model.eval(table), weights=weights)
    # Values have two decimals, and so has the intercept then.
    assert np.mean(plain.eval(table)) == pytest.approx(np.mean(model.eval(table)), abs=0.005)
    assert np.average(weighted.eval(table), weights=weights) == pytest.approx(expected, abs=0.005)
    assert plain.intercept == round(plain.intercept, 2) != model.intercept
    exact = changed(model, terms=[AGE.with_ordinates([3.0, 1 / 3, -0.7]), *model.terms[1:]])
    kept = exact.drop("race", recentre=table)
    assert np.mean(kept.eval(table)) == pytest.approx(np.mean(exact.eval(table)), rel=1e-12)


@given(models().flatmap(lambda model: rows(model, count=10).map(lambda table: (model, table))))
@examples(12)
def test_renaming_changes_names_and_nothing_else(case: tuple[CurveModel, Any]) -> None:
    model, table = case
    names = {feature.name: f"column {place}" for place, feature in enumerate(model.features)}
    renamed = model.rename(names)
    assert [feature.name for feature in renamed.features] == list(names.values())
    moved = {names[name]: values for name, values in table.items()}
    assert renamed.contributions(moved).tobytes() == model.contributions(table).tobytes()
    assert renamed.rename({new: old for old, new in names.items()}) == model


def test_names_can_change_places_and_cannot_become_one() -> None:
    model = CurveModel("m", [AGE, PRIORS])
    swapped = model.rename({"age": "priors", "priors": "age"})
    assert [term.input for term in swapped.terms] == ["priors", "age"]
    with pytest.raises(InputError, match=r"two features would be called 'age'; names must differ"):
        model.rename({"priors": "age"})
    with pytest.raises(InputError, match=r"model 'm' has no feature 'agee'; it has 'age', 'priors'"):
        model.rename({"agee": "x"})


def test_columns_that_no_term_uses_can_go_one_by_one_or_all() -> None:
    model = CurveModel("m", [AGE], features=[Feature("race", "str"), Feature("age"), Feature("sex", "str")])
    assert model.drop("race").features == (Feature("age"), Feature("sex", "str"))
    assert model.drop("race").terms == model.terms
    assert model.drop_unused().features == (Feature("age"),)
    assert "race" not in emit(model.drop_unused(), "python")


def test_drops_that_cannot_be_are_refused() -> None:
    model = CurveModel("m", [EnumCurve("race", {"a": 1.0}), AGE])
    with pytest.raises(InputError, match="no term of model 'm' uses 'sex'"):
        model.drop("sex")
    with pytest.raises(InputError, match="nothing would be left"):
        CurveModel("m", [AGE]).drop("age")
    with pytest.raises(InputError, match="declare their missing values"):
        model.drop("race", recentre={"race": ["z"], "age": [20]})
    with pytest.raises(InputError, match="every weight is 0; give some row a positive weight"):
        model.drop("race", recentre={"race": ["a"], "age": [20]}, weights=[0])


def test_replacing_a_term_by_its_feature_or_itself() -> None:
    model = CurveModel("m", [AGE, PRIORS, Product([AGE, RACE])])
    flat = PWLCurve("age", [(18, 0), (46, 0)])
    assert model.replace("age", flat).terms == (flat, *model.terms[1:])
    other = model.replace(PRIORS, EnumCurve("priors", {0: 1.0}) + Line("new"))
    assert other.features == (Feature("age"), Feature("priors", "int"), Feature("race", "str"), Feature("new"))
    with pytest.raises(InputError, match="0 terms of model 'm' are of the feature 'race' alone"):
        model.replace("race", flat)
    with pytest.raises(InputError, match="2 terms of model"):
        CurveModel("m", [AGE, AGE]).replace("age", flat)
    with pytest.raises(InputError, match="used as str and as number"):
        model.replace("age", EnumCurve("priors", {"a": 1}))


@given(models(), st.integers(1, 17))
@examples(12)
def test_rounded_numbers_have_so_many_digits(model: CurveModel, digits: int) -> None:
    try:
        rounded = model.round(digits)
    except InputError as error:
        assert "keep more digits" in str(error)  # noqa: PT017  either outcome is right
        return
    assert rounded.round(digits) == rounded
    assert [type(term) for term in walk(rounded.terms)] == [type(term) for term in walk(model.terms)]
    for node in walk(rounded.terms):
        for value in [*ys(node), *(x for x, _ in getattr(node, "points", ())), *getattr(node, "cuts", ())]:
            assert len(f"{value:.17g}".split("e")[0].replace("-", "").replace(".", "").strip("0")) <= 17
            assert float(f"{value:.{digits}g}") == value
    if digits == 17:
        assert rounded == model


def test_rounding_says_what_is_wrong() -> None:
    assert PWLCurve("a", [(1.04, 2.06), (3.14159, 0.5)], missing=1.234).round(2) == PWLCurve(
        "a", [(1, 2.1), (3.1, 0.5)], missing=1.2
    )
    with pytest.raises(InputError, match=r"rounding to 1 digit: .*strictly increasing; keep more digits"):
        PWLCurve("a", [(101, 0), (102, 1)]).round(1)
    for digits in (0, 18, 2.5, True):
        with pytest.raises(InputError, match="1 to 17 significant digits"):
            Line("a").round(digits)


@given(st.one_of(pwl_curves(st.just("x")), step_curves(st.just("x"))), st.sampled_from(["increasing", "decreasing"]))
def test_monotone_is_the_least_squares_monotone_curve(curve: Any, direction: str) -> None:
    fitted = curve.monotone(direction)
    y, found = (np.array(ys(c)) for c in (curve, fitted))
    sign = 1 if direction == "increasing" else -1
    assert np.all(np.diff(sign * found) >= 0)
    # max-min formula of isotonic regression, by brute force over blocks
    means = [[np.mean(sign * y[min(a, b) : b + 1]) for b in range(len(y))] for a in range(len(y))]
    expected = [max(min(means[a][b] for b in range(k, len(y))) for a in range(k + 1)) for k in range(len(y))]
    assert np.allclose(sign * found, expected, rtol=1e-12, atol=1e-9)
    if np.all(np.diff(sign * y) >= 0):
        assert fitted == curve
    assert (fitted.input, fitted.missing) == (curve.input, curve.missing)


def test_monotone_without_a_direction_takes_the_nearer_one() -> None:
    curve = PWLCurve("x", [(0, 5), (1, 4), (2, 4.5), (3, 0)])
    assert curve.monotone().points == ((0, 5), (1, 4.25), (2, 4.25), (3, 0))
    huge = PWLCurve("x", [(x, y * 1e300) for x, y in curve.points])  # the squares of which no double holds
    assert huge.monotone().direction == "decreasing"
    with pytest.raises(InputError, match="direction='up'"):
        curve.monotone("up")


def test_the_mean_of_decimals_has_their_digits() -> None:
    assert PWLCurve("a", [(0, 0.3), (1, 0.1), (2, 0.7)]).monotone("increasing").ordinates == (0.2, 0.2, 0.7)
    steps = StepCurve("a", [1, 2, 3], [0.1, 0.2, 0.7, 0.6])
    assert set(steps.monotone("decreasing").ordinates) == {0.4}


@pytest.mark.parametrize(
    ("curve", "bounds", "text"),
    [
        (PWLCurve("x", [(0, -0.115), (10, 0.285)]), {"above": 5}, "[(0, -0.115), (5, 0.085)]"),
        (PWLCurve("x", [(1, 0.1), (3, 0.7)], fx="log"), {"above": 2}, '[(1, 0.1), (2, 0.479)], fx="log"'),
        (PWLCurve("x", [(0, 0.1), (4, 0.4)]), {"below": 1, "above": 3}, "[(1, 0.175), (3, 0.325)]"),
        (PWLCurve("x", [(0, 10), (4, 37)]), {"below": 1}, "[(1, 16.8), (4, 37)]"),
        (PWLCurve("x", [(0, 1), (4, 1e300)]), {"above": 2}, "[(0, 1), (2, 5e+299)]"),
        (Line("x", 0.1), {"below": 0.3, "above": 3}, "[(0.3, 0.03), (3, 0.3)]"),
    ],
)
def test_a_capped_curve_keeps_its_decimals(curve, bounds, text) -> None:
    """As the page has it; a bound is a point of the text, and no reader wants sixteen digits there."""
    (term,) = CurveModel("m", [curve]).cap("x", **bounds).terms
    assert str(term) == f'PWLCurve("x", {text})'


@given(value=st.floats(-1e15, 1e15), places=st.integers(0, 20))
def test_rounding_to_decimals_is_exact(value, places) -> None:
    exact, rounded = Fraction(value), to_decimals(value, places)
    near = Fraction(math.floor(abs(exact) * 10**places + Fraction(1, 2)), 10**places) * (1 if value >= 0 else -1)
    assert rounded == float(near)
    assert decimals([rounded]) <= max(places, decimals([value]))
