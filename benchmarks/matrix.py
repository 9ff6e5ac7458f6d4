"""The tests on the lowest and on the newest declared versions of everything, on each Python that is here.

Usage: python benchmarks/matrix.py [--pythons 3.10,3.13] [--resolutions lowest-direct,highest] [--extra all] [TEST ...]

Needs uv (pip install uv). Each cell is an environment of its own in build/matrix, with curvec built in it without
isolation, so by the same lowest versions of what builds it; then the tests run there, all of them unless some are
named. Prints one line a cell, and the exit status is 1 where one failed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "matrix"


def main() -> int:
    """Every cell, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pythons", default="3.10,3.11,3.12,3.13,3.14")
    parser.add_argument("--resolutions", default="lowest-direct,highest")
    parser.add_argument("--extra", default="all")
    parser.add_argument("tests", nargs="*", default=["tests"])
    asked = parser.parse_args()
    found = [
        cell(python, resolution, asked.extra, asked.tests)
        for python in asked.pythons.split(",")
        for resolution in asked.resolutions.split(",")
    ]
    return int(not all(found))


def cell(python: str, resolution: str, extra: str, tests: list[str]) -> bool:
    """Whether all tests pass there, or that Python is not here."""
    folder = FOLDER / f"{python}-{resolution}"
    shutil.rmtree(folder, ignore_errors=True)
    steps = {
        "made": [*uv("venv"), "--no-python-downloads", "--python", python, folder],
        "resolved": [
            *[*uv("pip", "compile"), "--python", folder / "bin" / "python", "--resolution", resolution],
            *["--extra", extra, "--output-file", folder / "versions.txt", ROOT / "pyproject.toml"],
        ],
        "installed": [*uv("pip", "install"), "--python", folder / "bin" / "python", "-r", folder / "versions.txt"],
        "built": [
            *[*uv("pip", "install"), "--python", folder / "bin" / "python"],
            *["--no-deps", "--no-build-isolation", f"-Cbuild-dir={folder / 'build'}", ROOT],
        ],
        # The lowest versions warn of what is newer beneath them; that is no fault of curvec's.
        "tested": [folder / "bin" / "pytest", "-q", *([] if resolution == "highest" else ["-W", "default"]), *tests],
    }
    environment = os.environ | {"VIRTUAL_ENV": str(folder), "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    for name, command in steps.items():
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            if name == "made":
                print(f"{python} {resolution}: not here", flush=True)
                return True
            print(f"{python} {resolution}: not {name}\n{done.stdout[-3000:]}{done.stderr[-3000:]}", flush=True)
            return False
    print(f"{python} {resolution}: {done.stdout.splitlines()[-1]}", flush=True)
    return True


def uv(*command: str) -> list[str]:
    """A command of uv, of the environment that runs this or of the machine."""
    own = Path(sys.executable).with_name("uv")
    return [str(own) if own.exists() else "uv", *command, "--quiet"]


if __name__ == "__main__":
    sys.exit(main())
