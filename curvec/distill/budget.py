"""A budget of segments spent over the curves of a model where it buys most: a small knapsack, solved exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from curvec.distill.jobs import run
from curvec.distill.leaf import Leaf, best_curve, compare
from curvec.distill.parts import Replaced, Replacement, part_of
from curvec.distill.setting import Setting
from curvec.errors import InputError
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


def within_budget(parts: Sequence[Replaced], setting: Setting, threads: int) -> list[Replaced]:
    """The parts with every curve at the size that the budget leaves it.

    Every size is fitted by itself, for the transform that suits a long curve may not suit a short one. Curves inside
    products and other curves stay as they are, and their segments are spent first.

    Args:
        parts: the parts, each curve at its largest size.
        setting: the data and the options, with their budget.
        threads: how many fits at a time.

    Raises:
        InputError: the budget does not reach for one segment a curve.

    """
    budget = setting.options.max_total_segments
    assert budget is not None  # noqa: S101  the caller has looked
    free = [place for place, part in enumerate(parts) if _fitted(part)]
    fixed = sum(_segments(part) for place, part in enumerate(parts) if place not in free)
    if fixed + len(free) > budget:
        raise InputError(
            f"max_total_segments={budget} is too few: {len(free)} curves need a segment each, and curves that cannot "
            f"shrink have {fixed}; allow at least {fixed + len(free)}"
        )
    paths = run(lambda place: _sizes(parts[place], setting), free, threads=threads, label="spending the budget")
    losses = [{size: fit.sse for size, fit in path.items()} for path in paths]
    result = list(parts)
    for place, path, size in zip(free, paths, allocate(losses, budget - fixed), strict=True):
        result[place] = _resized(parts[place], path[size], setting)
    return result


def _fitted(part: Replaced) -> bool:
    return len(part.leaves) == 1 and part.leaves[0].fit is not None and part.term is not None


def _sizes(part: Replaced, setting: Setting) -> dict[int, Fit]:
    """For every number of segments up to the part's own, the fit with at most that many."""
    feature = part.leaves[0].label
    fits: dict[int, Fit] = {}
    for most in range(1, _segments(part) + 1):
        options = setting.options.with_segments(feature, most)
        _, fit = best_curve(feature, setting.sample(part.teacher, feature), options, part.leaves[0].missing)
        assert fit is not None  # noqa: S101  the largest one was fitted too
        size = fit.num_segments
        if size not in fits or fit.sse < fits[size].sse:
            fits[size] = fit
    return fits


def _segments(part: Replaced) -> int:
    if part.term is None:
        return 0
    return sum(len(leaf.term.points) - 1 for leaf in part.leaves if isinstance(leaf.term, PWLCurve))


def _resized(part: Replaced, fit: Fit, setting: Setting) -> Replaced:
    leaf = part.leaves[0]
    if fit.curve == leaf.term:
        return part
    sample = setting.sample(part.teacher, leaf.label)
    stats = compare(sample, term_values(fit.curve, setting.table))
    smaller = Leaf(leaf.label, fit.curve, stats, leaf.seconds, fit, notes=fit.notes)
    return part_of(part.label, part.teacher, Replacement(fit.curve, 0.0, (smaller,)), setting)
