"""``curvec read``: a teacher's exact form as a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from curvec.commands.choices import ClassIndex, FeatureNames, Link, Missing, check_model_file, names
from curvec.commands.output import check_json_apart, print_json, write_output
from curvec.files import read_table
from curvec.teachers import TeacherReading, read_and_check
from curvec.teachers.load_object import load_object


def read(
    teacher: Annotated[str, typer.Argument(help="a model's file, or module:object")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the model file to write")] = None,
    data: Annotated[Path | None, typer.Option(help="rows to compare and centre on: .csv or .parquet")] = None,
    class_index: ClassIndex = None,
    feature_names: FeatureNames = None,
    missing: Missing = None,
    link: Link = None,
    name: Annotated[str | None, typer.Option(help="the model's name")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="what was read as JSON on standard output; needs -o")] = False,
) -> None:
    """Read TEACHER exactly, compare it with its own scores on the data, and write it as a model file."""
    check_model_file(output)
    check_json_apart(as_json, output, "what was read")
    reading = read_and_check(
        load_object(teacher),
        None if data is None else read_table(data),
        class_index=class_index,
        feature_names=names(feature_names),
        missing=missing,
        link=link,
        name=name,
    )
    write_output(reading.model.to_json(), output)
    if as_json:
        print_json(_plain(reading))
    else:
        typer.echo(str(reading), err=True)  # the model itself may be on standard output


def _plain(reading: TeacherReading) -> dict[str, Any]:
    found = {"teacher": reading.teacher, "exact": reading.exact, "link": reading.model.link}
    counts = {"terms": len(reading.model.terms), "pairs": len(reading.pairs)}
    return found | counts | {"distance": reading.distance, "notes": list(reading.notes)}
