"""The front: the least loss at every size of the model, and the size that is best on labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from curvec.columns import column, query_ids, row_weights
from curvec.data import Table
from curvec.distill.budget import LeastLosses
from curvec.distill.fidelity import mean_difference
from curvec.errors import InputError
from curvec.evaluate import term_values
from curvec.metrics import Inverse, Metric
from curvec.transforms import FloatArray

_EVERY = 40
"""Up to this many numbers every size is on the front; from there on each is a thirtieth larger than the one before."""
_FOLDS = 10


class InMemory(NamedTuple):
    """Rows of a table in memory: (rows,) weights, and the teacher's raw score."""

    table: Table
    weights: FloatArray
    score: FloatArray


class Size(NamedTuple):
    """The loss of the best model of one size.

    Attributes:
        numbers: how many numbers a reader has to take in, the intercept among them.
        unexplained: the least sum of the functions' squared errors, as a share of the raw score's variance.
        metric: with labels, the mean metric over ten parts of the rows; else None.
        error: standard error of the metric's difference to the best one, over the same parts; else None.

    """

    numbers: int
    unexplained: float
    metric: float | None = None
    error: float | None = None


class Labels(NamedTuple):
    """Labelled rows and the metric for predictions on them: y (rows,), the metric, w and query (rows,) or None."""

    y: FloatArray
    metric: Metric
    w: FloatArray | None = None
    query: npt.NDArray[Any] | None = None

    @classmethod
    def of(cls, metric: Metric, y: Any, w: Any, query: Any) -> Labels:
        """The labels, checked.

        Raises:
            InputError: shapes differ, or the metric needs queries.

        """
        labels = column(y, "y")
        if metric.needs_query and query is None:
            raise InputError(f"{metric.name} is a mean over queries; pass query=, one id a row")
        groups = None if query is None else query_ids(query, len(labels))
        return cls(labels, metric, row_weights(w, len(labels)), groups)

    def by_part(self, score: FloatArray, inverse: Inverse) -> FloatArray:
        """(parts,) the metric of a raw score on each part of the rows; the rows of one query are in one part."""
        predicted = self.metric.predicted(score, inverse)
        return np.array(
            [
                self.metric(
                    self.y[rows],
                    predicted[rows],
                    None if self.w is None else self.w[rows],
                    None if self.query is None else self.query[rows],
                )
                for rows in self._parts()
            ]
        )

    def _parts(self) -> Iterator[npt.NDArray[np.intp]]:
        groups = np.arange(len(self.y)) if self.query is None else self.query
        distinct, place = np.unique(groups, return_inverse=True)
        fold = np.random.default_rng(0).permutation(len(distinct)) % min(_FOLDS, len(distinct))
        for one in range(int(fold.max()) + 1):
            yield np.flatnonzero(fold[place] == one)


def front_of(losses: FloatArray, total: float) -> tuple[Size, ...]:
    """Every size whose loss is less than that of any smaller one.

    Args:
        losses: (n,) the least loss with 1, 2, ..., n numbers, the intercept among them.
        total: weighted sum of squares of the raw score.

    """
    sizes: list[Size] = []
    least, next_size = np.inf, 0.0
    for numbers, loss in enumerate(losses.tolist(), start=1):
        if loss < least * (1 - 1e-9) and (numbers >= next_size or numbers == len(losses)):
            sizes.append(Size(numbers, loss / total if total else 0.0))
            least = loss
            next_size = numbers + 1 if numbers < _EVERY else numbers * (1 + 1 / 30)
    return tuple(sizes)


def with_metric(
    sizes: Sequence[Size],
    best: LeastLosses,
    rows: InMemory,
    inverse: Inverse,
    labels: Labels,
) -> tuple[Size, ...]:
    """The sizes with the metric of their models on labelled rows.

    Args:
        sizes: the sizes.
        best: what each function becomes at every size.
        rows: the rows.
        inverse: of the model's link.
        labels: the labels of the rows.

    Raises:
        InputError: the labels do not suit the metric.

    """
    values: dict[tuple[int, int], FloatArray] = {}
    table, score = rows.table, rows.score
    parts = []
    for size in sizes:
        total = np.zeros(table.rows)
        for function, place in enumerate(best.places(size.numbers - 1)):  # the intercept is a number, too
            if (function, place) not in values:
                made = best.choices[function][place].made()
                constant = np.full(table.rows, made.constant)
                values[function, place] = constant if made.term is None else term_values(made.term, table)
            total = total + values[function, place]
        total += mean_difference(score, total, rows.weights)
        parts.append(labels.by_part(total, inverse))
    by_part = np.array(parts)
    means = by_part.mean(axis=1)
    sign = -1.0 if labels.metric.greater_is_better else 1.0
    leader = by_part[int(np.argmin(sign * means))]
    count = by_part.shape[1]
    errors = np.std(by_part - leader, axis=1, ddof=1) / np.sqrt(count) if count > 1 else np.zeros(len(means))
    return tuple(
        size._replace(metric=float(mean), error=float(error))
        for size, mean, error in zip(sizes, means, errors, strict=True)
    )


def smallest_within_error(sizes: Sequence[Size], *, greater_is_better: bool) -> int:
    """The least numbers whose metric is within one standard error of the best (Breiman et al. 1984, section 3.4.3)."""
    sign = -1.0 if greater_is_better else 1.0
    losses = [sign * size.metric for size in sizes if size.metric is not None]
    low = min(losses)
    return next(size.numbers for size, loss in zip(sizes, losses, strict=True) if loss - low <= (size.error or 0.0))
