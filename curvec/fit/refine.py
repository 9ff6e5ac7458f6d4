"""Finer candidates around the best knots: the search again, where it matters."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from curvec.condense import Points
from curvec.fit.search import Best, Problem, seconds_left
from curvec.fit.shape import Shape
from curvec.transforms import FloatArray

__all__ = ["Refinement", "refine"]

_WINDOW = 6
"""Finer candidates on either side of a knot."""
_PICKS = np.arange(_WINDOW)
_QUARTERS = np.array([0.25, 0.5, 0.75])
_ROUNDS = 4
_WORTH = 1e-4
"""A round that gains less than this share ends the refinement."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """What the rounds need beside the problem.

    Attributes:
        points: the data, from which moments on any candidates can be made.
        deadline: when to stop.
        make: builds the problem on given candidates.
        snap: rounds candidates to what can be printed.

    """

    points: Points
    deadline: float
    make: Callable[[FloatArray], Problem]
    snap: Callable[[FloatArray], FloatArray]


def refine(
    base: Problem, answers: list[Best], wanted: int, shape: Shape, tools: Refinement
) -> tuple[Problem, list[Best]]:
    """Search around the knots of the best ``wanted``-segment curve, then once more on all candidates together.

    The result's candidates hold the old ones and the refined knots, and the search over them is exhaustive, so
    every entry is at least as good as it was.
    """
    best = answers[wanted - 1]
    knots = base.x[best.chosen]
    fixed = base.x[list(base.required)]
    pool, cost, gained = base.x, best.cost, False
    for _ in range(_ROUNDS):
        if time.monotonic() > tools.deadline:
            break
        fine = tools.snap(np.unique(np.concatenate([_around(knots, pool, tools.points.x), knots, fixed])))
        fine = np.unique(np.concatenate([fine, knots, fixed]))
        problem = tools.make(fine)
        start = np.searchsorted(fine, knots).tolist()
        left = seconds_left(tools.deadline)
        found = problem.search(shape, wanted, [start], seconds=left, fewest=wanted)[wanted - 1]
        if not found.chosen or not found.cost < cost * (1 - _WORTH):
            break
        knots, cost, pool, gained = fine[found.chosen], found.cost, fine, True
    if not gained:
        return base, answers
    union = tools.make(np.unique(np.concatenate([base.x, knots])))
    starts = [np.searchsorted(union.x, knots).tolist()]
    starts += [np.searchsorted(union.x, base.x[a.chosen]).tolist() for a in answers if a.chosen]
    return union, union.search(shape, len(answers), starts, seconds=seconds_left(tools.deadline))


def _around(knots: FloatArray, pool: FloatArray, values: FloatArray) -> FloatArray:
    """Candidates between each knot and its neighbours in the pool: data values, and points between them."""
    at = np.searchsorted(pool, knots)
    ends = np.concatenate([pool[np.maximum(at - 1, 0)], knots, pool[np.minimum(at + 1, len(pool) - 1)]]).tolist()
    count = len(knots)
    first = np.searchsorted(values, ends, side="right").tolist()
    stop = np.searchsorted(values, ends, side="left").tolist()
    gaps = [(k, k + count) for k in range(2 * count)]
    return np.concatenate([_between(ends[a], ends[b], values[first[a] : stop[b]]) for a, b in gaps])


def _between(low: float, high: float, inside: FloatArray) -> FloatArray:
    """Up to 2 * _WINDOW + 1 candidates strictly between, given the data values there."""
    if len(inside) > _WINDOW:
        return np.asarray(inside[_PICKS * (len(inside) - 1) // (_WINDOW - 1)])
    if not len(inside):
        between = low + (high - low) * _QUARTERS
        return between[(between > low) & (between < high)]
    ends = np.array([low, *inside, high])
    middle = ends[:-1] + (ends[1:] - ends[:-1]) / 2
    return np.concatenate([inside, middle[(middle > low) & (middle < high)]])
