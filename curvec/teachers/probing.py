"""Any callable of rows that gives raw scores, by asking it.

First a test that it is a sum: exchanging some columns between two rows must leave the sum of the two scores
alone. Then each column of one row is varied: where the score jumps, the cut is found to the last double; where it
bends, it is sampled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvec.data import numbers
from curvec.errors import InputError, UnsupportedError
from curvec.ir import EnumCurve, Feature, Levels, PWLCurve, Term
from curvec.teachers.categories import is_missing, key_type, level_keys
from curvec.teachers.curves import merged_steps
from curvec.teachers.doubles import middle_double
from curvec.teachers.reading import Adapter, Options, Parts
from curvec.teachers.rows import Rows
from curvec.transforms import FloatArray

__all__ = ["ADAPTER", "additivity_gap"]

_TRIALS = 20
_ADDITIVE = 1e-5
"""A sum in float32 misses additivity by a few 1e-6 of its scale; an interaction worth modelling, by far more."""
_MOST_POINTS = 2048
_CLOSE = 1e-6
"""Where a sampled curve stops being refined, relative to the scale of the scores."""


def _read(teacher: Any, options: Options) -> Parts:
    rows = options.rows
    if rows is None:
        raise UnsupportedError("a callable can only be asked: pass X, the rows to ask it about")
    score = _scores(teacher, options)
    names = options.names(rows.names, rows.width, "x")
    scale = float(np.abs(score(rows.native)).max())
    gap = additivity_gap(score, rows)
    if gap > _ADDITIVE * (1 + scale):
        raise UnsupportedError(
            "the callable is not a sum of functions of one column: exchanging columns between two rows changes the sum "
            f"of their scores by {gap:.3g} (scores are up to {scale:.3g}). Pass its raw score, not a probability, "
            "and a model without interactions"
        )
    noise = max(4 * gap, 1e-12 * (1 + scale))
    parts = Parts([], [], float(score(rows.take([0]))[0]), options.link or "identity", score, tolerance=_ADDITIVE)
    for index, name in enumerate(names):
        _add_feature(parts, _Probe(score, rows, index, parts.constant, noise, _CLOSE * (1 + scale)), name)
    parts.notes.append(
        f"read by asking: additive to {gap:.3g}; outside the range of X, and where two jumps cancel between two "
        "neighbouring values of X, the curves may differ from the teacher"
    )
    return parts


def additivity_gap(score: Callable[[Any], FloatArray], rows: Rows) -> float:
    """The most by which exchanging columns between two rows changes the sum of their scores; 0 for a sum.

    Some 20 random exchanges over up to 256 rows each; the random numbers are always the same.
    """
    random = np.random.default_rng(0)
    worst = 0.0
    for _ in range(_TRIALS):
        count = min(rows.count, 256)
        a, b = (random.permutation(rows.count)[:count].tolist() for _ in range(2))
        chosen = random.random(rows.width) < 0.5
        before = score(rows.take(a)) + score(rows.take(b))
        after = score(rows.exchanged(a, b, chosen)) + score(rows.exchanged(a, b, ~chosen))
        worst = max(worst, float(np.abs(before - after).max()))
    return worst


def _scores(teacher: Any, options: Options) -> Callable[[Any], FloatArray]:
    def score(native: Any) -> FloatArray:
        result = np.asarray(teacher(native), dtype=np.float64)
        if result.ndim == 2:
            result = result[:, 0 if result.shape[1] == 1 else options.chosen_class(result.shape[1])]
        if result.ndim != 1 or not np.isfinite(result).all():
            raise InputError(
                f"the callable gave an array of shape {result.shape}, or one that is not finite; a raw "
                "score is one finite number a row"
            )
        return result

    return score


@dataclass(frozen=True)
class _Probe:
    """One column of the first row, to be varied.

    Attributes:
        base: the first row's score.
        noise: differences up to this are rounding.
        close: differences up to this are close enough for a sampled curve.

    """

    score: Callable[[Any], FloatArray]
    rows: Rows
    index: int
    base: float
    noise: float
    close: float

    def at(self, values: list[Any]) -> FloatArray:
        """The change of the score for each value of the column."""
        if not values:
            return np.empty(0)
        return self.score(self.rows.varied(0, self.index, values)) - self.base

    def of_rows(self, rows: list[int]) -> FloatArray:
        """The change of the score for the column's value in each of these rows."""
        chosen = np.arange(self.rows.width) == self.index
        return self.score(self.rows.exchanged([0] * len(rows), rows, chosen)) - self.base


def _add_feature(parts: Parts, probe: _Probe, name: str) -> None:
    column = probe.rows.values(probe.index)
    present = [value for value in column if not is_missing(value)]
    gaps = [row for row, value in enumerate(column) if is_missing(value)]
    missing = float(probe.of_rows(gaps[:1])[0]) if gaps else None
    if not present:
        raise InputError(f"column {name!r} of X has only missing values; leave it out or fill it")
    if probe.rows.is_categorical(probe.index) or isinstance(present[0], (str, bool)):
        levels = list(dict.fromkeys(present))
        keys = level_keys(levels, name)
        values = probe.of_rows([column.index(level) for level in levels]).tolist()
        parts.features.append(Feature(name, key_type(keys)))
        parts.terms.append(EnumCurve(name, Levels(zip(keys, values, strict=True)), missing=missing))
        return
    parts.features.append(Feature(name))
    x = np.unique(numbers(np.array(present, dtype=object), name))
    parts.terms += _numeric(parts, probe, name, x[np.isfinite(x)], missing)


def _numeric(parts: Parts, probe: _Probe, name: str, x: FloatArray, missing: float | None) -> list[Term]:
    # The middles too: a jump up and down again between two values would go unseen.
    x = np.unique(np.r_[x, (x[:-1] + x[1:]) / 2])
    y = probe.at(x.tolist())
    if np.ptp(y) <= probe.noise and (missing is None or abs(missing - y[0]) <= probe.noise):
        parts.constant += float(y[0])
        return []
    steps = _steps(probe, x, y)
    if steps is not None:
        return [merged_steps(name, *steps, missing)]
    x, y, error = _refined(probe, x, y)
    if error > probe.noise:
        parts.exact = False
        parts.notes.append(f"{name}: sampled at {len(x)} points; between them the teacher is up to {error:.3g} away")
    return [PWLCurve(name, list(zip(x.tolist(), y.tolist(), strict=True)), missing=missing)]


def _steps(probe: _Probe, x: FloatArray, y: FloatArray) -> tuple[list[float], list[float]] | None:
    """Cuts and values, where every change of y is a jump; None where y bends in too many places."""
    most = 4 * len(x) + 64
    jumps = np.flatnonzero(np.abs(np.diff(y)) > probe.noise)
    gaps = [(float(x[k]), float(y[k]), float(x[k + 1]), float(y[k + 1])) for k in jumps]
    found: list[tuple[float, float]] = []
    while gaps:
        middles = [middle_double(low, high) for low, _, high, _ in gaps]
        asked = iter(probe.at([middle for middle in middles if middle is not None]).tolist())
        halves: list[tuple[float, float, float, float]] = []
        for (low, y_low, high, y_high), middle in zip(gaps, middles, strict=True):
            if middle is None:
                found.append((high, y_high))
                continue
            value = next(asked)
            if abs(value - y_low) > probe.noise:
                halves.append((low, y_low, middle, value))
            if abs(value - y_high) > probe.noise:
                halves.append((middle, value, high, y_high))
        gaps = halves
        if len(gaps) + len(found) > most:
            return None
    cuts = sorted(found)
    return [cut for cut, _ in cuts], [float(y[0]), *(value for _, value in cuts)]


def _refined(probe: _Probe, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """More points where the curve bends; and how far the line between neighbours is from the teacher at most."""
    while True:
        middle = (x[:-1] + x[1:]) / 2
        value = probe.at(middle.tolist())
        off = np.abs(value - (y[:-1] + y[1:]) / 2)
        wanted = off > probe.close
        if not wanted.any() or len(x) + int(wanted.sum()) > _MOST_POINTS:
            return x, y, float(off.max(initial=0.0))
        order = np.argsort(np.r_[x, middle[wanted]])
        x, y = np.r_[x, middle[wanted]][order], np.r_[y, value[wanted]][order]


ADAPTER = Adapter("callable", callable, _read)
