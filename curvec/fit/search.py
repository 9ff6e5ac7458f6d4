"""Searches on one set of candidates, made by the compiled core: the best curve with its proof."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from curvec._core import Problem as Core
from curvec.fit.constraints import Constraints
from curvec.transforms import FloatArray, Transform

_FOREVER = 1e8

Found: TypeAlias = tuple[list[int], FloatArray, float, float, bool]
"""The compiled core's answer: :class:`Best` without its first field."""


def seconds_left(deadline: float) -> float:
    """What is left of the time budget; a millisecond at least, in which the search finds the curves it begins with."""
    return min(max(1e-3, deadline - time.monotonic()), _FOREVER)


class Best(NamedTuple):
    """The best curve found with at most ``num_segments`` segments.

    Attributes:
        num_segments: the limit.
        chosen: indices of its knots among the candidates; empty where there is none (below the ceiling).
        y: the curve at them, less y_origin.
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
    """Candidates, the constraints, and the data, reduced to what determines the error of curves on them.

    Attributes:
        core: the same in the compiled core.
        fx: the transform.
        constraints: what every curve must obey.
        x: (k,) the candidates.
        u: (k,) fx(x).

    """

    __slots__ = ("constraints", "core", "fx", "u", "x")

    def __init__(self, core: Core, fx: Transform, constraints: Constraints) -> None:
        self.core = core
        self.fx = fx
        self.constraints = constraints
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
        found = self.core.search(most, fewest, list(starts), ceiling, seconds, joint=True)
        return [Best(most - len(found) + 1 + k, *answer) for k, answer in enumerate(found)]

    def curves_within(self, best: Best, allowed: float, count: int, deadline: float) -> list[Best]:
        """For the fewest numbers of segments, ``count`` of them, the best curves that cost no more than ``allowed``.

        The last is ``best``, which is one of them, where there are no others.
        """
        most = best.num_segments
        turn, curvature, periodic = self.constraints.turn, self.constraints.curvature, self.constraints.periodic
        if turn is not None or curvature is not None or periodic:  # all at once, or none
            answers = self.search(most - 1, [best.chosen], seconds=seconds_left(deadline)) if most > 1 else []
            return [*(a for a in answers if a.chosen and a.cost <= allowed), best][:count]
        found: list[Best] = []
        ceiling = math.nextafter(allowed, math.inf)
        for segments in range(1, most):
            answer = self.search(segments, seconds=seconds_left(deadline), fewest=segments, ceiling=ceiling)[-1]
            if answer.chosen:
                found.append(answer)
            if len(found) == count:
                return found
        return [*found, best]

    def costs(self, chosen: Sequence[int], y: FloatArray) -> FloatArray:
        """(r,) squared errors of curves on these knots, y (r, k)."""
        return self.core.costs(chosen, np.ascontiguousarray(y))
