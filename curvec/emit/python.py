"""The Python target: the paper's listing, and three functions that score a row with it."""

from __future__ import annotations

import textwrap
from typing import Any

from curvec.emit.environment import render, source_text
from curvec.emit.python_lines import KeptLines
from curvec.errors import counted
from curvec.ir import walk
from curvec.links import link
from curvec.model import CurveModel
from curvec.spelling import listed, quoted, shortest

WIDTH = 88
"""Columns of a line of emitted Python: black's own."""


def emit_python(model: CurveModel, *, standalone: bool = False) -> str:
    """The model as a Python module, formatted by black.

    ``load`` gives the same model back, and so does ``MODEL`` of the imported module.

    Args:
        model: what to emit.
        standalone: carry what scores, and need nothing but the language; in Python its standard library.

    """
    lines = KeptLines(WIDTH)
    text = render("python/model.py.jinja", **_listing(model, lines))
    body = f"{runtime_text()}\n\n{_formatted(text)}" if standalone else _formatted(f"{_imports(model)}\n\n{text}")
    return f"{_docstring(model)}\n\n{lines.put_back(body)}"


def _formatted(source: str) -> str:
    # black takes longer to load than all of curvec, and only this needs it
    import black
    from black.mode import TargetVersion

    return black.format_str(source, mode=black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY310}))


def functions_text() -> str:
    """The functions that are in every module."""
    return render("python/functions.py.jinja")


def runtime_text() -> str:
    """The code inside a standalone module: the classes of the listing, with the standard library only."""
    return source_text("python/runtime.py")


def _listing(model: CurveModel, lines: KeptLines) -> dict[str, Any]:
    """The model as a reviewer reads it, each part already a Python expression; defaults are left out."""
    options = [f"intercept={shortest(model.intercept)}"] if model.intercept else []
    if model.link != "identity":
        options.append(f"link={quoted(model.link)}")
    if not model.features_follow:
        features = lines.stand_ins(model.features, indent=8)
        options.append(f"features={listed(features)}")
    note = quoted(model.note) if model.note else ""
    terms = lines.stand_ins(model.terms, indent=8)
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
    return f"from curvec import {', '.join(sorted(used, key=str.lower))}"
