"""The C++ target: the paper's listing as a header, over curvec's header-only runtime or with it inside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from curvec.emit.c_interface import c_header as header_of
from curvec.emit.c_interface import c_interface as interface_of
from curvec.emit.cpp_body import KEY_TYPES, Curves, batch_statements, statements
from curvec.emit.cpp_names import NAMESPACES, cpp_identifiers
from curvec.emit.cpp_text import WIDTH, array, comment, filled, string_literal
from curvec.emit.environment import render
from curvec.emit.names import version_of
from curvec.errors import InputError, counted, shown
from curvec.ir import FeatureType, names_of
from curvec.links import link
from curvec.model import CurveModel
from curvec.spelling import with_point

_NAMESPACE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(::[A-Za-z][A-Za-z0-9_]*)*")


def emit_cpp(
    model: CurveModel,
    *,
    standalone: bool = False,
    c_interface: bool = False,
    c_header: bool = False,
    namespace: str | None = None,
) -> str:
    """The model as a C++17 header, in the format of clang-format.

    Args:
        model: what to emit.
        standalone: carry the runtime, and include the standard library only.
        c_interface: a source file instead, with ``extern "C"`` functions over columns for other languages. Compiled
            into one program, two models of one namespace are an error of the linker.
        c_header: the declarations of these functions instead, for C99.
        namespace: where everything is, and what the C functions' names begin with; the model's name as an identifier
            if left out.

    Raises:
        InputError: ``namespace`` is no C++ namespace; a feature's name is no string of C.

    """
    scope = namespace_of(model) if namespace is None else _checked_namespace(namespace)
    curves = Curves(model)
    names = list(curves.parameters.values())
    declared = [_declaration(kind, name) for kind, name in zip(curves.kinds.values(), names, strict=True)]
    runtime_names = set(names_of(*model.terms))
    marked = [
        text if feature in runtime_names else f"[[maybe_unused]] {text}"
        for feature, text in zip(curves.parameters, declared, strict=True)
    ]
    rows = [f"row.{name}" for name in names]
    row = f"(const Features&{' row' if names else ''}) noexcept {{"
    batch = batch_statements(model, curves)
    version = version_of(model)
    interface = (
        interface_of(scope, version, _title_lines(model), curves.kinds, names, len(model.terms))
        if c_interface or c_header
        else None
    )
    if interface is not None and c_header:
        return header_of(interface, standalone=standalone)
    includes = ["curvec.hpp", *(["c_interface.hpp"] if c_interface else [])]
    return render(
        "cpp/model.hpp.jinja",
        title=[*_title_lines(model), *_USAGE],
        runtime=_runtime(*includes) if standalone else "",
        includes=includes,
        scope=scope,
        version=version,
        usings=sorted({*curves.runtime_names(), *_used_names(model, curves, batch)}, key=str.lower),
        curves=curves.constants(),
        feature_names=_feature_names(curves.parameters),
        term_count=len(model.terms),
        intercept=with_point(model.intercept),
        identifiers=names,
        column_types=[_column_type(kind) for kind in curves.kinds.values()],
        link=link(model.link).cpp,
        row_fields=_fields(curves, _row_types(curves)),
        column_fields=_fields(curves, _column_types(curves)),
        heads={
            "score": filled("[[nodiscard]] inline double Score(", marked, ") noexcept {"),
            "terms": filled("[[nodiscard]] inline Terms Contributions(", marked, ") noexcept {"),
            "predict": filled("[[nodiscard]] inline double Predict(", declared, ") noexcept {"),
        },
        rows={
            "score": _calling_function(f"[[nodiscard]] inline double Score{row}", "Score", rows),
            "terms": _calling_function(f"[[nodiscard]] inline Terms Contributions{row}", "Contributions", rows),
            "predict": _calling_function(f"[[nodiscard]] inline double Predict{row}", "Predict", rows),
        },
        batch=batch,
        score=statements(model, curves, "score"),
        terms=statements(model, curves, "terms"),
        predict=filled("  const double score = Score(", names, ");")
        + f"\n  return {link(model.link).cpp}::Inverse(score);",
        c=interface,
    )


def namespace_of(model: CurveModel) -> str:
    """The namespace that a model is emitted into: its name as an identifier."""
    return cpp_identifiers([model.name], NAMESPACES)[model.name]


def _checked_namespace(namespace: str) -> str:
    parts = namespace.split("::") if isinstance(namespace, str) else [""]
    if not _NAMESPACE.fullmatch("::".join(parts)) or any(part in NAMESPACES or "__" in part for part in parts):
        raise InputError(
            f"namespace={shown(namespace)} is not a C++ namespace, or is a name of C++, of C's headers or of curvec; "
            "use names such as risk::scores"
        )
    return namespace


def _title_lines(model: CurveModel) -> list[str]:
    terms, features = len(model.terms), len(model.features)
    lines = comment(
        f'Curve model "{model.name}": {counted(terms, "term")} over {counted(features, "feature")}, link {model.link}.'
    )
    return [*lines, *comment(model.note), "// Emitted by curvec: edit the model, not this text."]


_USAGE = [
    "// To score a row: fill a Features, and call Score, Predict or Contributions. To score many rows: point a",
    "// Columns at arrays, and call ScoreBatch or PredictBatch. All are at the end of this file.",
]
"""How the header is called, for a reader who has only this file."""


def _used_names(model: CurveModel, curves: Curves, batch: Sequence[str]) -> set[str]:
    names = {link(model.link).cpp, "Block"}
    kinds = set(curves.kinds.values())
    names |= {"Category", "Keys"} if kinds - {"number"} else set()
    names |= {"Numbers"} if "number" in kinds else set()
    names |= {"Buffer"} if any("Buffer " in line for line in batch) else set()
    names |= {"Product"} if any(".Multiply(" in line for line in batch) else set()
    return names


def _declaration(kind: FeatureType, name: str) -> str:
    return f"double {name}" if kind == "number" else f"Category<{KEY_TYPES[kind]}> {name}"


def _row_types(curves: Curves) -> dict[str, str]:
    return {
        feature: f"{_declaration(kind, curves.parameters[feature])}{' = curvec::kNaN' if kind == 'number' else ''};"
        for feature, kind in curves.kinds.items()
    }


def _column_types(curves: Curves) -> dict[str, str]:
    return {feature: f"{_column_type(kind)} {curves.parameters[feature]};" for feature, kind in curves.kinds.items()}


def _column_type(kind: FeatureType) -> str:
    return "Numbers" if kind == "number" else f"Keys<{KEY_TYPES[kind]}>"


def _fields(curves: Curves, types: dict[str, str]) -> list[str]:
    """The fields, each below its feature's own name where the identifier is another."""
    lines = []
    for feature, declaration in types.items():
        if curves.parameters[feature] != feature:
            lines += comment(f'"{feature}"', indent=2)
        lines.append(declaration)
    return lines


def _feature_names(parameters: dict[str, str]) -> str:
    literals = [f"{{{string_literal(name)}, {len(name.encode())}}}" for name in parameters]
    return array("std::string_view", "kFeatureNames", literals)


def _calling_function(head: str, function: str, arguments: Sequence[str]) -> str:
    """A function that only calls another: on one line where it fits, as clang-format has it."""
    line = f"{head} return {function}({', '.join(arguments)}); }}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([head, filled(f"  return {function}(", arguments, ");"), "}"])


@cache
def _runtime(*names: str) -> str:
    """Headers of the runtime as one text, in the order in which they include each other."""
    folder = files("curvec") / "include" / "curvec"
    done: set[str] = set()

    def text(name: str) -> str:
        done.add(name)
        lines: list[str] = []
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            found = re.fullmatch(r"#include <curvec/(.+)>", line)
            if found is None:
                lines += [] if not line and lines[-1:] == [""] else [line]
            elif found[1] not in done:
                lines.append(text(found[1]))
        return "\n".join(lines)

    return "\n".join(text(name) for name in names if name not in done)
