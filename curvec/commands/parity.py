"""``curvec parity``: whether every target scores as the model does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from curvec.commands.choices import names
from curvec.commands.output import print_table, write_output
from curvec.files import table_or_stream
from curvec.load import load
from curvec.parity import RUNNERS, check


def parity(
    model: Annotated[Path, typer.Argument(help="the model file")],
    data: Annotated[
        Path | None,
        typer.Option(help="rows to score besides the probes: a .csv or .parquet file, or a folder or a glob of them"),
    ] = None,
    targets: Annotated[str | None, typer.Option(help=f"comma-separated: {', '.join(RUNNERS)}; all without")] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="print the report as JSON")] = False,
) -> None:
    """Score probes and DATA with every target; exit 1 if one disagrees with the model."""
    rows: Any = None if data is None else table_or_stream(data)
    report = check(load(model), rows, names(targets))
    if json:
        write_output(report.to_json())
    else:
        print_table(report)
    if not report.ok:
        raise typer.Exit(1)
