"""The emitted Python is the text that is kept; it reads back, and is clean for the tools that people use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from golden_python import FOLDER, emitted, golden

from curvec import emit, load

FILES = emitted()
KEPT = golden()
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The emitted modules, as files."""
    path = tmp_path_factory.mktemp("emitted")
    for name, text in FILES.items():
        (path / name).write_text(text, encoding="utf-8", newline="\n")
    return path


@pytest.mark.parametrize("name", sorted(KEPT))
def test_the_text_is_the_one_that_is_kept(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8")
    assert KEPT[name] == kept, "if the change is meant: python tests/regenerate.py"


def test_no_file_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(KEPT)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_module_reads_back_to_its_own_text(folder: Path, name: str) -> None:
    assert emit(load(folder / name), "python", standalone="standalone" in name) == FILES[name]


def test_the_emitted_text_is_clean_for_ruff(folder: Path) -> None:
    ruff = [sys.executable, "-m", "ruff"]
    rules = "E4,E7,E9,F,I,UP,B,SIM,C4,RET,PIE"
    lint = ["check", "--isolated", "--no-cache", "--target-version=py310", f"--select={rules}", "--line-length=88"]
    done = subprocess.run([*ruff, *lint, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    same = [*ruff, "format", "--isolated", "--no-cache", "--check", str(folder)]
    done = subprocess.run(same, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
