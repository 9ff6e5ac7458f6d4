"""The Python target: the paper's listing, a scorer for one row and one for a table."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

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
    "model_text",
    "node_text",
    "quoted",
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
    body = render("python/model.py.jinja", module=Module(_listing(model), _functions(model.features)))
    return f"{_docstring(model)}\n\n{head}\n\n{_formatted(body)}"


def _formatted(source: str) -> str:
    # black takes longer to load than all of curvec, and only this needs it
    import black  # noqa: PLC0415
    from black.mode import TargetVersion  # noqa: PLC0415

    return black.format_str(source, mode=black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY310}))


def quoted(text: str) -> str:
    """A string literal in double quotes, unless that takes more backslashes: as black leaves it."""
    literal = repr(text)
    if literal[0] == '"' or text.count('"') > text.count("'"):
        return literal
    body = literal[1:-1].replace("\\'", "'").replace('"', '\\"')
    return f'"{body}"'


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


def node_text(node: Term) -> str:
    """A node as the Python expression that builds it, on one line, arguments at their default left out."""
    match node:
        case Column(feature):
            return _call(node, quoted(feature))
        case PWLCurve():
            points = _list(f"({shortest(x)}, {shortest(y)})" for x, y in node.points)
            fx = "" if node.fx == "identity" else quoted(node.fx)
            return _call(node, _input(node.input), points, fx=fx)
        case StepCurve():
            return _call(node, _input(node.input), _list(map(shortest, node.cuts)), _list(map(shortest, node.values)))
        case EnumCurve():
            levels = ", ".join(
                f"{quoted(key) if isinstance(key, str) else key}: {shortest(value)}"
                for key, value in node.levels.items()
            )
            return _call(node, quoted(node.feature), f"{{{levels}}}", default=_optional(node.default))
        case Sum(terms) | Product(terms):
            return _call(node, _list(map(node_text, terms)))


def model_text(model: CurveModel) -> str:
    """A model as the Python expression that builds it, a term a line: what ``print`` shows."""
    listing = _listing(model)
    note = [f"    note={listing.note},"] if listing.note else []
    terms = [f"        {term}," for term in listing.terms]
    end = [f"    intercept={listing.intercept},", f"    link={listing.link},"]
    features = f"    features=[{', '.join(listing.features)}],"
    return "\n".join(
        ["CurveModel(", f"    name={listing.name},", *note, "    terms=[", *terms, "    ],", *end, features, ")"]
    )


def _call(node: Term, *positional: str, **named: str) -> str:
    named["missing"] = _optional(getattr(node, "missing", None))
    named["note"] = quoted(node.note) if node.note else ""
    given = [f"{name}={value}" for name, value in named.items() if value]
    return f"{type(node).__name__}({', '.join([*positional, *given])})"


def _input(value: str | Sum) -> str:
    return quoted(value) if isinstance(value, str) else node_text(value)


def _list(pieces: Iterable[str]) -> str:
    return f"[{', '.join(pieces)}]"


def _optional(value: float | None) -> str:
    return "" if value is None else shortest(value)


def _listing(model: CurveModel) -> Listing:
    return Listing(
        name=quoted(model.name),
        note=quoted(model.note) if model.note else "",
        terms=[node_text(term) for term in model.terms],
        intercept=shortest(model.intercept),
        link=quoted(model.link),
        features=[_feature(feature) for feature in model.features],
    )


def _feature(feature: Feature) -> str:
    kind = "" if feature.type == "number" else f", {quoted(feature.type)}"
    return f"Feature({quoted(feature.name)}{kind})"


def _functions(features: Sequence[Feature]) -> Functions:
    names = identifiers((feature.name for feature in features), RESERVED)
    return Functions(
        comments=_renamed(names),
        arguments=[f"{names[feature.name]}: {ANNOTATIONS[feature.type]} | None" for feature in features],
        row=[f"{quoted(feature)}: [{name}]" for feature, name in names.items()],
    )


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
