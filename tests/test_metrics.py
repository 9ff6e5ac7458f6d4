"""The metrics against scikit-learn, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as reference

from curvec import CurveModel, InputError, Line, PWLCurve, distill, refine
from curvec.metrics import METRICS, Metric, metric, ndcg


@given(seed=st.integers(0, 10**6), rows=st.integers(2, 60), ties=st.sampled_from([1, 3, 100]))
def test_pointwise_metrics_are_scikit_learns(seed, rows, ties) -> None:
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows).astype(float)
    y[:2] = [0.0, 1.0]
    score = np.round(random.normal(size=rows) * ties) / ties
    probability = random.uniform(0, 1, rows)
    w = random.uniform(0.1, 2, rows)
    for weights in (None, w):
        expected = reference.roc_auc_score(y, score, sample_weight=weights)
        assert METRICS["roc_auc"](y, score, weights) == pytest.approx(expected, abs=1e-12)
        expected = reference.log_loss(y, probability, sample_weight=weights)
        assert METRICS["log_loss"](y, probability, weights) == pytest.approx(expected, rel=1e-12)
        expected = np.sqrt(reference.mean_squared_error(y, score, sample_weight=weights))
        assert METRICS["rmse"](y, score, weights) == pytest.approx(expected, rel=1e-12)
        counts, means = np.floor(3 * probability), np.exp(score)
        expected = reference.mean_poisson_deviance(counts, means, sample_weight=weights)
        assert METRICS["poisson_deviance"](counts, means, weights) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        expected = reference.mean_gamma_deviance(probability + 0.1, means, sample_weight=weights)
        assert METRICS["gamma_deviance"](probability + 0.1, means, weights) == pytest.approx(expected, rel=1e-9)


@given(seed=st.integers(0, 10**6), k=st.integers(1, 12), ties=st.sampled_from([1, 2, 100]))
def test_ndcg_is_scikit_learns_on_exponential_gains(seed, k, ties) -> None:
    random = np.random.default_rng(seed)
    query = random.integers(0, 5, 60)
    y = random.integers(0, 4, 60).astype(float)
    y[query == 3] = 0.0  # left out
    score = np.round(random.normal(size=60) * ties) / ties
    expected = [
        reference.ndcg_score([2 ** y[query == q] - 1], [score[query == q]], k=k)
        for q in np.unique(query)
        if (y[query == q] > 0).any() and (query == q).sum() > 1
    ]
    alone = [1.0 for q in np.unique(query) if (query == q).sum() == 1 and (y[query == q] > 0).any()]
    assert ndcg(k)(y, score, query=query) == pytest.approx(np.mean([*expected, *alone]), abs=1e-12)


def test_a_function_or_a_name() -> None:
    assert metric("ndcg@5").needs_query
    assert metric("ndcg@5").on == "score"
    assert metric(lambda y, p: float(np.mean(y == p)))([1.0, 0.0], [1.0, 1.0]) == 0.5
    own = Metric("own", METRICS["rmse"].function)
    assert metric(own) is own


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("auc", (), "metric 'auc' is not known; use roc_auc"),
        ("poisson_deviance", ([-1.0], [1.0]), "poisson_deviance needs labels that are not negative; one is -1.0"),
        ("gamma_deviance", ([0.0], [1.0]), "gamma_deviance needs labels above 0; one is 0.0"),
        ("gamma_deviance", ([1.0], [0.0]), "needs predictions above 0, one is 0.0; does the model have a log link?"),
        ("ndcg@0", (), "ndcg@0"),
        ("roc_auc", ([1.0, 2.0], [0.0, 1.0]), "label 2.0 is neither 0 nor 1"),
        ("roc_auc", ([1.0, 1.0], [0.0, 1.0]), "rows of both classes"),
        ("roc_auc", ([1.0, 0.0], [0.0, np.nan]), r"predicted\[1\] is nan"),
        ("log_loss", ([1.0, 0.0], [0.0, 3.0]), "between 0 and 1"),
        ("rmse", ([1.0], [0.0, 3.0]), "y has 1 row and the predictions 2"),
        ("rmse", ([[1.0, 2.0]], [0.0]), r"y has shape \(1, 2\)"),
        ("rmse", ([1.0], [0.0], [-1.0]), r"w\[0\] is -1.0; must not be negative"),
        ("ndcg@5", ([1.0], [0.0]), "pass query="),
        ("ndcg@5", ([0.0], [0.0], None, [1]), "no query has a document"),
        ("ndcg@5", ([1.0], [0.0], [1.0], [1]), "leave w out"),
        ("ndcg@5", ([1.0, -1.0], [0.0, 1.0], None, [1, 1]), r"y\[1\] is -1.0; labels of ndcg are from 0 to 1000"),
        ("ndcg@5", ([1.0, 2000.0], [0.0, 1.0], None, [1, 1]), r"y\[1\] is 2000.0; labels of ndcg are from 0"),
        ("rmse", ([1.0], [0.0], None, [1]), "leave query out, or pass metric='ndcg@5'"),
        ("ndcg@5", ([1.0, 0.0], [0.0, 1.0], None, [1, np.nan]), r"query\[1\] is missing"),
        ("ndcg@5", ([1.0, 0.0], [0.0, 1.0], None, [None, "q"]), r"query\[0\] is missing"),
        ("roc_auc", (["no", "yes"], [0.0, 1.0]), "y.0.: .* is not a number; encode two classes as 0 and 1"),
        (lambda _y, _p: "good", ([1.0], [0.0]), "gave 'good'; it must give a finite number"),
        (lambda _y, _p: np.nan, ([1.0], [0.0]), "gave nan; it must give a finite number"),
        ("ndcg@5", ([1.0, 0], [0.0, 1], None, [2]), r"of sizes numpy\.repeat\(numpy\.arange\(len\(query\)\), query\)"),
        ("ndcg@5", ([1.0], [0.0], None, [1, 2]), r"query has shape \(2,\)"),
    ],
)
def test_what_is_refused(name, arguments, message) -> None:
    with pytest.raises(InputError, match=message):
        metric(name)(*arguments)


def test_a_model_a_refinement_and_a_distillation_are_judged_alike() -> None:
    random = np.random.default_rng(0)
    data = {"x": random.uniform(0, 4, 300)}
    y = (random.random(300) < 1 / (1 + np.exp(2 - data["x"]))).astype(float)
    w = random.uniform(0.1, 2, 300)
    model = CurveModel("m", [PWLCurve("x", [(0.0, -1.0), (3.0, 1.5)])], -0.5, "logit")
    prediction = model.predict(data)
    assert model.evaluate(data, y) == pytest.approx(reference.roc_auc_score(y, model.eval(data)))
    expected = reference.log_loss(y, prediction, sample_weight=w)
    assert model.evaluate(data, y, "log_loss", w) == pytest.approx(expected)
    query = np.arange(300) // 10
    ranks = [reference.ndcg_score([y[query == q]], [prediction[query == q]], k=3) for q in range(30)]
    relevant = [ranks[q] for q in range(30) if y[query == q].any()]
    assert model.evaluate(data, y, "ndcg@3", query=query) == pytest.approx(np.mean(relevant))

    refined = refine(model, data, y, w, loss="log_loss", ridge=1e-3)
    assert refined.evaluate(data, y, "log_loss", w) == pytest.approx(refined.after, rel=1e-9)
    assert refined.evaluate(data, y, "log_loss", w) < model.evaluate(data, y, "log_loss", w)

    both = distill(model, data).evaluate(data, y, "log_loss", w)
    named = {**data, "y": y, "w": w, "query": query}
    assert distill(model, data).evaluate(named, "y", "log_loss", "w") == both
    assert refine(model, named, "y", "w", ridge=1e-3) == refined
    ranked = refine(model, named, "y", loss="listwise", query="query", ridge=1e-3)
    assert ranked == refine(model, data, y, loss="listwise", query=query, ridge=1e-3)
    at_most = {"metric": "ndcg@3", "query": "query", "max_numbers": 8}
    assert distill(model, named, y="y", **at_most).report.evaluation.metric == "ndcg@3"
    assert both.teacher == model.evaluate(data, y, "log_loss", w)


def test_a_row_without_a_score_is_named() -> None:
    model = CurveModel("m", [PWLCurve("x", [(0.0, -1.0), (3.0, 1.5)])])
    with pytest.raises(InputError, match=r"row 1 has no score .* leave such rows out"):
        model.evaluate({"x": [1.0, np.nan]}, [0.0, 1.0])


def test_queries_that_a_metric_or_a_loss_does_not_know_are_refused():
    model = CurveModel("m", [Line("a", 1.0)])
    rows, y, query = {"a": [0.0, 1.0, 2.0]}, [0.0, 1.0, 2.0], [1, 1, 2]
    with pytest.raises(InputError, match="rmse is a mean over rows, which does not know queries; leave query"):
        model.evaluate(rows, y, "rmse", query=query)
    assert model.evaluate(rows, y, "rmse") == 0
    with pytest.raises(InputError, match=r"loss 'squared' is a mean over rows.*leave query out"):
        refine(model, rows, y, loss="squared", query=query)
    with pytest.raises(InputError, match=r"pass y= and metric= with it, or leave it out"):
        distill(model, rows, query=query)
