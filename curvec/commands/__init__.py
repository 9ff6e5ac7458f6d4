"""The commands of the command line, one file a command, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curvec.commands import demo, diff, distill, edit, emit, fit, parity  # noqa: I001  in two lines
    from curvec.commands import policy, read, refine, report, schema, score, values

__all__ = ["demo", "diff", "distill", "edit", "emit", "fit", "parity"]
__all__ += ["policy", "read", "refine", "report", "schema", "score", "values"]


def command(name: str) -> Callable[..., Any]:
    """The function of a command, whose module is loaded only then: most of what the others need it does not."""
    function: Callable[..., Any] = getattr(import_module(f"{__name__}.{name}"), name)
    return function
