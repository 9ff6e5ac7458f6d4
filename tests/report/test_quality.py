"""How good the model is, beside other libraries' figures and sums by hand."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from statsmodels.stats.proportion import proportion_confint

from curvec import CurveModel, EnumCurve, InputError, PWLCurve
from curvec.metrics import METRICS, ndcg
from curvec.review.quality import bins, by_group, by_query_size, deviances, rates, scored_rows, thresholds
from curvec.review.report import report
from curvec.review.rows import EvaluationRows

RNG = np.random.default_rng(7)
ROWS = 600
DATA: dict[str, Any] = {
    "x": np.where(RNG.random(ROWS) < 0.05, np.nan, RNG.uniform(0, 10, ROWS).round(1)),
    "k": RNG.choice(np.array(["a", "b", "c"], dtype=object), ROWS),
    "region": RNG.integers(0, 3, ROWS),
}
W = RNG.uniform(0, 2, ROWS)
TERMS = [PWLCurve("x", [(0, -1.5), (6, 1)]), EnumCurve("k", {"a": 0.5, "b": -0.5, "c": 0.0})]
MODELS = {link: CurveModel("m", TERMS, 0.2, link) for link in ("logit", "log", "identity")}


def scores(link: str) -> np.ndarray:
    """What only rounding tells apart is equal."""
    return np.round(MODELS[link].eval(DATA), 9)


def predictions(link: str) -> np.ndarray:
    score = scores(link)
    return {"logit": 1 / (1 + np.exp(-score)), "log": np.exp(score), "identity": score}[link]


SCORED = ~np.isnan(DATA["x"])


def labels(link: str) -> np.ndarray:
    random = np.random.default_rng(8)
    mean = np.nan_to_num(MODELS[link].predict(DATA))
    if link == "logit":
        return (random.random(ROWS) < mean).astype(float)
    return random.poisson(mean).astype(float) if link == "log" else mean + random.normal(0, 0.3, ROWS)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_curves_are_scikit_learns(weighted: bool) -> None:
    y, w = labels("logit"), W if weighted else np.ones(ROWS)
    one = scored_rows(MODELS["logit"], EvaluationRows(DATA, y, w))
    assert one.used.sum() == SCORED.sum()
    predicted = predictions("logit")[SCORED]
    _, up, down, selected = rates(one)
    false, true, _ = metrics.roc_curve(y[SCORED], predicted, sample_weight=w[SCORED], drop_intermediate=False)
    np.testing.assert_allclose(np.append(0, down / down[-1]), false, atol=1e-12)
    np.testing.assert_allclose(np.append(0, up / up[-1]), true, atol=1e-12)
    precision, recall, _ = metrics.precision_recall_curve(y[SCORED], predicted, sample_weight=w[SCORED])
    np.testing.assert_allclose((up / selected)[::-1], precision[:-1], atol=1e-12)
    np.testing.assert_allclose((up / up[-1])[::-1], recall[:-1], atol=1e-12)
    for threshold in thresholds(one):
        chosen = predicted >= threshold.value - 1e-9
        of = w[SCORED]
        assert threshold.selected == pytest.approx(of[chosen].sum() / of.sum())
        assert threshold.precision == pytest.approx(metrics.precision_score(y[SCORED], chosen, sample_weight=of))
        assert threshold.recall == pytest.approx(metrics.recall_score(y[SCORED], chosen, sample_weight=of))
        assert threshold.false_positives == pytest.approx(metrics.recall_score(1 - y[SCORED], chosen, sample_weight=of))


def test_calibration_in_bins_of_equal_weight_with_wilsons_interval() -> None:
    one = scored_rows(MODELS["logit"], EvaluationRows(DATA, labels("logit")))
    groups = bins(one)
    most_equal = np.unique(one.prediction, return_counts=True)[1].max()
    order = np.argsort(one.prediction, kind="stable")
    done = 0
    for group in groups:
        here = order[done : done + group.rows]
        done += group.rows
        assert group.rows <= SCORED.sum() / 10 + most_equal  # equal predictions stay together
        assert group.predicted == pytest.approx(one.prediction[here].mean())
        assert group.observed == pytest.approx(one.y[here].mean())
        low, high = proportion_confint(one.y[here].sum(), group.rows, method="wilson")
        assert (group.low, group.high) == pytest.approx((low, high))
        assert done == len(order) or one.prediction[order[done - 1]] < one.prediction[order[done]]
    assert done == SCORED.sum()


def test_the_interval_of_a_mean_is_the_standard_errors() -> None:
    one = scored_rows(MODELS["identity"], EvaluationRows(DATA, labels("identity")))
    first = bins(one)[0]
    y = one.y[np.argsort(one.prediction, kind="stable")[: first.rows]]
    assert first.high - first.observed == pytest.approx(1.959964 * y.std() / np.sqrt(len(y)), rel=1e-6)


@pytest.mark.parametrize("name", ["poisson_deviance", "gamma_deviance"])
def test_the_deviance_of_a_bin_is_scikit_learns(name: str) -> None:
    y = labels("log") + (name == "gamma_deviance")
    one = scored_rows(MODELS["log"], EvaluationRows(DATA, y, W))
    groups = bins(one)
    order = np.argsort(one.prediction, kind="stable")
    parts = np.split(order, np.cumsum([group.rows for group in groups])[:-1])
    found = deviances(one, groups, METRICS["gamma_deviance" if name == "gamma_deviance" else "rmse"])
    theirs = getattr(metrics, f"mean_{name}")
    expected = [theirs(one.y[part], one.prediction[part], sample_weight=one.w[part]) for part in parts]
    assert found == pytest.approx(expected)
    assert deviances(scored_rows(MODELS["log"], EvaluationRows(DATA, -y)), groups, METRICS["rmse"]) is None


def test_groups_are_judged_apart() -> None:
    y = labels("logit")
    one = scored_rows(MODELS["logit"], EvaluationRows(DATA, y))
    found = by_group(one, DATA, ["region", "k"], METRICS["roc_auc"], 0.5)
    assert [group.column for group in found] == ["region"] * 3 + ["k"] * 3
    for group in found:
        here = SCORED & (DATA[group.column].astype(str) == group.group)
        predicted = predictions("logit")[here]
        assert group.rows == here.sum()
        assert group.metric == pytest.approx(metrics.roc_auc_score(y[here], predicted))
        assert group.predicted == pytest.approx(predicted.mean())
        assert group.observed == pytest.approx(y[here].mean())
        assert group.selected == pytest.approx((predicted >= 0.5).mean())
        assert group.interval is not None
        low, high = group.interval
        assert low < group.metric < high
        # DeLong's and the bootstrap's standard error of an AUC of some 200 rows is about 0.035.
        assert 0.05 < high - low < 0.3
    assert found == by_group(one, DATA, ["region", "k"], METRICS["roc_auc"], 0.5)  # by a seed
    with pytest.raises(InputError, match="'nowhere' is missing"):
        by_group(one, DATA, ["nowhere"], METRICS["roc_auc"])


def test_a_group_of_one_class_has_no_auc_and_many_groups_are_one() -> None:
    y = labels("logit")
    data = DATA | {"sure": np.where(y == 1, "yes", "no"), "many": np.arange(ROWS) % 37}
    one = scored_rows(MODELS["logit"], EvaluationRows(data, y))
    assert [group.metric for group in by_group(one, data, ["sure"], METRICS["roc_auc"])] == [None, None]
    many = by_group(one, data, ["many"], METRICS["roc_auc"])
    assert len(many) == 21
    assert many[-1].group == "17 others"
    assert sum(group.rows for group in many) == SCORED.sum()


def test_a_ranking_is_judged_by_the_size_of_its_queries() -> None:
    query = np.repeat(np.arange(60), 10)
    query[:300] = np.repeat(np.arange(10), 30)
    y = RNG.integers(0, 4, ROWS).astype(float)
    one = scored_rows(MODELS["identity"], EvaluationRows(DATA, y, None, query))
    assert one.task == "ranking"
    score = scores("identity")
    sizes = np.array([(query[SCORED] == q).sum() for q in query])
    found = by_query_size(one, ndcg(5))
    assert sum(queries for *_, queries, _ in found) == len(np.unique(query[SCORED]))
    for low, high, _, value in found:
        here = SCORED & (sizes >= low) & (sizes <= high)
        assert value == pytest.approx(ndcg(5)(y[here], score[here], query=query[here]))


@pytest.mark.parametrize("link", MODELS)
def test_the_page_says_it_of_the_rows_that_nothing_was_trained_on(link: str) -> None:
    y = labels(link)
    metric = {"logit": "roc_auc", "log": "poisson_deviance", "identity": "rmse"}[link]
    half = ROWS // 2
    train, test = ({name: column[part] for name, column in DATA.items()} for part in (slice(half), slice(half, ROWS)))
    held_out = EvaluationRows(test, y[half:])
    page = report(MODELS[link], train, target=y[:half], held_out=held_out, metric=metric, groups=["region"]).html
    seen = ~np.isnan(test["x"])
    predicted = predictions(link)[half:][seen]
    value = METRICS[metric](y[half:][seen], predicted)
    assert '<h2 id="quality-title">Quality on the held-out rows</h2>' in page
    assert (
        f"{seen.sum()} rows ({(~seen).sum()} rows without score or weight left out); {metric}: model {value:.5f}."
        in page
    )
    titles = re.findall(r'<figure class="chart"><h3>(.*?)</h3>', page)
    more = {
        "logit": ["ROC", "Precision and recall"],
        "log": ["Lift by decile", "Deviance by decile"],
        "identity": ["Mean residual by prediction"],
    }[link]
    assert titles == ["Calibration by prediction", *more]
    assert ('<th scope="col" class="number">lift</th>' in page) == (link == "log")
    assert ('id="thresholds"' in page) == (link == "logit")
    assert page.count('<td dir="auto">region</td>') == 3
    assert "nan" not in "".join(re.findall(r'<svg class="panel chart".*?</svg>', page, flags=re.DOTALL))


def test_without_labels_there_is_no_such_section_and_groups_are_refused() -> None:
    assert '<section id="quality"' not in report(MODELS["logit"], DATA).html
    with pytest.raises(InputError, match="pass a target"):
        report(MODELS["logit"], DATA, groups=["region"])
    with pytest.raises(InputError, match="no row of positive weight has a score"):
        scored_rows(MODELS["logit"], EvaluationRows({"x": [np.nan], "k": ["a"]}, [1.0]))
