"""What a function may become: nothing, a line, a curve of 1, 2, ... segments, a table of levels in groups."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import partial

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.data import Table
from curvec.distill.context import Context
from curvec.distill.distilled import DistilledTerm, distilled_term
from curvec.distill.fitted_curve import (
    OPTIONS_OF_FORM,
    Examples,
    FittedCurve,
    LevelCounts,
    distance_of,
    fit_table,
    fits_of_sizes,
    fitted_curve,
    flat,
    level_values,
    mean_and_squares,
    missing_of,
    short_enough,
    tabulated,
    used_of,
)
from curvec.distill.grouping import groups_of
from curvec.distill.printing import share_text
from curvec.distill.row_summary import no_squares_error
from curvec.distill.term_distiller import TeacherFunction, distilled_forms, level_counts, single_feature
from curvec.errors import counted
from curvec.evaluate import term_values
from curvec.fit import Fit
from curvec.ir import EnumCurve, Feature, Line, Term, is_offset, walk
from curvec.spelling import shortest
from curvec.transforms import FloatArray

_MOST_GROUPS = 8
"""The most groups of a table's levels that are tried, besides one group for each distinct value."""


class Choice(msgspec.Struct, frozen=True):
    """One form that a function of the teacher may take in the model.

    Attributes:
        numbers: how many numbers a reader has to take in; 0 for a function that the intercept replaces.
        characters: the total length of its numbers as they are printed.
        loss: weighted squared error, in squared units of the raw score.
        least: the loss before its numbers were shortened.
        made: makes the term.
        at_place: whether its values end at the decimal place that the whole model shares.

    """

    numbers: int
    characters: int
    loss: float
    least: float
    made: Callable[[], DistilledTerm]
    at_place: bool = True


def characters(term: Term) -> int:
    """The total length of a term's numbers as they are printed; levels with the same value count once."""
    nodes = (({*node.ordinates}, node.declared.values()) if node.levels else (node.numbers, ()) for node in walk(term))
    return sum(len(shortest(value)) for numbers in nodes for part in numbers for value in part)


def choices_of(function: TeacherFunction, context: Context) -> tuple[Choice, ...]:
    """Everything that a function may become, with its size and its loss.

    Raises:
        InputError: an option does not fit, or no row can be used; the message names the feature.

    """
    if is_offset(function.term):
        return (_as_it_is(function, context),)
    _check_squares(function, context)
    found = [*_left_out(function, context), *_forms(function, context)]
    return tuple({(choice.numbers, choice.characters, choice.loss): choice for choice in reversed(found)}.values())


def _check_squares(function: TeacherFunction, context: Context) -> None:
    at_rows = term_values(function.term, context.table)[context.weights > 0]
    of_levels = [value for node in walk(function.term) if node.levels for value in node.ordinates]
    values = np.concatenate([at_rows[np.isfinite(at_rows)], of_levels])
    if not len(values):
        return
    low, high = float(values.min()), float(values.max())
    widest = 2.0 * max(abs(low), abs(high))
    if not math.isfinite(widest * widest * float(context.weights.sum())):
        raise no_squares_error(f"function of {function.label}", low, high)


def _as_it_is(function: TeacherFunction, context: Context) -> Choice:
    """The function as it is."""
    feature = str(function.term.input)
    examples = context.examples(function.term, feature)
    curve = FittedCurve(feature, function.term, distance_of(examples, examples.y), kept=True)
    return _as_choice(function, curve, context)


def _left_out(function: TeacherFunction, context: Context) -> Iterator[Choice]:
    """The function left out, its weighted mean in the intercept; no choice if it has no value on some row.

    With unseen="teacher" a function also stays if its value for a missing or unlisted input is beyond those of the
    rows.
    """
    used = context.weights > 0
    values, w = term_values(function.term, context.table)[used], context.weights[used]
    if not np.isfinite(values).all():
        return
    if context.options.unseen == "teacher":
        declared = [getattr(function.term, name, None) for name in ("missing", "default")]
        if not np.ptp(values) or any(
            value is not None and not values.min() <= value <= values.max() for value in declared
        ):
            return
    mean, total = mean_and_squares(values, w)
    share = total / context.total if context.total else 0.0
    what = "less than 0.01%" if share < 1e-4 else share_text(share)
    note = f"left out: its mean, in the intercept, loses {what} of the score's variance"
    notes = (note,) if total else ()
    part = DistilledTerm(function.label, function.term, None, mean, (), notes)
    yield Choice(0, 0, total, total, lambda: part)


def _forms(function: TeacherFunction, context: Context) -> Iterator[Choice]:
    feature = single_feature(function.term)
    if feature is None:
        yield from _of_several_features(function, context)
    elif feature.type == "number" and feature.name not in context.options.categorical:
        yield from _curves(function, feature.name, context)
    else:
        yield from _tables(function, context)


def _of_several_features(function: TeacherFunction, context: Context) -> Iterator[Choice]:
    """Products, and curves of sums: as they are distilled; a table over two features as one product, or more."""
    exact = term_values(function.term, context.table)
    for part in distilled_forms(function, context):
        if part.term is None:
            yield Choice(0, 0, 0.0, 0.0, partial(_unchanged, part))
            continue
        gap = term_values(part.term, context.table) - exact
        known = np.isfinite(gap) & (context.weights > 0)
        loss = mean_and_squares(gap[known], context.weights[known])[1] if known.any() else 0.0
        yield Choice(part.term.numbers_to_read, characters(part.term), loss, loss, partial(_unchanged, part))


def _unchanged(part: DistilledTerm) -> DistilledTerm:
    return part


def _curves(function: TeacherFunction, feature: str, context: Context) -> Iterator[Choice]:
    start = time.perf_counter()
    options, precision, term = context.options, context.precision, function.term
    examples = context.examples(term, feature)
    missing = missing_of(term, feature, examples, options, precision)
    if (kept := short_enough(term, feature, missing, options, precision)) is not None:
        curve = FittedCurve(feature, kept, distance_of(examples, examples.y), kept=True)
        yield _as_choice(function, curve, context)
        if options.max_numbers is None:
            return
    used = used_of(feature, examples)
    if not np.ptp(used.y):
        value = precision.round(float(used.y[0]), options.fit_options(feature)["digits"])
        constant = flat(feature, used.x, value, missing)
        yield _as_choice(function, fitted_curve(feature, constant, None, examples, 0.0), context)
        return
    yield from _lines(function, feature, examples, missing, context)
    for fit in fits_of_sizes(feature, examples, options, missing, precision):
        made = partial(_fitted, function, fit, examples, start, context)
        least = fit.lower_bound if options.digits == "auto" and precision.margin else fit.sse
        ends = options.digits != "auto" or all(precision.round(y, "auto") == y for y in fit.curve.ordinates)
        yield Choice(fit.curve.numbers_to_read, characters(fit.curve), fit.sse, least, made, ends)


def _lines(
    function: TeacherFunction, feature: str, examples: Examples, missing: float | None, context: Context
) -> Iterator[Choice]:
    """The least squares line, its constant in the intercept, unless an option asks for what only a curve can have."""
    options, precision = context.options, context.precision
    arguments, used = options.fit_options(feature), used_of(feature, examples)
    if set(arguments) > OPTIONS_OF_FORM or arguments["fx"] not in (None, "identity"):
        return
    x, y, w = used
    largest = float(np.abs(x).max())
    if not 0 < largest < _LARGEST or not np.ptp(x):
        return
    middle, spread = mean_and_squares(x, w)
    if not spread > 0:
        return
    best = float(np.sum(w * (x - middle) * y)) / spread
    if isinstance(function.term, Line):
        best = function.term.coefficient
    coefficient = precision.shortest(best, spread, arguments["digits"])
    wrong = {"increasing": coefficient < 0, "decreasing": coefficient > 0}
    if not coefficient or not np.isfinite(coefficient) or wrong.get(arguments["mono"], False):
        return
    (constant, loss), (_, least) = (mean_and_squares(y - slope * x, w) for slope in (coefficient, best))
    at_gap = None if missing is None else precision.round(missing - constant, options.digits)
    line = Line(feature, coefficient, at_gap)
    made = partial(_line, function, line, constant, examples)
    yield Choice(line.numbers_to_read, characters(line), loss, min(least, loss), made)


_LARGEST = 1e100
"""The largest input of a line: the squares of much larger ones would overflow."""


def _line(function: TeacherFunction, line: Line, constant: float, examples: Examples) -> DistilledTerm:
    values = term_values(line, Table({line.input: examples.x}, [Feature(line.input)]))
    distance = distance_of(Examples(examples.x, examples.y - constant, examples.w), values)
    curve = FittedCurve(line.input, line, distance, notes=_beyond_the_rows(function, line.input, examples))
    return DistilledTerm(function.label, function.term, line, constant, (curve,))


def _beyond_the_rows(function: TeacherFunction, feature: str, examples: Examples) -> tuple[str, ...]:
    """A note that the line continues outside the range of the rows, where the teacher's function is constant."""
    if any(isinstance(node, Line) for node in walk(function.term)):
        return ()
    x = used_of(feature, examples).x
    if np.unique(x).size == 2:  # a yes/no, which has no other values
        return ()
    beyond = f"a line goes on below {x.min():.4g} and above {x.max():.4g}, where there are no rows"
    return (f"{beyond}; the teacher is constant beyond its end points",)


def _as_choice(function: TeacherFunction, curve: FittedCurve, context: Context) -> Choice:
    """A curve that loses nothing."""
    part = _distilled_term(function, curve, context)
    if part.term is None:
        return Choice(0, 0, 0.0, 0.0, partial(_unchanged, part))
    return Choice(part.term.numbers_to_read, characters(part.term), 0.0, 0.0, partial(_unchanged, part))


def _distilled_term(function: TeacherFunction, curve: FittedCurve, context: Context) -> DistilledTerm:
    null = context.options.unseen == "teacher"
    return distilled_term(function.label, function.term, curve.term, (curve,), null=null)


def _fitted(function: TeacherFunction, fit: Fit, examples: Examples, start: float, context: Context) -> DistilledTerm:
    curve = fitted_curve(str(fit.curve.input), fit.curve, fit, examples, time.perf_counter() - start)
    return _distilled_term(function, curve, context)


def _tables(function: TeacherFunction, context: Context) -> Iterator[Choice]:
    """Every level with a value of its own, and levels in groups; the value of the heaviest group is 0.

    Where nothing may be lost, the teacher's values as they are.
    """
    options, precision = context.options, context.precision
    term, levels = level_counts(function.term, context.weights, context)
    digits = options.fit_options(levels.feature.name)["digits"]
    values = level_values(term, levels)
    plain = fit_table(term, levels, options, precision)
    assert isinstance(plain.term, EnumCurve)  # noqa: S101  what fit_table makes
    shortest_form = 0.0 in plain.term.ordinates and plain.term.ordinates == tuple(values[np.isfinite(values)])
    if not precision.margin or shortest_form:
        yield _as_choice(function, plain, context)
        if not precision.margin or options.max_numbers is None:
            return
    known = np.isfinite(values)
    y, w = values[known], levels.weights[known]
    rough = np.array([precision.round(float(value), digits) for value in y])
    distinct, member = np.unique(rough, return_inverse=True)
    at = Grouped(y, w, member)
    sizes = groups_of(at.means, at.weights, min(len(distinct), _MOST_GROUPS))
    if len(distinct) > _MOST_GROUPS:
        sizes.append(np.arange(len(distinct)))
    for groups in sizes:
        grouped = Grouped(y, w, groups[member])
        base = float(grouped.means[int(np.argmax(grouped.weights))])
        printed = np.full(len(values), np.nan)
        printed[known] = [precision.round(float(mean) - base, digits) for mean in grouped.means[grouped.member]]
        note = f"{counted(len(y), 'level')} in {counted(len(grouped.means), 'group')}"
        notes = (note,) if len(grouped.means) < len(distinct) else ()
        part = _table(function, term, levels, printed, base, notes, context)
        assert part.term is not None  # noqa: S101  a table is a term
        loss = mean_and_squares(y - base - printed[known], w)[1] if w.any() else 0.0
        least = float(np.sum(w * np.square(y - grouped.means[grouped.member])))
        yield Choice(part.term.numbers_to_read, characters(part.term), loss, least, partial(_unchanged, part))


class Grouped:
    """Values in groups: (groups,) ``means`` and ``weights``, (values,) ``member``, the group of each value."""

    def __init__(self, y: FloatArray, w: FloatArray, member: npt.NDArray[np.intp]) -> None:
        self.member = member
        self.weights: FloatArray = np.bincount(member, weights=w).astype(np.float64)
        counts = np.bincount(member)
        sums, plain = np.bincount(member, weights=w * y), np.bincount(member, weights=y)
        weighed = self.weights > 0  # a group of levels that no row has keeps its plain mean
        self.means: FloatArray = np.where(weighed, sums / np.where(weighed, self.weights, 1.0), plain / counts)


def _table(
    function: TeacherFunction,
    term: Term,
    levels: LevelCounts,
    printed: FloatArray,
    base: float,
    notes: tuple[str, ...],
    context: Context,
) -> DistilledTerm:
    values = level_values(term, levels)
    curve = tabulated(term, levels, values, printed, context.options, context.precision, base=base)
    return DistilledTerm(function.label, function.term, curve.term, base, (curve,), notes)
