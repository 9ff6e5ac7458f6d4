"""``curvec fit``: one curve from a file of points."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import narwhals.stable.v1 as nw
import typer

from curvec.commands.choices import check_model_file, direction, low_and_high, numbers_of, whole_or_word
from curvec.commands.keywords import with_keywords
from curvec.commands.output import print_json, print_text, write_output
from curvec.errors import InputError, counted
from curvec.files import read_table
from curvec.fit import Fit, fit_pwl
from curvec.fit.options import AUTOMATIC


@with_keywords(fit_pwl, without=["feature"])
def fit(
    file: Annotated[Path, typer.Argument(help="a .csv or .parquet file, one point a row")],
    x: Annotated[str, typer.Option(help="the column of x")],
    y: Annotated[str, typer.Option(help="the column of y")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the model file to write")] = None,
    weight: Annotated[str | None, typer.Option(help="the column of weights")] = None,
    num_segments: Annotated[str, typer.Option("--segments", help="the most segments; auto or bic: as few as do")] = "5",
    mono: Annotated[
        str, typer.Option(help="none, auto (direction found), increasing, decreasing, peak, valley or bitonic")
    ] = "none",
    knots: Annotated[list[float] | None, typer.Option("--knot", help="an x where the curve must have a knot")] = None,
    candidates: Annotated[
        list[float] | None, typer.Option("--candidate", help="an x that may be a knot; given some, no other may")
    ] = None,
    through: Annotated[
        list[str] | None, typer.Option(help="a point X:Y of the curve, which keeps these numbers")
    ] = None,
    y_bounds: Annotated[str, typer.Option(help="of the curve: data (the range of y), none, or LOW:HIGH")] = "data",
    digits: Annotated[str, typer.Option(help="significant digits of the points, or auto")] = "4",
    special: Annotated[
        list[str] | None, typer.Option(help="an x that is a code, with a value of its own; auto: those found")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="the points and the errors as JSON")] = False,
    **keywords: Any,
) -> None:
    """Fit the closest piecewise-linear curve to the points of FILE and print it."""
    check_model_file(output)
    shape = direction(mono, "--mono")
    frame = nw.from_native(read_table(file), eager_only=True)
    fitted = fit_pwl(
        numbers_of(frame, x),
        numbers_of(frame, y),
        None if weight is None else numbers_of(frame, weight),
        num_segments=whole_or_word("--segments", num_segments, "how many segments", AUTOMATIC),
        mono=shape,
        knots=knots or (),
        candidates=candidates or None,
        through=[_point(text) for text in through or ()],
        y_bounds=_bounds(y_bounds),
        digits=whole_or_word("--digits", digits, "a number of digits"),
        feature=x,
        special="auto" if special == ["auto"] else [_number("--special", code) for code in special or ()],
        **keywords,
    )
    if output is not None:
        write_output(fitted.to_json(), output)
    if as_json:
        print_json(_plain(fitted))
        return
    print_text(str(fitted.curve))
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


def _number(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option} {text}: write a number, or auto") from None


def _point(text: str) -> tuple[float, float]:
    x, _, y = text.partition(":")
    try:
        return float(x), float(y)
    except ValueError:
        raise InputError(f"--through {text}: write the two numbers of a point, X:Y") from None


def _bounds(text: str) -> Any:
    """``data``, ``none``, or two numbers of which one may be left out."""
    if text in ("data", "none"):
        return "data" if text == "data" else None
    return low_and_high(text, f"--y-bounds {text}", "data, none, or LOW:HIGH")
