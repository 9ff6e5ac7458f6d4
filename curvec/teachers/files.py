"""Files of teachers, opened by what is in them: JSON, UBJSON, text, arrays and tables. Never a pickle."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from curvec.errors import InputError, UnsupportedError
from curvec.files import read_table
from curvec.teachers import ubjson

__all__ = ["Document", "opened"]


@dataclass(frozen=True, eq=False)
class Document:
    """A file's content: a mapping (JSON, UBJSON, npz) or text; and where it came from."""

    content: Mapping[str, Any] | str
    origin: str

    def has(self, *keys: str) -> bool:
        """Whether the content is a mapping with these keys."""
        return isinstance(self.content, Mapping) and all(key in self.content for key in keys)


def opened(teacher: Any) -> Any:
    """A path as the Document of its file, a mapping with string keys as one too; anything else as it is.

    Raises:
        InputError: the file is not there or is broken.
        UnsupportedError: it is a pickle.

    """
    if isinstance(teacher, (str, Path)):
        return _document(Path(teacher))
    if isinstance(teacher, Mapping) and teacher and all(isinstance(key, str) for key in teacher):
        return Document(teacher, "mapping")
    return teacher


def _document(path: Path) -> Any:
    if path.suffix == ".parquet":
        return read_table(path)
    try:
        head = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if path.suffix == ".npz":
        return Document(_arrays(path), str(path))
    if head[:1] == b"\x80" or path.suffix in (".pkl", ".pickle", ".joblib", ".pt", ".pth"):
        raise UnsupportedError(
            f"{path} is a pickle, which runs code when it is opened; load it yourself and pass the object "
            "(on the command line: module:object)"
        )
    if path.suffix == ".ubj":
        return Document(ubjson.loads(head, str(path)), str(path))
    if head[:4] == b"CBM1":
        raise UnsupportedError(f"{path} is CatBoost's own binary form; save the model with format='json'")
    return _text(head, path)


def _arrays(path: Path) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: not an archive of plain arrays ({error})") from None


def _text(data: bytes, path: Path) -> Document:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    if not text.lstrip().startswith("{"):
        return Document(text, str(path))
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: {error}") from None
    return Document(content, str(path))
