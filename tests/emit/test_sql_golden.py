"""SQL as it is, file by file; ``make golden`` writes the files again, and their difference is to be read."""

from __future__ import annotations

from golden_sql import FOLDER, golden


def test_the_text_is_the_golden_one() -> None:
    for file, text in golden().items():
        assert text == (FOLDER / file).read_bytes().decode(), (
            f"{file} differs; run make golden, and read the difference"
        )


def test_there_is_no_golden_file_too_many() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(golden())
