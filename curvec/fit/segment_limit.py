"""How many segments noisy rows justify: by cross-validation with the one-standard-error rule, or by BIC.

Hastie, Tibshirani and Friedman (2009), The Elements of Statistical Learning, sections 7.10.1 and 7.7.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.condense import Points, Rows
from curvec.errors import InputError, counted
from curvec.fields import changed
from curvec.fit.constraints import constraints_of
from curvec.fit.data import LOG_MARGIN, FitData
from curvec.fit.rounding import place_of
from curvec.fit.search import Best, Problem, seconds_left
from curvec.fit.search_space import SearchSpace
from curvec.transforms import FloatArray

FOLDS = 10
_FIRST = 4
"""The most segments of the first attempt; doubled as long as the most are the best."""

_NOISY = 0.5
"""Noise counts if it is more than this share of the tolerance: a curve that reaches a tolerance just above would fit
it."""

_FEW = 30
"""About how many candidates are enough to judge the noise."""

_DIGITS = 2
"""Digits of a short end knot behind that of the range of x."""

_FEWEST_REPEATS = 10
"""With fewer rows that repeat an x, the noise is estimated from rows at neighbouring x."""


class SegmentLimit(msgspec.Struct, frozen=True):
    """How many segments to search for.

    Attributes:
        data: the data with the options as asked; with the end knots pinned if the rows justify a straight line only.
        most: the largest number of segments.
        limit: why there are no more, for a note; empty if noise sets no limit.

    """

    data: FitData
    most: int
    limit: str = ""


def segment_limit(data: FitData, deadline: float) -> SegmentLimit:
    """The limit that was asked for; for an automatic number, no more segments than the noise of y justifies.

    If the options leave open whether the end knots move, the first choice is a straight line over the whole range of
    x: it has half the parameters of one segment whose ends are learnt.
    """
    options, most = data.options, data.options.most_segments
    if not options.is_automatic:
        return SegmentLimit(data, most)
    sizes = _CurvesBySize(data, _straight_line(data), deadline)
    if sizes.line is not None and sizes.line_cost() <= tolerated_error(data):
        return SegmentLimit(sizes.line, 1)
    if (most == 1 and sizes.line is None) or not is_noisy(data):
        return SegmentLimit(data, most)
    by_bic = options.num_segments == "bic"
    size, judge = (_by_bic(sizes), "BIC") if by_bic else (_by_cross_validation(sizes), "cross-validation")
    if sizes.line is not None and size == 0:
        return SegmentLimit(sizes.line, 1, f"more than a straight line would follow the noise of y, by {judge}")
    why = f"more than {counted(size, 'segment')} would follow the noise of y, by {judge}"
    return SegmentLimit(data, size, why if size < most else "")


def tolerated_error(data: FitData) -> float:
    """The squared error at which a curve reaches the tolerance."""
    return data.points.noise + data.options.tolerance * (data.points.total - data.points.noise)


def _straight_line(data: FitData) -> FitData | None:
    """The data with the options of a straight line over the whole range of x; None if the options do not allow that.

    There is none either if both ends are the same number under the transform that was asked for.
    """
    options = data.options
    if not options.ends_open or len(options.required):
        return None
    line = changed(data, options=changed(options, learn_ends=False), transforms=data.transforms[:1])
    try:
        line.spaces(constraints_of(line.options, line.points))
    except InputError:
        return None
    return _within_bounds(line)


def _within_bounds(line: FitData) -> FitData:
    """The line with each end knot where it reaches a bound of y, beyond which it is constant.

    Held at the ends of x, it would be turned by the bound: those of y's own range are a matter of single rows.
    """
    constraints = constraints_of(line.options, line.points)
    free = changed(constraints, y_bounds=(-math.inf, math.inf), y_limits=(-math.inf, math.inf))
    space = line.spaces(free)[0]
    problem = space.problem(space.x)
    best = problem.search(1)[-1]
    if not best.chosen:
        return line
    u, y = problem.u[best.chosen], best.y
    within = np.clip(y, *constraints.y_bounds)
    beyond = within != y
    if within[0] == within[1] or not (beyond.any() or line.options.rounds_x):
        return line
    reached = space.fx.inverse(u[0] + (within - y[0]) * ((u[1] - u[0]) / (y[1] - y[0])))
    x = np.where(beyond, reached, problem.x[best.chosen])
    x = np.where(beyond | line.options.rounds_x, _at_possible_knots(line, x), x)
    return changed(line, options=changed(line.options, candidates=x)) if space.fx.lower < x[0] < x[1] else line


def _at_possible_knots(data: FitData, x: FloatArray) -> FloatArray:
    """Each x (2,), moved to where a knot may be: one of the caller's candidates, a value, a whole or a short number."""
    options, points = data.options, data.points
    own = options.candidates if options.candidates is not None else data.edges
    if own is None and options.knots_on == "values":
        own = points.x
    if own is not None:
        return np.asarray(own[np.abs(own[:, None] - x).argmin(axis=0)])
    if options.knots_on == "whole":
        return np.rint(x)
    return np.round(x, _DIGITS - place_of(float(np.ptp(points.x)))) if options.rounds_x else x


def is_noisy(data: FitData) -> bool:
    """Whether noise alone takes up the tolerance, or most of it.

    The variance of the noise is that of y at equal x (pure error); if hardly any x repeats, that of each y about the
    line through its neighbours (Gasser, Sroka and Jennen-Steinmetz 1986). The squared error that it leaves in the mean
    y at each x is compared with the shape's variance. Moments do not hold the number of their rows, so they count as
    noiseless.
    """
    points, rows = data.points, data.rows
    shape = points.total - points.noise
    if rows is None or not shape > 0:
        return False
    means = len(points.x)
    fitted = means if points.parts is None else 2 * means  # the mean at each x, or the line of each bin
    repeats = rows.count - fitted
    if repeats >= _FEWEST_REPEATS or points.parts is not None:
        noise = points.noise / max(repeats, 1) * means
    else:
        noise = _about_neighbours(points)
    return noise > _NOISY * data.options.tolerance * shape


def _about_neighbours(points: Points) -> float:
    """An estimate of the squared error of y about the function of x that it is noise around."""
    x, y, w = points.x, points.y, points.w
    if len(x) < 4:
        return 0.0
    left = (x[2:] - x[1:-1]) / (x[2:] - x[:-2])
    squares = (left * y[:-2] + (1.0 - left) * y[2:] - y[1:-1]) ** 2 / (left**2 + (1.0 - left) ** 2 + 1.0)
    return float(np.dot(w[1:-1], squares)) / float(w[1:-1].sum()) * float(w.sum()) if w[1:-1].any() else 0.0


class _SizedCurve(msgspec.Struct, frozen=True):
    """The best curve of a size on some rows.

    Attributes:
        problem: the candidates under its transform.
        best: the curve.
        parameters: how many numbers of it the rows decided.

    """

    problem: Problem
    best: Best
    parameters: int


def _some_candidates(space: SearchSpace) -> FloatArray:
    """All candidates; where curves need a search of their own, which takes long, some of them evenly.

    Where noise decides how many segments there are, a knot's place matters less.
    """
    constraints, step = space.constraints, max(1, len(space.x) // _FEW)
    if step == 1 or (constraints.curvature is None and not constraints.periodic):
        return space.x
    kept = np.zeros(len(space.x), np.bool_)
    kept[::step] = kept[-1] = True
    return space.x[kept | np.isin(space.x, space.required)]


class _CurvesBySize:
    """The best curves of all sizes, on any of the rows: size 0 is the straight line, 1, 2, ... are segments."""

    def __init__(self, data: FitData, line: FitData | None, deadline: float) -> None:
        self.data, self.line, self.deadline = data, line, deadline
        constraints = constraints_of(data.options, data.points)
        self._spaces = data.spaces(constraints)
        self._line_space = None if line is None else line.spaces(constraints)[0]

    def best_curves(self, points: Points, most: int) -> list[_SizedCurve | None]:
        """The curves of sizes 0 to ``most``; None for a size of which there is none.

        Every fold has the candidates of the whole, and one search finds its best curves of all numbers of segments.
        """
        constraints = constraints_of(self.data.options, points)
        out: list[_SizedCurve | None] = [None] * (most + 1)
        for space in self._spaces:
            problem = changed(space, points=points, constraints=constraints).problem(_some_candidates(space))
            better = 1.0 if space is self._spaces[0] else 1.0 - LOG_MARGIN
            for best in problem.search(most, seconds=seconds_left(self.deadline)):
                size, before = best.num_segments, out[best.num_segments]
                left = math.inf if before is None else before.best.cost - points.noise
                if best.chosen and best.cost - points.noise < better * left:
                    out[size] = _SizedCurve(problem, best, self._parameters(best, 2 if space.options.learn_ends else 0))
        if self._line_space is not None:
            problem = changed(self._line_space, points=points, constraints=constraints).problem(self._line_space.x)
            best = problem.search(1)[-1]
            out[0] = _SizedCurve(problem, best, self._parameters(best, 0)) if best.chosen else None
        return out

    def line_cost(self) -> float:
        """The squared error of the line on all rows."""
        assert self._line_space is not None  # noqa: S101  asked where there is a line
        best = self._line_space.problem(self._line_space.x).search(1)[-1]
        return best.cost if best.chosen else math.inf

    def _parameters(self, best: Best, learnt_ends: int) -> int:
        """How many x and y of the curve's points the rows decided."""
        options, points = self.data.options, len(best.chosen)
        given = len(options.required) + len(options.through) + options.periodic
        return points + max(points - 2, 0) + learnt_ends - given


def _judged_sizes(judge: Callable[[int], FloatArray], most: int) -> FloatArray:
    """What ``judge`` says of sizes 0 to some number, beyond which there is no better one.

    The search for many segments of noise takes long: it is made only where the most that were tried are the best.
    """
    limit = min(_FIRST, most)
    while True:
        found = judge(limit)
        if int(np.argmin(found[0])) < limit or limit == most:
            return found
        limit = min(2 * limit, most)


def _by_cross_validation(sizes: _CurvesBySize) -> int:
    """The least size whose held-out error is within a standard error of the least error."""
    assert sizes.data.rows is not None  # noqa: S101  without rows, is_noisy says no
    folds = list(_folds(sizes.data.rows))

    def judge(most: int) -> FloatArray:
        errors = np.array([_held_out_errors(train, test, sizes, most) for train, test in folds])
        spread = errors.std(axis=0, ddof=1) / math.sqrt(len(folds)) if len(folds) > 1 else np.zeros(most + 1)
        mean = errors.mean(axis=0)
        if sizes.line is None:
            mean[0] = math.inf
        return np.array([mean, spread])

    mean, spread = _judged_sizes(judge, sizes.data.options.most_segments)
    best = int(np.argmin(mean))
    return int(np.argmax(mean <= mean[best] + spread[best]))


def _by_bic(sizes: _CurvesBySize) -> int:
    """The size with the least Bayesian information criterion, n log(squared error) + parameters log(n)."""
    points, rows = sizes.data.points, sizes.data.rows
    assert rows is not None  # noqa: S101  without rows, is_noisy says no
    n, floor = rows.count, points.floor

    def judge(most: int) -> FloatArray:
        return np.array([[criterion(sized) for sized in sizes.best_curves(points, most)]])

    def criterion(sized: _SizedCurve | None) -> float:
        if sized is None or sized.parameters >= n:
            return math.inf
        return n * math.log(max(sized.best.cost, floor)) + sized.parameters * math.log(n)

    found = int(np.argmin(_judged_sizes(judge, sizes.data.options.most_segments)[0]))
    return found if sizes.line is not None else max(found, 1)


def _folds(rows: Rows) -> Iterator[tuple[Rows, Rows]]:
    """Rows to fit and rows to test on, ten times; the order of the rows does not matter."""
    columns = (rows.y, rows.x) if rows.w is None else (rows.w, rows.y, rows.x)
    order = np.lexsort(columns)
    if rows.w is not None:
        order = order[rows.w[order] > 0]
    fold = np.empty(len(order), dtype=np.int64)
    count = min(FOLDS, len(order))
    fold[np.random.default_rng(0).permutation(len(order))] = np.arange(len(order)) % count
    for k in range(count):
        yield _subset(rows, order[fold != k]), _subset(rows, order[fold == k])


def _subset(rows: Rows, which: npt.NDArray[np.int64]) -> Rows:
    x, y = rows.x[which], rows.y[which]
    w = None if rows.w is None else rows.w[which]
    limits = [(float(values.min()), float(values.max())) if len(values) else (0.0, 0.0) for values in (x, y)]
    return Rows(x, y, w, 1.0 if w is None else float(w.max(initial=0.0)), limits[0], limits[1])


def _held_out_errors(train: Rows, test: Rows, sizes: _CurvesBySize, most: int) -> FloatArray:
    """(most + 1,) the mean squared error on held-out rows of the best curve of each size on the others.

    A size of which there is no curve has the error of the mean.
    """
    points = sizes.data.points_of(train)
    errors = np.full(most + 1, _mean_squared_error(test, np.full(len(test.x), points.y_origin)))
    if points.total > points.noise:
        for size, sized in enumerate(sizes.best_curves(points, most)):
            if sized is not None:
                errors[size] = _mean_squared_error(test, _predictions(sized, test.x, points.y_origin))
    return errors


def _predictions(sized: _SizedCurve, x: FloatArray, origin: float) -> FloatArray:
    problem, best = sized.problem, sized.best
    u = (problem.fx.fast or problem.fx.forward)(np.clip(x, problem.x[0], problem.x[-1]))
    return np.asarray(np.interp(u, problem.u[best.chosen], best.y + origin))


def _mean_squared_error(rows: Rows, prediction: FloatArray) -> float:
    return float(np.average((rows.y - prediction) ** 2, weights=rows.w))
