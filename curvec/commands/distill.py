"""``curvec distill``: a teacher and data into a model file, and a report of what was lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import narwhals.stable.v1 as nw
import typer
from rich.console import Console

from curvec.data import numbers
from curvec.distill import distill as distil
from curvec.errors import InputError
from curvec.files import read_table
from curvec.refine import refine
from curvec.teachers.named import named

__all__ = ["register"]

_MONO = {"up": "increasing", "down": "decreasing", "auto": True, "none": False}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(distill)


def distill(
    teacher: Annotated[str, typer.Argument(help="a model's file, or module:object")],
    data: Annotated[Path, typer.Argument(help="rows with the teacher's features: .csv or .parquet")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the model file to write")] = None,
    segments: Annotated[int, typer.Option(help="the most segments of a curve")] = 5,
    mono: Annotated[list[str] | None, typer.Option(help="FEATURE=up, down or auto; or auto for all")] = None,
    categorical: Annotated[list[str] | None, typer.Option(help="a feature whose integers are categories")] = None,
    digits: Annotated[int, typer.Option(help="significant digits of every number")] = 4,
    budget: Annotated[int | None, typer.Option(help="segments of all curves together")] = None,
    tolerance: Annotated[float | None, typer.Option(help="share of a curve's variance that may be lost")] = None,
    weight: Annotated[str | None, typer.Option(help="the column of row weights")] = None,
    target: Annotated[str | None, typer.Option(help="the column of labels")] = None,
    metric: Annotated[str | None, typer.Option(help="roc_auc, log_loss, rmse or ndcg@K: the failure analysis")] = None,
    query: Annotated[str | None, typer.Option(help="the column of query ids, for ndcg@K and ranking losses")] = None,
    refine_on: Annotated[
        str | None, typer.Option("--refine", help="then refine on a loss: squared, log_loss, poisson, ...")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="threads; else all cores")] = None,
) -> None:
    """Distil TEACHER on the rows of DATA into short curves, and report what was lost where."""
    frame = nw.from_native(read_table(data), eager_only=True)
    labels = None if target is None else _numbers(frame, target)
    queries = None if query is None else _column(frame, query).to_numpy()
    result = distil(
        named(teacher),
        frame.to_native(),
        None if weight is None else _numbers(frame, weight),
        num_segments=segments,
        mono=_mono(mono or []),
        categorical=categorical or [],
        digits=digits,
        max_total_segments=budget,
        tolerance=tolerance,
        y=None if metric is None else labels,
        metric=metric,
        query=queries,
        n_jobs=jobs,
    )
    console = Console(stderr=True)
    console.print(result.report)
    model = result.model
    if refine_on is not None:
        if labels is None:
            raise InputError("--refine needs labels; name their column with --target")
        needed = queries if refine_on in ("pairwise", "listwise") else None
        refined = refine(model, frame.to_native(), labels, loss=refine_on, query=needed, digits=digits)
        console.print(f"refined on {refine_on}: {refined.before:.6g} -> {refined.after:.6g} on these rows")
        model = refined.model
    if output is None:
        typer.echo(model.to_json(), nl=False)
    else:
        model.save(output)


def _mono(options: list[str]) -> Any:
    """``FEATURE=up`` ... as a mapping, or one value for every curve."""
    if len(options) == 1 and options[0] in _MONO:
        return _MONO[options[0]]
    result = {}
    for option in options:
        feature, equals, direction = option.rpartition("=")
        if not equals or direction not in _MONO:
            raise InputError(f"--mono {option!r}: write FEATURE=up, FEATURE=down or FEATURE=auto")
        result[feature] = _MONO[direction]
    return result or False


def _column(frame: nw.DataFrame[Any], name: str) -> nw.Series[Any]:
    if name not in frame.columns:
        raise InputError(f"column {name!r} is missing from the file (it has {', '.join(map(repr, frame.columns))})")
    return frame[name]


def _numbers(frame: nw.DataFrame[Any], name: str) -> Any:
    return numbers(_column(frame, name).to_numpy(), name)
