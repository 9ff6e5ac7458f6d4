"""How far each term moves the score: by hand, whatever stands in the intercept."""

from __future__ import annotations

import math

import numpy as np
import pytest

from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve
from curvec.review.importance import importances, ranked

RNG = np.random.default_rng(0)
ROWS = {"x": RNG.uniform(0, 10, 50), "k": RNG.choice(np.array(["a", "b"], dtype=object), 50)}
MODEL = CurveModel(
    "m",
    [
        PWLCurve("x", [(0, 100), (10, 101)]),
        EnumCurve("k", {"a": 2.0, "b": -2.0}),
        StepCurve("x", [5], [0, 3]),
        Product([PWLCurve("x", [(0, 0), (10, 1)]), EnumCurve("k", {"a": 0.5, "b": -0.5})]),
    ],
)


def test_it_is_the_mean_distance_from_the_terms_own_mean() -> None:
    w = RNG.uniform(0, 2, 50)
    found = importances(MODEL, ROWS, w)
    assert [(one.label, one.terms) for one in found] == [("x", (0, 2)), ("k", (1,)), ("x * k", (3,))]
    values = [100 + ROWS["x"] / 10 + 3 * (ROWS["x"] >= 5), np.where(ROWS["k"] == "a", 2.0, -2.0)]
    values.append(ROWS["x"] / 10 * np.where(ROWS["k"] == "a", 0.5, -0.5))
    for one, value in zip(found, values, strict=True):
        assert one.mean_size == pytest.approx(np.average(np.abs(value - np.average(value, weights=w)), weights=w))
        used = value[w > 0]
        assert (one.low, one.high) == pytest.approx((used.min(), used.max()))
    assert ranked(found) == [1, 0, 2]


def test_without_rows_it_is_the_span_over_every_input() -> None:
    found = importances(MODEL)
    assert [one.size for one in found] == [4, 4, 1]
    assert ranked(found) == [0, 1, 2]  # equals stay in the order of the model
    (raw,) = importances(CurveModel("m", [Line("x")]))
    assert raw.size == math.inf


def test_what_has_no_value_or_never_moves_counts_nothing() -> None:
    (one,) = importances(CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])]), {"x": np.full(3, np.nan)})
    assert (one.size, one.span) == (0.0, 0.0)
    (one,) = importances(CurveModel("m", [StepCurve("x", [1], [1e308, -1e308])]), {"x": np.array([0.0, 1.0])})
    assert one.size == 1e308
    with pytest.raises(InputError, match="'x' is missing"):
        importances(MODEL, {"k": ROWS["k"]})
    assert importances(CurveModel("m", [])) == ()
