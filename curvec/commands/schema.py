"""``curvec schema``: the JSON Schema of a model file."""

from __future__ import annotations

import json

import typer

from curvec.commands.output import put
from curvec.model import json_schema


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(schema)


def schema() -> None:
    """Print the JSON Schema of a model file."""
    put(json.dumps(json_schema(), indent=2) + "\n")
