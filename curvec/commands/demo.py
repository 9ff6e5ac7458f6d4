"""``curvec demo``: the main job on real data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="where the files go")] = Path("build/demo"),
) -> None:
    """Distil a model of real data, emit it in every language and prove that all agree."""
    from curvec.demo import run  # noqa: PLC0415  what the demo needs is not loaded for other commands

    run(output)
