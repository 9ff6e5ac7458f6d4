"""Files: tables and texts to read, and the one way in which a file is written."""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Literal

from curvec.errors import InputError, MissingDependencyError
from curvec.fields import changed
from curvec.rows import Batch, Stream, stream_of
from curvec.rows.files import check_table_file, is_glob


def read_table(path: str | Path) -> Any:
    """The rows of a .csv or .parquet file as a pyarrow Table, read as a stream's batches are.

    In a .csv file an empty cell is missing, in columns of text too.

    Raises:
        InputError: the file is not there, of another kind, or cannot be read.
        MissingDependencyError: pyarrow or DuckDB is not installed.

    """
    if Path(path).is_dir():
        raise InputError(f"{path}: this is a folder; give one .csv or .parquet file")
    check_table_file(Path(path))
    stream = stream_of(Path(path))
    assert stream is not None  # noqa: S101  a path is a stream
    batches = [batch.arrow for batch in stream.batches()]
    schema = batches[0].schema if batches else stream.parts[0].schema()
    return import_module("pyarrow").Table.from_batches(batches, schema).unify_dictionaries()


def table_or_stream(path: str | Path) -> Any:
    """The data frame of a file, as :func:`read_table` gives it; of a folder or a glob its name, which is a stream.

    Raises:
        InputError, MissingDependencyError: as :func:`read_table`.

    """
    return str(path) if Path(path).is_dir() or is_glob(str(path)) else read_table(path)


def frame_of(columns: Mapping[str, Sequence[Any]]) -> Any:
    """The columns as a data frame of pandas, else of polars or pyarrow, whichever is installed.

    Raises:
        MissingDependencyError: none is.

    """
    import narwhals.stable.v1 as nw

    backends: tuple[Literal["pandas", "polars", "pyarrow"], ...] = ("pandas", "polars", "pyarrow")
    for backend in backends:
        if importlib.util.find_spec(backend) is not None:
            return nw.from_dict(dict(columns), backend=backend).to_native()
    raise MissingDependencyError("a data frame needs pandas, polars or pyarrow: pip install 'curvec[demo]'")


def read_text(path: str | Path, most: int, what: str) -> str:
    """The text of a UTF-8 file of at most ``most`` bytes.

    Raises:
        InputError: the file cannot be read, is larger than ``what`` ever is, or is not UTF-8.

    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:  # a ValueError for a null byte in the path
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > most:
        raise InputError(f"{path}: more than {most >> 20} MB; that is no {what}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a whole file, or leave what was there: a kill or a full disk at any moment leaves no half file.

    The content is written to a file without a name, or under another name in the same folder where there are no such
    files; it is flushed to the disk, and takes the name. A link stays a link, and a file that was there keeps its
    permissions. Pipes and devices (``/dev/stdout``) are written to as they are. Text is UTF-8, with line feeds on every
    platform.

    Raises:
        InputError: the file cannot be written.

    """
    try:
        _write(Path(path), content.encode() if isinstance(content, str) else content)
    except (OSError, ValueError) as error:  # a ValueError for a null byte in the path
        raise _cannot_be_written(path, error) from None


@contextlib.contextmanager
def spooled(stream: Stream) -> Iterator[Stream]:
    """A stream that can be read only once, kept in a temporary Parquet file so that it can be read again.

    The file takes about as much room as the rows in Parquet do, and goes at the end.

    Raises:
        InputError: the stream cannot be read, or the file cannot be written.

    """
    with tempfile.TemporaryDirectory(prefix="curvec-") as folder:
        file = Path(folder) / "rows.parquet"
        batches = stream.batches()
        first = next(batches, None)
        if first is None:
            raise InputError(
                f"X, {stream.what}, has no rows; a reader that was read before has none left, so make a new one"
            )
        with parquet_file(file, first.arrow.schema) as write:
            for batch in chain([first], batches):
                write(_as_first(batch, first.arrow.schema))
        kept = stream_of(file)
        assert kept is not None  # noqa: S101  a path is a stream
        yield Stream(stream.what, again=True, parts=[changed(part, origin="") for part in kept.parts])


def _as_first(batch: Batch, schema: Any) -> Any:
    """The rows as a record batch of the first one's types."""
    try:
        return batch.arrow.cast(schema)
    except ValueError as error:  # Arrow's are ValueErrors
        raise InputError(
            f"{batch.place.head}the rows from {batch.place.first:,} on are not of the first rows' types: {error}"
        ) from None


@contextlib.contextmanager
def parquet_file(path: Path, schema: Any) -> Iterator[Callable[[Any], None]]:
    """A Parquet file that is written batch by batch, and takes its name only when it is whole.

    Args:
        path: its name. What is there stays until the end, and after a kill or an error.
        schema: a pyarrow schema.

    Yields:
        what writes a pyarrow record batch of that schema.

    Raises:
        InputError: it cannot be written.

    """
    path = Path(os.path.realpath(path))
    types = import_module("pyarrow.types")
    # Doubles seldom repeat, and looking for those that do takes longer than writing them.
    coded = [field.name for field in schema if not types.is_floating(field.type)]
    parquet = import_module("pyarrow.parquet")
    try:
        with (
            _in_place_of(path) as file,
            parquet.ParquetWriter(file, schema, compression="zstd", use_dictionary=coded) as writer,
        ):
            yield writer.write_batch
    except OSError as error:
        raise _cannot_be_written(path, error) from None


def make_folder(path: Path) -> None:
    """Make a folder, and its parents, if they do not exist.

    Raises:
        InputError: it cannot be made.

    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _cannot_be_written(path, error) from None


def _cannot_be_written(path: str | Path, error: OSError | ValueError) -> InputError:
    return InputError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}")


def _write(path: Path, data: bytes) -> None:
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    if found is not None and (number := _standard_stream(found)) is not None:
        sys.stdout.flush()  # what was printed before stays before
        with open(number, "wb", closefd=False) as stream:
            stream.write(data)
    elif found is None or stat.S_ISREG(found.st_mode):
        _replace(Path(os.path.realpath(path)), data)
    else:
        path.write_bytes(data)


def _standard_stream(found: os.stat_result) -> int | None:
    """The number of standard output or error if it goes to this file; opened anew, it would start at its beginning."""
    for number in (1, 2):
        with contextlib.suppress(OSError):  # it may be closed
            if os.path.samestat(found, os.fstat(number)):
                return number
    return None


def _replace(path: Path, data: bytes) -> None:
    """Put the data in the place of the file that has the name now."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with _in_place_of(path) as file:
        file.write(data)


@contextlib.contextmanager
def _in_place_of(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the name, and the permissions of the file that has it now, when it is whole.

    Until then it has no name where the system has such files, so that a kill leaves nothing, or else another name in
    the same folder.
    """
    temporary = path.with_name(f".curvec-{os.urandom(8).hex()}.tmp")
    try:
        nameless = _nameless(path.parent)
        with nameless or temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if nameless:
                _give_name(nameless, temporary)
        if path.exists():
            _keep_permissions(temporary, path.stat())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


_OPEN_FILES = "/proc/self/fd"
"""Where Linux shows a process its open files, those without a name too."""


def _nameless(folder: Path) -> BinaryIO | None:
    """A new file without a name; None where the system, or what the folder is on, has none."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is not None and Path(_OPEN_FILES).is_dir():
        with contextlib.suppress(OSError):
            return os.fdopen(os.open(folder, flag | os.O_RDWR, 0o666), "w+b")
    return None


def _give_name(nameless: BinaryIO, path: Path) -> None:
    """Give a whole file a name; where the system allows no name afterwards, a copy of it has the name."""
    try:
        # A whole path has no use for a descriptor; but without one Python links the link in /proc itself.
        os.link(f"{_OPEN_FILES}/{nameless.fileno()}", path, src_dir_fd=nameless.fileno())
    except OSError:
        nameless.seek(0)
        with path.open("xb") as file:
            shutil.copyfileobj(nameless, file)
            file.flush()
            os.fsync(file.fileno())


def _keep_permissions(path: Path, found: os.stat_result) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(PermissionError):  # only root may give a file away
            os.chown(path, found.st_uid, found.st_gid)
    path.chmod(stat.S_IMODE(found.st_mode))
