"""The JavaScript target: the listing as one ES module that needs nothing else, in browsers and Node.js 18 or newer.

What it says is the contract's, with the engine's own logarithm and exponential: V8's, like SpiderMonkey's and
JavaScriptCore's, are fdlibm's, less than 1 ULP off, so a transform differs from the C library's by at most 1 ULP.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec

from curvec.emit.environment import render
from curvec.ir import (
    EnumCurve,
    FeatureType,
    Key,
    Line,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    Term,
    names_of,
    walk,
)
from curvec.model import CurveModel
from curvec.spelling import shortest

__all__ = ["emit_javascript", "literal", "node_text"]

_WIDTH = 90


class TermText(msgspec.Struct, frozen=True):
    """A term as an expression, and the notes inside it."""

    text: str
    notes: Sequence[str]


class Module(msgspec.Struct, frozen=True):
    """All that the template lays out, already as JavaScript source."""

    name: str
    link: str
    count: int
    intercept: str
    note: str
    features: Sequence[str]
    terms: Sequence[TermText]
    runtime: str


class Types(msgspec.Struct, frozen=True):
    """What the declarations lay out: the properties of a row and of a table."""

    name: str
    row: Sequence[str]
    columns: Sequence[str]


_TYPES: dict[FeatureType, str] = {
    "number": "number | bigint | boolean",
    "int": "number | bigint",
    "str": "string",
    "bool": "boolean | 0 | 1",
}


def emit_javascript(model: CurveModel, *, types: bool = False) -> str:
    """The model as an ES module: ``score``, ``predict`` and ``contributions`` of one row, ``scoreTable`` of many.

    A row is an object with a property a feature, under the feature's own name. No text of the model can end a script
    element, so the module may stand inside an HTML page.

    Args:
        model: what to emit.
        types: the module's TypeScript declarations instead, for a file beside it that ends in ``.d.mts``.

    """
    if types:
        return _declarations(model)
    module = Module(
        name=literal(model.name),
        link=literal(model.link),
        count=len(model.terms),
        intercept=shortest(model.intercept),
        note=literal(model.note) if model.note else "",
        features=[f"[{literal(feature.name)}, {literal(feature.type)}]" for feature in model.features],
        terms=[
            TermText(node_text(term), [literal(node.note) for node in walk(term) if node.note]) for term in model.terms
        ],
        runtime=_runtime(),
    )
    return render("javascript/model.js.jinja", module=module)


def _declarations(model: CurveModel) -> str:
    used = set(names_of(*model.terms))
    row, columns = [], []
    for feature in model.features:
        name, kind = literal(feature.name), f"{_TYPES[feature.type]} | null | undefined"
        row.append(f"{name}{'' if feature.name in used else '?'}: {kind}")
        columns.append(f"{name}: ArrayLike<{kind}>")
    return render("javascript/types.d.ts.jinja", types=Types(literal(model.name), row, columns))


def literal(value: str | Key) -> str:
    """A string, integer or boolean as a literal in ASCII, with no ``<`` in it: inert in a script element too."""
    return json.dumps(value, ensure_ascii=True).replace("<", "\\u003c")


def node_text(node: Term) -> str:
    """A node as an expression over the emitted module's functions: a function of a row."""
    match node:
        case Line(feature, coefficient, missing):
            return _call("line", [literal(feature), shortest(coefficient)], {"missing": _optional(missing)})
        case PWLCurve():
            points = _list([f"[{shortest(x)}, {shortest(y)}]" for x, y in node.points])
            options = {"fx": literal(node.fx) if node.fx != "identity" else "", "missing": _optional(node.missing)}
            options["special"] = _special(node)
            return _call("pwlCurve", [_input(node.input), points], options)
        case StepCurve():
            cuts, values = (_list([shortest(number) for number in numbers]) for numbers in (node.cuts, node.values))
            options = {"missing": _optional(node.missing), "special": _special(node)}
            return _call("stepCurve", [_input(node.input), cuts, values], options)
        case EnumCurve():
            levels = _list([f"[{literal(key)}, {shortest(value)}]" for key, value in node.levels.items()])
            options = {"fallback": _optional(node.default), "missing": _optional(node.missing)}
            return _call("enumCurve", [literal(node.input), literal(node.levels.type), levels], options)
        case Sum():
            return _call("sum", [node_text(term) for term in node.terms], {})
        case Product():
            return _call("product", [node_text(factor) for factor in node.factors], {})


def _input(value: str | Sum) -> str:
    return literal(value) if isinstance(value, str) else node_text(value)


def _special(node: Term) -> str:
    codes = [f"[{shortest(code)}, {shortest(value)}]" for code, value in node.special_codes.items()]
    return _list(codes) if codes else ""


def _optional(value: float | None) -> str:
    return "" if value is None else shortest(value)


def _call(name: str, arguments: Sequence[str], options: dict[str, str]) -> str:
    named = ", ".join(f"{key}: {value}" for key, value in options.items() if value)
    return f"{name}({', '.join([*arguments, f'{{ {named} }}'] if named else arguments)})"


def _list(items: Sequence[str]) -> str:
    if sum(len(item) + 2 for item in items) <= _WIDTH:
        return f"[{', '.join(items)}]"
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) > _WIDTH:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else '    '}{item},"
    return "\n".join(["[", *lines, "  ]"])


@cache
def _runtime() -> str:
    return (files("curvec") / "templates" / "javascript" / "runtime.js").read_text(encoding="utf-8")
