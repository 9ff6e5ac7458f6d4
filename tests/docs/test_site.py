"""The site: it builds without a warning, and what it says of commands and files is so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import typer

from curvec.cli import app

ROOT = Path(__file__).parents[2]


def test_the_architecture_page_names_every_part() -> None:
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    for path in (ROOT / "curvec").iterdir():
        if path.name.startswith("_") or path.suffix not in ("", ".py"):
            continue
        assert path.name in text, f"{path.name} is not in the picture of the layout"


def test_it_builds_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # the theme's word on its successor, not on these pages
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    reference = (tmp_path / "site" / "reference" / "cli" / "index.html").read_text(encoding="utf-8")
    for name in typer.main.get_command(app).commands:  # type: ignore[attr-defined]  # a group
        assert f"curvec {name}" in reference
    fetched = {"http://fonts", "https://fonts", "https://unpkg", "https://cdn"}
    home = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not [address for address in fetched if address in home]
