"""The command line: one typer application; what each area does is in curvec/commands."""

from __future__ import annotations

import io
import sys
import traceback

import typer

from curvec.commands import demo, diff, distill, emit, fit, headers, parity, policy, read, report, schema, values
from curvec.errors import CurvecError

__all__ = ["app", "main"]

app = typer.Typer(
    name="curvec",
    help="A compiler for curve models: read, distil, review, emit, prove.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for area in (demo, diff, distill, emit, fit, headers, parity, policy, read, report, schema, values):
    area.register(app)


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    A mistake of the user is a message on standard error and status 2, never a traceback. So is whatever else goes
    wrong, with its traceback: status 1 is what diff, policy and parity find.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for what it cannot show, as standard error has
    code: int | str | None
    try:
        app(args=arguments, prog_name="curvec")
    except SystemExit as done:
        code = 2 if isinstance(done.__context__, BrokenPipeError) else done.code
    except CurvecError as error:
        print("curvec: " + " ".join(str(error).split()), file=sys.stderr)  # noqa: T201
        code = 2
    except Exception:  # noqa: BLE001  Python's own status would be 1
        traceback.print_exc()
        code = 2
    else:
        code = 0
    status = code if isinstance(code, int) else int(code is not None)
    if arguments is None:
        sys.exit(status)
    return status
