"""The page on the architecture names files that exist, and every room of the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from curvec.distill.options import DistillOptions
from curvec.emit.dialects import DIALECTS
from curvec.ir import NODES
from curvec.links import LINKS
from curvec.metrics import METRICS
from curvec.review.rules import CURVE_RULES, MODEL_RULES, TERM_RULES
from curvec.teachers.registry import ADAPTERS
from curvec.transforms import TRANSFORMS

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


def additions() -> dict[str, tuple[int, list[str]]]:
    """What can be added -> how many files the page says that takes, and which."""
    section = PAGE.read_text().split("## Where to add\n")[1].split("\n## ")[0]
    parts = re.split(r"\*\*(?:An?) ([\w ]+): (\d+) files?\.\*\*", section)[1:]
    texts = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {
        what: (int(count), re.findall(r"`((?:curvec|templates|runtime)/[\w./]+)`", text)) for what, count, text in texts
    }


@pytest.mark.parametrize("what", additions())
def test_the_files_of_an_addition_are_as_many_as_it_says(what: str) -> None:
    count, files = additions()[what]
    assert len(set(files)) == len(files) == count


def camel(name: str) -> str:
    """A class's name as that of a function of JavaScript: ``pwlCurve`` for ``PWLCurve``."""
    return re.sub("^[A-Z]+(?=[A-Z][a-z])|^[A-Z]", lambda capitals: capitals[0].lower(), name)


SPELLINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "node": {name: (name, f"k{name}", camel(name)) for name in NODES},
    "transform": {name: (name, entry.cpp) for name, entry in TRANSFORMS.items()},
    "link": {name: (name, entry.cpp) for name, entry in LINKS.items() if name != "identity"},
    "SQL dialect": {name: (name,) for name in DIALECTS},
    "metric": {name: (name,) for name in METRICS},
    "policy rule": {name: (name,) for name in (*MODEL_RULES, *CURVE_RULES, *TERM_RULES)},
    "option of distill": {name: (name,) for name in DistillOptions.__struct_fields__ if name != "overrides"},
}
"""What there is of a kind, each with its names in the files of the list."""
NOT_ALL = {"step_curve.hpp", "curvec.hpp", "vector_log.hpp", "platform_log.hpp"}
"""Files of a list that only some of a kind are in."""


@pytest.mark.parametrize("what", SPELLINGS)
def test_every_file_of_a_list_has_what_there_is_of_that_kind(what: str) -> None:
    for file in additions()[what][1]:
        text = (ROOT / file).read_text()
        for name, spellings in SPELLINGS[what].items():
            found = re.search(rf"\b({'|'.join(spellings)})\b", text)
            assert found or Path(file).name in NOT_ALL, f"{file} has no {name}"


def test_the_list_of_teachers_has_every_adapter() -> None:
    adapters = [
        path
        for path in (ROOT / "curvec/teachers").glob("*.py")
        if re.search(r"^ADAPTER\b", path.read_text(), re.MULTILINE)
    ]
    assert len(adapters) == len(ADAPTERS)
