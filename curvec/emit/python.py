"""The Python target: the paper's listing, a scorer for one row and one for a table."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import black

from curvec.emit.environment import render
from curvec.emit.literals import shortest
from curvec.emit.names import identifiers
from curvec.ir import Column, EnumCurve, Feature, FeatureType, Product, PWLCurve, StepCurve, Sum, Term, children
from curvec.model import CurveModel

__all__ = [
    "ANNOTATIONS",
    "RESERVED",
    "emit_python",
    "functions_text",
    "node_text",
    "renamed_comments",
    "runtime_text",
]

_MODE = black.Mode(line_length=120)
ANNOTATIONS: dict[FeatureType, str] = {"number": "float", "int": "int", "str": "str", "bool": "bool"}

RESERVED = frozenset(
    [
        *keyword.kwlist,
        "MODEL",
        "score",
        "predict",
        "contributions",
        "score_table",
        "float",
        "int",
        "str",
        "bool",
        "None",
    ]
)
"""What no parameter may be called: keywords, and the names that the emitted module itself uses."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A feature as a keyword argument of the emitted functions."""

    identifier: str
    annotation: str
    quoted: str


@dataclass(frozen=True, slots=True)
class Module:
    """All that the template lays out, already as Python source."""

    docstring: str
    head: str
    name: str
    link: str
    intercept: str
    note: str
    features: Sequence[str]
    terms: Sequence[str]
    functions: str


def emit_python(model: CurveModel, *, standalone: bool = False) -> str:
    """The model as a Python module, formatted by black.

    ``load`` gives the same model back, and so does ``MODEL`` of the imported module.

    Args:
        model: what to emit.
        standalone: carry the classes that score, and import the standard library only.

    """
    module = Module(
        docstring=_docstring(model),
        head=runtime_text() if standalone else _imports(model),
        name=repr(model.name),
        link=repr(model.link),
        intercept=shortest(model.intercept),
        note=repr(model.note) if model.note else "",
        features=[_feature(feature.name, feature.type) for feature in model.features],
        terms=[node_text(term) for term in model.terms],
        functions=functions_text(model.features),
    )
    return black.format_str(render("python/model.py.jinja", module=module), mode=_MODE)


def functions_text(features: Sequence[Feature]) -> str:
    """The module's functions over features, before black."""
    return render("python/functions.py.jinja", parameters=_parameters(features), comments=renamed_comments(features))


def renamed_comments(features: Sequence[Feature]) -> list[str]:
    """What the module says about parameters that are not called as their features are."""
    names = identifiers((feature.name for feature in features), RESERVED)
    return [f"parameter {name}: feature {feature!r}" for feature, name in names.items() if name != feature]


@cache
def runtime_text() -> str:
    """What a standalone module carries: the classes of the listing, over the standard library."""
    return (files("curvec") / "templates" / "python" / "runtime.py").read_text(encoding="utf-8")


def node_text(node: Term) -> str:
    """A node as the Python expression that builds it, arguments at their default left out."""
    match node:
        case Column(feature):
            return _call("Column", [repr(feature)], node)
        case PWLCurve():
            points = ", ".join(f"({shortest(x)}, {shortest(y)})" for x, y in node.points)
            options = {"fx": repr(node.fx) if node.fx != "identity" else ""}
            return _call("PWLCurve", [_input(node.input), f"[{points}]"], node, options)
        case StepCurve():
            return _call("StepCurve", [_input(node.input), _list(node.cuts), _list(node.values)], node)
        case EnumCurve():
            levels = ", ".join(f"{key!r}: {shortest(value)}" for key, value in node.levels.items())
            default = "" if node.default is None else shortest(node.default)
            return _call("EnumCurve", [repr(node.feature), f"{{{levels}}}"], node, {"default": default})
        case Sum():
            return _call("Sum", [f"[{', '.join(map(node_text, node.terms))}]"], node)
        case Product():
            return _call("Product", [f"[{', '.join(map(node_text, node.factors))}]"], node)


def _call(name: str, positional: Sequence[str], node: Term, options: Mapping[str, str] | None = None) -> str:
    missing = getattr(node, "missing", None)
    named = {
        **(options or {}),
        "missing": "" if missing is None else shortest(missing),
        "note": repr(node.note) if node.note else "",
    }
    arguments = [*positional, *(f"{key}={value}" for key, value in named.items() if value)]
    return f"{name}({', '.join(arguments)})"


def _input(value: str | Sum) -> str:
    return repr(value) if isinstance(value, str) else node_text(value)


def _list(values: Sequence[float]) -> str:
    return f"[{', '.join(map(shortest, values))}]"


def _feature(name: str, kind: FeatureType) -> str:
    return f"Feature({name!r})" if kind == "number" else f"Feature({name!r}, {kind!r})"


def _parameters(features: Sequence[Feature]) -> list[Parameter]:
    names = identifiers((feature.name for feature in features), RESERVED)
    return [Parameter(names[feature.name], ANNOTATIONS[feature.type], repr(feature.name)) for feature in features]


def _docstring(model: CurveModel) -> str:
    text = (
        f"Curve model {model.name!r}: {len(model.terms)} terms over {len(model.features)} features, link {model.link}."
    )
    return '"""' + "\n".join(textwrap.wrap(text.replace("\\", "\\\\").replace('"', "'"), 110)) + '"""'


def _imports(model: CurveModel) -> str:
    used = {"CurveModel", "Feature"}
    stack: list[Term] = list(model.terms)
    while stack:
        node = stack.pop()
        used.add(type(node).__name__)
        stack.extend(children(node))
    names = ", ".join(sorted(used))
    return f"from __future__ import annotations\n\nfrom typing import Any\n\nfrom curvec import {names}"
