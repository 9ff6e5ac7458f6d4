"""How strong the ridge is: cross-validation inside the rows, from values that have not seen the rows held out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from curvec.errors import InputError
from curvec.refine.losses import Loss, Rows
from curvec.refine.solve import Problem, folds_of
from curvec.transforms import FloatArray

__all__ = ["STRENGTHS", "Tried", "held_out", "least", "stiffness", "strongest"]

STRENGTHS = tuple(float(f"{10.0 ** (-power / 2):.3g}") for power in range(-4, 11))
"""The strengths tried, strongest first: a Newton solution is the start of the next."""

PARTITIONS = 3
"""Into folds, of which the choice is the mean."""


class Tried(NamedTuple):
    """A strength and how it did.

    Attributes:
        strength: the ridge's.
        loss: mean loss of the rows held out.
        seen: standard error of the difference to the least of these losses, over the rows (or queries).
        expected: the same if the labels were drawn anew around the values before refining. Where all rows of a few
            say the same, they show no spread, and any gain on them would count as certain.

    """

    strength: float
    loss: float
    seen: float
    expected: float

    @property
    def error(self) -> float:
        """The larger of the two standard errors."""
        return max(self.seen, self.expected)


def least(tried: tuple[Tried, ...]) -> float:
    """The strength of the least loss."""
    return min(tried, key=lambda one: one.loss).strength


def strongest(tried: tuple[Tried, ...]) -> float:
    """The strongest ridge within one standard error of the least loss (Breiman et al. 1984, section 3.4.3)."""
    low = min(one.loss for one in tried)
    return max(one.strength for one in tried if one.loss - low <= one.error)


def held_out(
    problem: Problem, home: FloatArray, folds: int, *, learned: bool, partitions: int = PARTITIONS
) -> tuple[Tried, ...]:
    """The loss of every strength on the rows held out, strongest first.

    Args:
        problem: all rows.
        home: (p,) what the ridge pulls to.
        folds: their number.
        learned: whether ``home`` has seen all rows; each fold then starts from :func:`_without` its rows.
        partitions: into folds, over which each row's losses and scores are averaged: a single one leaves the choice
            to chance.

    Raises:
        InputError: there are fewer rows (or queries) than folds.

    """
    units = len(np.unique(problem.loss.units))
    if not 2 <= folds <= units:
        raise InputError(f"folds={folds}; use 2 to {units}, the number of rows or queries, or give the strength")
    learning = stiffness(problem, home) if learned else None
    rows = len(problem.loss.units)
    score, apart = np.zeros(rows), np.zeros((rows, len(STRENGTHS)))
    losses = np.zeros((len(problem.loss.each(score)[1]), len(STRENGTHS)))
    for partition in range(partitions):
        before, after = _scores(problem, home, folds_of(problem.loss, folds, partition), learning)
        score += before / partitions
        apart += (after - before[:, None]) / partitions
        losses += np.column_stack([problem.loss.each(column)[1] for column in after.T]) / partitions
    return _summary(problem.loss, losses, score, apart)


def _scores(
    problem: Problem, home: FloatArray, folds: Sequence[Rows], learning: float | None
) -> tuple[FloatArray, FloatArray]:
    """Every row's score while it is held out: (rows,) before refining, and (rows, strengths) after it."""
    rows = len(problem.loss.units)
    before, after = np.empty(rows), np.empty((rows, len(STRENGTHS)))
    for out in folds:
        inside, outside = problem.on(np.setdiff1d(np.arange(rows), out)), problem.on(out)
        theta = start = home if learning is None else _without(inside, outside, home, learning)
        before[out] = outside.score(start)
        for place, strength in enumerate(STRENGTHS):
            theta = inside.solve(strength, start, theta)
            after[out, place] = outside.score(theta)
    return before, after


def _summary(loss: Loss, losses: FloatArray, score: FloatArray, apart: FloatArray) -> tuple[Tried, ...]:
    """What is known of every strength.

    Args:
        loss: on all rows.
        losses: (units, strengths) of the rows held out.
        score: (rows,) before refining.
        apart: (rows, strengths) how far refining takes it.

    """
    share = loss.each(score)[0]
    means = share @ losses
    best = int(np.argmin(means))
    differences = losses - losses[:, [best]]
    seen = np.sqrt(np.square(share) @ np.square(differences - share @ differences))
    chance = [np.square(share) @ loss.chance(score, moved - apart[:, best]) for moved in apart.T]
    return tuple(map(Tried, STRENGTHS, means.tolist(), seen.tolist(), np.sqrt(chance).tolist()))


def stiffness(problem: Problem, home: FloatArray) -> float:
    """How stiffly ``home`` was learned: the ridge towards no effect at all whose solution is the nearest to it.

    Of the strengths tried, on the loss's quadratic approximation at ``home``; nearest in its curvature.
    """
    gradient, curvature = problem.gradient(home), problem.curvature(home)

    def distance(strength: float) -> float:
        step = problem.descent(home, gradient + strength * (problem.ridge @ home), curvature, strength)
        return float(step @ curvature @ step)

    return min(STRENGTHS, key=distance)


def _without(inside: Problem, outside: Problem, home: FloatArray, learning: float) -> FloatArray:
    """The values as if the rows ``outside`` had not been seen, to first order.

    What was learned with a ridge balances the gradient of all rows against the ridge's. Taking rows away leaves that
    balance off by how much their gradient differs from the others', and a Newton step under the same ridge restores it.
    """
    share = len(outside.loss.units) / (len(outside.loss.units) + len(inside.loss.units))
    gradient = share * (inside.gradient(home) - outside.gradient(home))
    return home + inside.descent(home, gradient, inside.curvature(home), learning)
