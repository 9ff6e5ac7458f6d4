"""A stream of rows in, a stream of scores out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curvec.checks import string_list, threads
from curvec.compiled import CompiledModel
from curvec.data import Table
from curvec.errors import InputError, shown, with_article
from curvec.rows import Batch, Stream, stream_of
from curvec.rows.arrow import arrow_doubles
from curvec.rows.packages import pyarrow


def scores(model: CompiledModel, data: Any, *, names: Sequence[str], keep: Sequence[str]) -> Any:
    """A pyarrow RecordBatchReader, see :meth:`curvec.CurveModel.score`.

    Args:
        model: the model.
        data: the rows.
        names: the names of the terms' columns; none for no terms.
        keep: columns of the data to pass through.

    Raises:
        InputError: the data are no stream, keep is no list, or two columns would have one name.

    """
    arrow, keep = pyarrow(), string_list(keep, "keep")
    columns, stream = called(keep, names), _stream(data)
    read = list(dict.fromkeys([*keep, *(feature.name for feature in model.features)]))
    fields = [stream.field(name) for name in keep]
    schema = arrow.schema([*fields, *(arrow.field(name, arrow.float64()) for name in columns[len(fields) :])])
    made = (_scored(model, batch, schema, bool(names)) for batch in _batches(stream, read))
    return arrow.RecordBatchReader.from_batches(schema, made)


def called(keep: Sequence[str], names: Sequence[str]) -> list[str]:
    """The columns of a stream of scores: those to keep, the score, the prediction, and the terms of these names.

    Raises:
        InputError: keep is no list, or two would have one name.

    """
    columns = [*string_list(keep, "keep"), "score", "prediction", *names]
    twice = [name for name, count in Counter(columns).items() if count > 1]
    if twice:
        raise InputError(
            f"two columns would be called {shown(twice[0])}; leave it out of keep, or rename the term's feature"
        )
    return columns


def score_columns(model: CompiledModel, table: Table, *, terms: bool, threads: int = 1) -> list[Any]:
    """The score, the prediction and, if asked for, the value of each term of a table's rows, as pyarrow arrays."""
    columns = [model.of_table(table, threads=threads), model.of_table(table, predict=True, threads=threads)]
    if terms:
        columns += list(model.of_table(table, per_term=True, threads=threads).T)
    return [arrow_doubles(column) for column in columns]


def _stream(data: Any) -> Stream:
    if isinstance(data, Mapping):
        try:
            data = pyarrow().table(dict(data))
        except (TypeError, ValueError) as error:  # Arrow's own are among them
            raise InputError(f"data has a column that Arrow cannot hold: {error}; pass arrays of one length") from None
    stream = stream_of(data, frames=True)
    if stream is None:
        raise InputError(
            f"data is {with_article(type(data).__name__)}, which has no columns with names; pass a frame, a mapping of "
            "arrays, a path or a stream"
        )
    return stream


def _batches(stream: Stream, names: Sequence[str]) -> Iterator[Batch]:
    return (batch for batch in stream.batches(names) if batch.rows)


def _scored(model: CompiledModel, batch: Batch, schema: Any, terms: bool) -> Any:  # noqa: FBT001  of one caller
    columns = score_columns(model, batch.table(model.features), terms=terms, threads=threads())
    kept = [batch.arrow.column(field.name).cast(field.type) for field in list(schema)[: len(schema) - len(columns)]]
    return pyarrow().RecordBatch.from_arrays([*kept, *columns], schema=schema)
