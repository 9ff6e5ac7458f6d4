"""The SQL target."""

from __future__ import annotations

from typing import Any

from curvec.errors import UnsupportedError
from curvec.model import CurveModel

__all__ = ["emit_sql"]


def emit_sql(model: CurveModel, **options: Any) -> str:
    """The model as SQL."""
    raise UnsupportedError(f"no SQL yet for {model.name!r} with {sorted(options)}")
