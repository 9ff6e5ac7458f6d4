"""The exact search on one set of candidates, in the core, and its answer for every number of segments."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from curvec._core import coarsen, costs, search, solve
from curvec.fit.curvature import best_knots
from curvec.fit.shape import Shape
from curvec.transforms import FloatArray, Transform

__all__ = ["Best", "Problem", "seconds_left"]


def seconds_left(deadline: float) -> float:
    """What is left of the time budget; a moment, so that the search still returns its first curves."""
    return max(1e-3, deadline - time.monotonic()) if deadline < math.inf else math.inf


@dataclass(frozen=True, slots=True)
class Best:
    """The best curve found with at most ``num_segments`` segments.

    Attributes:
        num_segments: the limit.
        chosen: indices of its knots among the candidates.
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


def _better(a: Best, b: Best) -> Best:
    """The cheaper one, with a bound for both."""
    best = a if a.cost <= b.cost else b
    return replace(best, lower=min(a.lower, b.lower), optimal=a.optimal and b.optimal)


@dataclass(frozen=True, slots=True)
class Problem:
    """Candidates and all that the data say about curves on them.

    Attributes:
        fx: the transform.
        x: (k,) the candidates.
        u: (k,) fx(x).
        gaps: (k + 1, 6) moments.
        required: indices of knots that every curve must have.

    """

    fx: Transform
    x: FloatArray
    u: FloatArray
    gaps: FloatArray
    required: tuple[int, ...] = ()

    def search(
        self,
        shape: Shape,
        most: int,
        starts: Sequence[Sequence[int]] = (),
        *,
        seconds: float = math.inf,
        fewest: int = 1,
    ) -> list[Best]:
        """The best curve for every number of segments from ``fewest`` (where that saves time) up to ``most``."""
        if shape.curvature is not None:
            return self._search_bent(shape, most, starts, seconds)
        if shape.turn == "bitonic":
            peaks = self._search(shape, "peak", most, starts, seconds / 2)
            valleys = self._search(shape, "valley", most, starts, seconds / 2)
            return [_better(p, v) for p, v in zip(peaks, valleys, strict=True)]
        return self._search(shape, shape.turn or "", most, starts, seconds, fewest)

    def _search_bent(self, shape: Shape, most: int, starts: Sequence[Sequence[int]], seconds: float) -> list[Best]:
        """Convex or concave: local search from the knots of the curves without that constraint, and their bound."""
        deadline = time.monotonic() + min(seconds, 1e8)
        out: list[Best] = []
        for free in self._search(shape, "", most, (), seconds):
            count = free.num_segments + 1
            tries = [list(s) for s in (*starts, free.chosen) if 1 < len(s) <= count]
            if out and out[-1].chosen:
                tries += self._one_more(out[-1].chosen, count)
            chosen, y, cost = best_knots(self, tries, set(self.required), shape, deadline)
            best = Best(free.num_segments, chosen, y, cost, min(free.lower, cost), optimal=False)
            if out and out[-1].cost <= cost:
                best = replace(out[-1], num_segments=free.num_segments, lower=best.lower)
            proven = free.optimal and best.cost <= free.lower * (1 + 1e-9)
            out.append(replace(best, optimal=proven))
        return out

    def _one_more(self, chosen: list[int], count: int) -> list[list[int]]:
        """The knots with one more in the middle of each gap, if there is room."""
        if len(chosen) >= count:
            return []
        ends = [-1, *chosen, len(self.u)]
        gaps = [(a, b) for a, b in pairwise(ends) if b - a > 1]
        return [sorted([*chosen, (a + b) // 2]) for a, b in gaps]

    def _search(
        self,
        shape: Shape,
        turn: str,
        most: int,
        starts: Sequence[Sequence[int]],
        seconds: float,
        fewest: int = 1,
    ) -> list[Best]:
        found = search(
            self.u,
            self.gaps,
            most,
            shape.slopes,
            shape.y_bounds,
            self.required,
            starts,
            min(seconds, 1e8),
            turn,
            fewest,
        )
        return [Best(k, *answer) for k, answer in enumerate(found, start=1)]

    def on(self, chosen: Sequence[int]) -> Problem:
        """The same data with these candidates only, all of them knots."""
        kept = np.asarray(chosen)
        gaps = coarsen(self.u, self.gaps, list(chosen))
        return Problem(self.fx, self.x[kept], self.u[kept], gaps)

    def costs(self, y: FloatArray) -> FloatArray:
        """(r,) squared errors of curves with knots at all candidates, y (r, k)."""
        return costs(self.u, self.gaps, np.ascontiguousarray(y))

    def solve(self, shape: Shape) -> FloatArray:
        """(k,) the best y with knots at all candidates."""
        return solve(self.u, self.gaps, shape.slopes, shape.y_bounds, list(range(len(self.u))))[0]
