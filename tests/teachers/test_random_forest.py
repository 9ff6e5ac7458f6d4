"""scikit-learn's averaged and boosted trees of one feature, read exactly."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import curvec
from curvec import UnsupportedError
from curvec.teachers import read_and_check

STUMPS = {"n_estimators": 40, "max_depth": 1, "max_features": 1, "random_state": 0}


def close(model, frame, raw):
    np.testing.assert_allclose(model.eval(frame), raw, rtol=0, atol=1e-12 * (1 + np.abs(raw).max()))


@pytest.mark.parametrize("kind", [RandomForestRegressor, ExtraTreesRegressor])
@pytest.mark.parametrize("gaps", [False, True])
def test_every_cut_and_a_missing_value_are_the_teacher_s(diabetes, around_cuts, kind, gaps):
    frame, target = diabetes
    frame = frame.mask(frame > frame.quantile(0.8)) if gaps else frame
    teacher = kind(**STUMPS).fit(frame, target)
    reading = read_and_check(teacher, frame)
    probes = around_cuts(reading.model, frame, (np.nan, 0.0))
    close(reading.model, probes, teacher.predict(probes))


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
def test_a_classifier_s_score_is_its_probability(numeric, around_cuts, kind):
    frame, target = numeric
    teacher = kind(**STUMPS).fit(frame, target)
    reading = read_and_check(teacher, frame)
    assert reading.model.link == "identity"
    assert "a probability as it is" in reading.notes[0]
    probes = around_cuts(reading.model, frame, (0.0,))
    close(reading.model, probes, teacher.predict_proba(probes)[:, 1])
    close(read_and_check(teacher, frame, class_index=0).model, frame, teacher.predict_proba(frame)[:, 0])


def test_one_class_of_several(diabetes):
    teacher = RandomForestClassifier(**STUMPS).fit(diabetes[0], np.digitize(diabetes[1], [100, 200]))
    for chosen in range(3):
        assert read_and_check(teacher, diabetes[0], class_index=chosen).distance < 1e-13
    with pytest.raises(UnsupportedError, match="3 classes"):
        read_and_check(teacher, diabetes[0])


@pytest.mark.parametrize("labels", [["no", "yes"], [1, 0]])
def test_boosted_votes(numeric, around_cuts, labels):
    frame, target = numeric
    teacher = AdaBoostClassifier(n_estimators=40, random_state=0).fit(frame, np.array(labels)[target])
    reading = read_and_check(teacher, frame)
    probes = around_cuts(reading.model, frame, (0.0,))
    close(reading.model, probes, teacher.decision_function(probes))
    np.testing.assert_allclose(reading.model.predict(frame), teacher.predict_proba(frame)[:, 1], rtol=1e-12)
    assert np.isnan(reading.model.predict(frame.head(1) * np.nan)).all()  # the teacher raises


def test_what_is_not_a_sum_of_curves_is_refused_with_the_reason(diabetes, numeric):
    with pytest.raises(UnsupportedError, match=r"interaction.* train it with max_depth=1"):
        read_and_check(RandomForestRegressor(n_estimators=5, max_depth=2, random_state=0).fit(*diabetes))
    with pytest.raises(UnsupportedError, match="interaction"):
        read_and_check(
            AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=5, random_state=0).fit(*numeric)
        )
    with pytest.raises(UnsupportedError, match="AdaBoost of GaussianNBs"):
        read_and_check(AdaBoostClassifier(GaussianNB(), n_estimators=5).fit(*numeric))
    with pytest.raises(UnsupportedError, match="AdaBoost of 3 classes"):
        read_and_check(AdaBoostClassifier(n_estimators=5).fit(diabetes[0], np.digitize(diabetes[1], [100, 200])))
    with pytest.raises(UnsupportedError, match="is not a sum"):  # a weighted median
        read_and_check(AdaBoostRegressor(n_estimators=5, random_state=0).fit(*diabetes), diabetes[0])
    with pytest.raises(UnsupportedError, match="2 outputs"):
        read_and_check(RandomForestRegressor(**STUMPS).fit(diabetes[0], np.column_stack([diabetes[1]] * 2)))
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(ExtraTreesRegressor())
