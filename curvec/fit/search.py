"""Searches on one set of candidates, in the core: good curves quickly, or the best with its proof."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvec._core import Problem as Core
from curvec.fit.curvature import Knots, best_knots
from curvec.fit.shape import Shape
from curvec.transforms import FloatArray, Transform

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Best", "Problem", "seconds_left"]

_FOREVER = 1e8


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


def _better(a: Best, b: Best) -> Best:
    """The cheaper one, with a bound for both."""
    best = a if a.cost <= b.cost else b
    return best._replace(lower=min(a.lower, b.lower), optimal=a.optimal and b.optimal)


class Problem:
    """Candidates, the shape, and all that the data say about curves on them.

    Attributes:
        fx: the transform.
        x: (k,) the candidates.
        u: (k,) fx(x).
        required: indices of knots that every curve must have.
        shape: what every curve must obey.

    """

    __slots__ = ("_core", "fx", "required", "shape", "u", "x")

    def __init__(
        self, fx: Transform, x: FloatArray, u: FloatArray, gaps: FloatArray, shape: Shape, required: Sequence[int] = ()
    ) -> None:
        self.fx = fx
        self.x = x
        self.u = u
        self.shape = shape
        self.required = required
        self._core = Core(u, gaps, shape.slopes, shape.y_bounds, required)

    def quick(self, count: int, starts: Iterable[Sequence[int]] = (), seconds: float = _FOREVER) -> Best:
        """A good curve of at most ``count`` segments, mostly without a proof."""
        if self.shape.turn is not None or self.shape.curvature is not None:
            return self.search(count, starts, seconds=seconds)[-1]
        return Best(count, *self._core.quick(min(count, len(self.u) - 1), list(starts), seconds))

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
        starts = list(starts)
        if self.shape.curvature is not None:
            return self._search_bent(most, starts, seconds)
        if self.shape.turn == "bitonic":
            peaks = self._search("peak", most, starts, seconds / 2)
            valleys = self._search("valley", most, starts, seconds / 2)
            return [_better(p, v) for p, v in zip(peaks, valleys, strict=True)]
        if self.shape.turn is not None:
            return self._search(self.shape.turn, most, starts, seconds)
        return self._search("", most, starts, seconds, fewest, ceiling)

    def _search(
        self,
        turn: str,
        most: int,
        starts: list[Sequence[int]],
        seconds: float,
        fewest: int = 1,
        ceiling: float = math.inf,
    ) -> list[Best]:
        room = len(self.u) - 1  # more segments than that there cannot be
        found = self._core.search(min(most, room), min(fewest, room), starts, ceiling, seconds, turn)
        found += [found[-1]] * (most - max(room, fewest))
        return [Best(k, *answer) for k, answer in enumerate(found, start=fewest)]

    def _search_bent(self, most: int, starts: list[Sequence[int]], seconds: float) -> list[Best]:
        """Convex or concave: local search from the knots of the curves without that constraint, and their bound."""
        deadline = time.monotonic() + seconds
        out: list[Best] = []
        for free in self._search("", most, [], seconds):
            count = free.num_segments + 1
            tries = [list(s) for s in (*starts, free.chosen) if 1 < len(s) <= count]
            if out and out[-1].chosen:
                tries += self._one_more(out[-1].chosen, count)
            chosen, y, cost = best_knots(self, tries, set(self.required), self.shape, deadline)
            best = Best(free.num_segments, chosen, y, cost, min(free.lower, cost), optimal=False)
            if out and out[-1].cost <= cost:
                best = out[-1]._replace(num_segments=free.num_segments, lower=best.lower)
            proven = free.optimal and best.cost <= free.lower * (1 + 1e-9)
            out.append(best._replace(optimal=proven))
        return out

    def _one_more(self, chosen: list[int], count: int) -> list[list[int]]:
        """The knots with one more in the middle of each gap, if there is room."""
        if len(chosen) >= count:
            return []
        ends = [-1, *chosen, len(self.u)]
        gaps = [(a, b) for a, b in pairwise(ends) if b - a > 1]
        return [sorted([*chosen, (a + b) // 2]) for a, b in gaps]

    def on(self, chosen: Sequence[int]) -> Knots:
        """The same data with these candidates only, all of them knots."""
        return Knots(self.u[np.asarray(chosen)], self._core.gaps(chosen))

    def costs(self, chosen: Sequence[int], y: FloatArray) -> FloatArray:
        """(r,) squared errors of curves on these knots, y (r, k)."""
        return self._core.costs(chosen, np.ascontiguousarray(y))
