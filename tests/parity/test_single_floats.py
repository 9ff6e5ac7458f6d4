"""Columns of 32-bit floats on every SQL engine: compared as the doubles that they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sql_engines as engines
from real_engines import by_engine, needed

from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve, emit
from curvec.emit.sql_levels import JOIN_FROM
from curvec.parity.check import run
from curvec.parity.probes import probes
from curvec.parity.runners import ColumnType
from curvec.parity.runners.base import TableColumn
from curvec.parity.runners.sql import Session, SqlRunner

CUTS = [-0.9, 0.1, 1 / 3, 0.7, 123456.7, 16777217.0, 1e10 + 0.3]
"""Doubles that are no 32-bit floats."""
LEVELS = [-(2**24) - 1, 2**24 - 1, 2**24, 2**24 + 1, 123456789, 10**9 + 7, 2**31 - 1, 2**31, 40284200961, 2**53 - 1]
"""Integers of which few are 32-bit floats."""
CURVES = [StepCurve("x", CUTS, range(len(CUTS) + 1)), PWLCurve("x", [(x, k) for k, x in enumerate(CUTS)])]
FEW = EnumCurve("z", {level: float(at) for at, level in enumerate(LEVELS)}, default=-1.0, missing=-2.0)
MANY = EnumCurve("z", {**FEW.levels, **{k: k / 7 for k in range(JOIN_FROM)}}, default=-1.0, missing=-2.0)
MODEL = CurveModel("single", [*CURVES, FEW, MANY])


def beside(values: Sequence[float]) -> list[float]:
    """The nearest 32-bit float of each value and the two next to it."""
    near = np.array(values, dtype=np.float32)
    around = [np.nextafter(near, np.float32(way)) for way in (-np.inf, np.inf)]
    found: list[float] = np.concatenate([near, *around]).astype(np.float64).tolist()
    return found


LEVEL_INPUTS = beside(LEVELS)
INPUTS = {"x": np.resize(beside(CUTS), len(LEVEL_INPUTS)).tolist(), "z": LEVEL_INPUTS}


def single(runner: SqlRunner) -> ColumnType:
    """The engine's 32-bit float."""
    third = float(np.float32(1 / 3))
    found = [column for column in runner.column_types()["number"] if column.nearest(1 / 3) == third]
    if not found:
        pytest.skip(f"{runner.name} has no 32-bit float")
    return found[0]


def load(session: Session, runner: SqlRunner) -> None:
    columns = [TableColumn(name, single(runner), values) for name, values in INPUTS.items()]
    session.load("people", [runner.column("k", "int", range(len(LEVEL_INPUTS))), *columns])


def terms(session: Session, runner: SqlRunner) -> Any:
    """(rows, 4) what the query gives for each term."""
    text = emit(MODEL, "sql", runner.dialect, form="select", table="people", key=["k"], per_term=True)
    return [row[1:-1] for row in sorted(map(tuple, session.query(text)))]


@by_engine("engine")
def test_neighbours_of_cuts_and_levels_are_told_apart(engine: str) -> None:
    runner = needed(engine)
    with runner.session() as session:
        load(session, runner)
        engines.assert_same(terms(session, runner), MODEL.contributions(INPUTS))


@pytest.mark.nightly
def test_neighbours_of_cuts_and_levels_are_told_apart_by_spark_without_ansi() -> None:
    """It compares an integer with a 32-bit float as such then."""
    runner, setting = needed("spark"), "spark.sql.ansi.enabled"
    with runner.session() as session:
        load(session, runner)
        session.connection.conf.set(setting, "false")
        try:
            engines.assert_same(terms(session, runner), MODEL.contributions(INPUTS))
        finally:
            session.connection.conf.unset(setting)


@by_engine("engine")
def test_the_check_counts_the_neighbours_of_levels_as_unseen(engine: str) -> None:
    runner = needed(engine)
    with runner.session() as session:
        load(session, runner)
        text = emit(CurveModel("few", [FEW]), "sql", runner.dialect, form="check", table="people")
        ((_, rows, missing, _, _, unseen, _),) = session.query(text)
    known = {float(level) for level in LEVELS}
    assert (rows, missing, unseen) == (len(LEVEL_INPUTS), 0, sum(x not in known for x in LEVEL_INPUTS))
    assert 0 < unseen < rows


@by_engine("engine")
def test_large_levels_in_columns_of_every_type(engine: str) -> None:
    runner = needed(engine)
    model = CurveModel("few", [FEW])
    result = run(runner, model, probes(model))
    assert result.verdict == "identical", f"{result.notes} {result.worst}"
