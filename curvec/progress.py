"""How far a long call is, on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["progress_bar"]


def progress_bar(*, shown: bool | None = None) -> Progress:
    """A bar with words, steps done and the time; gone when it ends. None shows it where stderr is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(
        *columns, console=console, transient=True, disable=not (console.is_terminal if shown is None else shown)
    )
