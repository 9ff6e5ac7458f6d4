# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""form="check": the rows outside of what a model was made for, counted by every engine as they are counted here."""

from __future__ import annotations

import math
from typing import Any

import pytest
from real_engines import by_engine, needed
from sql_engines import READ_AS

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, UnsupportedError
from curvec.emit.dialects import DIALECTS

MODEL = CurveModel(
    "risk",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=0.0),
        Product([Sum([PWLCurve("age", [(10, 0), (30, 1)])]), EnumCurve("sex", {"f": 1, "m": 2, "x": 3}, default=3)]),
        EnumCurve("sex", {"f": 1, "m": 2, "O'Brien": 2}),
        EnumCurve("kind", {1: 1.0, 2: 2.0, -3: 0.5}, default=0.0),
        EnumCurve("kept", {True: 1.0}),
        StepCurve("income", [10.0], [0, 1]),
        Line("income"),
    ],
)
DATA: dict[str, list[Any]] = {
    "age": [9.999, 10.0, 46.0, 46.001, None, math.nan, 1e300, -1e300, 20.0, 30.0],
    "sex": ["f", "m", "x", "F", None, "", "f ", "O'Brien", "m", "m"],
    "kind": [1, 2, -3, 3, None, 0, 1, 1, 1, 2**53 + 1],
    "kept": [True, False, None, True, True, True, False, False, False, True],
    "income": [1.0, None, math.nan, 1e9, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0],
}
COUNTS = {
    "age": (10, 2, 2, 2, 0),
    "sex": (10, 1, 0, 0, 5),  # x and O'Brien are each unknown to one of the two terms
    "kind": (10, 1, 0, 0, 3),
    "kept": (10, 1, 0, 0, 4),
    "income": (10, 2, 0, 0, 0),
}
"""Rows, missing, below, above, unseen; of the right type all."""


@by_engine("engine")
def test_what_is_outside_is_counted(engine: str) -> None:
    runner = needed(engine)
    with runner.session() as session:
        loaded = []
        for feature in MODEL.features:
            values = [
                None if isinstance(x, float) and math.isnan(x) and not runner.limits.nan else x
                for x in DATA[feature.name]
            ]
            loaded.append(runner.column(feature.name, feature.type, values))
        session.load("people", loaded)
        found = list(session.query(curvec.emit(MODEL, "sql", runner.dialect, form="check", table="people")))
    counts = {str(row[0]): tuple(row[1:6]) for row in found}
    assert counts == COUNTS
    assert [row[0] for row in found] == list(COUNTS) or engine not in ("sqlite", "duckdb", "postgres")
    assert {row[6] for row in found} <= {0, None}


def checked(session: Any, dialect: str, model: CurveModel) -> list[Any]:
    return [row[6] for row in session.query(curvec.emit(model, "sql", dialect, form="check", table="people"))]


NUMBER = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])])
TEXT = CurveModel("m", [EnumCurve("x", {"a": 1.0}, default=0.0)])


def test_sqlite_says_which_values_are_of_another_type() -> None:
    with needed("sqlite").session() as session:
        connection: Any = session.connection
        connection.execute("CREATE TABLE people (x)")
        connection.executemany(
            "INSERT INTO people VALUES (?)", [(1,), (1.5,), (None,), ("2020-01-05",), ("abc",), (b"a",)]
        )
        assert checked(session, "sqlite", NUMBER) == [3]
        assert checked(session, "sqlite", TEXT) == [3]


@pytest.mark.parametrize("feature", ["age", "sex", "kind", "kept"])
@pytest.mark.parametrize("value", ["'f'::BLOB", "'101'::BIT"], ids=["bytes", "bits"])
def test_duckdb_says_that_bytes_and_bits_are_of_another_type(feature: str, value: str) -> None:
    """It casts bytes to text, and bits to numbers."""
    duckdb = pytest.importorskip("duckdb")
    database = duckdb.connect()
    model = CurveModel("one", [next(term for term in MODEL.terms if term.input == feature)])
    query = curvec.emit(model, "sql", dialect="duckdb", form="check", table="people", comments=False)
    wrong = query[query.rindex("COUNT(") : query.rindex(" AS wrong_type")]
    assert database.execute(f"SELECT {wrong} FROM (SELECT {value} AS {feature}) AS t").fetchone() == (1,)


def test_mariadb_says_which_values_are_no_numbers() -> None:
    with needed("mariadb").session() as session:
        cursor: Any = session.connection
        cursor.execute("CREATE TABLE people (x VARCHAR(20))")
        values = ["1", "-1.5e3", ".5", "abc", "12 years", "", None, "2020-01-05"]
        cursor.executemany("INSERT INTO people VALUES (%s)", [[value] for value in values])
        assert checked(session, "mariadb", NUMBER) == [4]
        for kind, literal in (
            ("DATE", "'2020-01-05'"),
            ("DOUBLE", "-1e-30"),
            ("DECIMAL(20,3)", "12.5"),
            ("BOOLEAN", "1"),
        ):
            cursor.execute(f"CREATE OR REPLACE TABLE people (x {kind})")
            cursor.execute(f"INSERT INTO people VALUES ({literal}), (NULL)")
            assert checked(session, "mariadb", NUMBER) == [int(kind == "DATE")], kind


def test_postgres_clickhouse_and_spark_say_that_a_column_is_of_another_type() -> None:
    with needed("postgres").session() as session:
        connection: Any = session.connection
        for kind, number, text in (("varchar(9)", 1, 0), ("char(9)", 1, 0), ("real", 0, 1), ("bigint", 0, 1)):
            connection.execute("DROP TABLE IF EXISTS people")
            connection.execute(f"CREATE TABLE people (x {kind})")
            connection.execute("INSERT INTO people VALUES ('1')")
            assert checked(session, "postgres", NUMBER) == [number], kind
            assert checked(session, "postgres", TEXT) == [text], kind
    with needed("clickhouse").session() as session:
        for kind, value, number in (("Date", "'2020-01-05'", 1), ("Nullable(Int8)", "1", 0), ("Decimal(9, 2)", "1", 0)):
            session.connection.query("DROP TABLE IF EXISTS people")
            session.connection.query(f"CREATE TABLE people (x {kind}) ENGINE = Memory")
            session.connection.query(f"INSERT INTO people VALUES ({value})")
            assert checked(session, "clickhouse", NUMBER) == [number], kind


def test_a_check_takes_a_table_and_names_and_nothing_else() -> None:
    with pytest.raises(InputError, match="form='check' is columns of its own and takes no link; use form='select'"):
        curvec.emit(MODEL, "sql", "sqlite", form="check", table="people", link=True)
    with pytest.raises(InputError, match="form='check' needs table="):
        curvec.emit(MODEL, "sql", "sqlite", form="check")
    many = CurveModel("m", [PWLCurve(f"x{k}", [(0, 0), (1, 1)]) for k in range(501)])
    with pytest.raises(UnsupportedError, match="a part for each of 501 features, and a union in SQLite takes 500"):
        curvec.emit(many, "sql", "sqlite", form="check", table="people")
    assert "`AGE` AS REAL" in curvec.emit(MODEL, "sql", "sqlite", form="check", table="p", columns={"age": "AGE"})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_a_check_that_sqlglot_reads(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot", reason="pip install sqlglot")
    text = curvec.emit(NUMBER, "sql", dialect, form="check", table="people")
    if dialect != "oracle":  # whose literals of doubles sqlglot does not read
        assert len(sqlglot.parse_one(text, read=READ_AS.get(dialect, dialect)).expressions) == 7
