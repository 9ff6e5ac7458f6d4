"""A categorical is the same function as a CASE and as a joined table of levels, over every type of column."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import sql_engines as engines
from nightly import NIGHTLY, by_diagonal
from real_engines import SLOW, SQL_ENGINES, needed

import curvec
from curvec import CurveModel, EnumCurve
from curvec.emit.sql_levels import JOIN_FROM
from curvec.ir import FeatureType

NAN = math.nan
COLUMNS: dict[str, tuple[str, FeatureType, list[Any]]] = {
    "int": ("int", "int", [0, 7, -1, 10**6, 2**53, 2**53 + 1, -(2**53) - 1, None]),
    "int as double": (
        "int",
        "number",
        [0.0, -0.0, 7.0, 7.5, -1.0, NAN, -NAN, math.inf, -math.inf, 2.0**53, 1e300, None],
    ),
    "text": ("str", "str", ["0", "7", "7 ", "00", "", "A", "a", None]),
}
"""A type of levels, a type of the column, and what the column holds."""


def categorical(kind: str, count: int, default: float | None, missing: float | None) -> EnumCurve:
    values = [k / 7 for k in range(count)]
    if kind == "str":
        return EnumCurve("c", {str(k): value for k, value in enumerate(values)}, default, missing)
    return EnumCurve("c", {**dict(enumerate(values[:-1])), 2**53: values[-1]}, default, missing)


@by_diagonal(["case", "engine"], list(COLUMNS), [name for name in SQL_ENGINES if NIGHTLY or name not in SLOW])
def test_a_table_of_levels_is_the_case_of_the_levels(case: str, engine: str) -> None:
    kind, column, held = COLUMNS[case]
    runner = needed(engine)
    limits = runner.limits
    inputs = [x for x in held if not isinstance(x, float) or (limits.infinity or not math.isinf(x))]
    inputs = [None if isinstance(x, float) and math.isnan(x) and not limits.nan else x for x in inputs]
    pairs = [(5.0, 7.0), (None, 7.0), (5.0, 5.0)]
    terms = [categorical(kind, count, *pair) for count in (JOIN_FROM - 1, JOIN_FROM) for pair in pairs]
    model = CurveModel("m", terms)
    data = {"c": np.array(inputs, dtype=object) if column == "int" else inputs}
    text = curvec.emit(model, "sql", runner.dialect, form="select", table="people", key=["k"], per_term=True)
    with runner.session() as session:
        loaded = [runner.column("k", "int", range(len(inputs))), runner.column("c", column, inputs)]
        session.load("people", loaded)
        found = sorted([tuple(row) for row in session.query(text)])
    values = [[NAN if value is None else value for value in row[1:-1]] for row in found]
    engines.assert_same(values, model.contributions(data))


@pytest.mark.parametrize(
    ("engine", "level"),
    [
        *((engine, "ab") for engine in ("postgres", "mariadb", "duckdb", "h2")),
        pytest.param("spark", "ab   ", marks=pytest.mark.nightly),  # it takes ten seconds to make a table
    ],
)
def test_a_char_column_is_compared_without_the_blanks_that_fill_it_but_in_spark(engine: str, level: str) -> None:
    """As docs/howto/sql.md says; PostgreSQL's driver returns the blanks all the same."""
    runner = needed(engine)
    model = CurveModel("m", [EnumCurve("c", {"ab": 1.0, "ab   ": 2.0}, default=5.0)])
    with runner.session() as session:
        run = session.connection.sql if engine == "spark" else session.connection.execute
        run("CREATE TABLE people_of_char (c CHAR(5))" + " USING parquet" * (engine == "spark"))
        try:
            run("INSERT INTO people_of_char VALUES ('ab')")
            text = curvec.emit(model, "sql", runner.dialect, form="select", table="people_of_char")
            assert [row[0] for row in session.query(text)] == model.eval({"c": [level]}).tolist()
        finally:
            run("DROP TABLE people_of_char")
