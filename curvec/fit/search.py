"""The exact search on one set of candidates, in the core, and its answer for every number of segments."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from curvec._core import coarsen, costs, search, solve
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
        self, shape: Shape, most: int, starts: Sequence[Sequence[int]] = (), seconds: float = math.inf
    ) -> list[Best]:
        """The best curve for every number of segments up to ``most``."""
        found = search(self.u, self.gaps, most, shape.slopes, shape.y_bounds, self.required, starts, min(seconds, 1e8))
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
