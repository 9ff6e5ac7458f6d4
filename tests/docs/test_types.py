"""What the README and the documentation write, a type checker accepts: every name they use is there, and typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pages import PAGES, ROOT, blocks

pytest.importorskip("mypy")

_A_PAGES_OWN = '# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="import-untyped,import-not-found"'
"""Functions that a page defines, and packages without types. In the file, as other options would need another cache."""


def checked(files: list[Path]) -> tuple[int, str]:
    """mypy's exit code and output."""
    command = [sys.executable, "-m", "mypy", *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_every_example_is_well_typed(tmp_path: Path) -> None:
    files = []
    for page in PAGES:
        name = str(page.relative_to(ROOT).with_suffix("")).replace("/", "_")
        lines = [_A_PAGES_OWN]
        for block in blocks(page):
            if block.language == "python" and not block.title:
                lines += [""] * (block.line - len(lines)) + block.body.splitlines()  # numbered as on the page
        if len(lines) > 1:
            files.append(tmp_path / f"{name}.py")
            files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import curvec\n"
        "curvec.parity.check(1)\n"
        "curvec.CurveClassifier(no_such_option=1)\n"
        "curvec.review.no_such_name\n"
        "curvec.no_such_name\n",
        encoding="utf-8",
    )
    code, output = checked([*files, wrong])
    *errors, _ = output.splitlines()
    assert code == 1
    assert all("wrong.py" in line for line in errors), output
    assert {line.split(":")[1] for line in errors} == {"2", "3", "4", "5"}, output  # what is loaded late is typed, too
