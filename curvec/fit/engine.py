"""The pipeline of one fit: problem, search, refinement, transform, rounding, result."""

from __future__ import annotations

from functools import partial

import numpy as np

from curvec.condense import Points
from curvec.errors import FitError
from curvec.fit.choose import Candidate, better, wanted_segments
from curvec.fit.options import Options
from curvec.fit.refine import refine
from curvec.fit.result import Fit, PathEntry
from curvec.fit.rounding import round_y
from curvec.fit.search import Best, seconds_left
from curvec.fit.shape import Shape, shape_of
from curvec.fit.source import Source
from curvec.ir import PWLCurve
from curvec.transforms import Transform

__all__ = ["run"]


def run(source: Source, deadline: float) -> Fit:
    """Fit.

    Raises:
        FitError: no curve on the candidates obeys the constraints.

    """
    points, options = source.points, source.options
    if len(points.x) == 1 or points.y_range[0] == points.y_range[1]:
        return _constant(points, options)
    shape = shape_of(options, points)
    tried = [_search(source, shape, fx, deadline) for fx in source.transforms]
    chosen = tried[0] if len(tried) == 1 else better(tried[0], tried[1], points.noise)
    return _result(_refined(source, chosen, shape, deadline), points, options, shape)


def _search(source: Source, shape: Shape, fx: Transform, deadline: float) -> Candidate:
    problem, digits = source.problem(fx)
    answers = problem.search(shape, source.options.most, seconds=seconds_left(deadline))
    return Candidate(problem, answers, wanted_segments(answers, source.options, source.points), digits)


def _refined(source: Source, chosen: Candidate, shape: Shape, deadline: float) -> Candidate:
    """The transform is chosen on the candidates; only the chosen one is worth finer ones."""
    tools = source.refinement(chosen.problem.fx, chosen.digits, deadline)
    if tools is None or not chosen.best.chosen:
        return chosen
    problem, answers = refine(chosen.problem, chosen.answers, chosen.wanted, shape, tools)
    return Candidate(problem, answers, wanted_segments(answers, source.options, source.points), chosen.digits)


def _result(chosen: Candidate, points: Points, options: Options, shape: Shape) -> Fit:
    best = chosen.best
    if not best.chosen:
        raise FitError(
            f"no curve of {chosen.wanted} segments obeys the constraints on these candidates: "
            f"slopes within {shape.slopes}, y within {options.y_bounds!r}; "
            "widen y_bounds (None for no bounds) or the slopes, or give more candidates"
        )
    unit = points.weight_unit
    curve, cost, y_digits = _printed(chosen, best, points, options, shape)
    shape_total = points.total - points.noise
    return Fit(
        curve=curve,
        sse=cost * unit,
        mse=cost * unit / points.weight,
        unexplained=max(cost - points.noise, 0.0) / shape_total if shape_total > 0 else 0.0,
        optimal=best.optimal,
        lower_bound=best.lower * unit,
        candidates=chosen.problem.x,
        condensed=np.column_stack([points.x, points.w * unit, points.y + points.y_origin]),
        notes=_notes(options, chosen.digits, y_digits),
        _path=partial(_path, chosen, points, options, shape),
    )


def _printed(
    chosen: Candidate, best: Best, points: Points, options: Options, shape: Shape
) -> tuple[PWLCurve, float, int | None]:
    """The curve in the numbers that will be printed, its cost, and the digits that y took."""
    problem = chosen.problem.on(best.chosen)
    y = best.y + points.y_origin
    digits = None
    if options.digits is not None:
        y, digits = round_y(problem, y, points.y_origin, options.digits, shape)
    else:
        y = np.clip(y, *shape.y_limits)  # adding the origin back may round past a bound
    cost = float(problem.costs((y - points.y_origin)[None])[0])
    own = problem.fx.name == "own"
    knots = problem.u if own else problem.x
    curve = PWLCurve(
        options.feature,
        list(zip(knots.tolist(), y.tolist(), strict=True)),
        "identity" if own else problem.fx.name,
        options.missing,
    )
    return curve, cost, digits


def _path(chosen: Candidate, points: Points, options: Options, shape: Shape) -> tuple[PathEntry, ...]:
    out = []
    for answer in chosen.answers:
        if answer.chosen:
            curve, cost, _ = _printed(chosen, answer, points, options, shape)
            out.append(PathEntry(answer.num_segments, cost * points.weight_unit, curve))
    return tuple(out)


def _notes(options: Options, x_digits: int | None, y_digits: int | None) -> tuple[str, ...]:
    if options.digits is None:
        return ()
    out = []
    if x_digits != options.digits:
        used = "all" if x_digits is None else str(x_digits)
        out.append(f"knots have {used} digits instead of {options.digits}: fewer would merge them or leave fx's domain")
    if y_digits != options.digits:
        out.append(f"y has {y_digits} digits instead of {options.digits}: fewer would break a constraint")
    return tuple(out)


def _constant(points: Points, options: Options) -> Fit:
    """One distinct x, or one distinct y: a flat curve of two points."""
    y = points.y_origin
    low, high = float(points.x[0]), float(points.x[-1])
    if low == high:
        step = max(1.0, abs(low) * 1e-3)
        low, high = low - step, low + step
    sse = points.noise * points.weight_unit
    curve = PWLCurve(options.feature, [(low, y), (high, y)], "identity", options.missing)
    entry = PathEntry(1, sse, curve)
    return Fit(
        curve, sse, sse / points.weight, 0.0, optimal=True, lower_bound=sse,
        candidates=np.array([low, high]),
        condensed=np.column_stack([points.x, points.w * points.weight_unit, points.y + y]),
        _path=partial(tuple, [entry]),
    )  # fmt: skip
