"""The rows of a distillation: a table in memory, or a stream that is read in passes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np

from curvec.columns import rescaled, row_weights, weights_of
from curvec.condense.cells import LARGEST_WEIGHT
from curvec.condense.spread import Spread
from curvec.data import Table
from curvec.distill.correspondence import features_in
from curvec.distill.row_sample import RowSample
from curvec.distill.row_summary import DifferenceRows, RowSummary, Summary, View, no_squares_error, too_many_message
from curvec.distill.term_distiller import functions_of
from curvec.errors import InputError, with_article
from curvec.evaluate import term_values
from curvec.files import spooled
from curvec.ir import Feature, Term, changed
from curvec.model import CurveModel
from curvec.rows import Batch, Stream, stream_of
from curvec.rows.spark import SparkRows, spark_rows
from curvec.rows.summing import add_all
from curvec.teachers.parts.curves import shifted
from curvec.transforms import FloatArray

_SAMPLE = 10_000
"""How many rows of a stream the teacher is compared with its exact form on."""


class RowSource(msgspec.Struct, frozen=True):
    """The rows.

    Attributes:
        data: a table in memory; None for a stream.
        stream: the stream, which can be read again, or the rows of Spark; None for a table in memory.
        weights: (rows,) the weights of a table in memory; None for ones.
        weight_column: where a stream has its weights; None for ones.
        unit: a power of two near the largest weight in memory, in which weights are summed.
        threads: how many sum up rows at a time, where they are read here.

    """

    data: Any
    stream: Stream | SparkRows | None
    weights: FloatArray | None = None
    weight_column: str | None = None
    unit: float = 1.0
    threads: int = 1

    def sample(self) -> Any:
        """The table in memory, or the first rows of the stream as a pyarrow table."""
        if self.stream is None:
            return self.data
        if isinstance(self.stream, SparkRows):
            found = self.stream.sample(_SAMPLE)
            if len(found):
                return found
        else:
            for batch in self.stream.batches():
                if batch.rows:
                    return batch.arrow_table(_SAMPLE)
        raise InputError(_NO_ROWS)

    def in_memory(self, model: CurveModel) -> Table:
        """A model's columns of a table in memory."""
        return model.table(self.data)

    def summed(self, model: CurveModel, parts: Sequence[Summary]) -> None:
        """A pass over all rows, which are added to the parts; they get their weights in units of ``unit``.

        Args:
            model: the model whose columns they read.
            parts: the summaries.

        Raises:
            InputError: a column is missing, or a value or a weight breaks a rule.

        """
        if self.stream is None:
            add_all(self.tables(model), parts, lambda rows, part: part.update(*rows), self.threads)
        else:
            self.pass_over(Reading(model.compile().features, self.weight_column), parts)

    def pass_over(self, reading: Reading, parts: Sequence[Any]) -> None:
        """A pass over the rows of a stream, of which the parts get what ``reading`` reads.

        Raises:
            InputError: a column is missing, or a value breaks a rule.

        """
        if isinstance(self.stream, SparkRows):
            self.stream.summed(reading.names, parts, reading)
            return
        assert self.stream is not None  # noqa: S101  a table in memory has no passes
        batches = map(reading.rows, self.stream.batches(reading.names, early=False))
        add_all(batches, parts, lambda rows, part: part.update(*rows), self.threads)

    def cell_of(self, model: CurveModel, name: str, value: float) -> str:
        """The place in words of the first row that counts and has this value of a feature; on Spark only its column."""
        if isinstance(self.stream, SparkRows):
            return f"column {name!r}"
        features = tuple(one for one in model.features if one.name == name)
        reading = Reading(features, self.weight_column)
        tables = self.tables(model) if self.stream is None else map(reading.table, self.stream.batches(reading.names))
        for table, w in tables:
            found = table.number(name) == value
            if w is not None:
                found &= w > 0
            if found.any():
                return table.place.cell(name, int(np.argmax(found)))
        return f"column {name!r}"

    def tables(self, model: CurveModel) -> Iterator[tuple[Table, FloatArray | None]]:
        """The table in memory: a model's columns, and (rows,) weights in units of ``unit``; None for ones."""
        table = model.table(self.data)
        weights = row_weights(self.weights, table.rows)
        yield table, None if weights is None else weights / self.unit


class Reading(msgspec.Struct, frozen=True):
    """What is read of a batch: features, and a column of weights or None. It pickles."""

    features: tuple[Feature, ...]
    weight_column: str | None

    @property
    def names(self) -> list[str]:
        """The columns."""
        return [*dict.fromkeys([*(feature.name for feature in self.features), *filter(None, [self.weight_column])])]

    def __call__(self, batch: Batch, parts: Sequence[Any]) -> None:
        """Add a batch to summaries."""
        rows = self.rows(batch)
        for part in parts:
            part.update(*rows)

    def rows(self, batch: Batch) -> tuple[Any, ...]:
        """What a summary is updated with: of distilling what :meth:`table` gives."""
        return self.table(batch)

    def table(self, batch: Batch) -> tuple[Table, FloatArray | None]:
        """The features' columns, and (rows,) weights.

        Raises:
            InputError: a weight is out of range.

        """
        table = batch.table(self.features)
        if self.weight_column is None:
            return table, None
        weights = batch.table([Feature(self.weight_column)]).number(self.weight_column)
        bad = ~((weights >= 0) & (weights <= LARGEST_WEIGHT))
        if bad.any():
            row = int(np.argmax(bad))
            place = batch.place.cell(self.weight_column, row)
            raise InputError(f"{place}: the weight is {float(weights[row])!r}; {_WEIGHTS}")
        return table, np.asarray(weights)


_WEIGHTS = "it must be from 0 to 2^32; leave such rows out, or rescale the column, as only ratios of weights matter"


_NO_ROWS = "X has no rows; distilling needs the rows on which the teacher's functions are compared"


@contextmanager
def row_source(data: Any, w: Any, threads: int = 1) -> Iterator[RowSource]:
    """The rows that a caller gives, and their weights: an array, or the name of a column.

    A stream that can be read only once is kept in a temporary file meanwhile.

    Raises:
        InputError: the weights do not suit the rows.

    """
    stream = spark_rows(data) or stream_of(data)
    if stream is None:
        if isinstance(w, str):
            w = Table(data, [Feature(w)]).number(w)
        yield changed(_table(data, w), threads=threads)
        return
    if not (w is None or isinstance(w, str)):
        raise InputError(
            f"w is {with_article(type(w).__name__)}, and X is a stream; pass the name of its column of weights"
        )
    if isinstance(stream, SparkRows) or stream.again:
        yield RowSource(None, stream, weight_column=w, threads=threads)
        return
    with spooled(stream) as kept:
        yield RowSource(None, kept, weight_column=w, threads=threads)


def _table(data: Any, w: Any) -> RowSource:
    if w is None:
        return RowSource(data, None)
    weights, _, largest = weights_of(w)
    weights, unit = rescaled(weights, largest)
    return RowSource(data, None, weights, unit=unit)


class SummedUp(msgspec.Struct, frozen=True):
    """The rows, summed up by one pass over them.

    Attributes:
        teacher: the exact teacher.
        views: for each of its functions a summary of the rows.
        score: the spread of its raw score.
        learnt: that of its raw score without offsets.
        rows: how many rows there are.
        sample: some of them, or all.

    """

    teacher: CurveModel
    views: Sequence[View]
    score: Spread
    learnt: Spread
    rows: int
    sample: RowSample

    def views_by_features(self) -> dict[frozenset[str], View]:
        """The views by the features that they are of."""
        functions = functions_of(self.teacher.terms)
        return {features_in(one.term): view for one, view in zip(functions, self.views, strict=True)}

    def centred(self) -> tuple[CurveModel, SummedUp]:
        """The teacher with each curve's mean over the rows in its intercept, and the same rows."""
        by_features, terms, constant = self.views_by_features(), [], self.teacher.intercept
        for term in self.teacher.terms:
            view = by_features[features_in(term)]
            mean = Spread.of(term_values(term, view.table), view.rows).mean
            moved = shifted(term, -mean)
            terms.append(term if moved is None else moved)
            constant += 0.0 if moved is None else mean
        exact = changed(self.teacher, terms=terms, intercept=constant)
        return exact, changed(self, teacher=exact)


def summed_up(source: RowSource, exact: CurveModel) -> SummedUp:
    """The first pass over the rows.

    Raises:
        InputError: there are no rows, none has a positive weight, or a term of several features has too many
            combinations of values in a stream.

    """
    functions = [function.term for function in functions_of(exact.terms)]
    summary, sample = RowSummary(exact, functions), RowSample(exact)
    source.summed(exact, [*summary.parts, sample])
    if not summary.rows:
        raise InputError(_NO_ROWS)
    if not summary.weighted:
        raise InputError(f"w={source.weight_column!r}: every weight is 0; give some row a positive weight")
    spread = summary.score.scaled(source.unit)
    if not math.isfinite(spread.squares):
        raise no_squares_error("raw score", spread.low, spread.high)
    views = [
        _in_memory(term, exact, source) if view is None else view
        for term, view in zip(functions, summary.views(), strict=True)
    ]
    unit = source.unit
    scaled = [view if unit == 1 else changed(view, weights=view.weights * unit) for view in views]
    return SummedUp(exact, scaled, spread, summary.learnt.scaled(unit), summary.rows, sample)


def _in_memory(term: Term, exact: CurveModel, source: RowSource) -> View:
    """All rows of a table in memory, where they have too many combinations of values to be summed up."""
    if source.stream is not None:
        raise InputError(too_many_message(term))
    ((table, w),) = source.tables(exact)
    ones = np.ones(table.rows)
    return View(table, ones if w is None else w, ones)


def score_differences(source: RowSource, exact: CurveModel, models: Sequence[Sequence[Term]]) -> list[Spread]:
    """The second pass over the rows: for each list of terms the spread of the teacher's score less their sum."""
    rest = DifferenceRows(exact, [CurveModel("terms", terms) if terms else None for terms in models])
    source.summed(exact, [rest])
    return [spread.scaled(source.unit) for spread in rest.spreads]
