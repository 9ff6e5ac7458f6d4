"""``curvec demo``: the main job on real data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from curvec.commands.output import print_json


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="where the files go")] = Path("build/demo"),
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="the files, the parity report and the metrics as JSON on standard output")
    ] = False,
) -> None:
    """Distil a model of real data, emit it in every language and prove that all agree."""
    from curvec.demo import run  # noqa: PLC0415  what the demo needs is not loaded for other commands

    made = run(output, Console(stderr=as_json))
    if as_json:
        print_json(made)
