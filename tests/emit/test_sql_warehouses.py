"""The dialects of engines that cannot run here: sqlglot reads them, and what it makes of them for DuckDB scores alike.

That holds the syntax, names and escapes of the dialect and the meaning of the text; not the engine's own arithmetic.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sql_engines as engines
import sqlglot
from golden_sql import MODEL
from nightly import by_diagonal

import curvec
from curvec import CurveModel, EnumCurve, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql import columns
from curvec.emit.sql_options import Form

exp = sqlglot.exp

WAREHOUSES = [
    "bigquery",
    "snowflake",
    "redshift",
    "trino",
    "athena",
    "tsql",
    "oracle",
    "databricks",
    "spark",
    "postgres",
]
OPTIONS = {"table": "cases", "key": ["id"], "per_term": True, "link": True}


class OracleWithDoubles(sqlglot.dialects.Oracle):
    """Oracle's literals of doubles, 1e-1d, which sqlglot's own Oracle does not read."""

    class Tokenizer(sqlglot.dialects.Oracle.Tokenizer):
        NUMERIC_LITERALS = {"D": "DOUBLE"}  # noqa: RUF012  as sqlglot declares it


READ_AS = {**engines.READ_AS, "oracle": OracleWithDoubles}


def levels(model: CurveModel) -> dict[str, list[Any]]:
    return {
        term.feature: [*list(term.levels)[:6], list(term.levels)[-1], None]
        for term in model.terms
        if isinstance(term, EnumCurve)
    }


def data(count: int = 300) -> dict[str, Any]:
    """Rows at and between the points, missing ones, unseen and near-miss levels."""
    random = np.random.default_rng(5)
    edges = [18.0, 21.0, 46.0, 1.0, 2.5, 10.0, -1000.0, 0.0, 1e-7, 7.0, 8.625, np.nan]
    found: dict[str, Any] = {
        feature.name: random.choice([*edges, *random.normal(0, 20, 20)], count)
        for feature in MODEL.features
        if feature.type == "number"
    }
    near = {"charge": ["f", "F ", ""], "kind": [3, -1], "post code": ["1000 ", "999"]}
    for name, pool in levels(MODEL).items():
        choices = [*pool, *near.get(name, [])]
        found[name] = np.empty(count, dtype=object)
        found[name][:] = [choices[index] for index in random.integers(0, len(choices), count)]
    return found


FUNCTIONS: dict[str, Any] = {
    "TO_BINARY_DOUBLE": lambda value: exp.cast(value, "DOUBLE"),
    "NLSSORT": lambda value: exp.Anonymous(this="ENCODE", expressions=[value]),
    "NCHAR": lambda value: exp.Anonymous(this="chr", expressions=[value]),
}
"""Functions of one engine, by what DuckDB has for them."""


def for_duckdb(node: Any) -> Any:
    """What means to DuckDB what the node means to the warehouse."""
    if isinstance(node, exp.Literal) and not node.is_string and "." in node.name and "e" not in node.name:
        return exp.Literal.number(f"{node.name}e0")  # a double to BigQuery, and to the others beside a double
    if isinstance(node, (exp.GT, exp.GTE)) and not isinstance(node.expression, exp.Column):
        number = exp.Not(this=exp.Anonymous(this="ISNAN", expressions=[node.this.copy()]))
        return exp.and_(node.copy(), number)  # NaN is above all numbers to DuckDB only
    return type_for_duckdb(node)


def type_for_duckdb(node: Any) -> Any:
    """What sqlglot leaves as the warehouse has it."""
    if isinstance(node, exp.Cast) and node.to.this in (exp.DataType.Type.VARBINARY, exp.DataType.Type.BINARY):
        return exp.Anonymous(this="ENCODE", expressions=[node.this])
    if isinstance(node, exp.Anonymous) and (made := FUNCTIONS.get(node.name.upper())) is not None:
        return made(node.expressions[0])
    if isinstance(node, exp.ByteString):
        return exp.Anonymous(this="ENCODE", expressions=[exp.Literal.string(node.this.encode("latin-1").decode())])
    if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.FLOAT:
        return exp.DataType.build("DOUBLE")  # as both SQL Server and Snowflake have it
    if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.NVARCHAR:
        return exp.DataType.build("TEXT")
    if isinstance(node, exp.Add) and isinstance(node.this, (exp.National, exp.DPipe)):
        return exp.DPipe(this=node.this, expression=node.expression)
    if isinstance(node, (exp.Collate, exp.ToChar)):
        return node.this
    if isinstance(node, exp.Select) and (source := node.args.get("from_")) and source.name == "DUAL":
        node.set("from_", None)
    return node


@pytest.mark.parametrize("dialect", WAREHOUSES)
def test_the_text_means_the_same_when_it_is_made_duckdbs(dialect: str) -> None:
    rows = data()
    tree = sqlglot.parse_one(
        curvec.emit(MODEL, "sql", dialect, form="select", **OPTIONS), read=READ_AS.get(dialect, dialect)
    )
    for node in reversed(list(tree.walk())):  # the innermost first
        if (made := for_duckdb(node)) is not node:
            node.replace(made)
    text = tree.sql("duckdb")
    types = {"number": "DOUBLE", "int": "BIGINT", "str": "VARCHAR", "bool": "BOOLEAN"}
    with engines.connected("duckdb") as connection:
        table = {feature.name: types[feature.type] for feature in MODEL.features}
        values = zip(range(300), *(rows[feature.name].tolist() for feature in MODEL.features), strict=True)
        engines.fill(connection, "duckdb", {"id": "INTEGER", **table}, list(values), "cases")
        found = engines.fetch(connection, text)
    names = columns(MODEL, dialect=dialect, per_term=True, link=True, key=["id"])
    found = dict(zip(names, found[np.argsort(found[:, 0])].T, strict=True))
    terms = [values for name, values in found.items() if name.startswith("term_")]
    engines.assert_same(np.column_stack(terms), MODEL.contributions(rows))
    engines.assert_same(found["score"], MODEL.eval(rows))
    engines.assert_same(found["prediction"], MODEL.predict(rows))


@by_diagonal(["form", "dialect"], ["expression", "select", "view"], list(DIALECTS))
def test_sqlglot_reads_every_form_of_every_dialect(dialect: str, form: Form) -> None:
    if form == "view" and not DIALECTS[dialect].views:
        with pytest.raises(UnsupportedError, match=f"{DIALECTS[dialect].title} has no views"):
            curvec.emit(MODEL, "sql", dialect, form=form, **OPTIONS)
        return
    options = OPTIONS if form != "expression" else {}
    read = READ_AS.get(dialect, dialect)
    model = MODEL if dialect != "mariadb" else CurveModel("m", MODEL.terms[:-1], link="logit")  # VALUES without ROW
    text = curvec.emit(model, "sql", dialect, form=form, **options)
    (tree,) = sqlglot.parse(text, read=read)
    assert isinstance(tree, {"expression": exp.Paren, "select": exp.Select, "view": exp.Create}[form])
    assert not list(tree.find_all(exp.Command))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_function_is_called_whose_meaning_differs_between_engines(dialect: str) -> None:
    model = MODEL if dialect != "mariadb" else CurveModel("m", MODEL.terms[:-1], link="logit")
    text = curvec.emit(model, "sql", dialect, form="select", **OPTIONS)
    functions = sqlglot.parse_one(text, read=READ_AS.get(dialect, dialect)).find_all(exp.Func)
    called = {
        node.name.lower() if isinstance(node, exp.Anonymous) else type(node).__name__.lower() for node in functions
    }
    assert {"ln", "exp", "case"} <= called
    assert called.isdisjoint({"log", "log1p", "log10", "sign", "sgn", "greatest", "least", "abs", "pow"})
    record = DIALECTS[dialect]
    assert ("coalesce" in called) == ("COALESCE" in record.null_as_nan + record.text_key)
