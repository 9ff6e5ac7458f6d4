"""SQL as it is, file by file; ``make golden`` writes the files again, and their difference is to be read."""

from __future__ import annotations

import re

import pytest
from golden_sql import DIFFERENCES, FOLDER, MODEL, golden, respelled, texts

import curvec
from curvec import EnumCurve
from curvec.emit.dialects import DIALECTS


def test_the_text_is_the_golden_one() -> None:
    for file, text in golden().items():
        assert text == (FOLDER / file).read_bytes().decode(), (
            f"{file} differs; run make golden, and read the difference"
        )


def test_there_is_no_golden_file_too_many() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(golden())


def test_the_files_hold_every_text_to_the_last_byte() -> None:
    for name, text in texts().items():
        assert kept(name) == text, f"what is kept of {name} does not make its text"


def kept(name: str) -> str:
    """The text that the files make: it is kept whole, or as how it differs from one that they make."""
    if name not in DIFFERENCES:
        return (FOLDER / f"{name}.sql").read_bytes().decode()
    base, spelled = DIFFERENCES[name]
    return patched(respelled(kept(base), spelled), (FOLDER / f"{name}.diff").read_bytes().decode())


def patched(text: str, diff: str) -> str:
    """The text to which a unified diff without context is applied."""
    lines = text.split("\n")
    hunks = re.split(r"^@@ -(\d+)(?:,(\d+))? .* @@\n", diff, flags=re.MULTILINE)[1:]
    for start, count, hunk in reversed(list(zip(hunks[::3], hunks[1::3], hunks[2::3], strict=True))):
        changed = hunk.removesuffix("\n").split("\n")
        removed, added = ([line[1:] for line in changed if line[0] == sign] for sign in "-+")
        first = int(start) - bool(removed)  # where nothing is removed, the line before is named
        assert lines[first : first + len(removed)] == removed
        assert len(removed) == int(count or 1)
        lines[first : first + len(removed)] = added
    return "\n".join(lines)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_expression_has_an_arm_for_every_level(dialect: str) -> None:
    """However many there are: the golden expressions are of few."""
    codes = MODEL.terms[-1]
    assert isinstance(codes, EnumCurve)
    text = curvec.emit(MODEL, "sql", dialect)
    arms = re.findall(r"'(\d{4})'.* THEN ([\d.]+(?:e-?\d+)?)", text)
    assert [(level, float(value)) for level, value in arms] == list(codes.levels.items())
