"""What else scikit-learn fits, read from its scores: the raw score is that of its own predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.feature_selection import RFE, RFECV
from sklearn.linear_model import LogisticRegression, RANSACRegressor, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeRegressor

import curvec
from curvec import UnsupportedError
from curvec.teachers import read_and_check

RNG = np.random.default_rng(0)
ROWS = pd.DataFrame({"a": RNG.uniform(1, 3, 60), "b": RNG.normal(size=60), "k": RNG.integers(0, 3, 60)})
NAMED = ROWS.assign(c=RNG.choice(["u", "v"], 60))
Y = np.exp(0.3 * ROWS["a"]) + ROWS["b"] + ROWS["k"]
CLASS = (Y > 3).astype(int)
TREES: dict[str, Any] = {"interaction_cst": "no_interactions", "max_iter": 3}
ENCODED = make_pipeline(
    make_column_transformer((OrdinalEncoder(), ["c"]), remainder="passthrough"),
    HistGradientBoostingRegressor(**TREES, categorical_features=[0]),
)
EXPONENTIAL = GradientBoostingClassifier(loss="exponential", max_depth=1, n_estimators=3)
LOG = TransformedTargetRegressor(Ridge(), func=np.log, inverse_func=np.exp)


@pytest.mark.parametrize(
    ("teacher", "rows", "y", "link"),
    [
        (ENCODED, NAMED, Y, "identity"),
        (make_pipeline(StandardScaler(), HistGradientBoostingClassifier(**TREES)), ROWS, CLASS, "logit"),
        (make_pipeline(StandardScaler(), EXPONENTIAL), ROWS, CLASS, "logit"),
        (LOG, ROWS, Y + 5, "log"),
        (RANSACRegressor(random_state=0), ROWS, Y, "identity"),
        (DecisionTreeRegressor(max_depth=4), ROWS[["a"]], Y, "identity"),
        (GaussianNB(), ROWS[["b"]], CLASS, "logit"),
        (RFE(Ridge(), n_features_to_select=2), ROWS, Y, "identity"),
        (RFECV(LogisticRegression(), cv=2), ROWS, CLASS, "logit"),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_its_own_predictions(teacher: Any, rows: pd.DataFrame, y: Any, link: str) -> None:
    fitted = teacher.fit(rows, y)
    reading = read_and_check(fitted, rows)
    model = reading.model
    assert model.link == link
    wanted = fitted.predict_proba(rows)[:, 1] if link == "logit" else fitted.predict(rows)
    np.testing.assert_allclose(model.predict(rows), wanted, rtol=1e-9)
    assert curvec.distill(reading, rows).report.unexplained < 0.4


def test_a_class_of_several() -> None:
    teacher = make_pipeline(StandardScaler(), HistGradientBoostingClassifier(**TREES)).fit(ROWS[["a", "b"]], ROWS["k"])
    with pytest.raises(UnsupportedError, match=r"class_index=0\.\.2"):
        curvec.distill(teacher, ROWS)
    model = curvec.read_teacher(teacher, ROWS, class_index=2)
    np.testing.assert_allclose(model.eval(ROWS), teacher.decision_function(ROWS[["a", "b"]])[:, 2], rtol=1e-9)


def test_what_is_no_sum_or_not_fitted_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="a KNeighborsRegressor is read from its scores, and the teacher"):
        read_and_check(KNeighborsRegressor().fit(ROWS, Y), ROWS)
    for teacher in (KNeighborsRegressor(), make_pipeline(StandardScaler(), KNeighborsRegressor())):
        with pytest.raises(UnsupportedError, match=f"{type(teacher).__name__} is not fitted; call fit first"):
            read_and_check(teacher, ROWS)
