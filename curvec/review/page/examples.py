"""Rows of the data that the page shows: some for a reader to look at one by one, and those that an edit moves most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.checks import is_whole
from curvec.columns import query_ids, row_labels, weights_or_ones
from curvec.errors import InputError, counted, shown
from curvec.evaluate import SCORE_ROUNDING
from curvec.ir import names_of
from curvec.metrics import METRICS
from curvec.model import CurveModel
from curvec.review.panels import evenly
from curvec.review.quality import Task, task_of
from curvec.review.rows import EvaluationRows
from curvec.review.svg import level_text, with_minus
from curvec.transforms import FloatArray


def examples(
    model: CurveModel,
    data: EvaluationRows | None,
    count: int,
    ids: npt.ArrayLike | None = None,
    metric: Any = None,
    of: str = "rows of the data",
) -> dict[str, Any] | None:
    """Some rows of the data, from the lowest score to the highest: their ids, their values and their labels.

    Args:
        model: the model.
        data: the rows; of those of queries, whole queries are taken.
        count: how many rows at most; 0 for none.
        ids: (rows,) what a reader finds a row by; None for its number, from 0.
        metric: the page's metric, or None for the task's own.
        of: what the rows are, for the reader.

    Returns:
        ``ids`` as text, ``columns`` by feature with None for what is missing, ``numbers``, which of them are numbers,
        and ``rows``, how many there are in all; with labels these, ``weights``, ``query`` and the names of the
        ``metrics`` that the page computes of them. None without examples.

    Raises:
        InputError: ids are not one a row or not all different, a value is infinite, or ``count`` is negative.

    """
    _check(data, count, ids)
    if data is None or not count:
        return None
    table = model.table(data.X)
    names = row_names(ids, table.rows)
    query = None if data.query is None else query_ids(data.query, table.rows)
    order = np.argsort(model.eval(data.X), kind="stable")
    if query is not None:
        order = order[np.isin(query[order], _whole_queries(query, count))]
    chosen = order[evenly(len(order), count)]
    used = set(names_of(*model.terms))
    columns: dict[str, list[Any]] = {}
    for feature in model.features:
        if feature.name in used and feature.type == "number":
            values = table.number(feature.name)[chosen]
            if np.isinf(values).any():
                raise InputError(f"column {feature.name!r} holds an infinity, which the page cannot show as an example")
            columns[feature.name] = [None if np.isnan(value) else value for value in values.tolist()]
        elif feature.name in used:
            columns[feature.name] = table.keys(feature.name, feature.type)[chosen].tolist()
    numbers = [feature.name for feature in model.features if feature.type == "number"]
    found = {"ids": [names[row] for row in chosen], "columns": columns, "numbers": numbers, "rows": table.rows}
    if data.y is None:
        return found
    y: FloatArray = row_labels(data.y, table.rows)
    weights = weights_or_ones(data.w, table.rows)
    found |= {"labels": y[chosen].tolist(), "weights": weights[chosen].tolist(), "rounding": SCORE_ROUNDING, "of": of}
    if query is not None:
        found["query"] = np.unique(query[chosen], return_inverse=True)[1].tolist()
    return found | {"metrics": _metrics(task_of(model, y, query), metric)}


def _check(data: EvaluationRows | None, count: int, ids: npt.ArrayLike | None) -> None:
    if not is_whole(count) or count < 0:
        raise InputError(f"examples={shown(count)} is no number of rows; give 0 or more")
    if data is None and (count or ids is not None):
        raise InputError("examples are rows of data; pass data with them")
    if ids is not None and not count:
        raise InputError("ids are for the examples; say how many rows with examples=")


def _whole_queries(query: npt.NDArray[Any], most: int) -> npt.NDArray[Any]:
    """Queries from all over the rows that have at most so many rows together; the smallest one where none has."""
    ids, sizes = np.unique(query, return_counts=True)
    places = next(
        (places for k in range(len(ids), 0, -1) if sizes[places := evenly(len(ids), k)].sum() <= most),
        np.array([sizes.argmin()]),
    )
    result: npt.NDArray[Any] = ids[places]
    return result


_OWN_METRICS = {
    "classes": ["roc_auc", "log_loss"],
    "amounts": ["poisson_deviance", "rmse"],
    "ranking": ["ndcg@5"],
}


def _metrics(task: Task, metric: Any) -> list[str]:
    """The page's metric, if its script knows it, and those that the task has by itself."""
    own: Sequence[str] = _OWN_METRICS.get(task, ["rmse"])
    name = getattr(metric, "name", metric)
    given = [name] if isinstance(name, str) and (name in METRICS or name.startswith("ndcg@")) else []
    return given if task == "ranking" and given else list(dict.fromkeys([*given, *own]))


def row_names(ids: npt.ArrayLike | None, rows: int) -> list[str]:
    """What a reader finds each row by: its id as text, or its number, from 0.

    Raises:
        InputError: ids are not one a row, or not all different.

    """
    if ids is None:
        return list(map(str, range(rows)))
    names = [level_text(str(one)) for one in np.asarray(ids).tolist()]
    if len(names) != rows:
        raise InputError(f"ids= has {counted(len(names), 'id')} for {counted(rows, 'row')}; give one id a row")
    if len(set(names)) < rows:
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InputError(f"the id {shown(twice)} is there twice; a reader could not tell the rows apart")
    return names


MOST_MOVED = 10
"""Rows in the table; the quantiles of the change above it are over all."""


def rows_that_move(
    model: CurveModel, base: CurveModel, data: Any, ids: npt.ArrayLike | None = None
) -> list[dict[str, str]]:
    """The rows whose raw score changes most from a base model to another, the largest change first.

    Args:
        model: the model after.
        base: the model before.
        data: (rows, features) data that both read.
        ids: (rows,) what a reader finds a row by; None for its number, from 0.

    Returns:
        At most ten rows, each its id, and before and after as texts, of the raw score and of the prediction, and the
        change; fewer where fewer change. A row that has no score in one of the models is not among them.

    Raises:
        InputError: ids are not one a row or not all different.

    """
    before, after = base.eval(data), model.eval(data)
    with np.errstate(invalid="ignore"):
        size = np.nan_to_num(np.abs(after - before), nan=0.0, posinf=0.0)
    order = np.argsort(-size, kind="stable")[:MOST_MOVED]
    names = row_names(ids, len(after))
    predictions = base.predict(data), model.predict(data)
    return [
        {
            "id": names[row],
            "before": _number_text(before[row]),
            "after": _number_text(after[row]),
            "change": with_minus(f"{after[row] - before[row]:+.4g}"),
            "prediction_before": _number_text(predictions[0][row]),
            "prediction_after": _number_text(predictions[1][row]),
        }
        for row in order.tolist()
        if size[row] > 0
    ]


def _number_text(value: float) -> str:
    return with_minus(f"{value:.6g}")
