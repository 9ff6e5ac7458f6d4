"""``curvec --version``, and ``--includes`` and ``--cmakedir``: where builds that use emitted C++ find the runtime."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer

from curvec.commands.output import print_text
from curvec.includes import get_cmake_dir, get_include


def options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=lambda asked: _answer(asked, f"curvec {metadata.version('curvec')}"),
            help="Print the version, and exit.",
        ),
    ] = False,
    includes: Annotated[
        bool,
        typer.Option(
            "--includes",
            is_eager=True,
            callback=lambda asked: _answer(asked, f"-I{get_include()}"),
            help="Print the compiler's option for the C++ headers, and exit.",
        ),
    ] = False,
    cmakedir: Annotated[
        bool,
        typer.Option(
            "--cmakedir",
            is_eager=True,
            callback=lambda asked: _answer(asked, get_cmake_dir()),
            help="Print the folder of the CMake package, for curvec_DIR, and exit.",
        ),
    ] = False,
) -> None:
    """A compiler for curve models: read, distil, review, emit, prove."""


def _answer(asked: bool, text: str) -> None:  # noqa: FBT001  as typer calls it
    if asked:
        print_text(text)
        raise typer.Exit
