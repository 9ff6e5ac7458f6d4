"""The SQL engines as tests see them: each skipped with what to install where it is missing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from nightly import NIGHTLY

from curvec.parity import RUNNERS
from curvec.parity.runners import clickhouse
from curvec.parity.runners.sql import SqlRunner

__all__ = ["JIT", "SLOW", "SQL_ENGINES", "by_engine", "needed"]

SQL_ENGINES = [name for name, runner in RUNNERS.items() if isinstance(runner, SqlRunner)]
"""One parameter an engine; conftest keeps the tests of one engine in one process, where its server or JVM is."""

SLOW = ("bigquery", "spark")
"""Engines that plan a query for a second. By day test_engines.py has every node on BigQuery, test_spark.py on Spark."""


def by_engine(name: str, engines: Sequence[str] = SQL_ENGINES) -> pytest.MarkDecorator:
    """A parameter that is each engine; at night those that are slow, too."""
    return pytest.mark.parametrize(
        name, [pytest.param(engine, marks=[pytest.mark.nightly] * (engine in SLOW)) for engine in engines]
    )


JIT = "compile_expressions"
if not NIGHTLY:  # it takes three quarters of the time of all queries; one test in test_engines.py is with it
    clickhouse._SETTINGS[JIT] = 0


def needed(name: str) -> SqlRunner:
    """The engine's runner, or a skip that says what to install."""
    runner = RUNNERS[name]
    assert isinstance(runner, SqlRunner)
    if (need := runner.needs()) is not None:
        pytest.skip(f"no {name} ({need})")
    return runner
