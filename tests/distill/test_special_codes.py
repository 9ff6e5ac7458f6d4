"""Special codes of a column: asked for, found by themselves, and what a curve is with and without them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import curvec
from curvec import CurveModel, InputError, PWLCurve, StepCurve

RNG = np.random.default_rng(5)
CODES = {-9: 0.7, -8: -1.2, -7: 0.1}
MONTHS = RNG.choice([*CODES, *range(61)], 4000, p=[0.05] * 3 + [0.85 / 61] * 61).astype(float)
RAMP = CurveModel(
    "ramp", [StepCurve("months", [-8.5, -7.5, -3, *range(1, 61)], [*CODES.values(), *np.arange(61) / 20])]
)


def test_a_ramp_with_three_codes_is_one_segment() -> None:
    found = curvec.distill(RAMP, {"months": MONTHS}, num_segments=1)
    (term,) = found.model.terms
    assert isinstance(term, PWLCurve)
    assert list(term.special_codes) == [-9, -8, -7]
    np.testing.assert_allclose(found.model.eval({"months": MONTHS}), RAMP.eval({"months": MONTHS}), atol=0.02)
    assert found.report.curves[0].unexplained < 1e-4
    assert curvec.distill(RAMP, {"months": MONTHS}, num_segments=1, margin=0).report.curves[0].unexplained < 1e-12
    assert "-9, -8, -7 are special codes" in " ".join(found.report.curves[0].notes)
    within = curvec.distill(RAMP, {"months": MONTHS}, num_segments=1, overrides={"months": {"special": ()}})
    assert within.report.curves[0].unexplained > 0.05


def test_codes_are_what_is_asked_for() -> None:
    found = curvec.distill(RAMP, {"months": MONTHS}, num_segments=3, overrides={"months": {"special": [-9, 30, 400]}})
    (term,) = found.model.terms
    assert list(term.special_codes) == [-9, 30]  # what no row has gets no value
    assert term(30) == pytest.approx(1.5, abs=0.01)


def test_the_codes_of_the_teachers_curve_stay_codes() -> None:
    """Its column has fractions, so that none would be found in it."""
    x = np.where(RNG.random(2000) < 0.1, -999.0, RNG.uniform(20, 80, 2000).round(1))
    bent = PWLCurve("x", [(20, 0), (40, 2.13), (50, 2.5), (80, 6)], special={-999: 3})
    for teacher in (CurveModel("t", [bent]), CurveModel("t", [PWLCurve("x", [(20, 0), (80, 6)], special={-999: 3})])):
        model = curvec.distill(teacher, {"x": x}, num_segments=1).model
        assert model.eval({"x": [-999.0]}) == pytest.approx(3)
        np.testing.assert_allclose(model.eval({"x": x}), teacher.eval({"x": x}), atol=0.8)
        assert curvec.distill(model, {"x": x}).model == model
    (plain,) = curvec.distill(teacher, {"x": x}, overrides={"x": {"special": ()}}).model.terms
    assert not plain.special_codes


@pytest.mark.parametrize(
    "values",
    [
        [-1, 0, 1, 2],  # counts on from 0
        [-4, 0, 1],
        [-9, -8, -7, 0.5, 2],  # not whole
        [-9, -8, -7, -6, -5.0, -4, 3, 4],  # many
        [-9, 4],  # what is left is one value
        [3, 9, 99],
    ],
)
def test_what_is_not_apart_is_a_value(values: list[float]) -> None:
    x = np.repeat(np.array(values, dtype=float), 50)
    teacher = CurveModel("t", [StepCurve("x", [1.0, 2.0], [0.0, 1.0, 0.5])])
    found = curvec.distill(teacher, {"x": x})
    assert not any(term.special_codes for term in found.model.terms)


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ("none", "the special codes of feature 'months' are 'none'; give a list of numbers, () for none, or 'auto'"),
        (-9, "the special codes of feature 'months' are -9; give a list of numbers"),
        ([np.nan], "a special code of feature 'months' is nan; it must be finite"),
        ([*CODES, *range(61)], "feature 'months' has no value but its special codes"),
    ],
)
def test_codes_that_are_none_are_refused(special: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        curvec.distill(RAMP, {"months": MONTHS}, overrides={"months": {"special": special}})
