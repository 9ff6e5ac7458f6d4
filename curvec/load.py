"""Model files back as models, by their suffix."""

from __future__ import annotations

from pathlib import Path

from curvec.checks import as_path
from curvec.errors import InputError, shown
from curvec.files import read_text
from curvec.model import CurveModel, from_json
from curvec.read import from_python

_READERS = {".json": from_json, ".py": from_python}
_MAX_BYTES = {".json": 512 * 2**20, ".py": 16 * 2**20}
"""A thousand curves of a hundred points are 2 MB. The exact form of a teacher, which is a model file too, may be far
larger: an EBM's pair takes 0.1 MB, and there may be hundreds."""


def load(path: str | Path, suffix: str | None = None) -> CurveModel:
    """The model of a file: ``model.save(...)`` (.json), or emitted and possibly edited Python (.py).

    Python may also be the bare listing, ``score = sum([PWLCurve(...), ...])``, a list of curves, or a curve. Nothing in
    the file is executed; see :func:`curvec.read.from_python` for what Python may hold.

    Args:
        path: the file.
        suffix: ".json" or ".py", where the file's own name does not say which it is.

    Raises:
        InputError: the file is not there, too large, not UTF-8, or not a model; the message says where.

    """
    path = as_path(path)
    suffix = path.suffix if suffix is None else suffix
    reader = _READERS.get(suffix) if isinstance(suffix, str) else None
    if reader is None:
        raise InputError(f"{path}: suffix {shown(suffix)} is not a model file's; use {' or '.join(_READERS)}")
    return reader(read_text(path, _MAX_BYTES[suffix], "model for people to read"), str(path))
