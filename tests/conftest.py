"""What every test relies on."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from kept_cpp import keep_cpp

# The same examples on every run: what passes for one passes for all. `make nightly` tries examples that are new.
settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("nightly", settings.get_profile("default"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

if kept := os.environ.get("CURVEC_KEEP_CPP"):
    keep_cpp(Path(kept))

_TOGETHER = re.compile(
    r"\b(postgres|mariadb|spark|bigquery)\]$|\btest_(spark)\.py::|(test_packaging|test_cpp_package|test_browser)\.py::"
)
"""Tests that stay in one process: those of an engine with a server, a JVM or a long start; those of a file that builds
wheels, builds the C++ tests, or starts a browser once for all of them."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Any test to any process, but those that belong together to one.

    xdist's own mark for this does nothing under pytest 9.2, where it can no longer change a test's name.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  only there when tests run in several processes

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            found = _TOGETHER.search(nodeid)
            return next(filter(None, found.groups())) if found else nodeid

    return Scheduling(config, log)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each thing that is not here: how to get it, and how many tests wait for it."""
    reports = {report.nodeid: report for report in terminalreporter.stats.get("skipped", [])}
    waiting = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports.values())
    if waiting:
        terminalreporter.section("skipped, as something is not installed")
        for way, tests in sorted(waiting.items()):
            terminalreporter.write_line(f"{tests} {'test' if tests == 1 else 'tests'}: {way}")
