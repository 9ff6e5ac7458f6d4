"""The task's metrics: small, weighted, and independent of the order of rows with equal scores."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.columns import check_aligned, column, query_ids, row_weights
from curvec.errors import InputError, counted, shown
from curvec.evaluate import check_scored, without_rounding
from curvec.transforms import FloatArray

Weights: TypeAlias = FloatArray | None
Queries: TypeAlias = npt.NDArray[Any] | None
MetricFunction: TypeAlias = Callable[[FloatArray, FloatArray, Weights, Queries], float]
"""``(y, predicted, w, query)``, all (rows,), to the value; ``w`` None: all rows alike; ``query`` None: no queries."""

Inverse: TypeAlias = Callable[[FloatArray], FloatArray]
"""The inverse of a link: from raw scores (rows,) to predictions (rows,)."""


class Metric(msgspec.Struct, frozen=True):
    """A metric by name.

    Attributes:
        name: its name in reports.
        function: see :data:`MetricFunction`.
        greater_is_better: the direction.
        on: "score" (before the link) or "prediction" (after it).
        needs_query: whether it is a mean over queries.

    """

    name: str
    function: MetricFunction
    greater_is_better: bool = True
    on: Literal["score", "prediction"] = "prediction"
    needs_query: bool = False

    def predicted(self, score: FloatArray, inverse: Inverse) -> FloatArray:
        """(rows,) the values to compare with labels: raw scores, or predictions by the link's ``inverse``."""
        return score if self.on == "score" else inverse(score)

    def of_score(
        self,
        score: FloatArray,
        inverse: Inverse,
        y: npt.ArrayLike,
        w: npt.ArrayLike | None = None,
        query: npt.ArrayLike | None = None,
    ) -> float:
        """The metric of raw scores (rows,); scores that differ only by rounding count as equal.

        Raises:
            InputError: a row has no score, or as :meth:`__call__`.

        """
        check_scored(score)
        return self(y, self.predicted(without_rounding(score), inverse), w, query)

    def __call__(
        self,
        y: npt.ArrayLike,
        predicted: npt.ArrayLike,
        w: npt.ArrayLike | None = None,
        query: npt.ArrayLike | None = None,
    ) -> float:
        """The metric of ``predicted`` (rows,) against labels ``y`` (rows,).

        Raises:
            InputError: shapes differ, a value is not finite, weights are negative, or queries are missing.

        """
        check_aligned(y=y, predicted=predicted, w=w, query=query)
        labels, scores = column(y, "y"), column(predicted, "predicted")
        if len(labels) != len(scores) or not len(labels):
            raise InputError(
                f"y has {counted(len(labels), 'row')} and the predictions {len(scores):,}; they must agree and not be 0"
            )
        weights = row_weights(w, len(labels))
        if self.needs_query and query is None:
            raise InputError(f"{self.name} is a mean over queries; pass query=, one id a row")
        if not self.needs_query and query is not None:
            raise InputError(
                f"{self.name} is a mean over rows, which does not know queries; leave query out, or "
                "pass metric='ndcg@5'"
            )
        groups = None if query is None else query_ids(query, len(labels))
        value = self.function(labels, scores, weights, groups)
        if not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
            raise InputError(f"metric {self.name!r} gave {shown(value)}; it must give a finite number")
        return float(value)


def roc_auc(y: FloatArray, score: FloatArray, w: Weights = None, _query: Queries = None, /) -> float:
    """Area under the ROC curve; the two classes are 0 and 1, ties count half.

    Raises:
        InputError: labels are not 0 and 1, or only one of them is there.

    """
    positive = _binary(y)
    weight = np.ones(len(y)) if w is None else w
    _, place = np.unique(score, return_inverse=True)
    up = np.bincount(place, weights=weight * positive)
    down = np.bincount(place, weights=weight * ~positive)
    if not up.sum() or not down.sum():
        raise InputError("roc_auc needs rows of both classes; the labels (of positive weight) have one")
    below = np.concatenate([[0.0], np.cumsum(down)[:-1]])
    return float(np.sum(up * (below + down / 2)) / (up.sum() * down.sum()))


def log_loss(y: FloatArray, probability: FloatArray, w: Weights = None, _query: Queries = None, /) -> float:
    """Mean negative log-likelihood of labels 0 and 1; probabilities are kept an epsilon away from 0 and 1.

    Raises:
        InputError: labels are not 0 and 1, or a probability is outside [0, 1].

    """
    positive = _binary(y)
    if (probability < 0).any() or (probability > 1).any():
        raise InputError("log_loss needs probabilities between 0 and 1; does the model have a logit link?")
    tiny = np.finfo(np.float64).eps
    p = np.clip(probability, tiny, 1 - tiny)
    return float(np.average(-np.where(positive, np.log(p), np.log1p(-p)), weights=w))


def rmse(y: FloatArray, prediction: FloatArray, w: Weights = None, _query: Queries = None, /) -> float:
    """Root mean squared error."""
    return float(np.sqrt(np.average((prediction - y) ** 2, weights=w)))


def poisson_deviance(y: FloatArray, mean: FloatArray, w: Weights = None, _query: Queries = None, /) -> float:
    """Mean deviance of counts, or of counts per exposure with the exposures as weights (McCullagh and Nelder 1989).

    Raises:
        InputError: a label is negative, or a prediction is not above 0.

    """
    from scipy.special import xlogy

    _check_means("poisson_deviance", y, mean, above=False)
    return float(2 * np.average(xlogy(y, y / mean) - y + mean, weights=w))


def gamma_deviance(y: FloatArray, mean: FloatArray, w: Weights = None, _query: Queries = None, /) -> float:
    """Mean deviance of amounts (McCullagh and Nelder 1989).

    Raises:
        InputError: a label or a prediction is not above 0.

    """
    _check_means("gamma_deviance", y, mean, above=True)
    return float(2 * np.average(np.log(mean / y) + y / mean - 1, weights=w))


def _check_means(name: str, y: FloatArray, mean: FloatArray, *, above: bool) -> None:
    if ((y <= 0) if above else (y < 0)).any():
        raise InputError(f"{name} needs labels {'above 0' if above else 'that are not negative'}; one is {y.min()}")
    if (mean <= 0).any():
        raise InputError(f"{name} needs predictions above 0, one is {mean.min()}; does the model have a log link?")


def ndcg(k: int) -> Metric:
    """NDCG at ``k``, the mean over queries: gain 2^label - 1, discount 1 / log2(1 + rank).

    Equal scores share the gain of the places they take (McSherry and Najork 2008), so that the order of the rows
    does not matter. A query without a relevant document has no ideal order and is left out.

    Raises:
        InputError: k is less than 1; on use, no query has a relevant document, or row weights are given.

    """
    if k < 1:
        raise InputError(f"ndcg@{k}: k is a number of places, at least 1")

    def function(y: FloatArray, score: FloatArray, w: Weights, query: Queries, /) -> float:
        if w is not None:
            raise InputError("ndcg weighs queries, not rows; leave w out")
        check_gains("ndcg", y)
        assert query is not None  # noqa: S101  needs_query has been checked
        _, place = np.unique(query, return_inverse=True)
        order = np.argsort(place, kind="stable")
        bounds = np.flatnonzero(np.diff(place[order], prepend=-1, append=place.max() + 1))
        groups = [order[start:stop] for start, stop in itertools.pairwise(bounds)]
        values = [_ndcg_of_query(np.exp2(y[rows]) - 1, score[rows], k) for rows in groups if (y[rows] > 0).any()]
        if not values:
            raise InputError("no query has a document with a label above 0; ndcg is undefined")
        return float(np.mean(values))

    return Metric(f"ndcg@{k}", function, on="score", needs_query=True)


_MOST_GAIN = 1000
"""The largest label of a document: sums of larger gains, 2^label - 1, could overflow."""


def check_gains(name: str, y: FloatArray) -> None:
    """Check that labels (rows,) have gains 2^label - 1 that are no loss and doubles; ``name`` is what uses them.

    Raises:
        InputError: one has not; the message names the first.

    """
    wrong = (y < 0) | (y > _MOST_GAIN)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"y[{row}] is {y[row]}; labels of {name} are from 0 to {_MOST_GAIN}, as a document's gain is 2^label - 1"
        )


def _ndcg_of_query(gain: FloatArray, score: FloatArray, k: int) -> float:
    discount = np.zeros(len(gain))
    ranks = np.arange(min(k, len(gain)))
    discount[ranks] = 1 / np.log2(ranks + 2)
    _, tie, count = np.unique(-score, return_inverse=True, return_counts=True)
    stop = np.cumsum(count)
    reached = np.concatenate([[0.0], np.cumsum(discount)])
    share = (reached[stop] - reached[stop - count]) / count
    ideal = float(np.sum(np.sort(gain)[::-1] * discount))
    return float(np.sum(gain * share[tie])) / ideal


def _binary(y: FloatArray) -> npt.NDArray[np.bool_]:
    if not np.isin(y, (0.0, 1.0)).all():
        wrong = float(y[~np.isin(y, (0.0, 1.0))][0])
        raise InputError(f"the label {shown(wrong)} is neither 0 nor 1; encode the two classes as 0 and 1")
    result: npt.NDArray[np.bool_] = y == 1
    return result


METRICS: dict[str, Metric] = {
    entry.name: entry
    for entry in (
        Metric("roc_auc", roc_auc, on="score"),
        Metric("log_loss", log_loss, greater_is_better=False),
        Metric("rmse", rmse, greater_is_better=False),
        Metric("poisson_deviance", poisson_deviance, greater_is_better=False),
        Metric("gamma_deviance", gamma_deviance, greater_is_better=False),
    )
}


def metric(which: str | Metric | Callable[[Any, Any], float], *, greater_is_better: bool = True) -> Metric:
    """The metric of that name (a key of :data:`METRICS`, or "ndcg@k"), or a callable as one.

    Args:
        which: a name, a Metric, or a function ``(y, prediction) -> float`` (after the link; no weights, no queries).
        greater_is_better: the direction of such a function.

    Raises:
        InputError: no metric has that name.

    """
    if isinstance(which, Metric):
        return which
    if callable(which) and not isinstance(which, type):
        return Metric(getattr(which, "__name__", "metric"), _plain(which), greater_is_better)
    if isinstance(which, str) and which in METRICS:
        return METRICS[which]
    name, _, places = (which if isinstance(which, str) else "").partition("@")
    if name == "ndcg" and places.isdecimal() and len(places) < _LONGEST_PLACE:
        return ndcg(int(places))
    raise InputError(f"metric {shown(which)} is not known; use {', '.join(METRICS)}, ndcg@5 (any k), or a function")


_LONGEST_PLACE = 10
"""Digits of a place among the documents of a query."""


def default_metric(link: str) -> str:
    """The metric for a model's link, if nothing else is known of the task: "roc_auc" for "logit", "rmse" for others."""
    return "roc_auc" if link == "logit" else "rmse"


def _plain(function: Callable[[Any, Any], float]) -> MetricFunction:
    def call(y: FloatArray, predicted: FloatArray, w: Weights, _query: Queries, /) -> float:
        if w is not None:
            raise InputError("a plain function takes no weights; wrap it in curvec.metrics.Metric")
        return function(y, predicted)

    return call
