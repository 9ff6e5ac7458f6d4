"""Teachers fitted on float32: read as exactly as the same ones on doubles."""

from __future__ import annotations

import inspect

import catboost
import lightgbm as lgb
import numpy as np
import pygam
import pytest
import xgboost as xgb
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, PoissonRegressor, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, SplineTransformer, StandardScaler

from curvec.teachers import read_and_check

# What older scikit-learn did, and newer ones warn about where it is not said.
METHOD = {"quantile_method": "linear"} if "quantile_method" in inspect.signature(KBinsDiscretizer).parameters else {}
BINS = KBinsDiscretizer(5, encode="onehot-dense", **METHOD)
CATBOOST = {"depth": 1, "iterations": 20, "verbose": 0, "allow_writing_files": False, "thread_count": 1}
MAKERS = {
    "least squares": LinearRegression,
    "ridge": Ridge,
    "lasso": Lasso,
    "logistic": lambda: LogisticRegression(max_iter=2000),
    "poisson": lambda: PoissonRegressor(max_iter=1000),
    "scaled": lambda: make_pipeline(SimpleImputer(), StandardScaler(), Ridge()),
    "stretched": lambda: make_pipeline(MinMaxScaler(), Ridge()),
    "bins": lambda: make_pipeline(BINS, Ridge()),
    "splines": lambda: make_pipeline(SplineTransformer(), Ridge()),
    "pyGAM": pygam.LinearGAM,
    "pyGAM, logistic": pygam.LogisticGAM,
    "boosting": lambda: GradientBoostingRegressor(max_depth=1, n_estimators=20),
    "histograms": lambda: HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=20),
    "forest": lambda: RandomForestRegressor(max_depth=1, n_estimators=20),
    "LightGBM": lambda: lgb.LGBMRegressor(n_estimators=20, num_leaves=2, verbose=-1, n_jobs=1),
    "XGBoost": lambda: xgb.XGBRegressor(n_estimators=20, max_depth=1, n_jobs=1),
    "CatBoost": lambda: catboost.CatBoostRegressor(**CATBOOST),
}


@pytest.mark.filterwarnings(
    "ignore:lbfgs failed to converge",
    "ignore:divide by zero",
    "ignore:overflow encountered",
    "ignore:invalid value encountered",
    "ignore:Bins whose width",
)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_teacher_of_single_precision_is_read(diabetes, make):
    """Its scores of the same values as doubles are the model's; those of float32 are rounded to 7 digits."""
    frame, target = diabetes[0].astype(np.float32), diabetes[1].astype(np.float32)
    teacher = make()
    yes_or_no = "Logistic" in type(teacher).__name__
    teacher.fit(frame, (target > 140).astype(int) if yes_or_no else target)
    for rows in (frame, frame.to_numpy(), frame.astype(float)):
        reading = read_and_check(teacher, rows)
        assert reading.distance <= (4e-6 if "XGB" in type(teacher).__name__ else 1e-11) * (1 + reading.check.scale)
    if not yes_or_no:
        own = np.asarray(teacher.predict(frame), dtype=np.float64)
        np.testing.assert_allclose(read_and_check(teacher, frame).model.predict(frame), own, rtol=2e-5)


def test_isotonic_regression_rounds_x_and_says_so(diabetes):
    x = diabetes[0][["bmi"]].astype(np.float32)
    teacher = IsotonicRegression(out_of_bounds="clip").fit(x, diabetes[1].astype(np.float32))
    between = np.random.default_rng(0).uniform(18, 42, (2000, 1))
    for rows in (x, x.astype(float), between):
        reading = read_and_check(teacher, rows)
        assert reading.distance <= 1e-6 * reading.check.scale
    assert any("rounds x" in note for note in reading.notes)
    single = between.astype(np.float32)
    reading = read_and_check(teacher, x)
    np.testing.assert_allclose(reading.model.predict({"bmi": single[:, 0]}), teacher.predict(single), rtol=1e-6)
