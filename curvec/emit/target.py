"""The registry of targets, and :func:`emit`, the one way into them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import msgspec

from curvec.checks import check_flag, named_entry
from curvec.emit.cpp import emit_cpp
from curvec.emit.javascript import emit_javascript
from curvec.emit.python import emit_python
from curvec.emit.sql import emit_sql
from curvec.errors import InputError, shown
from curvec.model import ModelLike, as_model


class Driver(msgspec.Struct, frozen=True):
    """A program in a target's language that scores rows with the emitted text; parity runs it.

    It runs in a folder with the emitted text, called ``model`` with the target's suffix, and ``data.json``: a list of
    columns ``{"feature": ..., "type": ..., "values": [...]}``, in which null is a missing value, and the strings "NaN",
    "Infinity" and "-Infinity" stand for the numbers that JSON does not have. It writes ``scores.bin``: for each row its
    terms, its score and its prediction, as little-endian doubles.

    Attributes:
        source: the file of the program, among the templates.
        command: what runs that file.
        install: what to install where the command is missing.
        log_ulps: how far a term with a logarithm may be from the reference's, in ULP of the larger operand.

    """

    source: str
    command: str
    install: str
    log_ulps: float


class Target(msgspec.Struct, frozen=True):
    """A language that models are emitted in.

    Attributes:
        name: what ``emit`` is asked for.
        suffix: of the file that holds the text.
        emit: the model and the target's own options in, the text out.
        driver: what scores rows with the text; None where parity has a runner of its own for the language.

    """

    name: str
    suffix: str
    emit: Callable[..., str]
    driver: Driver | None = None

    @property
    def options(self) -> list[str]:
        """The names of its options, the keywords of ``emit``."""
        return [name for name in inspect.signature(self.emit).parameters if name != "model"]


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("python", ".py", emit_python),
        Target("cpp", ".hpp", emit_cpp),
        Target("sql", ".sql", emit_sql),
        Target(
            "javascript",
            ".mjs",
            emit_javascript,
            # V8's own logarithm: on 100,000 pairs of model and row, terms were off by 2 and their sums by 8.
            Driver("javascript/driver.mjs", "node", "Node.js 18 or newer (Debian: apt-get install nodejs)", 16.0),
        ),
    )
}


def emit(model: ModelLike, target: str, dialect: str | None = None, **options: Any) -> str:
    """The model as code of a target: "python", "cpp", "sql" (with its ``dialect``) or "javascript".

    The text is the same bytes for the same model and options, on every run and machine.

    Args:
        model: what to emit; a curve or the fit of one is the model "model" of that curve.
        target: the target's name.
        dialect: for "sql": the engine's dialect.
        options: the target's own: the keywords of ``emit_python``, ``emit_cpp``, ``emit_sql`` or ``emit_javascript``
            (``curvec.emit.python`` and so on).

    Raises:
        InputError: no such target, dialect or option.
        UnsupportedError: the target cannot say the model faithfully; the message says what and why.

    """
    model = as_model(model)
    entry = named_entry("target", target, TARGETS, "a target")
    if dialect is not None:
        options["dialect"] = dialect
    for option in options:
        if option not in entry.options:
            known = ", ".join(entry.options) or "none"
            raise InputError(f"target {shown(target)} takes no option {shown(option)}; it takes {known}")
    for name, parameter in inspect.signature(entry.emit).parameters.items():
        if isinstance(parameter.default, bool) and name in options:
            check_flag(name, options[name])
    return entry.emit(model, **options)
