"""Columns that are known to be doubles: no cast is written, and every score is the same."""

from __future__ import annotations

import math

import pytest
from sql_engines import IN_PROCESS, assert_same, connected, fetch, fill

from curvec import CurveModel, EnumCurve, InputError, Line, PWLCurve, StepCurve, Sum, emit

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=0.25)
MODEL = CurveModel(
    "m",
    [
        AGE,
        PWLCurve("priors", [(0, -0.8), (3, 0.4)], special={-9: 0.1}),
        StepCurve("age", [30, 40.5], [0.1, 0.2, 0.4], missing=0),
        PWLCurve(Sum([Line("priors"), PWLCurve("age", [(20, 0), (30, 1)], missing=2)]), [(0, 0), (4, 1)], "log1p"),
        EnumCurve("sex", {1: 0, 2: 0.3}),
    ],
)
DOUBLES = {"age": "double", "priors": "double"}
ROWS = [(age, priors, 1 + k % 2) for k, age in enumerate([17.0, 18.0, 20.3, math.nextafter(21, 0), 46.0, 1e300, None])
        for priors in (-9.0, -1.0, 0.0, 1 / 3, 3.0, 7.5, None)]  # fmt: skip


@pytest.mark.parametrize("form", ["expression", "select"])
@pytest.mark.parametrize("dialect", IN_PROCESS)
def test_the_score_is_the_same_without_the_casts(dialect: str, form: str) -> None:
    def query(**options: object) -> str:
        if form == "select":
            return emit(MODEL, "sql", dialect=dialect, form="select", table="rows", **options)
        return f"SELECT {emit(MODEL, 'sql', dialect=dialect, **options)} FROM rows"  # noqa: S608  no outside text

    with_casts, without = query(), query(types=DOUBLES)
    assert len(without) < len(with_casts)
    assert "CAST(" not in without
    double = {"sqlite": "REAL", "duckdb": "DOUBLE", "postgres": "double precision"}[dialect]
    with connected(dialect) as connection:
        fill(connection, dialect, {"age": double, "priors": double, "sex": "INTEGER"}, ROWS)
        assert_same(fetch(connection, without), fetch(connection, with_casts))


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ({"aeg": "double"}, "age, priors"),
        ({"sex": "double"}, "age, priors"),
        ({"age": "real"}, "'double' is the one"),
        (["age"], "mapping of features to 'double'"),
    ],
)
def test_other_types_are_refused(types: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        emit(MODEL, "sql", dialect="duckdb", types=types)


def test_columns_that_are_no_mapping_are_refused() -> None:
    with pytest.raises(InputError, match="mapping of features to columns"):
        emit(MODEL, "sql", dialect="duckdb", columns=["age"])
