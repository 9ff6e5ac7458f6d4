"""The Python target: the paper's listing, and three functions that score a row with it."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import Any

from curvec.emit.environment import render, source_text
from curvec.errors import counted
from curvec.ir import walk
from curvec.links import link
from curvec.model import CurveModel
from curvec.spelling import Brackets, Part, expression, flat, literal, quoted

WIDTH = 88
INDENT = 4
"""Columns of a line of emitted Python, and by which black indents what stands in brackets."""


def emit_python(model: CurveModel, *, standalone: bool = False) -> str:
    """The model as a Python module, laid out as black would.

    ``load`` gives the same model back, and so does ``MODEL`` of the imported module.

    Args:
        model: what to emit.
        standalone: carry what scores, and need nothing but the language; in Python its standard library.

    """
    text = render("python/model.py.jinja", **_listing(model))
    head = runtime_text() if standalone else _imports(model)
    return f"{_docstring(model)}\n\n{head}\n\n{text}"


def _columns(text: str) -> int:
    """How many columns a text takes: characters of East Asia two, marks on the one before none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in ("Mn", "Me") for character in text)


def _laid_out(part: Part, indent: int, behind: str = ",") -> str:
    """An expression over as many lines as it needs; ``behind`` is what follows it on its last line."""
    text = flat(part)
    if isinstance(part, str) or indent + _columns(text + behind) <= WIDTH:
        return text
    inner = indent + INDENT
    shared = ", ".join(map(flat, part.items))
    lines = [shared]
    if len(part.items) == 1:
        lines = [_laid_out(part.items[0], inner, "")]
    elif part.opening == "(" or part.closing != ")" or inner + _columns(shared) > WIDTH:  # arguments may share a line
        lines = [f"{_laid_out(item, inner)}," for item in part.items]
    return "\n".join([part.opening, *(" " * inner + line for line in lines), " " * indent + part.closing])


def functions_text() -> str:
    """The functions that are in every module."""
    return render("python/functions.py.jinja")


def runtime_text() -> str:
    """The code inside a standalone module: the classes of the listing, with the standard library only."""
    return source_text("python/runtime.py")


def _listing(model: CurveModel) -> dict[str, Any]:
    """The model as a reviewer reads it, each part already a Python expression; defaults are left out."""
    options = [f"intercept={literal(model.intercept)}"] if model.intercept else []
    if model.link != "identity":
        options.append(f"link={quoted(model.link)}")
    if not model.features_follow:
        features = Brackets("features=[", [*map(str, model.features)], "]")
        options.append(_laid_out(features, INDENT))
    note = quoted(model.note) if model.note else ""
    terms = [_laid_out(expression(term), 2 * INDENT) for term in model.terms]
    return {"name": quoted(model.name), "note": note, "terms": terms, "options": options}


def _docstring(model: CurveModel) -> str:
    text = (
        f"Curve model {model.name!r}: {counted(len(model.terms), 'term')} "
        f"over {counted(len(model.features), 'feature')}."
    )
    title = textwrap.wrap(text.replace("\\", "\\\\").replace('"', "'"), WIDTH - 6)
    return '"""' + "\n".join([*title, "", *_how_to_read(model)]) + '\n"""'


def _how_to_read(model: CurveModel) -> list[str]:
    """What the listing means, for a reader who has only this file."""
    nodes = list(walk(*model.terms))
    kinds = {type(node).__name__ for node in nodes}
    formula = link(model.link).formula
    prediction = f"; the prediction is {formula}" if formula else ""
    lines = [f"The score is the intercept plus every term{prediction}."]
    lines += [f"{kind}: {meaning}" for kind, meaning in _MEANINGS.items() if kind in kinds]
    if any(node.special_codes for node in nodes):
        lines.append("special=: values of single numbers, apart from the curve.")
    return [*lines, "missing=: the value of a missing input. Where a term has no value, the score is NaN."]


_MEANINGS = {
    "PWLCurve": "straight between its points (x, value), in fx(x) with fx=; constant outside.",
    "StepCurve": "its first value below the first cut, the next one from each cut on.",
    "EnumCurve": "a value for each category, and default= for any other.",
    "Line": "its number times the feature.",
}


def _imports(model: CurveModel) -> str:
    used = {"CurveModel", *(type(node).__name__ for node in walk(*model.terms))}
    if not model.features_follow:
        used.add("Feature")
    names = sorted(used, key=str.lower)
    line = f"from curvec import {', '.join(names)}"
    return line if len(line) <= WIDTH else "\n".join(["from curvec import (", *(f"    {name}," for name in names), ")"])
