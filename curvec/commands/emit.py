"""``curvec emit``: a model file as code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from curvec.commands.output import check_json_apart, check_not_read, print_json, write_output
from curvec.emit import TARGETS
from curvec.emit import emit as emit_text
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_limits import setting_first
from curvec.emit.sql_options import FORMS
from curvec.errors import InputError, counted
from curvec.load import load


def emit(
    model: Annotated[Path, typer.Argument(help="the model file")],
    to: Annotated[str, typer.Option(help=f"the target: {', '.join(TARGETS)}")],
    dialect: Annotated[str | None, typer.Option(help="sql: the engine's dialect")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the file to write")] = None,
    form: Annotated[str | None, typer.Option(help=f"sql: one of {', '.join(FORMS)}")] = None,
    table: Annotated[str | None, typer.Option(help="sql: the table to score, as table or schema.table")] = None,
    view: Annotated[str | None, typer.Option(help="sql: the view's or function's name, if not the model's")] = None,
    key: Annotated[list[str] | None, typer.Option(help="sql: a column passed through; repeat for more")] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="sql: feature=column where they differ; repeat for more")
    ] = None,
    double: Annotated[
        list[str] | None, typer.Option(help="sql: a feature whose column is a double, for no cast; repeat for more")
    ] = None,
    levels: Annotated[str | None, typer.Option(help="sql: the table that holds long categoricals' levels")] = None,
    baseline: Annotated[str | None, typer.Option(help="sql: the table that a population is compared with")] = None,
    reasons: Annotated[
        int, typer.Option(help="sql: so many terms that raise the score most, by name; below 0 that lower it most")
    ] = 0,
    *,
    version: Annotated[bool, typer.Option("--version", help="sql: the model's name and version too")] = False,
    per_term: Annotated[bool, typer.Option("--per-term", help="sql: one column a term, as reason codes")] = False,
    link: Annotated[bool, typer.Option("--link", help="sql: the prediction too")] = False,
    quote: Annotated[bool, typer.Option("--quote", help="sql: every name in quotes, exactly as it is given")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="sql: define the view or function anew")] = False,
    no_comments: Annotated[bool, typer.Option("--no-comments", help="sql: nothing but the statement")] = False,
    standalone: Annotated[
        bool, typer.Option("--standalone", help="python, cpp: need nothing but the language")
    ] = False,
    types: Annotated[bool, typer.Option("--types", help="javascript: its TypeScript declarations instead")] = False,
    c_interface: Annotated[
        bool, typer.Option("--c-interface", help="cpp: a source file instead, with extern C functions over columns")
    ] = False,
    c_header: Annotated[
        bool, typer.Option("--c-header", help="cpp: the declarations of these functions for C99 instead")
    ] = False,
    namespace: Annotated[str | None, typer.Option(help="cpp: where everything is, if not under the name")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="the file and its size as JSON on standard output; needs -o")
    ] = False,
) -> None:
    """Emit MODEL as code, and say on standard error how large it is."""
    check_json_apart(as_json, output, "the file and its size", "the file of the code")
    if not (to == "python" and model.suffix == ".py"):  # a listing is edited, and laid out anew in its place
        check_not_read(output, model)
    given: dict[str, Any] = {
        "form": form,
        "table": table,
        "view": view,
        "key": key,
        "columns": _columns(column or []),
        "per_term": per_term,
        "baseline": baseline,
        "levels": levels,
        "reasons": reasons,
        "version": version,
        "link": link,
        "quote": quote,
        "replace": replace,
        "standalone": standalone,
        "types": types or dict.fromkeys(double or [], "double"),
        "c_interface": c_interface,
        "c_header": c_header,
        "namespace": namespace,
    }
    if no_comments:
        given["comments"] = False
    text = emit_text(
        load(model),
        to,
        dialect=dialect,
        **{name: value for name, value in given.items() if value or name == "comments"},
    )
    write_output(text, output)
    size, lines = len(text.encode()), text.count("\n")
    remark = "" if dialect is None else setting_first(DIALECTS[dialect], text)
    if as_json:
        print_json({"file": str(output), "bytes": size, "lines": lines, "notes": [remark] if remark else []})
        return
    where = "" if output is None else f" to {output}"
    typer.echo(f"{size:,} bytes, {counted(lines, 'line')}{where}", err=True)
    if remark:
        typer.echo(f"note: {remark}", err=True)


def _columns(pairs: list[str]) -> dict[str, str]:
    """``feature=column`` as a mapping."""
    found = {}
    for pair in pairs:
        feature, equals, column = pair.rpartition("=")
        if not equals:
            raise InputError(f"--column {pair!r} is no feature=column; write --column age=AGE")
        found[feature] = column
    return found
