"""Model files back as models, by their suffix."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

from curvec.errors import InputError
from curvec.model import CurveModel, from_json
from curvec.read import from_python

__all__ = ["load"]

_READERS = {".json": from_json, ".py": from_python}
_MAX_BYTES = {".json": 512 * 2**20, ".py": 16 * 2**20}
"""A thousand curves of a hundred points are 2 MB. The exact form of a teacher, which is a model file too, may be far
larger: an EBM's pair takes 0.1 MB, and there may be hundreds."""


def load(path: str | Path, suffix: str | None = None) -> CurveModel:
    """The model of a file: ``model.save(...)`` (.json), or emitted and possibly edited Python (.py).

    Nothing in the file is executed; see :func:`curvec.read.from_python` for what Python may hold.

    Args:
        path: the file.
        suffix: ".json" or ".py", where the file's own name does not say which it is.

    Raises:
        InputError: the file is not there, too large, not UTF-8, or not a model; the message says where.

    """
    path = Path(path)
    suffix = path.suffix if suffix is None else suffix
    reader = _READERS.get(suffix)
    if reader is None:
        raise InputError(f"{path}: suffix {suffix!r} is not a model file's; use {' or '.join(_READERS)}")
    return reader(_text(path, suffix), str(path))


def _text(path: Path, suffix: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES[suffix] + 1)
    except (OSError, ValueError) as error:  # a ValueError for a null byte in the path
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > _MAX_BYTES[suffix]:
        raise InputError(f"{path}: more than {_MAX_BYTES[suffix] >> 20} MB; that is no model for people to read")
    if suffix == ".py":
        _check_encoding(raw, path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None


def _check_encoding(raw: bytes, path: Path) -> None:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    except SyntaxError:
        raise InputError(f"{path}: not UTF-8 text, or it declares an encoding that Python does not know") from None
    if encoding not in ("utf-8", "utf-8-sig"):
        raise InputError(f"{path}: declares the encoding {encoding}; models are UTF-8")
