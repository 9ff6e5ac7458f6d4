"""What every test relies on."""

from __future__ import annotations

import gc
import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Threads of OpenMP and of BLAS wait for one another by spinning; beside other tests, that takes most of the time. Set
# before anything loads them, and for the processes that tests start.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import pytest
from hypothesis import HealthCheck, settings
from kept_cpp import keep_cpp
from nightly import NIGHTLY

# The same examples on every run: what passes for one passes for all. `make nightly` draws new ones, and more.
settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("nightly", settings.get_profile("default"), derandomize=False, max_examples=400)
settings.load_profile("nightly" if NIGHTLY else "default")

if kept := os.environ.get("CURVEC_KEEP_CPP"):
    keep_cpp(Path(kept))

_ENGINE = re.compile(r"\b(postgres|mariadb|spark|bigquery|h2)\]$|\btest_(spark)\.py::")
"""Tests of an engine with a server, a JVM or a long start: they stay in one process, whichever file they are in."""

_BROWSER = tuple(f"report/test_{name}.py" for name in ("browser", "kept_page", "editing", "axe"))
"""Files that share a browser and the demo's page in it."""

_LONG = (
    "spark", "browser", "test_code_blocks.py", "test_cpp.py", "bigquery", "test_engines.py", "test_cpp_package.py",
    "test_types.py", "test_program.py", "test_packaging.py", "test_sklearn.py", "test_sql_large.py", "postgres",
    "test_statsmodels.py", "test_servers.py", "mariadb", "test_messages.py", "test_every_language.py",
    "test_distill.py", "test_linear.py", "test_sql_warehouses.py", "test_noise.py", "test_emitted.py",
    "test_sql_layout.py", "test_others.py", "test_commands.py", "test_plot.py", "test_site.py", "test_command.py",
    "test_sql_text.py", "test_cli.py", "test_sql_sqlite.py", "test_pairs.py", "test_size.py", "test_round_trip.py",
    "test_report.py",
)  # fmt: skip
"""What takes longest, first of all, so that no process is left with it when the other has ended."""


def _scope(nodeid: str) -> str:
    """What keeps a test in one process: its engine, the browser, or its file, whose fixtures are then made once."""
    file = nodeid.partition("::")[0]
    if found := _ENGINE.search(nodeid):
        return next(filter(None, found.groups()))
    return "browser" if file.endswith(_BROWSER) else file


def _place(scope: str) -> int:
    return next((place for place, long in enumerate(_LONG) if scope.endswith(long)), len(_LONG))


@pytest.fixture(scope="session", autouse=True)
def quick_compiler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """By day c++ is Clang that does not optimise, in a quarter of the time; test_cpp.py names what else it tries."""
    if NIGHTLY or not (there := shutil.which("clang++")):
        yield
        return
    compiler = tmp_path_factory.mktemp("compiler") / "c++"
    compiler.write_text(f'#!/bin/sh\nexec {shlex.quote(there)} "$@" -O0\n', encoding="utf-8")
    compiler.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{compiler.parent}{os.pathsep}{os.environ['PATH']}")
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests by their scope, in the order of the collection.

    xdist's own mark for this does nothing under pytest 9.2, where it can no longer change a test's name.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  only there when tests run in several processes

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _scope(nodeid)

    config.option.loadscopereorder = False
    return Scheduling(config, log)


def pytest_collection_finish() -> None:
    """What was loaded so far lives to the end: no search for garbage goes through it again, a tenth of all the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest first; what is marked ``nightly`` only then."""
    if not NIGHTLY:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("nightly")])
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    items.sort(key=lambda item: _place(_scope(item.nodeid)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each thing that is not here: how to get it, and how many tests wait for it."""
    reports = {report.nodeid: report for report in terminalreporter.stats.get("skipped", [])}
    waiting = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports.values())
    if waiting:
        terminalreporter.section("skipped, as something is not installed")
        for way, tests in sorted(waiting.items()):
            terminalreporter.write_line(f"{tests} {'test' if tests == 1 else 'tests'}: {way}")
