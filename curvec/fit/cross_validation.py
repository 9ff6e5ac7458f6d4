"""How many segments noisy rows justify: cross-validation with the one-standard-error rule.

Hastie, Tibshirani and Friedman (2009), The Elements of Statistical Learning, section 7.10.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from curvec.condense import Points, Rows
from curvec.fit.constraints import constraints_of
from curvec.fit.data import FitData
from curvec.fit.search import seconds_left
from curvec.fit.search_space import SearchSpace
from curvec.fit.transform_choice import LOG_MARGIN
from curvec.transforms import FloatArray

__all__ = ["is_noisy", "most_segments"]

FOLDS = 10
_FIRST = 4
"""The most segments of the first attempt; doubled as long as the most are the best."""

_FEWEST_REPEATS = 10
"""With fewer rows that repeat an x, the noise is estimated from rows at neighbouring x."""


def is_noisy(data: FitData) -> bool:
    """Whether noise alone keeps a good curve from reaching the tolerance.

    The variance of the noise is that of y at equal x (pure error), or where hardly any x repeats that of each y about
    the line through its neighbours (Gasser, Sroka and Jennen-Steinmetz 1986). The squared error that it leaves in the
    mean y at each x is compared with the shape's variance. Moments do not say how many rows they are of, so they count
    as noiseless.
    """
    points, rows = data.points, data.rows
    shape = points.total - points.noise
    if rows is None or not shape > 0:
        return False
    count = len(rows.x) if rows.w is None else int(np.count_nonzero(rows.w))
    means = len(points.x)
    repeats = count - (means if points.parts is None else 2 * means)  # about the line of a bin, or the mean at an x
    if repeats >= _FEWEST_REPEATS or points.parts is not None:
        noise = points.noise / max(repeats, 1) * means
    else:
        noise = _about_neighbours(points)
    return noise > data.options.tolerance * shape


def _about_neighbours(points: Points) -> float:
    """An estimate of the squared error of y about the function of x that it is noise around."""
    x, y, w = points.x, points.y, points.w
    if len(x) < 4:
        return 0.0
    left = (x[2:] - x[1:-1]) / (x[2:] - x[:-2])
    squares = (left * y[:-2] + (1.0 - left) * y[2:] - y[1:-1]) ** 2 / (left**2 + (1.0 - left) ** 2 + 1.0)
    return float(np.dot(w[1:-1], squares)) / float(w[1:-1].sum()) * float(w.sum()) if w[1:-1].any() else 0.0


def most_segments(data: FitData, spaces: Sequence[SearchSpace], deadline: float) -> int:
    """The fewest segments whose held-out error is within a standard error of the least.

    Every fold has the candidates of the whole, and one search finds its best curves of all numbers of segments. The
    search for many segments of noise takes long: it is made only where the most that were tried are the best.
    """
    assert data.rows is not None  # noqa: S101  without rows, is_noisy says no
    folds, limit = list(_folds(data.rows)), min(_FIRST, data.options.most)
    while True:
        errors = np.array([_held_out(train, test, data, spaces, limit, deadline) for train, test in folds])
        mean = errors.mean(axis=0)
        best = int(np.argmin(mean))
        if best < limit - 1 or limit == data.options.most:
            break
        limit = min(2 * limit, data.options.most)
    spread = errors.std(axis=0, ddof=1) / math.sqrt(len(folds)) if len(folds) > 1 else np.zeros(limit)
    return 1 + int(np.argmax(mean <= mean[best] + spread[best]))


def _folds(rows: Rows) -> Iterator[tuple[Rows, Rows]]:
    """Rows to fit and rows to test on, ten times; the order of the rows does not matter."""
    columns = (rows.y, rows.x) if rows.w is None else (rows.w, rows.y, rows.x)
    order = np.lexsort(columns)
    if rows.w is not None:
        order = order[rows.w[order] > 0]
    fold = np.empty(len(order), dtype=np.int64)
    count = min(FOLDS, len(order))
    fold[np.random.default_rng(0).permutation(len(order))] = np.arange(len(order)) % count
    for k in range(count):
        yield _some(rows, order[fold != k]), _some(rows, order[fold == k])


def _some(rows: Rows, which: npt.NDArray[np.int64]) -> Rows:
    x, y = rows.x[which], rows.y[which]
    w = None if rows.w is None else rows.w[which]
    limits = [(float(values.min()), float(values.max())) if len(values) else (0.0, 0.0) for values in (x, y)]
    return Rows(x, y, w, 1.0 if w is None else float(w.max(initial=0.0)), limits[0], limits[1])


def _held_out(
    train: Rows, test: Rows, data: FitData, spaces: Sequence[SearchSpace], most: int, deadline: float
) -> FloatArray:
    """(most,) the mean squared error on held-out rows of the best curves of 1, 2, ... segments on the others."""
    w = np.ones(len(test.x)) if test.w is None else test.w
    points = data.points_of(train)
    mean = np.full(len(test.x), points.y_origin)
    if not points.total > points.noise:  # a constant
        return np.full(most, _error(test.y, mean, w))
    constraints = constraints_of(data.options, points)
    costs, errors = np.full(most, math.inf), np.full(most, _error(test.y, mean, w))
    for space in spaces:
        fold = replace(space, points=points, constraints=constraints)
        problem = fold.problem(space.x)
        u = (space.fx.fast or space.fx.forward)(np.clip(test.x, problem.x[0], problem.x[-1]))
        better = 1.0 if space is spaces[0] else 1.0 - LOG_MARGIN
        for answer in problem.search(most, seconds=seconds_left(deadline)):
            if answer.chosen and answer.cost - points.noise < better * (costs[answer.num_segments - 1] - points.noise):
                y = np.interp(u, problem.u[answer.chosen], answer.y + points.y_origin)
                costs[answer.num_segments - 1] = answer.cost
                errors[answer.num_segments - 1] = _error(test.y, y, w)
    return errors


def _error(y: FloatArray, prediction: FloatArray, w: FloatArray) -> float:
    return float(np.average((y - prediction) ** 2, weights=w))
