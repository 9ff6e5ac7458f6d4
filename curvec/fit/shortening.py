"""The text of a curve: as found, or as short as a margin for the loss allows.

For the smallest numbers of segments that the margin allows, knots are moved to rounder numbers, with half of the rest
of the margin; y is rounded to the coarsest decimal place, with all of it; then points that matter little are left out.
The shortest of these texts is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np

from curvec.condense import Points
from curvec.fit.constraints import projected
from curvec.fit.options import Options
from curvec.fit.round_knots import KnotRounder
from curvec.fit.rounding import obeys, round_to_place, round_y
from curvec.fit.search import Best, Problem
from curvec.fit.search_space import SearchSpace
from curvec.transforms import FloatArray

MOST_TEXTS = 3
"""Numbers of segments whose texts are compared: with the fewest that the margin allows, y may need more digits."""


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
    chosen, origin = best.chosen, points.y_origin
    constraints = problem.constraints.at_knots(problem.x[chosen])
    u, y, digits = problem.u[chosen], np.clip(best.y + origin, *constraints.y_limits), None
    if options.significant is not None:
        y, digits = round_y(u, partial(problem.costs, chosen), y, origin, options.significant, constraints)
    elif any(math.isfinite(slope) and slope for slope in constraints.slopes):
        y = projected(u, y, constraints, constraints.y_limits)  # adding y_origin back may have rounded past a bound
    return Text(problem.x[chosen], y, float(problem.costs(chosen, (y - origin)[None])[0]), digits)


def characters(text: Text) -> int:
    """How many characters all the numbers have, as they are printed."""
    return sum(len(repr(value).removesuffix(".0")) for value in [*text.x.tolist(), *text.y.tolist()])


class Shortening(msgspec.Struct, frozen=True):
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
        if options.rounds_x:
            half = best.cost + (self.allowed - best.cost) / 2
            knots = KnotRounder(self.space, half, self.deadline).rounded(problem, best)
            problem = self.space.problem(knots)
            best = problem.search(len(knots) - 1, [list(range(len(knots)))], fewest=len(knots) - 1)[-1]
        if options.digits != "auto":
            text = as_found(problem, best, points, options)
        else:
            costs, origin = partial(problem.costs, best.chosen), points.y_origin
            allowed = math.inf if options.keeps_place else max(self.allowed, best.cost)
            constraints = problem.constraints.at_knots(problem.x[best.chosen])
            u, exact = problem.u[best.chosen], np.clip(best.y + origin, *constraints.y_limits)
            y = round_to_place(u, costs, exact, origin, allowed, constraints, options.y_place)
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
            constraints = problem.constraints.at_knots(problem.x[fewer])
            if knot not in required and bool(obeys(problem.u[fewer], y[None], constraints)[0]):
                trials.append((float(problem.costs(fewer, (y - origin)[None])[0]), place))
        cost, place = min(trials, default=(math.inf, 0))
        if not cost <= max(allowed, text.cost):
            return text
        chosen = [*chosen[:place], *chosen[place + 1 :]]
        text = Text(np.delete(text.x, place), np.delete(text.y, place), cost, text.y_digits)
    return text
