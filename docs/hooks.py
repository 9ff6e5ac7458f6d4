"""What the site does to its pages: commands list themselves, and docstrings' roles (``:func:``) become plain code."""

from __future__ import annotations

import re
from typing import Any

import typer

from curvec.cli import app

_ROLE = re.compile(r":(?:func|class|meth|mod|attr|data):<code>~?([^<]+)</code>")
_PLACE = "<!-- the commands -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs with each page's Markdown."""
    return markdown.replace(_PLACE, commands()) if _PLACE in markdown else markdown


def on_page_content(html: str, **_: Any) -> str:
    """Called by mkdocs with each page's HTML."""
    return _ROLE.sub(r"<code>\1</code>", html)


def commands() -> str:
    """Every command with its arguments and options, as Markdown."""
    parts = []
    for name, command in sorted(typer.main.get_command(app).commands.items()):  # type: ignore[attr-defined]  # a group
        says = re.sub(r"\s+", " ", (command.help or "").split("\b")[0].split("\n\n")[0])
        rows = [_row(parameter) for parameter in command.params if parameter.name != "help"]
        parts.append(f"## curvec {name}\n\n{says.strip()}\n")
        if rows:
            parts.append("\n".join(["| argument or option | |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _row(parameter: Any) -> str:
    if isinstance(parameter, typer.core.TyperArgument):
        names = f"`{(parameter.name or '').upper()}`"
    else:
        names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    return f"| {names} | {(parameter.help or '').replace('|', '&#124;')} |"
