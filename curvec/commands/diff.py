"""``curvec diff``: what an edit changed, and how that changes the score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from curvec.commands.output import print_text, write_output
from curvec.errors import InputError
from curvec.files import read_table
from curvec.load import load
from curvec.model import CurveModel
from curvec.review.diff import ModelDiff
from curvec.review.diff import diff as compare
from curvec.review.pictures import plot


def diff(
    models: Annotated[list[Path], typer.Argument(help="two model files, old and new; .py or .json")],
    data: Annotated[Path | None, typer.Option(help="rows to score with both: .csv or .parquet")] = None,
    threshold: Annotated[float | None, typer.Option(help="count rows whose prediction crosses it")] = None,
    picture: Annotated[Path | None, typer.Option(help="draw both models into this .png, .svg or .pdf")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="as JSON")] = False,
    git: Annotated[bool, typer.Option("--git", help="take the arguments that git gives a diff driver")] = False,
) -> None:
    """Compare two models. Exit status: 0 equal, 1 different, 2 trouble.

    As a diff driver: git config diff.curvec.command "curvec diff --git", and a line such as "models/*.py diff=curvec"
    in .gitattributes. Git then shows this comparison, and the status says only whether there was trouble.
    """
    if git:
        _git(models)
        return
    if len(models) != 2:
        raise InputError(f"{len(models)} model files; give two, old and new")
    old, new = map(load, models)
    rows: Any = None if data is None else read_table(data)
    result = compare(old, new, rows, threshold=threshold)
    if picture is not None:
        _draw(result, rows, picture)
    if as_json:
        write_output(result.to_json())
    elif text := str(result):
        print_text(f"--- {models[0]}\n+++ {models[1]}\n{text}")
    if not result.identical:
        raise typer.Exit(1)


def _git(arguments: list[Path]) -> None:
    # path old-file old-hex old-mode new-file new-hex new-mode; just the path for one that is not merged yet
    name = arguments[0] if arguments else Path()
    if len(arguments) < 7:
        print_text(f"{name}: unmerged")
        return
    old, new = arguments[1], arguments[4]
    for side, what in ((old, "new"), (new, "deleted")):
        if str(side) == "/dev/null":
            print_text(f"{what} model {name}")
            return
    result = compare(_load_as(old, name), _load_as(new, name))
    print_text(f"--- a/{name}\n+++ b/{name}\n{result}")


def _load_as(path: Path, name: Path) -> CurveModel:
    """The model of git's temporary file, whose name may lack the suffix of the file it stands for."""
    return load(path, suffix=name.suffix)


def _draw(difference: ModelDiff, rows: Any, path: Path) -> None:
    if not path.suffix:
        raise InputError(f"{path}: a picture needs a suffix; use .png, .svg or .pdf")
    plot(difference, rows, path=path)
