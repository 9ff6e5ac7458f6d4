"""A model on Spark's executors, scored by the compiled core over Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

import msgspec

from curvec.compiled import CompiledModel
from curvec.errors import CurvecError, InputError, with_article
from curvec.model import ModelLike, as_model
from curvec.rows.packages import pyarrow
from curvec.rows.spark import batches_of_partition, columns_by_place, spark_rows
from curvec.score_stream import called, score_columns


def score(model: ModelLike, frame: Any, *, terms: bool = False, keep: Sequence[str] = ()) -> Any:
    """A Spark data frame's scores, with the bits of ``model.eval`` and ``model.predict``, computed when they are read.

    Executors need curvec. Those that have none are for the emitted SQL:
    ``frame.selectExpr("*", curvec.emit(model, "sql", dialect="spark") + " AS score")``.

    Args:
        model: the model; or a curve or a fit of one, as :func:`curvec.emit` takes them.
        frame: a data frame of Spark or Spark Connect, which may be a stream.
        terms: whether each term's value is given too, in a column of the term's name (:attr:`CurveModel.term_names`).
        keep: columns of the frame to pass through, an id for instance, as Spark's rows have no order; they come first.

    Returns:
        A Spark data frame with the columns of ``keep``, the doubles ``score`` and ``prediction``, null where they are
        missing, and the terms.

    Raises:
        InputError: the frame is none of Spark's, a column is missing, or two columns would have one name. A value that
            breaks a rule ends the query that asks for the scores, whose exception has the message.
        MissingDependencyError: pyarrow is not installed.

    """
    pyarrow()
    rows, model = spark_rows(frame), as_model(model)
    if rows is None:
        raise InputError(
            f"frame is {with_article(type(frame).__name__)}; pass a Spark data frame, and others to model.score"
        )
    names = called(keep, model.term_names if terms else ())
    compiled = model.compile()
    read = tuple(dict.fromkeys([*keep, *(feature.name for feature in compiled.features)]))
    chosen = columns_by_place(frame, read)
    types = import_module("pyspark.sql.types")
    double = types.DoubleType()
    fields = [types.StructField(name, frame.schema[name].dataType) for name in keep]
    fields += [types.StructField(name, double) for name in names[len(keep) :]]
    return chosen.mapInArrow(_Scoring(compiled, read, len(keep), terms), types.StructType(fields))


class _Scoring(msgspec.Struct, frozen=True):
    """The work of an executor on the rows of a partition."""

    model: CompiledModel
    names: Sequence[str]
    kept: int
    terms: bool

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches_of_partition(batches, self.names):
            try:
                scores = score_columns(self.model, batch.table(self.model.features), terms=self.terms)
            except CurvecError as error:
                raise error.with_traceback(None) from None  # Spark prints the trace before the message
            columns = [*batch.arrow.columns[: self.kept], *scores]
            yield pyarrow().RecordBatch.from_arrays(columns, names=[f"c{place}" for place in range(len(columns))])
