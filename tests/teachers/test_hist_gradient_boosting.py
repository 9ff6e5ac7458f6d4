"""HistGradientBoosting read exactly: at every cut, with missing and unseen values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

import curvec
from curvec import EnumCurve, UnsupportedError
from curvec.teachers import read_and_check

OPTIONS = {
    "interaction_cst": "no_interactions",
    "max_iter": 60,
    "early_stopping": False,
    "max_leaf_nodes": 6,
    "max_features": 0.3,
    "random_state": 0,
}


@pytest.fixture(scope="module")
def classifier(cancer) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(categorical_features="from_dtype", **OPTIONS).fit(*cancer)


def test_every_cut_and_its_neighbours_score_as_the_teacher_does(cancer, classifier, around_cuts):
    model = curvec.read_teacher(classifier, cancer[0])
    rows = around_cuts(model, cancer[0], (np.nan, 0.0, np.inf, -np.inf))
    raw = classifier.decision_function(rows)
    np.testing.assert_allclose(model.eval(rows), raw, rtol=0, atol=1e-12 * (1 + np.abs(raw).max()))
    np.testing.assert_allclose(model.predict(rows), classifier.predict_proba(rows)[:, 1], rtol=0, atol=1e-13)


def test_categories_come_along_with_missing_and_unseen_levels(cancer, classifier):
    """Kinds P37 and P41."""
    model = curvec.read_teacher(classifier, cancer[0])
    curves = {term.feature: term for term in model.terms if isinstance(term, EnumCurve)}
    assert {name: curve.levels.type for name, curve in curves.items()} == {
        "size": "str",
        "rough": "bool",
        "lobes": "int",
    }
    frame = cancer[0].copy()
    frame["size"] = pd.Categorical(["huge", None, "tiny", "large"] * (len(frame) // 4) + ["mid"] * (len(frame) % 4))
    frame["lobes"] = pd.Categorical(np.arange(len(frame)) % 12)
    raw = classifier.decision_function(frame)
    np.testing.assert_allclose(model.eval(frame), raw, rtol=0, atol=1e-12 * (1 + np.abs(raw).max()))
    assert curves["size"].default is not None


def test_features_are_the_teachers_in_its_order_used_or_not(cancer, classifier):
    frame, target = cancer
    assert [feature.name for feature in curvec.read_teacher(classifier).features] == list(frame.columns)
    constant = frame.assign(**{"mean texture": 1.0})
    reading = read_and_check(
        HistGradientBoostingClassifier(categorical_features="from_dtype", **OPTIONS).fit(constant, target), constant
    )
    assert "mean texture" in [feature.name for feature in reading.model.features]
    assert reading.distance < 1e-13


def test_reading_on_data_centres_the_curves_and_reports_the_distance(cancer, classifier):
    reading = read_and_check(classifier, cancer[0])
    assert reading.exact
    assert reading.check.rows == len(cancer[0])
    assert reading.distance <= 1e-12 * (1 + reading.check.scale)
    assert np.abs(reading.model.contributions(cancer[0]).mean(axis=0)).max() < 1e-12


def test_the_teacher_is_unchanged(cancer, classifier):
    """Kind P82."""
    before = classifier.decision_function(cancer[0])
    read_and_check(classifier, cancer[0])
    assert np.array_equal(classifier.decision_function(cancer[0]), before)


@pytest.mark.parametrize(("loss", "link"), [("squared_error", "identity"), ("poisson", "log"), ("gamma", "log")])
def test_regression_has_the_link_of_its_loss(loss, link):
    rows, y = load_diabetes(return_X_y=True)
    teacher = HistGradientBoostingRegressor(loss=loss, **OPTIONS).fit(rows, y)
    reading = read_and_check(teacher, rows)
    assert reading.model.link == link
    data = {f"x{j}": rows[:, j] for j in range(10)}
    np.testing.assert_allclose(reading.model.predict(data), teacher.predict(rows), rtol=1e-12)


def test_a_class_is_chosen_of_several():
    rows, y = load_diabetes(return_X_y=True)
    grade = np.digitize(y, [100, 200])
    teacher = HistGradientBoostingClassifier(**OPTIONS).fit(rows, grade)
    with pytest.raises(UnsupportedError, match=r"3 classes .* class_index=0\.\.2"):
        curvec.read_teacher(teacher)
    reading = read_and_check(teacher, rows, class_index=2)
    assert reading.distance < 1e-12
    assert reading.model.link == "identity"
    with pytest.raises(curvec.InputError, match="class_index=3"):
        curvec.read_teacher(teacher, class_index=3)


def test_interactions_are_refused_by_tree_and_feature(cancer):
    frame, target = cancer
    teacher = HistGradientBoostingClassifier(max_iter=3).fit(frame.iloc[:, [0, 2]], target)
    with pytest.raises(
        UnsupportedError, match=r"tree 0 splits on 'mean texture' and 'mean smoothness'.*no_interactions"
    ):
        curvec.read_teacher(teacher)


def test_a_constant_teacher_is_a_constant_model():
    rows, y = load_diabetes(return_X_y=True)
    teacher = HistGradientBoostingRegressor(max_iter=2).fit(np.zeros_like(rows), y)
    reading = read_and_check(teacher, np.zeros_like(rows))
    assert reading.model.eval({f"x{j}": [np.nan] for j in range(10)}) == teacher.predict(rows[:1] * 0)


def test_an_unfitted_teacher_and_an_unknown_one_are_refused():
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(HistGradientBoostingRegressor())
    with pytest.raises(UnsupportedError, match="no adapter knows"):
        curvec.read_teacher(object())
