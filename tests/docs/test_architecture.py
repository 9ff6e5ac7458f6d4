"""The page on the architecture names files that exist, and every room of the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
PLACES = [ROOT, ROOT / "curvec"]


def named_files() -> list[str]:
    """Everything in code quotes that is written as a file or a folder."""
    return sorted(
        {
            name
            for name in re.findall(r"`([\w./]+)`", PAGE.read_text())
            if re.search(r"\.(py|hpp|cpp|js|md|toml)$|/$", name)
        }
    )


def layout() -> set[str]:
    """The names that stand directly under curvec/ in the picture of the layout."""
    block = re.search(r"^    curvec/\n((?:      .*\n)+)", PAGE.read_text(), re.MULTILINE)
    assert block
    return {line.split()[0].rstrip("/") for line in block[1].splitlines() if re.match(r"      \S", line)}


@pytest.mark.parametrize("name", named_files())
def test_what_the_page_names_is_there(name: str) -> None:
    assert any((place / name).exists() for place in PLACES), f"{name} is not in the tree"


def test_the_layout_has_every_room() -> None:
    package = ROOT / "curvec"
    rooms = {path.name for path in package.glob("*.py") if not path.name.startswith("__")}
    rooms |= {path.parent.name for path in package.glob("*/__init__.py")}
    assert layout() == rooms
