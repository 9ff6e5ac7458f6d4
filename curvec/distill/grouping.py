"""Levels of a table grouped by their values: the optimal partition of numbers on a line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from curvec.transforms import FloatArray


def groups_of(values: FloatArray, w: FloatArray, most: int) -> list[npt.NDArray[np.intp]]:
    """For 1, 2, ..., ``most`` groups the partition with the least weighted squared error about the groups' means.

    Such groups are runs of the sorted values, so dynamic programming finds them exactly (Fisher 1958, "On grouping for
    maximum homogeneity"): O(n^2 * most) time.

    Args:
        values: (n,) distinct values, ascending.
        w: (n,) weights >= 0.
        most: the largest number of groups, at most n.

    Returns:
        for every number of groups (n,) the group of each value, from 0.

    """
    count = len(values)
    centred = values - np.average(values, weights=w if w.any() else None)
    total_w, total_wy, total_wyy = (np.concatenate([[0.0], np.cumsum(w * centred**power)]) for power in range(3))

    def runs_to(end: int) -> FloatArray:
        """(end,) the squared errors of the runs of values from 0, 1, ..., end - 1 up to before ``end``."""
        weight, first, second = (total[end] - total[:end] for total in (total_w, total_wy, total_wyy))
        means = np.divide(first, weight, out=np.zeros(end), where=weight > 0)
        result: FloatArray = np.maximum(second - first * means, 0.0)
        return result

    runs = [np.empty(0), *map(runs_to, range(1, count + 1))] if count <= _KEPT else None
    best = np.array([0.0, *(float(runs_to(end)[0]) for end in range(1, count + 1))])
    begins: list[Sequence[int]] = [np.zeros(count + 1, dtype=np.intp).tolist()]
    found = [np.zeros(count, dtype=np.intp)]
    for groups in range(2, most + 1):
        now, begin = np.full(count + 1, np.inf), [0] * (count + 1)
        for end in range(groups, count + 1):
            run = runs_to(end) if runs is None else runs[end]
            totals = best[groups - 1 : end] + run[groups - 1 :]
            at = int(np.argmin(totals))
            now[end], begin[end] = totals[at], at + groups - 1
        best = now
        begins.append(begin)
        found.append(_groups(begins, count))
    return found


_KEPT = 2000
"""The most values for which the errors of all runs are stored; for more, they are recomputed for each number of
groups."""


def _groups(begins: Sequence[Sequence[int]], count: int) -> npt.NDArray[np.intp]:
    result, end = np.zeros(count, dtype=np.intp), count
    for group in range(len(begins) - 1, 0, -1):
        begin = begins[group][end]
        result[begin:end] = group
        end = begin
    return result
