"""The page of dependencies names each package that is declared, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib  # type: ignore[import-not-found, no-redef, unused-ignore]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "dependencies.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def declared(requirements: list[str]) -> set[str]:
    names = {re.split(r"[\[<>=; ]", requirement)[0] for requirement in requirements}
    return names - {"curvec"}


def told(row: str) -> set[str]:
    return set(re.findall(r"`([\w-]+)`", row))


def test_each_package_of_an_install_has_its_reason() -> None:
    _, rows, _ = re.split(r"^## .*$", PAGE, flags=re.MULTILINE)
    found = {name for row in rows.splitlines() if row.startswith("| `") for name in told(row.split("|")[1])}
    assert found == declared(PROJECT["dependencies"])


@pytest.mark.parametrize("extra", sorted(set(PROJECT["optional-dependencies"]) - {"all"}))
def test_each_package_of_an_extra_has_its_reason(extra: str) -> None:
    rows = [row.split("|") for row in PAGE.splitlines() if row.startswith(f"| `{extra}` |")]
    found = {name for row in rows for name in told(row[2])}
    assert found == declared(PROJECT["optional-dependencies"][extra])
    assert all(row[3].strip() for row in rows)
