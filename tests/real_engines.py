"""The SQL engines as tests see them: each skipped with what to install where it is missing."""

from __future__ import annotations

import pytest
from nightly import NIGHTLY

from curvec.parity import RUNNERS
from curvec.parity.runners import clickhouse
from curvec.parity.runners.sql import SqlRunner

__all__ = ["JIT", "SQL_ENGINES", "needed"]

SQL_ENGINES = [name for name, runner in RUNNERS.items() if isinstance(runner, SqlRunner)]
"""One parameter an engine; conftest keeps the tests of one engine in one process, where its server or JVM is."""

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
