"""What a distillation needs of the rows, in a form that is built in parts and merged: on threads, files or executors.

The teacher is a sum of known functions, so of each function only the distribution of its inputs is needed, and of all
together the spread of the teacher's score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.compiled import MISSING, UNSEEN, level_codes
from curvec.condense.cells import Cells
from curvec.condense.spread import Spread
from curvec.data import Table
from curvec.errors import InputError, counted
from curvec.ir import Feature, Key, Sum, Term, features_of, label_of, names_of, unlisted_level, uses_of
from curvec.model import CurveModel
from curvec.parameters.precision import without_offsets
from curvec.rows.spark import Mergeable
from curvec.transforms import FloatArray

_CELLS = 1 << 14
"""Of one feature; fewer where there are very many features, so that memory stays below some hundred MB."""
_ALL_CELLS = 1 << 21
_JOINT_CELLS = 1 << 16
"""Of the features of a term of several; fewer where there are very many such terms."""
_ALL_JOINT_CELLS = 1 << 20


class View(msgspec.Struct, frozen=True):
    """The rows as one function sees them: few that stand for all.

    Attributes:
        table: the function's features.
        weights: (n,) what each counts for.
        rows: (n,) how many rows each stands for.

    """

    table: Table
    weights: FloatArray
    rows: FloatArray


class Summary(Mergeable, Protocol):
    """Something that is summed over rows, see :class:`curvec.rows.spark.Mergeable`."""

    def update(self, table: Table, w: FloatArray | None) -> None:
        """Add rows: the features of what is summed up, and (rows,) weights from 0 to 2^32; None for ones."""


class RowSummary:
    """What a distillation needs of the rows: made empty from the teacher alone, updated, merged, and then asked.

    It is made of parts that know nothing of each other, so each can be updated on a thread or merged on an executor of
    its own. The result is the same to the last bit, however the rows are divided and in whatever order they come.

    Args:
        teacher: the exact teacher.
        functions: its functions, as :func:`curvec.distill.term_distiller.functions_of` gives them.

    Attributes:
        parts: the summaries that it is made of.

    """

    def __init__(self, teacher: CurveModel, functions: Sequence[Term]) -> None:
        several = sum(len(names_of(term)) > 1 for term in functions)
        cells = max(_CELLS >> 3, min(_CELLS, _ALL_CELLS // max(1, len(functions))))
        joint_cells = max(_JOINT_CELLS >> 3, min(_JOINT_CELLS, _ALL_JOINT_CELLS // max(1, several)))
        self._functions = [FunctionRows(term, joint_cells if len(names_of(term)) > 1 else cells) for term in functions]
        self._score = ScoreRows(teacher)
        rest = without_offsets(teacher)
        self._learnt = self._score if rest is teacher else ScoreRows(rest)
        self.parts: list[Summary] = [*self._functions, *dict.fromkeys([self._score, self._learnt])]

    @property
    def score(self) -> Spread:
        """The spread of the teacher's raw score."""
        return self._score.spread

    @property
    def learnt(self) -> Spread:
        """That of the score without its offsets, which nothing shortens; ``score`` itself where there is none."""
        return self._learnt.spread

    @property
    def rows(self) -> int:
        """How many rows were added."""
        return self._score.rows

    @property
    def weighted(self) -> bool:
        """Whether a row has a positive weight."""
        return self._score.weighted

    def views(self) -> list[View | None]:
        """For each function the rows as it sees them; None where they lie in too many combinations of values."""
        return [function.view() for function in self._functions]


class ScoreRows:
    """The spread over rows of a model's raw score.

    Args:
        model: the model, whose features are read.

    Attributes:
        spread: the spread.
        rows: how many rows were added.
        weighted: whether one has a positive weight.

    """

    def __init__(self, model: CurveModel) -> None:
        self._model = model
        self.spread = Spread()
        self.rows = 0
        self.weighted = False

    def update(self, table: Table, w: FloatArray | None) -> None:
        """See :class:`Summary`."""
        self.spread.update(self._model.compile().of_table(table), w)
        self.rows += table.rows
        self.weighted = self.weighted or (table.rows > 0 if w is None else bool(w.any()))

    def merge(self, other: ScoreRows) -> None:
        """See :class:`Summary`."""
        self.spread.merge(other.spread)
        self.rows += other.rows
        self.weighted = self.weighted or other.weighted


class DifferenceRows:
    """The spreads over rows of what a model's raw score is above those of others.

    Args:
        model: the model, whose features are read.
        others: the others, of no features that the model does not have; None for a score of 0.

    Attributes:
        spreads: one for each of the others.

    """

    def __init__(self, model: CurveModel, others: Sequence[CurveModel | None]) -> None:
        self._model, self._others = model, others
        self.spreads = [Spread() for _ in others]

    def update(self, table: Table, w: FloatArray | None) -> None:
        """See :class:`Summary`."""
        score = self._model.compile().of_table(table)
        for spread, other in zip(self.spreads, self._others, strict=True):
            spread.update(score if other is None else score - other.compile().of_table(table), w)

    def merge(self, other: DifferenceRows) -> None:
        """See :class:`Summary`."""
        for own, theirs in zip(self.spreads, other.spreads, strict=True):
            own.merge(theirs)


class Axis(msgspec.Struct, frozen=True):
    """A feature as numbers: itself, or the codes of its levels.

    Attributes:
        features: the feature as it is read: as a number, as a category, or as both.
        cuts: where the function bends or jumps.
        levels: of a category that is read as nothing else.

    """

    features: tuple[Feature, ...]
    cuts: tuple[float, ...]
    levels: tuple[Key, ...]

    @property
    def name(self) -> str:
        """The feature."""
        return self.features[0].name

    @property
    def is_coded(self) -> bool:
        """Whether the numbers are codes of levels."""
        return all(feature.type != "number" for feature in self.features)

    def numbers(self, table: Table) -> npt.NDArray[np.float64]:
        """(rows,) the numbers; the code after the last is that of all other levels, and NaN of what is missing."""
        if not self.is_coded:
            return table.number(self.name)
        known = {level: code for code, level in enumerate(self.levels)}
        codes = level_codes(table.raw(self.name), self.name, self.features[0].type, known, table.place)
        return np.where(codes == MISSING, np.nan, np.where(codes == UNSEEN, len(known), codes))

    def column(self, numbers: FloatArray) -> npt.NDArray[Any]:
        """The column with these numbers."""
        if not self.is_coded:
            return numbers
        values = np.empty(len(self.levels) + 2, dtype=object)
        values[: len(self.levels)] = self.levels
        values[len(self.levels)] = unlisted_level(self.features[0].type, self.levels)
        return np.asarray(values[np.where(np.isnan(numbers), len(self.levels) + 1, numbers).astype(np.intp)])


class FunctionRows:
    """The rows as one function of the teacher sees them, in so many cells at most."""

    def __init__(self, term: Term, most: int) -> None:
        self._axes = [_axis(term, name) for name in names_of(term)]
        self._cells = Cells([axis.cuts for axis in self._axes], most)

    def update(self, table: Table, w: FloatArray | None) -> None:
        """See :class:`Summary`."""
        self._cells.update([axis.numbers(table) for axis in self._axes], w)

    def merge(self, other: FunctionRows) -> None:
        """See :class:`Summary`."""
        self._cells.merge(other._cells)

    def view(self) -> View | None:
        """The rows that stand for all; None where they lie in too many combinations of values."""
        if self._cells.too_many:
            return None
        found = self._cells.examples()
        columns = {axis.name: axis.column(own) for axis, own in zip(self._axes, found.values, strict=True)}
        features = [feature for axis in self._axes for feature in axis.features]
        return View(Table(columns, features), found.weights, found.rows)


def axes_of(model: CurveModel) -> list[Axis]:
    """A model's features."""
    return [_axis(Sum(model.terms), name) for name in names_of(*model.terms)]


def _axis(term: Term, name: str) -> Axis:
    features = tuple(dict.fromkeys(feature for feature in features_of(term) if feature.name == name))
    uses = uses_of(name, term)
    if all(feature.type != "number" for feature in features):
        return Axis(features, (), tuple(uses.levels))
    alone = [*uses.special_codes, *map(float, uses.levels)]
    cuts = {*uses.breaks, *alone, *np.nextafter(alone, np.inf).tolist()}
    return Axis(features, tuple(sorted(cuts)), ())


def no_squares_error(what: str, low: float, high: float) -> InputError:
    """The error for a teacher's score, or a function of it, that is too large for sums of squares."""
    return InputError(
        f"the teacher's {what} goes from {low!r} to {high!r}; the weighted squares of such differences are no doubles, "
        "so rescale the teacher's target, or the weights"
    )


def too_many_message(term: Term) -> str:
    """What is said of a term whose rows cannot be summed up."""
    return (
        f"the term {label_of(term)} joins {counted(len(names_of(term)), 'feature')}, and the rows have more than "
        f"{_JOINT_CELLS:,} combinations of their values (fewer, of many such terms), even between the teacher's own "
        "cuts; distil on a frame in memory of some of the rows"
    )
