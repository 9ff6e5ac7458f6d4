"""Convex and concave curves: a good one by local search, with the bound of the search without the constraint.

Which slopes a segment may have depends on its neighbours' slopes, which would give the exact search's functions a
second variable. So knots are moved one at a time, and each set of knots is solved exactly.
"""

from __future__ import annotations

import math
import time
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from scipy.optimize import nnls

from curvec.fit.shape import Shape, settled
from curvec.transforms import FloatArray

__all__ = ["Knots", "best_knots", "solve"]


class Knots(NamedTuple):
    """The data on candidates that are all knots.

    Attributes:
        u: (k,) the knots.
        gaps: (k + 1, 6) the moments left of, between and right of them.

    """

    u: FloatArray
    gaps: FloatArray


class _Data(Protocol):
    @property
    def u(self) -> FloatArray:
        """(k,) the candidates."""

    def on(self, chosen: list[int]) -> Knots:
        """The same data with fewer knots."""


def best_knots(
    problem: _Data, starts: list[list[int]], required: set[int], shape: Shape, deadline: float
) -> tuple[list[int], FloatArray, float]:
    """Indices of knots, y there and the squared error, from the best of the starts by moving single knots.

    Returns an infinite error if no start allows a curve.
    """
    best: tuple[list[int], FloatArray, float] = ([], np.empty(0), math.inf)
    for start in starts:
        y, cost = solve(problem.on(start), shape)
        if cost < best[2]:
            best = (start, y, cost)
    improved = bool(best[0])
    while improved and time.monotonic() < deadline:
        improved = False
        for trial in _moves(best[0], len(problem.u), required):
            y, cost = solve(problem.on(trial), shape)
            if cost < best[2] * (1 - 1e-9):
                best, improved = (trial, y, cost), True
                break
    return best


def _moves(knots: list[int], count: int, required: set[int]) -> list[list[int]]:
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


def solve(knots: Knots, shape: Shape) -> tuple[FloatArray, float]:
    """Best y on given knots under slope bounds, y bounds and curvature: least squares with inequalities.

    Lawson and Hanson (1974, chapter 23): with the data's triangle R the problem is that of the least distance from
    a polyhedron, which non-negative least squares solves.
    """
    (a, b, rest), (g, h) = _squares(knots), _constraints(knots.u, shape)
    size = float(np.abs(knots.gaps[:, 2]).max()) or 1.0
    for trace in _TRACES:
        y = _regularised(a, b / size, g, h / size, trace)
        if y is None:
            continue
        y = settled(knots.u, y * size, shape, shape.y_bounds)
        y = settled(knots.u, _hull(knots.u, y, shape), shape, shape.y_bounds)
        if _obeyed(g, h / size, y / size):
            return y, float(np.sum((a @ y - b) ** 2)) + rest
    return np.empty(0), math.inf


_TRACES = (1e-9, 1e-7, 1e-5)
"""Shares of the largest coefficient. The least is nearest to the true problem, but may be too near to a singular one:
the solution is then no solution."""


def _obeyed(g: FloatArray, h: FloatArray, y: FloatArray) -> bool:
    """Whether g y >= h, but for rounding, of y of about 1 on the way."""
    slack = 1e-9 * (np.abs(g) @ np.abs(y) + np.abs(h)) + 1e-14 * np.abs(g).sum(axis=1)
    return bool(np.all(g @ y >= h - slack))


def _hull(u: FloatArray, y: FloatArray, shape: Shape) -> FloatArray:
    """The convex curve next below y, or the concave one next above: what rounding bent the wrong way is straight."""
    sign = 1.0 if shape.curvature == "convex" else -1.0
    kept: list[int] = []
    for k in range(len(u)):
        while len(kept) > 1 and sign * _bend(u, y, kept[-2], kept[-1], k) <= 0:
            kept.pop()
        kept.append(k)
    return np.interp(u, u[kept], y[kept])


def _bend(u: FloatArray, y: FloatArray, i: int, j: int, k: int) -> float:
    """By how much the slope grows at the second of three knots."""
    return float((y[k] - y[j]) / (u[k] - u[j]) - (y[j] - y[i]) / (u[j] - u[i]))


def _regularised(a: FloatArray, b: FloatArray, g: FloatArray, h: FloatArray, trace: float) -> FloatArray | None:
    """The y of least |a y - b|^2 with g y >= h, if one is found; where the data leave y free, towards their mean, 0."""
    a = np.vstack([a, trace * max(float(np.abs(a).max()), 1e-300) * np.eye(a.shape[1])])
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
    size = float(h.max(initial=0.0))
    if not size > 0:
        return np.zeros(g.shape[1])
    e = np.vstack([g.T, h[None] / size])  # the solver and the test below know absolute tolerances only
    f = np.zeros(len(e))
    f[-1] = 1.0
    try:
        weights, norm = nnls(e, f, maxiter=100 * len(h))
    except RuntimeError:
        return None  # it did not converge: solved again with a larger trace
    if norm < 1e-12:
        return None
    return np.asarray((e @ weights - f)[:-1] * (size / norm**2))


def _squares(knots: Knots) -> tuple[FloatArray, FloatArray, float]:
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


def _constraints(u: FloatArray, shape: Shape) -> tuple[FloatArray, FloatArray]:
    """Everything asked as g y >= h."""
    count = len(u)
    slopes = np.diff(np.eye(count), axis=0) / np.diff(u)[:, None]
    rows: list[FloatArray] = []
    bounds: list[float] = []
    for matrix, (low, high) in ((slopes, shape.slopes), (np.eye(count), shape.y_bounds)):
        for sign, end in ((1.0, low), (-1.0, -high)):
            if math.isfinite(end):
                rows += list(sign * matrix)
                bounds += [end] * len(matrix)
    bend = 1.0 if shape.curvature == "convex" else -1.0
    rows += [bend * (right - left) for left, right in pairwise(slopes)]
    bounds += [0.0] * (len(rows) - len(bounds))
    return np.array(rows).reshape(-1, count), np.array(bounds)
