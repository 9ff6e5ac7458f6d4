"""reasons= and version=: the largest terms of a row by name, and which model it was, on every engine."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import jinja2
import numpy as np
import pytest
import sql_engines as engines
from real_engines import by_engine, needed

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, UnsupportedError
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql import columns

MODEL = CurveModel(
    "risk 50%",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=0.0),
        EnumCurve("sex", {"f": 1, "m": 2}, default=-3),
        PWLCurve("age", [(18, -1.0), (46, 2.0)]),
        Line("income"),
        Product([Line("income"), PWLCurve("age", [(0, 0), (100, 1)])]),
        PWLCurve(Sum([PWLCurve("age", [(18, 3.13), (46, -0.7206)]), Line("income")]), [(0, 0.5), (3, -0.5)]),
        StepCurve("income", [1.0, 2.0], [2, 2, 3.13], missing=2.0),
    ],
    0.25,
    "logit",
)
DATA: dict[str, list[Any]] = {
    "age": [18.0, 21.0, 46.0, None, 30.0, 5.0, None, 40.0],
    "sex": ["m", "f", None, None, "x", "m", None, "f"],
    "income": [2.0, 0.0, 2.0, None, -7.25, 2.0, 1.5, 1e-3],
}


def wanted(model: CurveModel, data: Any, count: int) -> list[list[Any]]:
    """Names and values of the largest terms of each row, by a plain sort."""
    found = []
    for row in model.contributions(data):
        there = [(value, name) for value, name in zip(row.tolist(), model.term_names, strict=True) if value == value]
        there.sort(key=lambda pair: pair[0], reverse=count > 0)
        best = [*there[: abs(count)], *[(None, None)] * abs(count)][: abs(count)]
        found.append([cell for value, name in best for cell in (name, value)])
    return found


@by_engine("engine")
def test_the_largest_terms_are_those_of_a_sort(engine: str) -> None:
    runner = needed(engine)
    with runner.session() as session:
        loaded = [runner.column(f.name, f.type, DATA[f.name]) for f in MODEL.features]
        session.load("people", [*loaded, runner.column("id", "int", range(8))])
        for count in (3, -2):
            options: dict[str, Any] = {"key": ["id"], "reasons": count, "version": True, "link": count > 0}
            text = curvec.emit(MODEL, "sql", runner.dialect, form="select", table="people", **options)
            found = sorted((list(row) for row in session.query(text)), key=lambda row: row[0])
            scores = 3 if count > 0 else 2
            assert [row[scores:-2] for row in found] == wanted(MODEL, DATA, count)
            engines.assert_same([_number(row[1]) for row in found], MODEL.eval(DATA))
            version = hashlib.sha256(MODEL.to_json().encode()).hexdigest()[:12]
            assert {tuple(row[-2:]) for row in found} == {("risk 50%", version)}
            assert len(columns(MODEL, dialect=runner.dialect, **options)) == len(found[0])


def _number(value: Any) -> float:
    return math.nan if value is None else value


@pytest.mark.parametrize("form", ["view", "dbt"])
@pytest.mark.parametrize("dialect", engines.IN_PROCESS)
def test_a_view_has_reasons_too(dialect: str, form: str) -> None:
    types = {"age": "float", "sex": "varchar(9)", "income": "float", "id": "integer"}
    if dialect == "duckdb":
        types |= {"age": "double", "income": "double"}
    with engines.connected(dialect) as connection:
        rows = list(zip(*DATA.values(), range(8), strict=True))
        engines.fill(connection, dialect, types, rows, "people")
        options: dict[str, Any] = {"table": "people", "key": ["id"], "reasons": 3, "comments": False}
        options |= {"view": "risk"} if form == "view" else {}
        text = curvec.emit(MODEL, "sql", dialect, form=form, **options)
        if form == "dbt":
            text = f"CREATE VIEW risk AS {jinja2.Template(text).render(ref=lambda name: name)}"
        connection.execute(text.encode() if dialect == "postgres" else text)
        cursor = connection.execute("SELECT * FROM risk WHERE id < 5")
        found = sorted(cursor.fetchall())
    assert [list(row[2:]) for row in found] == wanted(MODEL, DATA, 3)[:5]


def test_random_sets_of_terms_are_ranked_as_a_sort_ranks_them() -> None:
    random = np.random.default_rng(0)
    for count, dialect in [(1, "duckdb"), (2, "sqlite"), (30, "duckdb"), (60, "sqlite")]:
        terms = [
            PWLCurve(f"x{k}", [(0, float(a)), (1, float(b))]) if k % 3 else Line(f"x{k}")
            for k, (a, b) in enumerate(random.integers(-3, 4, (count, 2)))
        ]
        model = CurveModel("m", terms)
        data = {f"x{k}": random.choice([0, 1, 0, 1, math.nan, -math.inf, math.inf], 40) for k in range(count)}
        most = min(count, 4)
        with engines.connected(dialect) as connection:
            rows = [
                [None if math.isnan(x) else x for x in row] for row in np.column_stack(list(data.values())).tolist()
            ]
            engines.fill(connection, dialect, dict.fromkeys(data, "double"), rows)
            text = curvec.emit(model, "sql", dialect, form="select", table="rows", reasons=most)
            found = [list(row[1:]) for row in connection.execute(text).fetchall()]
        assert found == wanted(model, data, most)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_reasons_that_sqlglot_reads(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot", reason="pip install sqlglot")
    text = curvec.emit(MODEL, "sql", dialect, form="select", table="people", reasons=2, version=True)
    if dialect != "oracle":  # whose literals of doubles sqlglot does not read
        assert len(sqlglot.parse_one(text, read=engines.READ_AS.get(dialect, dialect)).expressions) == 7


def test_reasons_that_cannot_be_are_refused() -> None:
    small = CurveModel("m", [Line("x")])
    with pytest.raises(InputError, match="reasons=2 asks for more than the model's 1 term; ask for fewer"):
        curvec.emit(small, "sql", "duckdb", form="select", table="t", reasons=2)
    with pytest.raises(InputError, match="reasons='3' is no whole number; 3 asks for the three largest terms"):
        curvec.emit(MODEL, "sql", "duckdb", form="select", table="t", reasons="3")
    with pytest.raises(InputError, match="form='expression' is one column of numbers and takes no reasons, version"):
        curvec.emit(MODEL, "sql", "duckdb", reasons=3, version=True)
    with pytest.raises(InputError, match="the key column 'reason_1' and an output 'reason_1' share a name"):
        curvec.emit(MODEL, "sql", "duckdb", form="select", table="t", reasons=1, key=["reason_1"])
    wide = CurveModel("m", [Line(f"x{k}") for k in range(600)])
    with pytest.raises(UnsupportedError, match="reasons=3 makes 1214 columns, and SQL Server takes 1024"):
        curvec.emit(wide, "sql", "tsql", form="select", table="t", reasons=3)
