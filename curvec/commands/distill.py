"""``curvec distill``: a teacher and data into a model file, and a report of what was lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from curvec.commands.choices import (
    MONO,
    ClassIndex,
    FeatureNames,
    Link,
    Missing,
    check_model_file,
    directions,
    labelling_of,
    names,
)
from curvec.commands.keywords import with_keywords
from curvec.commands.output import check_json_apart, print_json, write_output
from curvec.distill import distill as distil
from curvec.distill.row_source import row_source
from curvec.errors import InputError
from curvec.files import table_or_stream
from curvec.metrics import METRICS
from curvec.metrics import metric as metric_of
from curvec.refine import LOSSES, refine
from curvec.refine.query_losses import QUERY_LOSSES
from curvec.teachers import read_and_check
from curvec.teachers.load_object import load_object


@with_keywords(distil, without=["y", "overrides"])
def distill(
    teacher: Annotated[str, typer.Argument(help="a model's file, or module:object")],
    data: Annotated[
        Path,
        typer.Argument(
            help="rows with the teacher's features: a .csv or .parquet file, or a folder or a glob of them, which are "
            "read in batches"
        ),
    ],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the model file to write")] = None,
    num_segments: Annotated[int, typer.Option("--segments", help="the most segments of a curve")] = 5,
    mono: Annotated[
        list[str] | None,
        typer.Option(
            help="FEATURE=increasing, decreasing, auto, none, peak, valley or bitonic; or one of these for all"
        ),
    ] = None,
    weight: Annotated[str | None, typer.Option(help="the column of row weights")] = None,
    target: Annotated[str | None, typer.Option(help="the column of labels")] = None,
    metric: Annotated[
        str | None, typer.Option(help=f"{', '.join(METRICS)} or ndcg@K: what each curve costs it")
    ] = None,
    query: Annotated[str | None, typer.Option(help="the column of query ids, for ndcg@K and ranking losses")] = None,
    refine_on: Annotated[
        str | None, typer.Option("--refine", help=f"then refine on {', '.join(LOSSES)}, or teacher: its score")
    ] = None,
    class_index: ClassIndex = None,
    feature_names: FeatureNames = None,
    missing: Missing = None,
    link: Link = None,
    name: Annotated[str | None, typer.Option(help="the model's name; else the teacher's")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="the report as JSON on standard output; needs -o")] = False,
    **keywords: Any,
) -> None:
    """Distil TEACHER on the rows of DATA into short curves, and report what was lost where."""
    check_model_file(output)
    check_json_apart(as_json, output, "the report")
    _check_labels(target, query, metric, refine_on)
    rows = table_or_stream(data)
    if isinstance(rows, str):
        _check_no_metric(rows, metric)
    labels, weights, queries = labelling_of(rows, target, weight, query)
    with row_source(rows, None) as source:
        some = source.sample()
    exact = read_and_check(
        load_object(teacher),
        some,
        class_index=class_index,
        feature_names=names(feature_names),
        missing=missing,
        link=link,
        name=name,
        centre=False,
    )
    result = distil(
        exact,
        rows,
        weights,
        num_segments=num_segments,
        mono=directions(mono, MONO, MONO) if mono else False,
        y=None if metric is None else labels,
        metric=metric,
        query=queries if metric is not None and (refine_on is None or metric_of(metric).needs_query) else None,
        **keywords,
    )
    console = Console(stderr=True)
    if as_json:
        print_json(result.report.to_dict(), default=str)
    else:
        console.print(result.report)
    model = result.model
    if refine_on is not None:
        ranking = refine_on in QUERY_LOSSES  # these have query ids, and the others weights of rows
        needed, w = (queries, None) if ranking else (queries if metric is None else None, weights)
        y = None if refine_on == "teacher" else labels
        refined = refine(result, rows, y, w, loss=refine_on, query=needed, digits=keywords["digits"])
        console.print(f"refined on {refine_on}: {refined.before:.6g} -> {refined.after:.6g} on these rows")
        model = refined.model
    write_output(model.to_json(), output)


def _check_labels(target: str | None, query: str | None, metric: str | None, refine_on: str | None) -> None:
    """Refuse labels without an option that uses them, and such an option without labels."""
    if refine_on not in (None, "teacher") and target is None:
        raise InputError("--refine needs labels; name their column with --target")
    for option, column in (("--target", target), ("--query", query)):
        if column is not None and metric is None and refine_on in (None, "teacher"):
            raise InputError(f"{option} {column} is for --metric or --refine, and neither is given")


def _check_no_metric(rows: str, metric: str | None) -> None:
    """Refuse a metric if the rows are read in batches."""
    if metric is not None:
        raise InputError(
            f"--metric {metric} needs rows in memory; in place of {rows} give one file of some of the rows"
        )
