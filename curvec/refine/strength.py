"""How strong the ridge is: cross-validation inside the rows, from values that have not seen the rows held out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from curvec.errors import InputError
from curvec.refine.solve import Problem, folds_of
from curvec.transforms import FloatArray

__all__ = ["STRENGTHS", "Tried", "held_out", "least", "stiffness", "strongest"]

STRENGTHS = tuple(float(f"{10.0 ** (-power / 2):.3g}") for power in range(-4, 11))
"""The strengths tried, strongest first: a Newton solution is the start of the next."""


class Tried(NamedTuple):
    """A strength and how it did.

    Attributes:
        strength: the ridge's.
        loss: mean loss of the rows held out.
        error: standard error of the difference to the least of these losses, over the rows (or queries).

    """

    strength: float
    loss: float
    error: float


def least(tried: tuple[Tried, ...]) -> float:
    """The strength of the least loss."""
    return min(tried, key=lambda one: one.loss).strength


def strongest(tried: tuple[Tried, ...]) -> float:
    """The strongest ridge within one standard error of the least loss (Breiman et al. 1984, section 3.4.3)."""
    low = min(one.loss for one in tried)
    return max(one.strength for one in tried if one.loss - low <= one.error)


def held_out(problem: Problem, home: FloatArray, folds: int, *, learned: bool) -> tuple[Tried, ...]:
    """The loss of every strength on the rows held out, strongest first.

    Args:
        problem: all rows.
        home: (p,) what the ridge pulls to.
        folds: their number.
        learned: whether ``home`` has seen all rows; each fold then starts from :func:`_without` its rows.

    Raises:
        InputError: there are fewer rows (or queries) than folds.

    """
    units = len(np.unique(problem.loss.units))
    if not 2 <= folds <= units:
        raise InputError(f"folds={folds}; use 2 to {units}, the number of rows or queries, or give the strength")
    learning = stiffness(problem, home) if learned else 0.0
    everything = np.arange(len(problem.loss.units))
    weights, losses = [], []
    for out in folds_of(problem.loss, folds):
        inside, outside = problem.on(np.setdiff1d(everything, out)), problem.on(out)
        theta = start = _without(inside, outside, home, learning) if learned else home
        columns = []
        for strength in STRENGTHS:
            theta = inside.solve(strength, start, theta)
            columns.append(outside.loss.each(outside.score(theta))[1])
        weights.append(outside.loss.each(outside.score(theta))[0] * len(out))
        losses.append(np.column_stack(columns))
    return _summary(np.concatenate(weights), np.vstack(losses))


def _summary(weights: FloatArray, losses: FloatArray) -> tuple[Tried, ...]:
    share = weights / weights.sum()
    means = share @ losses
    apart = losses - losses[:, [int(np.argmin(means))]]
    errors = np.sqrt(np.square(share) @ np.square(apart - share @ apart))
    return tuple(map(Tried, STRENGTHS, means.tolist(), errors.tolist()))


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
