"""Curves with the same y at both ends, by a search without proof, with the bound of the search without that constraint.

That y would be a second variable of all functions of the exact search. If it is fixed, the search is exact. So the best
knots for a given y, and the best y for these knots, a convex problem of one variable, are found in turn.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from curvec._core import Problem as Core
from curvec.fit.constraints import Constraints
from curvec.fit.search import Found, seconds_left
from curvec.transforms import FloatArray

_TURNS = 20
"""The most times that the knots for a y and the y for these knots are searched in turn; they settle in a few."""
_WORTH = 1e-9
"""A turn that gains less than this share is the last."""
_TRIED = 9
"""How many y over a range are tried: enough to bracket the minimum, which the search then narrows down."""
_BEGUN = 3
"""How many of them the search begins from, as knots found for one y may be the best for no other."""
_WIDER = 8
"""How often the range of y is tripled, until its best y is inside: 3**8 is 6,561 times the free curve's own range."""
_CLOSE = 1e-6
"""Relative error of y at which its search stops; the cost is then off by about the square of that."""
_FOREVER = 1e8
"""Seconds: no limit for a search of few candidates."""
_NOTHING: Found = ([], np.empty(0), math.inf, 0.0, False)


def periodic_search(
    constraints: Constraints, core: Core, most: int, fewest: int, starts: Sequence[Sequence[int]], seconds: float
) -> list[Found]:
    """The best curves found for every number of segments from ``fewest`` to ``most``.

    Args:
        constraints: what they obey.
        core: candidates and data.
        most: the largest number of segments.
        fewest: the smallest.
        starts: indices of knots to begin from; without any, from the curves that need not be periodic.
        seconds: the time budget.

    """
    deadline = time.monotonic() + seconds
    free = core.search(most, fewest, [], math.inf, max(seconds, 1e-3), joint=False)
    out: list[Found] = []
    for count, (knots, y, _, lower, optimal) in enumerate(free, start=fewest):
        best = out[-1] if out else _NOTHING
        knots_to_try = [list(s) for s in starts if 1 < len(s) <= count + 1]
        if len(core.x) <= count + 1:  # no curve is better than one with all knots
            knots_to_try = [list(range(len(core.x)))]
        if not knots_to_try and constraints.turn is not None and knots:  # its search takes long
            knots_to_try = [knots]
        levels = [_best_level(core, one, constraints) for one in knots_to_try] or _levels_to_try(
            core, y, best, constraints, deadline
        )
        for level in levels:
            if level is not None:
                best = min(best, _search_from(level, core, count, constraints, deadline), key=lambda found: found[2])
        proven = bool(knots) and optimal and best[2] <= lower * (1 + _WORTH)
        out.append((*best[:3], min(lower, best[2]), proven))
    return out


def _levels_to_try(core: Core, y: FloatArray, fewer: Found, constraints: Constraints, deadline: float) -> list[float]:
    """Values of y at the ends to begin from: the best few of some over the range of y; and that of fewer segments.

    Args:
        core: candidates and data.
        y: of the curve that need not be periodic.
        fewer: the best curve of one segment less.
        constraints: with the points that are given, whose y may be the ends'.
        deadline: when to stop.

    """
    if not len(y):
        return []
    given = (constraints.through[:, 1] - constraints.origin).tolist()
    tried = [*given, float(y[0]), float(y[-1]), *np.linspace(float(y.min()), float(y.max()), _TRIED).tolist()]
    count, costs = len(y) - 1, {}
    for level in tried:
        held = core.with_ends(level)
        costs[level] = held.search(count, count, [], math.inf, seconds_left(deadline), joint=False)[-1][2]
    best = sorted(costs, key=lambda level: costs[level])[:_BEGUN]
    return [*([float(fewer[1][0])] if fewer[0] else []), *best]


def _search_from(level: float, core: Core, count: int, constraints: Constraints, deadline: float) -> Found:
    """The best knots for a y at the ends, the best y for these, and so on."""
    best = _NOTHING
    starts: list[list[int]] = []
    for _ in range(_TURNS):
        held = core.with_ends(level)
        found = held.search(count, count, starts, math.inf, seconds_left(deadline), joint=True)[-1]
        if not (found[0] and found[2] < best[2] * (1 - _WORTH)):
            break
        best, starts = found, [found[0]]
        better = _best_level(core, found[0], constraints)
        if better is None or time.monotonic() > deadline:
            break
        level = better
    return best


def _best_level(core: Core, chosen: Sequence[int], constraints: Constraints) -> float | None:
    """The best y at the ends of a curve on these knots; None where none was found."""
    some, count = core.on(chosen), len(chosen) - 1
    y = some.search(count, count, [], math.inf, _FOREVER, joint=False)[-1][1]
    if not len(y):
        return None

    @functools.cache
    def cost(level: float) -> float:
        return some.with_ends(level).search(count, count, [], math.inf, _FOREVER, joint=False)[-1][2]

    given = (constraints.through[:, 1] - constraints.origin).tolist()
    lowest, highest = float(np.min(constraints.y_bounds[0])), float(np.max(constraints.y_bounds[1]))
    low, high = float(y.min()), float(y.max())
    for _ in range(_WIDER):
        reach = (high - low) or abs(high) or 1.0
        low, high = max(low - reach, lowest), min(high + reach, highest)
        tried = sorted([*np.linspace(low, high, _TRIED).tolist(), *given])
        best = min(tried, key=cost)
        if low < best < high or best in (lowest, highest):
            break
    if cost(best) == math.inf:
        return None
    step = (high - low) / (_TRIED - 1)
    return _least_point(cost, max(best - step, lowest), best, min(best + step, highest))


def _least_point(cost: Callable[[float], float], low: float, best: float, high: float) -> float:
    """Where a convex function is least, by one that no end is less than: parabolas (Brent 1973), or it stays."""
    from scipy.optimize import minimize_scalar

    if not (low < best < high and max(cost(low), cost(high)) < math.inf):
        return best
    if cost(best) < min(cost(low), cost(high)):
        found = minimize_scalar(cost, bracket=(low, best, high), method="brent", options={"xtol": _CLOSE})
    else:  # the least is between two that are alike, which brent takes for no bracket
        within = _CLOSE * (high - low)
        found = minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": within})
    return float(found.x) if found.fun <= cost(best) else best
