"""What a fit answers: its values, knots, slopes, the shares and errors, its file and its code."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_squared_error, r2_score

import curvec
from curvec.cli import main

RNG = np.random.default_rng(5)
X = RNG.gamma(2, 3, 500) + 0.1
Y = np.log(X) + RNG.normal(0, 0.3, 500)
W = RNG.integers(0, 4, 500)
FIT = curvec.fit_pwl(pd.Series(X, name="age"), Y, W, num_segments=3, fx="log", missing=0.5)


def test_a_fit_answers_as_its_curve_does():
    expected = curvec.CurveModel("m", [FIT.curve]).eval({"age": X})
    for answer in (FIT(X), FIT.predict(X), FIT(pd.Series(X)), FIT.predict(X.tolist())):
        assert answer.tobytes() == expected.tobytes()
    assert FIT(X[0]) == FIT.predict(float(X[0])) == expected[0]
    assert FIT(None) == FIT.predict([math.nan])[0] == 0.5


def test_knots_and_slopes_are_those_of_the_points():
    x, y = (np.array(side) for side in zip(*FIT.curve.points, strict=True))
    assert FIT.knots.tolist() == x.tolist()
    assert FIT.slopes == pytest.approx(np.diff(y) / np.diff(np.log(x)), rel=1e-14)
    assert len(FIT.slopes) == FIT.num_segments == 3


@pytest.mark.parametrize("digits", [None, 2])
def test_the_errors_are_those_that_scikit_learn_finds(digits):
    fit = curvec.fit_pwl(X, Y, W, num_segments=2, digits=digits)
    assert fit.r2 == pytest.approx(r2_score(Y, fit(X), sample_weight=W))
    assert fit.rmse == pytest.approx(math.sqrt(mean_squared_error(Y, fit(X), sample_weight=W)))
    assert fit.variance == pytest.approx(np.average((Y - np.average(Y, weights=W)) ** 2, weights=W))


@pytest.mark.parametrize("y", [np.ones(500), np.full(500, 1e9)])
def test_a_constant_is_met(y):
    fit = curvec.fit_pwl(X, y)
    assert (fit.r2, fit.rmse) == (1.0, 0.0)
    assert curvec.fit_pwl(X, y, y_bounds=(None, 0.5)).r2 == 0.0
    for bounded in (curvec.fit_pwl(X, y, y_bounds=(None, 0.5)), curvec.fit_pwl(X, y + X, y_bounds=(None, 0.5))):
        assert "and y_bounds end at 0.5: the curve lies on that bound" in bounded.notes[0]
    one = curvec.fit_pwl(np.ones(500), Y)
    assert one.r2 == pytest.approx(0.0, abs=1e-12)
    assert one.rmse == pytest.approx(np.std(Y))


def test_a_fit_is_a_model_file_and_code(tmp_path):
    FIT.save(tmp_path / "age.json")
    assert (tmp_path / "age.json").read_text(encoding="utf-8") == FIT.to_json()
    assert curvec.load(tmp_path / "age.json").terms == (FIT.curve,)
    for target, options in (("python", {}), ("cpp", {}), ("javascript", {}), ("sql", {"dialect": "duckdb"})):
        text = curvec.emit(FIT, target, **options)
        assert text == curvec.emit(FIT.curve, target, **options)
    (tmp_path / "age.py").write_text(str(FIT.curve), encoding="utf-8")
    assert curvec.load(tmp_path / "age.py").terms == (FIT.curve,)
    with pytest.raises(curvec.InputError, match=r"its name ends in \.json"):
        FIT.save(tmp_path / "age.txt")


def test_curvec_emit_takes_a_file_of_one_curve(tmp_path, capsysbinary):
    (tmp_path / "age.py").write_text(f"from curvec import PWLCurve\n\n{FIT.curve}\n", encoding="utf-8")
    FIT.save(tmp_path / "age.json")
    for name in ("age.py", "age.json"):
        assert main(["emit", str(tmp_path / name), "--to", "sql", "--dialect", "duckdb"]) == 0
        assert capsysbinary.readouterr().out.decode() == curvec.emit(FIT, "sql", "duckdb")
