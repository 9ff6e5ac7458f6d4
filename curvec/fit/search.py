"""Searches on one set of candidates, in the core: the best curve with its proof."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from curvec._core import Problem as Core
from curvec.fit.curvature import Knots, best_knots
from curvec.fit.shape import Shape
from curvec.transforms import FloatArray, Transform

__all__ = ["Best", "Found", "Problem", "search_bent", "seconds_left"]

_FOREVER = 1e8

Found: TypeAlias = tuple[list[int], FloatArray, float, float, bool]
"""As the core has it: chosen, y, cost, lower, optimal."""


def seconds_left(deadline: float) -> float:
    """What is left of the time budget; a moment, so that the search still returns its first curves."""
    return min(max(1e-3, deadline - time.monotonic()), _FOREVER)


class Best(NamedTuple):
    """The best curve found with at most ``num_segments`` segments.

    Attributes:
        num_segments: the limit.
        chosen: indices of its knots among the candidates; empty where there is none (below the ceiling).
        y: the curve at them, y_origin taken off.
        cost: its squared error.
        lower: no curve on these candidates costs less.
        optimal: whether the search was exhaustive.

    """

    num_segments: int
    chosen: list[int]
    y: FloatArray
    cost: float
    lower: float
    optimal: bool


class Problem:
    """Candidates, the shape, and all that the data say about curves on them.

    Attributes:
        core: the same in the compiled core.
        fx: the transform.
        shape: what every curve must obey.
        x: (k,) the candidates.
        u: (k,) fx(x).

    """

    __slots__ = ("core", "fx", "shape", "u", "x")

    def __init__(self, core: Core, fx: Transform, shape: Shape) -> None:
        self.core = core
        self.fx = fx
        self.shape = shape
        self.x = core.x
        self.u = core.u

    def search(
        self,
        most: int,
        starts: Iterable[Sequence[int]] = (),
        *,
        seconds: float = _FOREVER,
        fewest: int = 1,
        ceiling: float = math.inf,
    ) -> list[Best]:
        """The best curve for every number of segments from ``fewest`` (where that saves time) up to ``most``.

        Where the search can use it, curves that cost ``ceiling`` or more are not looked for.
        """
        found = self.core.search(most, fewest, list(starts), ceiling, seconds, here=False)
        return [Best(most - len(found) + 1 + k, *answer) for k, answer in enumerate(found)]

    def costs(self, chosen: Sequence[int], y: FloatArray) -> FloatArray:
        """(r,) squared errors of curves on these knots, y (r, k)."""
        return self.core.costs(chosen, np.ascontiguousarray(y))


class _Bent:
    """A problem as the local search for curvature reads it."""

    def __init__(self, core: Core) -> None:
        self.u = core.u
        self._core = core

    def on(self, chosen: Sequence[int]) -> Knots:
        """The same data with these candidates only, all of them knots."""
        return Knots(self.u[np.asarray(chosen)], self._core.gaps(chosen))


def search_bent(
    shape: Shape, floor: float, core: Core, most: int, starts: Sequence[Sequence[int]], seconds: float
) -> list[Found]:
    """Convex or concave: local search from the knots of the curves without that constraint, and their bound.

    A curve that costs no more than ``floor`` is perfect.
    """
    deadline = time.monotonic() + seconds
    problem, required = _Bent(core), set(core.required)
    out: list[Found] = []
    free = core.search(most, 1, [], math.inf, max(seconds, 1e-3), here=True)
    for count, (knots, _, _, lower, optimal) in enumerate(free, start=2):
        tries = [list(s) for s in (*starts, knots) if 1 < len(s) <= count]
        if out and out[-1][0]:
            tries += _one_more(out[-1][0], count, len(problem.u))
        chosen, y, cost = best_knots(problem, tries, required, shape, deadline)
        if out and out[-1][2] <= cost:
            chosen, y, cost = out[-1][:3]
        proven = optimal and cost <= lower * (1 + 1e-9)
        out.append((chosen, y, cost, min(lower, cost), proven))
    return [_lean(core, found, required) if found[0] and found[2] <= floor else found for found in out]


def _lean(core: Core, found: Found, required: Collection[int]) -> Found:
    """A perfect curve without the knots that it does not need, which can stand anywhere: they would say nothing.

    Between its neighbours a knot's segments become one whose slope is between theirs, so every constraint holds.
    """
    chosen, y, cost, lower, optimal = found
    most = max(cost, float(core.costs(chosen, y[None])[0]))
    place = 1
    while place < len(chosen) - 1:
        fewer, left = [*chosen[:place], *chosen[place + 1 :]], np.delete(y, place)
        if chosen[place] not in required and float(core.costs(fewer, left[None])[0]) <= most:
            chosen, y = fewer, left
        else:
            place += 1
    return chosen, y, cost, lower, optimal


def _one_more(chosen: list[int], count: int, candidates: int) -> list[list[int]]:
    """The knots with one more in the middle of each gap, if there is room."""
    if len(chosen) >= count:
        return []
    ends = [-1, *chosen, candidates]
    gaps = [(a, b) for a, b in pairwise(ends) if b - a > 1]
    return [sorted([*chosen, (a + b) // 2]) for a, b in gaps]
