"""``curvec fit``: one curve from a file of points."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, cast

import narwhals.stable.v1 as nw
import typer

from curvec.commands.choices import check_model_file, direction, numbers_of, whole_or_auto
from curvec.commands.output import put, say
from curvec.errors import InputError, counted
from curvec.files import read_table
from curvec.fit import Fit, fit_pwl

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(fit)


def fit(
    file: Annotated[Path, typer.Argument(help="a .csv or .parquet file, one point a row")],
    x: Annotated[str, typer.Option(help="the column of x")],
    y: Annotated[str, typer.Option(help="the column of y")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the model file to write")] = None,
    weight: Annotated[str | None, typer.Option(help="the column of weights")] = None,
    num_segments: Annotated[str, typer.Option("--segments", help="the most segments, or auto: as few as do")] = "5",
    mono: Annotated[
        str, typer.Option(help="none, auto (direction found), increasing, decreasing, peak, valley or bitonic")
    ] = "none",
    curvature: Annotated[str | None, typer.Option(help="convex or concave")] = None,
    min_slope: Annotated[float | None, typer.Option(help="the least slope of a segment")] = None,
    max_slope: Annotated[float | None, typer.Option(help="the largest slope of a segment")] = None,
    fx: Annotated[str | None, typer.Option(help="the transform of x; else chosen")] = None,
    knots: Annotated[list[float] | None, typer.Option("--knot", help="an x where the curve must have a knot")] = None,
    knots_on: Annotated[str, typer.Option(help="where knots may be: any, auto, values, whole or round")] = "any",
    y_bounds: Annotated[str, typer.Option(help="of the curve: data (the range of y), none, or LOW:HIGH")] = "data",
    digits: Annotated[str, typer.Option(help="significant digits of the points, or auto")] = "4",
    margin: Annotated[float, typer.Option(help="share of the variance that may be lost to be shorter")] = 0.0,
    tolerance: Annotated[float, typer.Option(help="for auto: share of the variance that may stay unexplained")] = 0.01,
    max_segments: Annotated[int, typer.Option(help="for auto")] = 10,
    max_seconds: Annotated[float | None, typer.Option(help="a time budget of the search")] = None,
    missing: Annotated[float | None, typer.Option(help="the curve's value for a missing input")] = None,
    special: Annotated[list[float] | None, typer.Option(help="an x that is a code, with a value of its own")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="the points and the errors as JSON")] = False,
) -> None:
    """Fit the closest piecewise-linear curve to the points of FILE and print it."""
    check_model_file(output)
    shape = direction(mono, "--mono")
    frame = nw.from_native(read_table(file), eager_only=True)
    fitted = fit_pwl(
        numbers_of(frame, x),
        numbers_of(frame, y),
        None if weight is None else numbers_of(frame, weight),
        num_segments=whole_or_auto("--segments", num_segments, "how many segments"),
        mono=shape,
        curvature=cast("Any", curvature),
        min_slope=min_slope,
        max_slope=max_slope,
        fx=fx,
        knots=knots or (),
        knots_on=cast("Any", knots_on),
        y_bounds=_bounds(y_bounds),
        digits=whole_or_auto("--digits", digits, "a number of digits"),
        margin=margin,
        tolerance=tolerance,
        max_segments=max_segments,
        max_seconds=max_seconds,
        feature=x,
        missing=missing,
        special=tuple(special or ()),
    )
    if output is not None:
        put(fitted.to_json(), output)
    if as_json:
        put(json.dumps(_plain(fitted), indent=1, ensure_ascii=False, allow_nan=False) + "\n")
        return
    say(str(fitted.curve))
    typer.echo(f"mean squared error {fitted.mse:.6g}, {counted(fitted.num_segments, 'segment')}", err=True)
    for note in fitted.notes:
        typer.echo(note, err=True)


def _plain(fitted: Fit) -> dict[str, Any]:
    figures = ("mse", "rmse", "r2", "unexplained", "optimal", "lower_bound", "shortening_loss")
    curve = {
        "feature": fitted.curve.feature,
        "fx": fitted.curve.fx,
        "points": [list(point) for point in fitted.curve.points],
    }
    return curve | {name: getattr(fitted, name) for name in figures} | {"notes": list(fitted.notes)}


def _bounds(text: str) -> Any:
    """``data``, ``none``, or two numbers of which one may be left out."""
    if text in ("data", "none"):
        return "data" if text == "data" else None
    low, colon, high = text.partition(":")
    try:
        ends = tuple(float(end) if end else None for end in (low, high))
    except ValueError:
        colon = ""
    if not colon:
        raise InputError(f"--y-bounds {text}: write data, none, or LOW:HIGH, of which one may be left out")
    return ends
