"""A user's rows: whether they are a stream, which is read in batches, or a table in memory."""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec
import numpy as np

from curvec.conversion import Place
from curvec.data import Table
from curvec.errors import CurvecError, InputError, cut, shown, with_article
from curvec.features import Feature
from curvec.rows.arrow import array_of
from curvec.rows.batch import Batch, ahead, check_columns, rows_at_once
from curvec.rows.files import Part, arrow_reader, bad_cell, in_quotes, is_paths, parts_of
from curvec.rows.packages import pyarrow
from curvec.rows.spark import spark_rows


class Stream(msgspec.Struct, frozen=True):
    """Rows that are read in batches, as often as needed.

    Attributes:
        what: what it is, for messages: ``the folder rows/``, ``a pyarrow RecordBatchReader``.
        again: whether it can be read more than once; a reader that is used up can not.
        parts: the parts in order, one for each file, each with its own readers.

    """

    what: str
    again: bool
    parts: Sequence[Part]

    def names(self) -> list[str]:
        """The columns.

        Raises:
            InputError: the first part cannot be read.

        """
        part = self.parts[0]
        with _named(part.origin, 0):
            return list(part.schema().names)

    def rows(self) -> int | None:
        """How many rows there are, where files say so; None where that takes reading them.

        Raises:
            InputError: a part cannot be read.

        """
        total = 0
        for part in self.parts:
            with _named(part.origin, 0):
                count = part.rows()
            if count is None:
                return None
            total += count
        return total

    def field(self, name: str) -> Any:
        """The name and type of a column, as a pyarrow field: those of the first part.

        Raises:
            InputError: there is no such column.

        """
        part = self.parts[0]
        with _named(part.origin, 0):
            check_columns(part.origin, [name], part.schema().names)
            return part.schema().field(name)

    def batches(self, names: Sequence[str] | None = None, *, early: bool = True) -> Iterator[Batch]:
        """All rows once, in batches of bounded size.

        Args:
            names: the columns to read; None for all.
            early: whether each is read while the one before it is worked on, on a thread of its own.

        Raises:
            InputError: a column is missing, a part cannot be read or has another type for a column than the first
                part; the message names the part (a file) and the row in it.

        """
        batches = self._batches(names)
        return ahead(batches) if early else batches

    def _batches(self, names: Sequence[str] | None) -> Iterator[Batch]:
        _give_back_memory()
        first: dict[str, Any] = {}
        for part in self.parts:
            with _named(part.origin, 0):
                have = part.schema().names
                wanted = list(have) if names is None else list(names)
                check_columns(part.origin, wanted, have)
                size = rows_at_once(len(wanted))
                reader = part.reader(wanted or have[:1], size)  # of no column there would be no rows
            _check_kinds(part.origin, _kinds(reader.schema, wanted), first, 0)
            for row, batch in _whole_batches(part.origin, reader):
                if batch.schema != reader.schema:  # of readers that are made from batches
                    check_columns(part.origin, wanted, batch.schema.names)
                    _check_kinds(part.origin, _kinds(batch.schema, wanted), first, row)
                for begin in range(0, len(batch), size):
                    some = batch.slice(begin, size)
                    columns = {name: array_of(some.column(name)) for name in wanted}
                    yield Batch(columns, len(some), some, Place(part.origin, row + begin))
        _give_back_memory()


def _give_back_memory() -> None:
    """Give memory that nothing uses to the system, as passes take much of it each.

    glibc keeps what is freed among what is not: after a pass over 500 columns 300 MB, which the next would take anew.
    """
    pyarrow().default_memory_pool().release_unused()
    if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim"):
        ctypes.CDLL(None).malloc_trim(0)


def _whole_batches(origin: str, reader: Any) -> Iterator[tuple[int, Any]]:
    """The reader's batches, each with the number of its first row."""
    row = 0
    while True:
        with _named(origin, row):
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                return
            batch.validate()
        yield row, batch
        row += len(batch)


def stream_of(data: Any, *, frames: bool = False) -> Stream | None:
    """The stream that the data are; None for a table in memory, a row, or whatever else is no stream.

    Streams are paths of Parquet and CSV files, folders and globs (text or ``pathlib.Path``, one or a list); pyarrow's
    record batches, readers, datasets and scanners; polars lazy frames; DuckDB relations; ibis tables; and all else
    with ``__arrow_c_stream__`` that is no frame in memory; with ``frames`` also frames that have it.

    Raises:
        InputError: there is no such file, nothing in a folder, or the data are a data frame of Spark.
        MissingDependencyError: what reads it is not installed.

    """
    if isinstance(data, (Mapping, np.ndarray)) or data is None:
        return None
    if (spark := spark_rows(data)) is not None:
        raise InputError(f"the data are {spark.what}, whose rows are elsewhere; {_WAYS_OUT}")
    if is_paths(data):
        return Stream(shown(data), again=True, parts=parts_of(data))
    return _of_object(data, frames=frames)


_WAYS_OUT = (
    "curvec.distill and curvec.refine take it and curvec.spark.score scores it there; all else takes rows in memory, "
    "such as df.sample(0.01, seed=0).toPandas()"
)


def tables_of(data: Any, features: Sequence[Feature], order: Sequence[str] | None = None) -> Iterator[Table]:
    """The columns of some features: one table of data in memory, or one of each batch of a stream (also where empty).

    Args:
        data: as :class:`curvec.data.Table` takes them, or a stream.
        features: the features.
        order: what the columns of an array in memory are called.

    Raises:
        InputError: a column is missing, or a part of a stream cannot be read.

    """
    stream = stream_of(data)
    if stream is None:
        yield Table(data, features, order)
        return
    names = list(dict.fromkeys(feature.name for feature in features))
    read = False
    for batch in stream.batches(names):
        read = True
        yield batch.table(features)
    if not read:
        yield Table(dict.fromkeys(names or [""], np.empty(0)), features)


def _of_object(data: Any, *, frames: bool) -> Stream | None:
    library, _, _ = type(data).__module__.partition(".")
    kind = f"{with_article(library)} {type(data).__name__}"
    one = _REREAD.get((library, type(data).__name__))
    if one is not None:
        return Stream(kind, again=True, parts=[one(data)])
    if library == "pyarrow" and _is_dataset(data):
        return Stream(kind, again=True, parts=_of_dataset(data))
    if (library, type(data).__name__) == ("pyarrow", "Scanner"):
        return Stream(kind, again=False, parts=[_of_reader(data.to_reader())])
    in_memory = _in_memory(data)
    if (in_memory and not frames) or not hasattr(data, "__arrow_c_stream__"):
        return None
    if in_memory:
        return Stream(kind, again=True, parts=[_of_frame(data)])
    return Stream(kind, again=False, parts=[_of_reader(_import(data))])


def _in_memory(data: Any) -> bool:
    import narwhals.stable.v1 as nw

    try:
        return isinstance(nw.from_native(data, eager_only=True, pass_through=True), nw.DataFrame)
    except nw.exceptions.DuplicateError:
        return True  # whoever reads it says so


def _import(data: Any) -> Any:
    arrow = pyarrow()
    if isinstance(data, arrow.RecordBatchReader):
        return data
    try:
        return arrow.RecordBatchReader.from_stream(data)
    except arrow.ArrowInvalid as error:
        raise InputError(
            f"{with_article(type(data).__name__)} is one column without the features' names; pass a frame: "
            "series.to_frame(), or {name: column}; for one row model.score_row(series)"
        ) from error


def _of_reader(reader: Any) -> Part:
    return Part("", lambda: reader.schema, lambda _names, _rows: reader)


def _of_frame(data: Any) -> Part:
    return Part("", lambda: _import(data).schema, lambda _names, _rows: _import(data))


def _is_dataset(data: Any) -> bool:
    dataset = sys.modules.get("pyarrow.dataset")
    return dataset is not None and isinstance(data, dataset.Dataset)


def _of_dataset(data: Any) -> list[Part]:
    """A part for each file, so that messages name it; one where the dataset is of no files, or has a filter."""
    if not isinstance(data, sys.modules["pyarrow.dataset"].FileSystemDataset):
        return [_of_scanned(data, "", lambda: data.schema)]
    try:
        fragments = list(data.get_fragments())
    except ValueError:  # of a dataset with a filter there are none
        fragments = []
    if not fragments:
        return [_of_scanned(data, "", lambda: data.schema)]
    return [_of_scanned(one, one.path, partial(_schema_of_fragment, data, one), data.schema) for one in fragments]


def _of_scanned(data: Any, origin: str, schema: Callable[[], Any], types: Any = None) -> Part:
    def reader(names: Sequence[str], rows: int) -> Any:
        options = {} if types is None else {"schema": types}
        return data.scanner(columns=list(names), batch_size=rows, **options).to_reader()

    return Part(origin, schema, reader)


def _schema_of_fragment(data: Any, fragment: Any) -> Any:
    """The columns that a file has, and those that its place among folders says; Arrow would take others for missing."""
    partition = sys.modules["pyarrow.dataset"].get_partition_keys(fragment.partition_expression)
    have = {*fragment.physical_schema.names, *partition}
    return pyarrow().schema([field for field in data.schema if field.name in have])


def _of_batch(data: Any) -> Part:
    arrow = pyarrow()
    return Part(
        "", lambda: data.schema, lambda _names, _rows: arrow.RecordBatchReader.from_batches(data.schema, [data])
    )


def _of_lazy_frame(data: Any) -> Part:
    def reader(names: Sequence[str], rows: int) -> Any:
        arrow = pyarrow()
        chosen = data.select(list(names))
        if not hasattr(chosen, "collect_batches"):  # of polars before 1.34; its streaming engine holds the result
            return arrow.RecordBatchReader.from_stream(chosen.collect(engine="streaming"))
        frames = chosen.collect_batches(chunk_size=rows, maintain_order=True)
        schema = _import(chosen.clear().collect()).schema
        made = (batch for frame in frames for batch in arrow.table(frame).cast(schema).to_batches())
        return arrow.RecordBatchReader.from_batches(schema, made)

    return Part(_scanned_files(data), lambda: _import(data.clear().collect()).schema, reader)


def _scanned_files(frame: Any) -> str:
    """The files that a lazy frame reads, as its plan names them, which its errors often do not; "" of none."""
    try:
        plan = str(frame.explain(optimized=False))
    except Exception:  # noqa: BLE001  such as a file that is not there: reading it says so
        return ""
    files = re.findall(r"SCAN \[([^\]\n]*)\]", plan)
    return f"the lazy frame of {', '.join(files)}" if files else ""


def _of_relation(data: Any) -> Part:
    def reader(names: Sequence[str], rows: int) -> Any:
        pyarrow()
        chosen = data.project(", ".join(map(in_quotes, names)))
        return arrow_reader(chosen, rows)

    return Part("", lambda: _import(data.limit(0)).schema, reader)


def _of_ibis(data: Any) -> Part:
    def reader(names: Sequence[str], rows: int) -> Any:
        return data.select(*names).to_pyarrow_batches(chunk_size=rows)

    return Part("", lambda: data.schema().to_pyarrow(), reader)


_REREAD: dict[tuple[str, str], Callable[[Any], Part]] = {
    ("pyarrow", "RecordBatch"): _of_batch,
    ("polars", "LazyFrame"): _of_lazy_frame,
    ("duckdb", "DuckDBPyRelation"): _of_relation,
    ("_duckdb", "DuckDBPyRelation"): _of_relation,
    ("ibis", "Table"): _of_ibis,
}
"""The kinds of data that can be read again and again, and how to make a part of each."""


def _kinds(schema: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: schema.field(name).type for name in names}


def _check_kinds(origin: str, kinds: Mapping[str, Any], first: dict[str, Any], row: int) -> None:
    """Check that rows have numbers where the first part has them; ``first`` takes the first part's types."""
    for name, kind in kinds.items():
        before = first.setdefault(name, kind)
        if _sort(before) is None:
            first[name] = kind
        if len({_sort(kind), _sort(before)} - {None}) > 1:
            raise InputError(
                f"{Place(origin).head}column {name!r} is {kind} from row {row:,} on, and {before} in the "
                "first rows; a column has one type in all files and batches"
            )


def _sort(kind: Any) -> str | None:
    """The kind of a type, as a model sees it; None for a column without values, which agrees with all kinds."""
    types = pyarrow().types
    if types.is_dictionary(kind):
        return _sort(kind.value_type)
    if types.is_null(kind):
        return None
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_boolean(kind):
        return "number"
    return "text" if types.is_string(kind) or types.is_large_string(kind) else str(kind)


@contextmanager
def _named(origin: str, row: int) -> Iterator[None]:
    """Turn an exception of a library into an error that names the place."""
    try:
        yield
    except (CurvecError, MemoryError, AttributeError, NameError, AssertionError):  # the last three are defects
        raise
    except Exception as error:  # each library has errors of its own; what they say is what the user needs
        where = Place(origin).head
        if (cell := bad_cell(error, origin)) is not None:
            raise InputError(f"{where}{cell}") from error
        said = cut(" ".join(str(error).split()), 400)
        raise InputError(f"{where}cannot be read from row {row:,} on: {type(error).__name__}: {said}") from error
