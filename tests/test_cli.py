"""The command line: what it prints, and one line for a mistake."""

from __future__ import annotations

import importlib.metadata
import json
from pathlib import Path

import pytest

import curvec
from curvec import CurveModel, PWLCurve
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
        (["fit", "none.csv", "--x", "a", "--y", "b", "--mono", "rise"], "'rise' is none of none, auto, up"),
        (["fit", "none.csv", "--x", "a", "--y", "b"], "none.csv: no such file"),
        (["fit", "none.txt", "--x", "a", "--y", "b"], "suffix '.txt' is not a table's"),
        (["emit"], "Missing argument"),
        (["nonsense"], "No such command"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(
    arguments: list[str], message: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([part.format(model=model) for part in arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
    if err.startswith("curvec:"):
        assert err.count("\n") == 1


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"curvec {curvec.__version__}\n"
    assert curvec.__version__ == importlib.metadata.version("curvec")
