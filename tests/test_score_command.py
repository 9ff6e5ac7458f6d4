"""``curvec score``: a file of scores that is whole or not there."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curvec import CurveModel, EnumCurve, PWLCurve
from curvec.cli import main

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

MODEL = CurveModel(
    "m", [PWLCurve("a", [(0, 0), (1, 2)], missing=0.5), EnumCurve("c", {"x": 1.0}, default=0.0)], link="logit"
)


@pytest.fixture
def model(tmp_path: Path) -> str:
    MODEL.save(tmp_path / "model.json")
    return str(tmp_path / "model.json")


@pytest.fixture
def rows() -> Any:
    return pa.table(
        {"id": [f"r{n}" for n in range(5)], "a": [0.1, None, 0.5, 2.0, -1.0], "c": ["x", "y", "x", "y", None]}
    )


def test_the_file_has_the_key_the_score_the_prediction_and_the_terms(
    model: str, rows: Any, tmp_path: Path, capsys: Any
) -> None:
    parquet.write_table(rows.slice(0, 2), tmp_path / "a.parquet")
    parquet.write_table(rows.slice(2), tmp_path / "b.parquet")
    out = tmp_path / "out.parquet"
    assert main(["score", model, f"{tmp_path}/?.parquet", "-o", str(out), "--terms", "--key", "id", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["file"], said["rows"]) == (str(out), 5)
    found = parquet.read_table(out)
    assert found.schema.names == ["id", "score", "prediction", "a", "c"]
    assert found["id"].to_pylist() == rows["id"].to_pylist()
    for name, want in (("score", MODEL.eval(rows)), ("prediction", MODEL.predict(rows))):
        assert [np.nan if value is None else value for value in found[name].to_pylist()] == pytest.approx(
            want.tolist(), abs=0, rel=0, nan_ok=True
        )
    assert not list(tmp_path.glob(".curvec-*"))


def test_a_bad_row_leaves_what_was_there(model: str, rows: Any, tmp_path: Path, capsys: Any) -> None:
    parquet.write_table(rows, tmp_path / "a.parquet")
    parquet.write_table(pa.table({"a": [0.5, 0.5], "c": [1, 2]}), tmp_path / "b.parquet")
    out = tmp_path / "out.parquet"
    out.write_bytes(b"earlier")
    assert main(["score", model, f"{tmp_path}/?.parquet", "-o", str(out)]) == 2
    assert "b.parquet: column 'c' is int64 from row 0 on, and string in the first rows" in capsys.readouterr().err
    assert out.read_bytes() == b"earlier"
    assert not list(tmp_path.glob(".curvec-*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rows.parquet", "-o", "out.csv"], "the name ends in .parquet"),
        (["rows.parquet", "-o", "no/out.parquet"], "cannot be written"),
        (["rows.parquet", "-o", "out.parquet", "--key", "no"], "column 'no' is missing"),
        (["rows.parquet", "-o", "out.parquet", "--key", "a", "--terms"], "two columns would be called 'a'"),
        (["no.parquet", "-o", "out.parquet"], "no.parquet: no such file"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], message: str, model: str, rows: Any, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    parquet.write_table(rows, tmp_path / "rows.parquet")
    assert main(["score", model, *arguments]) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("data", ["a.parquet", ".", "?.parquet"])
def test_scores_do_not_take_the_place_of_their_rows(
    data: str, model: str, rows: Any, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    parquet.write_table(rows, "a.parquet")
    assert main(["score", model, data, "-o", str(tmp_path / "a.parquet")]) == 2
    assert "these rows are scored, and the scores would take their place" in " ".join(capsys.readouterr().err.split())
    assert parquet.read_table("a.parquet").equals(rows)


@pytest.mark.skipif(sys.platform == "win32", reason="kills are signals")
def test_a_kill_at_any_moment_leaves_no_part_of_a_file(model: str, tmp_path: Path) -> None:
    """Of 100 kills there is benchmarks/kills.py."""
    parquet.write_table(pa.table({"a": np.arange(1_500_000) / 1e6, "c": ["x"] * 1_500_000}), tmp_path / "rows.parquet")
    out = tmp_path / "out.parquet"
    command = [sys.executable, "-m", "curvec", "score", model, str(tmp_path / "rows.parquet"), "-o", str(out)]
    for _ in range(2):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
            while not _writes(run.pid, tmp_path) and run.poll() is None:
                time.sleep(0.002)
            os.kill(run.pid, signal.SIGKILL)
        assert not out.exists() or parquet.read_metadata(out).num_rows == 1_500_000
        if hasattr(os, "O_TMPFILE"):
            assert sorted(path.name for path in tmp_path.iterdir() if path != out) == ["model.json", "rows.parquet"]
    for left in tmp_path.glob(".curvec-*"):
        left.unlink()


def _writes(process: int, folder: Path) -> bool:
    """Whether the process has begun to write in this folder: a file without a name, or one with a name of its own."""
    with contextlib.suppress(OSError):  # a file that was closed, or no /proc
        if any(str(file.readlink()).startswith(f"{folder}/#") for file in Path(f"/proc/{process}/fd").iterdir()):
            return True
    return bool(list(folder.glob(".curvec-*")))
