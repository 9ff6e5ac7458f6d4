"""The Python target: the paper's listing, a scorer for one row and one for a table."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import black

from curvec.emit.environment import render
from curvec.emit.literals import shortest
from curvec.emit.names import identifiers
from curvec.ir import Column, EnumCurve, FeatureType, Product, PWLCurve, StepCurve, Sum, Term
from curvec.model import CurveModel

__all__ = ["RESERVED", "emit_python", "node_text"]

_MODE = black.Mode(line_length=120)
_ANNOTATIONS: dict[FeatureType, str] = {"number": "float", "int": "int", "str": "str", "bool": "bool"}
_NODES = (Column, EnumCurve, PWLCurve, Product, StepCurve, Sum)

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

    feature: str
    identifier: str
    annotation: str
    quoted: str


@dataclass(frozen=True, slots=True)
class Module:
    """All that the template lays out, already as Python source."""

    docstring: str
    imports: str
    name: str
    link: str
    intercept: str
    note: str
    features: Sequence[str]
    terms: Sequence[str]
    parameters: Sequence[Parameter]
    renamed: Sequence[Parameter]
    runtime: str


def emit_python(model: CurveModel, *, standalone: bool = False) -> str:
    """The model as a Python module, formatted by black.

    Args:
        model: what to emit.
        standalone: carry the few classes that it needs, and import the standard library only.

    """
    parameters = _parameters(model)
    module = Module(
        docstring=_docstring(model),
        imports=", ".join(_imports(model)),
        name=repr(model.name),
        link=repr(model.link),
        intercept=shortest(model.intercept),
        note=repr(model.note) if model.note else "",
        features=[_feature(feature.name, feature.type) for feature in model.features],
        terms=[node_text(term) for term in model.terms],
        parameters=parameters,
        renamed=[parameter for parameter in parameters if parameter.identifier != parameter.feature],
        runtime=_runtime() if standalone else "",
    )
    return black.format_str(render("python/model.py.jinja", module=module), mode=_MODE)


def node_text(node: Term) -> str:
    """A node as the Python expression that builds it, arguments at their default left out."""
    match node:
        case Column(feature):
            return _call("Column", [repr(feature)])
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
            return _call("Sum", [f"[{', '.join(map(node_text, node.terms))}]"])
        case Product():
            return _call("Product", [f"[{', '.join(map(node_text, node.factors))}]"])


def _call(
    name: str,
    positional: Sequence[str],
    curve: PWLCurve | StepCurve | EnumCurve | None = None,
    options: dict[str, str] | None = None,
) -> str:
    named = dict(options or {})
    if curve is not None:
        named["missing"] = "" if curve.missing is None else shortest(curve.missing)
        named["note"] = repr(curve.note) if curve.note else ""
    arguments = [*positional, *(f"{key}={value}" for key, value in named.items() if value)]
    return f"{name}({', '.join(arguments)})"


def _input(value: str | Sum) -> str:
    return repr(value) if isinstance(value, str) else node_text(value)


def _list(values: Sequence[float]) -> str:
    return f"[{', '.join(map(shortest, values))}]"


def _feature(name: str, kind: FeatureType) -> str:
    return f"Feature({name!r})" if kind == "number" else f"Feature({name!r}, {kind!r})"


def _parameters(model: CurveModel) -> list[Parameter]:
    names = identifiers((feature.name for feature in model.features), RESERVED)
    return [
        Parameter(feature.name, names[feature.name], _ANNOTATIONS[feature.type], repr(feature.name))
        for feature in model.features
    ]


def _docstring(model: CurveModel) -> str:
    text = (
        f"Curve model {model.name!r}: {len(model.terms)} terms over {len(model.features)} features, link {model.link}."
    )
    return '"""' + "\n".join(textwrap.wrap(text.replace("\\", "\\\\").replace('"', "'"), 110)) + '"""'


def _imports(model: CurveModel) -> list[str]:
    used: set[str] = {"CurveModel", "Feature"}
    stack: list[Any] = list(model.terms)
    while stack:
        node = stack.pop()
        if isinstance(node, _NODES):
            used.add(type(node).__name__)
            for field in ("terms", "factors"):
                stack.extend(getattr(node, field, ()))
            stack.append(getattr(node, "input", None))
    return sorted(used)


@cache
def _runtime() -> str:
    return (files("curvec") / "templates" / "python" / "runtime.py").read_text(encoding="utf-8")
