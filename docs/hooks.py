"""What the site does to its pages: commands list themselves, and docstrings' roles (``:func:``) become plain code."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from curvec.cli import application

_ROLE = re.compile(r":(?:func|class|meth|mod|attr|data):<code>~?([^<]+)</code>")
_PLACE = "<!-- the commands -->"
_FILE = re.compile(r"<!-- the file (\w+\.\w+) -->")
_ROOT = Path(__file__).parents[1]


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs with each page's Markdown."""
    markdown = _FILE.sub(lambda found: _text_of(found[1]), markdown)
    return markdown.replace(_PLACE, commands()) if _PLACE in markdown else markdown


def _text_of(name: str) -> str:
    """A file of the repository as part of a page: without its title, with links from where the page stands."""
    text = (_ROOT / name).read_text(encoding="utf-8")
    if not name.endswith(".md"):
        return f"```yaml\n{text}```\n"
    return text.split("\n", 1)[1].replace("](docs/", "](")


def on_page_content(html: str, **_: Any) -> str:
    """Called by mkdocs with each page's HTML."""
    return _ROLE.sub(r"<code>\1</code>", html)


def commands() -> str:
    """Every command with its arguments and options, as Markdown."""
    parts = []
    for name, command in sorted(typer.main.get_command(application()).commands.items()):  # type: ignore[attr-defined]  # a group
        says = re.sub(r"\s+", " ", (command.help or "").split("\b")[0].split("\n\n")[0])
        types = inspect.signature(command.callback, eval_str=True).parameters
        given = [parameter for parameter in command.params if parameter.name != "help"]
        rows = [_row(parameter, types[parameter.name].annotation) for parameter in given]
        parts.append(f"## curvec {name}\n\n{says.strip()}\n")
        if rows:
            parts.append("\n".join(["| argument or option | type | default | |", "|---|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _row(parameter: Any, kind: Any) -> str:
    if isinstance(parameter, typer.core.TyperArgument):
        names = f"`{(parameter.name or '').upper()}`"
    else:
        names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    cells = [names, _type(kind), _default(parameter), parameter.help or ""]
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _type(kind: Any) -> str:
    """The type in words."""
    if get_origin(kind) is Annotated:
        return _type(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(kind))
    inside = [_type(part) for part in get_args(kind) if part is not type(None)]
    if get_origin(kind) is list:
        return f"{inside[0]}, more than once"
    if inside:
        return " or ".join(inside)
    names = {"Path": "file", "str": "text", "int": "whole number", "float": "number", "bool": "flag"}
    return names[kind.__name__]


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    default = parameter.default
    if getattr(parameter, "is_flag", False):
        return f"`{parameter.opts[0]}`" if default and parameter.secondary_opts else ""
    return "" if default in (None, "") else f"`{default}`"
