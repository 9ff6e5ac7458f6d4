"""A function of one variable as a curve, from its values: jumps to the last double, bends by sampling."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping
from typing import TypeAlias

import msgspec
import numpy as np

from curvec.doubles import middle_double
from curvec.ir import PWLCurve, Sum, Term
from curvec.teachers.parts.curves import merged_steps
from curvec.transforms import FloatArray

_MOST_POINTS = 2048
CLOSE = 1e-6
"""Where a sampled curve stops being refined, relative to the scale of the values."""


class SampledCurve(msgspec.Struct, frozen=True):
    """A curve, and how well it is known.

    Attributes:
        term: the curve; None for a constant function.
        constant: its value then, else 0.
        points: at how many x a bent function was sampled.
        error: how far a bent function is from straight lines between them at most; 0 for steps and straight pieces.

    """

    term: Term | None
    constant: float = 0.0
    points: int = 0
    error: float = 0.0

    def note(self, name: str) -> str:
        """What a user should know of a sampled curve."""
        return f"{name}: sampled at {self.points} points; between them the teacher is up to {self.error:.3g} away"


Questions: TypeAlias = Generator[FloatArray, FloatArray, SampledCurve]
"""Yields (n,) finite x, n >= 1; is sent the (n,) values there; returns the curve."""


def curves_of(
    ask: Callable[[dict[int, FloatArray]], Mapping[int, FloatArray]], open_questions: Mapping[int, Questions]
) -> dict[int, SampledCurve]:
    """The answers to the questions about several functions, all asked in one call, as calls cost more than rows."""
    answers: dict[int, SampledCurve] = {}
    asked = {index: next(questions) for index, questions in open_questions.items()}
    while asked:
        values, asked = ask(asked), {}
        for index, found in values.items():
            try:
                asked[index] = open_questions[index].send(found)
            except StopIteration as done:  # noqa: PERF203  the end of one function's questions
                answers[index] = done.value
    return answers


def questions_about(x: FloatArray, what: str | Sum, missing: float | None, *, noise: float, close: float) -> Questions:
    """Find the curve of a function between the least and the greatest x: yields x, is sent y, returns the curve.

    It is a generator, so that the questions about many functions can be put to a teacher in one call.

    Args:
        x: (n,) n >= 1 sorted, different, finite x that matter.
        what: the curve's input: a feature's name, or a Sum.
        missing: the value for a missing input, which is not asked for.
        noise: differences of y up to this are rounding.
        close: differences up to this are close enough where the function bends.

    """
    if len(x) > _MOST_POINTS:
        x = x[np.unique(np.linspace(0, len(x) - 1, _MOST_POINTS).astype(np.intp))]
    # The middles too: a jump up and down again between two values would go unseen.
    x = np.unique(np.r_[x, (x[:-1] + x[1:]) / 2])
    y = yield x
    if np.ptp(y) <= noise and (missing is None or abs(missing - y[0]) <= noise):
        return SampledCurve(None, float(y[0]))
    steps = yield from _steps(x, y, noise)
    if steps is not None:
        return SampledCurve(merged_steps(what, *steps, missing))
    x, y, codes = yield from _without_codes(x, y, close)
    x, y, error = yield from _refined(x, y, close)
    kept = _straightened(x.tolist(), y.tolist(), noise)
    points = list(zip(x[kept].tolist(), y[kept].tolist(), strict=True))
    curve = PWLCurve(what, points, missing=missing, special=codes)
    return SampledCurve(curve, points=len(x) + len(codes), error=error if error > noise else 0.0)


def _without_codes(
    x: FloatArray, y: FloatArray, close: float
) -> Generator[FloatArray, FloatArray, tuple[FloatArray, FloatArray, dict[float, float]]]:
    """The points without special codes, and these with their values.

    A code is an x at which the function is something else than at the doubles on either side, such as a number that
    stands for a missing value. Of the first and the last x one side counts: beyond them nothing is asked.
    """
    if len(x) < 2:
        return x, y, {}
    beside = yield np.r_[np.nextafter(x[:-1], math.inf), np.nextafter(x[1:], -math.inf)]
    right, left = np.r_[beside[: len(x) - 1], beside[-1]], np.r_[beside[0], beside[len(x) - 1 :]]
    apart = np.minimum(np.abs(y - left), np.abs(y - right)) > close
    codes = apart & (np.abs(left - right) <= close)
    if codes.all():  # no point would be left
        return x, y, {}
    kept = np.where(codes, right, y)
    return x, kept, dict(zip(x[codes].tolist(), y[codes].tolist(), strict=True))


def _straightened(x: list[float], y: list[float], slack: float) -> list[int]:
    """Which points are needed so that straight lines between them pass all the others within the slack.

    From each point kept the lines that pass those after it are a wedge; the next kept is the last that lies in it.
    """
    kept, low, high = [0], -math.inf, math.inf
    for k in range(1, len(x)):
        run = x[k] - x[kept[-1]]
        if not low <= (y[k] - y[kept[-1]]) / run <= high:
            kept.append(k - 1)
            low, high, run = -math.inf, math.inf, x[k] - x[k - 1]
        rise = y[k] - y[kept[-1]]
        low, high = max(low, (rise - slack) / run), min(high, (rise + slack) / run)
    return [*kept, len(x) - 1]


def _steps(
    x: FloatArray, y: FloatArray, noise: float
) -> Generator[FloatArray, FloatArray, tuple[list[float], list[float]] | None]:
    """Cuts and values, where every change of y is a jump; None where y bends in too many places."""
    most = 4 * len(x) + 64
    jumps = np.flatnonzero(np.abs(np.diff(y)) > noise)
    gaps = [(float(x[k]), float(y[k]), float(x[k + 1]), float(y[k + 1])) for k in jumps]
    found: list[tuple[float, float]] = []
    while gaps:
        middles = [middle_double(low, high) for low, _, high, _ in gaps]
        asked = np.array([middle for middle in middles if middle is not None])
        answers = iter((yield asked).tolist() if asked.size else [])
        halves: list[tuple[float, float, float, float]] = []
        for (low, y_low, high, y_high), middle in zip(gaps, middles, strict=True):
            if middle is None:
                found.append((high, y_high))
                continue
            value = next(answers)
            if abs(value - y_low) > noise:
                halves.append((low, y_low, middle, value))
            if abs(value - y_high) > noise:
                halves.append((middle, value, high, y_high))
        gaps = halves
        if len(gaps) + len(found) > most:
            return None
    cuts = sorted(found)
    return [cut for cut, _ in cuts], [float(y[0]), *(value for _, value in cuts)]


def _refined(
    x: FloatArray, y: FloatArray, close: float
) -> Generator[FloatArray, FloatArray, tuple[FloatArray, FloatArray, float]]:
    """Points, more of them where the curve bends, and the largest distance of the lines between from the function."""
    while True:
        middle = (x[:-1] + x[1:]) / 2
        value = yield middle
        # No double lies between two neighbouring ones: there the function jumps, and a line cannot be off.
        off = np.where((x[:-1] < middle) & (middle < x[1:]), np.abs(value - (y[:-1] + y[1:]) / 2), 0.0)
        wanted = off > close
        if not wanted.any() or len(x) + int(wanted.sum()) > 2 * _MOST_POINTS:
            return x, y, float(off.max())
        order = np.argsort(np.r_[x, middle[wanted]])
        x, y = np.r_[x, middle[wanted]][order], np.r_[y, value[wanted]][order]
