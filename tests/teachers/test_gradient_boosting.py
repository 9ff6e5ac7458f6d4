"""scikit-learn's GradientBoosting read exactly: float32(x) against a double threshold."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LinearRegression

import curvec
from curvec import UnsupportedError
from curvec.teachers import read_and_check

STUMPS = {"n_estimators": 60, "max_depth": 1, "learning_rate": 0.3, "max_features": 1, "random_state": 0}


@pytest.mark.parametrize("strategy", ["stratified", "uniform"])
def test_a_start_at_random_is_refused(numeric, strategy):
    init = DummyClassifier(strategy=strategy, random_state=0)
    teacher = GradientBoostingClassifier(n_estimators=3, max_depth=1, init=init).fit(*numeric)
    with pytest.raises(UnsupportedError, match="train with init=None"):
        curvec.read_teacher(teacher, numeric[0])


@pytest.mark.parametrize("loss", ["log_loss", "exponential"])
def test_every_cut_is_the_teacher_s_to_the_last_double(numeric, around_cuts, loss):
    """Kinds P01 and P23."""
    frame, target = numeric
    teacher = GradientBoostingClassifier(loss=loss, **STUMPS).fit(frame, target)
    reading = read_and_check(teacher, frame)
    probes = around_cuts(reading.model, frame, (0.0,))
    scale = 2.0 if loss == "exponential" else 1.0
    raw = scale * teacher.decision_function(probes)
    np.testing.assert_allclose(reading.model.eval(probes), raw, rtol=0, atol=1e-12 * (1 + np.abs(raw).max()))
    np.testing.assert_allclose(reading.model.predict(frame), teacher.predict_proba(frame)[:, 1], rtol=1e-12)


@pytest.mark.parametrize("init", [None, "zero"])
def test_regression(diabetes, init):
    """Kind P75: the start of the boosting."""
    teacher = GradientBoostingRegressor(init=init, **STUMPS).fit(*diabetes)
    reading = read_and_check(teacher, diabetes[0])
    np.testing.assert_allclose(reading.model.predict(diabetes[0]), teacher.predict(diabetes[0]), rtol=1e-12)
    with np.testing.assert_raises(curvec.InputError):
        reading.model.predict({"age": [1.0]})
    missing = diabetes[0].head(1) * np.nan
    assert np.isnan(reading.model.predict(missing)).all()  # the teacher raises


def test_one_class_of_several(diabetes):
    teacher = GradientBoostingClassifier(**STUMPS).fit(diabetes[0], np.digitize(diabetes[1], [100, 200]))
    for chosen in range(3):
        assert read_and_check(teacher, diabetes[0], class_index=chosen).distance < 1e-12


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"max_depth": 2}, "interaction"), ({"init": LinearRegression()}, "LinearRegression")],
)
def test_what_is_not_a_sum_of_curves_is_refused_with_the_reason(diabetes, options, reason):
    teacher = GradientBoostingRegressor(**{**STUMPS, "max_features": None, **options}).fit(*diabetes)
    with pytest.raises(UnsupportedError, match=reason):
        curvec.read_teacher(teacher)
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(GradientBoostingRegressor())
