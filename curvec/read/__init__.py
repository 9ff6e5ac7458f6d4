"""From files back to the IR; nothing in a file is executed."""

from __future__ import annotations
