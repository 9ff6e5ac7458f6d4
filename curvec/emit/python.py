"""The Python target: the paper's listing, a scorer for one row and one for a table."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from curvec.emit.environment import render
from curvec.emit.names import identifiers
from curvec.emit.python_lines import KeptLines
from curvec.ir import Feature, FeatureType, walk
from curvec.model import CurveModel
from curvec.spelling import quoted, shortest

__all__ = [
    "ANNOTATIONS",
    "RESERVED",
    "emit_python",
    "functions_text",
    "runtime_text",
]

ANNOTATIONS: dict[FeatureType, str] = {"number": "float", "int": "int", "str": "str", "bool": "bool"}

RESERVED = frozenset(
    [*keyword.kwlist, "MODEL", "bool", "float", "int", "predict", "row", "score", "score_table", "str"]
)
"""What no parameter may be called: keywords, and the names that the emitted functions themselves use."""

WIDTH = 120
"""Columns of a line of emitted Python."""


@dataclass(frozen=True, slots=True)
class Functions:
    """The module's functions: their arguments, the row made of them, and remarks on names."""

    comments: Sequence[str]
    arguments: Sequence[str]
    row: Sequence[str]


@dataclass(frozen=True, slots=True)
class Listing:
    """The model as a reviewer reads it, each part already a Python expression."""

    name: str
    note: str
    terms: Sequence[str]
    intercept: str
    link: str
    features: Sequence[str]


@dataclass(frozen=True, slots=True)
class Module:
    """All that the template puts together."""

    listing: Listing
    functions: Functions


def emit_python(model: CurveModel, *, standalone: bool = False) -> str:
    """The model as a Python module, formatted by black.

    ``load`` gives the same model back, and so does ``MODEL`` of the imported module.

    Args:
        model: what to emit.
        standalone: carry the classes that score, and import the standard library only.

    """
    head = runtime_text() if standalone else _imports(model)
    lines = KeptLines(WIDTH)
    listing, functions = _listing(model), _functions(model.features)
    module = Module(
        replace(
            listing,
            terms=lines.stand_ins(listing.terms, indent=8),
            features=lines.stand_ins(listing.features, indent=8),
        ),
        replace(
            functions,
            arguments=lines.stand_ins(functions.arguments, indent=4),
            row=lines.stand_ins(functions.row, indent=8, value=": 0"),
        ),
    )
    body = _formatted(render("python/model.py.jinja", module=module))
    return f"{_docstring(model)}\n\n{head}\n\n{lines.put_back(body)}"


def _formatted(source: str) -> str:
    # black takes longer to load than all of curvec, and only this needs it
    import black
    from black.mode import TargetVersion

    return black.format_str(source, mode=black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY310}))


def functions_text(features: Sequence[Feature]) -> str:
    """The functions that a module over these features holds."""
    return render("python/functions.py.jinja", functions=_functions(features))


def _renamed(names: Mapping[str, str]) -> list[str]:
    """What the module says about parameters that are not called as their features are."""
    return [f"parameter {name}: feature {quoted(feature)}" for feature, name in names.items() if name != feature]


@cache
def runtime_text() -> str:
    """What a standalone module carries: the classes of the listing, over the standard library."""
    return (files("curvec") / "templates" / "python" / "runtime.py").read_text(encoding="utf-8")


def _listing(model: CurveModel) -> Listing:
    return Listing(
        name=quoted(model.name),
        note=quoted(model.note) if model.note else "",
        terms=[str(term) for term in model.terms],
        intercept=shortest(model.intercept),
        link=quoted(model.link),
        features=[str(feature) for feature in model.features],
    )


def _functions(features: Sequence[Feature]) -> Functions:
    names = identifiers((feature.name for feature in features), RESERVED)
    return Functions(
        comments=_renamed(names),
        arguments=[f"{names[feature.name]}: {ANNOTATIONS[feature.type]} | None" for feature in features],
        # A model without features still scores a row, so some column must say that there is one.
        row=[f"{quoted(feature)}: [{name}]" for feature, name in names.items()] or ['"row": [None]'],
    )


def _docstring(model: CurveModel) -> str:
    text = (
        f"Curve model {model.name!r}: {len(model.terms)} terms over {len(model.features)} features, link {model.link}."
    )
    return '"""' + "\n".join(textwrap.wrap(text.replace("\\", "\\\\").replace('"', "'"), 110)) + '"""'


def _imports(model: CurveModel) -> str:
    used = {"CurveModel", "Feature", *(type(node).__name__ for node in walk(*model.terms))}
    names = ", ".join(sorted(used, key=str.lower))
    return f"from __future__ import annotations\n\nfrom typing import Any\n\nfrom curvec import {names}"
