"""Teachers, inputs and weights of any size: a short model, or a refusal that says what is too large."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from nightly import by_diagonal

import curvec
from curvec import CurveModel, EnumCurve, Line, PWLCurve, StepCurve

ROWS = 200
RNG = np.random.default_rng(5)
SHARED = RNG.random(ROWS)


def teacher(y: float, x: float, seed: int) -> tuple[CurveModel, pd.DataFrame]:
    """One curve, steps, a line and a table of correlated features, values of about ``y`` at inputs of about ``x``."""
    rng = np.random.default_rng(seed)
    knots = np.sort(rng.random(6)) * x
    terms = [
        PWLCurve("a", list(zip(knots.tolist(), (y * rng.normal(size=6)).tolist(), strict=True)), missing=y),
        StepCurve("b", knots.tolist(), (y * rng.normal(size=7)).tolist(), missing=0.0),
        Line("l", y / x),
        EnumCurve("c", {"u": y, "v": -y}, default=0.0),
    ]
    rows = pd.DataFrame({name: x * (0.7 * SHARED + 0.3 * rng.random(ROWS)) for name in "abl"})
    rows.loc[::7, "a"] = np.nan
    return CurveModel("t", terms), rows.assign(c=rng.choice(["u", "v"], ROWS))


@by_diagonal(
    ["y", "x", "weight"], [1.0, 1e-100, 1e-8, 1e100, 1e150, 1e200], [1e-100, 1.0, 1e90], [1e300, 1e-300, None, 1e5]
)
def test_a_model_or_a_refusal(y: float, x: float, weight: float | None) -> None:
    model, rows = teacher(y, x, seed=1)
    w = None if weight is None else weight * (0.5 + SHARED)
    try:
        found = curvec.distill(model, rows, w, num_segments=2).model
    except curvec.InputError as error:
        assert y >= 1e100 or y / x < 1e-150
        assert "no doubles, so rescale" in str(error)  # noqa: PT017  a model is as good
        return
    exact = model.eval(rows)
    assert np.var((found.eval(rows) - exact) / y) < 0.5 * np.var(exact / y)


def test_one_row() -> None:
    model, rows = teacher(1.0, 1.0, seed=2)
    some = rows.iloc[1:2]
    assert curvec.distill(model, some).model.eval(some) == pytest.approx(model.eval(some), abs=0.01)


def test_a_level_of_no_row_may_be_too_large() -> None:
    model = CurveModel("t", [EnumCurve("c", {"u": 1.0, "v": 2.0, "never": 1e200})])
    with pytest.raises(curvec.InputError, match="no doubles, so rescale"):
        curvec.distill(model, pd.DataFrame({"c": ["u", "v"] * 20}))
