# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""What a query meets in production: columns of other names, drivers with parameters, modes of a session, limits."""

from __future__ import annotations

from typing import Any

import pytest
import sql_engines as engines
from real_engines import needed
from strategies import HARD_KEYS

import curvec
from curvec import CurveModel, EnumCurve, InputError, PWLCurve, Sum, UnsupportedError
from curvec.emit.dialects import DIALECTS

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=1.5)
MODEL = CurveModel("risk", [AGE, EnumCurve("sex", {"f": 1, "m": 2}, default=3)], 0.25, "logit")
FORMS = ["expression", "select", "view", "dbt"]


@pytest.mark.parametrize("dialect", engines.IN_PROCESS)
def test_columns_may_be_called_otherwise_than_features(dialect: str) -> None:
    nested = PWLCurve(Sum([AGE, PWLCurve("sex", [(0, 0), (1, 1)])]), [(0, 0), (1, 1)])
    model = CurveModel("m", [AGE, nested, EnumCurve("k", {1: 1.0}, default=2.0)])
    columns = {"age": "AGE in years", "sex": "age", "k": "sex"}
    types = {"AGE in years": "float", "age": "float", "sex": "integer"}
    rows = [[20.5, 0.25, 1], [None, 0.75, 2]]
    data = {"age": [20.5, None], "sex": [0.25, 0.75], "k": [1, 2]}
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, types, rows)
        select = curvec.emit(model, "sql", dialect, form="select", table="rows", columns=columns)
        expression = curvec.emit(model, "sql", dialect, columns=columns)
        for query in (select, f"SELECT {expression} FROM rows"):
            engines.assert_same(sorted(engines.fetch(connection, query)[:, 0]), sorted(model.eval(data)))


def test_columns_of_what_is_no_feature_and_no_name_are_refused() -> None:
    with pytest.raises(
        InputError, match="columns names the feature 'Age', which the model does not have; it has age, sex"
    ):
        curvec.emit(MODEL, "sql", "duckdb", columns={"Age": "x"})
    with pytest.raises(InputError, match=r"columns\['age'\]=1 is no name of a column; names are strings"):
        curvec.emit(MODEL, "sql", "duckdb", columns={"age": 1})
    with pytest.raises(UnsupportedError, match="the columns 'x' and 'X' differ only in case"):
        curvec.emit(MODEL, "sql", "duckdb", columns={"age": "x", "sex": "X"})
    assert "CAST(age AS REAL)" in curvec.emit(MODEL, "sql", "sqlite", columns={})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_without_comments_the_text_may_be_put_on_one_line(dialect: str, form: str) -> None:
    if form in ("view", "dbt") and not DIALECTS[dialect].views:
        return
    model = CurveModel(
        "50% of it",
        [*MODEL.terms, EnumCurve("n", dict.fromkeys(range(300), 1.0))] if form != "expression" else MODEL.terms,
        note="-- 10%",
    )
    options: dict[str, Any] = {"form": form, **({} if form == "expression" else {"table": "people", "view": None})}
    text = curvec.emit(model, "sql", dialect, comments=False, **options)
    assert "--" not in text
    commented = curvec.emit(model, "sql", dialect, **options)
    lines = [line.partition(" -- ")[0] for line in commented.splitlines() if not line.lstrip().startswith("--")]
    assert text.splitlines() == lines
    if dialect in engines.IN_PROCESS and form == "select":
        with engines.connected(dialect) as connection:
            engines.fill(
                connection, dialect, {"age": "float", "sex": "varchar(9)", "n": "integer"}, [[20.0, "f", 7]], "people"
            )
            found = engines.fetch(connection, " ".join(text.split("\n")))
            engines.assert_same(found[:, 0], model.eval({"age": [20.0], "sex": ["f"], "n": [7]}))


def test_percent_signs_of_levels_do_not_reach_a_driver_that_fills_in_parameters() -> None:
    """PostgreSQL's and MySQL's drivers take one in a string for a parameter, once there are parameters."""
    model = CurveModel("m", [EnumCurve("c", {"50%": 1.0, "%s": 2.0, "%(a)s": 3.0}, default=0.5)])
    for dialect in ("postgres", "redshift", "mysql", "mariadb"):
        assert "%" not in curvec.emit(model, "sql", dialect, comments=False)
    with engines.connected("postgres") as connection:
        engines.fill(
            connection, "postgres", {"k": "integer", "c": "text"}, [(0, "50%"), (1, "%s"), (2, "%(a)s"), (3, "%")]
        )
        text = curvec.emit(model, "sql", "postgres", form="select", table="rows", key=["k"], comments=False)
        found = connection.execute(
            f"SELECT score FROM ({text}) scored WHERE k < %s ORDER BY k".encode(), [4]
        ).fetchall()
    assert [score for (score,) in found] == [1.0, 2.0, 3.0, 0.5]


def test_doubled_percent_signs_of_a_column_reach_the_engine_as_one() -> None:
    model = CurveModel("m", [PWLCurve("share %", [(0, 0), (1, 1)], note="100 %s")])
    with engines.connected("postgres") as connection:
        engines.fill(connection, "postgres", {"k": "integer"}, [(1,), (2,)], "numbered")
        connection.execute('CREATE TEMP VIEW shares AS SELECT k, k / 4.0 AS "share %" FROM numbered')
        text = curvec.emit(model, "sql", "postgres", form="select", table="shares", key=["k"]).replace("%", "%%")
        query = f"SELECT score FROM ({text}\n) scored WHERE k < %s".encode()
        assert connection.execute(query, [2]).fetchall() == [(0.25,)]


@pytest.mark.parametrize("mode", ["", "NO_BACKSLASH_ESCAPES"])
def test_levels_of_mariadb_are_the_same_in_every_mode_of_the_session(mode: str) -> None:
    keys = [*HARD_KEYS, "a\\b", "O'Brien", "\\'", "tab\t", "%"]
    case = CurveModel("m", [EnumCurve("c", {key: float(k) for k, key in enumerate(dict.fromkeys(keys))}, default=-1.0)])
    table = EnumCurve(
        "c", {**{key: float(k) for k, key in enumerate(dict.fromkeys(keys))}, **{f"k{k}": 0.5 for k in range(200)}}
    )
    runner = needed("mariadb")
    with runner.session() as session:
        session.load("people", [runner.column("k", "int", range(len(keys))), runner.column("c", "str", keys)])
        session.connection.execute(f"SET SESSION sql_mode = '{mode}'")
        for model in (case, CurveModel("m", [table])):
            text = curvec.emit(model, "sql", "mariadb", form="select", table="people", key=["k"])
            found = sorted(session.query(text))
            engines.assert_same([row[1] for row in found], model.eval({"c": keys}))


def test_a_name_of_the_longest_length_may_be_a_feature_and_a_key() -> None:
    name = "é" * 31 + "x"
    model = CurveModel("m", [PWLCurve(name, [(0, 0), (1, 1)]), EnumCurve(name[:-1], {1: 1.0, 2: 2.0})])
    with engines.connected("postgres") as connection:
        engines.fill(connection, "postgres", {name: "float", name[:-1]: "integer"}, [[0.25, 2]])
        options: dict[str, Any] = {"form": "select", "table": "rows", "key": [name, name[:-1]]}
        found = engines.fetch(connection, curvec.emit(model, "sql", "postgres", **options))
    engines.assert_same(found, [[0.25, 2.0, 2.25]])


@pytest.mark.parametrize("form", ["view", "dbt"])
def test_a_form_that_the_engine_does_not_have_is_refused(form: str) -> None:
    with pytest.raises(UnsupportedError, match=f"Polars has no views, which form='{form}' makes; use form='select'"):
        curvec.emit(MODEL, "sql", "polars", form=form, table="people")


def test_a_name_that_mariadb_changes_in_a_query_is_refused() -> None:
    """It drops what stands before the first visible character of an alias."""
    runner = needed("mariadb")
    for name in ("\x0e\xb9", "\ta", "\x7fa", "a\tb", "\xa0a", "\u2028a", "\x85a"):
        model = CurveModel("m", [PWLCurve(name, [(0, 0), (1, 1)])])
        with runner.session() as session:
            session.load("people", [runner.column(name, "number", [0.5])])
            try:
                text = curvec.emit(model, "sql", "mariadb", form="select", table="people")
            except UnsupportedError as error:
                assert "begins with a control character" in str(error)  # noqa: PT017  any other name has to run
                assert name[0] < " " or name[0] in "\x7f\x85\u2028"
            else:
                assert list(session.query(text)) == [(0.5,)]


def test_a_name_whose_end_mariadb_refuses_is_refused() -> None:
    """It refuses a column whose name ends with any of its blanks, not with every blank of Unicode."""
    runner = needed("mariadb")
    with runner.session() as session:
        for end in ("\t", "\n", "\v", "\f", "\r", " ", "\x1f", "\xa0", "\u2003"):
            model = CurveModel("m", [PWLCurve(f"a{end}", [(0, 0), (1, 1)])])
            try:
                session.load(f"people{ord(end)}", [runner.column(f"a{end}", "number", [0.5])])
            except Exception as error:  # noqa: BLE001  the driver's own
                assert "Incorrect column name" in str(error)  # noqa: PT017
                with pytest.raises(UnsupportedError, match=r"begins or ends with a blank.* rename the column"):
                    curvec.emit(model, "sql", "mariadb", form="select", table="people")
            else:
                text = curvec.emit(model, "sql", "mariadb", form="select", table=f"people{ord(end)}")
                assert list(session.query(text)) == [(0.5,)]
