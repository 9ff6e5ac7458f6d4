"""Averages of teachers: lists, bagging and voting, against the mean of the teachers' own scores."""

from __future__ import annotations

import lightgbm as lgb
import numpy as np
import pytest
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.tree import DecisionTreeRegressor

import curvec
from curvec import InputError, StepCurve, UnsupportedError
from curvec.teachers import read_and_check

WORDS = [("yes", "no"), ("bad", "good")]
"""For the labels 1 and 0: the second in order is 1 of one teacher, and 0 of the other."""


def bags(frame, target, count=8):
    random = np.random.default_rng(0)
    rows = [random.integers(0, len(frame), len(frame)) for _ in range(count)]
    return [
        GradientBoostingClassifier(n_estimators=15, max_depth=1).fit(frame.iloc[chosen], target.iloc[chosen])
        for chosen in rows
    ]


def test_a_list_is_the_mean_of_its_raw_scores(numeric, around_cuts):
    frame, target = numeric
    teachers = bags(frame, target)
    reading = read_and_check(teachers, frame)
    assert reading.model.link == "logit"
    assert reading.distance <= reading.check.tolerance
    features = [term.input for term in reading.model.terms if isinstance(term, StepCurve)]
    assert len(features) == len(set(features)) == len(reading.model.terms)  # one curve a feature, not one a bag
    probes = around_cuts(reading.model, frame, (0.0, 1e9))
    theirs = np.mean([teacher.decision_function(probes) for teacher in teachers], axis=0)
    np.testing.assert_allclose(reading.model.eval(probes), theirs, rtol=0, atol=1e-12 * (1 + np.abs(theirs).max()))


def lightgbm_bag(rows, labels):
    only = [[place] for place in range(rows.shape[1])]
    options = {"objective": "binary", "max_depth": 3, "interaction_constraints": only, "num_threads": 1, "verbose": -1}
    return lgb.train(options, lgb.Dataset(rows, labels), 12)


def histogram_bag(rows, labels):
    kind = HistGradientBoostingClassifier(max_iter=8, max_depth=3, interaction_cst="no_interactions")
    return kind.fit(rows, labels)


def lightgbm_score(teacher, rows):
    return teacher.predict(rows, raw_score=True)


def sklearn_score(teacher, rows):
    return teacher.decision_function(rows)


@pytest.mark.parametrize(
    ("kinds", "scores"),
    [
        ([lightgbm_bag], [lightgbm_score]),
        ([histogram_bag], [sklearn_score]),
        ([lightgbm_bag, histogram_bag], [lightgbm_score, sklearn_score]),
    ],
)
def test_bags_of_seven_eighths_of_the_rows_keep_every_cut(numeric, around_cuts, kinds, scores):
    """The paper's teacher: its curves step where any bag's do, and nowhere else."""
    frame, target = numeric
    random = np.random.default_rng(0)
    chosen = [random.permutation(len(frame))[: 7 * len(frame) // 8] for _ in range(6)]
    teachers = [kinds[n % len(kinds)](frame.iloc[rows], target.iloc[rows]) for n, rows in enumerate(chosen)]
    found = curvec.read_teacher(teachers, frame)
    members = [curvec.read_teacher(teacher) for teacher in teachers]
    assert sorted(term.input for term in found.terms) == sorted({term.input for one in members for term in one.terms})
    for term in found.terms:
        assert set(term.cuts) == {
            cut for one in members for own in one.terms if own.input == term.input for cut in own.cuts
        }
    probes = around_cuts(found, frame, (-1e9, 1e9))
    theirs = np.mean([scores[n % len(scores)](teacher, probes) for n, teacher in enumerate(teachers)], axis=0)
    np.testing.assert_allclose(found.eval(probes), theirs, rtol=0, atol=1e-12 * (1 + np.abs(theirs).max()))


def test_files_may_be_in_the_list(numeric, tmp_path):
    models = [curvec.read_teacher(teacher) for teacher in bags(*numeric, count=2)]
    for number, model in enumerate(models):
        model.save(tmp_path / f"{number}.json")
    found = curvec.read_teacher([tmp_path / "0.json", str(tmp_path / "1.json")])
    mean = (models[0].eval(numeric[0]) + models[1].eval(numeric[0])) / 2
    np.testing.assert_allclose(found.eval(numeric[0]), mean, rtol=1e-12)


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("named", [True, False])
def test_bagging_of_regressors(diabetes, share, named):
    frame, target = diabetes
    rows = frame if named else frame.to_numpy()
    member = DecisionTreeRegressor(max_depth=1)
    for inner in (GradientBoostingRegressor(n_estimators=8, max_depth=1), LinearRegression()):
        teacher = BaggingRegressor(inner, n_estimators=5, max_features=share, random_state=0).fit(rows, target)
        assert read_and_check(teacher, rows).distance < 1e-9
    stumps = BaggingRegressor(member, n_estimators=2, random_state=0).fit(rows, target)
    assert read_and_check(stumps, rows).distance < 1e-9
    with pytest.raises(UnsupportedError, match="is read from its scores: pass X"):
        read_and_check(stumps)


@pytest.mark.parametrize("weights", [None, [3.0, 1.0]])
def test_voting_of_regressors_with_weights(diabetes, weights):
    frame, target = diabetes
    trees = HistGradientBoostingRegressor(max_iter=10, interaction_cst="no_interactions")
    members = [("line", LinearRegression()), ("dropped", "drop"), ("trees", trees)]
    given = None if weights is None else [weights[0], 7.0, weights[1]]
    teacher = VotingRegressor(members, weights=given).fit(frame, target)
    reading = read_and_check(teacher, frame)
    assert reading.distance < 1e-9
    np.testing.assert_allclose(reading.model.predict(frame), teacher.predict(frame), rtol=1e-10)


def test_what_has_no_mean_is_refused_with_the_way_out(numeric):
    frame, target = numeric
    logistic = LogisticRegression(max_iter=5000)
    for teacher in (
        BaggingClassifier(logistic, n_estimators=2, random_state=0).fit(frame, target),
        VotingClassifier([("a", logistic), ("b", logistic)], voting="soft").fit(frame, target),
    ):
        with pytest.raises(UnsupportedError, match=r"is read_teacher\(list\(teacher\.estimators_\), X\)"):
            curvec.read_teacher(teacher, frame)
        teacher.estimators_ = [each.fit(frame, target) for each in teacher.estimators_]
        mean = np.mean([each.decision_function(frame) for each in teacher.estimators_], axis=0)
        found = curvec.read_teacher(list(teacher.estimators_), frame)
        np.testing.assert_allclose(found.eval(frame), mean, rtol=1e-9)
    counts = BaggingRegressor(PoissonRegressor(max_iter=1000), n_estimators=2).fit(frame, target + 1)
    with pytest.raises(UnsupportedError, match="averages predictions with the link log"):
        curvec.read_teacher(counts, frame)
    with pytest.raises(InputError, match="at least one"):
        curvec.read_teacher([])
    line = LinearRegression().fit(frame, target)
    with pytest.raises(UnsupportedError, match="links identity and logit"):
        curvec.read_teacher([line, logistic.fit(frame, target)])
    with pytest.raises(UnsupportedError, match="train all on the same"):
        curvec.read_teacher([line, LinearRegression().fit(frame[["radius"]], target)])
    with pytest.raises(UnsupportedError, match=r"columns differ: .*; train all on the same, in one order"):
        curvec.read_teacher([line, LinearRegression().fit(frame[frame.columns[::-1]], target)])
    yes, good = (LogisticRegression(max_iter=5000).fit(frame, np.where(target == 1, *words)) for words in WORDS)
    with pytest.raises(UnsupportedError, match=r"classes \['no', 'yes'\] and \['bad', 'good'\]"):
        curvec.read_teacher([yes, good], frame)
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(VotingRegressor([("a", line)]))
    with pytest.raises(InputError, match="the class VotingRegressor; pass a model of it that is fitted"):
        curvec.read_teacher(VotingRegressor)
