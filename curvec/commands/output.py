"""Writing a command's result: exact bytes to a file or a pipe, or text that a person's terminal can show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from curvec.errors import InputError
from curvec.files import write_file


def write_output(text: str, output: Path | None = None) -> None:
    """Write code, a model, a table or JSON to a file or to standard output: UTF-8 in either, whatever the terminal's.

    Raises:
        InputError: it cannot be written.

    """
    if output is not None:
        write_file(output, text)
        return
    with _to_standard_output():
        typer.echo(text.encode(), nl=False)


def print_json(value: Any, *, default: Callable[[Any], Any] | None = None) -> None:
    """Write plain values to standard output as JSON; ``default`` makes one of what JSON has no form for.

    Raises:
        InputError: it cannot be written.

    """
    write_output(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False, default=default) + "\n")


def check_json_apart(
    as_json: bool,  # noqa: FBT001  of a command's option
    output: Path | None,
    what: str,
    file: str = "the model file",
) -> None:
    """Check that ``--json`` has standard output to itself: the model then goes to a file.

    Raises:
        InputError: both would go there.

    """
    if as_json and output is None:
        raise InputError(f"--json prints {what}; name {file} with -o")


def check_not_read(output: Path | None, *read: Path | None) -> None:
    """Check that what a command writes takes the place of nothing that it reads.

    Raises:
        InputError: it would; the names may differ, as those of links do.

    """
    for path in read:
        if output is not None and path is not None and same_file(output, path):
            raise InputError(f"{output}: this file is read, and what is written would take its place; give another one")


def same_file(one: Path, other: Path) -> bool:
    """Whether both are there and are one file, whatever they are called."""
    return one.exists() and other.exists() and one.samefile(other)


def print_text(text: str) -> None:
    """Print lines for a person on standard output.

    Raises:
        InputError: they cannot be written.

    """
    with _to_standard_output():
        typer.echo(text)


def print_table(table: Any) -> None:
    """Print a table for a person on standard output.

    Raises:
        InputError: it cannot be written.

    """
    with _to_standard_output():
        Console().print(table)


@contextmanager
def _to_standard_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise  # the reader has closed the pipe; curvec.cli ends without a message
    except (OSError, ValueError) as error:
        raise InputError(f"standard output cannot be written: {getattr(error, 'strerror', None) or error}") from None
