"""The failure analysis against models put together by hand."""

from __future__ import annotations

import numpy as np
import pytest

import curvec
from curvec import CurveModel, EnumCurve, InputError, StepCurve
from curvec.distill import Fold, evaluate_folds
from curvec.metrics import METRICS

RNG = np.random.default_rng(11)
ROWS = 900
DATA = {"rough": RNG.uniform(0, 10, ROWS), "smooth": RNG.uniform(0, 10, ROWS), "c": RNG.integers(0, 3, ROWS)}
CUTS = np.linspace(0.5, 9.5, 19)
ROUGH = StepCurve("rough", CUTS.tolist(), (2.0 * (np.arange(20) % 2)).tolist(), 0.0)
SMOOTH = StepCurve("smooth", CUTS.tolist(), (np.arange(20) / 5).tolist(), 0.0)
TEACHER = CurveModel("m", [SMOOTH, ROUGH, EnumCurve("c", {0: 0.1, 1: 0.2, 2: -0.3})], -3.0, "logit")
LABEL = (RNG.random(ROWS) < TEACHER.predict(DATA)).astype(float)
TRAIN = {name: column[:600] for name, column in DATA.items()}
TEST = {name: column[600:] for name, column in DATA.items()}
RESULT = curvec.distill(TEACHER, TRAIN, num_segments=3, digits=None)


@pytest.mark.parametrize("name", ["roc_auc", "log_loss"])
def test_each_curve_alone_and_the_worst_left_undistilled(name) -> None:
    """Every number against a CurveModel that mixes the terms of teacher and distilled model."""
    judge = METRICS[name]

    def value(distilled: set[int]) -> float:
        terms = [(RESULT.model if place in distilled else TEACHER).terms[place] for place in range(3)]
        raw = CurveModel("m", terms, 0.0, "logit")
        mean = np.mean(TEACHER.eval(TEST) - raw.eval(TEST))  # the mean raw score of the rows is kept
        if len(distilled) == 3:
            mean = RESULT.model.intercept
        model = CurveModel("m", terms, mean, "logit")
        return judge(LABEL[600:], np.round(model.eval(TEST), 9) if judge.on == "score" else model.predict(TEST))

    found = RESULT.evaluate(TEST, LABEL[600:], name)
    labels = ["smooth", "rough", "c"]
    changes = {label: value({place}) - value(set()) for place, label in enumerate(labels)}
    sign = 1 if name == "log_loss" else -1
    assert found.teacher == pytest.approx(value(set()), abs=1e-9)
    assert found.distilled == pytest.approx(value({0, 1, 2}), abs=1e-9)
    assert [curve.label for curve in found.curves] == sorted(labels, key=lambda label: -sign * changes[label])
    left = {0, 1, 2}
    for n, curve in enumerate(found.curves, start=1):
        assert curve.change == pytest.approx(changes[curve.label], abs=1e-9)
        assert curve.loss == sign * curve.change
        left.remove(labels.index(curve.label))
        assert found.undistilled(n) == pytest.approx(value(left), abs=1e-9)
    assert found.curves[0].label == "rough"
    assert found.undistilled(0) == found.distilled
    assert f"{name}: teacher" in str(found)


def test_folds_are_averaged() -> None:
    half = {name: column[:300] for name, column in DATA.items()}
    other = curvec.distill(TEACHER, half, num_segments=3)
    folds = [Fold(RESULT.model, RESULT.teacher, TEST, LABEL[600:]), Fold(other.model, other.teacher, TEST, LABEL[600:])]
    both, one, two = (evaluate_folds(part, "roc_auc") for part in (folds, folds[:1], folds[1:]))
    assert both.teacher == pytest.approx((one.teacher + two.teacher) / 2)
    assert both.distilled_by_fold == (one.distilled, two.distilled)
    change = {curve.label: curve.change for curve in both.curves}
    for curve in one.curves:
        assert change[curve.label] == pytest.approx(
            (curve.change + next(c.change for c in two.curves if c.label == curve.label)) / 2
        )


def test_a_query_metric_and_a_function() -> None:
    query = np.arange(300) // 10
    found = RESULT.evaluate(TEST, LABEL[600:], "ndcg@5", query=query)
    assert 0 < found.distilled <= 1
    accuracy = RESULT.evaluate(TEST, LABEL[600:], lambda y, p: float(np.mean((p > 0.5) == y)))
    assert accuracy.teacher == np.mean((TEACHER.predict(TEST) > 0.5) == LABEL[600:])


def test_the_report_carries_the_analysis_when_labels_are_given() -> None:
    result = curvec.distill(TEACHER, TRAIN, num_segments=3, y=LABEL[:600], metric="log_loss")
    assert result.report.evaluation == result.evaluate(TRAIN, LABEL[:600], "log_loss")
    assert "log_loss: teacher" in str(result.report)
    for place, curve in enumerate(result.report.evaluation.curves):
        (own,) = (one for one in result.report.curves if one.label == curve.label)
        assert result.report.metric_undistilled(own) == result.report.evaluation.undistilled(place + 1)


def test_the_worst_kept_as_the_teacher_has_them() -> None:
    """On the rows of the distillation the model has the metric that the analysis foretells; all kept, the teacher's."""
    result = curvec.distill(TEACHER, TRAIN, num_segments=3, y=LABEL[:600], metric="log_loss")
    assert result.keep_worst(0) == result.model
    for n in (1, 2, 3):
        model = result.keep_worst(n)
        kept = [curve.label for curve in result.report.evaluation.curves[:n]]
        assert [term for term in model.terms if term.feature in kept] == [t for t in TEACHER.terms if t.feature in kept]
        assert [term for term in model.terms if term.feature not in kept] == [
            term for term in result.model.terms if term.feature not in kept
        ]
        found = METRICS["log_loss"](LABEL[:600], model.predict(TRAIN))
        assert found == pytest.approx(result.report.evaluation.undistilled(n), rel=1e-12)
        assert model.eval(TRAIN).mean() == pytest.approx(TEACHER.eval(TRAIN).mean(), rel=1e-12)
    np.testing.assert_allclose(result.keep_worst(3).eval(TEST), TEACHER.eval(TEST), rtol=1e-12)


def test_without_labels_the_worst_is_what_loses_most_of_the_score() -> None:
    assert [pair.label for pair in RESULT.worst(3)] == [curve.label for curve in RESULT.report.worst()]
    assert RESULT.worst(1)[0].teacher == ROUGH


def test_a_function_that_was_left_out_comes_back() -> None:
    small = StepCurve("c", [0.5], [0.0, 1e-3])
    data = {**TRAIN, "c": TRAIN["c"].astype(float)}
    teacher = CurveModel("m", [SMOOTH, small], 0.5)
    result = curvec.distill(teacher, data)
    assert [term.feature for term in result.model.terms] == ["smooth"]
    label = next(pair.label for pair in result.worst(2) if pair.model is None)
    model = result.keep_worst(2)
    assert label == "c"
    np.testing.assert_allclose(model.eval(data), teacher.eval(data), rtol=1e-12)


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="no fold"):
        evaluate_folds([], "rmse")
    other = curvec.distill(CurveModel("m", TEACHER.terms[:2], 0.0, "logit"), TRAIN)
    with pytest.raises(InputError, match=r"models differ in \['c'\]"):
        evaluate_folds(
            [
                Fold(RESULT.model, RESULT.teacher, TEST, LABEL[600:]),
                Fold(other.model, other.teacher, TEST, LABEL[600:]),
            ],
            "roc_auc",
        )
    for n in (4, -1, 1.5, True):
        with pytest.raises(InputError, match="the teacher has 3 functions; use 0 to 3"):
            RESULT.keep_worst(n)
    with pytest.raises(InputError, match="n=9"):
        RESULT.evaluate(TEST, LABEL[600:], "roc_auc").undistilled(9)
