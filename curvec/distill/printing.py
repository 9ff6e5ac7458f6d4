"""A rich renderable as plain text."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console

__all__ = ["plain_text"]


def plain_text(renderable: Any) -> str:
    """What rich prints of ``renderable``, as plain text of 120 columns."""
    console = Console(file=io.StringIO(), width=120, force_terminal=False, color_system=None)
    console.print(renderable)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # the StringIO above
    return "\n".join(line.rstrip() for line in text.splitlines())
