"""Files of teachers that were cut short, damaged or made up: an error of curvec's, or the model of the whole file."""

from __future__ import annotations

import copy
import json
import math

import catboost
import lightgbm as lgb
import numpy as np
import pandas as pd
import pytest
import xgboost as xgb
from interpret.glassbox import ExplainableBoostingClassifier
from nightly import by_diagonal

import curvec
from curvec import CurvecError, InputError

pytestmark = pytest.mark.filterwarnings("ignore:Missing values detected:UserWarning")


@pytest.fixture(scope="module")
def frame(cancer) -> pd.DataFrame:
    frame = cancer[0][["mean texture", "size", "area error"]].rename(columns=lambda name: name.replace(" ", "_"))
    return frame.assign(size=frame["size"].astype(str).astype("category"))


def lightgbm(frame, target, path):
    options = {"objective": "binary", "num_leaves": 4, "interaction_constraints": [[0], [1], [2]], "verbose": -1}
    options |= {"num_threads": 1, "min_data_per_group": 5, "feature_fraction": 0.4, "seed": 1}
    lgb.train(options, lgb.Dataset(frame, target), 4).save_model(path)


def xgboost(frame, target, path):
    alone = [[name] for name in frame]
    options = {"max_depth": 2, "interaction_constraints": alone, "nthread": 1, "colsample_bynode": 0.4, "seed": 3}
    xgb.train(options, xgb.DMatrix(frame, target, enable_categorical=True), 5).save_model(path)


def ebm(frame, target, path):
    options = {"max_rounds": 20, "max_bins": 8, "max_interaction_bins": 4, "outer_bags": 1, "n_jobs": 1}
    teacher = ExplainableBoostingClassifier(interactions=1, **options).fit(frame, target)
    with pytest.warns(UserWarning, match="beta"):
        teacher.to_json(str(path))


def cat(frame, target, path):
    options = {"iterations": 5, "depth": 1, "verbose": 0, "allow_writing_files": False, "thread_count": 1}
    catboost.CatBoostClassifier(**options).fit(frame.drop(columns="size"), target).save_model(path, format="json")


def own(frame, target, path):
    xgboost(frame, target, path.with_suffix(".ubj"))
    curvec.read_teacher(path.with_suffix(".ubj")).save(path)


def nets(frame, target, path):
    del frame, target
    layers = {"age.0.weight": np.ones((3, 1)), "age.0.bias": np.arange(3.0), "age.2.weight": np.ones((1, 3))}
    np.savez(path, **layers, **{"age.2.bias": np.zeros(1)})


FORMATS = {"m.txt": lightgbm, "m.json": xgboost, "m.ubj": xgboost, "e.json": ebm, "c.json": cat, "own.json": own}
JSON = ["m.json", "e.json", "c.json"]
VALUES = [None, [], {}, "x", 10**320, math.inf, math.nan]
of_json = pytest.mark.parametrize("name", JSON)
UNCOUNTED = [("oblivious_trees",), ("ebm", "terms"), ("learner", "feature_names")]
"""Lists that may be of any length as far as their files say."""


@pytest.fixture(scope="module")
def whole(frame, cancer, tmp_path_factory):
    """Each format's file and its model."""
    folder = tmp_path_factory.mktemp("whole")
    for name, write in {**FORMATS, "n.npz": nets}.items():
        write(frame, cancer[1], folder / name)
    return {name: (folder / name, curvec.read_teacher(folder / name)) for name in [*FORMATS, "n.npz"]}


def check(path, model, what):
    """Equal to the model of the whole file, or refused; anything else is a failure that names the damage."""
    try:
        found = curvec.read_teacher(path)
    except CurvecError:
        return 1
    except Exception as error:
        raise AssertionError(f"{what}: {type(error).__name__} came through") from error
    assert found == model, f"{what}: read as another model"
    return 0


@pytest.mark.parametrize("name", [*FORMATS, "n.npz"])
def test_a_file_that_is_cut_short_is_refused_or_the_whole_model(whole, tmp_path, name):
    path, model = whole[name]
    data, short = path.read_bytes(), tmp_path / name
    lines = [at + 1 for at, byte in enumerate(data) if byte == 10] if name.endswith(".txt") else []
    places = sorted({*range(1, len(data), max(1, len(data) // 150)), *lines, *range(len(data) - 30, len(data))})
    refused = 0
    for place in places:
        short.write_bytes(data[:place])
        refused += check(short, model, f"{name}, cut after {place} of {len(data)} bytes")
    assert refused > 0.8 * len(places)


def test_a_lightgbm_text_with_a_line_left_out_is_refused_or_the_whole_model(whole, tmp_path):
    path, model = whole["m.txt"]
    lines = path.read_text().splitlines(keepends=True)
    for number, line in enumerate(lines):
        (tmp_path / "m.txt").write_text("".join(lines[:number] + lines[number + 1 :]))
        check(tmp_path / "m.txt", model, f"line {number}, {line[:40]!r}")


def places(value, path=()):
    """The way to every value in a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from places(child, (*path, key))


def changed(document, path, change):
    """A copy of the document with what is at the path given to ``change`` with its parent and its key."""
    result = copy.deepcopy(document)
    parent = result
    for key in path[:-1]:
        parent = parent[key]
    change(parent, path[-1])
    return result


def some(document, count=120):
    """Places all over a document, the same ones each time."""
    every = [path for path in places(document) if path]
    chosen = np.random.default_rng(0).permutation(len(every))[:count]
    return [every[index] for index in chosen]


@of_json
def test_a_list_with_an_entry_left_out_is_refused_or_the_whole_model(whole, tmp_path, name):
    path, model = whole[name]
    document = json.loads(path.read_text())
    for at in some(document, 200):
        if isinstance(at[-1], int) and at[:-1] not in UNCOUNTED:
            (tmp_path / name).write_text(json.dumps(changed(document, at, lambda parent, key: parent.pop(key))))
            check(tmp_path / name, model, f"{name} without {at}")


@by_diagonal(["value", "name"], VALUES, JSON, ids=lambda value: str(value)[:6])
def test_a_value_that_cannot_be_is_refused_or_does_not_matter(whole, tmp_path, name, value):
    path, model = whole[name]
    document = json.loads(path.read_text())
    for at in some(document):
        if at in UNCOUNTED or (value == "x" and at[:-1] == ("learner", "feature_names")):
            continue

        def put(parent, key):
            parent[key] = value

        (tmp_path / name).write_text(json.dumps(changed(document, at, put)))
        check(tmp_path / name, model, f"{name} with {str(value)[:5]} at {at}")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("deep.json", b'{"learner": ' + b"[" * 20_000 + b"]" * 20_000 + b"}"),
        ("deep.ubj", b"{i\x01a" + b"[" * 20_000),
        ("digits.json", b'{"learner": ' + b"9" * 5_000 + b', "version": 3}'),
        ("digits.txt", b"tree\nnum_tree_per_iteration=" + b"9" * 5_000 + b"\n\nTree=0\nend of trees\n"),
        ("count.ubj", b"{i\x01a[$T#l\x7f\xff\xff\xff}"),
        ("counts.ubj", b"{i\x01a[" + b"[$T#U\xff" * 50 + b"]}"),
        ("count_of_numbers.ubj", b"{i\x01a[$D#L\x7f\xff\xff\xff\xff\xff\xff\xff}"),
        ("count_of_nothing.ubj", b"{i\x01a[$N#l\x7f\xff\xff\xff}"),
        ("empty.npz", b""),
        ("half.npz", b"PK\x03\x04" + b"\x00" * 40),
        ("empty.json", b""),
        ("empty.ubj", b""),
        ("empty.txt", b""),
        ("empty.parquet", b""),
        ("wide.csv", b"feature,x,y\n" + b"a" * 200_000 + b",1,2\n" + b'"' + b"b" * 200_000 + b"\n"),
        ("wide_header.csv", b"feature,x,y," + b"a" * 200_000 + b"\n"),
        ("nul.csv", b"feature,x,y\na\x00b,1,2\nc,1\n"),
        ("half_row.csv", b"feature,x,y\na,1,2\na,2\n"),
        ("full_row.csv", b"feature,x,y\na,1,2\na,2,3,4\n"),
        ("digits.csv", b"feature,x,y\na," + b"9" * 5_000 + b",2\n"),
    ],
)
def test_a_made_up_file_is_an_error_of_ours(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(CurvecError) as caught:
        curvec.read_teacher(path)
    assert name in str(caught.value)
    assert len(str(caught.value)) <= 2000


@pytest.mark.parametrize("name", ["a\0b.json", "n" * 5_000 + ".json", "."])
def test_a_path_that_cannot_be_is_an_error_of_ours(name):
    with pytest.raises(CurvecError) as caught:
        curvec.read_teacher(name)
    assert len(str(caught.value)) <= 2000


def test_a_mapping_is_a_file_s_content(whole):
    document = json.loads(whole["m.json"][0].read_text())
    assert curvec.read_teacher(document) == whole["m.json"][1]
    document["learner"]["learner_model_param"]["num_feature"] = 10**5000
    with pytest.raises(InputError, match="the mapping"):
        curvec.read_teacher(document)
