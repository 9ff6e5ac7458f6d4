"""What every test relies on."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples on every run, for what has to pass before a change lands; by default each run tries others.
settings.register_profile("repeatable", settings.get_profile("default"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

_TOGETHER = re.compile(r"\b(postgres|mariadb|spark|bigquery)\]$|(test_packaging)\.py::")
"""Tests that stay in one process: those of an engine with a server, a JVM or a long start; those that build wheels."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Any test to any process, but those that belong together to one.

    xdist's own mark for this does nothing under pytest 9.2, where it can no longer change a test's name.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  only there when tests run in several processes

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            found = _TOGETHER.search(nodeid)
            return found[1] or found[2] if found else nodeid

    return Scheduling(config, log)
