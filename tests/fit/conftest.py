"""The oracle of the fit's tests: brute force over all knot sets and over all sets of constraints that can be active."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import lsq_linear

INF = np.inf


def hats(u, knots):
    """(n, k) the weight of each knot's y in the curve at u, by the contract: constant outside."""
    return np.column_stack([np.interp(u, knots, row) for row in np.eye(len(knots))])


def constrained(a, b, rises, y_bounds):
    """Least |a v - b|^2 with bounds on v and on its differences: the best of the solutions with some bounds active.

    A minimum of a convex problem is the minimum with its active constraints made equations, so trying every set of
    them, and keeping what is feasible, finds it; numpy's lstsq solves each.
    """
    count = a.shape[1]
    rows, low, high = [], [], []
    for k, (lo, hi) in enumerate(rises):
        rows.append(np.eye(count)[k + 1] - np.eye(count)[k])
        low.append(lo)
        high.append(hi)
    for k in range(count):
        rows.append(np.eye(count)[k])
        low.append(y_bounds[0])
        high.append(y_bounds[1])
    rows, low, high = np.array(rows), np.array(low), np.array(high)
    choices = [[None, *{end for end in pair if np.isfinite(end)}] for pair in zip(low, high, strict=True)]
    best = INF
    for active in itertools.product(*choices):
        held = [k for k, value in enumerate(active) if value is not None]
        if len(held) > count:
            continue
        base, free = np.zeros(count), np.eye(count)
        if held:
            c, d = rows[held], np.array([active[k] for k in held])
            base = np.linalg.lstsq(c, d, rcond=None)[0]
            if np.abs(c @ base - d).max() > 1e-9:
                continue
            _, size, vt = np.linalg.svd(c)
            free = vt[(size > 1e-12).sum() :].T
        v = base
        if free.size:
            v = base + free @ np.linalg.lstsq(a @ free, b - a @ base, rcond=None)[0]
        value = rows @ v
        if np.all(value >= low - 1e-9) and np.all(value <= high + 1e-9):
            best = min(best, float(np.sum((a @ v - b) ** 2)))
    return best


def signs(turn, count):
    """The directions (+1, -1, 0 for any) that each of the segments may have."""
    if turn is None:
        return [(0,) * count]
    out = []
    for first in {"peak": (1,), "valley": (-1,), "bitonic": (1, -1)}[turn]:
        out += [(first,) * m + (-first,) * (count - m) for m in range(count + 1)]
    return out


def brute_force(u, y, w, candidates, segments, slopes=(-INF, INF), y_bounds=(-INF, INF), turn=None, required=()):
    """Least squared error over all curves with at most that many segments."""
    root = np.sqrt(w)
    best = INF
    for count in range(1, min(segments, len(candidates) - 1) + 1):
        for knots in itertools.combinations(candidates, count + 1):
            if not set(required) <= set(knots):
                continue
            a, widths = hats(u, knots) * root[:, None], np.diff(knots)
            for directions in signs(turn, count):
                rises = [
                    (max(slopes[0] * h, 0 if d > 0 else -INF), min(slopes[1] * h, 0 if d < 0 else INF))
                    for h, d in zip(widths, directions, strict=True)
                ]
                if all(low <= high for low, high in rises):
                    best = min(best, constrained(a, y * root, rises, y_bounds))
    return best


def bounded_least_squares(u, y, w, knots, slopes):
    """Least squared error on given knots by scipy's bounded least squares, in terms of the first y and the rises."""
    root = np.sqrt(w)
    steps = (hats(u, knots) * root[:, None]) @ np.tril(np.ones((len(knots), len(knots))))
    widths = np.diff(knots)
    bounds = np.concatenate([[-INF], slopes[0] * widths]), np.concatenate([[INF], slopes[1] * widths])
    found = lsq_linear(steps, y * root, bounds, method="bvls", tol=1e-14)
    return float(np.sum((steps @ found.x - y * root) ** 2))


@pytest.fixture(name="brute_force", scope="session")
def brute_force_fixture():
    return brute_force


@pytest.fixture(name="bounded_least_squares", scope="session")
def bounded_least_squares_fixture():
    return bounded_least_squares
