"""EBMs read exactly: bit for bit, from the live object and from its JSON."""

from __future__ import annotations

import copy
import json

import numpy as np
import pandas as pd
import pytest
from interpret import glassbox

import curvec
from curvec import CurveModel, EnumCurve, InputError, UnsupportedError
from curvec.teachers import read_and_check

pytestmark = pytest.mark.filterwarnings("ignore:Missing values detected:UserWarning")
FAST = {"outer_bags": 2, "max_rounds": 60, "n_jobs": 1, "random_state": 0}
KINDS = ["continuous", "nominal", "continuous", "nominal", "continuous", "continuous", "nominal"]


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Categories as interpret likes them: objects, bools and ints."""
    return frame.assign(
        size=frame["size"].astype(object), rough=frame["rough"].astype(bool), lobes=frame["lobes"].astype(int)
    )


@pytest.fixture(scope="module")
def rows(cancer) -> pd.DataFrame:
    return plain(cancer[0])


@pytest.fixture(scope="module")
def classifier(rows, cancer):
    machine = glassbox.ExplainableBoostingClassifier(interactions=3, feature_types=KINDS, max_bins=64, **FAST)
    return machine.fit(rows, cancer[1])


@pytest.fixture(scope="module")
def document(classifier, tmp_path_factory):
    path = tmp_path_factory.mktemp("ebm") / "ebm.json"
    with pytest.warns(UserWarning, match="beta"):
        classifier.to_json(path, detail="all")
    return path


def test_bit_for_bit_at_every_cut_with_pairs_missing_and_unseen(classifier, rows, around_cuts):
    """Kinds P24, P35 and P41: x == cut is above it; either side of a pair missing or unseen."""
    reading = read_and_check(classifier, rows)
    assert reading.exact
    assert reading.distance == 0.0
    assert len(reading.pairs) == 3
    probes = around_cuts(reading.model, rows, (np.nan, np.inf, -np.inf, 0.0))
    probes.loc[probes.index % 5 == 0, "size"] = "never seen"
    probes.loc[probes.index % 7 == 0, "size"] = None
    probes.loc[probes.index % 3 == 0, "lobes"] = 99
    raw = classifier.decision_function(probes)
    assert np.array_equal(reading.model.eval(probes), raw)
    np.testing.assert_allclose(reading.model.predict(probes), classifier.predict_proba(probes)[:, 1], rtol=1e-15)


def test_a_pair_s_table_is_its_term(classifier, rows):
    reading = read_and_check(classifier, rows)
    for pair in reading.pairs:
        cells = [axis.cells(rows) for axis in pair.axes]
        (contribution,) = curvec.CurveModel("pair", [reading.model.terms[pair.index]]).contributions(rows).T
        assert np.array_equal(contribution, pair.table[cells[0], cells[1]])
        counted = np.zeros_like(pair.table)
        np.add.at(counted, (cells[0], cells[1]), 1.0)
        assert np.array_equal(counted, pair.weights)


def test_categories_have_the_data_s_type(classifier, rows):
    """Kinds P42 and P43: 1, True and "1" are what they are in the data."""
    model = curvec.read_teacher(classifier, rows)
    types = {feature.name: feature.type for feature in model.features}
    assert [types[name] for name in ("size", "rough", "lobes", "mean texture")] == ["str", "bool", "int", "number"]
    blind = curvec.read_teacher(classifier)
    assert {feature.name: feature.type for feature in blind.features}["rough"] == "int"
    with pytest.raises(InputError, match="rough"):
        blind.eval(rows)


@pytest.mark.parametrize("detail", ["minimal", "interpretable", "all"])
def test_the_json_file_is_the_object(classifier, rows, tmp_path, detail):
    with pytest.warns(UserWarning, match="beta"):
        classifier.to_json(tmp_path / "ebm.json", detail=detail)
    reading = read_and_check(tmp_path / "ebm.json", rows)
    assert reading.model == read_and_check(classifier, rows).model
    assert reading.check is None  # a file has no prediction of its own to be compared with


def test_categories_that_share_a_bin(document):
    content = json.loads(document.read_text())
    size = content["ebm"]["features"][1]
    assert size["categories"] == [["large", "mid", "small", "tiny"]]
    size["categories"] = [["large", ["mid", "small"], "tiny"]]
    term = content["ebm"]["terms"][1]
    term["scores"] = [0.0, 1.0, 2.0, 3.0, 4.0]
    term["bin_weights"] = term["bin_weights"][:5]
    content["ebm"]["terms"] = [term]
    curve = curvec.read_teacher(content).terms[0]
    assert isinstance(curve, EnumCurve)
    assert dict(curve.levels) == {"large": 1.0, "mid": 2.0, "small": 2.0, "tiny": 3.0}
    assert (curve.missing, curve.default) == (0.0, 4.0)


@pytest.mark.parametrize(("objective", "link"), [("rmse", "identity"), ("poisson_deviance", "log")])
def test_regression(diabetes, objective, link):
    frame, target = diabetes
    teacher = glassbox.ExplainableBoostingRegressor(objective=objective, interactions=0, **FAST).fit(frame, target)
    reading = read_and_check(teacher, frame)
    assert reading.model.link == link
    assert reading.distance <= (0.0 if link == "identity" else 1e-14)
    np.testing.assert_allclose(reading.model.predict(frame), teacher.predict(frame), rtol=1e-14)


def test_one_class_of_several(diabetes):
    frame, target = diabetes
    grade = np.digitize(target, [100, 200])
    teacher = glassbox.ExplainableBoostingClassifier(interactions=0, **FAST).fit(frame.iloc[:, :4], grade)
    with pytest.raises(UnsupportedError, match="3 classes"):
        curvec.read_teacher(teacher)
    assert read_and_check(teacher, frame.iloc[:, :4], class_index=1).distance == 0.0


def test_the_teacher_is_unchanged(classifier, rows):
    """Kind P82."""
    before = copy.deepcopy(classifier.term_scores_)
    read_and_check(classifier, rows)
    assert all(np.array_equal(a, b) for a, b in zip(before, classifier.term_scores_, strict=True))


def test_terms_that_are_constant_are_in_the_intercept(rows, cancer):
    frame = rows.assign(**{"mean texture": 1.0})
    teacher = glassbox.ExplainableBoostingClassifier(interactions=0, feature_types=KINDS, **FAST).fit(frame, cancer[1])
    reading = read_and_check(teacher, frame)
    assert reading.distance == 0.0
    assert len(reading.model.terms) == len(teacher.term_scores_) - 1
    assert len(reading.model.features) == len(frame.columns)


def test_unfitted_and_higher_order_machines_are_refused(document):
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(glassbox.ExplainableBoostingClassifier())
    content = json.loads(document.read_text())
    content["ebm"]["terms"][0].update(term_features=["size", "rough", "lobes"], scores=np.zeros((6, 4, 15)).tolist())
    with pytest.raises(UnsupportedError, match="3 features"):
        curvec.read_teacher(content)


def test_interpret_s_linear_models_are_scikit_learn_s(numeric):
    frame, target = numeric
    for kind in (glassbox.LogisticRegression, glassbox.LinearRegression):
        teacher = kind().fit(frame, target)
        reading = read_and_check(teacher, frame)
        ours = reading.model.predict(frame)
        theirs = teacher.predict_proba(frame)[:, 1] if kind is glassbox.LogisticRegression else teacher.predict(frame)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)
        assert [feature.name for feature in reading.model.features] == list(frame.columns)


def of_column(column, **options):
    """An EBM of the column ``c`` and one of numbers, and its rows."""
    random = np.random.default_rng(0)
    codes = np.unique(np.asarray(column, dtype=str), return_inverse=True)[1]
    frame = pd.DataFrame({"c": column, "x": random.normal(size=len(column))})
    machine = glassbox.ExplainableBoostingRegressor(**{"interactions": 0, **FAST, **options})
    return machine.fit(frame, codes % 3 + frame["x"]), frame


@pytest.mark.parametrize("texts", [["1", "2", "10"], ["1.5", "2", "10.25"], ["01", "02", "10"]], ids=str)
def test_text_that_the_machine_reads_as_numbers_is_a_table(texts):
    teacher, frame = of_column(np.random.default_rng(1).choice(texts, 400))
    assert teacher.feature_types_in_[0] == "continuous"
    reading = read_and_check(teacher, frame)
    assert reading.distance == 0.0
    assert set(reading.model.terms[0].levels) == set(texts)
    assert np.isnan(reading.model.eval({"c": ["7"], "x": [0.0]})).all()
    assert any("text that the teacher reads as numbers" in note for note in reading.notes)
    numbers = frame.astype({"c": float})
    assert np.array_equal(read_and_check(teacher, numbers).model.eval(numbers), teacher.predict(numbers))
    with pytest.raises(curvec.InputError, match=r"holds 'x', .* make it a number or a missing value"):
        read_and_check(teacher, frame.assign(c="x"))


def test_a_column_that_no_term_reads_may_hold_anything():
    teacher, frame = of_column(np.random.default_rng(1).choice(["one", "two", "ten"], 400), exclude=["c"])
    reading = read_and_check(teacher, frame)
    assert reading.distance == 0.0
    assert reading.model.term_names == ["x"]


def test_text_that_the_machine_reads_as_numbers_has_to_be_numbers_in_a_pair():
    teacher, frame = of_column(np.random.default_rng(1).choice(["1", "2", "10"], 400), interactions=1)
    with pytest.raises(curvec.InputError, match=r"in pandas X\['c'\].astype\(float\)"):
        read_and_check(teacher, frame)
    numbers = frame.assign(c=frame["c"].astype(float))
    assert read_and_check(teacher, numbers).distance == 0.0


@pytest.mark.parametrize("interactions", [0, 1])
@pytest.mark.parametrize("levels", [[0.5, 1.5, 2.5, 1 / 3], [1.0, 2.0, 1e20, -0.0], np.float32([0.1, 0.2])], ids=str)
def test_categories_that_are_fractions_are_steps_of_one_double(levels, interactions):
    column = np.random.default_rng(1).choice(levels, 400)
    types = ["nominal", "continuous"]
    teacher, frame = of_column(column, feature_types=types, interactions=interactions)
    reading = read_and_check(teacher, frame)
    assert reading.distance == 0.0
    at = np.unique(column).astype(float)
    c = np.r_[at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf), np.nan, 99.0]
    probe = pd.DataFrame({"c": c, "x": np.linspace(-1, 1, len(c))})
    assert np.array_equal(reading.model.eval(probe), teacher.predict(probe))
    assert np.array_equal(curvec.read_teacher(teacher).eval(probe), teacher.predict(probe))


def test_the_spread_is_the_standard_deviations_over_the_bags(classifier, rows, document):
    """Of each function of one feature, bin by bin, from the object and from its file; a single bag has none."""
    reading = read_and_check(classifier, rows)
    assert reading.spread == read_and_check(str(document), rows).spread
    bins = classifier.bins_
    for term, indices in enumerate(classifier.term_features_):
        name = classifier.feature_names_in_[indices[0]]
        if len(indices) == 1 and not isinstance(bins[indices[0]][0], dict):
            cuts = bins[indices[0]][0]
            middle = [cuts[0] - 1, *cuts]
            expected = classifier.standard_deviations_[term][1:-1]
            np.testing.assert_array_equal(CurveModel("m", [reading.spread[name]]).eval({name: middle}), expected)
    single = glassbox.ExplainableBoostingClassifier(
        interactions=0, feature_types=KINDS, max_bins=64, **FAST | {"outer_bags": 1}
    )
    single.fit(rows, classifier.predict(rows))
    assert read_and_check(single, rows).spread is None
