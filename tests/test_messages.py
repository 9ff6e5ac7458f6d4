"""Every way out that a message names: the options it names exist where the caller is, and what it says, done, works."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from catboost import CatBoostClassifier
from sklearn.base import ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC
from statsmodels.formula import api as formula
from statsmodels.gam.api import BSplines, GLMGam
from statsmodels.genmod.families import Poisson

import curvec
from curvec import CurvecError, CurveModel, EnumCurve, Line, PWLCurve, Sum
from curvec.distill import distill
from curvec.metrics import Metric
from curvec.parity import check
from curvec.teachers import read_and_check

ROOT = Path(curvec.__file__).parent

CALLED: dict[str, tuple[Callable[..., Any], ...]] = {
    "condense": (curvec.Moments, curvec.Moments.fit, curvec.fit_pwl),
    "distill": (distill,),
    "emit": (curvec.emit,),
    "fit": (curvec.fit_pwl,),
    "metrics": (curvec.Distillation.evaluate, distill),
    "model": (CurveModel,),
    "parity": (check,),
    "refine": (curvec.refine,),
    "teachers": (curvec.read_teacher, read_and_check, distill),
}
"""What a caller has called when a message of that stage comes; each of several has the option."""

WORDS = {"x", "level", "lambda"}
"""What stands before = in a message and is a value rather than an option."""

OF_OTHERS = {
    "add_indicator", "basis", "booster", "boosting", "clip", "constraints", "degree", "dtype", "ensemble",
    "extrapolation", "format", "grow_policy", "init", "linear_tree", "max_depth", "method", "missing_values",
    "out_of_bounds", "refit", "strategy", "which",
}  # fmt: skip
"""Options of the teachers' libraries, of numpy and pandas."""


def messages() -> Iterator[tuple[str, str, set[str]]]:
    """(stage, constant text, parameters of the public function that it stands in) of every message of an error."""
    for path in sorted(ROOT.rglob("*.py")):
        stage = path.relative_to(ROOT).with_suffix("").parts[0]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        own: dict[ast.AST, set[str]] = {}
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and not function.name.startswith("_"):
                names = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
                own |= dict.fromkeys(ast.walk(function), names)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and re.search(r"Error$|error$|^check$", ast.unparse(node.func)):
                for argument in node.args:
                    parts = [part for part in ast.walk(argument) if isinstance(part, ast.Constant)]
                    text = "".join(part.value if isinstance(part.value, str) else "" for part in parts)
                    yield stage, text, own.get(node, set())


def test_every_option_that_a_message_names_is_one_of_what_was_called() -> None:
    seen = 0
    for stage, text, own in messages():
        for name in re.findall(r"(?<![\w-])([a-z_]+)=(?!=)", text):
            if name in WORDS | OF_OTHERS | own or stage not in CALLED:
                continue
            seen += 1
            for function in CALLED[stage]:
                known = set(inspect.signature(function).parameters) | _options_of(function)
                assert name in known, f"{function.__qualname__} has no {name}=, which a message names: {text}"
    assert seen > 40


def _options_of(function: Callable[..., Any]) -> set[str]:
    """Those that are taken as keywords: of ``emit`` any target's, of ``Moments.fit`` those of ``fit_pwl``."""
    if function is curvec.emit:
        return {name for target in curvec.emit.__globals__["TARGETS"].values() for name in target.options}
    if function in (curvec.Moments.fit, curvec.Moments, distill):
        return set(inspect.signature(curvec.fit_pwl).parameters)
    return set()


@dataclass(frozen=True)
class Advice:
    """A call that is refused, the way out that its message names, and that way taken."""

    refused: Callable[[], Any]
    way: str
    taken: Callable[[], Any]
    right: Callable[[Any], bool] = bool
    """Whether what came of it is right, by an independent reckoning."""


RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.uniform(1, 3, 200), "b": RNG.uniform(-1, 1, 200)})
COUNTS = RNG.poisson(np.exp(0.3 * FRAME["a"] + FRAME["b"])).astype(float)
LABELS = (FRAME["a"] + FRAME["b"] > 2.1).astype(int)
IRIS, SPECIES = load_iris(return_X_y=True, as_frame=True)
LONG = curvec.CurveModel("m", [EnumCurve("c", {k: float(k) for k in range(10_000)}, default=0.0)])
CURVE = CurveModel("m", [PWLCurve("age", [(0, 0), (1, 1)])])
GUARDED = CurveModel("m", [PWLCurve("age", [(0, 0), (1, 1)], missing=7.0)])
NESTED = CurveModel("m", [PWLCurve(Sum([PWLCurve("age", [(0, 0), (1, 1)]), Line("b")]), [(0, 0), (1, 1)])])
ROWS = {"age": [0.0, 0.5, 1.0], "b": [0.0, 1.0, 2.0]}


def scores(model: CurveModel, rows: Any, wanted: Any) -> bool:
    """The model's predictions on these rows, which is what its teacher's users see."""
    return bool(np.allclose(model.predict(rows), wanted, rtol=1e-4, atol=1e-6))


LEVELS = RNG.choice(["u", "v"], 200)
TREES = {"max_iter": 5, "interaction_cst": "no_interactions"}
UNNAMED = {"x0": FRAME["a"], "x1": FRAME["b"]}
UNNAMED_LINE = LinearRegression().fit(FRAME.to_numpy(), COUNTS)


@cache
def poisson() -> Any:
    return formula.glm("y ~ C(c) + np.log(a)", FRAME.assign(y=COUNTS, c=LEVELS), family=Poisson()).fit()


def splines(column: str) -> Any:
    rows = FRAME.abs().assign(y=COUNTS, log_b=np.log(FRAME["b"].abs()))
    smoother = BSplines(FRAME[["a"]], df=[5], degree=[3])
    return GLMGam.from_formula(f"y ~ {column}", rows, smoother=smoother).fit()


@cache
def classes() -> Any:
    return HistGradientBoostingClassifier(**TREES).fit(IRIS, SPECIES)


@cache
def pipeline(model: type) -> Any:
    y = LABELS if issubclass(model, ClassifierMixin) else COUNTS
    return make_pipeline(FunctionTransformer(np.log1p, validate=False), model()).fit(FRAME.abs(), y)


@cache
def boosted_classes() -> Any:
    return make_pipeline(StandardScaler(), HistGradientBoostingClassifier(**TREES)).fit(FRAME, LABELS)


@cache
def boosted_counts() -> Any:
    return make_pipeline(StandardScaler(), HistGradientBoostingRegressor(**TREES, loss="poisson")).fit(FRAME, COUNTS)


@cache
def search() -> Any:
    return GridSearchCV(curvec.CurveRegressor(LinearRegression()), {"num_segments": [1]}, cv=2).fit(FRAME, COUNTS)


def line(rows: pd.DataFrame) -> Any:
    return pipeline(LinearRegression).predict(rows)


def raw_score(rows: pd.DataFrame) -> Any:
    return rows["a"] + 0.5 * rows["b"] ** 2


def mean_error(y: Any, predicted: Any, w: Any, query: Any) -> float:
    del query
    return float(np.average(abs(y - predicted), weights=w))


def calibrated(**options: Any) -> Any:
    return CalibratedClassifierCV(LogisticRegression(), **options).fit(FRAME, LABELS)


ADVICE = {
    "a GLM's formula with levels": Advice(
        lambda: read_and_check(poisson()), "pass X, a data frame with the columns ['c', 'a']",
        lambda: read_and_check(poisson(), FRAME.assign(c=LEVELS)),
        lambda reading: scores(reading.model, FRAME.assign(c=LEVELS), poisson().predict(FRAME.assign(c=LEVELS))),
    ),
    "a formula beside splines": Advice(
        lambda: read_and_check(splines("np.log(b)")), "give it as a column of the data",
        lambda: read_and_check(splines("log_b")),
    ),
    **{
        f"a pipeline of {kind.__name__}": Advice(
            lambda kind=kind: read_and_check(pipeline(kind)),
            "with X, such columns are read from the pipeline's scores",
            lambda kind=kind: read_and_check(pipeline(kind), FRAME.abs()),
            lambda reading, kind=kind, told=told: scores(reading.model, FRAME.abs(), told(pipeline(kind), FRAME.abs())),
        )
        for kind, told in (
            (LogisticRegression, lambda model, rows: model.predict_proba(rows)[:, 1]),
            (PoissonRegressor, lambda model, rows: model.predict(rows)),
            (LinearSVC, lambda model, rows: model.decision_function(rows)),
            (LinearRegression, lambda model, rows: model.predict(rows)),
        )
    },
    **{
        f"a pipeline of trees for {what}": Advice(
            lambda trees=trees: read_and_check(trees()), "read from its scores: pass X",
            lambda trees=trees: read_and_check(trees(), FRAME.abs()),
            lambda reading, trees=trees, told=told: scores(reading.model, FRAME.abs(), told(trees(), FRAME.abs())),
        )
        for what, trees, told in (
            ("classes", boosted_classes, lambda model, rows: model.predict_proba(rows)[:, 1]),
            ("counts", boosted_counts, lambda model, rows: model.predict(rows)),
        )
    },
    "an ensemble of calibrated classifiers": Advice(
        lambda: read_and_check(calibrated(cv=2), FRAME), "fit it with ensemble=False",
        lambda: read_and_check(calibrated(cv=2, ensemble=False), FRAME),
    ),
    "an isotonic calibration": Advice(
        lambda: read_and_check(calibrated(ensemble=False, method="isotonic"), FRAME), "fit it with method='sigmoid'",
        lambda: read_and_check(calibrated(ensemble=False, method="sigmoid"), FRAME),
    ),
    "a search for a model": Advice(
        lambda: curvec.emit(search(), "python"), "pass its .best_estimator_.model_",
        lambda: curvec.emit(search().best_estimator_.model_, "python"),
    ),
    "a pipeline for a model": Advice(
        lambda: curvec.emit(make_pipeline(search().best_estimator_), "python"), "pass its [-1].model_",
        lambda: make_pipeline(search().best_estimator_)[-1].model_,
        lambda model: model == search().best_estimator_.model_,
    ),
    "a search that keeps no model": Advice(
        lambda: read_and_check(GridSearchCV(LinearRegression(), {}, cv=2, refit=False).fit(FRAME, COUNTS), FRAME),
        "call fit, with refit=True", lambda: read_and_check(search(), FRAME),
        lambda reading: scores(reading.model, FRAME, search().predict(FRAME)),
    ),
    "an estimator of curves that is not fitted": Advice(
        lambda: distill(curvec.CurveRegressor(), FRAME), "call fit first",
        lambda: distill(curvec.CurveRegressor(LinearRegression()).fit(FRAME, COUNTS), FRAME),
    ),
    "SQL of no engine": Advice(
        lambda: curvec.emit(CURVE, "sql"), "SQL needs dialect=", lambda: curvec.emit(CURVE, "sql", dialect="sqlite"),
    ),
    "a band of moments": Advice(
        lambda: curvec.Moments([0, 1]).update([0, 1, 1], [0, 1, 2]).fit().band(1.0), "pass the rows to fit_pwl",
        lambda: curvec.fit_pwl([0, 1, 1], [0, 1, 2]).band(1.0), lambda ends: ends[0] < 1.5 < ends[1],
    ),
    "classes, in read_teacher": Advice(
        lambda: curvec.read_teacher(classes(), IRIS), "class_index=0..2",
        lambda: curvec.read_teacher(classes(), IRIS, class_index=2),
        lambda model: np.allclose(model.eval(IRIS), classes().decision_function(IRIS)[:, 2]),
    ),
    "classes, in distill": Advice(
        lambda: distill(classes(), IRIS), "class_index=0..2 (the raw score of that class)",
        lambda: distill(classes(), IRIS, class_index=1),
        lambda found: np.allclose(found.teacher.eval(IRIS), classes().decision_function(IRIS)[:, 1]),
    ),
    "names of another number, in distill": Advice(
        lambda: distill(UNNAMED_LINE, UNNAMED, feature_names=["a"]), "the teacher has 2 features",
        lambda: distill(UNNAMED_LINE, UNNAMED, feature_names=["x1", "x0"]),
        lambda found: [term.input for term in found.teacher.terms] == ["x1", "x0"],
    ),
    "a link of a model, in distill": Advice(
        lambda: distill(CURVE, ROWS, link="log"), "link='log' means nothing for curvec model; leave it out",
        lambda: distill(CURVE, ROWS),
    ),
    "a link of a teacher that is read": Advice(
        lambda: distill(read_and_check(raw_score, FRAME), FRAME, link="log"),
        "give it there: read_and_check(teacher, X, link='log')",
        lambda: [distill(read_and_check(raw_score, FRAME, link="log"), FRAME), distill(raw_score, FRAME, link="log")],
        lambda found: all(scores(one.teacher, FRAME, np.exp(raw_score(FRAME))) for one in found),
    ),
    "a class of one": Advice(
        lambda: curvec.read_teacher(UNNAMED_LINE, UNNAMED, class_index=1), "the teacher has one score, leave it out",
        lambda: curvec.read_teacher(UNNAMED_LINE, UNNAMED),
    ),
    "names of another number": Advice(
        lambda: curvec.read_teacher(UNNAMED_LINE, UNNAMED, feature_names=["a"]), "the teacher has 2 features",
        lambda: curvec.read_teacher(UNNAMED_LINE, UNNAMED, feature_names=["x0", "x1"]),
        lambda found: [feature.name for feature in found.features] == ["x0", "x1"],
    ),
    "a link of a model that says its own": Advice(
        lambda: curvec.read_teacher(CURVE, ROWS, link="log"), "link='log' means nothing",
        lambda: curvec.read_teacher(CURVE, ROWS),
    ),
    "a function without rows": Advice(
        lambda: read_and_check(line), "pass X", lambda: read_and_check(line, FRAME.abs()),
        lambda reading: scores(reading.model, FRAME.abs(), line(FRAME.abs())),
    ),
    "a function as fx of a distillation": Advice(
        lambda: distill(CURVE, ROWS, overrides={"fx": np.log1p}), "log1p",
        lambda: distill(CURVE, ROWS, overrides={"fx": "log1p"}),
        lambda found: found.model.terms[0].fx == "log1p",
    ),
    "a size below the least": Advice(
        lambda: distill(GUARDED, ROWS, unseen="teacher", max_numbers=2), "allow as many",
        lambda: distill(GUARDED, ROWS, unseen="teacher", max_numbers=6),
    ),
    "a size by labels that are not there": Advice(
        lambda: distill(CURVE, ROWS, max_numbers="auto"), "pass y= and metric=",
        lambda: distill(CURVE, ROWS, max_numbers="auto", y=[0, 0.5, 1], metric="rmse"),
    ),
    "ranks without queries": Advice(
        lambda: distill(CURVE, ROWS, y=[0, 1, 2], metric="ndcg@2"), "pass query=",
        lambda: distill(CURVE, ROWS, y=[0, 1, 2], metric="ndcg@2", query=[1, 1, 1]),
    ),
    "a function of labels with weights": Advice(
        lambda: distill(CURVE, ROWS).evaluate(ROWS, [0, 1, 2], lambda y, p: -abs(y - p).mean(), [1, 1, 2]),
        "wrap it in curvec.metrics.Metric",
        lambda: distill(CURVE, ROWS).evaluate(
            ROWS, [0, 1, 2], Metric("mae", mean_error, greater_is_better=False), [1, 1, 2]
        ),
        lambda found: np.isclose(found.teacher, np.average([0, 0.5, 1.0], weights=[1, 1, 2])),
    ),
    "a transform outside its domain": Advice(
        lambda: curvec.fit_pwl([-2.0, 1, 2, 3], [0, 1, 2, 4], fx="log"), "fx='symlog1p'",
        lambda: curvec.fit_pwl([-2.0, 1, 2, 3], [0, 1, 2, 4], fx="symlog1p").curve,
        lambda curve: curve.fx == "symlog1p",
    ),
    "an expression of a curve of a sum": Advice(
        lambda: curvec.emit(NESTED, "sql", "duckdb", form="select"), "table=",
        lambda: curvec.emit(NESTED, "sql", "duckdb", form="select", table="t"),
    ),
    "more levels than a CASE takes": Advice(
        lambda: curvec.emit(LONG, "sql", "sqlite"), "form='select'",
        lambda: curvec.emit(LONG, "sql", "sqlite", form="select", table="t"),
    ),
    "a view of another form": Advice(
        lambda: curvec.emit(CURVE, "sql", "duckdb", form="select", table="t", view="v"), "form='view'",
        lambda: curvec.emit(CURVE, "sql", "duckdb", form="view", table="t", view="v"),
        lambda text: "VIEW v" in text or 'VIEW "v"' in text,
    ),
    "a view called as its table": Advice(
        lambda: curvec.emit(CURVE, "sql", "duckdb", form="view", table="m"), "view=",
        lambda: curvec.emit(CURVE, "sql", "duckdb", form="view", table="m", view="scored"),
    ),
    "scores per term in an expression": Advice(
        lambda: curvec.emit(CURVE, "sql", "duckdb", per_term=True), "form='select'",
        lambda: curvec.emit(CURVE, "sql", "duckdb", per_term=True, form="select", table="t"),
    ),
    "integers beyond doubles": Advice(
        lambda: CURVE.eval({"age": np.array([2**53 + 1])}), "cast the column to float64",
        lambda: CURVE.eval({"age": np.array([2**53 + 1]).astype("float64")}), lambda found: found[0] == 1.0,
    ),
    "one name where names belong": Advice(
        lambda: check(CURVE, ROWS, targets="python"), "pass a list of names",
        lambda: check(CURVE, ROWS, targets=["python"]), lambda report: report.ok,
    ),
    "y bounds of a teacher that is not there": Advice(
        lambda: curvec.refine(CURVE, ROWS, [0, 1, 2], loss="squared", ridge=1.0, y_bounds="teacher"),
        "pass what distill gave",
        lambda: curvec.refine(distill(CURVE, ROWS), ROWS, [0, 1, 2], loss="squared", ridge=1.0, y_bounds="teacher"),
    ),
    "an unlinked loss": Advice(
        lambda: curvec.refine(CURVE, ROWS, [0, 1, 2], loss="pairwise"), "pass query=",
        lambda: curvec.refine(CURVE, ROWS, [0, 1, 2], loss="pairwise", query=[1, 1, 1], ridge=1.0),
    ),
    "a clipping scaler": Advice(
        lambda: read_and_check(make_pipeline(MinMaxScaler(clip=True), LinearRegression()).fit(FRAME, COUNTS)),
        "use clip=False",
        lambda: read_and_check(make_pipeline(MinMaxScaler(), LinearRegression()).fit(FRAME, COUNTS), FRAME),
    ),
    "CatBoost's own file": Advice(
        lambda: read_and_check(saved("cbm")),
        "save the model with format='json'",
        lambda: read_and_check(saved("json")),
    ),
    "a folder of no kind": Advice(
        lambda: CURVE.save("model.txt"), "ends in .json", lambda: CURVE.save("model.json") is None,
    ),
}  # fmt: skip


def saved(kind: str) -> str:
    teacher = CatBoostClassifier(iterations=2, depth=1, verbose=0, allow_writing_files=False, thread_count=1)
    teacher.fit(FRAME, LABELS).save_model(f"model.{kind}", format=kind)
    return f"model.{kind}"


@pytest.mark.parametrize("name", ADVICE)
def test_the_way_out_that_a_message_names_works(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    advice = ADVICE[name]
    with pytest.raises(CurvecError) as error:
        advice.refused()
    assert advice.way in str(error.value), error.value
    assert advice.right(advice.taken())


def plurals() -> Iterator[tuple[str, str]]:
    """(place, what stands in the braces and the word behind it) of every count in a text that may be one of a thing."""
    for path in sorted(ROOT.rglob("*.py")):
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for value, after in zip(getattr(text, "values", []), getattr(text, "values", [])[1:], strict=False):
                word = re.match(r" ([a-z]+)s\b", str(getattr(after, "value", "")))
                if isinstance(text, ast.JoinedStr) and isinstance(value, ast.FormattedValue) and word:
                    yield f"{path.name}:{text.lineno}", f"{ast.unparse(value.value)}{word[0]}"


def test_one_of_a_thing_is_no_plural() -> None:
    """``counted`` writes "1 term" and "2 terms"; a length before a plural would be "1 terms"."""
    found = [(place, text) for place, text in plurals() if re.match(r"(?!counted).*(len\(|num_|rows)", text)]
    assert not [(place, text) for place, text in found if text not in TWO_OR_MORE]
    model = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])])
    heads = [curvec.emit(model, target) for target in ("python", "cpp", "javascript")]
    heads += [curvec.emit(model, "sql", "duckdb", form=form, table="t") for form in ("select", "view", "dbt", "check")]
    for text in [*heads, curvec.emit(model, "sql", "duckdb"), curvec.emit(model, "sql", "duckdb", form="function")]:
        assert not re.search(r"\b1 \w+s\b", text)


TWO_OR_MORE = {
    "len(text.encode()) bytes", "len(parts) names", "len(text) characters", "len(model.features) features",
    "len(levels) levels", "len(options.candidates) candidates", "len(required) knots", "len(found) terms",
    "len(others) models", "len(content['outputs']) outputs", "len(result.trees) trees",
    "len(panel.terms) terms", "len(self.html) characters",
}  # fmt: skip
"""What a message is about only where there are none, or several, of it."""
