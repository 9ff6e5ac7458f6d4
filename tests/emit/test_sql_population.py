"""form="population": rows in each segment of a feature's curves, and the stability index, as counted here."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from real_engines import by_engine, needed
from sql_engines import READ_AS

import curvec
from curvec import CurveModel, EnumCurve, Feature, InputError, Line, PWLCurve, StepCurve, Sum, UnsupportedError
from curvec.emit.dialects import DIALECTS

MODEL = CurveModel(
    "risk",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)]),
        StepCurve(Sum([PWLCurve("age", [(30, 0.5), (46, 1)]), Line("income", 1.0)]), [0.5], [0, 1]),
        EnumCurve("sex", {"f": 1, "m%": 2, "O'Brien": 2}, default=0.0),
        EnumCurve("kind", {1: 1.0, 2: 2.0, -3: 0.5}, default=0.0),
        EnumCurve("kept", {True: 1.0}, missing=0.5),
    ],
    features=[
        *(Feature("age"), Feature("income"), Feature("sex", "str"), Feature("kind", "int"), Feature("kept", "bool")),
        *(Feature("remark", "str"), Feature("known", "bool"), Feature("year", "int")),  # no term reads them
    ],
)
NOW: dict[str, list[Any]] = {
    "age": [17.999, 18.0, 20.0, 21.0, 29.999, 30.0, 46.0, 1e9, None, math.nan],
    "income": [1.0, None, math.nan, 0.0, 5.0, 6.0, 7.0, 8.0, 9.0, -10.0],
    "sex": ["f", "m%", "M%", None, "f", "O'Brien", "", "f", "f", "f"],
    "kind": [1, 2, -3, 3, None, 0, 1, 1, 1, 2**31],
    "kept": [True, False, None, True, True, True, False, False, False, True],
    "remark": ["", None, "x", "b", "b", "b", "b", "b", "b", "1"],
    "known": [True, False, None, None, True, True, False, False, False, True],
    "year": [2**31, None, 0, 0, 0, 0, 0, 0, 0, -1],
}
BEFORE: dict[str, list[Any]] = {
    "age": [20.0, 20.5, 50.0, 19.0], "income": [None, None, 1.0, 2.0], "sex": ["f", "f", "m%", None],
    "kind": [1, 1, 2, 7], "kept": [True, True, True, None],
    "remark": ["a", None, "x", "b"], "known": [False] * 4, "year": [1, 2, 3, 4],
}  # fmt: skip
EDGES = [18.0, 21.0, 30.0, 46.0]
LABELS = {
    "age": ["missing", "below 18", "18 to below 21", "21 to below 30", "30 to below 46", "46 or above"],
    "income": ["missing", "any value"],
    "sex": ["missing", "f", "m%", "O'Brien", "another level"],
    "kind": ["missing", "1", "2", "-3", "another level"],
    "kept": ["missing", "True", "another level"],
    **{name: ["missing", "any value"] for name in ("remark", "known", "year")},
}


def segment(feature: str, value: Any) -> int:
    if value is None or value != value:
        return 0
    if feature == "age":
        return 1 + sum(value >= edge for edge in EDGES)
    texts = LABELS[feature]
    return texts.index(str(value)) if str(value) in texts else len(texts) - 1


def expected() -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for feature in (f.name for f in MODEL.features):
        now, before = (Counter(segment(feature, value) for value in data[feature]) for data in (NOW, BEFORE))
        for at in sorted(now | before):
            p, q = (max(count[at], 0.5) / len(data[feature]) for count, data in ((now, NOW), (before, BEFORE)))
            psi = (p - q) * math.log(p / q)
            found.append((feature, at, LABELS[feature][at], now[at], now[at] / 10, before[at], before[at] / 4, psi))
    return found


def loaded(runner: Any, session: Any, table: str, data: dict[str, list[Any]]) -> None:
    columns = []
    for feature in MODEL.features:
        values = [None if x != x and not runner.limits.nan else x for x in data[feature.name]]
        columns.append(runner.column(feature.name, feature.type, values))
    session.load(table, columns)


@by_engine("engine")
def test_segments_are_counted_and_compared(engine: str) -> None:
    runner = needed(engine)
    with runner.session() as session:
        loaded(runner, session, "people", NOW)
        loaded(runner, session, "earlier", BEFORE)
        options: dict[str, Any] = {"form": "population", "table": "people"}
        alone = list(session.query(curvec.emit(MODEL, "sql", runner.dialect, **options)))
        both = list(session.query(curvec.emit(MODEL, "sql", runner.dialect, baseline="earlier", **options)))
    assert [tuple(row) for row in alone] == [row[:5] for row in expected() if row[3]]
    assert [tuple(row[:7]) for row in both] == [row[:7] for row in expected()]
    assert [row[7] for row in both] == pytest.approx([row[7] for row in expected()], rel=1e-12)


def test_an_empty_table_has_no_segment_and_makes_no_error() -> None:
    for engine in ("sqlite", "duckdb", "postgres"):
        runner = needed(engine)
        with runner.session() as session:
            loaded(runner, session, "people", {name: [] for name in NOW})
            loaded(runner, session, "earlier", BEFORE)
            options: dict[str, Any] = {"form": "population", "table": "people"}
            assert list(session.query(curvec.emit(MODEL, "sql", runner.dialect, **options))) == []
            rows: Sequence[Any] = list(
                session.query(curvec.emit(MODEL, "sql", runner.dialect, baseline="earlier", **options))
            )
            assert {(row[3], row[4], row[7]) for row in rows} == {(0, None, None)}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_a_population_that_sqlglot_reads(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot", reason="pip install sqlglot")
    text = curvec.emit(MODEL, "sql", dialect, form="population", table="people", baseline="raw.earlier")
    if dialect != "oracle":  # whose literals of doubles sqlglot does not read
        assert len(sqlglot.parse_one(text, read=READ_AS.get(dialect, dialect)).expressions) == 8


def test_what_a_population_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="form='check' takes no baseline; use form='population'"):
        curvec.emit(MODEL, "sql", "duckdb", form="check", table="people", baseline="earlier")
    with pytest.raises(InputError, match="form='population' is columns of its own and takes no key; use form='select'"):
        curvec.emit(MODEL, "sql", "duckdb", form="population", table="people", key=["id"])
    with pytest.raises(InputError, match="baseline='curvec_x' begins with curvec_"):
        curvec.emit(MODEL, "sql", "duckdb", form="population", table="people", baseline="curvec_x")
    many = CurveModel("m", [EnumCurve("c", {str(k): 1.0 for k in range(5001)})])
    with pytest.raises(UnsupportedError, match="each of the 5001 levels of 'c', and a CASE in DuckDB takes 5000"):
        curvec.emit(many, "sql", "duckdb", form="population", table="people")
