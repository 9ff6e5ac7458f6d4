"""Files: tables to read, and text to write."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import narwhals.stable.v1 as nw

from curvec.errors import InputError, MissingDependencyError

__all__ = ["read_table", "write", "write_text"]

_BACKENDS: tuple[Any, ...] = (nw.Implementation.PYARROW, nw.Implementation.POLARS, nw.Implementation.PANDAS)
_READERS = {".csv": nw.read_csv, ".parquet": nw.read_parquet}


def read_table(path: str | Path) -> Any:
    """The data frame of a .csv or .parquet file, read by the first of pyarrow, polars and pandas that is installed.

    In a .csv file an empty cell is missing, in columns of text too.

    Raises:
        InputError: the file is not there, of another kind, or cannot be read.
        MissingDependencyError: none of the three is installed.

    """
    path = Path(path)
    if path.suffix not in _READERS:
        raise InputError(f"{path}: suffix {path.suffix!r} is not a table's; use .csv or .parquet")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    for backend in _BACKENDS:
        if importlib.util.find_spec(backend.value) is not None:
            break
    else:
        raise MissingDependencyError("reading a table needs pyarrow, polars or pandas: pip install 'curvec[demo]'")
    try:
        frame = _READERS[path.suffix](str(path), backend=backend)
    except Exception as error:  # each backend has errors of its own; what they say is what the user needs
        raise InputError(f"{path}: {type(error).__name__}: {error}") from error
    return (_without_blanks(frame) if path.suffix == ".csv" else frame).to_native()


def _without_blanks(frame: Any) -> Any:
    """An empty cell of a column of text as missing, which pyarrow takes for text of no characters."""
    texts = [name for name, dtype in frame.schema.items() if dtype == nw.String]
    return frame.with_columns(nw.when(nw.col(name) != "").then(nw.col(name)).alias(name) for name in texts)


def write_text(path: str | Path, text: str) -> None:
    """Write text as UTF-8, with line feeds on every platform.

    Raises:
        InputError: the file cannot be written.

    """
    path = Path(path)
    write(path, lambda: path.write_text(text, encoding="utf-8", newline="\n"))


def write(path: Path, action: Callable[[], object]) -> None:
    """Do what writes the file, and say in one line why it cannot be written.

    Raises:
        InputError: the file cannot be written.

    """
    try:
        action()
    except (OSError, ValueError) as error:  # a ValueError for a null byte in the path
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be written: {reason}") from None
