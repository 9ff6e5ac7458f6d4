"""The command line: one typer application; what each area does is in curvec/commands."""

from __future__ import annotations

import sys

import typer

from curvec.commands import check, demo, diff, distill, emit, fit, headers, parity, read, report, schema, values
from curvec.errors import CurvecError

__all__ = ["app", "main"]

app = typer.Typer(
    name="curvec",
    help="A compiler for curve models: read, distil, review, emit, prove.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for area in (check, demo, diff, distill, emit, fit, headers, parity, read, report, schema, values):
    area.register(app)


def main(arguments: list[str] | None = None) -> int:
    """Run one command. A mistake of the user is a message on stderr and exit status 2, never a traceback."""
    code: int | str | None
    try:
        app(args=arguments, prog_name="curvec")
    except SystemExit as done:
        code = done.code
    except CurvecError as error:
        print("curvec: " + " ".join(str(error).split()), file=sys.stderr)  # noqa: T201
        code = 2
    else:
        code = 0
    status = code if isinstance(code, int) else int(code is not None)
    if arguments is None:
        sys.exit(status)
    return status
