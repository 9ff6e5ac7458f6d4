"""The runners, by name: add yours to the tuple."""

from __future__ import annotations

from curvec.parity.runners.base import Data, Limits, Runner, Scores
from curvec.parity.runners.bound import BoundRunner
from curvec.parity.runners.cpp import CppRunner
from curvec.parity.runners.duckdb import DuckdbRunner
from curvec.parity.runners.javascript import JavaScriptRunner
from curvec.parity.runners.python import PythonRunner
from curvec.parity.runners.sqlite import ApswRunner, SqliteRunner

__all__ = ["RUNNERS", "Data", "Limits", "Runner", "Scores"]

RUNNERS: dict[str, Runner] = {
    runner.name: runner
    for runner in (
        PythonRunner("python", standalone=False),
        PythonRunner("python_standalone", standalone=True),
        CppRunner("cpp", standalone=False),
        CppRunner("cpp_standalone", standalone=True),
        BoundRunner(),
        JavaScriptRunner(),
        SqliteRunner(),
        ApswRunner(),
        DuckdbRunner(),
    )
}
