"""``curvec schema``: the JSON Schema of a model file."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from curvec.commands.output import write_output
from curvec.model import json_schema


def schema(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="as it is without: the schema is JSON")] = False,  # noqa: ARG001
) -> None:
    """Print the JSON Schema of a model file."""
    write_output(json.dumps(json_schema(), indent=2) + "\n")
