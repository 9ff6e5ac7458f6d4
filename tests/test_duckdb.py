"""A model as a function of SQL in DuckDB: the bits of ``eval``, and of the emitted SQL."""

from __future__ import annotations

import numpy as np
import pytest

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, PWLCurve, StepCurve

pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

MODEL = CurveModel(
    "claims",
    [
        PWLCurve("a", [(0, 0.1), (1, 2), (3, 1)], missing=0.5),
        Line("a", 0.3),
        EnumCurve("c", {"x": 1.0, "y": 2.0}, default=0.0, missing=-1.0),
        EnumCurve("i", {1: 1.0, 2: 3.0}, missing=0.125),
        EnumCurve("b", {True: 1.0, False: 0.5}, missing=0.75),
        StepCurve("d", [0.5], [1.0, 2.0]),
    ],
    intercept=0.1,
    link="logit",
)
ROWS = """
    SELECT CASE WHEN n % 7 > 0 THEN n / 900 - 1 END AS a,
           CASE n % 5 WHEN 0 THEN 'x' WHEN 1 THEN 'y' WHEN 2 THEN 'other' END AS c,
           CASE WHEN n % 4 > 0 THEN n % 4 END AS i,
           CASE WHEN n % 3 > 0 THEN n % 3 = 1 END AS b,
           CASE WHEN n % 11 = 0 THEN 'nan'::DOUBLE ELSE n / 5000 END AS d
    FROM range(5000) t(n)
"""


def test_the_function_has_the_bits_of_the_model_and_of_the_emitted_sql() -> None:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE rows AS {ROWS}")
    call = curvec.duckdb.register(connection, MODEL)
    assert call == "claims(a, c, i, b, d)"
    emitted = curvec.emit(MODEL, "sql", dialect="duckdb")
    found = connection.sql(f"SELECT {call} AS own, claims_predict(a, c, i, b, d) AS p, {emitted} AS sql FROM rows")  # noqa: S608  our own texts
    columns = found.fetchnumpy()
    rows = connection.sql("FROM rows")
    assert np.array_equal(np.ma.filled(columns["own"], np.nan), MODEL.eval(rows), equal_nan=True)
    assert np.array_equal(np.ma.filled(columns["p"], np.nan), MODEL.predict(rows), equal_nan=True)
    sql = np.ma.filled(columns["sql"], np.nan)
    assert np.array_equal(sql, MODEL.eval(rows), equal_nan=True)
    assert np.ma.getmaskarray(columns["own"]).any()


def test_registering_again_replaces() -> None:
    connection = duckdb.connect()
    curvec.duckdb.register(connection, MODEL, "f")
    curvec.duckdb.register(connection, CurveModel("other", [Line("x", 2.0)]), "f")
    assert connection.sql("SELECT f(3), f_predict(3)").fetchall()[0] == (6.0, 6.0)


def test_a_fit_or_a_curve_is_a_model() -> None:
    connection = duckdb.connect()
    curvec.duckdb.register(connection, PWLCurve("x", [(0, 0), (1, 1)]), "ramp")
    assert connection.sql("SELECT ramp(0.25)").fetchall()[0] == (0.25,)


@pytest.mark.parametrize("name", ['a"b', "a b", "select", "gr\u00f6\u00dfe", "t.x", "1st"])
def test_the_call_can_be_pasted_whatever_the_names(name: str) -> None:
    connection = duckdb.connect()
    call = curvec.duckdb.register(connection, CurveModel("m", [Line(name, 2.0)]), "order")
    column = '"' + name.replace('"', '""') + '"'
    assert connection.sql(f"SELECT {call} FROM (SELECT 3.0 AS {column})").fetchall()[0] == (6.0,)  # noqa: S608  our own texts


def test_what_cannot_be_registered_is_said() -> None:
    with pytest.raises(InputError, match="name='abs': DuckDB has a function of its own of that name"):
        curvec.duckdb.register(duckdb.connect(), CurveModel("m", [Line("x", 2.0)]), "abs")
    closed = duckdb.connect()
    closed.close()
    with pytest.raises(InputError, match="connection cannot be used"):
        curvec.duckdb.register(closed, MODEL)
    with pytest.raises(InputError, match="connection is a str; pass a DuckDB connection"):
        curvec.duckdb.register("file.db", MODEL)
    with pytest.raises(InputError, match="is no name of a function"):
        curvec.duckdb.register(duckdb.connect(), MODEL, "a b")
    with pytest.raises(InputError, match="reads no feature"):
        curvec.duckdb.register(duckdb.connect(), CurveModel("m", [], intercept=1.0))
