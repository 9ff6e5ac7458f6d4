"""The emitted Python is the text that is kept; it reads back, and is clean for the tools that people use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from golden_python import FOLDER, golden

from curvec import emit, load

FILES = golden()
CACHE = Path(__file__).parents[2] / ".mypy_cache"


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_text_is_the_one_that_is_kept(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8")
    assert FILES[name] == kept, "if the change is meant: python tests/golden_python.py"


def test_no_file_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == set(FILES)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_kept_file_reads_back_to_its_own_text(name: str) -> None:
    assert emit(load(FOLDER / name), "python", standalone="standalone" in name) == FILES[name]


def test_the_emitted_text_is_typed_strictly(tmp_path: Path) -> None:
    # Against the library's own types, whose check is kept between runs.
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={CACHE}", "--no-error-summary"]
    done = subprocess.run([*command, *sorted(FILES)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


def test_the_emitted_text_is_clean_for_ruff() -> None:
    ruff = [sys.executable, "-m", "ruff"]
    rules = "E4,E7,E9,F,I,UP,B,SIM,C4,RET,PIE"
    lint = ["check", "--isolated", "--no-cache", "--target-version=py310", f"--select={rules}", "--line-length=88"]
    done = subprocess.run([*ruff, *lint, str(FOLDER)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    same = [*ruff, "format", "--isolated", "--no-cache", "--check", str(FOLDER)]
    done = subprocess.run(same, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
