"""The pipeline of one fit: problem, search, refinement, transform, rounding, result."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from curvec._core import fit_frames
from curvec.condense import Points
from curvec.errors import FitError, InputError
from curvec.fit.choose import LOG_MARGIN, floor_of, log_wins, wanted_segments
from curvec.fit.constant import constant, is_constant
from curvec.fit.ends import ends_of
from curvec.fit.frame import Frame
from curvec.fit.options import Options
from curvec.fit.result import Fit, PathEntry
from curvec.fit.rounding import notes, round_y
from curvec.fit.search import Best, Problem, seconds_left
from curvec.fit.shape import settled, shape_of
from curvec.fit.source import Source
from curvec.ir import PWLCurve

__all__ = ["run"]


@dataclass(frozen=True, slots=True)
class _Found:
    """The best curve asked for, on the last candidates of the chosen transform."""

    frame: Frame
    problem: Problem
    best: Best


def run(source: Source, deadline: float) -> Fit:
    """Fit.

    Raises:
        FitError: no curve on the candidates obeys the constraints.

    """
    points, options = source.points, source.options
    shape = shape_of(options, points)
    if is_constant(points, options, shape):
        source.check_domains()
        return constant(points, options, shape)
    frames = source.frames(shape)
    find = _find_fewest if options.num_segments == "auto" else _find
    return _result(find(frames, points, options, deadline), points, options)


def _find(frames: list[Frame], points: Points, options: Options, deadline: float) -> _Found:
    """As many segments as asked for."""
    at, core, found = fit_frames(
        [frame.core for frame in frames], [frame.x for frame in frames], options.most, options.refines,
        floor_of(points), LOG_MARGIN, seconds_left(deadline),
    )  # fmt: skip
    frame = frames[at]
    return _Found(frame, Problem(core, frame.fx, frame.shape), Best(options.most, *found))


def _find_fewest(frames: list[Frame], points: Points, options: Options, deadline: float) -> _Found:
    """The fewest segments that reach the tolerance."""

    def fewest(problem: Problem, starts: Sequence[Sequence[int]] = ()) -> Best:
        answers = problem.search(options.most, starts, seconds=seconds_left(deadline))
        return answers[wanted_segments(answers, options, points) - 1]

    problems = [frame.problem() for frame in frames]
    bests = [fewest(problem) for problem in problems]
    at = int(len(bests) > 1 and log_wins(bests[0], bests[1], floor_of(points)))
    frame, problem, best = frames[at], problems[at], bests[at]
    if options.refines and best.chosen:
        problem, finer = frame.refined(problem, best, deadline)
        if len(problem.x) != len(problems[at].x):
            best = fewest(problem, [finer.chosen])
    return _Found(frame, problem, best)


def _result(found: _Found, points: Points, options: Options) -> Fit:
    best, problem, shape = found.best, found.problem, found.problem.shape
    if len(problem.x) < 2:
        raise InputError(
            f"the candidates from {float(found.frame.x[0])!r} to {float(found.frame.x[-1])!r} are one under "
            f"fx={problem.fx.name!r}; give some that are further apart, or another fx"
        )
    if not best.chosen:
        raise FitError(
            f"no curve of {best.num_segments} segments obeys the constraints on these candidates: "
            f"slopes within {shape.slopes}, y within {options.y_bounds!r}; "
            "widen y_bounds (None for no bounds) or the slopes, or give more candidates"
        )
    unit = points.weight_unit
    curve, cost, y_digits = _printed(problem, best, points, options)
    shape_total = points.total - points.noise
    return Fit(
        curve=curve,
        sse=cost * unit,
        mse=cost * unit / points.weight,
        unexplained=max(cost - points.noise, 0.0) / shape_total if shape_total > 0 else 0.0,
        pure_error=points.noise * unit / points.weight,
        optimal=best.optimal,
        lower_bound=min(best.lower, cost) * unit,
        candidates=problem.x,
        notes=notes(options, found.frame.digits, y_digits),
        _condensed=points.in_units,
        _path=partial(_path, found, curve, cost, points, options),
        _ends=partial(ends_of, points, problem.fx, problem.x[best.chosen], [y for _, y in curve.points]),
    )


def _printed(problem: Problem, best: Best, points: Points, options: Options) -> tuple[PWLCurve, float, int | None]:
    """The curve in the numbers that will be printed, its cost, and the digits that y took."""
    chosen, origin, shape = best.chosen, points.y_origin, problem.shape
    own = problem.fx.name == "own"
    knots = (problem.u if own else problem.x)[chosen]
    y, digits = best.y + origin, None
    if options.digits is not None:
        y, digits = round_y(problem.u[chosen], partial(problem.costs, chosen), y, origin, options.digits, shape)
    elif any(math.isfinite(slope) and slope for slope in shape.slopes):
        y = settled(problem.u[chosen], y, shape, shape.y_limits)  # adding the origin back may round past a bound
    else:
        y = np.clip(y, *shape.y_limits)
    cost = float(problem.costs(chosen, (y - origin)[None])[0])
    curve = PWLCurve(
        options.feature,
        list(zip(knots.tolist(), y.tolist(), strict=True)),
        "identity" if own else problem.fx.name,
        options.missing,
    )
    return curve, cost, digits


def _path(found: _Found, curve: PWLCurve, cost: float, points: Points, options: Options) -> tuple[PathEntry, ...]:
    """One more search, on the last candidates; the fit's own entry is the fit's own curve."""
    problem, best = found.problem, found.best
    out: list[PathEntry] = []
    deadline = time.monotonic() + options.max_seconds  # the fit's own is over
    for answer in problem.search(options.most, [best.chosen], seconds=seconds_left(deadline)):
        if answer.num_segments == best.num_segments:
            out.append(PathEntry(answer.num_segments, cost * points.weight_unit, curve))
        elif answer.chosen:
            other, other_cost, _ = _printed(problem, answer, points, options)
            out.append(PathEntry(answer.num_segments, other_cost * points.weight_unit, other))
    return tuple(out)
