"""levels=: long categoricals whose levels a table holds; form="levels": that table, as CSV."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import pytest
import sql_engines as engines
from real_engines import by_engine, needed
from strategies import HARD_KEYS

import curvec
from curvec import CurveModel, EnumCurve, InputError, PWLCurve, StepCurve, Sum, UnsupportedError

KEYS = [key for key in HARD_KEYS if key == key.strip() and key.lower() not in ("", "null")]
TEXTS = {**{key: k / 7 for k, key in enumerate(KEYS)}, **{f"level {k}": k / 11 for k in range(300)}}
MODEL = CurveModel(
    "m",
    [
        EnumCurve("c", TEXTS, default=0.5, missing=7.0),
        EnumCurve("n", {3 * k - 100: k / 13 for k in range(400)}, default=0.25),
        EnumCurve("big", {**{k: k / 17 for k in range(2**24, 2**24 + 300)}, 2**53: 4.0}, default=0.125),
        StepCurve(
            Sum([EnumCurve("c", TEXTS, default=0.5, missing=7.0), PWLCurve("n", [(0, 0), (9, 1)])]), [1.0], [0, 1]
        ),
        EnumCurve("c", {key: value + 1 for key, value in TEXTS.items()}, missing=-1.0),
    ],
)
DATA: dict[str, list[Any]] = {
    "c": [*KEYS, "level 7", "Level 7", "level 7 ", "", None, "unheard of"],
    "n": [*range(-100, -100 + len(KEYS)), 1097, -1, None, 2**53, 0, 2],
    "big": [*range(2**24, 2**24 + len(KEYS)), 2**53, 2**53 + 1, None, -(2**53), 0, 2],
}


def rows_of(model: CurveModel, dialect: str) -> list[list[Any]]:
    """The CSV as a loader reads it."""
    head, *rows = csv.reader(io.StringIO(curvec.emit(model, "sql", dialect, form="levels")))
    assert head == ["categorical", "text_level", "number_level", "value"]
    return [[int(a), b or None, int(c) if c else None, float(d)] for a, b, c, d in rows]


@by_engine("engine")
def test_a_query_over_a_table_of_levels_gives_the_model_s_bits(engine: str) -> None:
    runner = needed(engine)
    rows = rows_of(MODEL, runner.dialect)
    assert len(rows) == 2 * len(TEXTS) + 400 + 301
    kinds = {"categorical": "int", "text_level": "str", "number_level": "int", "value": "number"}
    options: dict[str, Any] = {"form": "select", "table": "people", "key": ["id"], "per_term": True}
    with runner.session() as session:
        loaded = [runner.column(f.name, f.type, DATA[f.name]) for f in MODEL.features]
        session.load("people", [*loaded, runner.column("id", "int", range(len(DATA["c"])))])
        columns = zip(kinds.items(), zip(*rows, strict=True), strict=True)
        session.load("risk_levels", [runner.column(name, kind, list(held)) for (name, kind), held in columns])
        text = curvec.emit(MODEL, "sql", runner.dialect, levels="risk_levels", **options)
        found = sorted(session.query(text), key=lambda row: row[0])
    values = [[math.nan if value is None else value for value in row[1:]] for row in found]
    engines.assert_same([row[:-1] for row in values], MODEL.contributions(DATA))
    engines.assert_same([row[-1] for row in values], MODEL.eval(DATA))
    assert len(text) < 8_000  # with the levels inside it is ten times as long


def test_duckdb_reads_the_file_and_dbt_s_model_refers_to_the_seed(tmp_path: Path) -> None:
    (tmp_path / "risk_levels.csv").write_text(curvec.emit(MODEL, "sql", "duckdb", form="levels"), encoding="utf-8")
    text = curvec.emit(MODEL, "sql", "duckdb", form="dbt", table="people", key=["id"], levels="risk_levels")
    assert text.count("{{ ref('risk_levels') }}") == 4
    with duckdb.connect() as database:
        database.execute(
            "CREATE TABLE risk_levels (categorical INTEGER, text_level VARCHAR, number_level BIGINT, value DOUBLE)"
        )
        database.execute(f"COPY risk_levels FROM '{tmp_path / 'risk_levels.csv'}' (HEADER)")
        database.execute("CREATE TABLE people (id INTEGER, c VARCHAR, n BIGINT, big BIGINT)")
        database.executemany(
            "INSERT INTO people VALUES (?, ?, ?, ?)", list(zip(range(99), *DATA.values(), strict=False))
        )
        query = jinja2.Template(text).render(ref=lambda name: name)
        found = sorted(database.execute(query).fetchall())
    engines.assert_same([math.nan if score is None else score for _, score in found], MODEL.eval(DATA))


def test_what_no_table_of_levels_can_be_is_refused() -> None:
    small = CurveModel("m", [EnumCurve("c", {"a": 1.0})])
    options: dict[str, Any] = {"form": "select", "table": "people", "levels": "x"}
    for given in (options, {"form": "levels"}):
        with pytest.raises(InputError, match="no categorical has 200 levels or more"):
            curvec.emit(small, "sql", "duckdb", **given)
    with pytest.raises(InputError, match="form='expression' joins no levels; leave levels='x' out"):
        curvec.emit(MODEL, "sql", "duckdb", levels="x")
    for level in ("", "null", " a"):
        model = CurveModel("m", [EnumCurve("c", {**TEXTS, level: 1.0})])
        with pytest.raises(UnsupportedError, match=f"may take the level '{level}' for another one or a missing one"):
            curvec.emit(model, "sql", "duckdb", form="levels")
