"""The Python target: the paper's listing, a scorer for one row and one for a table."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from curvec.emit.environment import render
from curvec.emit.layout import Bracket, Piece, call, dictionary, lay_out, list_of, quoted
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
    "runtime_text",
]

ANNOTATIONS: dict[FeatureType, str] = {"number": "float", "int": "int", "str": "str", "bool": "bool"}

RESERVED = frozenset(
    [*keyword.kwlist, "MODEL", "bool", "float", "int", "predict", "row", "score", "score_table", "str"]
)
"""What no parameter may be called: keywords, and the names that the emitted functions themselves use."""


@dataclass(frozen=True, slots=True)
class Functions:
    """The module's functions: two signatures, the row that both make of their arguments, and remarks on names."""

    comments: Sequence[str]
    score: str
    predict: str
    row: str


@dataclass(frozen=True, slots=True)
class Module:
    """All that the template puts together, already as Python source."""

    docstring: str
    head: str
    listing: str
    functions: Functions


def emit_python(model: CurveModel, *, standalone: bool = False) -> str:
    """The model as a Python module, formatted as black does.

    ``load`` gives the same model back, and so does ``MODEL`` of the imported module.

    Args:
        model: what to emit.
        standalone: carry the classes that score, and import the standard library only.

    """
    head = runtime_text() if standalone else _imports(model)
    listing = "\n".join(_listing(model))
    return render("python/model.py.jinja", module=Module(_docstring(model), head, listing, _functions(model.features)))


def functions_text(features: Sequence[Feature]) -> str:
    """The functions that a module over these features holds."""
    return render("python/functions.py.jinja", functions=_functions(features))


def _renamed(features: Sequence[Feature]) -> list[str]:
    """What the module says about parameters that are not called as their features are."""
    names = identifiers((feature.name for feature in features), RESERVED)
    return [f"parameter {name}: feature {quoted(feature)}" for feature, name in names.items() if name != feature]


@cache
def runtime_text() -> str:
    """What a standalone module carries: the classes of the listing, over the standard library."""
    return (files("curvec") / "templates" / "python" / "runtime.py").read_text(encoding="utf-8")


def node_text(node: Term) -> str:
    """A node as the Python expression that builds it, on one line."""
    return _node(node).flat


def _node(node: Term) -> Bracket:
    """A node's call, arguments at their default left out."""
    match node:
        case Column(feature):
            return _call(node, quoted(feature))
        case PWLCurve():
            points = [f"({_number(x)}, {_number(y)})" for x, y in node.points]
            fx = "" if node.fx == "identity" else quoted(node.fx)
            return _call(node, _input(node.input), list_of(points), fx=fx)
        case StepCurve():
            return _call(node, _input(node.input), _numbers(node.cuts), _numbers(node.values))
        case EnumCurve():
            levels = [
                f"{quoted(key) if isinstance(key, str) else key}: {_number(value)}"
                for key, value in node.levels.items()
            ]
            return _call(node, quoted(node.feature), dictionary(levels), default=_optional(node.default))
        case Sum(terms) | Product(terms):
            return _call(node, list_of([_node(term) for term in terms]))


def _call(node: Term, *positional: Piece, **named: str) -> Bracket:
    named["missing"] = _optional(getattr(node, "missing", None))
    named["note"] = quoted(node.note) if node.note else ""
    given = [f"{name}={value}" for name, value in named.items() if value]
    return call(type(node).__name__, [*positional, *given])


def _input(value: str | Sum) -> Piece:
    return quoted(value) if isinstance(value, str) else _node(value)


def _numbers(values: Sequence[float]) -> Bracket:
    return list_of([_number(value) for value in values])


def _number(value: float) -> str:
    return shortest(value).replace("e+", "e")  # 1e22: as both black and ruff leave it


def _optional(value: float | None) -> str:
    return "" if value is None else _number(value)


def _listing(model: CurveModel) -> Iterator[str]:
    """``MODEL = CurveModel(...)``, a term a line where it fits."""
    yield "MODEL = CurveModel("
    yield from lay_out(f"name={quoted(model.name)}", 1, ",")
    if model.note:
        yield from lay_out(f"note={quoted(model.note)}", 1, ",")
    yield "    terms=["
    for term in model.terms:
        yield from lay_out(_node(term), 2, ",")
    yield "    ],"
    yield from lay_out(f"intercept={_number(model.intercept)}", 1, ",")
    yield from lay_out(f"link={quoted(model.link)}", 1, ",")
    yield from lay_out(list_of([_feature(feature) for feature in model.features], "features="), 1, ",")
    yield ")"


def _feature(feature: Feature) -> Bracket:
    return call("Feature", [quoted(feature.name), *([] if feature.type == "number" else [quoted(feature.type)])])


def _functions(features: Sequence[Feature]) -> Functions:
    names = identifiers((feature.name for feature in features), RESERVED)
    arguments = [f"{names[feature.name]}: {ANNOTATIONS[feature.type]} | None" for feature in features]
    row = dictionary([f"{quoted(feature)}: [{name}]" for feature, name in names.items()], "row = ")
    return Functions(
        comments=_renamed(features),
        score=_signature("score", arguments),
        predict=_signature("predict", arguments),
        row="\n".join(lay_out(row, 1)),
    )


def _signature(name: str, arguments: Sequence[str]) -> str:
    return "\n".join(lay_out(Bracket(f"def {name}(", ["*", *arguments], ") -> float:", is_call=True)))


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
    names = ", ".join(sorted(used, key=str.lower))
    return f"from __future__ import annotations\n\nfrom typing import Any\n\nfrom curvec import {names}"
