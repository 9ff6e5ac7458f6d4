"""Rows of a Spark data frame: read where they are, on the executors, and summed up there.

Each partition makes summaries of its rows. They are merged on the executors too, one summary of all rows comes back.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol, TypeVar

import msgspec

from curvec.conversion import Place
from curvec.errors import CurvecError, InputError, MissingDependencyError, cut
from curvec.rows.arrow import array_of
from curvec.rows.batch import Batch, check_columns
from curvec.rows.packages import pyarrow

_GROUP = 64
"""Partitions whose summaries are merged first: as many as one batch of Arrow may hold at a time."""
_FAILED = -1
"""In the place of a summary's number: the record is an error."""
_FRAMES = ("pyspark.sql.dataframe", "pyspark.sql.classic.dataframe", "pyspark.sql.connect.dataframe")


class Mergeable(Protocol):
    """A summary of rows: made in parts, which are pickled and merged in any order."""

    def merge(self, other: Any) -> None:
        """Add another's rows."""


S = TypeVar("S", bound=Mergeable)


class SparkRows(msgspec.Struct, frozen=True):
    """The rows of a Spark data frame."""

    frame: Any
    what = "a Spark data frame"

    def sample(self, most: int) -> Any:
        """Some rows, as a pyarrow table.

        Raises:
            InputError: the data frame cannot be read, or two of its columns have one name.

        """
        arrow, names = pyarrow(), list(self.frame.columns)
        with _named():
            found = columns_by_place(self.frame, names).limit(most).mapInArrow(_as_file, "rows binary").collect()
        batches = [batch for row in found for batch in arrow.ipc.open_stream(row["rows"])]
        if not batches:
            return arrow.table({name: [] for name in names})
        return arrow.Table.from_batches(batches).rename_columns(names)

    def summed(self, names: Sequence[str], parts: Sequence[S], add: Callable[[Batch, Sequence[S]], None]) -> None:
        """A pass over all rows, which are added to the parts.

        Args:
            names: the columns that are read.
            parts: empty summaries. Each partition gets copies of its own; all of a part are then merged into it.
            add: adds a batch to such copies. It is pickled, too.

        Raises:
            InputError: the data frame cannot be read, or ``add`` raised it; the message says the partition.
            MissingDependencyError: the executors do not have curvec.

        """
        chosen = columns_by_place(self.frame, names)
        with _named():
            partition = _Partition(tuple(names), pickle.dumps((list(parts), add)), _own_version())
            summaries = chosen.mapInArrow(partition, _SUMMARIES)
            # Whatever the number of partitions, no task holds more than the summaries of 64 of them at once.
            for keys in (("group_of", "number"), ("number",)):
                summaries = summaries.repartition(*keys).mapInArrow(_merged, _SUMMARIES)
            found = summaries.collect()
        failed = [row for row in found if row["number"] == _FAILED]
        if failed:
            raise pickle.loads(min(failed, key=lambda row: int(row["source"]))["summary"])  # noqa: S301  our own
        for row in found:
            parts[row["number"]].merge(pickle.loads(row["summary"]))  # noqa: S301  made by the lines below


_COLUMNS = ("group_of", "source", "number", "summary")
"""The columns of a summary: the group of partitions in which it is merged first, its first partition, its number."""
_SUMMARIES = "group_of bigint, source bigint, number bigint, summary binary"


def spark_rows(data: Any) -> SparkRows | None:
    """The rows, if the data are a data frame of Spark or of Spark Connect."""
    if type(data).__module__ not in _FRAMES or type(data).__name__ != "DataFrame":
        return None
    return SparkRows(data)


def columns_by_place(frame: Any, names: Sequence[str]) -> Any:
    """These columns of a Spark data frame, found by their place: whatever is in a name, and however it is written.

    Raises:
        InputError: a column is missing, or there twice.

    """
    have = list(frame.columns)
    check_columns("", names, have)
    if not names:
        return frame.selectExpr("0 AS c")  # of no column there would be no rows
    return frame.toDF(*(f"c{place}" for place in range(len(have)))).select([f"c{have.index(name)}" for name in names])


def batches_of_partition(batches: Iterable[Any], names: Sequence[str]) -> Iterator[Batch]:
    """The batches that mapInArrow gives on an executor, of columns that :func:`columns_by_place` chose."""
    context, row = import_module("pyspark").TaskContext.get(), 0
    origin = "" if context is None else f"partition {context.partitionId()}"
    for batch in batches:
        if len(batch):
            columns = {name: array_of(batch.column(place)) for place, name in enumerate(names)}
            yield Batch(columns, len(batch), batch, Place(origin, row))
            row += len(batch)


def _own_version() -> str:
    from importlib.metadata import version

    return version("curvec")


class _Partition(msgspec.Struct, frozen=True):
    """The work of an executor on the rows of a partition."""

    names: tuple[str, ...]
    made_of: bytes
    version: str

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        source, read = import_module("pyspark").TaskContext.get().partitionId(), False
        try:
            self._check_version()
            parts, add = pickle.loads(self.made_of)  # noqa: S301  written by the driver
            for batch in batches_of_partition(batches, self.names):
                add(batch, parts)
                read = True
        except CurvecError as error:  # raised here, it would be tried again three times
            yield _record(source, _FAILED, error)
            return
        for number, part in enumerate(parts if read else ()):
            yield _record(source, number, part)

    def _check_version(self) -> None:
        if (here := _own_version()) != self.version:
            raise InputError(
                f"an executor has curvec {here}, and the driver {self.version}; install one version on all of them"
            )


def _merged(batches: Iterable[Any]) -> Iterator[Any]:
    """Of the summaries of each number one; of the errors the one of the first partition.

    They come in any order. They are merged in a fixed order, so that the bytes are the same if the task is run again on
    another executor: Spark compares them, and fails if they differ.
    """
    come = [row for batch in batches for row in zip(*(one.to_pylist() for one in batch.columns), strict=True)]
    merged: dict[int, tuple[int, Any]] = {}
    for _, source, number, summary in sorted(come, key=lambda row: row[:3]):
        one = pickle.loads(summary)  # noqa: S301  written by an executor
        if number not in merged:
            merged[number] = source, one
        elif number != _FAILED:
            merged[number][1].merge(one)
    for number, (source, one) in sorted(merged.items()):
        yield _record(source, number, one)


def _record(source: int, number: int, summary: Any) -> Any:
    arrow = pyarrow()
    columns = [arrow.array([value]) for value in (source // _GROUP, source, number)]
    return arrow.RecordBatch.from_arrays([*columns, arrow.array([pickle.dumps(summary)], arrow.binary())], _COLUMNS)


def _as_file(batches: Iterable[Any]) -> Iterator[Any]:
    arrow = pyarrow()
    for batch in batches:
        file = io.BytesIO()
        with arrow.ipc.new_stream(file, batch.schema) as writer:
            writer.write_batch(batch)
        yield arrow.RecordBatch.from_arrays([arrow.array([file.getvalue()], arrow.binary())], names=["rows"])


@contextmanager
def _named() -> Iterator[None]:
    """Turn an exception of Spark into an error of a few lines, without the trace of its JVM."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        said = " ".join(str(error).split())
        if "No module named 'curvec." in said:  # before the versions could be compared
            raise InputError(
                "the executors have another version of curvec than the driver; install one version on all of them"
            ) from None
        if "No module named 'curvec'" in said:
            raise MissingDependencyError(
                "Spark's executors have no curvec; where their Python is: pip install 'curvec[spark]'"
            ) from None
        raise InputError(f"the Spark data frame cannot be read: {type(error).__name__}: {cut(said, 600)}") from None
