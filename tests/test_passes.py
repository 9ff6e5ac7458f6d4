"""Every pass keeps the value of the model, and does what its name says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from strategies import models, rows

from curvec import CurveModel, EnumCurve, Line, PWLCurve, StepCurve
from curvec.passes import PASSES, drop_collinear_knots, fold_constants, merge_curves, simplify


@pytest.mark.parametrize("name", PASSES)
@examples(12)
@given(data=st.data())
def test_a_pass_keeps_the_value_everywhere(name, data) -> None:
    model = data.draw(models())
    table = data.draw(rows(model))
    before, after = model.eval(table), PASSES[name](model).eval(table)
    with np.errstate(invalid="ignore", over="ignore"):
        scale = sum(np.nan_to_num(np.abs(column), posinf=0) for column in model.contributions(table).T) + 100
        same = (np.abs(before - after) <= 1e-9 * scale) | (before == after) | (np.isnan(before) & np.isnan(after))
    if name == "merge_curves":  # lines have no ends: their sums overflow far out, in another order where they are one
        far = [np.abs(np.ma.getdata(table[f.name])) > 1e300 for f in model.features if f.type == "number"]
        finite = np.isfinite(before) & np.isfinite(after)
        same |= ~finite & np.any(far, axis=0) if far and "Line(" in repr(model) else False
    assert same.all(), (before[~same], after[~same])


def test_constants_are_folded_and_one_term_stays() -> None:
    flat = StepCurve("x", [1.0], [2.0, 2.0], 2.0)
    curve = PWLCurve("y", [(0, 0), (1, 1)])
    assert fold_constants(CurveModel("m", [flat, curve], 1.0)).intercept == 3.0
    assert fold_constants(CurveModel("m", [flat, curve], 1.0)).terms == (curve,)
    assert fold_constants(CurveModel("m", [flat, flat], 1.0)).terms == (flat,)
    says_missing = StepCurve("x", [1.0], [2.0, 2.0])  # a missing x is not 2
    assert fold_constants(CurveModel("m", [says_missing, curve])).terms == (says_missing, curve)


def test_collinear_knots_and_idle_cuts_go() -> None:
    straight = PWLCurve("x", [(0, 0), (1, 1), (2, 2), (3, 2), (4, 2)])
    step = StepCurve("x", [0.0, 1.0, 2.0], [1.0, 1.0, 2.0, 2.0])
    model = drop_collinear_knots(CurveModel("m", [straight, step]))
    assert model.terms[0].points == ((0, 0), (2, 2))
    assert model.terms[1] == StepCurve("x", [1.0], [1.0, 2.0])


def test_curves_of_one_feature_are_merged() -> None:
    one = PWLCurve("x", [(0, 0), (2, 2)], missing=1.0)
    two = PWLCurve("x", [(1, 5), (3, 1)], missing=2.0)
    logged = PWLCurve("x", [(1, 5), (3, 1)], "log")
    model = merge_curves(CurveModel("m", [one, logged, two]))
    assert model.terms == (PWLCurve("x", [(0, 5), (1, 6), (2, 5), (3, 3)], missing=3.0), logged)
    left, right = EnumCurve("c", {1: 1.0, 2: 2.0}, 0.5), EnumCurve("c", {2: 1.0, 3: 4.0}, 0.25, 0.0)
    merged = merge_curves(CurveModel("m", [left, right])).terms
    assert merged == (EnumCurve("c", {1: 1.25, 2: 3.0, 3: 4.5}, 0.75, None),)


def test_sums_and_multiples_of_decimals_are_decimals() -> None:
    left = CurveModel(
        "m", [PWLCurve("x", [(0, -0.53), (10, 0.1)], missing=0.1, special={-9: 0.7}), Line("z", 0.1)], -0.53
    )
    right = CurveModel(
        "m", [PWLCurve("x", [(0, -0.3), (3, 0.2)], missing=0.2, special={-9: 0.1}), Line("z", 0.2)], -0.3
    )
    found = left.plus(right)
    curve = PWLCurve("x", [(0, -0.83), (3, -0.141), (10, 0.3)], missing=0.3, special={-9: 0.8})
    assert (found.terms, found.intercept) == ((curve, Line("z", 0.3)), -0.83)
    table = 3 * EnumCurve("g", {"u": 0.1, "v": 0.7}, default=-0.1)
    assert table == EnumCurve("g", {"u": 0.3, "v": 2.1}, default=-0.3)
    third = 3 * StepCurve("s", [1], [1 / 3, 0.1234567890123456])  # no short decimals
    assert third.values == (1.0, 3 * 0.1234567890123456)
    constants = CurveModel("m", [EnumCurve("g", {"u": 0.1}, 0.1, 0.1), Line("z", 0.1)], 0.2)
    assert fold_constants(constants).intercept == 0.3


def test_simplify_runs_all_of_them() -> None:
    up, down = PWLCurve("x", [(0, 0), (1, 1)], missing=0.5), PWLCurve("x", [(0, 1), (1, 0)], missing=0.5)
    model = simplify(CurveModel("m", [up, down, PWLCurve("y", [(0, 0), (1, 1)])]))
    assert [term.input for term in model.terms] == ["y"]
    assert model.intercept == 1.0
