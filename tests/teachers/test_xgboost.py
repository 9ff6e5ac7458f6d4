"""XGBoost read exactly: the double cuts of its float32 comparisons, from object, JSON and UBJSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
import xgboost as xgb

import curvec
from curvec import EnumCurve, StepCurve, UnsupportedError
from curvec.teachers import read_and_check
from curvec.teachers.parts import ubjson


def train(frame, target, rounds=40, **options):
    alone = [[name] for name in frame.columns]
    parameters = {"objective": "binary:logistic", "max_depth": 3, "interaction_constraints": alone, "nthread": 1}
    parameters.update({"colsample_bynode": 0.5, "seed": 0, **options})
    return xgb.train(parameters, xgb.DMatrix(frame, target, enable_categorical=True), rounds)


def score(booster, frame):
    return booster.predict(xgb.DMatrix(frame, enable_categorical=True), output_margin=True).astype(np.float64)


def close(model, frame, raw):
    np.testing.assert_allclose(model.eval(frame), raw, rtol=0, atol=4e-6 * (1 + np.abs(raw).max()))


@pytest.fixture(scope="module")
def gaps(cancer) -> pd.DataFrame:
    return cancer[0][["mean texture", "area error", "worst symmetry"]]


@pytest.fixture(scope="module")
def booster(gaps, cancer):
    return train(gaps, cancer[1])


def test_every_cut_is_the_teacher_s_to_the_last_double(booster, gaps, around_cuts):
    reading = read_and_check(booster, gaps)
    assert reading.distance <= reading.check.tolerance
    probes = around_cuts(reading.model, gaps, (np.nan, 0.0, -0.0, 1e30, -1e30))
    close(reading.model, probes, score(booster, probes))


def test_a_cut_that_is_not_exact_in_float32_is_between_the_threshold_and_its_neighbour(booster, gaps):
    """Kinds P01 and P02."""
    printed = {
        np.float32(x)
        for x in json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"][0][
            "split_conditions"
        ]
    }
    cuts = [
        cut for term in curvec.read_teacher(booster, gaps).terms if isinstance(term, StepCurve) for cut in term.cuts
    ]
    assert any(np.float32(cut) in printed and float(np.float32(cut)) != cut for cut in cuts)


def test_files_are_the_object_they_were_saved_from(booster, tmp_path):
    model = curvec.read_teacher(booster)
    for name in ("model.json", "model.ubj"):
        booster.save_model(tmp_path / name)
        assert curvec.read_teacher(tmp_path / name) == model


def test_the_ubjson_reader_reads_what_the_json_says(booster):
    theirs, ours = json.loads(booster.save_raw("json")), ubjson.loads(bytes(booster.save_raw("ubj")))
    for tree, mine in zip(
        theirs["learner"]["gradient_booster"]["model"]["trees"],
        ours["learner"]["gradient_booster"]["model"]["trees"],
        strict=True,
    ):
        assert np.array_equal(np.float32(tree["split_conditions"]), np.float32(mine["split_conditions"]))
        assert tree["left_children"] == mine["left_children"]
    with pytest.raises(curvec.InputError, match="not valid UBJSON"):
        ubjson.loads(bytes(booster.save_raw("ubj"))[:-5])
    with pytest.raises(curvec.InputError, match="object"):
        ubjson.loads(b"i\x05")


def test_categories_of_a_frame_come_along(cancer):
    frame = cancer[0].assign(rough=cancer[0]["rough"].astype(int).astype("category"))
    teacher = train(frame, cancer[1], colsample_bynode=0.2)
    reading = read_and_check(teacher, frame)
    curves = {term.feature: term for term in reading.model.terms if isinstance(term, EnumCurve)}
    assert set(curves) == {"size", "rough", "lobes"}
    assert set(curves["size"].levels) == {"tiny", "small", "mid", "large"}
    close(reading.model, frame, score(teacher, frame))


@pytest.mark.parametrize("levels", [["tiny", "small", "mid"], [10, 20, 30]], ids=["text", "numbers"])
def test_a_level_that_the_frame_had_not_has_no_score(levels):
    """XGBoost 3 refuses a level that sorts after all others, and takes any other new one for the next in order."""
    random = np.random.default_rng(0)
    codes = random.integers(0, 3, 600)
    frame = pd.DataFrame({"g": pd.Categorical(np.array(levels)[codes]), "x": random.normal(size=600)})
    teacher = train(frame, 1.0 * codes + frame["x"], objective="reg:squarederror", colsample_bynode=1.0)
    model = read_and_check(teacher, frame).model
    assert model.terms[0].default is None
    last, between = ("zero", "huge") if isinstance(levels[0], str) else (99, 15)
    probe = pd.DataFrame({"g": [levels[0], levels[2], last, between], "x": np.zeros(4)})
    with pytest.raises(xgb.core.XGBoostError, match="category not in the training set"):
        score(teacher, probe.head(3).astype({"g": "category"}))
    for read_from in (model, curvec.read_teacher(json.loads(teacher.save_raw("json")))):
        assert np.isnan(read_from.eval(probe)).tolist() == [False, False, True, True]


def test_categories_that_are_not_ascii_are_recognised_in_the_frame_or_refused(cancer):
    frame = cancer[0][["size", "mean texture"]].copy()
    frame["size"] = frame["size"].cat.rename_categories({"tiny": "winzig \u00e9", "large": "\u65e5\u672c"})
    teacher = train(frame, cancer[1])
    reading = read_and_check(teacher, frame)
    close(reading.model, frame, score(teacher, frame))
    with pytest.raises(UnsupportedError, match="cut short the categories of 'size'"):
        curvec.read_teacher(teacher)
    other = frame.assign(size=frame["size"].cat.rename_categories({"\u65e5\u672c": "\u65e6\u672c"}))
    with pytest.raises(UnsupportedError, match="cut short"):
        curvec.read_teacher(teacher, other)


def test_integer_codes_unseen_and_missing(cancer):
    """Kinds P37 and P41."""
    codes = cancer[0]["lobes"].astype(int).to_numpy().astype(float)
    codes[::13] = np.nan
    rows = np.column_stack([codes, cancer[0]["mean texture"]])
    options = {"objective": "binary:logistic", "max_depth": 1, "nthread": 1, "max_cat_to_onehot": 2}
    data = {"feature_types": ["c", "float"], "enable_categorical": True}
    teacher = xgb.train(options, xgb.DMatrix(rows, cancer[1], **data), 20)
    model = curvec.read_teacher(teacher)
    probe = np.array([[code, 20.0] for code in (*range(12), 60.0, np.nan)])
    raw = teacher.predict(xgb.DMatrix(probe, **data), output_margin=True)
    close(model, {"f0": probe[:, 0], "f1": probe[:, 1]}, raw)


def test_a_number_that_stands_for_missing(gaps, cancer):
    frame = gaps.fillna(-999.0)
    teacher = xgb.XGBClassifier(n_estimators=20, max_depth=1, missing=-999.0, n_jobs=1).fit(frame, cancer[1])
    reading = read_and_check(teacher, frame)
    near = [-999.0, math.nextafter(-999, 0), -999.00001, -998.9, np.nan, -1000.0]
    probe = pd.concat([frame.head(1)] * len(near)).assign(**{"area error": near})
    close(reading.model, probe, teacher.predict(probe, output_margin=True))
    booster = teacher.get_booster()
    assert curvec.read_teacher(booster, frame, missing=-999.0) == reading.model
    assert curvec.read_teacher(booster, frame) != reading.model
    with pytest.raises(curvec.InputError, match="missing=-999, leave it out"):
        curvec.read_teacher(teacher, frame, missing=-1.0)


def test_early_stopping_means_what_the_library_makes_of_it(numeric):
    frame, target = numeric
    teacher = xgb.XGBClassifier(n_estimators=300, max_depth=1, learning_rate=1.0, early_stopping_rounds=3, n_jobs=1)
    teacher.fit(frame[::2], target[::2], eval_set=[(frame[1::2], target[1::2])], verbose=False)
    assert teacher.best_iteration + 1 < teacher.get_booster().num_boosted_rounds()
    wrapped, bare = read_and_check(teacher, frame), read_and_check(teacher.get_booster(), frame)
    assert wrapped.model != bare.model
    content = json.loads(teacher.get_booster().save_raw("json"))
    content["learner"]["attributes"]["scikit_learn"] = "{}"
    assert curvec.read_teacher(content, frame) == wrapped.model
    del content["learner"]["gradient_booster"]["model"]["iteration_indptr"]  # as before 2.0
    assert curvec.read_teacher(content, frame) == wrapped.model
    assert "stopped early" in wrapped.notes[0]
    assert "all trees" in bare.notes[0]


@pytest.mark.parametrize(
    ("options", "link"),
    [
        ({"objective": "reg:squarederror"}, "identity"),
        ({"objective": "count:poisson"}, "log"),
        ({"objective": "reg:gamma"}, "log"),
        ({"objective": "reg:tweedie"}, "log"),
        ({"objective": "reg:squarederror", "booster": "dart", "rate_drop": 0.3}, "identity"),
        ({"objective": "reg:squarederror", "num_parallel_tree": 3, "subsample": 0.5}, "identity"),
        ({"objective": "reg:squarederror", "base_score": 100.0}, "identity"),
    ],
    ids=["squared", "poisson", "gamma", "tweedie", "dart", "parallel trees", "base_score"],
)
def test_regression_has_the_link_of_its_objective(diabetes, options, link):
    teacher = train(*diabetes, rounds=20, **options)
    reading = read_and_check(teacher, diabetes[0])
    assert reading.model.link == link
    predicted = teacher.predict(xgb.DMatrix(diabetes[0]))
    np.testing.assert_allclose(reading.model.predict(diabetes[0]), predicted, rtol=1e-5)


@pytest.mark.parametrize("base_score", [1e6, 1e8])
def test_a_start_far_from_the_scores_is_rounded_as_the_library_does(diabetes, base_score):
    """The trees take it off again, in float32: that is off by its last digits."""
    teacher = train(*diabetes, rounds=30, objective="reg:squarederror", base_score=base_score)
    reading = read_and_check(teacher, diabetes[0])
    assert reading.distance <= 4e-6 * 2 * base_score
    assert reading.check.scale >= base_score


@pytest.mark.parametrize("code", [0.9, 2.7, -0.5])
def test_a_fraction_of_a_code_is_refused_in_x(code):
    """XGBoost takes 2.7 for 2, a table for a level that it does not have."""
    random = np.random.default_rng(0)
    rows = np.column_stack([random.integers(0, 4, 400), random.normal(size=400)]).astype(float)
    data = xgb.DMatrix(rows, rows[:, 0] == 2, feature_types=["c", "float"], enable_categorical=True)
    teacher = xgb.train({"max_depth": 1, "nthread": 1}, data, 5)
    probe = rows.copy()
    probe[7, 0] = code
    with pytest.raises(curvec.InputError, match=rf"'f0', row 7: {code} is not a whole number.* pass whole numbers"):
        read_and_check(teacher, probe)
    assert curvec.read_teacher(teacher).features[0].type == "int"


def test_base_scores_of_older_versions(booster):
    """Kind P75."""
    content = json.loads(booster.save_raw("json"))
    parameters = content["learner"]["learner_model_param"]
    model = curvec.read_teacher(content)
    parameters["base_score"] = parameters["base_score"].strip("[]")
    assert curvec.read_teacher(content) == model


@pytest.mark.parametrize("base_score", [1e-9, 1 - 1e-7])
def test_a_start_near_0_or_1_is_bounded_as_the_version_does(gaps, cancer, base_score):
    """XGBoost 3.2 takes 1e-9 for 1e-6."""
    teacher = train(gaps, cancer[1], rounds=5, base_score=base_score)
    close(curvec.read_teacher(teacher), gaps, score(teacher, gaps))


def test_a_start_without_a_finite_score_is_refused(booster):
    content = json.loads(booster.save_raw("json"))
    content["learner"]["learner_model_param"]["base_score"] = "[0E0]"
    content["learner"]["objective"]["name"] = "count:poisson"
    with pytest.raises(UnsupportedError, match=r"base_score is 0, whose log is not finite.* labels that differ"):
        curvec.read_teacher(content)


def test_one_class_of_several(diabetes):
    grade = np.digitize(diabetes[1], [100, 200])
    teacher = train(diabetes[0], grade, rounds=10, objective="multi:softprob", num_class=3)
    with pytest.raises(UnsupportedError, match="3 classes"):
        curvec.read_teacher(teacher)
    for chosen in range(3):
        reading = read_and_check(teacher, diabetes[0], class_index=chosen)
        assert reading.distance < 1e-5


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"interaction_constraints": ""}, "interaction"),
        ({"booster": "gblinear", "interaction_constraints": "", "colsample_bynode": 1.0}, "gblinear"),
        ({"objective": "binary:hinge"}, "binary:hinge"),
    ],
)
def test_what_is_not_a_sum_of_curves_is_refused_with_the_reason(numeric, options, reason):
    """Kind P80."""
    if options.get("booster") == "gblinear":
        teacher = xgb.train({"booster": "gblinear", "nthread": 1}, xgb.DMatrix(*numeric), 2)
    else:
        teacher = train(*numeric, rounds=5, **options)
    with pytest.raises(UnsupportedError, match=reason):
        curvec.read_teacher(teacher)


def test_the_teacher_is_unchanged(booster, gaps):
    """Kind P82."""
    before = booster.save_raw("json")
    read_and_check(booster, gaps)
    assert booster.save_raw("json") == before
