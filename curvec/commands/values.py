"""``curvec values``: a model's values as a table, for a spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curvec.commands.output import check_not_read, print_json, write_output
from curvec.load import load
from curvec.review.values import value_table, values_csv


def values(
    model: Annotated[Path, typer.Argument(help="the model file")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the .csv file to write")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="print them as JSON")] = False,
) -> None:
    """Print every value of MODEL as CSV: a scorecard, or a rating table with a factor a line."""
    check_not_read(output, model)
    loaded = load(model)
    if output is not None or not as_json:
        write_output(values_csv(loaded), output)
    if as_json:
        print_json([value._asdict() for value in value_table(loaded)])
