"""``curvec refine``: a model's values moved together on labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from curvec.commands.choices import (
    MONO,
    by_feature,
    check_model_file,
    directions,
    labelling_of,
    low_and_high,
)
from curvec.commands.keywords import with_keywords
from curvec.commands.output import check_json_apart, print_json, write_output
from curvec.errors import InputError
from curvec.files import table_or_stream
from curvec.load import load
from curvec.refine import LOSSES
from curvec.refine import refine as refined


@with_keywords(refined)
def refine(
    model: Annotated[Path, typer.Argument(help="the model file; .py or .json")],
    data: Annotated[
        Path,
        typer.Argument(help="labelled rows with the model's features: a .csv or .parquet file, a folder or a glob"),
    ],
    target: Annotated[str, typer.Option(help="the column of labels")],
    loss: Annotated[str | None, typer.Option(help=f"{', '.join(LOSSES)}; else the link's own")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the model file to write")] = None,
    weight: Annotated[str | None, typer.Option(help="the column of row weights")] = None,
    query: Annotated[str | None, typer.Option(help="the column of query ids, for ranking losses")] = None,
    mono: Annotated[
        list[str] | None,
        typer.Option(
            help="FEATURE=increasing, decreasing or none, and none for features not named; or for all curves none, or "
            "keep: one that only rises or only falls stays so; repeat for more features  [default: keep]"
        ),
    ] = None,
    y_bounds: Annotated[
        list[str] | None,
        typer.Option(
            help="FEATURE=LOW:HIGH, FEATURE=LOW: or FEATURE=:HIGH: its curves' values stay between; repeat for more"
        ),
    ] = None,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="what was gained as JSON on standard output; needs -o")
    ] = False,
    **keywords: Any,
) -> None:
    """Move all values of MODEL together to lower a loss on DATA, and say by how much."""
    check_model_file(output)
    if loss == "teacher":
        raise InputError(
            "--loss teacher: a model file does not hold the teacher; in Python, curvec.refine(found, X, loss='teacher')"
            " takes what curvec.distill gave"
        )
    check_json_apart(as_json, output, "what was gained")
    rows = table_or_stream(data)
    labels, weights, ids = labelling_of(rows, target, weight, query)
    result = refined(
        load(model),
        rows,
        labels,
        weights,
        loss=loss,
        query=ids,
        mono=directions(mono, _WAYS, _OF_ALL) if mono else "keep",
        y_bounds={
            feature: low_and_high(bounds, f"--y-bounds {feature}={bounds}", _BOUNDS)
            for feature, bounds in by_feature(y_bounds or (), "--y-bounds", _BOUNDS).items()
        },
        **keywords,
    )
    write_output(result.model.to_json(), output)
    if as_json:
        gained = {"loss": result.loss, "before": result.before, "after": result.after, "ridge": result.ridge}
        print_json({**gained, "cut_short": list(result.cut_short)})
    else:
        lost = f"{result.before:.6g} -> {result.after:.6g}"
        typer.echo(f"{result.loss}: {lost} on these rows, ridge {result.ridge:.3g}{result.stopped}", err=True)


_WAYS = {word: MONO[word] or None for word in ("none", "increasing", "decreasing")}
_OF_ALL = {"keep": "keep", "none": None}
_BOUNDS = "FEATURE=LOW:HIGH"
