"""The site: it builds without a warning, and what it says of commands and files is so."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import typer

from curvec.cli import application

ROOT = Path(__file__).parents[2]


def test_the_architecture_page_names_every_part() -> None:
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    for path in (ROOT / "curvec").iterdir():
        if path.name.startswith("_") or path.suffix not in ("", ".py"):
            continue
        assert path.name in text, f"{path.name} is not in the picture of the layout"


def test_every_class_that_is_returned_is_in_the_reference() -> None:
    """By what the reference names: what its functions, methods and attributes give is explained there, too."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    names = [
        name for page in pages for name in re.findall(r"^::: (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    places = [name.rpartition(".") for name in names]
    listed = [getattr(importlib.import_module(module), name) for module, _, name in places]
    missing = {
        f"{given.__module__}.{given.__qualname__}"
        for one in listed
        for given in given_by(one)
        if given.__module__.startswith("curvec.") and given not in listed
    }
    assert not missing


def given_by(one: Any) -> Iterator[type]:
    """The classes in the annotations of what a function returns, or a class's methods and attributes give."""
    members = [value for name, value in vars(one).items() if name[0] != "_"] if inspect.isclass(one) else [one]
    functions = [member.fget if isinstance(member, property) else member for member in members]
    kinds = [hints(member).get("return") for member in functions if inspect.isfunction(member)]
    if inspect.isclass(one):
        kinds += [kind for name, kind in hints(one).items() if name[0] != "_"]
    while kinds:
        kind = kinds.pop()
        kinds += get_args(kind)
        if inspect.isclass(kind):
            yield kind


def hints(one: Any) -> dict[str, Any]:
    try:
        return get_type_hints(one)
    except NameError:  # a class of a library that is imported where it is used
        return {}


@pytest.mark.nightly  # by day test_code_blocks.py has its fences and its links
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
    for name in typer.main.get_command(application()).commands:  # type: ignore[attr-defined]  # a group
        assert f"curvec {name}" in reference
    fetched = {"http://fonts", "https://fonts", "https://unpkg", "https://cdn"}
    home = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not [address for address in fetched if address in home]
