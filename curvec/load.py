"""Model files back as models, by their suffix."""

from __future__ import annotations

from pathlib import Path

from curvec.errors import InputError
from curvec.model import CurveModel, from_json

__all__ = ["load"]


def load(path: str | Path) -> CurveModel:
    """The model of a file that ``save`` wrote (.json).

    Raises:
        InputError: the file is not there, not UTF-8, or not a model; the message says where.

    """
    path = Path(path)
    try:
        source = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    if path.suffix != ".json":
        raise InputError(f"{path}: suffix {path.suffix!r} is not a model file's; use .json")
    return from_json(source, str(path))
