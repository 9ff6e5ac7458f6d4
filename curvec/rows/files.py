"""Parquet and CSV files, folders and globs of them, read in bounded memory: the one by Arrow, the other by DuckDB."""

from __future__ import annotations

import glob
import mmap
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from curvec.errors import CurvecError, InputError, shown
from curvec.rows.packages import duckdb, pyarrow

_SUFFIXES = (".csv", ".parquet")
NOT_UTF8 = "text that is not UTF-8; save the file as UTF-8, as by iconv -f latin1 -t utf-8"
EMPTY = "the file is empty; a CSV file begins with a line of column names"
_PACKED = (".bz2", ".gz", ".xz", ".zip", ".zst")


class Part(msgspec.Struct, frozen=True):
    """A part of a stream, with rows that are counted from 0.

    Attributes:
        origin: what it is called in messages: a file's path; "" where there are no parts.
        schema: its columns, as a pyarrow schema.
        reader: (columns, rows of a batch) -> a pyarrow RecordBatchReader.
        rows: how many there are, where that is known without reading them.

    """

    origin: str
    schema: Callable[[], Any]
    reader: Callable[[Sequence[str], int], Any]
    rows: Callable[[], int | None] = lambda: None


def is_paths(data: Any) -> bool:
    """Whether the data are a path (any text is one), or a list of paths of tables."""
    if isinstance(data, (str, os.PathLike)):
        return True
    return isinstance(data, (list, tuple)) and bool(data) and all(_is_file_name(one) for one in data)


def _is_file_name(one: Any) -> bool:
    return isinstance(one, os.PathLike) or (isinstance(one, str) and Path(one).suffix in _SUFFIXES)


def parts_of(data: Any) -> list[Part]:
    """A part for each file, those of a folder or a glob in the order of their names.

    Raises:
        InputError: there is no such file, none in a folder, or it is of another kind.
        MissingDependencyError: DuckDB is not installed.

    """
    paths = [data] if isinstance(data, (str, os.PathLike)) else data
    try:
        files = [file for path in paths for file in _files(os.fspath(path))]
    except CurvecError:
        raise
    except (OSError, ValueError) as error:  # a name too long, a null byte, a folder that may not be read
        raise InputError(f"{shown(data)}: {getattr(error, 'strerror', None) or error}") from None
    kinds = sorted({Path(file).suffix for file in files})
    if len(kinds) > 1:
        raise InputError(f"{shown(data)}: {' and '.join(kinds)} files together; give those of one kind")
    pyarrow()
    if kinds == [".parquet"]:
        return [_parquet_part(file) for file in files]
    connection = duckdb().connect()
    connection.execute(_NO_CACHE)
    types: dict[str, str] = {}  # of the first file, for all others
    return [_csv_part(file, connection, types) for file in files]


def _files(path: str) -> list[str]:
    if Path(path).is_dir():
        _check_none_left_out(path)
        found = [str(one) for one in _within(path) if one.suffix in _SUFFIXES]
        if not found:
            raise InputError(f"{path}: no .parquet or .csv file in this folder")
        return found
    if is_glob(path):
        found = sorted(
            one
            for one in glob.glob(path, recursive=True)  # noqa: PTH207  of any root
            if Path(one).suffix in _SUFFIXES
        )
        if not found:
            raise InputError(f"{path}: no .parquet or .csv file matches")
        return found
    if (way_out := _unread(path)) is not None:
        raise InputError(f"{path}: {way_out}")
    if not Path(path).suffix and not Path(path).exists():
        raise InputError(f"{path}: no such file or folder")
    check_table_file(Path(path))
    return [path]


def is_glob(path: str) -> bool:
    """Whether a path stands for all that match it."""
    return glob.has_magic(path) and not Path(path).exists()


def check_table_file(path: Path) -> None:
    """Check that a path is that of a .csv or .parquet file.

    Raises:
        InputError: it is of another kind, or there is none.

    """
    if path.suffix not in _SUFFIXES:
        raise InputError(f"{path}: suffix {path.suffix!r} is not a table's; use .csv or .parquet")
    if not path.is_file():
        raise InputError(f"{path}: no such file")


def _within(folder: str) -> list[Path]:
    """The files of a folder, without those that begin with _ or a dot, as writers name unfinished parts so."""
    found = [(one, one.relative_to(folder).parts) for one in sorted(Path(folder).rglob("*")) if one.is_file()]
    return [one for one, parts in found if not any(part.startswith(("_", ".")) for part in parts)]


def _check_none_left_out(folder: str) -> None:
    """Refuse compressed tables and suffixes in capitals, whose rows would be missing without notice."""
    for one in _within(folder):
        if (way_out := _unread(one)) is not None:
            raise InputError(f"{one}: {way_out}, or name the files to read, as in {folder}/part-*.csv")


def _unread(path: str | os.PathLike[str]) -> str | None:
    """Why rows.csv.gz and ROWS.CSV are not read, and the way out; None for other names."""
    *_, before, last = ["", "", *Path(path).suffixes]
    if last.lower() in _SUFFIXES and last not in _SUFFIXES:
        return f"a table's name ends in {last.lower()}, in small letters; rename it"
    if last in _PACKED and before.lower() in _SUFFIXES:
        return f"a {last} file is not read; unpack it to {before.lower()}"
    return None


def _parquet_part(file: str) -> Part:
    """A Parquet file, of which a page of each column is in memory at a time, and not a whole row group."""
    parquet = import_module("pyarrow.parquet")

    def reader(columns: Sequence[str], rows: int) -> Any:
        opened = parquet.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        fields = [opened.schema_arrow.field(name) for name in columns]
        # On threads of its own Arrow takes twice the processor's time; and its batches are made while others are used.
        batches = opened.iter_batches(rows, columns=list(columns), use_threads=False)
        schema = pyarrow().schema(fields)
        return pyarrow().RecordBatchReader.from_batches(schema, (batch.select(list(columns)) for batch in batches))

    return Part(file, lambda: parquet.read_schema(file), reader, lambda: parquet.read_metadata(file).num_rows)


def _csv_part(file: str, connection: Any, types: dict[str, str]) -> Part:
    """A CSV file; ``types`` are those of the first one's columns, set when that file is read."""
    found: dict[str, str] = {}

    def described() -> dict[str, str]:
        if not found:
            if not Path(file).stat().st_size:
                raise InputError(f"{file}: {EMPTY}")
            rows = connection.cursor().execute(f"DESCRIBE SELECT * FROM {_csv(file, _SNIFFED)}", [file]).fetchall()  # noqa: S608
            found.update({name: kind for name, kind, *_ in rows})
            found.update(dict.fromkeys(_yes_no_columns(file, found, connection), "VARCHAR"))
            if not types:
                types.update(found)
        return found

    def reader(columns: Sequence[str], rows: int) -> Any:
        return opened(", ".join(map(in_quotes, columns)), rows)

    def opened(columns: str, rows: int, end: str = "") -> Any:
        own = {name: _agreed(kind, types.get(name, kind)) for name, kind in described().items()}
        query = f"SELECT {columns} FROM {_csv(file, 'types = $2')}{end}"  # noqa: S608  names in quotes
        cursor = connection.cursor()
        return arrow_reader(cursor.sql(query, params=[file, own]), rows, cursor)

    def schema() -> Any:
        return _with_twins(opened("*", 1, " LIMIT 0").schema, _names_in_csv(file, connection))

    return Part(file, schema, reader)


def _yes_no_columns(file: str, found: Mapping[str, str], connection: Any) -> list[str]:
    """The columns that DuckDB takes for booleans though they say T, F, yes or no, which are levels of text."""
    names = [name for name, kind in found.items() if kind == "BOOLEAN"]
    if not names:
        return []
    plain = ", ".join(f"bool_and(lower({in_quotes(name)}) IN ('true', 'false'))" for name in names)
    rows = f"FROM {_csv(file, 'all_varchar = true')} LIMIT {_SNIFFED_ROWS}"
    answers = connection.cursor().execute(f"SELECT {plain} FROM ({rows})", [file]).fetchone()  # noqa: S608  names in quotes
    return [name for name, is_plain in zip(names, answers, strict=True) if is_plain is False]


def _with_twins(schema: Any, names: Sequence[str]) -> Any:
    """The schema with the file's own names: DuckDB renames the second of two equal names, which must be refused."""
    if len(names) != len(schema):
        return schema
    twins = {name for name, count in Counter(names).items() if count > 1}
    called = [name if name in twins else field.name for field, name in zip(schema, names, strict=True)]
    return pyarrow().schema([field.with_name(name) for field, name in zip(schema, called, strict=True)])


def _names_in_csv(file: str, connection: Any) -> list[str]:
    query = f"FROM {_csv(file, 'all_varchar = true', header=False)} LIMIT 1"
    return list(connection.cursor().execute(query, [file]).fetchone() or ())


def _csv(file: str, options: str, *, header: bool = True) -> str:
    """How DuckDB reads a CSV file; it looks for the types alone.

    What else it would find out by itself changes rows in silence: a title or a row with too few cells is skipped, one
    that begins with # is a comment, and single quotes are taken off.
    """
    return (
        f"read_csv($1, header = {header}, delim = '{_separator(file)}', quote = '\"', escape = '\"', comment = '', "
        f"skip = 0, auto_type_candidates = {_TYPES}, {options})"
    )


def _separator(file: str) -> str:
    """What separates the names in the first line, outside of quotes; a comma where nothing does."""
    with Path(file).open("rb") as lines:
        first = re.sub(r'"[^"]*"', "", lines.readline(_LONGEST_HEAD).decode("utf-8", "replace"))
    return max(_SEPARATORS, key=first.count)


def in_quotes(name: str) -> str:
    """A name in quotes, as DuckDB accepts any."""
    return '"' + name.replace('"', '""') + '"'


def arrow_reader(relation: Any, rows: int, cursor: Any = None) -> Any:
    """The rows of a DuckDB relation as a pyarrow RecordBatchReader with so many a batch; it keeps its cursor."""
    name = next(name for name in _READERS if hasattr(type(relation), name))
    reader = getattr(relation, name)(rows)
    if cursor is None or name == _READERS[0]:
        return reader

    def batches() -> Iterator[Any]:  # until DuckDB 1.4 a cursor closes when Python drops it
        yield from reader
        cursor.close()

    return type(reader).from_batches(reader.schema, batches())


_READERS = ("to_arrow_reader", "fetch_record_batch", "fetch_arrow_reader")
"""What that is called in DuckDB 1.5 and newer, in 1.4, and in 1.3."""
_NO_CACHE = "SET enable_external_file_cache = false"
"""Without this setting the files that were read would stay in memory, up to four fifths of it."""
_SNIFFED_ROWS = 200_000
_SNIFFED = f"sample_size = {_SNIFFED_ROWS}"
"""Types are those of so many rows."""
_TYPES = ["BOOLEAN", "BIGINT", "DOUBLE", "VARCHAR"]
"""Dates stay text; that of infinity has no number of days in Python."""
_SEPARATORS = (",", ";", "\t", "|")
_LONGEST_HEAD = 2**24
"""Bytes of a first line that are looked at."""
_BUFFER = 1 << 14
"""Bytes of a column that are read at a time."""
_NUMBERS = ("BIGINT", "DOUBLE")
_TEXT_AMONG_NUMBERS = re.compile(
    r"on Line: (?P<line>\d+).*column \"(?P<column>.*?)\"\. "
    r"Could not convert string \"(?P<value>.*?)\" to '(?P<kind>\w+)'",
    re.DOTALL,
)


def _unclosed_quote(file: str) -> str | None:
    """The line of a quote that nothing closes, from which on all lines would be one cell; None where all are closed."""
    if not Path(file).is_file():  # a relation of the user's own has no name
        return None
    # A cell in quotes, the quote that closes it, and what stands between that and the cell's end.
    end = f"{re.escape(_separator(file))}\\r\\n".encode()
    cells = rb'(?:\A(?:\xef\xbb\xbf)?|(?<=[%s]))"(?:[^"]+|"")*("?)([^%s]?)' % (end, end)
    with Path(file).open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as text:
        for cell in re.finditer(cells, text):
            if not cell[1] or cell[2]:
                line = text[: cell.start()].count(b"\n") + 1
                return (
                    f"line {line}: a cell begins with a quote, and none ends it before the end of the cell; "
                    "close it, and write a quote inside of quotes twice"
                )
    return None


def bad_cell(error: Exception, file: str) -> str | None:
    """What DuckDB says of a cell or a row of a CSV file that it cannot read; None of other errors."""
    if "when sniffing file" in str(error):
        return _unclosed_quote(file) or (
            "the rows are not as the first line, which is of the columns' names: each has as many cells, quotes are in "
            "pairs, and all lines end alike"
        )
    found = _TEXT_AMONG_NUMBERS.search(str(error))
    if found is None:
        return NOT_UTF8 if "not utf-8 encoded" in str(error) else None
    kind = "numbers" if found["kind"] in _NUMBERS else found["kind"]
    return (
        f"line {found['line']}: {shown(found['value'])} in column {found['column']!r}, which the first rows say is of "
        f"{kind}; correct it, or leave the cell empty where the value is missing"
    )


def _agreed(kind: str, first: str) -> str:
    """The type to read a column of CSV as: its own if that is a number as in the first file, else the first file's."""
    return kind if kind in _NUMBERS and first in _NUMBERS else first
