"""A model of a size chosen together: forms exchanged where the whole score comes nearer to the teacher's.

The knapsack adds up what each function loses, as if their errors had nothing to do with each other. Those of features
that go together do: two functions that are left out are missed twice where both are large, and two errors may cancel
out. Here the error of the whole score decides, from the knapsack's choice on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curvec.distill.choices import Choice
from curvec.distill.context import Context
from curvec.evaluate import term_values
from curvec.transforms import FloatArray

__all__ = ["exchanged"]

_MOST_ROWS = 50_000
"""Of more rows so many are looked at, evenly among them in the order of the teacher's score."""


def exchanged(
    choices: Sequence[Sequence[Choice]], picked: Sequence[Choice], context: Context, most: int
) -> list[Choice]:
    """Each function's choice, after exchanges of one or two at a time that bring the score nearer to the teacher's.

    An exchange is made while it gains more than the margin, the best first, within the numbers to read. Values go on
    ending at one decimal place where those of ``picked`` do.

    Args:
        choices: what each function may become.
        picked: what each becomes to begin with.
        context: the rows and the teacher's score.
        most: the most numbers to read of all functions.

    """
    at_place = all(choice.at_place for choice in picked)
    forms = [_of_each_size(own, one, at_place=at_place) for own, one in zip(choices, picked, strict=True)]
    errors = _errors(forms, context)
    gram = errors @ errors.T
    function = np.repeat(np.arange(len(forms)), [len(own) for own in forms])
    numbers = np.array([choice.numbers for own in forms for choice in own])
    first = np.concatenate([[0], np.cumsum([len(own) for own in forms])[:-1]])
    now = first.astype(np.intp)  # the picked one is the first of its function's
    while True:
        trial = _best_exchange(_State(gram, function, numbers, now), most)
        if trial is None or trial.gain <= context.options.margin * context.total:
            break
        now = trial.forms
    flat = [choice for own in forms for choice in own]
    return [flat[place] for place in now]


def _of_each_size(own: Sequence[Choice], now: Choice, *, at_place: bool) -> list[Choice]:
    """The choice made so far, and the one that loses least of each other size."""
    best = {now.numbers: now}
    for choice in sorted(own, key=lambda choice: (choice.numbers, choice.loss)):
        if choice.at_place or not at_place:
            best.setdefault(choice.numbers, choice)
    return list(best.values())


def _errors(forms: Sequence[Sequence[Choice]], context: Context) -> FloatArray:
    """(forms, rows) how far each form is from its function, each row times the root of its weight; 0 where unknown."""
    rows = np.flatnonzero(np.isfinite(context.score) & (context.weights > 0))
    rows = rows[np.argsort(context.score[rows], kind="stable")]
    step = max(1, -(-len(rows) // _MOST_ROWS))
    rows = rows[step // 2 :: step]
    root, result = np.sqrt(context.weights[rows] * step), []
    for own in forms:
        parts = [choice.made() for choice in own]
        exact = term_values(parts[0].teacher, context.table)[rows]
        for part in parts:
            new = np.zeros(len(rows)) if part.term is None else term_values(part.term, context.table)[rows]
            gap = np.nan_to_num(exact - new)
            result.append(root * (gap - np.average(gap, weights=root**2)))
    return np.array(result)


class _State(NamedTuple):
    """Products of the forms' errors (forms, forms), each form's function and numbers, and the forms chosen now."""

    gram: FloatArray
    function: npt.NDArray[np.intp]
    numbers: npt.NDArray[np.intp]
    now: npt.NDArray[np.intp]


class _Exchange(NamedTuple):
    """By how much the squared error of the score falls, and the forms after it."""

    gain: float
    forms: npt.NDArray[np.intp]


def _best_exchange(state: _State, most: int) -> _Exchange | None:
    """The exchange of one or two forms that gains most within the numbers to read; None where nothing fits."""
    gram, function, numbers, now = state
    old = now[function]
    # What the change of one form adds to the error of the score, alone and beside that of another.
    with_score = gram[:, now].sum(axis=1) - gram[old][:, now].sum(axis=1)
    between = gram - gram[old] - gram[:, old] + gram[np.ix_(old, old)]
    alone = 2 * with_score + np.diag(between)
    change = alone[:, None] + alone[None, :] + 2 * between
    more = numbers - numbers[old]
    np.fill_diagonal(change, alone)
    size = numbers[now].sum() + more[:, None] + more[None, :]
    np.fill_diagonal(size, numbers[now].sum() + more)
    same = function[:, None] == function[None, :]
    change[(size > most) | (same & ~np.eye(len(numbers), dtype=np.bool_))] = np.inf
    one, other = np.unravel_index(int(np.argmin(change)), change.shape)
    if not np.isfinite(change[one, other]):
        return None
    forms = now.copy()
    forms[function[one]], forms[function[other]] = one, other
    return _Exchange(-float(change[one, other]), forms)
