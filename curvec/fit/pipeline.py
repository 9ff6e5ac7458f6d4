"""The pipeline of one fit: problem, search, refinement, transform, rounding, result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec
import numpy as np

from curvec._core import fit_best_transform, fit_fewest_segments
from curvec.condense import Points
from curvec.errors import FitError, InputError, counted, shown
from curvec.fields import changed
from curvec.fit.constant import constant_fit, is_constant
from curvec.fit.constraints import Constraints, constraints_of
from curvec.fit.data import LOG_MARGIN, FitData
from curvec.fit.ends import ends_of
from curvec.fit.options import Options, Segments
from curvec.fit.result import Fit, PathEntry
from curvec.fit.rounding import bounds_note, notes, obeys
from curvec.fit.search import Best, Problem, seconds_left
from curvec.fit.search_space import SearchSpace
from curvec.fit.segment_limit import SegmentLimit, segment_limit, tolerated_error
from curvec.fit.shortening import MOST_TEXTS, Shortening, Text, as_found
from curvec.fit.through import point_text
from curvec.ir import PWLCurve
from curvec.transforms import TRANSFORMS, FloatArray, Transform


class _Found(msgspec.Struct, frozen=True):
    """The best curve asked for, on the last candidates of the chosen transform.

    Attributes:
        space: the search space of that transform.
        problem: its last candidates.
        best: the curve.
        segment_limit: how many segments were allowed, and why.
        plain: the search space without a transform, where that was tried, too, and lost.

    """

    space: SearchSpace
    problem: Problem
    best: Best
    segment_limit: SegmentLimit
    plain: SearchSpace | None


def run(data: FitData, deadline: float) -> Fit:
    """Fit.

    Raises:
        FitError: no curve on the candidates obeys the constraints.

    """
    points, options = data.points, data.options
    constraints = constraints_of(options, points)
    if is_constant(points, options, constraints):
        data.check_domains()
        return constant_fit(points, options, constraints)
    limit = segment_limit(data, deadline)
    return _result(_find(limit, limit.data.spaces(constraints), deadline), points, limit.data.options, deadline)


def run_sizes(data: FitData, sizes: Sequence[Segments], deadline: float) -> list[Fit]:
    """Fit for each number of segments; those of which there is no curve are left out, but for the last.

    Where y has a decimal place to end at and loses more than the margin there, there are two fits of a size: one with y
    at that place, and one within the margin.

    Raises:
        FitError: no curve of the last size obeys the constraints.

    """
    points, options = data.points, data.options
    constraints = constraints_of(options, points)
    if is_constant(points, options, constraints):
        data.check_domains()
        return [constant_fit(points, options, constraints)]
    fits: list[Fit] = []
    for size in sizes:
        own = changed(data, options=changed(options, num_segments=size))
        try:
            fits += _fits_at_places(SegmentLimit(own, own.options.most_segments), constraints, deadline)
        except (FitError, InputError):
            if size == sizes[-1]:
                raise
    return fits


def _fits_at_places(limit: SegmentLimit, constraints: Constraints, deadline: float) -> Iterator[Fit]:
    """The fit with y at the decimal place that was asked for, if one was, and within the margin.

    Of many curves few are asked for their path: what was found, some MB, is found again then.
    """
    points, options = limit.data.points, limit.data.options
    found = _find(limit, limit.data.spaces(constraints), deadline)
    for keeps_place in (True, False) if options.y_place is not None else (False,):
        asked = changed(options, keeps_place=keeps_place)
        own = changed(found, space=changed(found.space, options=asked))
        fit = _result(own, points, asked, deadline, fewer=False)
        find_again = partial(_found_again, limit, asked, constraints)
        fit = changed(fit, _path=partial(_path, find_again, fit.curve, fit.sse / points.weight_unit, points, asked))
        yield fit
        if fit.shortening_loss <= options.margin:
            return


def _find(limit: SegmentLimit, spaces: Sequence[SearchSpace], deadline: float) -> _Found:
    """As many segments as asked for, or the fewest that reach the tolerance, under the better transform."""
    points, options, most = limit.data.points, limit.data.options, limit.most
    cores, candidates = [space.core for space in spaces], [space.x for space in spaces]
    refines, floor, seconds = options.refines, points.floor, seconds_left(deadline)
    if options.is_automatic:
        won = fit_fewest_segments(
            cores, candidates, most, tolerated_error(limit.data), refines, floor, LOG_MARGIN, seconds
        )
    else:
        won = fit_best_transform(cores, candidates, most, refines, floor, LOG_MARGIN, seconds)
    at, segments, core, found = won
    space = spaces[at]
    plain = next((other for other in spaces if other is not space and other.fx.name == "identity"), None)
    return _Found(space, Problem(core, space.fx, space.constraints), Best(segments, *found), limit, plain)


def _result(found: _Found, points: Points, options: Options, deadline: float, *, fewer: bool = True) -> Fit:
    best, problem, constraints = found.best, found.problem, found.problem.constraints
    if len(problem.x) < 2:
        raise InputError(
            f"the candidates from {float(found.space.x[0])!r} to {float(found.space.x[-1])!r} are one under "
            f"fx={problem.fx.name!r}; give some that are further apart, or another fx"
        )
    if not best.chosen:
        raise FitError(
            f"no curve of {counted(best.num_segments, 'segment')} obeys the constraints on these candidates: "
            f"slopes within {constraints.slopes}, y within {shown(options.y_bounds)}{_constraints_text(options)}; "
            "widen y_bounds (None for no bounds) or the slopes, give more candidates, or let the end knots move "
            "(learn_ends=True)"
        )
    unit = points.weight_unit
    fx, text = _shortest_text(found, best, points, options, deadline, fewer=fewer)
    curve, cost = _curve(fx, text, options), text.cost
    variance = points.total - points.noise
    ends = partial(ends_of, points, fx, text.x, text.y.tolist())
    unexplained = max(cost - points.noise, 0.0) / variance if variance > 0 else 0.0
    return Fit(
        curve=curve,
        sse=cost * unit,
        mse=cost * unit / points.weight,
        unexplained=unexplained,
        variance=points.total * unit / points.weight,
        pure_error=points.noise * unit / points.weight,
        optimal=best.optimal,
        lower_bound=min(best.lower, cost) * unit,
        candidates=problem.x,
        notes=(
            *notes(options, found.space.digits, text.y_digits),
            *bounds_note(points, constraints),
            *_tolerance_note(options, found, unexplained),
            *_ends_note(options, text.x, points),
        ),
        shortening_loss=max(cost - best.cost, 0.0) / variance if variance > 0 else 0.0,
        _condensed=points.in_units,
        _path=partial(_path, lambda: found, curve, cost, points, options),
        _ends=ends,
    )


def _constraints_text(options: Options) -> str:
    through = ", ".join(point_text(x, y) for x, y in options.through.tolist())
    asked = (
        f", mono={options.mono!r}" if options.mono else "",
        f", curvature={options.curvature!r}" if options.curvature else "",
        f", through {through}" if through else "",
        ", equal y at both ends" if options.periodic else "",
    )
    return "".join(asked)


def _tolerance_note(options: Options, found: _Found, unexplained: float) -> Iterator[str]:
    """Why an automatic number of segments did not reach the tolerance, if it did not."""
    allowed = options.tolerance + options.margin
    if options.is_automatic and unexplained > allowed * (1.0 + 1e-9):
        why = found.segment_limit.limit or f"max_segments={options.most_segments} is all that was allowed"
        if found.best.cost <= tolerated_error(found.segment_limit.data):
            why = f"the curve was closer before it was rounded (digits={options.digits!r})"
        yield f"{unexplained:.2g} of the shape's variance is unexplained, tolerance={options.tolerance:g}: {why}"


def _ends_note(options: Options, knots: FloatArray, points: Points) -> Iterator[str]:
    """How many rows lie where the curve is constant, if what was asked of its slopes does not hold there."""
    beyond = (points.last < knots[0]) | (points.x > knots[-1])
    share = float(points.w[beyond].sum() / points.w.sum())
    if share > 0 and options.forbids_flat_ends and options.learn_ends:
        yield (
            f"{share:.0%} of the rows lie beyond the end knots, where the curve is constant whatever its slopes and "
            "curvature shall be; learn_ends=False keeps them within"
        )


def _shortest_text(
    found: _Found, best: Best, points: Points, options: Options, deadline: float, *, fewer: bool
) -> tuple[Transform, Text]:
    """The curve in the numbers that will be printed; ``fewer`` segments than the best curve has, too."""
    fx = found.problem.fx
    if not options.shortens:
        return fx, as_found(found.problem, best, points, options)
    allowed = best.cost * (1.0 + 1e-12) + points.floor - points.noise
    allowed += options.margin * (points.total - points.noise)
    answers = (
        found.problem.curves_within(best, allowed, MOST_TEXTS, deadline) if fewer and options.margin > 0 else [best]
    )
    text = Shortening(found.space, allowed, deadline).shortest(found.problem, answers)
    plain = None if found.plain is None else _without_transform(found.plain, text, allowed)
    return (fx, text) if plain is None else (TRANSFORMS["identity"], plain)


def _without_transform(space: SearchSpace, text: Text, allowed: float) -> Text | None:
    """The same points on a plain axis, if they cost no more than is allowed.

    A step from one whole number to the next is the same on every axis.
    """
    problem = space.problem(text.x)
    if (
        not np.array_equal(problem.x, text.x)
        or not obeys(problem.u, text.y[None], problem.constraints.at_knots(problem.x))[0]
    ):
        return None
    cost = float(problem.costs([*range(len(text.x))], (text.y - space.points.y_origin)[None])[0])
    hardly = _HARDLY * space.options.margin * (space.points.total - space.points.noise)
    # The text itself loses more than is allowed where its decimal place does.
    most = allowed if text.cost <= allowed else text.cost + hardly
    return text._replace(cost=cost) if cost <= most else None


_HARDLY = 0.1
"""Share of the margin that a plain axis may lose where the text already loses more than is allowed."""


def _curve(fx: Transform, text: Text, options: Options) -> PWLCurve:
    """The text as a node."""
    points = list(zip(text.x.tolist(), text.y.tolist(), strict=True))
    return PWLCurve(options.feature, points, fx.name, options.missing)


def _found_again(limit: SegmentLimit, options: Options, constraints: Constraints) -> _Found:
    """What was found before, for another text of it."""
    found = _find(limit, limit.data.spaces(constraints), time.monotonic() + options.max_seconds)
    return changed(found, space=changed(found.space, options=options))


def _path(
    find_again: Callable[[], _Found], curve: PWLCurve, cost: float, points: Points, options: Options
) -> tuple[PathEntry, ...]:
    """One more search, on the last candidates; the fit's own entry is the fit's own curve."""
    found = find_again()
    problem, best = found.problem, found.best
    out: list[PathEntry] = []
    deadline = time.monotonic() + options.max_seconds  # the fit's own is over
    for answer in problem.search(options.most_segments, [best.chosen], seconds=seconds_left(deadline)):
        if answer.num_segments == best.num_segments:
            out.append(PathEntry(answer.num_segments, cost * points.weight_unit, curve))
        elif answer.chosen:
            fx, text = _shortest_text(found, answer, points, options, deadline, fewer=False)
            out.append(PathEntry(answer.num_segments, text.cost * points.weight_unit, _curve(fx, text, options)))
    return tuple(out)
