"""``curvec emit``: a model file as code."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from curvec.commands.choices import by_feature
from curvec.commands.keywords import with_keywords
from curvec.commands.output import check_json_apart, check_not_read, print_json, write_output
from curvec.emit import TARGETS
from curvec.emit import emit as emit_text
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_limits import setting_first
from curvec.errors import counted
from curvec.load import load

_EMITTERS = [target.emit for target in TARGETS.values()]


@with_keywords(*_EMITTERS, without=["columns"])
def emit(
    model: Annotated[Path, typer.Argument(help="the model file")],
    to: Annotated[str, typer.Option(help=f"the target: {', '.join(TARGETS)}")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the file to write")] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="sql: feature=column where they differ; repeat for more")
    ] = None,
    double: Annotated[
        list[str] | None, typer.Option(help="sql: a feature whose column is a double, for no cast; repeat for more")
    ] = None,
    *,
    types: Annotated[bool, typer.Option("--types", help="javascript: its TypeScript declarations instead")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="the file and its size as JSON on standard output; needs -o")
    ] = False,
    **keywords: Any,
) -> None:
    """Emit MODEL as code, and say on standard error how large it is."""
    check_json_apart(as_json, output, "the file and its size", "the file of the code")
    if not (to == "python" and model.suffix == ".py"):  # a listing is edited, and laid out anew in its place
        check_not_read(output, model)
    given = {name: value for name, value in keywords.items() if value != _DEFAULTS[name]}
    if columns := by_feature(column or (), "--column", "feature=column, such as age=AGE"):
        given["columns"] = columns
    if types or double:
        given["types"] = types or dict.fromkeys(double or [], "double")
    text = emit_text(load(model), to, **given)
    write_output(text, output)
    size, lines = len(text.encode()), text.count("\n")
    remark = setting_first(DIALECTS[given["dialect"]], text) if to == "sql" else ""
    if as_json:
        print_json({"file": str(output), "bytes": size, "lines": lines, "notes": [remark] if remark else []})
        return
    where = "" if output is None else f" to {output}"
    typer.echo(f"{size:,} bytes, {counted(lines, 'line')}{where}", err=True)
    if remark:
        typer.echo(f"note: {remark}", err=True)


_DEFAULTS = {name: one.default for emitter in _EMITTERS for name, one in inspect.signature(emitter).parameters.items()}
