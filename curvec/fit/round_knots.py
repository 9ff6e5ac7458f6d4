"""Moving knots to rounder numbers, with as few significant digits as a limit on the loss allows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import cached_property

import msgspec
import numpy as np

from curvec.fit.candidates import round_significant
from curvec.fit.rounding import multiples_beside, place_of
from curvec.fit.search import Best, Problem, seconds_left
from curvec.fit.search_space import SearchSpace
from curvec.transforms import FloatArray

_ALL_DIGITS = 17
"""Significant digits that tell every double from its neighbours."""
_BEYOND = 0.01
"""How far beyond the data a rounded knot may be, as a share of their range under fx: 0 and 10 for 0.0003 to 9.98."""


class KnotRounder(msgspec.Struct, frozen=True, dict=True):
    """Moves knots to rounder numbers.

    Attributes:
        space: where the curves are searched.
        limit: the largest squared error that the result may have.
        deadline: when to stop.

    """

    space: SearchSpace
    limit: float
    deadline: float

    def rounded(self, problem: Problem, best: Best) -> FloatArray:
        """(k,) the knots of a curve of as many segments that costs ``limit`` at most, each as round as that allows."""
        knots = problem.x[best.chosen]
        if self.space.options.knots_on in ("any", "auto", "round"):
            knots = self._of_fewest_digits(problem, best)
        for share in (True, False):  # first each knot may use its share of the loss that is left, then all of it
            knots = self._rounder_one_by_one(knots, share=share)
        return knots

    def _of_fewest_digits(self, problem: Problem, best: Best) -> FloatArray:
        """The best knots among the candidates at as few significant digits as the limit allows, all the same number."""
        count = best.num_segments
        for digits in range(1, _ALL_DIGITS):
            if time.monotonic() > self.deadline:
                break
            candidates = self._candidates(problem, digits)
            if len(candidates) < 2:
                continue
            coarse = self.space.problem(candidates)
            found = coarse.search(
                count, seconds=seconds_left(self.deadline), fewest=count, ceiling=math.nextafter(self.limit, math.inf)
            )[-1]
            if found.chosen and found.cost <= self.limit:
                return coarse.x[found.chosen]
        return problem.x[best.chosen]

    def _candidates(self, problem: Problem, digits: int) -> FloatArray:
        """The candidates to so many digits, and to the place of as many digits of the range: 0.0034 is 0 beside 10."""
        place = place_of(float(problem.x[-1] - problem.x[0])) - digits + 1
        near = [end for value in problem.x.tolist() for end in multiples_beside(value, place)]
        out = self._may_be_knots(np.concatenate([round_significant(problem.x, digits), near]))
        fixed = problem.x[problem.core.required]
        if not self.space.options.learn_ends:
            out = out[(out > fixed[0]) & (out < fixed[-1])]
        return np.unique(np.concatenate([out, fixed]))

    def _may_be_knots(self, x: FloatArray) -> FloatArray:
        """Those of x (n,) that may be knots: in fx's domain, dividing no bin, and not far beyond the data."""
        fx, outermost = self.space.fx, np.array([self.space.points.x[0], self.space.points.last[-1]])
        x = np.unique(x[(x > fx.lower) & np.isfinite(x)])
        if self.space.options.knots_on == "whole":
            x = x[x == np.rint(x)]
        low, high = fx.forward(outermost).tolist()
        slack = _BEYOND * (high - low)
        u = fx.forward(x)
        x = x[(u >= low - slack) & (u <= high + slack)]
        return x[self.space.points.allowed(x)]

    def _rounder_one_by_one(self, knots: FloatArray, *, share: bool) -> FloatArray:
        """From left to right each knot at the roundest number beside it that the limit allows."""
        required = set(self.space.required.tolist())
        if self.space.options.periodic:
            required |= {float(knots[0]), float(knots[-1])}  # their distance is the period
        cost = self._cost(knots)
        for place in range(len(knots)):
            if float(knots[place]) in required or time.monotonic() > self.deadline:
                continue
            limit = cost + (self.limit - cost) / (len(knots) - place) if share else self.limit
            for trial in self._rounder_than(float(knots[place])):
                if self._leaves_rows_beyond(trial, place, len(knots)):
                    continue
                moved = np.unique(np.concatenate([np.delete(knots, place), [trial]]))
                if len(moved) < len(knots) or int(np.searchsorted(moved, trial)) != place:
                    continue
                if (now := self._cost(moved)) <= limit:
                    knots, cost = moved, now
                    break
        return knots

    def _leaves_rows_beyond(self, knot: float, place: int, count: int) -> bool:
        """Whether an end that is pinned would move inwards."""
        if self.space.options.learn_ends:
            return False
        points = self.space.points
        return (place == 0 and knot > points.x[0]) or (place == count - 1 and knot < points.last[-1])

    def _rounder_than(self, knot: float) -> Iterator[float]:
        """Numbers beside a knot that are rounder, the roundest first."""
        key = self._roundness
        places = [place_of(abs(knot)), place_of(float(self.space.points.last[-1] - self.space.points.x[0]))]
        near = {end for place in places for more in range(5) for end in multiples_beside(knot, place - more)}
        if self.space.options.knots_on in ("whole", "values"):
            at = int(np.searchsorted(self.space.points.x, knot))
            near |= set(self.space.points.x[max(at - 1, 0) : at + 1].tolist())
        rounder = [x for x in self._may_be_knots(np.array(sorted(near))).tolist() if key(x) < key(knot)]
        return iter(sorted(rounder, key=lambda x: (key(x), abs(x - knot), x)))

    @cached_property
    def _roundness(self) -> Callable[[float], tuple[bool, int, int]]:
        """Less is rounder: significant digits, then characters (0 before 0.0003).

        Of whole numbers two digits are as round as one, and those that the data have come first, as long as the data
        have few: between incomes of 127,345 and 127,361 it does not matter whether somebody has 127,350.
        """
        options, points = self.space.options, self.space.points
        if options.knots_on not in ("whole", "values"):
            return lambda x: (False, digits_of(x), len(repr(x)))
        if options.knots_on == "whole" and len(points.x) > options.num_samples:
            return lambda x: (False, max(2, digits_of(x)), 0)
        values = set(points.x.tolist())
        return lambda x: (x not in values, max(2, digits_of(x)), 0)

    def _cost(self, knots: FloatArray) -> float:
        """The least squared error of a curve on these knots."""
        problem = self.space.problem(knots)
        best = problem.search(len(knots) - 1, fewest=len(knots) - 1)[-1]
        return best.cost if best.chosen else math.inf


def digits_of(value: float) -> int:
    """Significant digits of a number as it is printed: 2 of 240 and of 0.25, 1 of 0."""
    return max(1, len(repr(abs(value)).split("e")[0].replace(".", "").strip("0")))
