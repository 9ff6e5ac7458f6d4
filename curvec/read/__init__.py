"""From emitted, possibly hand-edited Python back to the IR: parsed, never executed."""

from __future__ import annotations

from curvec.read.module import from_python

__all__ = ["from_python"]
