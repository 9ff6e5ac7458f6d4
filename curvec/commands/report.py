"""``curvec report``: the page for the people who review a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import narwhals.stable.v1 as nw
import typer

from curvec.commands.output import say
from curvec.errors import InputError
from curvec.files import read_table
from curvec.load import load
from curvec.metrics import METRICS
from curvec.model import CurveModel
from curvec.parity import RUNNERS, check
from curvec.review.policy import check_policy, load_policy
from curvec.review.report import report as make_report
from curvec.teachers import read_teacher

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    model: Annotated[Path, typer.Argument(help="the model file")],
    output: Annotated[Path, typer.Option("-o", "--output", help="the page to write")] = Path("report.html"),
    data: Annotated[Path | None, typer.Option(help="rows: .csv or .parquet")] = None,
    teacher: Annotated[Path | None, typer.Option(help="the teacher: a model file, or a file of its library")] = None,
    target: Annotated[str | None, typer.Option(help="the column of labels in the data")] = None,
    weight: Annotated[str | None, typer.Option(help="the column of row weights")] = None,
    metric: Annotated[
        str | None, typer.Option(help=f"{', '.join(METRICS)} or ndcg@K; else the link's own: roc_auc or rmse")
    ] = None,
    query: Annotated[str | None, typer.Option(help="the column of query ids, for ndcg@K")] = None,
    policy: Annotated[Path | None, typer.Option(help="a policy file to check the model against: .toml")] = None,
    base: Annotated[Path | None, typer.Option(help="an earlier model file to compare with")] = None,
    targets: Annotated[str | None, typer.Option(help=f"parity of which: {', '.join(RUNNERS)}; all without")] = None,
    *,
    parity: Annotated[bool, typer.Option(help="score with every target and show whether they agree")] = True,
) -> None:
    """Write one self-contained HTML page about MODEL."""
    reviewed = load(model)
    rows: Any = None if data is None else read_table(data)
    names = None if targets is None else [name.strip() for name in targets.split(",") if name.strip()]
    page = make_report(
        reviewed,
        rows,
        teacher=None if teacher is None else _teacher(teacher, rows),
        target=_column(rows, target, "--target"),
        w=_column(rows, weight, "--weight"),
        metric=metric,
        query=_column(rows, query, "--query"),
        parity=check(reviewed, rows, names) if parity else None,
        findings=None if policy is None else check_policy(reviewed, load_policy(policy)),
        base=None if base is None else load(base),
    )
    page.save(output)
    say(f"{output}: {len(page.html.encode()) / 1024:.0f} KiB")


def _teacher(path: Path, rows: Any) -> CurveModel:
    # A model file of our own says so in its first key; whatever else is there is for the teachers' readers.
    try:
        head = path.read_bytes()[:200].decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if path.suffix == ".py" or head.lstrip("{ \n\r\t").startswith('"curvec"'):
        return load(path)
    return read_teacher(str(path), rows)


def _column(rows: Any, name: str | None, option: str) -> Any:
    if name is None:
        return None
    if rows is None:
        raise InputError(f"{option} {name} names a column of the data; pass --data")
    frame = nw.from_native(rows, eager_only=True)
    if name not in frame.columns:
        raise InputError(f"{option} {name}: the data has no such column (it has {', '.join(frame.columns[:12])})")
    return frame[name].to_numpy()
