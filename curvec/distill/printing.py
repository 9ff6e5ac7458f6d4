"""How reports show numbers and tables: one spelling for the terminal, for notebooks and for the review page."""

from __future__ import annotations

from typing import Any


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
