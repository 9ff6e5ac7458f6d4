"""Servers of our own: started on a socket in a folder of their own, and gone with the process that started them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from real_engines import needed

from curvec.parity.runners.postgres import _binaries

INSTALLED = """
import tempfile
import psycopg
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
