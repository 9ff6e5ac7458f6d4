"""A budget of segments spent over the curves of a model where it buys most: a small knapsack, solved exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from curvec.distill.context import Context
from curvec.distill.distilled import DistilledTerm
from curvec.distill.fitted_curve import FittedCurve, best_curve, distance_of
from curvec.distill.parallel import run_parallel
from curvec.errors import InputError, counted
from curvec.evaluate import term_values
from curvec.fit import Fit
from curvec.ir import PWLCurve

__all__ = ["allocate", "within_budget"]


def allocate(losses: Sequence[Mapping[int, float]], budget: int) -> list[int]:
    """The number of segments of each curve with the least total loss, at most ``budget`` segments in all.

    All curves add to the same raw score, so their squared errors have one unit and can be weighed against each
    other. Dynamic programming over curves and segments: O(curves * budget * sizes).

    Args:
        losses: for each curve, size -> squared error; sizes are its possible numbers of segments.
        budget: segments for all curves together.

    Raises:
        InputError: even the smallest sizes together exceed the budget.

    """
    least = sum(min(sizes) for sizes in losses)
    if least > budget:
        raise InputError(f"max_total_segments={budget} is less than the {least} that the curves need at the least")
    budget = min(budget, sum(max(sizes) for sizes in losses))
    best = np.zeros(budget + 1)  # best[b]: the least loss of the curves so far with at most b segments
    choices = []
    for sizes in losses:
        ordered = sorted(size for size in sizes if size <= budget)  # ties go to the smaller size
        totals = np.full((len(ordered), budget + 1), np.inf)
        for row, size in enumerate(ordered):
            totals[row, size:] = best[: budget + 1 - size] + sizes[size]
        picked = np.argmin(totals, axis=0)
        choices.append([ordered[row] for row in picked])
        best = totals[picked, np.arange(budget + 1)]
    result = []
    for choice in reversed(choices):
        result.append(choice[budget])
        budget -= result[-1]
    return result[::-1]


def within_budget(parts: Sequence[DistilledTerm], context: Context, threads: int) -> list[DistilledTerm]:
    """The parts with every curve at the size that the budget leaves it.

    Every size is fitted by itself, for the transform that suits a long curve may not suit a short one. Curves inside
    products and other curves stay as they are, and their segments are spent first.

    Args:
        parts: the parts, each curve at its largest size.
        context: the data and the options, with their budget.
        threads: how many fits at a time.

    Raises:
        InputError: the budget does not reach for one segment a curve.

    """
    budget = context.options.max_total_segments
    assert budget is not None  # noqa: S101  the caller has looked
    free = [place for place, part in enumerate(parts) if _fitted(part)]
    fixed = sum(_segments(part) for place, part in enumerate(parts) if place not in free)
    if fixed + len(free) > budget:
        raise InputError(
            f"max_total_segments={budget} is too few: a segment each for {counted(len(free), 'curve')}, "
            f"and curves that cannot shrink have {fixed}; allow at least {fixed + len(free)}"
        )
    paths = run_parallel(
        lambda place: _sizes(parts[place], context), free, threads=threads, label="spending the budget"
    )
    losses = [{size: fit.sse for size, fit in path.items()} for path in paths]
    result = list(parts)
    for place, path, size in zip(free, paths, allocate(losses, budget - fixed), strict=True):
        result[place] = _resized(parts[place], path[size], context)
    return result


def _fitted(part: DistilledTerm) -> bool:
    return len(part.curves) == 1 and part.curves[0].fit is not None and part.term is not None


def _sizes(part: DistilledTerm, context: Context) -> dict[int, Fit]:
    """For every number of segments up to the part's own, the fit with at most that many."""
    feature = part.curves[0].label
    fits: dict[int, Fit] = {}
    for most in range(1, _segments(part) + 1):
        options = context.options.with_segments(feature, most)
        _, fit = best_curve(
            feature, context.examples(part.teacher, feature), options, part.curves[0].missing, context.precision
        )
        assert fit is not None  # noqa: S101  the largest one was fitted too
        size = fit.num_segments
        if size not in fits or fit.sse < fits[size].sse:
            fits[size] = fit
    return fits


def _segments(part: DistilledTerm) -> int:
    if part.term is None:
        return 0
    return sum(len(curve.term.points) - 1 for curve in part.curves if isinstance(curve.term, PWLCurve))


def _resized(part: DistilledTerm, fit: Fit, context: Context) -> DistilledTerm:
    (curve,) = part.curves
    if fit.curve == curve.term:
        return part
    distance = distance_of(context.examples(part.teacher, curve.label), term_values(fit.curve, context.table))
    smaller = FittedCurve(curve.label, fit.curve, distance, curve.seconds, fit, notes=fit.notes)
    return replace(part, term=fit.curve, curves=(smaller,))
