"""Temporary folders, and the servers in them, which are removed when this process ends, even if it is killed.

``atexit`` and ``with`` do not run in a process that is ended by a signal. So the first folder starts a watcher: a
process that reads from a pipe whose other end only this process has. It is told each folder, and when the pipe closes
it ends every process that belongs to a folder, and removes the folder.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

# A process belongs to a folder that is on its command line, where there is /proc, or that holds its number in the file
# that PostgreSQL or MariaDB keeps there. They take SIGQUIT as the order to end at once, with all their own processes.
_WATCHER = """
import glob, os, shutil, signal, sys, time

def pids(folder):
    files = [f"{folder}/{name}" for name in ("pid", "postmaster.pid", "data/postmaster.pid")]
    numbers = [open(name).readline().strip() for name in files if os.path.exists(name)]
    for name in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            if folder.encode() in open(name, "rb").read():
                numbers.append(name.split("/")[2])
        except OSError:
            pass
    return {int(number) for number in numbers if number.isdigit()} - {os.getpid()}

def end(folder):
    for turn in range(100):
        found = False
        for pid in pids(folder):
            try:
                os.kill(pid, signal.SIGQUIT if turn < 30 else signal.SIGKILL)
                found = True
            except OSError:
                pass
        if not found:
            shutil.rmtree(folder, ignore_errors=True)
            if not os.path.exists(folder):
                break
        time.sleep(0.1)

folders = [line.rstrip("\\n") for line in sys.stdin]
for folder in folders:
    if os.path.isdir(folder):
        end(folder)
"""


def scratch(prefix: str) -> str:
    """A new folder, which is removed at the latest when this process has ended."""
    folder = f"{tempfile.gettempdir()}/curvec-{prefix}-{secrets.token_hex(6)}"
    try:
        _tell(folder)  # before it is there, so that there is no moment in which it is there and not watched
    except BrokenPipeError:  # somebody ended the watcher
        _watched.cache_clear()
        _tell(folder)
    Path(folder).mkdir(mode=0o700)
    return folder


@contextmanager
def scratch_folder(prefix: str) -> Iterator[str]:
    """A new folder for as long as the block runs."""
    folder = scratch(prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tell(folder: str) -> None:
    os.write(_watched(), f"{folder}\n".encode())


@cache
def _watched() -> int:
    """The pipe to the watcher, which does not end with our terminal's or our group's signals.

    A descriptor, as it stays open until the process has ended: of an open file Python would warn.
    """
    nothing = subprocess.DEVNULL
    watcher = subprocess.Popen(  # noqa: S603  our own text
        [sys.executable, "-I", "-S", "-c", _WATCHER],
        stdin=subprocess.PIPE,
        stdout=nothing,
        stderr=nothing,
        start_new_session=True,
    )
    watcher.returncode = 0  # it outlives us: no warning that nobody waited for it
    assert watcher.stdin is not None  # noqa: S101  it is a pipe
    with watcher.stdin as pipe:
        return os.dup(pipe.fileno())
