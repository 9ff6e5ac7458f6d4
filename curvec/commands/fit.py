"""``curvec fit``: one curve from a file of points."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import narwhals.stable.v1 as nw
import typer

from curvec.commands.choices import direction
from curvec.commands.output import say
from curvec.data import numbers
from curvec.errors import InputError, counted
from curvec.files import read_table
from curvec.fit import fit_pwl
from curvec.transforms import FloatArray

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(fit)


def fit(
    file: Annotated[Path, typer.Argument(help="a .csv or .parquet file, one point a row")],
    x: Annotated[str, typer.Option(help="the column of x")],
    y: Annotated[str, typer.Option(help="the column of y")],
    weight: Annotated[str | None, typer.Option(help="the column of weights")] = None,
    num_segments: Annotated[int, typer.Option("--segments", help="the most segments")] = 5,
    mono: Annotated[str, typer.Option(help="none, auto (direction found), up, down, peak, valley or bitonic")] = "none",
    fx: Annotated[str | None, typer.Option(help="the transform of x; else chosen")] = None,
    digits: Annotated[int | None, typer.Option(help="significant digits of the points")] = 4,
) -> None:
    """Fit the closest piecewise-linear curve to the points of FILE and print it."""
    shape = direction(mono, "--mono")
    frame = nw.from_native(read_table(file), eager_only=True)
    fitted = fit_pwl(
        _column(frame, x),
        _column(frame, y),
        None if weight is None else _column(frame, weight),
        num_segments=num_segments,
        mono=shape,
        fx=fx,
        digits=digits,
        feature=x,
    )
    say(str(fitted.curve))
    typer.echo(f"mean squared error {fitted.mse:.6g}, {counted(len(fitted.curve.points) - 1, 'segment')}", err=True)


def _column(frame: nw.DataFrame[Any], name: str) -> FloatArray:
    if name not in frame.columns:
        raise InputError(f"column {name!r} is missing from the file (it has {', '.join(map(repr, frame.columns))})")
    return numbers(frame[name].to_numpy(), name)
