"""LightGBM read exactly: at every cut, with its ways of treating missing values, from object and file."""

from __future__ import annotations

import re

import lightgbm as lgb
import numpy as np
import pandas as pd
import pytest

import curvec
from curvec import EnumCurve, UnsupportedError
from curvec.teachers import read_and_check


def train(frame, target, rounds=40, **options):
    one_by_one = [[j] for j in range(frame.shape[1])]
    parameters = {"objective": "binary", "num_leaves": 5, "interaction_constraints": one_by_one, "verbose": -1}
    parameters.update({"num_threads": 1, "feature_fraction": 0.5, "seed": 0, **options})
    return lgb.train(parameters, lgb.Dataset(frame, target), rounds)


def close(model, frame, raw):
    np.testing.assert_allclose(model.eval(frame), raw, rtol=0, atol=1e-12 * (1 + np.abs(raw).max()))


@pytest.fixture(scope="module")
def booster(numeric):
    return train(*numeric)


@pytest.mark.parametrize(
    "options",
    [{}, {"zero_as_missing": True}, {"use_missing": False}, {"num_leaves": 2, "interaction_constraints": ""}],
    ids=["gaps", "zero_as_missing", "no missing", "stumps"],
)
def test_every_cut_and_every_way_of_missing(cancer, around_cuts, options):
    """Kind P23: the side of a cut."""
    frame = cancer[0][["mean texture", "area error", "worst symmetry"]].copy()
    frame["mean texture"] -= frame["mean texture"].median()
    frame.loc[::5, "mean texture"] = 0.0
    teacher = train(frame, cancer[1], **options)
    reading = read_and_check(teacher, frame)
    tiny = float(np.float32(1e-35))
    special = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-36, -1e-36, tiny, -tiny, 1.1e-35)
    probes = around_cuts(reading.model, frame, special)
    close(reading.model, probes, teacher.predict(probes, raw_score=True))


def test_a_split_of_all_numbers_from_the_missing_ones(tmp_path):
    x = np.where(np.arange(200) % 5 == 0, np.nan, np.arange(200.0))
    teacher = train(pd.DataFrame({"x": x}), np.isnan(x) * 2.0 - (x > 90), objective="regression", num_leaves=3)
    path = tmp_path / "model.txt"
    teacher.save_model(path)
    assert "threshold=inf" in path.read_text()
    rows = pd.DataFrame({"x": [np.nan, -np.inf, 0.0, 91.0, 1.8e308, np.inf]})
    for source in (teacher, path):
        close(curvec.read_teacher(source), rows, teacher.predict(rows, raw_score=True))


def test_missing_values_of_a_model_that_saw_none_score_as_zero_and_it_says_so(numeric, booster):
    """Kind P36."""
    reading = read_and_check(booster, numeric[0])
    frame = numeric[0].head(3)
    assert np.array_equal(reading.model.eval(frame * np.nan), reading.model.eval(frame * 0.0))
    assert any("missing value is scored as 0.0" in note for note in reading.notes)


def test_pandas_categories_ordered_and_not_with_unseen_levels(cancer):
    frame = cancer[0].copy()
    frame["size"] = frame["size"].cat.reorder_categories(["tiny", "small", "mid", "large"], ordered=True)
    teacher = train(
        frame, cancer[1], interaction_constraints=[[j] for j in range(7)], min_data_per_group=5, feature_fraction=0.2
    )
    reading = read_and_check(teacher, frame)
    assert {t.feature for t in reading.model.terms if isinstance(t, EnumCurve)} == {"size", "rough", "lobes"}
    assert reading.model.features[1].type == "str"
    probe = frame.head(6).assign(
        lobes=pd.Categorical([0, 3, 99, -1, None, 7]),
        size=pd.Categorical(["huge", None, "tiny", "large", "mid", "small"], ordered=True),
    )
    close(reading.model, probe, teacher.predict(probe, raw_score=True))
    # The ordered category is not marked in the text, but no other column's numbers fit its levels.
    spelt = probe.rename(columns=lambda name: name.replace(" ", "_"))
    close(curvec.read_teacher(teacher), spelt, teacher.predict(probe, raw_score=True))


def kinds_of_category(levels=6):
    """A frame with a categorical column g and whole numbers k, and a target that both matter to."""
    random = np.random.default_rng(3)
    g, k = random.choice(list("abc"), 900), random.integers(0, levels, 900)
    frame = pd.DataFrame({"x": random.normal(size=900), "g": pd.Categorical(g), "k": k})
    return frame, (g == "a") * 2.0 + (k == 2) * 3.0 - (k == 1) + frame["x"]


@pytest.mark.parametrize("declared", [["k"], ["g", "k"], "auto"], ids=str)
def test_a_frame_s_categories_stay_with_their_columns(tmp_path, declared):
    """Two kinds of category: those of the frame's type, and whole numbers that were declared to be one."""
    frame, target = kinds_of_category()
    options = {"num_leaves": 4, "interaction_constraints": [[0], [1], [2]], "verbose": -1, "min_data_per_group": 5}
    data = lgb.Dataset(frame, target, categorical_feature=declared)
    teacher = lgb.train({**options, "objective": "regression", "num_threads": 1}, data, 20)
    teacher.save_model(tmp_path / "model.txt")
    probe = pd.DataFrame({"x": [0.1] * 10, "g": [*"abcab", None, "new", *"cab"], "k": [*range(7), 99, -1, -7]})
    scores = teacher.predict(probe.astype({"g": "category"}), raw_score=True)
    words = frame.astype({"g": str})
    for reading in (
        read_and_check(teacher, frame),
        read_and_check(teacher),
        read_and_check(tmp_path / "model.txt"),
        read_and_check(tmp_path / "model.txt", frame),
        read_and_check(tmp_path / "model.txt", words),
    ):
        close(reading.model, probe, scores)
        (of_g,) = (term for term in reading.model.terms if getattr(term, "feature", None) == "g")
        assert list(of_g.levels) == ["a", "b", "c"]


def test_categories_that_two_columns_fit_are_not_guessed(tmp_path):
    frame, target = kinds_of_category(levels=3)
    options = {"num_leaves": 4, "interaction_constraints": [[0], [1], [2]], "verbose": -1, "num_threads": 1}
    teacher = lgb.train(options, lgb.Dataset(frame, target, categorical_feature=["k"]), 20)
    teacher.save_model(tmp_path / "model.txt")
    with pytest.raises(UnsupportedError, match=r"several columns fit\. Pass the frame"):
        curvec.read_teacher(tmp_path / "model.txt")
    close(curvec.read_teacher(tmp_path / "model.txt", frame), frame, teacher.predict(frame, raw_score=True))
    swapped = frame.assign(g=frame["k"], k=frame["g"])
    with pytest.raises(UnsupportedError, match="X shows 2"):
        curvec.read_teacher(tmp_path / "model.txt", frame.astype({"k": "category"}))
    assert curvec.read_teacher(tmp_path / "model.txt", swapped).features[1].type == "number"  # k fits as well


def test_a_threshold_of_exactly_zero_is_where_lightgbm_has_it(diabetes):
    """LightGBM scores |x| <= 1e-35 as 0.0, so that a cut cannot stand inside of that."""
    frame = (diabetes[0] - diabetes[0].median())[["bmi"]]
    text = train(frame, diabetes[1], rounds=1, objective="regression", num_leaves=2).model_to_string()
    tiny = float(np.float32(1e-35))
    x = np.array([0.0, -0.0, 1e-36, -1e-36, tiny, -tiny, *np.nextafter([tiny, -tiny], [1, -1]), 1e-3, -1e-3, np.nan])
    for threshold in ("0", "-0", "1e-36", "-1e-36", repr(tiny), repr(-tiny), "1e-30", "-1e-30"):
        edited = re.sub(r"threshold=\S+", f"threshold={threshold}", text)
        edited = edited.replace("tree_sizes=", "sizes_of_before=")
        teacher = lgb.Booster(model_str=re.sub(r"sizes_of_before=.*\n", "", edited))
        close(curvec.read_teacher(teacher), {"bmi": x}, teacher.predict(x[:, np.newaxis], raw_score=True))


def test_a_missing_category_is_no_level(cancer):
    """LightGBM lists -1 among the categories that it saw, for the missing ones."""
    codes = cancer[0]["lobes"].astype(int).to_numpy().astype(float)
    codes[::7] = np.nan
    rows = np.column_stack([codes, cancer[0]["mean texture"]])
    options = {"num_leaves": 4, "interaction_constraints": [[0], [1]], "verbose": -1, "min_data_per_group": 5}
    teacher = lgb.train(options, lgb.Dataset(rows, cancer[1], categorical_feature=[0]), 20)
    assert "\nfeature_infos=-1:" in teacher.model_to_string()
    term = curvec.read_teacher(teacher).terms[0]
    assert isinstance(term, EnumCurve)
    assert min(term.levels) == 0


@pytest.mark.parametrize("code", [0.9, 2.7, -0.5])
def test_a_fraction_of_a_code_is_refused_in_x(code):
    """LightGBM takes 2.7 for 2 and -0.5 for 0, a table for a level that it does not have."""
    frame, target = kinds_of_category()
    options = {"num_leaves": 4, "interaction_constraints": [[0], [1], [2]], "verbose": -1, "num_threads": 1}
    teacher = lgb.train(options, lgb.Dataset(frame, target, categorical_feature=["k", "g"]), 5)
    probe = frame.astype({"k": float})
    probe.loc[7, "k"] = code
    with pytest.raises(curvec.InputError, match=rf"'k', row 7: {code} is not a whole number.* pass whole numbers"):
        read_and_check(teacher, probe)
    whole = probe.assign(k=np.trunc(probe["k"]))
    close(read_and_check(teacher, whole).model, whole, teacher.predict(probe, raw_score=True))


def test_only_the_logistic_objective_scales_its_raw_score(diabetes):
    """``sigmoid`` is a factor inside the prediction of some objectives, and no part of their raw score."""
    grade = np.digitize(diabetes[1], [100, 200])
    several = train(diabetes[0], grade, rounds=5, objective="multiclassova", num_class=3, sigmoid=2.5)
    assert "sigmoid:2.5" in several.model_to_string()
    raw = several.predict(diabetes[0], raw_score=True)
    for chosen in range(3):
        close(curvec.read_teacher(several, diabetes[0], class_index=chosen), diabetes[0], raw[:, chosen])


def test_integer_categories_unseen_negative_and_missing(cancer):
    """Kinds P37 and P41: NaN is no integer, an unseen level goes where the library sends it."""
    codes = cancer[0]["lobes"].astype(int).to_numpy()
    rows = np.column_stack([codes, cancer[0]["mean texture"]]).astype(float)
    options = {"num_leaves": 4, "interaction_constraints": [[0], [1]], "verbose": -1, "min_data_per_group": 5}
    teacher = lgb.train(options, lgb.Dataset(rows, cancer[1], categorical_feature=[0]), 20)
    model = curvec.read_teacher(teacher)
    probe = np.array([[code, 20.0] for code in (*range(14), 99, -1, np.nan)])
    close(model, {"Column_0": probe[:, 0], "Column_1": probe[:, 1]}, teacher.predict(probe, raw_score=True))


def test_the_text_file_is_the_object(numeric, booster, tmp_path):
    booster.save_model(tmp_path / "model.txt")
    assert curvec.read_teacher(tmp_path / "model.txt", numeric[0]) == curvec.read_teacher(booster, numeric[0])
    assert curvec.read_teacher(str(tmp_path / "model.txt")) == curvec.read_teacher(booster)
    (tmp_path / "dos.txt").write_bytes((tmp_path / "model.txt").read_bytes().replace(b"\n", b"\r\n"))
    assert curvec.read_teacher(tmp_path / "dos.txt") == curvec.read_teacher(booster)


@pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated")  # its follower is new in 4.7
def test_estimators_of_scikit_learn_with_early_stopping(numeric):
    frame, target = numeric
    teacher = lgb.LGBMClassifier(n_estimators=300, num_leaves=2, learning_rate=0.5, verbose=-1, n_jobs=1)
    teacher.fit(
        frame[::2],
        target[::2],
        eval_set=[(frame[1::2], target[1::2])],
        callbacks=[lgb.early_stopping(3, verbose=False)],
    )
    assert teacher.best_iteration_ < 300
    reading = read_and_check(teacher, frame)
    np.testing.assert_allclose(reading.model.predict(frame), teacher.predict_proba(frame)[:, 1], rtol=1e-12)
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(lgb.LGBMRegressor())


@pytest.mark.parametrize(
    ("options", "link"),
    [
        ({"objective": "regression"}, "identity"),
        ({"objective": "poisson"}, "log"),
        ({"objective": "gamma"}, "log"),
        ({"objective": "regression", "boosting": "rf", "bagging_fraction": 0.6, "bagging_freq": 1}, "identity"),
        ({"objective": "regression", "boosting": "dart"}, "identity"),
    ],
    ids=["regression", "poisson", "gamma", "rf", "dart"],
)
def test_regression_has_the_link_of_its_objective(diabetes, options, link):
    """Kinds P76 and P77: the link; trees that are averaged or weighted."""
    teacher = train(*diabetes, rounds=20, **options)
    reading = read_and_check(teacher, diabetes[0])
    assert reading.model.link == link
    np.testing.assert_allclose(reading.model.predict(diabetes[0]), teacher.predict(diabetes[0]), rtol=1e-11)


def test_the_sigmoid_s_scale_is_in_the_curves(numeric):
    """Kind P76: a factor inside the link."""
    teacher = train(*numeric, sigmoid=2.5)
    model = curvec.read_teacher(teacher, numeric[0])
    np.testing.assert_allclose(model.predict(numeric[0]), teacher.predict(numeric[0]), rtol=1e-12)


def test_names_with_blanks_are_those_of_the_data(cancer):
    frame = cancer[0][["mean texture", "worst symmetry"]]
    teacher = train(frame, cancer[1], rounds=3)
    assert [feature.name for feature in curvec.read_teacher(teacher, frame).features] == list(frame.columns)
    assert [feature.name for feature in curvec.read_teacher(teacher).features] == ["mean_texture", "worst_symmetry"]


def test_one_class_of_several(diabetes):
    grade = np.digitize(diabetes[1], [100, 200])
    teacher = train(diabetes[0], grade, rounds=10, objective="multiclass", num_class=3)
    with pytest.raises(UnsupportedError, match="3 classes"):
        curvec.read_teacher(teacher)
    for chosen in range(3):
        reading = read_and_check(teacher, diabetes[0], class_index=chosen)
        assert reading.distance < 1e-13


def test_a_forest_without_splits_is_a_constant(numeric):
    """Kind P79."""
    teacher = train(numeric[0] * 0.0, numeric[1], rounds=2)
    reading = read_and_check(teacher, numeric[0])
    assert reading.distance < 1e-15


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"interaction_constraints": ""}, "interaction"),
        ({"objective": "regression", "linear_tree": True}, "linear leaves"),
        ({"objective": "regression", "reg_sqrt": True}, "reg_sqrt"),
        ({"objective": "cross_entropy_lambda"}, "cross_entropy_lambda"),
    ],
)
def test_what_is_not_a_sum_of_curves_is_refused_with_the_reason(numeric, options, reason):
    """Kind P80."""
    teacher = train(*numeric, rounds=5, **options)
    with pytest.raises(UnsupportedError, match=reason):
        curvec.read_teacher(teacher)


def test_the_teacher_is_unchanged(numeric, booster):
    """Kind P82."""
    before = booster.model_to_string()
    read_and_check(booster, numeric[0])
    assert booster.model_to_string() == before


def test_a_frame_of_another_library_or_a_mapping_will_do(numeric, booster):
    frame = numeric[0]
    assert read_and_check(booster, {name: frame[name].to_numpy() for name in frame}).distance < 1e-13
    assert read_and_check(booster, frame.to_numpy()).distance < 1e-13
    with pytest.raises(curvec.InputError, match="columns"):
        read_and_check(booster, frame.to_numpy()[:, :2])
    assert isinstance(frame, pd.DataFrame)
