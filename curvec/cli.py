"""The command line: one typer application; what each area does is in curvec/commands."""

from __future__ import annotations

import io
import re
import sys
import traceback
from functools import cache

import typer

from curvec import commands
from curvec.commands.headers import options
from curvec.errors import CurvecError


@cache
def application(*names: str) -> typer.Typer:
    """The command line with these commands; with all of them where none is named."""
    app = typer.Typer(
        name="curvec",
        help="A compiler for curve models: read, distil, review, emit, prove.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )
    app.callback()(options)
    for name in names or commands.__all__:
        app.command()(commands.command(name))
    return app


def _application_for(arguments: list[str] | None) -> tuple[typer.Typer, str]:
    """The command line with the command that is called, and its name; with all commands where it is none."""
    given = sys.argv[1:] if arguments is None else arguments
    name = next(iter(given), "")
    return (application(name) if name in commands.__all__ else application()), name


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    A mistake of the user is a message on standard error and status 2, never a traceback. So is whatever else goes
    wrong, with its traceback: status 1 is what diff, policy and parity find.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for what it cannot show, as standard error has
    code: int | str | None
    try:
        _application_for(arguments)[0](args=arguments, prog_name="curvec")
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
    app, name = _application_for(arguments)
    command = typer.main.get_command(app).commands.get(name)  # type: ignore[attr-defined]  # a group
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
