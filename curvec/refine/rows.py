"""What refining needs of the rows of a stream: sums that are built in parts, merged, and the same in any order.

Everything that is added up over rows is added without rounding, so that files, threads and executors in any order give
the same numbers to the last bit; the rows of a fold, and those of a sample, follow from a hash of each row alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from curvec._core import ExactSum, NormalSums, hash_rows
from curvec.condense.spread import Spread, exact_value
from curvec.conversion import Coded, Place
from curvec.data import Table
from curvec.distill.row_source import Reading
from curvec.distill.row_summary import ScoreRows, axes_of
from curvec.errors import InputError
from curvec.evaluate import term_values
from curvec.features import Feature
from curvec.ir import EnumCurve, Line, Term
from curvec.model import CurveModel
from curvec.parameters.design import blocks, design, with_parameters
from curvec.parameters.level_groups import rows_at_levels
from curvec.refine.losses import POINTWISE, check_labels
from curvec.refine.ridge_choice import Tried
from curvec.rows import Batch
from curvec.transforms import FloatArray

_FOLD, _SAMPLE = 1, 2
"""Where a row's hash begins, so that a sample of the rows says nothing of their folds."""


class LabelledRows(msgspec.Struct, frozen=True):
    """Rows with labels and weights.

    Attributes:
        table: the model's features.
        y: (rows,) the labels.
        w: (rows,) the weights.
        folds: (rows,) the fold of each.

    """

    table: Table
    y: FloatArray
    w: FloatArray
    folds: npt.NDArray[np.int32]

    def of_fold(self, fold: int) -> LabelledRows:
        """Those of one fold."""
        return self.restricted_to(np.flatnonzero(self.folds == fold))

    def restricted_to(self, rows: npt.NDArray[np.intp]) -> LabelledRows:
        """Some of the rows."""
        columns = {name: _taken(column.raw, rows) for name, column in self.table.columns.items()}
        table = Table(columns or {"": np.zeros(len(rows))}, self.table.features)
        return LabelledRows(table, self.y[rows], self.w[rows], self.folds[rows])


def _taken(raw: Any, rows: npt.NDArray[np.intp]) -> Any:
    return Coded(raw.values, raw.codes[rows]) if isinstance(raw, Coded) else raw[rows]


class LabelledReading(Reading, frozen=True):
    """What refining reads of a batch. It pickles.

    Attributes:
        loss: the pointwise loss that the labels are for.
        label_column: the column of labels; None: the teacher's scores are the labels.
        teacher: the teacher, for loss "teacher"; its features are read, too.
        model: the model.
        folds: how many folds there are.
        sample: the share of the rows that counts; None for all.

    """

    loss: str
    label_column: str | None
    teacher: CurveModel | None
    model: CurveModel
    folds: int
    sample: float | None

    @property
    def names(self) -> list[str]:
        """The columns."""
        return [*dict.fromkeys([*super().names, *([] if self.label_column is None else [self.label_column])])]

    def rows(self, batch: Batch) -> tuple[LabelledRows]:
        """The rows, those outside of the sample left out.

        Raises:
            InputError: a label, a weight or a value breaks a rule, or a row has no score; the message names the row.

        """
        table, w = self.table(batch)
        y = self._labels(batch, table)
        weights = np.ones(table.rows) if w is None else w
        columns = [y, weights, *(axis.numbers(table) for axis in axes_of(self.model))]
        hashed = [np.ascontiguousarray(column) for column in columns]
        folds = (hash_rows(hashed, _FOLD) % np.uint64(self.folds)).astype(np.int32)
        found = LabelledRows(table, y, weights, folds)
        _check_scored(self.model.compile().of_table(table), batch.place, "")
        if self.sample is None:
            return (found,)
        return (found.restricted_to(np.flatnonzero(hash_rows(hashed, _SAMPLE) < np.uint64(self.sample * 2.0**64))),)

    def _labels(self, batch: Batch, table: Table) -> FloatArray:
        if self.teacher is not None:
            score = self.teacher.compile().of_table(table)
            _check_scored(score, batch.place, " from the teacher")
            return score
        assert self.label_column is not None  # noqa: S101  one of the two is there
        y = batch.table([Feature(self.label_column)]).number(self.label_column)
        bad = ~np.isfinite(y)
        if bad.any():
            row = int(np.argmax(bad))
            raise InputError(
                f"{batch.place.cell(self.label_column, row)}: the label is {y[row]}, not finite; leave such rows out"
            )
        check_labels(self.loss, y, lambda row: f"{batch.place.cell(str(self.label_column), row)}: the label")
        return np.asarray(y)


def _check_scored(score: FloatArray, place: Place, whose: str) -> None:
    if np.isnan(score).any():
        row = place.first + int(np.argmax(np.isnan(score)))
        raise InputError(
            f"{place.head}row {row} has no score{whose} (a missing or unseen input without a value); "
            "leave such rows out"
        )


class _Sums:
    """Sums of rows' numbers without rounding, by their place."""

    def __init__(self, count: int) -> None:
        self._sums = [ExactSum() for _ in range(count)]

    def add(self, place: int, values: FloatArray) -> None:
        self._sums[place].add(np.ascontiguousarray(values))

    def merge(self, other: _Sums) -> None:
        for own, theirs in zip(self._sums, other._sums, strict=True):
            own.merge(theirs)

    def values(self) -> FloatArray:
        return np.array([float(exact_value(one)) for one in self._sums])


class SurveyedRows:
    """What the first pass asks of the rows once.

    Args:
        model: the model.
        learnt: the model without its offsets.
        ranged: (start of a block, function of the teacher) whose least and largest value are wanted.

    Attributes:
        rows: how many rows.
        labels: least and largest label of a row with a positive weight.

    """

    def __init__(self, model: CurveModel, learnt: CurveModel, ranged: Sequence[tuple[int, Term]]) -> None:
        self._blocks = blocks(model, None)
        self._learnt, self._ranged = learnt, ranged
        self.rows = 0
        self.labels = (math.inf, -math.inf)
        self._score = ScoreRows(learnt)
        self._spans = np.zeros(len(self._blocks))
        self._ranges = [(math.inf, -math.inf) for _ in ranged]
        tables = [block for block in self._blocks if isinstance(block.curve, EnumCurve)]
        self._levels = {block.start: _Sums(block.size) for block in tables}

    def update(self, rows: LabelledRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        table, w = rows.table, rows.w
        self.rows += table.rows
        used = rows.y[w > 0]
        if len(used):
            self.labels = min(self.labels[0], float(used.min())), max(self.labels[1], float(used.max()))
        self._score.update(table, w)
        for place, block in enumerate(self._blocks):
            if isinstance(block.curve, Line):
                x = table.number(block.curve.input)
                self._spans[place] = np.max(np.abs(x), initial=self._spans[place], where=np.isfinite(x))
        for start, at_levels in rows_at_levels(self._blocks, table):
            for level, found in enumerate(at_levels):
                self._levels[start].add(level, w[found])
        for place, (_, term) in enumerate(self._ranged):
            values = term_values(term, table)
            values = values[np.isfinite(values)]
            if len(values):
                low, high = self._ranges[place]
                self._ranges[place] = min(low, float(values.min())), max(high, float(values.max()))

    def merge(self, other: SurveyedRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        self.rows += other.rows
        self.labels = min(self.labels[0], other.labels[0]), max(self.labels[1], other.labels[1])
        self._score.merge(other._score)
        self._spans = np.maximum(self._spans, other._spans)
        self._ranges = [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(self._ranges, other._ranges, strict=True)]
        for start, sums in self._levels.items():
            sums.merge(other._levels[start])

    @property
    def spread(self) -> Spread:
        """That of the scores without offsets."""
        return self._score.spread

    def spans(self) -> dict[int, float]:
        """For the start of each line's block its largest finite |x|; 1 where that is 0."""
        return {block.start: float(span) or 1.0 for block, span in zip(self._blocks, self._spans, strict=True)}

    def level_weights(self) -> dict[int, FloatArray]:
        """For the start of each table's block the weight of the rows at each level."""
        return {start: sums.values() for start, sums in self._levels.items()}

    def ranges(self) -> dict[int, tuple[float, float]]:
        """For the start of each block that was asked for the least and the largest value of its function."""
        return {start: found for (start, _), found in zip(self._ranged, self._ranges, strict=True)}


class NormalRows:
    """The normal equations of a Newton step, for each fold: the loss, its gradient and its Gauss-Newton matrix.

    Args:
        model: the model.
        loss: a pointwise loss.
        theta: (p,) its parameters.
        folds: how many folds there are; 1 for all rows in one.

    """

    def __init__(self, model: CurveModel, loss: str, theta: FloatArray, folds: int) -> None:
        self._model, self._loss, self._folds = with_parameters(model, theta), loss, folds
        self._normal = NormalSums(len(theta), folds)
        self._sums = _Sums(_NORMAL * folds)
        self.rows = np.zeros(folds, dtype=np.int64)

    def update(self, rows: LabelledRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        functions, y, w = POINTWISE[self._loss], rows.y, rows.w
        score = self._model.compile().of_table(rows.table)
        basis = design(self._model, rows.table)
        basis.sort_indices()
        gradient, second = w * functions.first(y, score), w * functions.second(y, score)
        folds = rows.folds % np.int32(self._folds)  # all rows are in one where there is but one
        if not self._normal.add(basis.indptr, basis.indices, basis.data, folds, gradient, second):
            raise InputError("the loss's curvature overflows: a column, a label or a value of the model is too large")
        columns = (w, w * functions.value(y, score), second)
        for fold in range(self._folds):
            own = folds == fold
            self.rows[fold] += int(own.sum())
            for place, column in enumerate(columns):
                self._sums.add(_NORMAL * fold + place, column[own])

    def merge(self, other: NormalRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        self._normal.merge(other._normal)
        self._sums.merge(other._sums)
        self.rows = self.rows + other.rows

    def found(self) -> Normal:
        """What was found in each fold."""
        gradient, matrix = self._normal.values()
        return Normal(self.rows, gradient, matrix, *self._sums.values().reshape(-1, _NORMAL).T)


_NORMAL = 3
"""Sums of a fold: the weight, the loss, its second derivative."""


class Normal(NamedTuple):
    """The normal equations of each fold's rows: sums over rows, and not means.

    Attributes:
        rows: (folds,) how many rows.
        gradient: (folds, p) the loss's gradient by the parameters.
        matrix: (folds, p, p) its Gauss-Newton matrix.
        weight: (folds,) the weight.
        loss: (folds,) the loss.
        second: (folds,) the loss's second derivative by the score.

    """

    rows: npt.NDArray[np.int64]
    gradient: FloatArray
    matrix: FloatArray
    weight: FloatArray
    loss: FloatArray
    second: FloatArray


class HeldOutRows:
    """The losses of the rows of each fold under models that have not seen it, beside that before refining.

    Args:
        model: the model.
        loss: a pointwise loss.
        before: (folds, p) the parameters of each fold before refining.
        after: (folds, ridges, p) after refining, by the ridge.

    """

    def __init__(self, model: CurveModel, loss: str, before: FloatArray, after: FloatArray) -> None:
        self._loss = loss
        self._models = [
            [with_parameters(model, theta) for theta in [start, *own]] for start, own in zip(before, after, strict=True)
        ]
        self._ridges = after.shape[1]
        self._pairs = [(a, b) for a in range(self._ridges) for b in range(a + 1)]
        self._sums = _Sums(_BEFORE + 2 * self._ridges + 2 * len(self._pairs))

    def update(self, rows: LabelledRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        for fold, models in enumerate(self._models):
            for place, values in enumerate(self._columns(rows.of_fold(fold), models)):
                self._sums.add(place, values)

    def _columns(self, rows: LabelledRows, models: Sequence[CurveModel]) -> Iterator[FloatArray]:
        """What is added up: of the loss before, of its change by each ridge, and of each two changes."""
        functions, y, w = POINTWISE[self._loss], rows.y, rows.w
        scores = [model.compile().of_table(rows.table) for model in models]
        variance = (functions.variance or functions.second)(y, scores[0])
        loss = functions.value(y, scores[0])
        yield from (w, np.square(w), w * loss, w * np.square(functions.first(y, scores[0])), w * variance)
        gains = [functions.value(y, score) - loss for score in scores[1:]]
        for gain in gains:
            yield w * gain
            yield np.square(w) * gain
        moved = [score - scores[0] for score in scores[1:]]
        for a, b in self._pairs:
            yield np.square(w) * gains[a] * gains[b]
            yield np.square(w) * variance * moved[a] * moved[b]

    def merge(self, other: HeldOutRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        self._sums.merge(other._sums)

    def tried(self, ridges: Sequence[float]) -> tuple[Tried, ...]:
        """Each ridge with its mean loss and the two standard errors.

        As :func:`curvec.refine.ridge_choice.held_out` has them, but that the change of a score is taken for the change
        of the label's coefficient in the loss, which it is to first order.
        """
        sums = self._sums.values()
        weight, squared_weight, loss, squares, variance = sums[:_BEFORE]
        gain, own = sums[_BEFORE : _BEFORE + 2 * self._ridges].reshape(-1, 2).T
        together = np.zeros((2, self._ridges, self._ridges))
        for (a, b), values in zip(self._pairs, sums[_BEFORE + 2 * self._ridges :].reshape(-1, 2), strict=True):
            together[:, a, b] = together[:, b, a] = values
        best = int(np.argmin(gain))
        apart = np.array([np.diag(one) - 2 * one[best] + one[best, best] for one in together])
        mean = (gain - gain[best]) / weight
        seen = apart[0] - 2 * mean * (own - own[best]) + mean**2 * squared_weight
        expected = squares / max(variance, 1e-300) * apart[1]
        errors = np.sqrt(np.maximum(np.array([seen, expected]), 0.0)) / weight
        return tuple(map(Tried, ridges, ((loss + gain) / weight).tolist(), *errors.tolist()))


_BEFORE = 5
"""Sums of the loss before: weights, their squares, the loss, the squared gradient, the labels' variance."""


class ValueRows:
    """The loss of a model.

    Args:
        model: the model.
        loss: a pointwise loss.

    """

    def __init__(self, model: CurveModel, loss: str) -> None:
        self._model, self._loss = model, loss
        self._sums = _Sums(2)

    def update(self, rows: LabelledRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        score = self._model.compile().of_table(rows.table)
        self._sums.add(0, rows.w)
        self._sums.add(1, rows.w * POINTWISE[self._loss].value(rows.y, score))

    def merge(self, other: ValueRows) -> None:
        """See :class:`curvec.distill.row_summary.Summary`."""
        self._sums.merge(other._sums)

    def mean(self) -> float:
        """The weighted mean."""
        weight, loss = self._sums.values().tolist()
        return float(loss / weight)
