"""ReLU nets, tables of points, callables, files and unknown teachers."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPRegressor

import curvec
from curvec import EnumCurve, InputError, PWLCurve, StepCurve, UnsupportedError
from curvec.teachers import read_and_check


@pytest.fixture(scope="module")
def nets(diabetes):
    """Two nets of one input each, trained, as a state_dict; and what they say together."""
    frame, target = diabetes
    inputs = ((frame[["bmi", "bp"]] - frame[["bmi", "bp"]].mean()) / frame[["bmi", "bp"]].std()).to_numpy()
    trained = [
        MLPRegressor(hidden_layer_sizes=(16, 16), max_iter=3000, random_state=j, tol=1e-3).fit(
            inputs[:, [j]], target / 100
        )
        for j in range(2)
    ]
    state = {"bias": np.array([0.25])}
    for name, net in zip(("bmi", "bp"), trained, strict=True):
        for layer, (weights, biases) in enumerate(zip(net.coefs_, net.intercepts_, strict=True)):
            state |= {f"nets.{name}.{2 * layer}.weight": weights.T, f"nets.{name}.{2 * layer}.bias": biases}

    def score(x, y):
        return 0.25 + trained[0].predict(np.c_[x]) + trained[1].predict(np.c_[y])

    return state, score


def test_relu_nets_are_exact_on_the_whole_line(nets, tmp_path):
    state, score = nets
    model = curvec.read_teacher(state)
    assert [feature.name for feature in model.features] == ["bmi", "bp"]
    x = np.r_[np.linspace(-6, 6, 2001), -1e3, 1e3, 0.0]
    data = {"bmi": x, "bp": x[::-1]}
    np.testing.assert_allclose(model.eval(data), score(x, x[::-1]), rtol=0, atol=1e-11)
    np.savez(tmp_path / "nets.npz", **state)
    assert curvec.read_teacher(tmp_path / "nets.npz") == model


def test_a_state_dict_in_alphabetical_order_keeps_its_nets_and_layers(nets):
    """Some file formats sort the keys: net 10 comes before net 2 then, and layer 10 before layer 2."""
    state, _ = nets
    rng = np.random.default_rng(0)
    many = {}
    for net in range(12):
        for layer, (rows, columns) in enumerate([(3, 1), *[(3, 3)] * 5, (1, 3)]):
            many[f"nets.{net}.{2 * layer}.weight"] = rng.normal(size=(rows, columns))
            many[f"nets.{net}.{2 * layer}.bias"] = rng.normal(size=rows)
    assert curvec.read_teacher(dict(sorted(many.items()))) == curvec.read_teacher(many)
    named = {key: state[key] for key in sorted(state)}
    assert curvec.read_teacher(named) == curvec.read_teacher(state)


def test_a_state_dict_of_something_else_is_refused_by_key(nets):
    state, _ = nets
    with pytest.raises(UnsupportedError, match=r"conv\.weight"):
        curvec.read_teacher({"conv.weight": np.zeros((3, 1, 2)), **state})
    with pytest.raises(UnsupportedError, match="running_mean"):
        curvec.read_teacher({**state, "norm.running_mean": np.zeros(3)})
    with pytest.raises(UnsupportedError, match="16 outputs"):
        curvec.read_teacher({k: v for k, v in state.items() if "bp.4" not in k})


TABLE = """feature,x,y,w
age,18,3.0,1
age,21,0.5,2
age,21,0.7,2
age,46,-0.7,1
age,,0.1,1
sex,f,0.2,1
sex,m,-0.2,3
flat,1,0.5,1
"""


@pytest.mark.parametrize("kind", ["file", "pandas", "polars", "mapping"])
def test_a_table_of_points(tmp_path, kind):
    """Kind F48: y that differs at equal x is said."""
    (tmp_path / "shapes.csv").write_text(TABLE)
    if kind == "file":
        table = tmp_path / "shapes.csv"
    else:
        x = [18.0, 21.0, 21.0, 46.0, None, "f", "m", 1.0]
        frame = pd.read_csv(tmp_path / "shapes.csv").assign(x=pd.Series(x, dtype=object))
        mapping = frame.to_dict("list")
        objects = pl.Series("x", x, dtype=pl.Object)
        table = {
            "pandas": frame,
            "mapping": mapping,
            "polars": pl.DataFrame({**mapping, "x": range(8)}).with_columns(objects),
        }[kind]
    reading = read_and_check(table)
    age, sex = reading.model.terms
    assert age == PWLCurve("age", [(18, 3.0), (21, 0.6), (46, -0.7)], missing=0.1)
    assert sex == EnumCurve("sex", {"f": 0.2, "m": -0.2})
    assert reading.model.intercept == 0.5
    assert reading.samples[0].w.tolist() == [1.0, 4.0, 1.0]
    y, w = np.array([3.0, 0.5, 0.7, -0.7]), np.array([1.0, 2.0, 2.0, 1.0])
    within = 4 * 0.1**2 / np.sum(w * (y - np.average(y, weights=w)) ** 2)
    assert f"y differs at equal x ({within:.3g} of its variance)" in reading.notes[0]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a,1,nan,1", "y is nan"),
        ("a,1,2,-1", "w is -1"),
        ("a,1,?,1", r"row 0: y is '\?', which is not a number"),
        (",1,2,1", "row 0: the feature's name is missing"),
        ("a,1,2,0", r"no weight at x=1\.0"),
        ("a,,1,1", "only a missing x"),
        ("a,inf,1,1", "finite"),
    ],
)
def test_a_table_with_a_hole_is_refused_by_row(tmp_path, row, reason):
    (tmp_path / "t.csv").write_text("feature,x,y,w\n" + row + "\n")
    with pytest.raises(InputError, match=reason):
        curvec.read_teacher(tmp_path / "t.csv")


def test_a_table_as_spreadsheets_and_r_write_it(tmp_path):
    (tmp_path / "t.csv").write_text('\ufeff"feature","x","y"\r\n"a",1,2\r\n"a",2,3\r\n', encoding="utf-8")
    assert curvec.read_teacher(tmp_path / "t.csv").terms == (PWLCurve("a", [(1, 2), (2, 3)]),)


@pytest.fixture(scope="module")
def forest(numeric):
    options = {"interaction_cst": "no_interactions", "max_iter": 30, "early_stopping": False}
    return HistGradientBoostingClassifier(**options).fit(*numeric)


@pytest.mark.parametrize("form", ["pandas", "polars", "array", "mapping"])
def test_a_callable_s_jumps_are_found_to_the_last_double(numeric, forest, around_cuts, form):
    frame = numeric[0]
    rows = {
        "pandas": frame,
        "polars": pl.DataFrame(frame.to_dict("list")),
        "array": frame.to_numpy(),
        "mapping": frame.to_dict("list"),
    }[form]

    def score(table):
        columns = (
            table if isinstance(table, np.ndarray) else np.column_stack([np.asarray(table[c]) for c in frame.columns])
        )
        return forest.decision_function(pd.DataFrame(columns, columns=frame.columns))

    names = list(frame.columns) if form == "array" else None
    reading = read_and_check(score, rows, feature_names=names, link="logit")
    assert reading.exact
    assert reading.distance < 1e-12
    theirs, ours = (
        {t.input: t.cuts for t in model.terms if isinstance(t, StepCurve)}
        for model in (curvec.read_teacher(forest), reading.model)
    )
    for name, cuts in ours.items():
        assert set(cuts) <= set(theirs[name])
    probes = around_cuts(reading.model, frame, ())
    np.testing.assert_allclose(reading.model.eval(probes), forest.decision_function(probes), rtol=0, atol=1e-11)


def test_a_callable_with_gaps_and_categories(cancer):
    frame, target = cancer
    options = {"interaction_cst": "no_interactions", "max_iter": 40, "categorical_features": "from_dtype"}
    teacher = HistGradientBoostingClassifier(**options, early_stopping=False).fit(frame, target)
    reading = read_and_check(teacher.decision_function, frame)
    assert reading.distance < 1e-12
    assert {feature.type for feature in reading.model.features} >= {"number", "str"}


def test_a_smooth_callable_is_sampled_and_says_so(numeric):
    frame = numeric[0][["radius", "texture"]]
    reading = read_and_check(lambda t: np.log(t["radius"].to_numpy()) + np.sin(t["texture"].to_numpy() / 3), frame)
    assert not reading.exact
    assert "sampled" in reading.notes[0]
    assert reading.distance < 1e-5
    straight = read_and_check(lambda t: 2 * t["radius"].to_numpy(), frame)
    assert straight.exact
    assert [len(term.points) for term in straight.model.terms] == [2]
    bent = read_and_check(lambda t: np.abs(t["radius"].to_numpy() - frame["radius"].median()), frame)
    assert bent.exact
    assert bent.distance < 1e-12
    assert [len(term.points) for term in bent.model.terms] == [3]


def test_a_column_that_a_callable_does_not_read_has_no_term(numeric):
    frame = numeric[0][["radius"]].assign(name=["a", "b", "c"] * (len(numeric[0]) // 3) + ["a"] * (len(numeric[0]) % 3))
    model = read_and_check(lambda t: t["radius"].to_numpy() * 2.0, frame).model
    assert [(term.input, len(term.points)) for term in model.terms] == [("radius", 2)]
    assert [feature.name for feature in model.features] == ["radius", "name"]


def test_a_callable_that_is_no_sum_is_refused(numeric):
    frame, target = numeric
    with pytest.raises(UnsupportedError, match="not a sum"):
        read_and_check(HistGradientBoostingClassifier(max_iter=20).fit(frame, target).decision_function, frame)
    probability = LogisticRegression(max_iter=5000).fit(frame, target).predict_proba
    with pytest.raises(UnsupportedError, match="not a probability"):
        read_and_check(lambda t: probability(t)[:, 1], frame)
    with pytest.raises(UnsupportedError, match="pass X"):
        read_and_check(len)
    with pytest.raises(InputError, match="one score"):
        read_and_check(lambda t: t["radius"].to_numpy(), frame, class_index=1)
    with pytest.raises(InputError, match="finite"):
        read_and_check(lambda t: np.full(len(t), np.nan), frame)
    with pytest.raises(InputError, match="the callable gave 3 scores for"):
        read_and_check(lambda _: np.ones(3), frame)
    with pytest.raises(InputError, match="the callable does not score DataFrame X: KeyError: 'nope'"):
        read_and_check(lambda t: t["nope"], frame)


@pytest.mark.parametrize("option", [{"missing": -1.0}, {"link": "log"}, {"class_index": 0}])
def test_an_option_that_means_nothing_is_refused(forest, option):
    with pytest.raises(InputError, match=next(iter(option))):
        curvec.read_teacher(forest, **option)


def test_a_curve_model_is_its_own_exact_form(forest, numeric, tmp_path):
    model = curvec.read_teacher(forest, numeric[0], name="forest")
    assert curvec.read_teacher(model) == model
    model.save(tmp_path / "model.json")
    assert curvec.read_teacher(tmp_path / "model.json", numeric[0]) == model
    assert curvec.read_teacher(model, name="other").name == "other"


def test_a_pickle_is_never_opened(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(UnsupportedError, match="pickle"):
        curvec.read_teacher(path)
    with pytest.raises(InputError, match="No such file"):
        curvec.read_teacher(tmp_path / "none.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(InputError, match="broken"):
        curvec.read_teacher(tmp_path / "broken.json")
    np.savez(tmp_path / "objects.npz", a=np.array([object()]))
    (tmp_path / "text.npz").write_text("no archive")
    for name in ("objects.npz", "text.npz"):
        with pytest.raises(InputError, match="plain arrays"):
            curvec.read_teacher(tmp_path / name)
    (tmp_path / "poem.txt").write_text("no model")
    with pytest.raises(UnsupportedError, match=r"poem\.txt"):
        curvec.read_teacher(tmp_path / "poem.txt")


@pytest.mark.parametrize(
    "content",
    [
        {"ebm": {"outputs": [{"link": "logit"}], "features": [], "intercept": [0.0]}},
        {"learner": {"objective": {"name": "binary:logistic"}}, "version": [3, 2, 0]},
        {"oblivious_trees": [], "features_info": {}},
        "tree\nversion=v4\nnum_class=1\n\nTree=0\nnum_leaves=2\n",
    ],
)
def test_a_file_that_is_not_whole_is_a_mistake_in_words(tmp_path, content):
    path = tmp_path / "model.txt"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(InputError, match=r"model\.txt.*(is not whole|cut short)"):
        curvec.read_teacher(path)


def test_no_adapter_imports_its_library():
    heavy = [
        "interpret",
        "lightgbm",
        "xgboost",
        "catboost",
        "pygam",
        "statsmodels",
        "optbinning",
        "sklearn",
        "torch",
        "pandas",
    ]
    code = f"import sys, curvec.teachers; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_names_that_look_made_up_are_names_where_the_data_have_them(numeric):
    frame, target = numeric[0].set_axis(["f3", "f1", "f2", "f0", "f4"], axis=1), numeric[1]
    options = {"interaction_cst": "no_interactions", "max_iter": 5}
    model = curvec.read_teacher(HistGradientBoostingClassifier(**options).fit(frame, target), frame)
    other = frame[["f0", "f1", "f2", "f3", "f4"]]
    assert [feature.name for feature in model.features] == list(frame.columns)
    assert np.array_equal(model.eval(other), model.eval(frame))


def test_columns_go_by_name_and_made_up_names_by_position(numeric, forest):
    frame, target = numeric
    with pytest.raises(InputError, match="no column 'radius'"):
        read_and_check(forest, frame.rename(columns={"radius": "size"}))
    assert read_and_check(forest, frame[frame.columns[::-1]].loc[:, list(frame.columns)]).distance < 1e-12
    plain = HistGradientBoostingClassifier(interaction_cst="no_interactions", max_iter=5).fit(frame.to_numpy(), target)
    for rows, names in ((frame, list(frame.columns)), (frame.to_numpy(), ["x0", "x1", "x2", "x3", "x4"])):
        reading = read_and_check(plain, rows)
        assert reading.distance < 1e-12
        assert [feature.name for feature in reading.model.features] == names
    with pytest.raises(InputError, match="5 features"):
        read_and_check(plain, frame, feature_names=["a"])
    with pytest.raises(InputError, match="no rows"):
        read_and_check(plain, frame.head(0))


def test_numbers_that_are_codes_are_asked_for_as_categories(diabetes):
    frame, _ = diabetes
    X = frame[["bmi"]].assign(code=np.arange(len(frame)) % 3)
    worth = {0: 0.0, 1: 2.0, 2: -1.0}

    def raw(rows):
        return rows["bmi"].to_numpy() + np.array([worth[code] for code in rows["code"]])

    with pytest.raises(InputError, match=r"values between those of a column.* astype\('category'\)"):
        curvec.read_teacher(raw, X)
    model = curvec.read_teacher(raw, X.astype({"code": "category"}))
    np.testing.assert_allclose(model.eval(X), raw(X), rtol=0, atol=1e-9)
