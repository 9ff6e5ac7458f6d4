"""The text of a curve: as found, or as short as a margin of loss allows.

For the fewest numbers of segments that the margin allows: knots at rounder numbers, with half of what is left of the
margin; y at the coarsest decimal place, with all of it; then points that are hardly missed are left out. The shortest
of these texts is taken.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from curvec.condense import Points
from curvec.fit.candidates import round_significant
from curvec.fit.constraints import projected
from curvec.fit.options import Options
from curvec.fit.rounding import at_place, holds, place_of, round_to_place, round_y
from curvec.fit.search import Best, Problem, seconds_left
from curvec.fit.search_space import SearchSpace
from curvec.transforms import FloatArray

__all__ = ["MOST_TEXTS", "Shortening", "Text", "as_found", "characters"]

_ALL_DIGITS = 17
"""With so many significant digits a decimal number is the double."""
MOST_TEXTS = 3
"""Numbers of segments whose texts are compared: with the fewest that the margin allows, y may need more digits."""


_BEYOND = 0.01
"""How far beyond the data a rounded knot may be, as a share of their range under fx: of 0.0003 to 9.98, 0 and 10."""


class Text(NamedTuple):
    """A curve in the numbers that will be printed.

    Attributes:
        x: (k,) the knots.
        y: (k,) the curve there, in the caller's units.
        cost: the squared error.
        y_digits: significant digits of y, where so many were asked for.

    """

    x: FloatArray
    y: FloatArray
    cost: float
    y_digits: int | None = None


def as_found(problem: Problem, best: Best, points: Points, options: Options) -> Text:
    """The curve that the search found, its y rounded as asked for."""
    chosen, origin, constraints = best.chosen, points.y_origin, problem.constraints
    u, y, digits = problem.u[chosen], best.y + origin, None
    if options.significant is not None:
        y, digits = round_y(u, partial(problem.costs, chosen), y, origin, options.significant, constraints)
    elif any(math.isfinite(slope) and slope for slope in constraints.slopes):
        y = projected(u, y, constraints, constraints.y_limits)  # adding y_origin back may have rounded past a bound
    else:
        y = np.clip(y, *constraints.y_limits)
    return Text(problem.x[chosen], y, float(problem.costs(chosen, (y - origin)[None])[0]), digits)


def characters(text: Text) -> int:
    """Of all the numbers, as they are printed."""
    return sum(len(repr(value).removesuffix(".0")) for value in [*text.x.tolist(), *text.y.tolist()])


@dataclass(frozen=True)
class Shortening:
    """How short a text may be.

    Attributes:
        space: where the curves are searched; with the data and what was asked.
        allowed: the largest squared error of a text: that of the best curve, and the margin.
        deadline: when to stop making knots rounder.

    """

    space: SearchSpace
    allowed: float
    deadline: float

    def shortest(self, problem: Problem, answers: Sequence[Best]) -> Text:
        """The text with the fewest characters among those of some curves, each of which costs ``allowed`` at most."""
        texts = [self.text(problem, answer) for answer in answers]
        return min(texts, key=lambda text: (characters(text), len(text.x), text.cost))

    def text(self, problem: Problem, best: Best) -> Text:
        """Rounder knots with half of what is left of the margin, then fewer digits of y, then fewer points."""
        points, options = self.space.points, self.space.options
        if options.rounds_x and problem.fx.name != "own":
            half = best.cost + (self.allowed - best.cost) / 2
            knots = _Rounder(self.space, half, self.deadline).rounded(problem, best)
            problem = self.space.problem(knots)
            best = problem.search(len(knots) - 1, [list(range(len(knots)))])[-1]
        if options.digits != "auto":
            text = as_found(problem, best, points, options)
        else:
            costs, origin = partial(problem.costs, best.chosen), points.y_origin
            allowed = max(self.allowed, best.cost)
            y = round_to_place(problem.u[best.chosen], costs, best.y + origin, origin, allowed, problem.constraints)
            text = Text(problem.x[best.chosen], y, float(costs((y - origin)[None])[0]))
        return _without_needless_points(problem, best.chosen, text, points.y_origin, self.allowed)


def _without_needless_points(problem: Problem, chosen: list[int], text: Text, origin: float, allowed: float) -> Text:
    """Points are left out, that which is missed least first, as long as the rest costs no more than ``allowed``.

    So do those on the line of their neighbours, which rounding may put there, and segments that gain less than the
    rounding costs.
    """
    required = set(problem.core.required)
    while len(chosen) > 2:
        trials = []
        for place, knot in enumerate(chosen):
            fewer, y = [*chosen[:place], *chosen[place + 1 :]], np.delete(text.y, place)
            if knot not in required and bool(holds(problem.u[fewer], y[None], problem.constraints)[0]):
                trials.append((float(problem.costs(fewer, (y - origin)[None])[0]), place))
        cost, place = min(trials, default=(math.inf, 0))
        if not cost <= max(allowed, text.cost):
            return text
        chosen = [*chosen[:place], *chosen[place + 1 :]]
        text = Text(np.delete(text.x, place), np.delete(text.y, place), cost, text.y_digits)
    return text


@dataclass(frozen=True)
class _Rounder:
    """Moves knots to rounder numbers.

    Attributes:
        space: where the curves are searched.
        limit: the largest squared error that may come of it.
        deadline: when to stop.

    """

    space: SearchSpace
    limit: float
    deadline: float

    def rounded(self, problem: Problem, best: Best) -> FloatArray:
        """The knots of a curve as good as ``limit`` of as many segments, each as round as that allows."""
        knots = problem.x[best.chosen]
        if self.space.options.knots_on in ("any", "auto", "round"):
            knots = self._of_fewest_digits(problem, best)
        for share in (True, False):  # first every knot has its share of what the limit leaves, then all of the rest
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
        """The candidates at so many digits, of their own and of the range's: 0.0034 of a range of 10 is 0, too."""
        place = place_of(float(problem.x[-1] - problem.x[0])) - digits + 1
        near = [end for value in problem.x.tolist() for end in at_place(value, place)]
        out = self._may_be_knots(np.concatenate([round_significant(problem.x, digits), near]))
        fixed = problem.x[problem.core.required]
        if not self.space.options.learn_ends:
            out = out[(out > fixed[0]) & (out < fixed[-1])]
        return np.unique(np.concatenate([out, fixed]))

    def _may_be_knots(self, x: FloatArray) -> FloatArray:
        """Those of some numbers: inside fx's domain, dividing no bin, and not far beyond the data, where no row is."""
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
        problem = self.space.problem(knots)
        required = set(problem.x[problem.core.required].tolist())
        cost = self._cost(knots)
        for place in range(len(knots)):
            if float(knots[place]) in required or time.monotonic() > self.deadline:
                continue
            limit = cost + (self.limit - cost) / (len(knots) - place) if share else self.limit
            for trial in self._rounder_than(float(knots[place])):
                moved = np.unique(np.concatenate([np.delete(knots, place), [trial]]))
                if len(moved) < len(knots) or int(np.searchsorted(moved, trial)) != place:
                    continue
                if (now := self._cost(moved)) <= limit:
                    knots, cost = moved, now
                    break
        return knots

    def _rounder_than(self, knot: float) -> Iterator[float]:
        """Numbers beside a knot that are rounder, the roundest first."""
        key = self._roundness()
        places = [place_of(abs(knot)), place_of(float(self.space.points.last[-1] - self.space.points.x[0]))]
        near = {end for place in places for more in range(5) for end in at_place(knot, place - more)}
        if self.space.options.knots_on in ("whole", "values"):
            at = int(np.searchsorted(self.space.points.x, knot))
            near |= set(self.space.points.x[max(at - 1, 0) : at + 1].tolist())
        rounder = [x for x in self._may_be_knots(np.array(sorted(near))).tolist() if key(x) < key(knot)]
        return iter(sorted(rounder, key=lambda x: (key(x), abs(x - knot), x)))

    def _roundness(self) -> Callable[[float], tuple[bool, int, int]]:
        """Less is rounder: significant digits, then characters (0 before 0.0003).

        Of whole numbers it counts first whether the data have them, and two digits are as round as one.
        """
        on = self.space.options.knots_on
        if on not in ("whole", "values"):
            return lambda x: (False, digits_of(x), len(repr(x)))
        values = set(self.space.points.x.tolist())
        return lambda x: (x not in values, max(2, digits_of(x)), 0)

    def _cost(self, knots: FloatArray) -> float:
        """The least squared error of a curve on these knots."""
        problem = self.space.problem(knots)
        best = problem.search(len(knots) - 1)[-1]
        return best.cost if best.chosen else math.inf


def digits_of(value: float) -> int:
    """Significant digits of a number as it is printed: 2 of 240 and of 0.25, 1 of 0."""
    return max(1, len(repr(abs(value)).split("e")[0].replace(".", "").strip("0")))
