"""The SQL engines as tests see them: each skipped with what to install where it is missing."""

from __future__ import annotations

import pytest

from curvec.parity import RUNNERS
from curvec.parity.runners.sql import SqlRunner

__all__ = ["SQL_ENGINES", "needed"]

SQL_ENGINES = [name for name, runner in RUNNERS.items() if isinstance(runner, SqlRunner)]
"""One parameter an engine; conftest keeps the tests of one engine in one process, where its server or JVM is."""


def needed(name: str) -> SqlRunner:
    """The engine's runner, or a skip that says what to install."""
    runner = RUNNERS[name]
    assert isinstance(runner, SqlRunner)
    if (need := runner.needs()) is not None:
        pytest.skip(f"no {name} ({need})")
    return runner
