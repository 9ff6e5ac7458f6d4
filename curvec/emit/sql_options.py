"""The options of :func:`curvec.emit.sql.emit_sql`, checked: what each form takes, and names as lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from curvec.checks import check, string_list
from curvec.emit.dialect import Dialect
from curvec.errors import InputError, UnsupportedError, counted, shown
from curvec.model import CurveModel

Form: TypeAlias = Literal[
    "expression", "select", "view", "dbt", "function", "check", "population", "dbt_macro", "dbt_schema", "levels"
]
FORMS: tuple[Form, ...] = get_args(Form)


def check_form(engine: Dialect, form: Form, *, view: object, replace: bool, baseline: object, levels: object) -> None:
    """Refuse options of other forms, and a form that the engine does not have."""
    if form not in ("view", "function") and (replace or (view is not None and not form.startswith("dbt_"))):
        wrong = "replace=True" if replace else f"view={shown(view)}"
        raise InputError(f"form={shown(form)} makes no view; leave {wrong} out, or use form='view'")
    if levels is not None and form not in ("select", "view", "dbt"):
        raise InputError(f"form={shown(form)} joins no levels; leave levels={shown(levels)} out")
    if baseline is not None and form != "population":
        raise InputError(f"form={shown(form)} takes no baseline; use form='population'")
    if form in ("view", "dbt", "dbt_schema") and not engine.views:
        raise UnsupportedError(f"{engine.title} has no views, which form={form!r} makes; use form='select'")


def column_of_each(features: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """The column of each feature."""
    check("columns", columns, "must be a mapping of features to columns", holds=isinstance(columns, Mapping))
    for feature, column in columns.items():
        if feature not in features:
            raise InputError(
                f"columns names the feature {shown(feature)}, which the model does not have; "
                f"it has {', '.join(features)}"
            )
        if not isinstance(column, str):
            raise InputError(f"columns[{shown(feature)}]={shown(column)} is no name of a column; names are strings")
    return {feature: columns.get(feature, feature) for feature in features}


def double_columns(model: CurveModel, types: Mapping[str, str]) -> frozenset[str]:
    """The features whose columns are doubles."""
    check("types", types, "must be a mapping of features to 'double'", holds=isinstance(types, Mapping))
    numbers = [feature.name for feature in model.features if feature.type == "number"]
    for feature, kind in types.items():
        if feature not in numbers:
            raise InputError(
                f"types names the feature {shown(feature)}; the model's numbers are {', '.join(numbers) or 'none'}"
            )
        if kind != "double":
            raise InputError(f"types[{shown(feature)}]={shown(kind)}; 'double' is the one type that needs no cast")
    return frozenset(types)


def check_reasons(model: CurveModel, reasons: object) -> None:
    """Refuse a number of reasons that is no integer, or of more terms than there are."""
    if type(reasons) is not int:
        raise InputError(f"reasons={shown(reasons)} is no whole number; 3 asks for the three largest terms")
    if abs(reasons) > len(model.terms):
        raise InputError(
            f"reasons={shown(reasons)} asks for more than the model's {counted(len(model.terms), 'term')}; "
            "ask for fewer"
        )


def table_names(table: str | Sequence[str] | None, form: Form, what: str = "table") -> Sequence[str]:
    """The names of a table that a form reads, its schema's first; ``what`` is the option, for messages."""
    if table is None:
        raise InputError(f"form={shown(form)} needs table=, the table that holds the features")
    parts = dotted_names(table, what)
    if form.startswith("dbt") and len(parts) > 2:
        raise InputError(
            f"table={shown(table)} has {len(parts)} names; a dbt model refers to model, or to source.table"
        )
    if parts[-1].lower().startswith("curvec_"):
        raise InputError(f"{what}={shown(table)} begins with curvec_, as the query's own subqueries do; rename it")
    return parts


def dotted_names(given: str | Sequence[str], what: str) -> list[str]:
    """The names of a table or a view, its schema's first."""
    parts = given.split(".") if isinstance(given, str) else string_list(given, what)
    if not parts or not all(parts):
        raise InputError(f"{what}={shown(given)} has an empty name; write {what} or schema.{what}")
    return parts


def refuse_columns(form: Form, **given: object) -> None:
    """Refuse options that ask for columns, for a form that returns none or its own."""
    if wrong := [option for option, value in given.items() if value]:
        what = "columns of its own" if form in ("check", "population", "levels") else "one column of numbers"
        raise InputError(f"form={form!r} is {what} and takes no {', '.join(wrong)}; use form='select'")
