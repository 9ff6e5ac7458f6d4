"""How good a model is on labelled rows, by its task: the numbers behind the page's charts and tables.

The task follows from the model's link and the labels: classes 0 and 1 (logit), counts and amounts (log), numbers
(identity), or documents of queries where query ids are given.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.columns import query_ids, row_labels, weights_or_ones
from curvec.conversion import is_missing
from curvec.data import Table
from curvec.errors import InputError, counted
from curvec.evaluate import without_rounding
from curvec.ir import Feature
from curvec.links import link
from curvec.metrics import METRICS, Metric
from curvec.model import CurveModel
from curvec.review.rows import EvaluationRows
from curvec.transforms import FloatArray

Task = Literal["classes", "amounts", "numbers", "ranking"]

BINS = 10
SELECTED = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75)
"""The share of rows that each threshold of the table selects, as near as equal predictions allow."""

RESAMPLES = 200
_MOST_RESAMPLED = 50_000
_MOST_GROUPS = 20


class ScoredRows(msgspec.Struct, frozen=True):
    """The labels and the predictions of one model, on the rows that have both a label and a score.

    Attributes:
        task: what the labels are.
        y: (rows,) labels.
        score: (rows,) raw scores; those that only rounding tells apart are equal.
        prediction: (rows,) predictions.
        w: (rows,) weights.
        query: (rows,) query ids, or None.
        used: (all rows,) which rows have both.

    """

    task: Task
    y: FloatArray
    score: FloatArray
    prediction: FloatArray
    w: FloatArray
    query: npt.NDArray[Any] | None
    used: npt.NDArray[np.bool_]


class Bin(msgspec.Struct, frozen=True):
    """Rows of similar predictions.

    Attributes:
        number: which of the bins, from 0; one that would be empty is left out.
        rows: how many.
        predicted: weighted mean prediction.
        observed: weighted mean label.
        low: the lower end of a 95 % interval of the mean label: Wilson's for classes, else mean and standard error.
        high: its upper end.

    """

    number: int
    rows: int
    predicted: float
    observed: float
    low: float
    high: float


class Threshold(msgspec.Struct, frozen=True):
    """The effect of a threshold on the prediction, as weighted shares.

    Attributes:
        value: rows at or above it are selected.
        selected: of all rows, how many are.
        precision: of the selected, how many are of class 1.
        recall: of class 1, how many are selected.
        false_positives: of class 0, how many are selected.

    """

    value: float
    selected: float
    precision: float
    recall: float
    false_positives: float


class GroupQuality(msgspec.Struct, frozen=True):
    """A model on the rows of one group.

    Attributes:
        column: the column that the groups are of.
        group: the group's value, as text.
        rows: how many rows with a label and a score.
        predicted: weighted mean prediction.
        observed: weighted mean label.
        selected: weighted share of rows at or above the threshold; None without one.
        metric: the metric on these rows; None where they have none (of one class only, say).
        interval: a 95 % bootstrap interval of the metric; None where there is none, or too many rows to need one.

    """

    column: str
    group: str
    rows: int
    predicted: float
    observed: float
    selected: float | None
    metric: float | None
    interval: tuple[float, float] | None


def scored_rows(model: CurveModel, rows: EvaluationRows) -> ScoredRows:
    """A model's predictions together with the labels.

    Raises:
        InputError: there are no labels, they are not numbers, or no row has a score.

    """
    score = model.eval(rows.X)
    y = row_labels(rows.y, len(score))
    w = weights_or_ones(rows.w, len(score))
    query = None if rows.query is None else query_ids(rows.query, len(score))
    used = np.isfinite(score) & (w > 0)
    if not used.any():
        raise InputError("no row of positive weight has a score; nothing can be said of how good it is")
    kept = without_rounding(score[used])
    return ScoredRows(
        task=task_of(model, y, query),
        y=y[used],
        score=kept,
        prediction=link(model.link).inverse(kept),
        w=w[used],
        query=None if query is None else query[used],
        used=used,
    )


def task_of(model: CurveModel, y: FloatArray, query: npt.NDArray[Any] | None) -> Task:
    """The task that a model has with these labels (rows,), and query ids or None."""
    if query is not None:
        return "ranking"
    if model.link == "logit" and np.isin(y, (0.0, 1.0)).all():
        return "classes"
    return "amounts" if model.link == "log" else "numbers"


def bins(scored: ScoredRows) -> list[Bin]:
    """The rows in ten bins of equal weight by their prediction, lowest first; equal predictions share a bin."""
    number = _bin_numbers(scored)
    return [_bin(scored, k, number == k) for k in range(BINS) if (number == k).any()]


def _bin_numbers(scored: ScoredRows) -> npt.NDArray[np.int64]:
    """(rows,) the bin of each row."""
    _, place = np.unique(scored.prediction, return_inverse=True)
    weight = np.bincount(place, weights=scored.w)
    middle = (np.cumsum(weight) - weight / 2) / weight.sum()
    result: npt.NDArray[np.int64] = np.minimum((middle * BINS).astype(np.int64), BINS - 1)[place]
    return result


def deviances(scored: ScoredRows, groups: Sequence[Bin], judge: Metric) -> list[float] | None:
    """The mean deviance in each of the ten bins: gamma's where that is the metric, else Poisson's.

    None where a label or a prediction has no deviance.
    """
    deviance = judge if judge.name == "gamma_deviance" else METRICS["poisson_deviance"]
    number = _bin_numbers(scored)
    values = [_metric(deviance, scored, number == group.number) for group in groups]
    return None if None in values else [value for value in values if value is not None]


def _bin(scored: ScoredRows, number: int, rows: npt.NDArray[np.bool_]) -> Bin:
    y, w = scored.y[rows], scored.w[rows]
    mean = float(np.average(y, weights=w))
    size = w.sum() ** 2 / (w**2).sum()  # Kish's effective number of rows
    z = 1.959963984540054
    if scored.task == "classes":  # Wilson (1927)
        centre = (mean + z**2 / (2 * size)) / (1 + z**2 / size)
        half = z / (1 + z**2 / size) * math.sqrt(mean * (1 - mean) / size + z**2 / (4 * size**2))
    else:
        centre = mean
        half = z * math.sqrt(float(np.average((y - mean) ** 2, weights=w)) / size)
    return Bin(
        number,
        int(rows.sum()),
        float(np.average(scored.prediction[rows], weights=w)),
        mean,
        centre - half,
        centre + half,
    )


def rates(scored: ScoredRows) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """From the highest prediction down: each as a threshold, and the weights it selects of class 1, class 0 and all."""
    values, place = np.unique(scored.prediction, return_inverse=True)
    up = np.bincount(place, weights=scored.w * scored.y)[::-1].cumsum()
    down = np.bincount(place, weights=scored.w * (1 - scored.y))[::-1].cumsum()
    return values[::-1], up, down, up + down


def thresholds(scored: ScoredRows) -> list[Threshold]:
    """The effect of thresholds that select about these shares of the rows: :data:`SELECTED`."""
    values, up, down, selected = rates(scored)
    found: dict[float, Threshold] = {}
    for share in SELECTED:
        k = min(int(np.searchsorted(selected, share * selected[-1] * (1 - 1e-12))), len(values) - 1)
        found[values[k]] = Threshold(
            float(values[k]),
            float(selected[k] / selected[-1]),
            float(up[k] / selected[k]),
            _share(up, k),
            _share(down, k),
        )
    return list(found.values())


def _share(weights: FloatArray, k: int) -> float:
    return float(weights[k] / weights[-1]) if weights[-1] else math.nan


def by_query_size(scored: ScoredRows, judge: Metric) -> list[tuple[int, int, int, float | None]]:
    """The metric by the number of documents a query has: least size, largest size, queries, and the metric or None."""
    assert scored.query is not None  # noqa: S101  asked for rankings only
    _, query, sizes = np.unique(scored.query, return_inverse=True, return_counts=True)
    edges = [1, 2, 6, 11, 21, 51, 101, math.inf]
    found = []
    for low, high in itertools.pairwise(edges):
        rows = (sizes >= low) & (sizes < high)
        if rows.any():
            value = _metric(judge, scored, rows[query])
            found.append((int(sizes[rows].min()), int(sizes[rows].max()), int(rows.sum()), value))
    return found


def by_group(
    scored: ScoredRows,
    X: Any,  # noqa: N803  the field's name for a table of features
    columns: Sequence[str],
    judge: Metric,
    threshold: float | None = None,
) -> list[GroupQuality]:
    """The model on the rows of each group, the largest groups of a column first; the rest counts as one.

    Args:
        scored: labels and predictions.
        X: the same rows, with the columns.
        columns: names of columns of any type.
        judge: the metric.
        threshold: on the prediction, for the share selected.

    Raises:
        InputError: there is no such column.

    """
    found = []
    for column in columns:
        raw = Table(X, [Feature(column)]).raw(column)
        texts = ["(missing)" if is_missing(value) else str(value) for value in raw.tolist()]
        names = np.array(texts, dtype=object)[scored.used]
        groups, count = np.unique(names.astype(str), return_counts=True)
        order = groups[np.argsort(-count, kind="stable")]
        shown = [(str(group), names == group) for group in order[:_MOST_GROUPS]]
        if len(order) > _MOST_GROUPS:
            rest = np.isin(names.astype(str), order[_MOST_GROUPS:])
            shown.append((f"{counted(len(order) - _MOST_GROUPS, 'other')}", rest))
        found += [_group(scored, column, group, rows, judge, threshold) for group, rows in shown]
    return found


def _group(
    scored: ScoredRows, column: str, group: str, rows: npt.NDArray[np.bool_], judge: Metric, threshold: float | None
) -> GroupQuality:
    w, prediction = scored.w[rows], scored.prediction[rows]
    chosen = None if threshold is None else float(np.average(prediction >= threshold, weights=w))
    return GroupQuality(
        column,
        group,
        int(rows.sum()),
        float(np.average(prediction, weights=w)),
        float(np.average(scored.y[rows], weights=w)),
        chosen,
        _metric(judge, scored, rows),
        _interval(judge, scored, rows),
    )


def metric_on(judge: Metric, scored: ScoredRows, rows: Any = slice(None)) -> float:
    """The metric on all rows, or on some (a mask or indices).

    Raises:
        InputError: it is undefined there.

    """
    predicted = judge.predicted(scored.score, lambda _: scored.prediction)
    query = scored.query[rows] if judge.needs_query and scored.query is not None else None
    weights = None if (scored.w == scored.w[0]).all() else scored.w[rows]
    return judge(scored.y[rows], predicted[rows], weights, query)


def _metric(judge: Metric, scored: ScoredRows, rows: npt.NDArray[Any]) -> float | None:
    """The metric on some rows; None where it is undefined there."""
    try:
        return metric_on(judge, scored, rows)
    except InputError:  # one class only, or no relevant document
        return None


def _interval(judge: Metric, scored: ScoredRows, rows: npt.NDArray[np.bool_]) -> tuple[float, float] | None:
    places = np.flatnonzero(rows)
    if judge.needs_query or not 1 < len(places) <= _MOST_RESAMPLED:
        return None
    random = np.random.default_rng(0)
    drawn = (_metric(judge, scored, random.choice(places, len(places))) for _ in range(RESAMPLES))
    values = [value for value in drawn if value is not None]
    if len(values) < RESAMPLES / 2:
        return None
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    return low, high
