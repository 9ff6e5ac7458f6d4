"""Writes the reference of the command line from the commands themselves.

python tests/docs/cli_page.py > docs/reference/cli.md
"""

from __future__ import annotations

import re
import sys

import typer

from curvec.cli import app

HEAD = """\
# Command line

Every command ends with status 0, or with 2 and a message that says what was wrong. `curvec parity`, `curvec check` and
`curvec diff` end with 1 for what they look for: a target that disagrees, a finding, a difference.
"""


def page() -> str:
    """The page's text."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # the application is a group
    parts = [HEAD]
    for name, command in sorted(commands.items()):
        says = re.sub(r"\s+", " ", (command.help or "").split("\b")[0].split("\n\n")[0])
        rows = [_row(parameter) for parameter in command.params if parameter.name != "help"]
        parts.append(f"## curvec {name}\n\n{says.strip()}\n")
        if rows:
            parts.append("\n".join(["| | |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _row(parameter: typer.core.TyperOption | typer.core.TyperArgument) -> str:
    if isinstance(parameter, typer.core.TyperArgument):
        names = f"`{(parameter.name or '').upper()}`"
    else:
        names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    return f"| {names} | {(parameter.help or '').replace('|', '&#124;')} |"


if __name__ == "__main__":
    sys.stdout.write(page())
