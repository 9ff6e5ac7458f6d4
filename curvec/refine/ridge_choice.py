"""How large the ridge is: cross-validation inside the rows, from values that have not seen the rows held out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from curvec.checks import threads
from curvec.distill.parallel import run_parallel
from curvec.errors import InputError
from curvec.refine.losses import Loss, Rows
from curvec.refine.solve import Problem, folds_of
from curvec.transforms import FloatArray

RIDGES = tuple(float(f"{10.0 ** (-power / 2):.3g}") for power in range(-4, 11))
"""The ridges tried, largest first; the search for each starts at the solution of the one before."""

PARTITIONS = 3
"""How many times the rows are dealt into folds; the held-out losses are averaged over these."""

_MANY = 50_000
"""Of more rows one dealing is enough."""

_ENOUGH = {True: 1e-7, False: 1e-4}
"""The gain of a step, as a share of 1 + |objective|, at which a ridge is tried well enough: by whether the loss's
curvature is exact, or a bound. Far less than the losses of two ridges differ by from fold to fold."""


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


class Scores(NamedTuple):
    """Of rows held out.

    Attributes:
        before: (rows,) before refining on the others.
        after: (rows, ridges) after it.

    """

    before: FloatArray
    after: FloatArray


def of_least_loss(tried: tuple[Tried, ...]) -> float:
    """The ridge of the least loss."""
    return min(tried, key=lambda one: one.loss).ridge


def largest_within_error(tried: tuple[Tried, ...]) -> float:
    """The largest ridge within one standard error of the least loss (Breiman et al. 1984, section 3.4.3)."""
    low = min(one.loss for one in tried)
    return max(one.ridge for one in tried if one.loss - low <= one.error)


class Choice(NamedTuple):
    """The ridge, and what it was chosen by.

    Attributes:
        ridge: its size.
        tried: every ridge tried, largest first; empty where there was no time for any.
        cut_short: what the deadline cut short, in words; empty if nothing.

    """

    ridge: float
    tried: tuple[Tried, ...]
    cut_short: str


def choose_ridge(problem: Problem, anchor: FloatArray, folds: int, *, learned: bool, deadline: float) -> Choice:
    """The ridge of a problem.

    At the deadline it is chosen by the folds that are through, and without any it is the largest.

    Raises:
        InputError: see :func:`held_out`.

    """
    partitions = PARTITIONS if len(problem.loss.groups) <= _MANY else 1
    tried, through = held_out(problem, anchor, folds, learned=learned, partitions=partitions, deadline=deadline)
    if not tried:
        return Choice(RIDGES[0], (), "no time to choose the ridge, the largest is taken")
    wanted = folds * partitions
    cut_short = "" if through == wanted else f"the ridge is chosen by {through} of {wanted} parts"
    return Choice(largest_within_error(tried) if learned else of_least_loss(tried), tried, cut_short)


def held_out(
    problem: Problem,
    anchor: FloatArray,
    folds: int,
    *,
    learned: bool,
    partitions: int = PARTITIONS,
    deadline: float = math.inf,
) -> tuple[tuple[Tried, ...], int]:
    """The loss of every ridge on the rows held out, largest ridge first, and how many folds it is of.

    Args:
        problem: all rows.
        anchor: (p,) what the ridge pulls to.
        folds: their number.
        learned: whether ``anchor`` has seen all rows; each fold then starts from :func:`_without` its rows.
        partitions: into folds, over which each row's losses and scores are averaged: a single one leaves the choice
            to chance.
        deadline: of the monotonic clock. From then on the partitions count of which all folds are through, or if
            there is none, the folds of one partition that are.

    Raises:
        InputError: there are fewer rows (or queries) than folds.

    """
    groups = len(np.unique(problem.loss.groups))
    if groups < 2:
        raise InputError("the ridge is chosen on rows or queries held out, and there is only one; give the ridge")
    if not 2 <= folds <= groups:
        raise InputError(f"folds={folds}; use 2 to {groups}, the number of rows or queries, or give the ridge")
    learning = stiffness(problem, anchor) if learned else None
    outs = [out for partition in range(partitions) for out in folds_of(problem.loss, folds, partition)]
    found = run_parallel(
        lambda out: _scores(problem, anchor, out, learning, deadline),
        outs,
        threads=threads(),
        label="choosing the ridge",
    )
    dealt = [
        [(out, scores) for out, scores in zip(outs[start : start + folds], found[start : start + folds], strict=True)]
        for start in range(0, len(outs), folds)
    ]
    through = [[(out, scores) for out, scores in part if scores is not None] for part in dealt]
    most = max(map(len, through))
    if most == 0:
        return (), 0
    counted = [part for part in through if len(part) == most] if most == folds else [max(through, key=len)]
    return _averaged(problem.loss, counted), most * len(counted)


def _averaged(loss: Loss, partitions: list[list[tuple[Rows, Scores]]]) -> tuple[Tried, ...]:
    """Each ridge by the mean over partitions, each of the same rows, of the scores of the rows held out."""
    rows = np.sort(np.concatenate([out for out, _ in partitions[0]]))
    loss = loss.restricted_to(rows)
    score, score_change = np.zeros(len(rows)), np.zeros((len(rows), len(RIDGES)))
    losses = np.zeros((len(loss.per_group(score)[1]), len(RIDGES)))
    for part in partitions:
        before, after = np.empty(len(rows)), np.empty((len(rows), len(RIDGES)))
        for out, (at_first, at_last) in part:
            own = np.searchsorted(rows, out)
            before[own], after[own] = at_first, at_last
        score += before / len(partitions)
        score_change += (after - before[:, None]) / len(partitions)
        losses += np.column_stack([loss.per_group(column)[1] for column in after.T]) / len(partitions)
    return _summary(loss, losses, score, score_change)


def _scores(problem: Problem, anchor: FloatArray, out: Rows, learning: float | None, deadline: float) -> Scores | None:
    """The scores of the rows held out, before refining on the others and after it; None if the deadline came first."""
    if time.monotonic() >= deadline:
        return None
    inside, outside = (
        problem.restricted_to(np.setdiff1d(np.arange(len(problem.loss.groups)), out)),
        problem.restricted_to(out),
    )
    theta = start = anchor if learning is None else _values_without(inside, outside, anchor, learning)
    after = np.empty((len(out), len(RIDGES)))
    for place, ridge in enumerate(RIDGES):
        theta, reached = inside.solve(ridge, start, theta, deadline, _ENOUGH[problem.loss.exact])
        if not reached:
            return None
        after[:, place] = outside.score(theta)
    return Scores(outside.score(start), after)


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
    """The ridge with which ``anchor`` was learned, as far as the values show it.

    Of the ridges tried it is the one, towards no effect at all, whose solution is nearest to ``anchor``: on the loss's
    quadratic approximation there, by the distance that its curvature defines.
    """
    return nearest_ridge(problem.descent, anchor, problem.gradient(anchor), problem.curvature(anchor), problem.penalty)


def nearest_ridge(
    descent: Callable[[FloatArray, FloatArray, FloatArray, float], FloatArray],
    anchor: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    penalty: FloatArray,
) -> float:
    """See :func:`stiffness`.

    Args:
        descent: as :meth:`curvec.refine.solve.Problem.descent`.
        anchor: (p,) values.
        gradient: (p,) of the loss there.
        curvature: (p, p) of the loss there.
        penalty: (p, p) the ridge.

    """

    def distance(ridge: float) -> float:
        step = descent(anchor, gradient + ridge * (penalty @ anchor), curvature, ridge)
        return float(step @ curvature @ step)

    return min(RIDGES, key=distance)


def _values_without(inside: Problem, outside: Problem, anchor: FloatArray, learning: float) -> FloatArray:
    """The values as if the rows ``outside`` had not been seen, to first order.

    What was learned with a ridge balances the gradient of all rows against the ridge's. Taking rows away leaves that
    balance off by how much their gradient differs from the others', and a Newton step under the same ridge restores it.
    """
    share = len(outside.loss.groups) / (len(outside.loss.groups) + len(inside.loss.groups))
    gradient = share * (inside.gradient(anchor) - outside.gradient(anchor))
    return anchor + inside.descent(anchor, gradient, inside.curvature(anchor), learning)
