"""``curvec score``: a model and rows into a file of scores."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import ProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from curvec.commands.choices import check_folder
from curvec.commands.output import print_json, same_file
from curvec.errors import InputError, counted
from curvec.files import parquet_file
from curvec.load import load
from curvec.progress import progress_bar
from curvec.rows import stream_of


def score(
    model: Annotated[Path, typer.Argument(help="the model file")],
    data: Annotated[str, typer.Argument(help="rows: a .parquet or .csv file, a folder or a glob of them")],
    output: Annotated[Path, typer.Option("-o", "--output", help="the .parquet file to write")],
    key: Annotated[
        list[str] | None, typer.Option(help="a column of DATA to keep, such as an id; may be repeated")
    ] = None,
    *,
    terms: Annotated[bool, typer.Option("--terms", help="also what each term adds to the score")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="the file, its rows and the seconds, as JSON")] = False,
) -> None:
    """Score the rows of DATA with MODEL into a Parquet file: the score before the link, and the prediction.

    Rows are read, scored and written in batches, on all cores, so any number of them fits. The file has its name when
    it is whole: a run that is broken off leaves what was there before.
    """
    if output.suffix != ".parquet":
        raise InputError(f"{output}: scores are written as Parquet, so the name ends in .parquet")
    check_folder(output)
    loaded = load(model)
    stream = stream_of(data)
    if stream is not None and any(same_file(Path(part.origin), output) for part in stream.parts):
        raise InputError(f"{output}: these rows are scored, and the scores would take their place; give another file")
    reader = loaded.score(data, terms=terms, keep=key or [])
    total = stream.rows() if stream is not None else None
    start = time.perf_counter()
    with parquet_file(output, reader.schema) as write:
        rows = 0
        for batch in _with_progress(reader, total):
            write(batch)
            rows += len(batch)
    seconds = time.perf_counter() - start
    if as_json:
        print_json({"file": str(output), "rows": rows, "seconds": seconds})
        return
    speed = f"{seconds:.1f} s, {rows / max(seconds, 1e-9):,.0f} a second"
    Console(stderr=True).print(f"{output}: {counted(rows, 'row')} in {speed}")


def _with_progress(batches: Any, total: int | None) -> Iterator[Any]:
    """The batches, with rows and rows per second on the terminal; with the time left where the total is known."""
    columns: list[ProgressColumn] = [
        TextColumn("scoring {task.completed:,.0f} rows"),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
    ]
    if total is not None:
        columns += [TextColumn("of {task.total:,.0f} rows, left:"), TimeRemainingColumn()]
    with progress_bar(*columns) as bar:
        task = bar.add_task("scoring", total=total, speed="")
        start = time.perf_counter()
        for batch in batches:
            yield batch
            bar.advance(task, len(batch))
            done = bar.tasks[0].completed
            bar.update(task, speed=f"{done / (time.perf_counter() - start):,.0f} a second")
