"""Convex and concave curves: a good one by local search, with the bound of the search without the constraint.

The slopes that a segment may have depend on those of its neighbours, which would give the functions of the exact search
a second variable. So the knots are moved one at a time, and for each set of knots the best y is found exactly.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from curvec._core import Problem as Core
from curvec.fit.constraints import Constraints, projected
from curvec.fit.search import Found
from curvec.transforms import FloatArray


def curved_search(
    constraints: Constraints,
    floor: float,
    core: Core,
    most: int,
    fewest: int,
    starts: Sequence[Sequence[int]],
    seconds: float,
) -> list[Found]:
    """Convex or concave: local search from the knots of the curves without that constraint, and their bound.

    Args:
        constraints: with a curvature.
        floor: a curve that costs no more than this is perfect.
        core: candidates and data.
        most: the largest number of segments.
        fewest: the smallest; those below are searched too, as each number begins from the one before.
        starts: indices of knots to begin from.
        seconds: the time budget.

    """
    deadline = time.monotonic() + seconds
    required = set(core.required)
    out: list[Found] = []
    free = core.search(most, 1, [], math.inf, max(seconds, 1e-3), joint=False)
    for count, (knots, _, _, lower, optimal) in enumerate(free, start=2):
        tries = [list(s) for s in (*starts, knots) if 1 < len(s) <= count]
        if out and out[-1][0]:
            tries += _with_one_knot_more(out[-1][0], count, len(core.u))
        chosen, y, cost = _best_knots(core, tries, required, constraints, deadline)
        if out and out[-1][2] <= cost:
            chosen, y, cost = out[-1][:3]
        proven = optimal and cost <= lower * (1 + 1e-9)
        out.append((chosen, y, cost, min(lower, cost), proven))
    perfect = [found[0] and found[2] <= floor for found in out]
    return [
        _drop_redundant_knots(core, found, required) if lean else found
        for found, lean in zip(out[fewest - 1 :], perfect[fewest - 1 :], strict=True)
    ]


def _drop_redundant_knots(core: Core, found: Found, required: Collection[int]) -> Found:
    """A perfect curve with only the knots that it needs: data on two lines need three knots, however many are allowed.

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


def _with_one_knot_more(chosen: list[int], count: int, candidates: int) -> list[list[int]]:
    """The knots with one more in the middle of each gap, if there is room."""
    if len(chosen) >= count:
        return []
    ends = [-1, *chosen, candidates]
    gaps = [(a, b) for a, b in pairwise(ends) if b - a > 1]
    return [sorted([*chosen, (a + b) // 2]) for a, b in gaps]


class Knots(NamedTuple):
    """The data on candidates that are all knots.

    Attributes:
        u: (k,) the knots.
        gaps: (k + 1, 6) the moments left of, between and right of them.
        x: (k,) the knots in the units of x.

    """

    u: FloatArray
    gaps: FloatArray
    x: FloatArray


def _knots_at(core: Core, chosen: Sequence[int]) -> Knots:
    at = np.asarray(chosen)
    return Knots(core.u[at], core.gaps(chosen), core.x[at])


def _best_knots(
    core: Core, starts: list[list[int]], required: set[int], constraints: Constraints, deadline: float
) -> tuple[list[int], FloatArray, float]:
    """Indices of knots, y there and the squared error, from the best of the starts by moving single knots.

    Returns an infinite error if no start allows a curve.
    """
    best: tuple[list[int], FloatArray, float] = ([], np.empty(0), math.inf)
    for start in starts:
        y, cost = _best_y(_knots_at(core, start), constraints)
        if cost < best[2]:
            best = (start, y, cost)
    improved = bool(best[0])
    while improved and time.monotonic() < deadline:
        improved = False
        for trial in _moved_knots(best[0], len(core.u), required):
            y, cost = _best_y(_knots_at(core, trial), constraints)
            if cost < best[2] * (1 - 1e-9):
                best, improved = (trial, y, cost), True
                break
    return best


def _moved_knots(knots: list[int], count: int, required: set[int]) -> list[list[int]]:
    """Every knot moved by 1, 2, 4, ... candidates either way, as far as its neighbours."""
    out = []
    for k, knot in enumerate(knots):
        if knot in required:
            continue
        low = knots[k - 1] + 1 if k else 0
        high = knots[k + 1] - 1 if k + 1 < len(knots) else count - 1
        step = 1
        while knot - step >= low or knot + step <= high:
            out += [[*knots[:k], to, *knots[k + 1 :]] for to in (knot - step, knot + step) if low <= to <= high]
            step *= 2
    return out


def _best_y(knots: Knots, constraints: Constraints) -> tuple[FloatArray, float]:
    """Best y on given knots under slope bounds, y bounds and curvature: least squares with inequalities.

    Lawson and Hanson (1974, chapter 23): with the data's triangle R the problem is that of the least distance from
    a polyhedron, which non-negative least squares solves.
    """
    constraints = constraints.at_knots(knots.x)
    (a, b, rest), (g, h) = _as_squares(knots), _as_inequalities(knots.u, constraints)
    size = float(np.abs(knots.gaps[:, 2]).max()) or 1.0
    for ridge in _RIDGES:
        y = _regularised(a, b / size, g, h / size, ridge)
        if y is None:
            continue
        y = projected(knots.u, y * size, constraints, constraints.y_bounds)
        y = projected(knots.u, _hull(knots.u, y, constraints), constraints, constraints.y_bounds)
        if _obeys(g, h / size, y / size):
            return y, float(np.sum((a @ y - b) ** 2)) + rest
    return np.empty(0), math.inf


_RIDGES = (1e-9, 1e-7, 1e-5)
"""Ridges, as shares of the largest coefficient, tried from the smallest on while the system is singular: two knots
without a row between them leave one y free. The smallest moves the solution least."""


def _obeys(g: FloatArray, h: FloatArray, y: FloatArray) -> bool:
    """Whether g y >= h but for rounding: of the sums, and of the y, which were of size 1 when they were computed."""
    slack = 1e-9 * (np.abs(g) @ np.abs(y) + np.abs(h)) + 1e-14 * np.abs(g).sum(axis=1)
    return bool(np.all(g @ y >= h - slack))


def _hull(u: FloatArray, y: FloatArray, constraints: Constraints) -> FloatArray:
    """The largest convex curve below y, or the least concave one above: knots bent by rounding alone are straight."""
    sign = 1.0 if constraints.curvature == "convex" else -1.0
    kept: list[int] = []
    for k in range(len(u)):
        while len(kept) > 1 and sign * _slope_increase(u, y, kept[-2], kept[-1], k) <= 0:
            kept.pop()
        kept.append(k)
    return np.interp(u, u[kept], y[kept])


def _slope_increase(u: FloatArray, y: FloatArray, i: int, j: int, k: int) -> float:
    """The increase of the slope at the second of three knots."""
    return float((y[k] - y[j]) / (u[k] - u[j]) - (y[j] - y[i]) / (u[j] - u[i]))


def _regularised(a: FloatArray, b: FloatArray, g: FloatArray, h: FloatArray, ridge: float) -> FloatArray | None:
    """The y of least |a y - b|^2 with g y >= h, if one is found; where the data leave y free, towards their mean, 0."""
    a = np.vstack([a, ridge * max(float(np.abs(a).max()), 1e-300) * np.eye(a.shape[1])])
    b = np.concatenate([b, np.zeros(a.shape[1])])
    q, r = np.linalg.qr(a)
    target = q.T @ b
    inverse = np.linalg.inv(r)
    g_z = g @ inverse
    scale = np.maximum(np.linalg.norm(g_z, axis=1), 1e-300)
    point = _least_distance(g_z / scale[:, None], (h - g_z @ target) / scale)
    return None if point is None else np.asarray(inverse @ (point + target))


def _least_distance(g: FloatArray, h: FloatArray) -> FloatArray | None:
    """Shortest z with g z >= h; None if there is none, or none was found."""
    from scipy.optimize import nnls

    size = float(h.max(initial=0.0))
    if not size > 0:
        return np.zeros(g.shape[1])
    e = np.vstack([g.T, h[None] / size])  # the solver and the test below know absolute tolerances only
    f = np.zeros(len(e))
    f[-1] = 1.0
    try:
        weights, norm = nnls(e, f, maxiter=100 * len(h))
    except RuntimeError:
        return None  # it did not converge: solved again with a larger ridge
    if norm < 1e-12:
        return None
    return np.asarray((e @ weights - f)[:-1] * (size / norm**2))


def _as_squares(knots: Knots) -> tuple[FloatArray, FloatArray, float]:
    """The squared error as |a y - b|^2 + rest: two squares a segment, one for each part outside."""
    u, gaps = knots.u, knots.gaps
    count = len(u)
    rows, targets, rest = [], [], float(gaps[:, 5].sum())
    for k, (w, mean_u, mean_y, suu, slope, _) in enumerate(gaps.tolist()):
        row = np.zeros(count)
        if k in (0, count):
            row[min(k, count - 1)] = math.sqrt(w)
            rest += slope * slope * suu
        else:
            width = u[k] - u[k - 1]
            share = mean_u / width
            row[k - 1 : k + 1] = math.sqrt(w) * (1 - share), math.sqrt(w) * share
            tilt = np.zeros(count)
            tilt[k - 1 : k + 1] = -math.sqrt(suu) / width, math.sqrt(suu) / width
            rows.append(tilt)
            targets.append(slope * math.sqrt(suu))
        rows.append(row)
        targets.append(math.sqrt(w) * mean_y)
    return np.array(rows), np.array(targets), rest


def _as_inequalities(u: FloatArray, constraints: Constraints) -> tuple[FloatArray, FloatArray]:
    """Everything asked as g y >= h."""
    count = len(u)
    slopes = np.diff(np.eye(count), axis=0) / np.diff(u)[:, None]
    rows: list[FloatArray] = []
    bounds: list[float] = []
    for matrix, (low, high) in ((slopes, constraints.slopes), (np.eye(count), constraints.y_bounds)):
        for sign, end in ((1.0, low), (-1.0, -np.asarray(high))):
            limits = np.broadcast_to(end, len(matrix))
            rows += list(sign * matrix[np.isfinite(limits)])
            bounds += limits[np.isfinite(limits)].tolist()
    if constraints.periodic:
        rows += [sign * (np.eye(count)[0] - np.eye(count)[-1]) for sign in (1.0, -1.0)]
        bounds += [0.0, 0.0]
    bend = 1.0 if constraints.curvature == "convex" else -1.0
    rows += [bend * (right - left) for left, right in pairwise(slopes)]
    bounds += [0.0] * (len(rows) - len(bounds))
    return np.array(rows).reshape(-1, count), np.array(bounds)
