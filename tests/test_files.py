"""Tables of files, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import narwhals.stable.v1 as nw
import pandas as pd
import pytest

from curvec import CurveModel, EnumCurve, InputError, PWLCurve, files
from curvec.files import read_table, write_file
from curvec.rows import stream_of


def test_an_empty_cell_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("n,text\n1,a\n,\n3,b\n", encoding="utf-8")
    frame = nw.from_native(read_table(path), eager_only=True)
    assert [frame[name].is_null().to_list() for name in ("n", "text")] == [[False, True, False]] * 2
    assert frame["text"].drop_nulls().to_list() == ["a", "b"]


@pytest.mark.parametrize(
    "text", ['k;n\n1;2\n"x;3\ny;4\n', 'k,n\n1,2\n"x,3\ny,4\n', 'k,n\n1,2\n"x"y,3\n', 'k,n\r\n"a\nb",2\n"x']
)
def test_a_quote_that_is_not_closed_is_refused_in_memory_as_in_streams(text: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(text, encoding="utf-8", newline="")
    line = text[: text.index('"x')].count("\n") + 1
    for read in (read_table, lambda file: list(stream_of(file).batches())):
        with pytest.raises(InputError, match=f"rows.csv: line {line}: a cell begins with a quote, and none ends it"):
            read(path)


def test_quotes_in_pairs_and_inside_of_text_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b'\xef\xbb\xbf"k","n"\n"a, ""b""\nc",5"\n5" pipe,""\n')
    assert nw.from_native(read_table(path), eager_only=True).rows() == [('a, "b"\nc', '5"'), ('5" pipe', None)]


ENDLESS_WRITES = """
import os, random, signal, sys, time
from pathlib import Path
from curvec.files import write_file
path = Path(sys.argv[1])
whole = ["a" * 3_000_000, "b" * 2_000_000]
write_file(path, whole[0])
torn = 0
for seed in range(40):
    child = os.fork()
    if not child:
        while True:
            for text in whole:
                write_file(path, text)
    time.sleep(random.Random(seed).uniform(0.0, 0.02))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    torn += path.read_text() not in whole
print(torn, "torn")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals on Windows; use another system")
def test_a_writer_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ENDLESS_WRITES, tmp_path / "file"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "0 torn\n", done.stderr


def test_a_full_disk_leaves_the_file_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.json"
    write_file(path, "good")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"model\.json: cannot be written: No space left on device"):
        write_file(path, "new")
    assert path.read_text() == "good"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("without", ["no file without a name", "no /proc", "no name afterwards"])
def test_where_no_file_can_be_without_a_name_another_takes_its_place(
    without: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.json"
    write_file(path, "old")
    if without == "no /proc":
        monkeypatch.setattr(files, "_OPEN_FILES", str(tmp_path / "none"))
    elif without == "no name afterwards":
        monkeypatch.setattr(os, "link", Mock(side_effect=PermissionError(errno.EPERM, os.strerror(errno.EPERM))))
    else:
        monkeypatch.setattr(os, "O_TMPFILE", os.O_TMPFILE | os.O_EXCL | os.O_CREAT, raising=False)  # refused by all
    write_file(path, "new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    path, link, dangling = tmp_path / "real" / "model.json", tmp_path / "link.json", tmp_path / "dangling.json"
    path.parent.mkdir()
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    dangling.symlink_to(path.with_name("new.json"))
    write_file(link, "new")
    write_file(dangling, "made")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (path.with_name("new.json")).read_text() == "made"
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE(path.with_name("new.json").stat().st_mode) == 0o666 & ~mask


def test_pipes_and_redirected_output_are_written_to_as_they_are(tmp_path: Path) -> None:
    write = "write_file(sys.argv[1], 'x\\n')"
    program = f"import sys; from curvec.files import write_file; print('before'); {write}; print('after')"
    for redirected in ("| cat", ">> file; cat file", "> file; cat file"):
        (tmp_path / "file").write_text("")
        command = f'"{sys.executable}" -c "{program}" /dev/stdout {redirected}'
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == "before\nx\nafter\n", redirected
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        write_file(tmp_path / "pipe", "through")
        assert reader.stdout is not None
        assert reader.stdout.read() == "through"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("no/such/file", "No such file"), ("folder", "Is a directory"), ("nul\0", "null byte"), ("x" * 300, "too long")],
)
def test_what_cannot_be_written_says_why(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=f"cannot be written: .*{reason}"):
        write_file(tmp_path / name, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("kept")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write to any
    with pytest.raises(InputError, match="Permission denied"):
        write_file(path, "x")
    assert path.read_text() == "kept"


def test_na_is_a_text_and_no_missing_value(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("country,age\nNA,3\nDE,\n")
    model = CurveModel(
        "m", [EnumCurve("country", {"NA": 1.0}, default=0.0), PWLCurve("age", [(0, 0), (9, 9)], missing=5)]
    )
    assert model.eval(read_table(file)).tolist() == [4.0, 5.0]
    assert [score for batch in model.score(file) for score in batch.column("score").to_pylist()] == [4.0, 5.0]
    file.write_text("country,age\nNA,3\nDE,NA\n")
    for read in (lambda: model.eval(read_table(file)), lambda: list(model.score(file))):
        with pytest.raises(
            InputError, match=r"'NA' is not a number; where a value is missing say None, in a \.csv file"
        ):
            read()


@pytest.mark.parametrize("text", ["town,age\nZürich,3\n", "größe,age\n1,3\n"])
def test_a_file_that_is_not_utf8_says_so(text: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_bytes(text.encode("latin-1"))
    model = CurveModel("m", [PWLCurve("age", [(0, 0), (9, 9)])])
    for read in (lambda: read_table(file), lambda: list(model.score(file))):
        with pytest.raises(InputError, match="text that is not UTF-8; save the file as UTF-8") as caught:
            read()
        assert "DuckDB" not in str(caught.value)
        assert "Possible Solution" not in str(caught.value)
    file.write_text(text, encoding="utf-8")  # the way out
    assert model.eval(read_table(file)).tolist() == [3.0]


def test_a_level_that_a_csv_file_makes_a_bool_of_names_a_way_out(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("flag,age\ntrue,3\nfalse,4\n")
    model = CurveModel("m", [EnumCurve("flag", {"true": 1.0, "false": -1.0})])
    for read in (lambda: model.eval(read_table(file)), lambda: list(model.score(file))):
        with pytest.raises(InputError, match=r"True is a bool.*pandas\.read_csv\(\.\.\., dtype=\{'flag': str\}\)"):
            read()
    assert model.eval(pd.read_csv(file, dtype={"flag": str})).tolist() == [1.0, -1.0]
