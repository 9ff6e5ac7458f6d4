"""``curvec schema``: the JSON Schema of a model file."""

from __future__ import annotations

import json

from curvec.commands.output import write_output
from curvec.model import json_schema


def schema() -> None:
    """Print the JSON Schema of a model file."""
    write_output(json.dumps(json_schema(), indent=2) + "\n")
