"""How far a long call is, on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


def progress_bar(*columns: ProgressColumn, shown: bool | None = None) -> Progress:
    """A line that is gone when the call ends: a bar with words, steps done and the time, or columns of one's own.

    ``shown``: None shows it where stderr is a terminal.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    usual = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = not (console.is_terminal if shown is None else shown)
    return Progress(*(columns or usual), console=console, transient=True, disable=hidden)


@contextmanager
def counter() -> Iterator[Callable[[str], None]]:
    """A line for what has no known end, with the time: a call sets its words. Where stderr is no terminal, nothing."""
    from rich.progress import TextColumn, TimeElapsedColumn

    with progress_bar(TextColumn("{task.description}"), TimeElapsedColumn()) as bar:
        task = bar.add_task("", total=None)
        yield lambda words: bar.update(task, description=words)
