"""The C++ target."""

from __future__ import annotations

from typing import Any

from curvec.errors import UnsupportedError
from curvec.model import CurveModel

__all__ = ["emit_cpp"]


def emit_cpp(model: CurveModel, **options: Any) -> str:
    """The model as C++."""
    raise UnsupportedError(f"no C++ yet for {model.name!r} with {sorted(options)}")
