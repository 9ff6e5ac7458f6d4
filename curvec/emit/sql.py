"""The SQL target: a model as an expression, a query, a view or a dbt model, in an engine's dialect."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from curvec.checks import string_list
from curvec.emit import dialects
from curvec.emit import sql_dbt as dbt
from curvec.emit.dialect import Dialect
from curvec.emit.environment import render
from curvec.emit.names import named_after, version_of
from curvec.emit.sql_check import checks
from curvec.emit.sql_curves import InputColumns, Writer, sum_in_groups
from curvec.emit.sql_layers import Layer, Outputs, layers, taken_names, unused_name
from curvec.emit.sql_levels import levels_csv, long_tables
from curvec.emit.sql_limits import check_length, check_nesting, setting_first
from curvec.emit.sql_options import (
    FORMS,
    Form,
    check_form,
    check_reasons,
    column_of_each,
    dotted_names,
    double_columns,
    refuse_columns,
    table_names,
)
from curvec.emit.sql_population import population
from curvec.emit.sql_reasons import reason_names
from curvec.emit.sql_text import (
    Part,
    check_column_names,
    check_names,
    comment,
    fold_case,
    label,
    lay_out,
    name,
    unescaped,
)
from curvec.errors import InputError, UnsupportedError, counted, shown
from curvec.fields import changed
from curvec.ir import FeatureType, Line, Sum, walk
from curvec.links import link as link_of
from curvec.model import CurveModel

_COMMENT = re.compile(r"^ *--.*\n| --.*$", re.MULTILINE)
"""A comment, on a line of its own or at the end of one."""

_MAX_REPEATED = 10_000
"""The most characters that an expression repeats for a nested curve."""


def emit_sql(
    model: CurveModel,
    *,
    dialect: str | None = None,
    form: Form = "expression",
    per_term: bool = False,
    link: bool = False,
    key: Sequence[str] = (),
    table: str | Sequence[str] | None = None,
    view: str | Sequence[str] | None = None,
    replace: bool = False,
    comments: bool = True,
    columns: Mapping[str, str] | None = None,
    reasons: int = 0,
    version: bool = False,
    baseline: str | Sequence[str] | None = None,
    levels: str | Sequence[str] | None = None,
    types: Mapping[str, Literal["double"]] | None = None,
    quote: bool = False,
) -> str:
    """The model as SQL, without a semicolon at its end, so that every driver accepts it.

    Args:
        model: what to emit.
        dialect: the engine's dialect; ``curvec.emit.dialects.DIALECTS`` has their names.
        form: what is made; "expression": the raw score, to be put into a query that has the features as columns;
            "select": a query that scores all of ``table``; "view": that query as a view, through which conditions reach
            the table's indexes; "dbt": the view's query as a dbt model, its table a ``ref`` (or, with a schema, a
            ``source``);
            "function": the expression as a function of the features, where the engine has such;
            "check": a query that counts, for each feature, the rows of ``table`` that are outside of what the model was
            made for: see ``curvec.emit.sql_check.CHECKED``;
            "population": a query that counts the rows of ``table`` in each segment of the curves of each feature, and
            with ``baseline`` how much that has changed (PSI): see ``curvec.emit.sql_population``;
            "dbt_macro": the expression as a dbt macro, the column of each feature an argument; "dbt_schema": the
            properties, with tests, of the dbt model of the same options and of its table, as YAML;
            "levels": a CSV file for the table that ``levels`` names.
        per_term: return the terms too, one column each: reason codes.
        link: return the prediction too, the inverse link of the score.
        key: columns of the table that are passed through.
        table: the table to score; dots separate its schema, a sequence of names is taken as it is.
        view: what the view, the function, or dbt's macro or model is called, as ``table``; None for the model's name.
        replace: replace the view or the function if it exists already.
        comments: describe each curve in a comment above it. Without comments the text may be put on one line, and a
            percent sign in a name or a note does not reach a driver that looks for parameters.
        columns: feature -> the table's column, for features whose column has another name.
        reasons: return this many of the terms that raise the row's score most, by name and value, the largest first;
            below zero, of those that lower it most. Terms without a value do not count.
        version: return the model's name and its version too, the twelve digits that the C interface gives.
        levels: the table that holds the levels of categoricals of 200 or more, for a query that does not bring them
            along; it is what form="levels" gives.
        types: features whose columns are known to be doubles, ``{"age": "double"}``: they are read without a cast, with
            the same score. A column of another type (a decimal, text) may then give another score, or an error.
        quote: put every name in quotes, exactly as it is given, not only where it needs them; for Snowflake and Oracle,
            where ``age`` is otherwise the column that was created without quotes, AGE.
        baseline: for "population": the table that the rows are compared with, such as those the model was made from.

    Raises:
        InputError: an option that does not exist, or does not go with the form.
        UnsupportedError: the engine cannot hold the model in this form; the message says what and why.

    """
    engine = changed(dialects.dialect(dialect), quotes_all=quote)
    if not isinstance(form, str) or form not in FORMS:
        raise InputError(f"form={shown(form)} is not a form; use one of {', '.join(FORMS)}")
    features = [feature.name for feature in model.features]
    check_names(engine, features, "features")
    inputs = InputColumns(
        column_of_each(features, {} if columns is None else columns),
        double_columns(model, {} if types is None else types),
    )
    check_names(engine, inputs.columns.values(), "columns")
    check_column_names(engine, inputs.columns.values(), qualified=form not in ("expression", "function"))
    keys = string_list(key, "key")
    check_reasons(model, reasons)
    given = {"per_term": per_term, "link": link, "key": keys, "reasons": reasons, "version": version}
    check_form(engine, form, view=view, replace=replace, baseline=baseline, levels=levels)
    names = [model.name] if view is None else dotted_names(view, "view")
    if form in ("expression", "function", "dbt_macro", "levels"):
        refuse_columns(form, **given, table=table is not None)
        return _without_table(model, engine, form, inputs, names, replace=replace, comments=comments)
    parts = table_names(table, form)
    if form in ("check", "population"):
        refuse_columns(form, **given)
        tables = [parts] if baseline is None else [parts, table_names(baseline, form, "baseline")]
        count = _check if form == "check" else _population
        return _finish(engine, count(model, engine, inputs, tables), form, comments=comments)
    outputs = _outputs(model, engine, keys, per_term=per_term, link=link, reasons=reasons, version=version)
    if levels is not None:
        outputs = _with_levels(model, engine, outputs, form, levels)
    if form == "dbt_schema":
        return _dbt_schema(model, engine, outputs, inputs, parts, names)
    if form == "view" and [fold_case(engine, part) for part in parts] == [fold_case(engine, part) for part in names]:
        why = "called after the model" if view is None else "to be called"
        raise InputError(f"the view is {why}, {'.'.join(names)!r}, and so is its table; pass another name as view=")
    create = engine.replace_view if replace else "CREATE VIEW"
    if not create:
        raise UnsupportedError(f"{engine.title} replaces no view; drop it first, and leave replace out")
    opening = f"{create} {_dotted(engine, names)} AS\n" if form == "view" else ""
    text = _finish(engine, _query(model, engine, form, outputs, inputs, parts, opening), form, comments=comments)
    return _dbt_model(text, parts, levels) if form == "dbt" else text


def _without_table(
    model: CurveModel,
    engine: Dialect,
    form: Form,
    inputs: InputColumns,
    names: Sequence[str],
    *,
    replace: bool,
    comments: bool,
) -> str:
    """A form that is not a query over a table."""
    if form == "levels":
        return levels_csv(engine, model)
    if form == "dbt_macro":
        return _dbt_macro(model, engine, inputs, names, comments=comments)
    expression = form == "expression"
    text = (
        _expression(model, engine, inputs) if expression else _function(model, engine, inputs, names, replace=replace)
    )
    return _finish(engine, text, form, comments=comments)


def columns(
    model: CurveModel,
    *,
    dialect: str,
    per_term: bool = False,
    link: bool = False,
    key: Sequence[str] = (),
    reasons: int = 0,
    version: bool = False,
) -> list[str]:
    """The names of the columns that "select", "view" and "dbt" return, in order.

    The key columns under their own names; with ``per_term`` one column a term, ``term_`` and its features in letters
    that every engine takes (``term_age``, and ``term_age_2`` for a second one); ``score``; with ``link``
    ``prediction``; with ``reasons`` ``reason_1``, ``reason_1_value`` and so on; with ``version`` ``model_name`` and
    ``model_version``.

    Raises:
        InputError: two of them would have one name.

    """
    keys = string_list(key, "key")
    outputs = _outputs(
        model, dialects.dialect(dialect), keys, per_term=per_term, link=link, reasons=reasons, version=version
    )
    return [
        *outputs.key,
        *(outputs.terms if per_term else ()),
        *_score_columns(link=link, reasons=reasons, version=version),
    ]


def _score_columns(*, link: bool, reasons: int, version: bool) -> list[str]:
    """The columns behind the terms."""
    names = ["score", *(["prediction"] if link else []), *reason_names(reasons)]
    return [*names, *(_VERSION if version else [])]


_VERSION = ("model_name", "model_version")


def _writer(
    engine: Dialect, doubles: Collection[str], column: Callable[[str], str], nested: Callable[[Sum], str]
) -> Writer:
    """A writer of nodes over the columns of a table, some of which are known to be doubles."""

    def number(feature: str) -> str:
        return column(feature) if feature in doubles else engine.double.format(column(feature))

    def raw_column(feature: str) -> str | None:
        return column(feature) if engine.raw_column and feature not in doubles else None

    def key(feature: str, kind: FeatureType) -> str:
        form = {"str": engine.text_key, "bool": engine.boolean}.get(kind, "{}")
        return form.format(column(feature))

    return Writer(engine, number, raw_column, key, nested, lambda _: None)


def _column_of(engine: Dialect, inputs: InputColumns) -> Callable[[str], str]:
    """The column of a feature in a query over one table."""
    return lambda feature: ("t." if engine.qualified else "") + name(engine, inputs[feature])


def _check(model: CurveModel, engine: Dialect, inputs: InputColumns, tables: Sequence[Sequence[str]]) -> str:
    column = _column_of(engine, inputs)
    head = f"{comment(model.name)}: rows outside of what the model was made for, in {engine.title}"
    features = checks(model, _writer(engine, inputs.doubles, column, lambda _: ""), column)
    return render("sql/check.sql.jinja", head=head, features=features, source=_aliased(engine, tables[0]))


def _population(model: CurveModel, engine: Dialect, inputs: InputColumns, tables: Sequence[Sequence[str]]) -> str:
    head = f"{comment(model.name)}: rows in each segment of its curves, in {engine.title}"
    writer = _writer(engine, inputs.doubles, _column_of(engine, inputs), lambda _: "")
    return population(model, writer, head, [_aliased(engine, table) for table in tables])


def _expression(model: CurveModel, engine: Dialect, inputs: InputColumns) -> str:
    head, text = _expression_parts(model, engine, inputs.doubles, lambda feature: name(engine, inputs[feature]))
    return render("sql/expression.sql.jinja", head=head, text=text)


def _expression_parts(
    model: CurveModel, engine: Dialect, doubles: Collection[str], column: Callable[[str], str]
) -> tuple[list[str], str]:
    """What stands above the expression, and the expression."""

    def nested(node: Sum) -> str:
        text = sum_in_groups(engine, [Part(writer.term(child)) for child in node.terms])
        if len(text) > _MAX_REPEATED:
            raise UnsupportedError(
                f"form='expression' would repeat the input of a curve nested in a curve, {len(text)} characters, in "
                "every arm; use form='select', which names it once"
            )
        return text

    writer = _writer(engine, doubles, column, nested)
    text = sum_in_groups(engine, [writer.part(term) for term in model.terms], model.intercept)
    head = [
        f"{comment(model.name)}: the raw score in {engine.title}, {counted(len(model.terms), 'term')}",
        *_remarks(model, engine),
    ]
    return head, text


def _function(model: CurveModel, engine: Dialect, inputs: InputColumns, names: Sequence[str], *, replace: bool) -> str:
    if not engine.function:
        able = ", ".join(known for known, other in dialects.DIALECTS.items() if other.function)
        raise UnsupportedError(
            f"{engine.title} has no function that is an expression (the dialects that do: {able}); use form='view'"
        )
    head, body = _expression_parts(model, engine, inputs.doubles, lambda feature: name(engine, inputs[feature]))
    types = dict(zip(("number", "str", "bool"), engine.parameter_types, strict=True))
    parameters = [
        engine.parameter.format(name=name(engine, inputs[feature.name]), type=types.get(feature.type, types["number"]))
        for feature in model.features
    ]
    if "$$" in engine.function and "$$" in unescaped(body):
        raise UnsupportedError(f"a name or a level holds $$, which ends a function's body in {engine.title}; rename it")
    create = "CREATE OR REPLACE" if replace else "CREATE"
    text = engine.function.format(
        create=create, name=_dotted(engine, names), parameters=", ".join(parameters), body=f"{body}\n"
    )
    return render("sql/expression.sql.jinja", head=head, text=text.removesuffix("\n"))


def _query(
    model: CurveModel,
    engine: Dialect,
    form: Form,
    outputs: Outputs,
    inputs: InputColumns,
    table: Sequence[str],
    opening: str,
) -> str:
    source = _DBT_SOURCE if form == "dbt" else _dotted(engine, table)
    *inner, final = layers(model, engine, source, outputs, inputs, view=form in ("view", "dbt"))
    head = [f"{comment(model.name)}: {counted(len(model.terms), 'term')} in {engine.title}", *_remarks(model, engine)]
    texts = [(layer, _layer(layer)) for layer in inner]
    return render("sql/select.sql.jinja", head=head, opening=opening, layers=texts, final=_layer(final))


def _layer(layer: Layer) -> str:
    return lay_out("sql/layer.sql.jinja", layer=layer)


_DBT_SOURCE = "__curvec_source__"
"""The place of the reference, until the rest of the text has been escaped for dbt's own templates."""


_DBT_LEVELS = "__curvec_levels__"


def _with_levels(
    model: CurveModel, engine: Dialect, outputs: Outputs, form: Form, levels: str | Sequence[str]
) -> Outputs:
    """The outputs over a table of levels."""
    long_tables(model)
    table = table_names(levels, form, "levels")
    return changed(outputs, levels=_DBT_LEVELS if form == "dbt" else _dotted(engine, table))


def _dbt_model(text: str, table: Sequence[str], levels: str | Sequence[str] | None) -> str:
    """The query as a dbt model: text that looks like a template is escaped, and its table is a reference."""
    text = dbt.escaped_for_dbt(text).replace(f"FROM {_DBT_SOURCE}", f"FROM {dbt.reference(table)}")
    if levels is None:
        return text
    return text.replace(f"LEFT JOIN {_DBT_LEVELS}", f"LEFT JOIN {dbt.reference(table_names(levels, 'dbt', 'levels'))}")


def _dbt_macro(
    model: CurveModel, engine: Dialect, inputs: InputColumns, names: Sequence[str], *, comments: bool
) -> str:
    arguments = dbt.arguments(list(inputs.columns))
    head, text = _expression_parts(model, engine, inputs.doubles, lambda feature: dbt.placeholder(arguments[feature]))
    laid_out = render("sql/expression.sql.jinja", head=head, text=text)
    body = dbt.with_arguments(_finish(engine, laid_out, "dbt_macro", comments=comments))
    columns = {argument: unescaped(name(engine, inputs[feature])) for feature, argument in arguments.items()}
    return dbt.macro(names[-1], columns, body.removesuffix("\n"))


def _dbt_schema(
    model: CurveModel,
    engine: Dialect,
    outputs: Outputs,
    inputs: InputColumns,
    table: Sequence[str],
    names: Sequence[str],
) -> str:
    more = [*_score_columns(link=outputs.link, reasons=outputs.reasons, version=bool(outputs.constants))]
    columns = [*outputs.key, *(outputs.terms if outputs.per_term else ()), *more]
    own = inputs.columns
    return dbt.schema(
        model, engine, wanted_name=names[-1], columns=columns, terms=outputs.terms, table=table, column_of=own
    )


def _remarks(model: CurveModel, engine: Dialect) -> list[str]:
    """The lines under a text's first one: the model's note, what looks odd in the text, what its user should know."""
    note = [f"note: {comment(model.note)}"] if model.note else []
    formula = link_of(model.link).formula
    prediction = [f"the prediction is {formula}, of the raw score"] if formula else []
    odd = ["0.5e0 is a double, 0.5 a decimal"] if engine.needs_exponent and not engine.suffix else []
    if engine.nan_is_above and any(node.breaks or isinstance(node, Line) for node in walk(*model.terms)):
        odd.append("NaN is above all numbers, so x >= 2 is written -x <= -2, which is false for NaN")
    return [*note, *prediction, *filter(None, [". ".join(odd)]), *engine.notes]


def _outputs(
    model: CurveModel,
    engine: Dialect,
    key: Sequence[str],
    *,
    per_term: bool,
    link: bool,
    reasons: int,
    version: bool,
) -> Outputs:
    check_reasons(model, reasons)
    taken = {fold_case(engine, text): text for text in _score_columns(link=link, reasons=reasons, version=version)}
    for column in key:
        if fold_case(engine, column) in taken:
            raise InputError(
                f"the key column {column!r} and an output {taken[fold_case(engine, column)]!r} share a name; rename it"
            )
        taken[fold_case(engine, column)] = column
    used = taken_names(engine, [*taken, "prediction"])
    terms = [unused_name(engine, named_after("term", term), used) for term in model.terms]
    texts = zip(_VERSION, (model.name, version_of(model)), strict=True) if version else ()
    constants = [(name(engine, alias), label(engine, text)) for alias, text in texts]
    return Outputs(key, terms, per_term, link, reasons, constants)


def _dotted(engine: Dialect, parts: Sequence[str]) -> str:
    return ".".join(name(engine, part) for part in parts)


def _aliased(engine: Dialect, parts: Sequence[str]) -> str:
    return f"{_dotted(engine, parts)}{engine.table_alias}{'t' if engine.qualified else 'curvec_row'}"


def _finish(engine: Dialect, laid_out: str, form: Form, *, comments: bool) -> str:
    """The finished text, with a remark above it if a setting has to allow its length.

    Raises:
        UnsupportedError: it is longer, or nested deeper, than the engine takes.

    """
    check_nesting(engine, laid_out, form)
    text = unescaped(laid_out if comments else _COMMENT.sub("", laid_out))
    check_length(engine, text, form)
    remark = setting_first(engine, text)
    return f"-- {remark}\n{text}" if remark and comments else text
