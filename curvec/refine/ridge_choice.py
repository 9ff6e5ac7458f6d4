"""How large the ridge is: cross-validation inside the rows, from values that have not seen the rows held out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from curvec.checks import threads
from curvec.distill.parallel import run_parallel
from curvec.errors import InputError
from curvec.refine.losses import Loss, Rows
from curvec.refine.solve import Problem, folds_of
from curvec.transforms import FloatArray

__all__ = ["RIDGES", "Tried", "held_out", "largest_within_error", "of_least_loss", "stiffness"]

RIDGES = tuple(float(f"{10.0 ** (-power / 2):.3g}") for power in range(-4, 11))
"""The ridges tried, largest first; the search for each starts at the solution of the one before."""

PARTITIONS = 3
"""How many times the rows are dealt into folds; the held-out losses are averaged over these."""


class Tried(NamedTuple):
    """A ridge and how it did.

    Attributes:
        ridge: its size.
        loss: mean loss of the rows held out.
        seen: standard error of the difference to the least of these losses, over the rows (or queries).
        expected: the same if the labels were drawn anew around the values before refining. A few rows that all agree
            show no spread, and by ``seen`` alone any gain on them would count as certain.

    """

    ridge: float
    loss: float
    seen: float
    expected: float

    @property
    def error(self) -> float:
        """The larger of the two standard errors."""
        return max(self.seen, self.expected)


def of_least_loss(tried: tuple[Tried, ...]) -> float:
    """The ridge of the least loss."""
    return min(tried, key=lambda one: one.loss).ridge


def largest_within_error(tried: tuple[Tried, ...]) -> float:
    """The largest ridge within one standard error of the least loss (Breiman et al. 1984, section 3.4.3)."""
    low = min(one.loss for one in tried)
    return max(one.ridge for one in tried if one.loss - low <= one.error)


def held_out(
    problem: Problem, anchor: FloatArray, folds: int, *, learned: bool, partitions: int = PARTITIONS
) -> tuple[Tried, ...]:
    """The loss of every ridge on the rows held out, largest ridge first.

    Args:
        problem: all rows.
        anchor: (p,) what the ridge pulls to.
        folds: their number.
        learned: whether ``anchor`` has seen all rows; each fold then starts from :func:`_without` its rows.
        partitions: into folds, over which each row's losses and scores are averaged: a single one leaves the choice
            to chance.

    Raises:
        InputError: there are fewer rows (or queries) than folds.

    """
    groups = len(np.unique(problem.loss.groups))
    if groups < 2:
        raise InputError("the ridge is chosen on rows or queries held out, and there is only one; give the ridge")
    if not 2 <= folds <= groups:
        raise InputError(f"folds={folds}; use 2 to {groups}, the number of rows or queries, or give the ridge")
    learning = stiffness(problem, anchor) if learned else None
    rows = len(problem.loss.groups)
    outs = [out for partition in range(partitions) for out in folds_of(problem.loss, folds, partition)]
    found = run_parallel(
        lambda out: _scores(problem, anchor, out, learning), outs, threads=threads(None), label="choosing the ridge"
    )
    score, score_change = np.zeros(rows), np.zeros((rows, len(RIDGES)))
    losses = np.zeros((len(problem.loss.per_group(score)[1]), len(RIDGES)))
    for start in range(0, len(outs), folds):
        before, after = np.empty(rows), np.empty((rows, len(RIDGES)))
        for out, (at_first, at_last) in zip(outs[start : start + folds], found[start : start + folds], strict=True):
            before[out], after[out] = at_first, at_last
        score += before / partitions
        score_change += (after - before[:, None]) / partitions
        losses += np.column_stack([problem.loss.per_group(column)[1] for column in after.T]) / partitions
    return _summary(problem.loss, losses, score, score_change)


def _scores(problem: Problem, anchor: FloatArray, out: Rows, learning: float | None) -> tuple[FloatArray, FloatArray]:
    """The scores of the rows held out: (rows,) before refining on the others, and (rows, ridges) after it."""
    inside, outside = problem.on(np.setdiff1d(np.arange(len(problem.loss.groups)), out)), problem.on(out)
    theta = start = anchor if learning is None else _without(inside, outside, anchor, learning)
    after = np.empty((len(out), len(RIDGES)))
    for place, ridge in enumerate(RIDGES):
        theta = inside.solve(ridge, start, theta)
        after[:, place] = outside.score(theta)
    return outside.score(start), after


def _summary(loss: Loss, losses: FloatArray, score: FloatArray, score_change: FloatArray) -> tuple[Tried, ...]:
    """Each ridge with its mean loss and the two standard errors.

    Args:
        loss: on all rows.
        losses: (groups, ridges) of the rows held out.
        score: (rows,) before refining.
        score_change: (rows, ridges) the score after refining minus the score before, for each ridge.

    """
    share = loss.per_group(score)[0]
    means = share @ losses
    best = int(np.argmin(means))
    differences = losses - losses[:, [best]]
    seen = np.sqrt(np.square(share) @ np.square(differences - share @ differences))
    relative = score_change - score_change[:, [best]]
    variance = [np.square(share) @ loss.label_noise_variance(score, change) for change in relative.T]
    return tuple(map(Tried, RIDGES, means.tolist(), seen.tolist(), np.sqrt(variance).tolist()))


def stiffness(problem: Problem, anchor: FloatArray) -> float:
    """How stiffly ``anchor`` was learned: the ridge towards no effect at all whose solution is the nearest to it.

    Of the ridges tried, on the loss's quadratic approximation at ``anchor``; nearest in its curvature.
    """
    gradient, curvature = problem.gradient(anchor), problem.curvature(anchor)

    def distance(ridge: float) -> float:
        step = problem.descent(anchor, gradient + ridge * (problem.penalty @ anchor), curvature, ridge)
        return float(step @ curvature @ step)

    return min(RIDGES, key=distance)


def _without(inside: Problem, outside: Problem, anchor: FloatArray, learning: float) -> FloatArray:
    """The values as if the rows ``outside`` had not been seen, to first order.

    What was learned with a ridge balances the gradient of all rows against the ridge's. Taking rows away leaves that
    balance off by how much their gradient differs from the others', and a Newton step under the same ridge restores it.
    """
    share = len(outside.loss.groups) / (len(outside.loss.groups) + len(inside.loss.groups))
    gradient = share * (inside.gradient(anchor) - outside.gradient(anchor))
    return anchor + inside.descent(anchor, gradient, inside.curvature(anchor), learning)
