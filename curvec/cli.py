"""The command line: one typer application; what each area does is in curvec/commands."""

from __future__ import annotations

import io
import re
import sys
import traceback

import typer

from curvec.commands.demo import demo
from curvec.commands.diff import diff
from curvec.commands.distill import distill
from curvec.commands.edit import edit
from curvec.commands.emit import emit
from curvec.commands.fit import fit
from curvec.commands.headers import options
from curvec.commands.parity import parity
from curvec.commands.policy import policy
from curvec.commands.read import read
from curvec.commands.refine import refine
from curvec.commands.report import report
from curvec.commands.schema import schema
from curvec.commands.score import score
from curvec.commands.values import values
from curvec.errors import CurvecError

app = typer.Typer(
    name="curvec",
    help="A compiler for curve models: read, distil, review, emit, prove.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.callback()(options)
for command in (demo, diff, distill, edit, emit, fit, parity, policy, read, refine, report, schema, score, values):
    app.command()(command)


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
        print("curvec: " + as_typed(" ".join(str(error).split()), arguments), file=sys.stderr)  # noqa: T201
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


def as_typed(message: str, arguments: list[str] | None) -> str:
    """A message with the options of the command that was called as they are typed: ``--class-index 2``."""
    given = sys.argv[1:] if arguments is None else arguments
    command = typer.main.get_command(app).commands.get(next(iter(given), ""))  # type: ignore[attr-defined]  # a group
    options = {parameter.name: parameter for parameter in command.params} if command else {}

    def typed(found: re.Match[str]) -> str:
        name, value, bare = found.groups()
        option = next((text for text in getattr(options.get(name), "opts", ()) if text.startswith("--")), None)
        if option is None:
            return found[0]
        if getattr(options[name], "is_flag", False):
            return option if value == "True" else f"no {option}"
        return option if bare is not None else f"{option} {value or ''}"

    return re.sub(r"(?<![\w-])([a-z_]+)=(?:(True|False)\b|((?=[\s,;:]|$)))?", typed, message)
