"""A local search after the knapsack: functions exchange their forms while the whole score gets nearer to the teacher's.

The knapsack adds up the functions' losses as if their errors were uncorrelated. The errors of correlated features are
not: leaving out two functions that are large on the same rows costs more than the sum, and two errors may cancel.
Starting from the knapsack's choice, this search minimises the error of the whole score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curvec.data import Table
from curvec.distill.choices import Choice
from curvec.distill.row_source import RowSource
from curvec.evaluate import term_values
from curvec.ir import Feature, Sum, Term, features_of
from curvec.model import CurveModel
from curvec.transforms import FloatArray

_IN_MEMORY = 8_000_000
"""The most errors (rows times forms) that are held in memory at once."""
_EQUAL = 9
"""Decimal places to which gains are rounded, as shares of the largest squared error of a form, so that the order in
which rows are added up does not decide between equal ones."""


def exchange_forms(
    choices: Sequence[Sequence[Choice]],
    picked: Sequence[Choice],
    source: RowSource,
    exact: CurveModel,
    least_gain: float,
    most: int,
) -> list[Choice]:
    """Each function's choice after exchanging the forms of one or two functions at a time to reduce the score's error.

    The exchange that gains most is made first, until none within the numbers to read gains ``least_gain``. If all
    values of ``picked`` end at one decimal place, those of the result do, too.

    Args:
        choices: what each function may become.
        picked: what each becomes to begin with.
        source: the rows.
        exact: the teacher.
        least_gain: the squared error that an exchange has to gain.
        most: the most numbers to read of all functions.

    """
    if not picked:
        return []
    at_place = all(choice.at_place for choice in picked)
    forms = [
        _of_each_size(alternatives, one, at_place=at_place) for alternatives, one in zip(choices, picked, strict=True)
    ]
    made = [[choice.made() for choice in alternatives] for alternatives in forms]
    products = _Products([(alternatives[0].teacher, [one.term for one in alternatives]) for alternatives in made])
    source.summed(exact, [products])
    gram = products.about_means() * source.unit
    function = np.repeat(np.arange(len(forms)), [len(alternatives) for alternatives in forms])
    numbers = np.array([choice.numbers for alternatives in forms for choice in alternatives])
    first = np.concatenate([[0], np.cumsum([len(alternatives) for alternatives in forms])[:-1]])
    now = first.astype(np.intp)  # the picked one is the first of its function's
    while True:
        trial = _best_exchange(_State(gram, function, numbers, now), most)
        if trial is None or trial.gain <= least_gain:
            break
        now = trial.forms
    flat = [choice for alternatives in forms for choice in alternatives]
    return [flat[place] for place in now]


def _of_each_size(alternatives: Sequence[Choice], now: Choice, *, at_place: bool) -> list[Choice]:
    """The current choice, and for each other size the choice that loses least."""
    best = {now.numbers: now}
    for choice in sorted(alternatives, key=lambda choice: (choice.numbers, choice.loss)):
        if choice.at_place or not at_place:
            best.setdefault(choice.numbers, choice)
    return list(best.values())


class _Products:
    """The weighted sums of products of the forms' errors: a :class:`curvec.distill.row_summary.Summary`.

    Args:
        functions: for each function its exact form, and its candidate terms; None is a constant.

    """

    def __init__(self, functions: Sequence[tuple[Term, Sequence[Term | None]]]) -> None:
        self._functions = functions
        count = sum(len(forms) for _, forms in functions)
        self._features = list(dict.fromkeys(features_of(Sum([exact for exact, _ in functions]))))
        self._products, self._sums, self._weight = np.zeros((count, count)), np.zeros(count), 0.0

    def update(self, table: Table, w: FloatArray | None) -> None:
        """Add rows."""
        for some, weights in _slices(table, w, self._features, 1 + _IN_MEMORY // len(self._sums)):
            errors = np.array([error for exact, forms in self._functions for error in _errors(exact, forms, some)])
            weighted = errors * weights
            self._products += weighted @ errors.T
            self._sums += weighted.sum(axis=1)
            self._weight += float(weights.sum())

    def merge(self, other: _Products) -> None:
        """Add another's rows."""
        self._products += other._products
        self._sums += other._sums
        self._weight += other._weight

    def about_means(self) -> FloatArray:
        """(forms, forms) the sums, of the errors less their means."""
        result: FloatArray = self._products - np.outer(self._sums, self._sums) / max(self._weight, 1e-300)
        return result


def _errors(exact: Term, forms: Sequence[Term | None], table: Table) -> list[FloatArray]:
    """For each form of a function (rows,) its error: the function less the form, 0 where either has no value."""
    values = term_values(exact, table)
    return [np.nan_to_num(values if term is None else values - term_values(term, table)) for term in forms]


def _slices(
    table: Table, weights: FloatArray | None, features: Sequence[Feature], most: int
) -> Iterator[tuple[Table, FloatArray]]:
    """The rows of a table, ``most`` at a time, and their weights; all at once where a column is read in two ways."""
    w = np.ones(table.rows) if weights is None else weights
    if table.rows <= most or len({feature.name for feature in features}) < len(features):
        yield table, w
        return
    columns = {feature.name: table.read_as(feature) for feature in features}
    for start in range(0, table.rows, most):
        rows = slice(start, start + most)
        yield Table({name: column[rows] for name, column in columns.items()}, features), w[rows]


class _State(NamedTuple):
    """Products of the forms' errors (forms, forms), each form's function and numbers, and the forms now chosen."""

    gram: FloatArray
    function: npt.NDArray[np.intp]
    numbers: npt.NDArray[np.intp]
    now: npt.NDArray[np.intp]


class _Exchange(NamedTuple):
    """By how much an exchange reduces the squared error of the score, and the forms after it."""

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
    unit = 10.0**-_EQUAL * max(float(np.diag(gram).max()), 1e-300)
    change = np.round(change / unit) * unit
    one, other = np.unravel_index(int(np.argmin(change)), change.shape)
    if not np.isfinite(change[one, other]):
        return None
    forms = now.copy()
    forms[function[one]], forms[function[other]] = one, other
    return _Exchange(-float(change[one, other]), forms)
