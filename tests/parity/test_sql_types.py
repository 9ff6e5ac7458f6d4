"""The tables of docs/howto/sql.md: which types of column each engine scores right, refuses, or scores in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_engines import by_engine, needed

from curvec import CurveModel, EnumCurve, Line, PWLCurve, emit
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_text import name, unescaped

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "sql.md").read_text(encoding="utf-8")
ENGINES = ["sqlite", "duckdb", "postgres", "mariadb", "clickhouse", "datafusion", "polars", "spark", "bigquery", "h2"]

MODELS = {
    "a number": CurveModel("m", [PWLCurve("x", [(0, 1), (10, 2)], missing=0.5)]),
    "integer categories": CurveModel("m", [EnumCurve("x", {1: 1.0, 0: 2.0}, default=3.0, missing=0.5)]),
    "text": CurveModel("m", [EnumCurve("x", {"a": 1.0, "1": 2.0}, default=3.0, missing=0.5)]),
    "true and false": CurveModel("m", [EnumCurve("x", {True: 1.0, False: 2.0}, missing=0.5)]),
}
DATE, TIME = "CAST('2020-01-05' AS DATE)", "CAST('2020-01-05 10:00:00' AS TIMESTAMP)"
VALUES = {
    "text that is no number, `'abc'`": "'abc'",
    "text, `'1'`": "'1'",
    "text, `'true'`": "'true'",
    "a date": DATE,
    "a timestamp": TIME,
    "a boolean": "TRUE",
    "an integer": "CAST(1 AS BIGINT)",
}
SPELLED = {
    ("sqlite", DATE): "'2020-01-05'",
    ("sqlite", TIME): "'2020-01-05 10:00:00'",
    ("mariadb", TIME): "CAST('2020-01-05 10:00:00' AS DATETIME)",
    ("mariadb", "CAST(1 AS BIGINT)"): "CAST(1 AS SIGNED)",
    ("clickhouse", TIME): "CAST('2020-01-05 10:00:00' AS DateTime)",
    ("bigquery", "CAST(1 AS BIGINT)"): "CAST(1 AS INT64)",
    ("bigquery", TIME): "TIMESTAMP '2020-01-05 10:00:00+00'",
}


def outcome(engine: str, feature: str, value: str) -> str:
    """ "error" or the score that a column of that type gets."""
    runner = needed(engine)
    spelled = SPELLED.get((engine, VALUES[value]), VALUES[value])
    column = unescaped(name(DIALECTS[runner.dialect], "x"))
    query = f"SELECT {emit(MODELS[feature], 'sql', runner.dialect)} FROM (SELECT {spelled} AS {column}) t"  # noqa: S608
    with runner.session() as session:
        assert len(list(session.query(f"SELECT {spelled} AS {column}"))) == 1
        try:
            list(session.query(query))
        except Exception:  # noqa: BLE001  every driver has errors of its own
            return "error"
    return "scored"


def table(first: str) -> list[dict[str, str]]:
    """The rows of the page's table whose first column is called so."""
    lines = PAGE[PAGE.index(f"| {first} |") :].partition("\n\n")[0].splitlines()
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split(" | ")] for line in lines)
    return [dict(zip([name.strip() for name in header], [cell.strip() for cell in row], strict=True)) for row in rows]


@by_engine("engine", ENGINES)
def test_the_table_of_columns_outside_the_contract_is_what_the_engine_does(engine: str) -> None:
    needed(engine)
    rows = table("feature")
    title = DIALECTS[needed(engine).dialect].title
    found = {(row["feature"], row["column"]): outcome(engine, row["feature"], row["column"]) for row in rows}
    assert found == {(row["feature"], row["column"]): row[title] for row in rows}
    assert {row["feature"] for row in rows} == set(MODELS)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_table_of_types_is_what_parity_tries(engine: str) -> None:
    (row,) = [row for row in table("engine") if row["engine"] == DIALECTS[needed(engine).dialect].title]
    types = needed(engine).column_types()
    assert row == {
        "engine": row["engine"],
        **{title: ", ".join(column.name for column in types[kind]) for kind, title in KINDS.items()},
    }


KINDS = {"number": "numbers", "int": "integer categories", "str": "text", "bool": "true and false"}


@pytest.mark.parametrize(
    ("level", "kind", "room"),
    [(3000, "Decimal(9, 6)", False), (2**53, "Decimal(15, 6)", False), (2**53 - 1, "Decimal(9, 6)", True)],
)
def test_clickhouse_gives_an_error_for_a_level_that_a_decimal_has_no_room_for(
    level: int, kind: str, room: bool
) -> None:
    """But for levels that are compared as doubles."""
    runner = needed("clickhouse")
    expression = emit(CurveModel("m", [EnumCurve("x", {level: 1.0}, default=3.0)]), "sql", runner.dialect)
    query = f"SELECT {expression} FROM (SELECT CAST('1' AS {kind}) AS x) t"  # noqa: S608
    with runner.session() as session:
        if room:
            assert list(session.query(query)) == [(3.0,)]
        else:
            with pytest.raises(Exception, match="due to overflow"):
                list(session.query(query))
    assert "3,000 for Decimal(9, 6)" in " ".join(PAGE.split())


DECIMALS = [
    "1234567890123.123456789012",
    "98765432109876.000000000001",
    "0.123456789012",
    "70000000000000.300000000001",
]
INEXACT = {"datafusion", "clickhouse"}
"""Engines whose cast of a long decimal number to a double is not always the nearest double."""


@pytest.mark.parametrize("engine", sorted({"duckdb", "postgres", "mariadb", "polars", "spark", "h2"} | INEXACT))
def test_a_decimal_of_many_digits_is_the_nearest_double_or_the_page_says_that_it_is_not(engine: str) -> None:
    runner = needed(engine)
    some = [*DECIMALS, *(f"{k * 7919}.{k * 104729 % 10**12:012d}" for k in range(10**9, 10**9 + 40))]
    model = CurveModel("m", [Line("x")])
    column = unescaped(name(DIALECTS[runner.dialect], "x"))
    expression = emit(model, "sql", runner.dialect)
    kind = "Decimal(38, 12)" if engine == "clickhouse" else "DECIMAL(38, 12)"
    rows = " UNION ALL ".join(f"SELECT CAST('{value}' AS {kind}) AS {column}" for value in some)
    with runner.session() as session:
        found = [score for (score,) in session.query(f"SELECT {expression} FROM ({rows}) t")]  # noqa: S608
    assert (sorted(found) == sorted(map(float, some))) == (engine not in INEXACT)
    assert "beyond 2^53 units" in PAGE
