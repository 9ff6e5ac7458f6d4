"""Teachers read exactly: one small file a library, one registry (see :mod:`curvec.teachers.registry`)."""

from __future__ import annotations

from curvec.teachers.reading import Axis, Check, Pair, Reading, Sample
from curvec.teachers.registry import ADAPTERS, read, read_teacher

__all__ = ["ADAPTERS", "Axis", "Check", "Pair", "Reading", "Sample", "read", "read_teacher"]
