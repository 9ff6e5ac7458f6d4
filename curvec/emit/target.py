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
from curvec.emit.sql_options import FORMS
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
        options: the options it takes, by name, with what each says.
        driver: what scores rows with the text; None where parity has a runner of its own for the language.

    """

    name: str
    suffix: str
    emit: Callable[..., str]
    options: dict[str, str]
    driver: Driver | None = None


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("python", ".py", emit_python, {"standalone": "needs nothing but the standard library"}),
        Target(
            "cpp",
            ".hpp",
            emit_cpp,
            {
                "standalone": "carries the runtime inside",
                "c_interface": "a source file instead, with extern C functions over columns",
                "c_header": "the declarations of these functions for C99 instead",
                "namespace": "where everything is, if not under the model's name",
            },
        ),
        Target(
            "sql",
            ".sql",
            emit_sql,
            {
                "dialect": "the engine's dialect",
                "form": ", ".join(FORMS),
                "per_term": "one column a term",
                "link": "the prediction too",
                "key": "columns passed through",
                "table": "the table that is scored",
                "view": "what the view is called, if not after the model",
                "replace": "define the view anew where it is there already",
                "comments": "what each curve is, above it",
                "columns": "the table's columns, by the features that they hold",
                "reasons": "the terms that raise the score most, so many of them by name",
                "version": "the model's name and version too",
                "types": "features whose columns are doubles, so that no cast is written",
                "levels": "the table that holds the levels of long categoricals",
                "quote": "every name in quotes, exactly as it is given",
                "baseline": "the table that a population is compared with",
            },
        ),
        Target(
            "javascript",
            ".mjs",
            emit_javascript,
            {"types": "its TypeScript declarations instead"},
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
        options: the target's own options, see ``TARGETS[target].options``.

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
