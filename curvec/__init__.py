"""curvec: a compiler for curve models."""

from __future__ import annotations

__all__: list[str] = []
