"""The JavaScript target: the listing as one ES module that needs nothing else, in browsers and Node.js 18 or newer.

It follows the numeric contract, with the engine's own logarithm and exponential. Those of V8, SpiderMonkey and
JavaScriptCore are fdlibm's, with errors below 1 ULP, so a transform differs from the C library's by at most 1 ULP.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curvec.emit.environment import render, source_text
from curvec.ir import FeatureType, Key, Levels, Node, names_of, walk
from curvec.model import CurveModel
from curvec.spelling import shortest

_WIDTH = 90


_TYPES: dict[FeatureType, str] = {
    "number": "number | bigint | boolean",
    "int": "number | bigint",
    "str": "string",
    "bool": "boolean | 0 | 1",
}


def emit_javascript(model: CurveModel, *, types: bool = False) -> str:
    """The model as an ES module: ``score``, ``predict`` and ``contributions`` of one row, ``scoreTable`` of many.

    A row is an object with one property for each feature, under the feature's own name. No text of the model can end a
    script element, so the module may be put inside an HTML page.

    Args:
        model: what to emit.
        types: the module's TypeScript declarations instead, for a file beside it that ends in ``.d.mts``.

    """
    if types:
        return _declarations(model)
    return render(
        "javascript/model.js.jinja",
        name=literal(model.name),
        link=literal(model.link),
        count=len(model.terms),
        intercept=shortest(model.intercept),
        note=literal(model.note) if model.note else "",
        features=[f"[{literal(feature.name)}, {literal(feature.type)}]" for feature in model.features],
        terms=[(node_text(term), [literal(node.note) for node in walk(term) if node.note]) for term in model.terms],
        runtime=source_text("javascript/runtime.js"),
    )


def _declarations(model: CurveModel) -> str:
    used = set(names_of(*model.terms))
    row, columns = [], []
    for feature in model.features:
        name, kind = literal(feature.name), f"{_TYPES[feature.type]} | null | undefined"
        row.append(f"{name}{'' if feature.name in used else '?'}: {kind}")
        columns.append(f"{name}: ArrayLike<{kind}>")
    return render("javascript/types.d.ts.jinja", name=literal(model.name), row=row, columns=columns)


def literal(value: str | Key) -> str:
    """A string, integer or boolean as a literal in ASCII, with no ``<`` in it: inert in a script element too."""
    return json.dumps(value, ensure_ascii=True).replace("<", "\\u003c")


def node_text(node: Node) -> str:
    """A node as an expression over the emitted module's functions: a function of a row.

    templates/javascript/runtime.js has a function for each class, ``pwlCurve`` for ``PWLCurve``, with the arguments of
    the
    class: lists as they are, a mapping as pairs, and the terms of a sum one by one.
    """
    name = re.sub("^[A-Z]+(?=[A-Z][a-z])|^[A-Z]", lambda capitals: capitals[0].lower(), type(node).__name__)
    options = {_RENAMED.get(option, option): _value_text(value) for option, value in node.options.items()}
    return _call_text(name, [_value_text(value) for value in node.arguments], options)


_RENAMED = {"default": "fallback"}
"""Options whose name is a reserved word of JavaScript, and the names that replace them."""


def _value_text(value: Any) -> str:
    if isinstance(value, Levels):
        return f"{literal(value.type)}, {_list_text(map(_pair_text, value.items()))}"
    if isinstance(value, Mapping):
        return _list_text(map(_pair_text, value.items()))
    if isinstance(value, tuple):
        if isinstance(value[0], Node):
            return ", ".join(map(_value_text, value))
        return _list_text(_pair_text(item) if isinstance(item, tuple) else _value_text(item) for item in value)
    if isinstance(value, float):
        return shortest(value)
    return node_text(value) if isinstance(value, Node) else literal(value)


def _pair_text(pair: tuple[Any, Any]) -> str:
    return f"[{', '.join(map(_value_text, pair))}]"


def _call_text(name: str, arguments: Sequence[str], options: dict[str, str]) -> str:
    named = ", ".join(f"{key}: {value}" for key, value in options.items())
    return f"{name}({', '.join([*arguments, f'{{ {named} }}'] if named else arguments)})"


def _list_text(texts: Iterable[str]) -> str:
    items = list(texts)
    if sum(len(item) + 2 for item in items) <= _WIDTH:
        return f"[{', '.join(items)}]"
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) > _WIDTH:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else '    '}{item},"
    return "\n".join(["[", *lines, "  ]"])
