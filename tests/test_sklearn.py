"""The estimators: what scikit-learn asks of every estimator, and what curvec adds."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.feature_selection import RFE
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

import curvec
from curvec import CurveModel, InputError, UnsupportedError
from curvec.sklearn import CurveClassifier, CurveRegressor

SMALL = {"interaction_cst": "no_interactions", "max_iter": 5, "min_samples_leaf": 1, "learning_rate": 0.5}


@pytest.mark.filterwarnings("ignore")  # scikit-learn's own checks warn about data that they make odd on purpose
@pytest.mark.parametrize(
    "estimator",
    [
        CurveRegressor(HistGradientBoostingRegressor(**SMALL), num_segments=2, digits=None),
        CurveClassifier(HistGradientBoostingClassifier(**SMALL), num_segments=2, digits=None),
    ],
)
def test_every_check_of_scikit_learn(estimator: Any) -> None:
    results = check_estimator(estimator, on_skip=None)
    assert len(results) > 50
    assert {result["status"] for result in results} <= {"passed", "skipped"}


def test_weights_are_repeated_rows_at_the_rows() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    weights = rng.integers(0, 4, 60)
    estimator = CurveRegressor(HistGradientBoostingRegressor(**SMALL), digits=None)
    weighted = estimator.fit(X, y, weights).predict(X[weights > 0])
    repeated = clone(estimator).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).predict(X[weights > 0])
    np.testing.assert_allclose(weighted, repeated, rtol=1e-6, atol=1e-6)


def test_they_are_exported_lazily() -> None:
    assert curvec.CurveRegressor is CurveRegressor
    assert "CurveClassifier" in dir(curvec)
    with pytest.raises(AttributeError, match="no attribute 'CurveForest'"):
        curvec.CurveForest  # noqa: B018


def test_a_regressor_distils_its_teacher() -> None:
    data = load_diabetes(as_frame=True)
    fitted = CurveRegressor(num_segments=4).fit(data.data, data.target)
    assert {feature.name for feature in fitted.model_.features} <= set(data.data.columns)
    np.testing.assert_array_equal(fitted.predict(data.data), fitted.model_.predict(data.data))
    teacher = r2_score(data.target, np.mean([one.predict(data.data) for one in fitted.teacher_], axis=0))
    np.testing.assert_allclose(
        fitted.exact_.predict(data.data), np.mean([one.predict(data.data) for one in fitted.teacher_], axis=0)
    )
    assert r2_score(data.target, fitted.predict(data.data)) > 0.7 * teacher
    assert fitted.report_.segments <= 4 * 10
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301  made in the line before
    np.testing.assert_array_equal(again.predict(data.data), fitted.predict(data.data))
    assert "PWLCurve" in curvec.emit(again.model_, "python")


def test_columns_go_by_position_where_one_side_has_no_names() -> None:
    data = load_diabetes(as_frame=True)
    named = CurveRegressor(num_segments=2).fit(data.data, data.target)
    plain = CurveRegressor(num_segments=2).fit(data.data.to_numpy(), data.target)
    expected = named.predict(data.data)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):  # scikit-learn's own word on it
        np.testing.assert_array_equal(named.predict(data.data.to_numpy()), expected)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        np.testing.assert_array_equal(plain.predict(data.data), expected)


def test_a_classifier_keeps_its_classes_and_the_order_of_columns() -> None:
    data = load_breast_cancer(as_frame=True)
    X, y = data.data.iloc[:, :6], np.where(data.target == 1, "benign", "malignant")
    fitted = CurveClassifier(num_segments=3).fit(X, y)
    np.testing.assert_allclose(np.exp(fitted.predict_log_proba(X)), fitted.predict_proba(X), rtol=1e-9, atol=1e-300)
    assert fitted.classes_.tolist() == ["benign", "malignant"]
    assert isinstance(fitted.model_, CurveModel)
    assert fitted.model_.link == "logit"
    proba = fitted.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(fitted.predict(X), fitted.classes_[(proba[:, 1] > 0.5).astype(int)])
    assert roc_auc_score(y == "malignant", proba[:, 1]) > 0.97


def test_a_given_teacher_is_cloned_and_a_frozen_one_is_kept() -> None:
    X, y = load_diabetes(return_X_y=True)
    teacher = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=10).fit(X[:200], y[:200])
    kept = CurveRegressor(FrozenEstimator(teacher), digits=None, num_segments=8).fit(X, y)
    assert np.corrcoef(kept.predict(X), teacher.predict(X))[0, 1] > 0.98
    fresh = CurveRegressor(LinearRegression(), num_segments=1, overrides={"knots_on": "any"}, digits=10, margin=0).fit(
        X, y
    )
    np.testing.assert_allclose(fresh.predict(X), LinearRegression().fit(X, y).predict(X), rtol=1e-6)
    assert clone(fresh).get_params()["digits"] == 10
    with pytest.raises(UnsupportedError, match="KNeighborsRegressor"):
        CurveRegressor(KNeighborsRegressor()).fit(X, y)


def test_categories_of_a_frame_become_tables() -> None:
    rng = np.random.default_rng(0)
    kinds = pd.Categorical(rng.choice(["a", "b", "c"], 300))
    frame = pd.DataFrame({"size": rng.uniform(0, 10, 300), "kind": kinds})
    y = frame["size"] + np.where(frame["kind"] == "b", 5.0, 0.0)
    fitted = CurveRegressor().fit(frame, y)
    found = {feature.name: feature.type for feature in fitted.model_.features}
    assert found == {"size": "number", "kind": "str"}
    assert r2_score(y, fitted.predict(frame)) > 0.95


def test_weights_of_zero_are_no_rows_and_missing_values_pass_through() -> None:
    X, y = load_diabetes(return_X_y=True)
    X[::7, 2] = np.nan
    weights = np.where(np.arange(len(y)) < 300, 1.0, 0.0)
    teacher = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=10)
    with_weights = CurveRegressor(teacher).fit(X, y, weights)
    without = CurveRegressor(teacher).fit(X[:300], y[:300])
    np.testing.assert_allclose(with_weights.predict(X), without.predict(X), rtol=1e-3)
    assert np.isfinite(with_weights.predict(X)).all()


def test_it_works_inside_scikit_learn() -> None:
    X, y = load_diabetes(return_X_y=True)
    teacher = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=20)
    search = GridSearchCV(CurveRegressor(teacher), {"num_segments": [1, 3], "teacher__max_iter": [10]}, cv=2).fit(X, y)
    assert search.best_params_["num_segments"] in (1, 3)
    assert cross_val_score(CurveRegressor(teacher), X, y, cv=2).mean() > 0.2


TREES = HistGradientBoostingRegressor(max_iter=5, max_depth=1)
GRID: dict[str, list[Any]] = {
    "teacher": [TREES, LinearRegression()],
    "num_segments": [1, {"a": 3}],
    "max_numbers": [4, None, "auto"],
    "margin": [0, 0.01],
    "digits": ["auto", 2, None],
    "mono": [False, "increasing", {"b": True}],
    "overrides": [None, {"num_samples": 10}, {"a": {"fx": "log1p"}}],
    "unseen": ["null", "teacher"],
}


@pytest.mark.parametrize("name", CurveRegressor().get_params())
def test_every_parameter_can_be_searched(name: str) -> None:
    random = np.random.default_rng(2)
    X = pd.DataFrame({"a": random.uniform(0, 1, 120), "b": random.normal(size=120)})
    y = np.sin(4 * X["a"]) + X["b"] + random.normal(0, 0.1, 120)
    search = GridSearchCV(CurveRegressor(TREES), {name: GRID[name]}, cv=2, error_score="raise").fit(X, y)
    assert search.best_params_[name] in GRID[name]
    if name == "max_numbers":
        few = CurveClassifier(HistGradientBoostingClassifier(max_iter=30, max_depth=1), max_numbers="auto")
        labels, weights = np.where(y > 0.5, "yes", "no"), np.arange(120) % 3
        free = clone(few).set_params(max_numbers=None).fit(X, labels, weights)
        assert few.fit(X, labels, weights).model_.numbers_to_read < free.model_.numbers_to_read


def test_an_option_may_name_a_column_that_the_teacher_leaves_out() -> None:
    """As happens in the folds of a search; a name that is no column is refused."""
    X = pd.DataFrame({"a": np.zeros(60), "b": np.arange(60.0)})
    options: dict[str, Any] = {"num_segments": {"a": 2}, "mono": {"a": "increasing"}, "overrides": {"a": {"digits": 2}}}
    for name, value in options.items():
        assert CurveRegressor(TREES, **{name: value}).fit(X, X["b"]).model_.term_names == ["b"]
        with pytest.raises(InputError, match="an option names feature 'c'"):
            CurveRegressor(TREES, **{name: {"c": value["a"]}}).fit(X, X["b"])


@pytest.mark.parametrize("labels", [["a"] * 20, ["a", "b", "c", "b"] * 5])
def test_a_classifier_wants_two_classes(labels: list[str]) -> None:
    with pytest.raises(InputError, match="class"):
        CurveClassifier().fit(np.arange(20.0).reshape(-1, 1), labels)


@pytest.mark.parametrize("library", [pytest.param("pandas", marks=pytest.mark.nightly), "polars"])
def test_text_columns_are_categories(library: str) -> None:
    """Of the default teacher, which takes categories by their type and refuses text."""
    random = np.random.default_rng(0)
    town = random.choice(["north", "south", "east"], 600)
    x = random.normal(size=600)
    y = np.array(["bad", "good"])[(x + 2 * (town == "south") + random.logistic(size=600) > 0.5).astype(int)]
    frame: Any = {"town": town.astype(object), "x": x}
    frame = pd.DataFrame(frame) if library == "pandas" else pl.DataFrame({**frame, "town": town.tolist()})
    classifier = CurveClassifier(num_segments=3).fit(frame, y)
    table = next(term for term in classifier.model_.terms if isinstance(term, curvec.EnumCurve))
    assert sorted(table.mapping) == ["east", "north", "south"]
    assert table.mapping["south"] > max(table.mapping["north"], table.mapping["east"]) + 1
    assert classifier.score(frame, y) > 0.7
    values = CurveRegressor().fit(frame, x + (town == "south")).predict(frame)
    assert np.corrcoef(values, x + (town == "south"))[0, 1] > 0.95
    with pytest.raises(curvec.InputError, match=r"a CurveClassifier cannot be drawn; pass its \.model_"):
        curvec.plot(classifier)  # type: ignore[call-overload]  # that is the point
    with pytest.raises(curvec.InputError, match=r"a CurveClassifier is no CurveModel; pass its \.model_"):
        curvec.emit(classifier, "python")


@pytest.mark.parametrize("kind", ["object", "category"])
def test_more_levels_than_the_default_teacher_takes_are_refused_with_the_column(kind: str) -> None:
    frame = pd.DataFrame({"x": np.arange(300.0), "id": pd.Series([f"u{k % 256}" for k in range(300)]).astype(kind)})
    with pytest.raises(curvec.InputError, match="column 'id' has 256 levels, and the default teacher takes 255"):
        CurveRegressor().fit(frame, frame["x"])
    fewer = frame.iloc[:255]
    assert CurveRegressor(num_segments=1).fit(fewer, fewer["x"]).score(fewer, fewer["x"]) > 0.9


def test_a_missing_value_that_fit_has_not_seen_is_refused_by_name() -> None:
    """A missing score is no class, and no number."""
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    gap = X.iloc[:3].copy()
    gap.loc[gap.index[1], "bmi"] = np.nan
    for fitted, ask in (
        (CurveRegressor(num_segments=1).fit(X, y), "predict"),
        (CurveClassifier(num_segments=1).fit(X, y > 150), "predict"),
        (CurveClassifier(num_segments=1).fit(X, y > 150), "predict_proba"),
    ):
        with pytest.raises(InputError, match=r"row 1 has no score: bmi is missing there.*say unseen='teacher'"):
            getattr(fitted, ask)(gap)


def test_a_level_that_one_fold_lacks_takes_the_teachers_value_if_asked() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=60), "c": random.choice(["x", "y"], 60).astype(object)})
    X.loc[59, "c"] = "rare"
    y = (X["a"] + (X["c"] == "x") > 0.5).astype(int)
    columns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["c"]), remainder="passthrough")
    steps = make_pipeline(columns, LogisticRegression())
    scores = cross_val_score(CurveClassifier(steps, unseen="teacher"), X, y, cv=3, error_score="raise")
    assert scores.min() > 0.6
    fitted = CurveClassifier(steps, num_segments=1, unseen="teacher", margin=0).fit(X.head(50), y.head(50))
    expected = fitted.teacher_.predict_proba(X.tail(10))
    assert np.allclose(fitted.predict_proba(X.tail(10)), expected, atol=1e-4)


@pytest.mark.parametrize("teacher", ["ebm", 3, LogisticRegression])
def test_a_teacher_that_is_no_estimator_is_refused(teacher: Any) -> None:
    with pytest.raises(TypeError, match="estimator"):
        CurveClassifier(teacher).fit(np.zeros((4, 1)), [0, 1, 0, 1])


ODD = {
    "mixed": (pd.Series([1, "x"] * 60), "holds int and str, 'x' for one; make all of it numbers, or all of it text"),
    "dates": (pd.Series(pd.date_range("2020-01-01", periods=120)), "is of type Datetime, neither numbers nor text"),
    "spans": (pd.Series(pd.to_timedelta(np.arange(120), unit="s")), "is of type Duration"),
    "periods": (pd.Series(pd.period_range("2020", periods=120, freq="D")), r"is of type period\[D\]"),
    "complex": (pd.Series(np.arange(120) + 1j), "is of type complex128"),
    "objects": (pd.Series(list(pd.date_range("2020-01-01", periods=120).date)), "holds date, datetime.date"),
    "sparse": (
        pd.Series(np.zeros(120)).astype(pd.SparseDtype("float", 0.0)),
        r"is of .*; pass X\.sparse\.to_dense\(\)",
    ),
    "lists": (pd.Series([[1]] * 120), r"holds list, \[1\] for one"),
    "nothing": (pd.Series(np.full(120, np.nan)), "has no value in any row; leave the column out"),
    "none": (pd.Series([None] * 120), "has no value in any row"),
}


@pytest.mark.parametrize(("column", "message"), ODD.values(), ids=ODD)
@pytest.mark.parametrize("estimator", [curvec.CurveRegressor, curvec.CurveClassifier])
def test_a_column_that_is_neither_numbers_nor_text_is_refused_by_name(estimator, column, message):
    a = np.random.default_rng(0).uniform(size=120)
    with pytest.raises(curvec.InputError, match=f"column 'odd' {message}"):
        estimator().fit(pd.DataFrame({"a": a, "odd": column}), (a > 0.5).astype(int))


def test_a_column_of_an_array_without_values_is_refused():
    a = np.random.default_rng(0).uniform(size=120)
    with pytest.raises(curvec.InputError, match="column 'x1' has no value in any row"):
        curvec.CurveRegressor().fit(np.column_stack([a, np.full(120, np.nan)]), a)


def test_a_way_out_for_mixed_values_and_dates_works():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"mixed": [1, "x"] * 60, "date": pd.date_range("2020-01-01", periods=120)})
    mended = rows.assign(mixed=rows["mixed"].astype(str), date=(rows["date"] - rows["date"].min()).dt.days)
    model = curvec.CurveRegressor().fit(mended, rng.uniform(size=120))
    assert np.isfinite(model.predict(mended)).all()


A = np.random.default_rng(0).uniform(size=40)
SMALL_ROWS = pd.DataFrame({"a": A, "b": np.arange(40.0)})
CLASSES = pd.Series(np.where(A > 0.5, "yes", "no")).astype(object)
STUMPS = HistGradientBoostingClassifier(max_depth=1, max_iter=3, min_samples_leaf=1)


@pytest.mark.parametrize(
    ("estimator", "y", "message"),
    [
        (CurveClassifier, None, "fit requires y to be passed, but the target y is None"),
        (CurveClassifier, "b", r"y='b' is a name; pass the column, y=X\['b'\], and X without it"),
        (CurveClassifier, CLASSES.where(A > 0.1, None), "is None; leave out the rows in which y is missing"),
        (CurveClassifier, CLASSES.where(A > 0.1, 3), "y holds text and other values; make all of it numbers, or all"),
        (CurveClassifier, np.arange(40) % 3, "The type of the target is multiclass. OneVsRestClassifier"),
        (CurveRegressor, pd.Series(A).where(A > 0.1), "is nan; leave out the rows in which y is missing"),
        (CurveRegressor, pd.date_range("2020", periods=40), "dates and durations have no unit here, so pass numbers"),
        (CurveRegressor, pd.period_range("2020", periods=40, freq="D"), r"pandas\.Index\(y\)\.asi8"),
        (
            CurveRegressor,
            A.astype(str),
            r"y\[0\]: .* is not a number but text that reads as one",
        ),
    ],
)
def test_labels_that_are_none_are_refused(estimator: Any, y: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        estimator().fit(SMALL_ROWS, y)


@pytest.mark.parametrize(
    ("rows", "message", "way_out"),
    [
        ({"a": A, "b": A}, r"X is a dict; pass a frame, such as pandas\.DataFrame\(X\)", pd.DataFrame),
        (SMALL_ROWS.to_dict("records"), r"X is a list of dicts; .*pandas\.DataFrame\(X\)", pd.DataFrame),
        (pl.from_pandas(SMALL_ROWS).to_arrow(), r"X is a Table; .*X\.to_pandas\(\)", lambda rows: rows.to_pandas()),
        (SMALL_ROWS.set_axis([*"aa"], axis=1), "X has two columns 'a'", lambda rows: rows.set_axis([*"ab"], axis=1)),
    ],
)  # fmt: skip
def test_tables_that_scikit_learn_takes_for_something_else_are_refused(rows: Any, message: str, way_out: Any) -> None:
    regressor = CurveRegressor(LinearRegression(), num_segments=1)
    with pytest.raises(InputError, match=message):
        regressor.fit(rows, A)
    assert regressor.fit(way_out(rows), A).score(way_out(rows), A) > 0.9


def test_true_and_false_as_objects_are_two_classes() -> None:
    fitted = CurveClassifier(STUMPS).fit(SMALL_ROWS, pd.Series(A > 0.5).astype(object))
    assert fitted.classes_.tolist() == [False, True]
    assert fitted.predict(SMALL_ROWS).tolist() == (A > 0.5).tolist()


def test_a_teacher_of_the_other_kind_is_refused() -> None:
    with pytest.raises(InputError, match=r"LinearRegression is a regressor.*; CurveRegressor is for this teacher"):
        CurveClassifier(LinearRegression()).fit(SMALL_ROWS, A > 0.5)
    with pytest.raises(InputError, match=r"LogisticRegression is a classifier.*; CurveClassifier is for this teacher"):
        CurveRegressor(LogisticRegression()).fit(SMALL_ROWS, A)
    with pytest.raises(InputError, match=r"teacher__max_iter=5 is an option of .*HistGradientBoostingRegressor"):
        CurveRegressor().set_params(teacher__max_iter=5)
    assert CurveRegressor().set_params(teacher=TREES, teacher__max_iter=5).teacher.max_iter == 5


def test_a_teacher_of_margins_has_classes_and_no_probabilities() -> None:
    margins = CurveClassifier(LinearSVC(), num_segments=1).fit(SMALL_ROWS, CLASSES)
    assert margins.score(SMALL_ROWS, CLASSES) > 0.9
    assert not hasattr(margins, "predict_log_proba")
    with pytest.raises(AttributeError) as refused:
        margins.predict_proba(SMALL_ROWS)
    assert "pass CalibratedClassifierCV(teacher, ensemble=False)" in str(refused.value.__cause__)
    way_out = CalibratedClassifierCV(LinearSVC(), ensemble=False, cv=2)
    found = CurveClassifier(way_out, margin=0, digits=None).fit(SMALL_ROWS, CLASSES).predict_proba(SMALL_ROWS)
    np.testing.assert_allclose(found, way_out.fit(SMALL_ROWS, CLASSES).predict_proba(SMALL_ROWS), atol=1e-6)


def test_importances_are_spreads_of_what_columns_add() -> None:
    weights = np.arange(40) % 3 + 1
    y = 3 * A + SMALL_ROWS["b"]
    lines = CurveRegressor(LinearRegression(), num_segments=1, margin=0, digits=None).fit(SMALL_ROWS, y, weights)
    repeated = SMALL_ROWS.loc[np.repeat(np.arange(40), weights)]
    np.testing.assert_allclose(lines.feature_importances_, [3 * repeated["a"].std(ddof=0), repeated["b"].std(ddof=0)])
    assert RFE(lines, n_features_to_select=1).fit(SMALL_ROWS, y).support_.tolist() == [False, True]


def test_a_name_is_no_column_of_weights() -> None:
    with pytest.raises(InputError, match=r"sample_weight='b' is a name; pass the column, sample_weight=X\['b'\]"):
        CurveRegressor(LinearRegression()).fit(SMALL_ROWS, A, "b")
