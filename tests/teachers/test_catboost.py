"""CatBoost of depth 1 read exactly, from object and JSON."""

from __future__ import annotations

import json

import catboost
import numpy as np
import pandas as pd
import pytest

import curvec
from curvec import InputError, UnsupportedError
from curvec.teachers import read_and_check

FAST = {"depth": 1, "iterations": 60, "verbose": 0, "allow_writing_files": False, "thread_count": 1, "random_seed": 0}


def close(model, frame, raw):
    np.testing.assert_allclose(model.eval(frame), raw, rtol=0, atol=1e-12 * (1 + np.abs(raw).max()))


@pytest.mark.parametrize("nan_mode", ["Min", "Max"])
def test_every_cut_is_the_teacher_s_to_the_last_double(cancer, around_cuts, nan_mode):
    frame = cancer[0][["mean texture", "area error", "worst symmetry"]]
    teacher = catboost.CatBoostClassifier(nan_mode=nan_mode, **FAST).fit(frame, cancer[1])
    reading = read_and_check(teacher, frame)
    gaps = {"area error": (np.nan, 0.0)}
    for term in reading.model.terms:
        probes = around_cuts(curvec.CurveModel("one", [term]), frame, gaps.get(term.input, (0.0,)))
        close(reading.model, probes, teacher.predict(probes, prediction_type="RawFormulaVal"))
    np.testing.assert_allclose(reading.model.predict(frame), teacher.predict_proba(frame)[:, 1], rtol=1e-11)


def test_the_json_file_is_the_object(numeric, tmp_path):
    teacher = catboost.CatBoostClassifier(**FAST).fit(*numeric)
    teacher.save_model(str(tmp_path / "model.json"), format="json")
    assert curvec.read_teacher(tmp_path / "model.json", numeric[0]) == curvec.read_teacher(teacher, numeric[0])


@pytest.mark.parametrize(("loss", "link"), [("RMSE", "identity"), ("Poisson", "log")])
def test_regression(diabetes, loss, link):
    teacher = catboost.CatBoostRegressor(loss_function=loss, **FAST).fit(*diabetes)
    reading = read_and_check(teacher, diabetes[0])
    assert reading.model.link == link
    np.testing.assert_allclose(reading.model.predict(diabetes[0]), teacher.predict(diabetes[0]), rtol=1e-11)


@pytest.mark.parametrize(
    "loss", ["YetiRank", "PairLogit", "QueryRMSE", "QuerySoftMax", "LambdaMart", "StochasticFilter", "StochasticRank"]
)
def test_a_ranker_is_compared_with_its_own_scores(diabetes, loss):
    frame, grade = diabetes[0], np.digitize(diabetes[1], [100, 200]) > 0
    options = {"StochasticRank": ":metric=DCG", "LambdaMart": ":metric=NDCG"}
    teacher = catboost.CatBoostRanker(loss_function=loss + options.get(loss, ""), **FAST)
    teacher.fit(frame, grade, group_id=np.repeat(np.arange(len(frame) // 13), 13))
    reading = read_and_check(teacher, frame)
    assert reading.check is not None
    assert reading.model.link == "identity"
    close(reading.model, frame, teacher.predict(frame))


def test_one_class_of_several(diabetes):
    teacher = catboost.CatBoostClassifier(**FAST).fit(diabetes[0], np.digitize(diabetes[1], [100, 200]))
    for chosen in range(3):
        assert read_and_check(teacher, diabetes[0], class_index=chosen).distance < 1e-13


@pytest.mark.parametrize("one_hot_max_size", [2, 20])
def test_trees_that_split_on_categories_are_asked_at_the_levels_of_x(one_hot_max_size, tmp_path):
    """Of up to so many levels one at a time, of more by statistics of their labels: hashes of levels in either case."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": random.normal(size=400),
            "town": random.choice(["u", "v", "w", "z"], 400),
            "code": random.integers(0, 5, 400),
        }
    )
    target = frame["size"] + 2 * (frame["town"] == "u") + frame["code"] % 2
    teacher = catboost.CatBoostRegressor(**FAST, cat_features=["town", "code"], one_hot_max_size=one_hot_max_size).fit(
        frame, target
    )
    reading = read_and_check(teacher, frame)
    assert reading.exact
    assert {feature.name: feature.type for feature in reading.model.features} == {
        "size": "number",
        "town": "str",
        "code": "int",
    }
    assert "town, code: read from scores" in reading.notes[0]
    beyond = frame.assign(size=frame["size"] * 10)
    np.testing.assert_allclose(reading.model.eval(beyond), teacher.predict(beyond), rtol=0, atol=1e-9)
    teacher.save_model(str(tmp_path / "m.json"), format="json")
    with pytest.raises(UnsupportedError, match="pass the live model, and with it X"):
        curvec.read_teacher(tmp_path / "m.json", frame)
    with pytest.raises(InputError, match="X has no column 'code'"):
        curvec.read_teacher(teacher, frame[["size", "town"]])
    with pytest.raises(InputError, match="the teacher does not score X: "):
        curvec.read_teacher(teacher, frame.assign(town=None))
    deep = catboost.CatBoostRegressor(**{**FAST, "depth": 2}, cat_features=["town", "code"]).fit(frame, target)
    with pytest.raises(UnsupportedError, match="the teacher is not a sum of functions of one column"):
        curvec.read_teacher(deep, frame)


def test_a_model_with_an_infinite_border_is_refused():
    """CatBoost's own writer raises for it."""
    x = np.where(np.arange(60) % 3 == 0, -np.inf, np.arange(60.0))
    teacher = catboost.CatBoostRegressor(depth=1, iterations=3, verbose=0).fit(x[:, None], np.isinf(x) * 1.0)
    with pytest.raises(InputError, match="where that is an infinite border, train on finite numbers"):
        curvec.read_teacher(teacher)


def test_what_is_not_a_sum_of_curves_is_refused_with_the_reason(cancer, numeric, tmp_path):
    deep = catboost.CatBoostClassifier(**{**FAST, "depth": 3, "iterations": 3}).fit(*numeric)
    with pytest.raises(UnsupportedError, match="interaction"):
        curvec.read_teacher(deep)
    wide = catboost.CatBoostClassifier(**{**FAST, "iterations": 3}, grow_policy="Lossguide").fit(*numeric)
    with pytest.raises(UnsupportedError, match="oblivious"):
        curvec.read_teacher(wide)
    frame = cancer[0][["size", "mean texture"]].assign(size=cancer[0]["size"].astype(object).fillna("none"))
    named = catboost.CatBoostClassifier(**FAST, cat_features=["size"]).fit(frame, cancer[1])
    with pytest.raises(UnsupportedError, match="categories"):
        curvec.read_teacher(named)
    deep.save_model(str(tmp_path / "m.json"), format="json")
    content = json.loads((tmp_path / "m.json").read_text())
    content["model_info"]["params"]["loss_function"]["type"] = "Focal"
    with pytest.raises(UnsupportedError, match="Focal"):
        curvec.read_teacher(content)
    deep.save_model(str(tmp_path / "m.cbm"))
    with pytest.raises(UnsupportedError, match="binary form; save the model with format='json'"):
        curvec.read_teacher(tmp_path / "m.cbm")
    with pytest.raises(UnsupportedError, match="does not name its loss"):
        curvec.read_teacher(catboost.sum_models([deep, deep]))
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(catboost.CatBoostClassifier())
