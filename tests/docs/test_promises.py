"""Every promise names the tests that hold it, and they are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [
    line.strip("|").rsplit("|", 1)
    for line in (ROOT / "docs" / "explanation" / "promises.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| promise |")
]


@pytest.mark.parametrize(("promise", "tests"), ROWS, ids=[row[0].strip() for row in ROWS])
def test_a_promise_is_held_by_tests_that_exist(promise: str, tests: str) -> None:
    named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", tests)
    assert len(named) == tests.count("`") // 2 > 0, promise
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file} has no {name}"
