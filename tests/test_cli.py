"""The command line: what it prints, and one line for a mistake."""

from __future__ import annotations

import contextlib
import errno
import importlib.metadata
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve
from curvec.cli import main


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    CurveModel("m", [PWLCurve("age", [(18, 3.13), (46, -0.7206)], "log")]).save(path)
    return path


def test_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "curvec model"


def test_emit_prints_or_writes_the_same_text(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emit", str(model), "--to", "python"]) == 0
    printed = capsys.readouterr().out
    assert 'PWLCurve("age", [(18, 3.13), (46, -0.7206)], fx="log")' in printed
    assert main(["emit", str(model), "--to", "python", "-o", str(tmp_path / "m.py")]) == 0
    assert (tmp_path / "m.py").read_text(encoding="utf-8") == printed
    (tmp_path / "m.py").write_text(printed.replace("    ", "\t"), encoding="utf-8")
    assert main(["emit", str(tmp_path / "m.py"), "--to", "python", "-o", str(tmp_path / "m.py")]) == 0
    assert (tmp_path / "m.py").read_text(encoding="utf-8") == printed


def test_fit_prints_the_curve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"{x},{min(x, 20) * 0.5}" for x in range(41))
    (tmp_path / "points.csv").write_text(f"dose,effect\n{rows}\n", encoding="utf-8")
    code = main(
        ["fit", str(tmp_path / "points.csv"), "--x", "dose", "--y", "effect", "--segments", "1", "--fx", "identity"]
    )
    out, err = capsys.readouterr()
    assert code == 0
    assert out == 'PWLCurve("dose", [(0, 0), (20, 10)])\n'
    assert "mean squared error" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["emit", "none.json", "--to", "python"], "none.json: No such file"),
        (["emit", "{model}", "--to", "cobol"], "target='cobol' is not a target; use one of python, cpp, sql"),
        (["emit", "{model}", "--to", "python", "--dialect", "x"], "takes no option 'dialect'"),
        (["emit", "{model}", "--to", "python", "-o", "{model}/m.py"], "m.py: cannot be written: Not a directory"),
        (["report", "{model}", "--no-parity", "-o", "{model}/m.html"], "m.html: cannot be written: Not a directory"),
        (["diff", "{model}", "{model}", "--picture", "{model}/m.png"], "m.png: cannot be written: Not a directory"),
        (["diff", "{model}", "{model}", "--picture", "m.tex"], "suffix '.tex' is not a picture's; use .png"),
        (["fit", "none.csv", "--x", "a", "--y", "b", "--mono", "rise"], "'rise' is none of none, auto, increasing"),
        (["fit", "none.csv", "--x", "a", "--y", "b"], "none.csv: no such file"),
        (["fit", "none.txt", "--x", "a", "--y", "b"], "suffix '.txt' is not a table's"),
        (["values", "{model}", "-o", "{model}"], "this file is read, and what is written would take its place"),
        (["report", "{model}", "--no-parity", "-o", "{model}"], "give another one"),
        (["report", "{model}", "--no-parity", "--data", "{empty}", "-o", "{empty}"], "this file is read"),
        (["emit", "{model}", "--to", "cpp", "-o", "{model}"], "this file is read"),
        (["values", "{empty}"], "the file is empty"),
        (["report", "{model}", "--no-parity", "--data", "{table}"], "the file is empty; a CSV file begins with"),
        (
            ["fit", "{table}", "--x", "a", "--y", "b"],
            "the file is empty; a CSV file begins with a line of column names",
        ),
        (["values", "{newer}"], "of version 12, and this release of curvec reads version 1; install a newer curvec"),
        (["emit"], "Missing argument"),
        (["nonsense"], "No such command"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(
    arguments: list[str], message: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = model.read_text(encoding="utf-8")
    files = {"model": model, **{name: tmp_path / f"{name}.json" for name in ("empty", "newer")}}
    files["table"] = tmp_path / "table.csv"
    for name in ("empty", "table"):
        files[name].touch()
    files["newer"].write_text(text.replace('"curvec": 1', '"curvec": 12').replace('"link"', '"ring"'), encoding="utf-8")
    assert main([part.format(**files) for part in arguments]) == 2
    assert model.read_text(encoding="utf-8") == text
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
    if err.startswith("curvec:"):
        assert err.count("\n") == 1


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"curvec {curvec.__version__}\n"
    assert curvec.__version__ == importlib.metadata.version("curvec")


NAMES = CurveModel("модель", [PWLCurve("年齢", [(18, 3.13), (46, -0.7206)]), EnumCurve("Straße", {"ł": 1.0, "→": 2.0})])
POLICY = "[curves]\nmax_segments = 0\n"


class Terminal(io.TextIOWrapper):
    """Standard output of a terminal that shows few characters; what was printed stays readable as bytes."""

    def __init__(self, buffer: io.BytesIO | None = None) -> None:
        super().__init__(buffer or io.BytesIO(), encoding="cp1252")

    @property
    def printed(self) -> bytes:
        self.flush()
        return self.buffer.getvalue()  # type: ignore[attr-defined]


def on(terminal: Terminal, command: str) -> int:
    """The status of a command whose standard output is this terminal."""
    with contextlib.redirect_stdout(terminal):
        return main(command.split())


@pytest.fixture
def cp1252(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    NAMES.save(tmp_path / "new.json")
    NAMES.replace("年齢", PWLCurve("年齢", [(18, 3), (46, -0.7206)])).save(tmp_path / "old.json")
    (tmp_path / "policy.toml").write_text(POLICY, encoding="utf-8")
    (tmp_path / "rows.csv").write_text("年齢,y\n" + "".join(f"{x},{x % 7}\n" for x in range(30)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Terminal()


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("emit new.json --to python", 0),
        ("emit new.json --to cpp", 0),
        ("emit new.json --to sql --dialect duckdb", 0),
        ("emit new.json --to javascript", 0),
        ("values new.json", 0),
        ("schema", 0),
        ("diff old.json new.json", 1),
        ("diff old.json new.json --json", 1),
        ("diff new.json new.json", 0),
        ("diff --git модель.json old.json 0 0 new.json 0 0", 0),
        ("policy new.json --policy policy.toml", 1),
        ("policy new.json --policy policy.toml --json", 1),
        ("parity new.json --targets python", 0),
        ("parity new.json --targets python --json", 0),
        ("report new.json --no-parity -o страница.html", 0),
        ("fit rows.csv --x 年齢 --y y", 0),
        ("--help", 0),
        ("emit 年齢.json --to python", 2),
    ],
)
def test_names_that_the_terminal_cannot_show_change_no_status(
    command: str, status: int, cp1252: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    assert on(cp1252, command) == status
    assert "Traceback" not in capfd.readouterr().err
    assert bool(cp1252.printed) == (status != 2 and command != "diff new.json new.json")


@pytest.mark.parametrize("command", ["emit new.json --to python", "values new.json"])
def test_code_is_printed_in_the_bytes_that_a_file_gets(command: str, cp1252: Terminal) -> None:
    assert on(cp1252, command) == 0
    printed = cp1252.printed
    assert on(cp1252, f"{command} -o file") == 0
    assert printed == Path("file").read_bytes()
    assert "年齢".encode() in printed


def test_json_is_utf_8_on_any_terminal(cp1252: Terminal) -> None:
    assert on(cp1252, "policy new.json --policy policy.toml --json") == 1
    assert json.loads(cp1252.printed.decode("utf-8"))[0]["feature"] == "年齢"


class FullDisk(io.BytesIO):
    """Takes nothing more once it is full."""

    full = False

    def write(self, data: Any) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize("command", ["schema", "diff old.json new.json", "parity new.json --targets python"])
@pytest.mark.usefixtures("cp1252")
def test_output_that_cannot_be_written_is_trouble(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    disk = FullDisk()
    disk.full = True
    status = on(Terminal(disk), command)
    disk.full = False
    assert status == 2
    assert capfd.readouterr().err == "curvec: standard output cannot be written: No space left on device\n"


def test_a_reader_that_has_seen_enough_is_trouble_without_a_word(model: Path) -> None:
    """Status 1 would be a difference."""
    other = model.with_name("other.json")
    CurveModel("m", [PWLCurve("age", [(18, 3), (46, -0.7206)], "log")]).save(other)
    command = f'"{sys.executable}" -m curvec diff {model} {other} | true; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_a_mistake_of_curvec_itself_is_not_what_a_command_looks_for(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("curvec.commands.diff.compare", lambda *_, **__: 1 / 0)
    assert main(["diff", str(model), str(model)]) == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
