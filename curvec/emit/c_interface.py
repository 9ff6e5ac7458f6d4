"""The C interface of an emitted model: the same functions as definitions in C++ and as declarations in C99."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec

from curvec.emit.cpp_text import WIDTH, array, comment, filled, string_literal
from curvec.emit.environment import render
from curvec.errors import InputError
from curvec.ir import FeatureType

_TYPES: dict[FeatureType, str] = {
    "number": "CURVEC_NUMBER",
    "int": "CURVEC_INTEGER",
    "str": "CURVEC_STRING",
    "bool": "CURVEC_BOOLEAN",
}


_PARAMETERS = ("const struct curvec_column* columns", "int32_t column_count", "int64_t rows")


class _Function(msgspec.Struct, frozen=True):
    """A function of the interface: what it says in C, and its body in C++."""

    returns: str
    name: str
    parameters: Sequence[str]
    says: str
    body: Sequence[str]

    def head(self, prefix: str, before: str, after: str) -> str:
        return filled(f"{before}{self.returns} {prefix}_{self.name}(", self.parameters or ["void"], f"){after}")

    def definition(self, prefix: str) -> str:
        lines = self.head(prefix, "CURVEC_EXPORT ", f" {{ {self.body[0]} }}")
        if len(self.body) > 1 or "\n" in lines or len(lines) > WIDTH:
            head = self.head(prefix, "CURVEC_EXPORT ", " {")
            lines = "\n".join([head, *(f"  {line}" for line in self.body), "}"])
        return "\n".join([*comment(self.says, mark="///"), lines, ""])

    def declaration(self, prefix: str) -> str:
        said = "\n   ".join(line.removeprefix("// ") for line in comment(self.says))
        return f"/* {said} */\n{self.head(prefix, '', ';')}"


class CInterface(msgspec.Struct, frozen=True):
    """What the templates of the interface lay out."""

    title: Sequence[str]
    prefix: str
    version: str
    columns: Sequence[str]
    feature_types: str
    functions: Sequence[str]
    declarations: Sequence[str]


def c_interface(
    scope: str, version: str, title: Sequence[str], features: dict[str, FeatureType], names: Sequence[str], terms: int
) -> CInterface:
    """The interface of the model that is emitted into the namespace ``scope``.

    Args:
        scope: the namespace; the functions' names begin with it.
        version: changes with the model.
        title: the comment lines that head the C++ text.
        features: each feature's type, in order.
        names: each feature's identifier.
        terms: the number of terms.

    Raises:
        InputError: a feature's name has a NUL character in it, where a string of C ends.

    """
    for name in features:
        if "\0" in name:
            raise InputError(f"feature {name!r} has a NUL in its name, where a string of C ends; rename the feature")
    prefix = scope.replace("::", "_")
    functions = _functions(scope, version, len(features), terms)
    types = [_TYPES[kind] for kind in features.values()]
    said = " ".join(line.removeprefix("//").strip() for line in title)
    return CInterface(
        title=["/* " + re.sub(r"\*/", "* /", said) + " */"],
        prefix=prefix,
        version=version,
        columns=[f"{prefix}_column_{name} = {number}," for number, name in enumerate(names)],
        feature_types=array("std::int32_t", "kFeatureTypes", types),
        functions=[function.definition(prefix) for function in functions],
        declarations=[function.declaration(prefix) for function in functions],
    )


def c_header(interface: CInterface, *, standalone: bool) -> str:
    """The declarations, for C99 and C++; ``standalone``: with what they include of curvec inside."""
    runtime = _carried_headers() if standalone else "#include <curvec/c_interface.h>"
    return render("cpp/c_header.h.jinja", c=interface, runtime=runtime)


def _functions(scope: str, version: str, features: int, terms: int) -> list[_Function]:
    index, none = ["int32_t feature"], "where there is none of that number."
    version_text, names, types = string_literal(version), f"{scope}::kFeatureNames", f"{scope}::kFeatureTypes"
    fixed: list[tuple[str, str, list[str], str, str]] = [
        ("const char*", "version", [], "Changes with the model.", version_text),
        ("const char*", "message", ["int32_t status"], "A curvec_status in words.", "curvec::StatusMessage(status)"),
        ("int32_t", "feature_count", [], "The number of features.", str(features)),
        (
            "const char*",
            "feature_name",
            index,
            f"A feature's own name in UTF-8; null {none}",
            f"curvec::NameOf({names}, feature)",
        ),
        ("int32_t", "feature_type", index, f"A feature's curvec_type; -1 {none}", f"curvec::TypeOf({types}, feature)"),
        ("int32_t", "term_count", [], "The number of terms.", str(terms)),
    ]
    row_loop = [
        "for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {",
        f"  for (const double value : {scope}::Contributions(table.At(row))) *terms++ = value;",
        "}",
    ]
    batch = f"{scope}::{{}}Batch(table, static_cast<std::size_t>(rows), {{}});"
    return [
        *(_Function(kind, name, given, says, [f"return {value};"]) for kind, name, given, says, value in fixed),
        _scoring(scope, "score", "scores", "scores[row] becomes the raw score.", [batch.format("Score", "scores")]),
        _scoring(
            scope,
            "predict",
            "predictions",
            "predictions[row] becomes the inverse link of the raw score.",
            [batch.format("Predict", "predictions")],
        ),
        _scoring(
            scope,
            "terms",
            "terms",
            f"terms[row * {terms} + i] becomes the value of term i.",
            row_loop,
        ),
    ]


def _scoring(scope: str, name: str, result: str, says: str, work: Sequence[str]) -> _Function:
    check = f"curvec::CheckColumns(types, columns, column_count, rows, {result}, wrong_column)"
    return _Function(
        "int32_t",
        name,
        [*_PARAMETERS, f"double* {result}", "int32_t* wrong_column"],
        f"{says} Returns a curvec_status; *wrong_column becomes the column that it is about, or -1 (or pass null).",
        [
            f"const auto& types = {scope}::kFeatureTypes;",
            f"const int32_t status = {check};",
            "if (status != CURVEC_OK) return status;",
            f"const auto table = {scope}::FromC(columns);",
            *work,
            "return CURVEC_OK;",
        ],
    )


@cache
def _carried_headers() -> str:
    folder = files("curvec") / "include" / "curvec"
    own, column = ((folder / name).read_text(encoding="utf-8") for name in ("c_interface.h", "column.h"))
    return own.replace("#include <curvec/column.h>\n", column).strip()
