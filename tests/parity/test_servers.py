"""Servers of our own: started on a socket in a folder of their own, and gone with the process that started them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from nightly import by_diagonal
from real_engines import needed

from curvec.parity import RUNNERS
from curvec.parity.runners.postgres import _binaries

INSTALLED = """
import tempfile
import psycopg
from curvec.parity import RUNNERS
from curvec.parity.runners.postgres import _installed_server
address = _installed_server(tempfile.mkdtemp(prefix="curvec-pg-"))
with psycopg.connect(address) as connection:
    assert connection.execute("SELECT 0.1::float8 + 0.2::float8").fetchone() == (0.1 + 0.2,)
print(address)
"""
OWN = """
from curvec.parity.runners.{name} import {runner}, _server
with {runner}().session() as session:
    assert [tuple(row) for row in session.query("SELECT 1")] == [(1,)]
print(_server())
"""


def test_an_installed_postgres_is_started_and_stopped() -> None:
    needed("postgres")
    if _binaries() is None:
        pytest.skip("no PostgreSQL of the system's own (Debian: apt-get install postgresql)")
    ends(INSTALLED)


@pytest.mark.parametrize("name", ["postgres", "mariadb"])
def test_a_server_ends_with_the_process_that_started_it(name: str) -> None:
    needed(name)
    ends(OWN.format(name=name, runner=f"{name.title()}Runner"))


def ends(program: str) -> None:
    """The program runs, and no process is left that has its server's folder on its command line."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = re.search(r"curvec-(pg|my)-\w+", done.stdout)
    assert folder is not None, done.stdout
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert folder[0] not in listed


KILLED = """
import curvec
from curvec.parity import check
curve = curvec.PWLCurve("x", [(0, 1), (1, 2)])
print("started", flush=True)
while True:
    check(curvec.CurveModel("m", [curve]), targets=["{name}"])
    print("scored", flush=True)
"""


@by_diagonal(
    ["how", "after", "name"],
    [signal.SIGTERM, signal.SIGKILL],
    ["started", "scored"],
    ["postgres", "mariadb", "clickhouse", "h2", "cpp"],
)
def test_nothing_is_left_of_a_parity_that_is_killed(name: str, after: str, how: signal.Signals) -> None:
    if (need := RUNNERS[name].needs()) is not None:
        pytest.skip(f"{name}: {need}")
    with tempfile.TemporaryDirectory(prefix="killed-", dir="/tmp") as folder:  # a socket's path has to be short
        Path(folder).chmod(0o777)  # servers may run as another user
        environment = {**os.environ, "TMPDIR": folder}
        program = [sys.executable, "-c", KILLED.format(name=name)]
        with subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            while process.stdout.readline().strip() != after:
                assert process.poll() is None
            if after == "started":  # as soon as there is a folder: in the middle of what makes a server
                until(lambda: any(path.is_dir() for path in Path(folder).iterdir()))  # files are tempfile's own
            process.send_signal(how)
        until(lambda: not any(Path(folder).iterdir()))
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        assert folder not in listed


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds: ten minutes at most, which no load on the machine makes of it."""
    deadline = time.monotonic() + 600
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
