"""Files of teachers, opened by what is in them: JSON, UBJSON, text, arrays and tables. Never a pickle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from curvec.errors import CurvecError, InputError, UnsupportedError
from curvec.files import read_table
from curvec.teachers.parts import ubjson


class Document(msgspec.Struct, frozen=True, eq=False):
    """A file's content: a mapping (JSON, UBJSON, npz) or text; and where it came from."""

    content: Mapping[str, Any] | str
    origin: str

    def has(self, *keys: str) -> bool:
        """Whether the content is a mapping with these keys."""
        return isinstance(self.content, Mapping) and all(key in self.content for key in keys)


@contextmanager
def errors_named(origin: str, what: str) -> Iterator[None]:
    """Turn whatever goes wrong while a file's content is read into an InputError that names the file.

    A damaged file can fail in more ways than can be listed: numbers too large to convert, endlessly nested lists,
    missing keys.

    Args:
        origin: the file, or another name for where the content came from.
        what: what it should be, e.g. "a LightGBM model".

    Raises:
        InputError: for any exception that is not one of curvec's; these are passed on, the file named.

    """
    try:
        yield
    except InputError as error:
        if origin in str(error):
            raise
        raise InputError(f"{origin}: {error}") from error
    except CurvecError:
        raise
    except OSError as error:
        raise InputError(f"{origin}: {error.strerror or error}") from error
    except RecursionError as error:
        raise InputError(f"{origin}: nested too deeply for {what}") from error
    except MemoryError as error:
        raise InputError(f"{origin}: says that it is larger than the memory") from error
    except Exception as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{origin}: looks like {what}, but is not whole ({type(error).__name__}: {reason})") from error


def as_document(teacher: Any) -> Any:
    """A path as the Document of its file, a mapping with string keys as one too; anything else as it is.

    Raises:
        InputError: the file is not there or is broken.
        UnsupportedError: it is a pickle.

    """
    if isinstance(teacher, (str, Path)):
        path = Path(teacher)
        with errors_named(str(path), "a teacher's file"):
            return _document(path)
    if isinstance(teacher, Mapping) and teacher and all(isinstance(key, str) for key in teacher):
        return Document(teacher, "the mapping")
    return teacher


def _document(path: Path) -> Any:
    if path.suffix == ".parquet":
        return read_table(path)
    data = path.read_bytes()
    if path.suffix == ".npz":
        with (
            errors_named(str(path), "an archive of plain arrays"),
            np.load(BytesIO(data), allow_pickle=False) as arrays,
        ):
            return Document({name: arrays[name] for name in arrays.files}, str(path))
    if data[:1] == b"\x80" or path.suffix in (".pkl", ".pickle", ".joblib", ".pt", ".pth"):
        raise UnsupportedError(
            f"{path} is a pickle, which runs code when it is opened; load it yourself and pass the object "
            "(on the command line: module:object)"
        )
    if path.suffix == ".ubj":
        return Document(ubjson.loads(data), str(path))
    if data[:4] == b"CBM1":
        raise UnsupportedError(f"{path} is CatBoost's own binary form; save the model with format='json'")
    return _text(data, path)


def _text(data: bytes, path: Path) -> Document:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    if not text.lstrip().startswith("{"):
        return Document(text, str(path))
    with errors_named(str(path), "JSON"):
        return Document(json.loads(text), str(path))
