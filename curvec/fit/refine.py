"""Finer candidates around the best knots: the search again, where it matters."""

from __future__ import annotations

import time

import numpy as np

from curvec.fit.frame import Frame
from curvec.fit.search import Best, Problem, seconds_left

__all__ = ["refined"]

_ROUNDS = 4
_REPEATS = 3
_WORTH = 1e-4
"""A round that gains less than this share ends the refinement."""


def refined(frame: Frame, base: Problem, best: Best, deadline: float) -> tuple[Problem, Best]:
    """The best curve on the candidates of ``base`` and finer ones around good knots, by an exhaustive search.

    It is never worse than the best on the candidates of ``base``.
    """
    for _ in range(_REPEATS):
        problem, knots, cost = _finer(frame, base, best, deadline)
        if problem is base and best.optimal:
            return base, best
        wanted = best.num_segments
        best = problem.search(wanted, [knots], seconds=seconds_left(deadline), fewest=wanted)[-1]
        if not best.cost < cost * (1 - _WORTH):
            break
        base = problem  # better than the knots that were refined: those of another place
    return problem, best


def _finer(frame: Frame, base: Problem, best: Best, deadline: float) -> tuple[Problem, list[int], float]:
    """The candidates of ``base`` and finer ones, and a curve on them: its knots, and its cost.

    Each round searches around the knots of the round before; the last round's knots stay.
    """
    knots, pool, cost = base.x[best.chosen], base.x, best.cost
    fixed = base.x[list(base.required)]
    wanted = best.num_segments
    for _ in range(_ROUNDS):
        if time.monotonic() > deadline:
            break
        fine = frame.finer(knots, pool)
        if len(fixed):
            fine = np.unique(np.concatenate([fine, fixed]))
        problem = frame.problem(fine)
        start = np.searchsorted(problem.x, knots).tolist()
        found = problem.search(wanted, [start], seconds=seconds_left(deadline), fewest=wanted)[-1]
        if not found.chosen or not found.cost < cost * (1 - _WORTH):
            break
        knots, pool, cost = problem.x[found.chosen], problem.x, found.cost
    if pool is base.x:
        return base, best.chosen, cost
    union = frame.problem(np.unique(np.concatenate([base.x, knots])))
    return union, np.searchsorted(union.x, knots).tolist(), cost
