# ruff: noqa: S608  the statements are made of names that the emitter quoted
"""The forms of SQL: expression, query, view, dbt model; their columns; what is refused; how it reads."""

from __future__ import annotations

from typing import Any

import duckdb
import jinja2
import numpy as np
import pandas as pd
import pytest
import sql_engines as engines
from hypothesis import given
from hypothesis import strategies as st
from models import every_node
from nightly import by_diagonal, examples
from real_engines import needed
from strategies import HARD_NAMES, models, rows

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql import columns
from curvec.emit.sql_options import FORMS
from curvec.emit.sql_text import literal, operand
from curvec.fields import changed

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=1.5)
MODEL = CurveModel("risk", [AGE, EnumCurve("sex", {"f": 1, "m": 2}, default=3)], 0.25, "logit")
TYPES = {"age": "float", "sex": "varchar(9)", "id": "integer"}
ROWS: list[tuple[Any, ...]] = [(20.5, "f", 7), (None, "m", 8), (99.0, None, 9), (5.0, "x", 10)]
DATA = {"age": [row[0] for row in ROWS], "sex": [row[1] for row in ROWS]}


def scored(dialect: str, form: str, **options: Any) -> np.ndarray:
    """Rows ordered by their first column, of the form over ROWS."""
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, TYPES, ROWS, "people")
        text = curvec.emit(MODEL, "sql", dialect, form=form, table="people", **options)
        if form == "view":
            connection.execute(text)
            text = "SELECT * FROM risk"
        found = engines.fetch(connection, text)
    return found[np.argsort(found[:, 0])]


@pytest.mark.parametrize("form", ["select", "view"])
@pytest.mark.parametrize("dialect", engines.IN_PROCESS)
def test_a_query_and_a_view_return_key_terms_score_and_prediction(dialect: str, form: str) -> None:
    options = {"key": ["id"], "per_term": True, "link": True}
    found = scored(dialect, form, **options)
    assert columns(MODEL, dialect=dialect, **options) == ["id", "term_age", "term_sex", "score", "prediction"]
    wanted = np.column_stack([[7, 8, 9, 10], MODEL.contributions(DATA), MODEL.eval(DATA), MODEL.predict(DATA)])
    engines.assert_same(found, wanted)
    engines.assert_same(scored(dialect, form, key=["id"])[:, 1], MODEL.eval(DATA))


@by_diagonal(["dialect", "form"], engines.IN_PROCESS, ["expression", "view"])
@examples(8)
@given(data=st.data())
def test_an_expression_and_a_view_give_the_raw_score(dialect: str, form: str, data: st.DataObject) -> None:
    runner = needed(dialect)
    model = data.draw(models())
    table = data.draw(rows(model, 30))
    wanted = model.eval(table)
    if not runner.limits.overflow:
        numeric = [f.name for f in model.features if f.type == "number"]
        small = np.all([~(np.abs(np.ma.getdata(table[n])) > 1e100) for n in numeric], axis=0) if numeric else True
        if not np.all(small) or "Product" in repr(model):
            return
    place = engines.quoted(dialect, "row number")
    try:
        if form == "view":
            view = curvec.emit(model, "sql", dialect, form=form, table="rows", key=["row number"])
            query = view.partition(" AS\n")[2]
        else:
            query = f"SELECT {place}, {curvec.emit(model, 'sql', dialect)} FROM rows"
    except UnsupportedError as error:
        assert form == "expression"
        assert "form='select'" in str(error)  # noqa: PT017  the refusal names the form that works
        return
    with runner.session() as session:
        loaded = [runner.column(f.name, f.type, table[f.name].tolist()) for f in model.features]
        session.load("rows", [*loaded, runner.column("row number", "int", range(len(wanted)))])
        found = sorted(session.query(query), key=lambda row: row[0])
    engines.assert_same([np.nan if row[1] is None else row[1] for row in found], wanted)


@pytest.mark.parametrize("table", ["people", "raw.people", ["odd.name"], ["my schema", "t'a`b"]])
def test_a_dbt_model_is_the_query_over_a_reference(table: Any) -> None:
    model = CurveModel("{{ x }}", [PWLCurve(name, [(0, 0), (1, 1)]) for name in HARD_NAMES])
    model = CurveModel(model.name, [*model.terms, EnumCurve("c", {"{{x}}": 1, "{% raw %}": 2, "{# no #}": 3})])
    parts = table.split(".") if isinstance(table, str) else table
    text = curvec.emit(model, "sql", "duckdb", form="dbt", table=table, link=True)
    rendered = jinja2.Template(text, keep_trailing_newline=True).render(
        ref=lambda name: engines.quoted("duckdb", name),
        source=lambda *names: ".".join(engines.quoted("duckdb", name) for name in names),
    )
    assert ("{{ ref(" in text) == (len(parts) == 1)
    assert rendered == curvec.emit(model, "sql", "duckdb", form="select", table=table, link=True)


def test_columns_are_readable_unique_and_apart_from_the_keys() -> None:
    terms = [
        AGE,
        AGE,
        PWLCurve("Term Age", [(0, 0), (1, 1)]),
        Product([AGE, Line("z")]),
        PWLCurve("日本", [(0, 0), (1, 1)]),
    ]
    model = CurveModel("m", [*terms, Sum([PWLCurve("a" * 60, [(0, 0), (1, 1)])])])
    found = columns(model, dialect="duckdb", per_term=True, key=["term_age", "ID"])
    assert found[:2] == ["term_age", "ID"]
    assert found[2:-1] == ["term_age_2", "term_age_3", "term_term_age", "term_age_z", "term_x", f"term_{'a' * 35}"]
    assert columns(model, dialect="duckdb") == ["score"]


@pytest.mark.parametrize("dialect", engines.IN_PROCESS)
def test_a_key_may_be_a_feature_and_a_feature_may_be_called_as_an_output(dialect: str) -> None:
    names = [
        "score",
        "prediction",
        "term_score",
        "exponential",
        "t",
        "sum_score",
        "level_value",
        "level_key",
        "value_t",
    ]
    curve = [(0.0, 1.0), (2.0, 5.0)]
    terms: list[Any] = [PWLCurve(name, curve) for name in names]
    terms += [StepCurve(Sum([terms[0], Line("t")]), [3.0], [1, 2])]
    model = CurveModel("m", terms, 0.5, "logit")
    options = {"per_term": True, "link": True, "key": ["t", "exponential"]}
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, dict.fromkeys(names, "float"), [[1.5] * len(names)])
        text = curvec.emit(model, "sql", dialect, form="select", table="rows", **options)
        found = engines.fetch(connection, text)[0]
    data = {name: [1.5] for name in names}
    wanted = [1.5, 1.5, *model.contributions(data)[0], model.eval(data)[0], model.predict(data)[0]]
    engines.assert_same(found, wanted)


def test_a_view_may_be_in_another_schema_under_a_name_of_its_own() -> None:
    text = curvec.emit(MODEL, "sql", "bigquery", form="view", table="raw.people", view="scores.risk v2")
    assert "\nCREATE VIEW scores.`risk v2` AS\n" in text
    same = curvec.emit(MODEL, "sql", "bigquery", form="view", table="raw.people", view=["scores", "risk v2"])
    assert text == same
    assert "CREATE VIEW risk AS" in curvec.emit(MODEL, "sql", "bigquery", form="view", table="raw.risk")


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_a_view_can_be_defined_anew(dialect: str) -> None:
    first = CurveModel("risk", [PWLCurve("age", [(0, 1.0), (1, 1.0)])])
    second = CurveModel("risk", [PWLCurve("age", [(0, 2.0), (1, 2.0)])])
    with engines.connected(dialect) as connection:
        engines.fill(connection, dialect, {"age": "float"}, [[0.5]])
        for model, score in ((first, 1.0), (second, 2.0)):
            text = curvec.emit(model, "sql", dialect, form="view", table="rows", replace=True)
            connection.execute(text)
            assert engines.fetch(connection, 'SELECT * FROM "risk"')[0] == (score,)


def test_what_defines_a_view_anew_is_the_engine_s() -> None:
    assert "CREATE OR ALTER VIEW risk AS" in curvec.emit(MODEL, "sql", "tsql", form="view", table="t", replace=True)
    with pytest.raises(UnsupportedError, match="SQLite replaces no view; drop it first"):
        curvec.emit(MODEL, "sql", "sqlite", form="view", table="t", replace=True)
    with pytest.raises(InputError, match="form='select' makes no view; leave replace=True out"):
        curvec.emit(MODEL, "sql", "duckdb", form="select", table="t", replace=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "table"}, "form='table' is not a form; use one of expression, select, view, dbt, function, check"),
        ({"form": "select"}, "form='select' needs table="),
        ({"form": "view", "table": "a..b"}, r"table='a\.\.b' has an empty name"),
        ({"form": "view", "table": "RISK"}, "the view is called after the model, 'risk', and so is its table"),
        ({"form": "view", "table": "a.B", "view": "A.b"}, "the view is to be called, 'A.b', and so is its table"),
        ({"form": "view", "table": "t", "view": "a."}, r"view='a\.' has an empty name; write view or schema\.view"),
        ({"form": "select", "table": "t", "view": "v"}, "form='select' makes no view; leave view='v' out"),
        ({"form": "dbt", "table": "a.b.c"}, r"has 3 names; a dbt model refers to model, or to source\.table"),
        ({"form": "select", "table": "curvec_terms"}, "begins with curvec_"),
        ({"form": "select", "table": "t", "key": "id"}, "key='id' is one string; pass a list"),
        ({"form": "select", "table": "t", "key": [1]}, "key holds 1; names are strings"),
        ({"form": "select", "table": "t", "key": ["score"]}, "key column 'score' and an output 'score' share a name"),
        ({"form": "select", "table": "t", "key": ["id", "ID"]}, "key column 'ID' and an output 'id' share a name"),
        ({"form": "select", "table": "t", "key": ["prediction"], "link": True}, "share a name"),
        ({"per_term": True}, "takes no per_term; use form='select'"),
        ({"link": True, "key": ["id"], "table": "t"}, "takes no link, key, table; use form='select'"),
        ({"limit": 3}, "target 'sql' takes no option 'limit'"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        curvec.emit(MODEL, "sql", "duckdb", **options)


@pytest.mark.parametrize(
    ("form", "dialect"),
    [
        (form, name)
        for form in FORMS
        for name, engine in DIALECTS.items()
        if {"function": engine.function, **dict.fromkeys(("view", "dbt", "dbt_schema"), engine.views)}.get(form, True)
    ],
)
def test_emitting_twice_gives_the_same_bytes_and_ends_without_a_semicolon(dialect: str, form: str) -> None:
    of_rows = form not in ("expression", "function", "dbt_macro", "levels")
    options: dict[str, Any] = {"table": "t"} if of_rows else {}
    options |= {"link": True, "per_term": True} if of_rows and form not in ("check", "population") else {}
    sexes: dict[str, float] = {"f": 1, "m": 2} if form != "levels" else {f"level {k}": k / 7 for k in range(200)}
    model = CurveModel("m", [AGE, EnumCurve("sex", sexes), StepCurve("age", list(range(90)), list(range(91)))])
    text = curvec.emit(model, "sql", dialect, form=form, **options)
    assert text == curvec.emit(model, "sql", dialect, form=form, **options)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert ";" not in text.replace("; missing", "")
    assert all(line == line.rstrip() for line in text.splitlines())


def test_each_curve_stands_under_its_control_points_and_its_note() -> None:
    curve = PWLCurve("age\nx", [(18, 3.13), (21, 0.5914)], "log", missing=1.5, note="agreed by A. -- 2024\n*/")
    steps = StepCurve("n", list(range(20)), list(range(21)))
    model = CurveModel("m", [curve, steps, Sum([curve])], note="v2\nDROP TABLE x")
    text = curvec.emit(model, "sql", "spark", form="select", table="t")
    said = "-- age\\nx: log, (18, 3.13), (21, 0.5914); missing 1.5; note: agreed by A. - - 2024\\n* /"
    assert f"        {said}\n        CASE\n" in text
    assert "    -- n: 0, then from (0, 1), (1, 2), (2, 3), ... (19, 20): 20 cuts\n" in text
    assert "            -- age\\nx: log" in text
    assert "-- note: v2\\nDROP TABLE x\n" in text


def test_a_remark_says_which_setting_a_long_text_needs() -> None:
    model = CurveModel("m", [StepCurve("x", [k / 7 for k in range(5000)], [k / 3 for k in range(5001)])])
    text = curvec.emit(model, "sql", "clickhouse", form="select", table="t")
    assert text.startswith("-- longer than the 262144 bytes of the default: set max_query_size first\n")
    with pytest.raises(UnsupportedError, match=r"the select has \d+ bytes, and Amazon Athena takes 262144"):
        curvec.emit(model, "sql", "athena", form="select", table="t")


def test_what_nests_too_deeply_for_an_engine_is_refused() -> None:
    term: Any = AGE
    for _ in range(12):
        term = PWLCurve(Sum([term]), [(0, 0), (1, 1)])
    model = CurveModel("m", [term])
    for dialect in ("sqlite", "duckdb", "tsql"):
        with pytest.raises(UnsupportedError, match=r"form='expression' would repeat .* use form='select'"):
            curvec.emit(model, "sql", dialect)
        assert curvec.emit(model, "sql", dialect, form="select", table="t").count("curvec_nested_") == 2 * 12


def test_what_nests_deeper_than_the_engine_takes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    shallow = changed(DIALECTS["duckdb"], max_cases=20, max_nesting=6)
    monkeypatch.setitem(DIALECTS, "duckdb", shallow)
    model = CurveModel("m", [Sum([Product([Sum([AGE])])])])
    with pytest.raises(
        UnsupportedError, match=r"2 CASEs inside one another, 14 levels in all, and DuckDB takes 20 and 6"
    ):
        curvec.emit(model, "sql", "duckdb", form="select", table="t")


def test_every_node_is_the_same_model_in_every_dialect() -> None:
    """No dialect loses a term, a level or a point: the same numbers are in every text."""
    model = every_node(logs=False)
    for dialect, engine in DIALECTS.items():
        try:
            text = curvec.emit(model, "sql", dialect, form="select", table="t", per_term=True)
        except UnsupportedError as error:
            assert dialect in ("bigquery", "oracle"), error  # noqa: PT017  a quote in a name
            continue
        assert "70001" in text
        for number in (3.13, 0.5914, -1.25):
            assert literal(engine, number) in text or operand(engine, number) in text


@pytest.mark.parametrize("form", ["expression", "select"])
def test_duckdb_takes_categorical_columns_of_pandas_and_other_types_by_their_text(form: str) -> None:
    """Kinds P42 and P47: an ENUM takes no collation, and a column's own may leave letters' case aside."""
    model = CurveModel("m", [EnumCurve("kind", {"a": 1.0, "B": 2.0, "": 3.0}, default=0.5, missing=0.25)])
    kinds = ["a", "B", "b", "A", "", None]
    frame = pd.DataFrame({"kind": pd.Categorical(kinds)})
    text = curvec.emit(model, "sql", "duckdb", form=form, **({} if form == "expression" else {"table": "frame"}))
    query = f"SELECT {text} FROM frame" if form == "expression" else text
    with duckdb.connect() as database:
        database.register("frame", frame)
        assert [score for (score,) in database.execute(query).fetchall()] == model.eval(frame).tolist()
        database.unregister("frame")
        database.execute("CREATE TABLE frame (kind VARCHAR COLLATE NOCASE)")
        database.executemany("INSERT INTO frame VALUES (?)", [[kind] for kind in kinds])
        assert [score for (score,) in database.execute(query).fetchall()] == model.eval(frame).tolist()
        for kind, held in [("INTEGER", "7"), ("BOOLEAN", "true"), ("DATE", "2020-01-05"), ("UUID", f"{7:032x}")]:
            database.execute(f"CREATE OR REPLACE TABLE frame AS SELECT CAST('{held}' AS {kind}) AS kind")
            ((level,),) = database.execute("SELECT CAST(kind AS VARCHAR) FROM frame").fetchall()
            known = CurveModel("m", [EnumCurve("kind", {level: 3.0}, default=0.5)])
            text = curvec.emit(
                known, "sql", "duckdb", form=form, **({} if form == "expression" else {"table": "frame"})
            )
            query = f"SELECT {text} FROM frame" if form == "expression" else text
            assert database.execute(query).fetchall() == [(3.0,)], kind
