"""How reports show numbers and tables: one spelling for the terminal, for notebooks and for the review page."""

from __future__ import annotations

import io
from typing import Any


def plain_text(renderable: Any) -> str:
    """What rich prints of ``renderable``, as plain text of 120 columns."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=120, force_terminal=False, color_system=None)
    console.print(renderable)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # the StringIO above
    return "\n".join(line.rstrip() for line in text.splitlines())


def size_text(value: float) -> str:
    """A size in units of the raw score, as every report shows it."""
    return f"{value:.4g}"


def share_text(value: float | None) -> str:
    """A share, as every report shows it."""
    return "-" if value is None else f"{value:.2%}"


def metric_text(value: float | None, *, change: bool = False) -> str:
    """A metric or its change, as every report shows it."""
    return "-" if value is None else f"{value:+.5f}" if change else f"{value:.5f}"


def input_text(value: Any) -> str:
    """An input, as every report shows it."""
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
