"""``curvec emit``: a model file as code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from curvec.emit import TARGETS
from curvec.emit import emit as emit_text
from curvec.load import load

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(emit)


def emit(
    model: Annotated[Path, typer.Argument(help="the model file")],
    to: Annotated[str, typer.Option(help=f"the target: {', '.join(TARGETS)}")],
    dialect: Annotated[str | None, typer.Option(help="for sql: the engine's dialect")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the file to write")] = None,
    *,
    standalone: Annotated[bool, typer.Option(help="python, cpp: need nothing but the language")] = False,
) -> None:
    """Emit MODEL as code."""
    options: dict[str, Any] = {"standalone": True} if standalone else {}
    text = emit_text(load(model), to, dialect=dialect, **options)
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8", newline="\n")
