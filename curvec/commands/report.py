"""``curvec report``: the page for the people who review a model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import narwhals.stable.v1 as nw
import typer

from curvec.commands.choices import column_of, names
from curvec.commands.output import check_not_read, print_json, print_text
from curvec.errors import InputError
from curvec.files import read_table
from curvec.load import load
from curvec.metrics import METRICS
from curvec.model import CurveModel
from curvec.parity import RUNNERS, check
from curvec.review.policy import check_policy, load_policy
from curvec.review.report import report as make_report
from curvec.review.rows import EvaluationRows
from curvec.teachers import read_and_check


def report(
    model: Annotated[Path, typer.Argument(help="the model file")],
    output: Annotated[Path, typer.Option("-o", "--output", help="the page to write")] = Path("report.html"),
    data: Annotated[Path | None, typer.Option(help="rows: .csv or .parquet")] = None,
    held_out: Annotated[
        Path | None,
        typer.Option(help="rows on which nothing was trained, with the same columns; --data are the others"),
    ] = None,
    teacher: Annotated[Path | None, typer.Option(help="the teacher: a model file, or a file of its library")] = None,
    target: Annotated[str | None, typer.Option(help="the column of labels in the data")] = None,
    weight: Annotated[str | None, typer.Option(help="the column of row weights")] = None,
    metric: Annotated[
        str | None, typer.Option(help=f"{', '.join(METRICS)} or ndcg@K; else the link's own: roc_auc or rmse")
    ] = None,
    query: Annotated[str | None, typer.Option(help="the column of query ids, for ndcg@K")] = None,
    policy: Annotated[Path | None, typer.Option(help="a policy file to check the model against: .toml")] = None,
    base: Annotated[Path | None, typer.Option(help="an earlier model file to compare with")] = None,
    group: Annotated[
        list[str] | None, typer.Option(help="a column by whose values the quality is told apart; may be given again")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="on the prediction: from which on a row is selected")] = None,
    points: Annotated[
        str | None,
        typer.Option(help="points that double the odds, points, and the odds that have these: 20,600,50"),
    ] = None,
    examples: Annotated[
        int, typer.Option(help="how many rows of the data the page carries, to look at single ones")
    ] = 0,
    ids: Annotated[str | None, typer.Option("--id", help="the column by which a reader finds such a row")] = None,
    date: Annotated[
        str, typer.Option(help="a date for the page's head; without one the same input gives the same bytes")
    ] = "",
    targets: Annotated[str | None, typer.Option(help=f"parity of which: {', '.join(RUNNERS)}; all without")] = None,
    *,
    parity: Annotated[bool, typer.Option(help="score with every target and show whether they agree")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="the file and its size, as JSON")] = False,
) -> None:
    """Write one self-contained HTML page about MODEL."""
    check_not_read(output, model, data, held_out, teacher, policy, base)
    reviewed = load(model)
    rows: Any = None if data is None else read_table(data)
    further: Any = None if held_out is None else read_table(held_out)
    exact, spread = (None, None) if teacher is None else _teacher(teacher, rows)
    page = make_report(
        reviewed,
        rows,
        teacher=exact,
        spread=spread,
        target=_column(rows, target, "--target"),
        w=_column(rows, weight, "--weight"),
        metric=metric,
        query=_column(rows, query, "--query"),
        findings=None if policy is None else check_policy(reviewed, load_policy(policy)),
        base=None if base is None else load(base),
        held_out=None
        if held_out is None
        else EvaluationRows(
            further,
            _column(further, target, "--target"),
            _column(further, weight, "--weight"),
            _column(further, query, "--query"),
        ),
        groups=group or (),
        threshold=threshold,
        points=None if points is None else _points(points),
        examples=examples,
        ids=_column(rows, ids, "--id"),
        origin=_origin({"data": data, "held-out": held_out, "teacher": teacher, "base": base}, date),
        # Last, as it takes longest: a mistake in the other options is said before.
        parity=check(reviewed, rows, names(targets)) if parity else None,
    )
    page.save(output)
    size = len(page.html.encode())
    if as_json:
        print_json({"file": str(output), "bytes": size})
    else:
        print_text(f"{output}: {size / 1024:.0f} KiB")


def _origin(paths: Mapping[str, Path | None], date: str) -> dict[str, str]:
    """The files that the page was made from, each with its hash as ``sha256sum`` gives it, and the date."""
    lines = {
        f"{name} file": f"{path.name}, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for name, path in paths.items()
        if path is not None and path.is_file()
    }
    return lines | ({"date": date} if date else {})


def _points(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--points {text}: give three numbers with commas between them: 20,600,50") from None


def _teacher(path: Path, rows: Any) -> tuple[CurveModel, CurveModel | None]:
    """The teacher of a file, and the standard deviations of its functions where it has them."""
    # A model file of our own says so in its first key; whatever else is there is for the teachers' readers.
    try:
        head = path.read_bytes()[:200].decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if path.suffix == ".py" or head.lstrip("{ \n\r\t").startswith('"curvec"'):
        return load(path), None
    reading = read_and_check(str(path), rows)
    return reading.model, reading.spread


def _column(rows: Any, name: str | None, option: str) -> Any:
    if name is None:
        return None
    if rows is None:
        raise InputError(f"{option} {name} names a column of the data; pass --data")
    return column_of(nw.from_native(rows, eager_only=True), name).to_numpy()
