"""Teachers read exactly: one small file a library, one registry."""

from __future__ import annotations
