"""From the IR to code: one file a language, one registry."""

from __future__ import annotations

from curvec.emit.target import TARGETS, Driver, Target, emit

__all__ = ["TARGETS", "Driver", "Target", "emit"]
