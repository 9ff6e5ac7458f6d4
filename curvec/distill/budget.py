"""Choosing one form for each function: a knapsack problem, solved exactly.

All functions add to the same raw score, so their squared errors have one unit and can be weighed against each other.
The first program finds the least loss at every number of numbers to read; the second, among all models that are within
the margin of the least loss, the one with the fewest characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from curvec.distill.choices import Choice
from curvec.errors import InputError
from curvec.transforms import FloatArray


class LeastLosses:
    """The least loss of a model at every size, and the choices that reach it, in O(functions * n * choices).

    Attributes:
        choices: what each function may become.
        losses: (n + 1,) of the best choices with at most 0, 1, ..., n numbers; infinite where there are none.

    """

    def __init__(self, choices: Sequence[Sequence[Choice]]) -> None:
        most = sum(max(choice.numbers for choice in alternatives) for alternatives in choices)
        best = np.zeros(most + 1)
        self._picked: list[npt.NDArray[np.intp]] = []
        for alternatives in choices:
            totals = np.full((len(alternatives), most + 1), np.inf)
            for row, choice in enumerate(alternatives):
                totals[row, choice.numbers :] = best[: most + 1 - choice.numbers] + choice.least
            self._picked.append(np.argmin(totals, axis=0))
            best = totals[self._picked[-1], np.arange(most + 1)]
        self.choices = choices
        self.losses: FloatArray = best

    def places(self, size: int) -> list[int]:
        """The place of each function's choice in the best model of at most ``size`` numbers."""
        found = []
        for alternatives, picked in zip(reversed(self.choices), reversed(self._picked), strict=True):
            found.append(int(picked[size]))
            size -= alternatives[found[-1]].numbers
        return found[::-1]


def shortest_within(
    choices: Sequence[Sequence[Choice]],
    losses: FloatArray,
    margin: float,
    most: int | None,
    *,
    nearest: bool = False,
) -> list[Choice] | None:
    """Each function's choice in the shortest model within the margin; None if no model is.

    Args:
        choices: what each function may become.
        losses: (n + 1,) the least losses that are possible, see :class:`LeastLosses`.
        margin: by how much the loss may be above the least that is possible with so many numbers.
        most: the most numbers to read; None for no limit.
        nearest: take the model that loses least if none is within the margin.

    Raises:
        InputError: no choices are within ``most`` numbers.

    """
    size = len(losses) - 1 if most is None else min(most, len(losses) - 1)
    if not np.isfinite(losses[size]):
        needed = int(np.argmax(np.isfinite(losses)))
        raise InputError(
            f"max_numbers={size + 1} is too few: with the intercept, the functions that cannot be left out have "
            f"{needed + 1} numbers to read; allow as many"
        )
    if not all(choices):
        return None
    longest = sum(max(choice.characters for choice in alternatives) for alternatives in choices)
    limits = (1 if most is None else size + 1, longest + 1)
    least, picked = np.zeros(limits), []
    for alternatives in choices:
        least, chosen = _with_one_more_function(least, alternatives, counting=most is not None)
        picked.append(chosen)
    allowed = (losses[size] + margin) * (1 + 1e-12)
    enough = np.flatnonzero(least[-1] <= (max(allowed, least[-1, -1]) if nearest else allowed))
    if not enough.size:
        return None
    numbers, length = limits[0] - 1, int(enough[0])
    result = []
    for alternatives, chosen in zip(reversed(choices), reversed(picked), strict=True):
        result.append(alternatives[int(chosen[numbers, length])])
        numbers -= result[-1].numbers if most is not None else 0
        length -= result[-1].characters
    return result[::-1]


def _with_one_more_function(
    best: FloatArray, alternatives: Iterable[Choice], *, counting: bool
) -> tuple[FloatArray, npt.NDArray[np.int16]]:
    """The least loss at every pair of limits, on numbers and on characters, with one more function, and its choice."""
    total, picked = np.full(best.shape, np.inf), np.zeros(best.shape, dtype=np.int16)
    numbers, length = best.shape
    for place, choice in enumerate(alternatives):
        size = choice.numbers if counting else 0
        if size >= numbers or choice.characters >= length:
            continue
        trial = best[: numbers - size, : length - choice.characters] + choice.loss
        better = trial < total[size:, choice.characters :]
        total[size:, choice.characters :][better] = trial[better]
        picked[size:, choice.characters :][better] = place
    return total, picked
