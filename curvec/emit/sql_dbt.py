"""dbt's other files: a macro of the raw score, and the properties of a model and of its table.

https://docs.getdbt.com/reference/model-properties https://docs.getdbt.com/reference/resource-properties/data-tests
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from curvec.emit.dialect import Dialect
from curvec.emit.environment import render
from curvec.emit.names import identifiers, version_of
from curvec.emit.sql_curves import describe
from curvec.emit.sql_text import spelling, string, unescaped
from curvec.errors import counted
from curvec.ir import Curve, Feature, PWLCurve, Term, uses_of_each
from curvec.model import CurveModel
from curvec.spelling import with_point

_RESERVED = frozenset(
    {"and", "as", "else", "endmacro", "false", "for", "if", "import", "in", "is", "loop", "macro", "none", "not", "or"}
    | {"true", "with", "context", "model", "this", "ref", "source", "var", "config", "adapter", "target", "caller"}
    | {"varargs", "kwargs", "self", "super", "range", "dict", "namespace", "env_var", "log", "return", "run_query"}
)
"""Names that have a meaning in Jinja or in dbt."""


def arguments(features: Sequence[str]) -> dict[str, str]:
    """The macro's argument for each feature."""
    return identifiers(features, _RESERVED)


def macro(wanted_name: str, columns: Mapping[str, str], body: str) -> str:
    """A macro of an expression.

    Args:
        wanted_name: its name, which is changed if Jinja does not accept it.
        columns: for each argument its default: the column, in quotes.
        body: the expression, with the arguments in their places.

    """
    given = [f"{argument}={column!r}" for argument, column in columns.items()]
    name = identifiers([wanted_name], _RESERVED)[wanted_name]
    return render("sql/dbt_macro.sql.jinja", name=name, arguments=given, body=body)


def escaped_for_dbt(text: str) -> str:
    """The text, escaped so that dbt finds no template in it, and no line end but its own: it makes each a line feed."""
    return re.sub(r"\{[{%#]|\r", lambda found: f"{{{{ {found[0]!r} }}}}", text)


def placeholder(argument: str) -> str:
    """A placeholder for an argument until the text is escaped: in lone surrogates, which no name or level can hold."""
    return f"\udcff{argument}\udcfe"


def with_arguments(text: str) -> str:
    """The text, escaped, with its arguments in the place of their placeholders."""
    return escaped_for_dbt(text).replace("\udcff", "{{ ").replace("\udcfe", " }}")


def reference(table: Sequence[str]) -> str:
    """A table as dbt refers to it: a model, a seed or a snapshot, or with a schema a source."""
    names = ", ".join(map(repr, table))
    return f"{{{{ {'ref' if len(table) == 1 else 'source'}({names}) }}}}"


class Property(msgspec.Struct, frozen=True):
    """A column, whether in quotes, its description and its tests, each as YAML."""

    name: str
    in_quotes: bool
    description: str
    tests: Sequence[str]


def schema(
    model: CurveModel,
    dialect: Dialect,
    *,
    wanted_name: str,
    columns: Sequence[str],
    terms: Sequence[str],
    table: Sequence[str],
    column_of: Mapping[str, str],
) -> str:
    """The properties of the dbt model, and of the table it reads, as YAML.

    Args:
        model: the model.
        dialect: the engine's dialect.
        wanted_name: the dbt model's name.
        columns: the columns that its query returns.
        terms: the names of the terms' columns.
        table: the table that it reads: a model's name, or a source's and its table's.
        column_of: the table's column of each feature.

    """
    known = dict(zip(terms, model.terms, strict=True))
    note = f" {model.note}" if model.note else ""
    about = f"{counted(len(model.terms), 'term')} over {counted(len(model.features), 'feature')}.{note}"
    return render(
        "sql/dbt_schema.yml.jinja",
        name=_yaml(wanted_name),
        description=_yaml(f"Curve model {model.name}: {about}"),
        version=_yaml(version_of(model)),
        outputs=[_output(dialect, model, column, known, table) for column in columns],
        table=[_yaml(part) for part in table],
        inputs=[
            _input(dialect, feature, uses.nodes, column_of[feature.name])
            for feature, uses in uses_of_each(model.features, *model.terms)
        ],
    )


def _output(
    dialect: Dialect, model: CurveModel, column: str, known: Mapping[str, Term], table: Sequence[str]
) -> Property:
    """A column of the query."""
    always = column in ("score", "prediction") and all(map(_has_always_a_value, model.terms))
    tests: list[str] = []
    if column in known:
        text = unescaped(describe(known[column]))
        tests = ["not_null"] * _has_always_a_value(known[column]) + _range_of(known[column])
    elif column == "score":
        text, tests = "The raw score: the sum of the terms and the intercept.", ["not_null"] * always
    elif column == "prediction":
        text = f"The prediction: the inverse {model.link} of the score."
        tests = ["not_null"] * always + [_range(0, 1)] * (model.link == "logit")
    elif column in ("model_name", "model_version"):
        value = model.name if column == "model_name" else version_of(model)
        text, tests = f"Which model it was: its {column.partition('_')[2]}.", ["not_null", _accepted(dialect, [value])]
    elif column.startswith("reason_") and column.endswith("_value"):
        text = f"The value of the term in {column.removesuffix('_value')}."
    elif column.startswith("reason_"):
        text, tests = "A term, by its place among the largest.", [_accepted(dialect, model.term_names)]
    else:
        text = f"The column {column} of {'.'.join(table)}."
    return _property(dialect, column, text, tests)


def _input(dialect: Dialect, feature: Feature, uses: Sequence[Term], column: str) -> Property:
    """A column of the table; values that the model was not made for are only a warning, as they do have a score."""
    points = [x for node in uses if isinstance(node, PWLCurve) for x in node.breaks]
    levels = [list(node.levels) for node in uses if node.levels]
    seen = [level for level in levels[0] if all(level in other for other in levels)] if levels else []
    tests = []
    if not all(_has_always_a_value(node) for node in uses):
        tests.append("not_null: {config: {severity: warn}}")
    if points:
        tests.append(_range(min(points), max(points), ", config: {severity: warn}"))
    if levels:
        tests.append(_accepted(dialect, seen, ", config: {severity: warn}"))
    of = "" if column == feature.name else f" of the feature {feature.name}"
    about = f"A {_KINDS[feature.type]}{of}, read by {counted(len(uses), 'curve')}."
    return _property(dialect, column, about, tests)


def _property(dialect: Dialect, column: str, about: str, tests: Sequence[str]) -> Property:
    spelled, in_quotes = spelling(dialect, column)
    return Property(_yaml(spelled), in_quotes, _yaml(about), tests)


_KINDS = {
    "number": "number",
    "int": "category, an integer",
    "str": "category, a text",
    "bool": "category, true or false",
}


def _has_always_a_value(node: Term) -> bool:
    """Whether a node has a value for missing and unseen inputs too."""
    if node.input is None:
        return all(map(_has_always_a_value, node.children))
    return node.missing is not None and (not node.levels or "default" in node.declared)


def _range_of(node: Term) -> list[str]:
    """A test of a curve's range, which its values span, including that for missing inputs."""
    if not isinstance(node, Curve):
        return []
    values = [*node.ordinates, *([] if node.missing is None else [node.missing])]
    return [_range(min(values), max(values))]


def _range(least: float, most: float, more: str = "") -> str:
    return f"dbt_utils.accepted_range: {{min_value: {_yaml(least)}, max_value: {_yaml(most)}{more}}}"


def _accepted(dialect: Dialect, values: Sequence[Any], more: str = "") -> str:
    """A test for accepted values; dbt quotes texts without escaping them, so they are written as SQL literals."""
    texts = bool(values) and isinstance(values[0], str)
    escaped = texts and any(mark in value for value in values for mark in "'\\")
    quote = "" if texts and not escaped else ", quote: false"
    values = [unescaped(string(dialect, value)) for value in values] if escaped else values
    return f"accepted_values: {{values: [{', '.join(map(_yaml, values))}]{quote}{more}}}"


def _yaml(value: Any) -> str:
    """A value as YAML: that of JSON is YAML too; nothing in it is a template of dbt's."""
    if isinstance(value, float) and math.isfinite(value):
        return re.sub(r"^(-?\d+)e", r"\1.0e", with_point(value))
    plain = json.dumps(escaped_for_dbt(value) if isinstance(value, str) else value, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)


_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON does not escape in a string, but that YAML refuses or reads as the end of a line."""
