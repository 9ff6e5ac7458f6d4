"""Tables of files."""

from __future__ import annotations

from pathlib import Path

import narwhals.stable.v1 as nw
import pytest

from curvec import files
from curvec.files import read_table


@pytest.mark.parametrize("backend", files._BACKENDS, ids=str)
def test_an_empty_cell_is_missing_whoever_reads_it(
    backend: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_BACKENDS", (backend,))
    path = tmp_path / "rows.csv"
    path.write_text("n,text\n1,a\n,\n3,b\n", encoding="utf-8")
    frame = nw.from_native(read_table(path), eager_only=True)
    assert [frame[name].is_null().to_list() for name in ("n", "text")] == [[False, True, False]] * 2
    assert frame["text"].drop_nulls().to_list() == ["a", "b"]
