"""``curvec distill`` from files to a model file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve
from curvec.cli import main


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, Path]:
    cuts = np.linspace(0, 10, 30)
    steps = StepCurve("x", cuts.tolist(), np.sqrt(np.r_[0.0, cuts]).tolist(), 0.0)
    teacher = CurveModel("m", [steps, EnumCurve("kind", {1: 0.5, 2: -0.5})], 0.1, "logit")
    teacher.save(tmp_path / "teacher.json")
    random = np.random.default_rng(0)
    x, kind = random.uniform(0, 10, 400), random.integers(1, 3, 400)
    label = random.random(400) < teacher.predict({"x": x, "kind": kind})
    rows = "\n".join(f"{a},{b},{int(c)},1.0" for a, b, c in zip(x, kind, label, strict=True))
    (tmp_path / "rows.csv").write_text(f"x,kind,label,weight\n{rows}\n", encoding="utf-8")
    return str(tmp_path / "teacher.json"), str(tmp_path / "rows.csv"), tmp_path


def test_a_model_file_and_a_report(files, capsys) -> None:
    teacher, rows, folder = files
    out = folder / "model.json"
    options = [
        "--target",
        "label",
        "--metric",
        "roc_auc",
        "--segments",
        "2",
        "--mono",
        "x=increasing",
        "--weight",
        "weight",
    ]
    assert main(["distill", teacher, rows, "-o", str(out), *options]) == 0
    stdout, stderr = capsys.readouterr()
    assert stdout == ""
    assert "roc_auc: teacher" in stderr
    assert "2 terms" in stderr
    curve = curvec.load(out).terms[0]
    assert isinstance(curve, PWLCurve)
    assert len(curve.points) == 3
    assert sorted(y for _, y in curve.points) == [y for _, y in curve.points]


def test_refining_and_printing(files, capsys) -> None:
    teacher, rows, _ = files
    assert main(["distill", teacher, rows, "--refine", "log_loss", "--target", "label", "--mono", "auto"]) == 0
    stdout, stderr = capsys.readouterr()
    assert '"curvec": 1' in stdout
    assert "refined on log_loss" in stderr
    assert main(["distill", teacher, rows, "--refine", "teacher"]) == 0
    assert "refined on teacher" in capsys.readouterr().err


@pytest.mark.parametrize("called", ["parts", "parts/*.csv"])
def test_a_folder_gives_the_bytes_of_one_file(called: str, files, capsys) -> None:
    teacher, rows, folder = files
    header, *lines = Path(rows).read_text(encoding="utf-8").splitlines()
    (folder / "parts").mkdir()
    for name, some in (("a", lines[:150]), ("b", lines[150:])):
        (folder / "parts" / f"{name}.csv").write_text("\n".join([header, *some, ""]), encoding="utf-8")
    parts, options = str(folder / called), ["--weight", "label", "--digits", "4"]
    assert main(["distill", teacher, rows, *options]) == 0
    whole = capsys.readouterr().out
    assert main(["distill", teacher, parts, *options, "-o", str(folder / "model.json")]) == 0
    assert (folder / "model.json").read_text(encoding="utf-8") == whole
    assert main(["parity", str(folder / "model.json"), "--data", parts, "--targets", "python", "--json"]) == 0
    capsys.readouterr()
    assert main(["distill", teacher, parts, "--target", "label", "--metric", "roc_auc"]) == 2
    assert f"--metric roc_auc needs rows in memory; in place of {parts} give one file" in capsys.readouterr().err


def test_rows_of_a_folder_refine_too(files, capsys) -> None:
    teacher, rows, folder = files
    (folder / "parts").mkdir()
    (folder / "parts" / "a.csv").write_text(Path(rows).read_text(encoding="utf-8"), encoding="utf-8")
    parts, refined = str(folder / "parts"), str(folder / "refined.json")
    options = ["--refine", "log_loss", "--target", "label", "--weight", "weight"]
    assert main(["distill", teacher, parts, "-o", refined, *options]) == 0
    assert main(["distill", teacher, parts, "-o", str(folder / "model.json")]) == 0
    exact = curvec.load(teacher)
    found = curvec.distill(exact, parts)
    assert curvec.load(folder / "model.json") == found.model
    assert curvec.load(refined) == curvec.refine(found, parts, "label", "weight", loss="log_loss").model
    capsys.readouterr()


def test_weights_count_in_refining_too(files, capsys) -> None:
    """A table of one level each: the refined values are the weighted rates of the levels."""
    _, _, folder = files
    CurveModel("m", [EnumCurve("kind", {1: 0.5, 2: -0.5})], 0.0, "log").save(folder / "flat.json")
    lines = [f"{kind},{rate},{exposure}" for kind, rate, exposure in [(1, 4, 1), (1, 0, 3), (2, 1, 2), (2, 3, 2)] * 30]
    (folder / "claims.csv").write_text("\n".join(["kind,rate,exposure", *lines]) + "\n", encoding="utf-8")
    out = folder / "refined.json"
    options = ["--refine", "poisson", "--target", "rate", "--weight", "exposure", "-o", str(out), "--digits", "10"]
    assert main(["distill", str(folder / "flat.json"), str(folder / "claims.csv"), *options]) == 0
    capsys.readouterr()
    weighted = curvec.refine(
        curvec.load(folder / "flat.json"),
        {"kind": [1, 1, 2, 2] * 30},
        [4, 0, 1, 3] * 30,
        [1, 3, 2, 2] * 30,
        loss="poisson",
        digits=10,
    ).model
    np.testing.assert_allclose(
        curvec.load(out).predict({"kind": [1, 2]}), weighted.predict({"kind": [1, 2]}), rtol=1e-6
    )


def test_the_model_is_called_what_was_asked_for(files, capsys) -> None:
    teacher, rows, folder = files
    assert main(["distill", teacher, rows, "--name", "risk", "-o", str(folder / "risk.json")]) == 0
    assert curvec.load(folder / "risk.json").name == "risk"
    assert main(["distill", teacher, rows, "-o", str(folder / "m.json")]) == 0
    assert curvec.load(folder / "m.json").name == "m"
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--pairs", "keep"], "--pairs 'keep'; use one of 'products', 'drop'"),
        (["--mono", "x"], "write FEATURE=increasing, or another word of none, auto, increasing"),
        (["--mono", "y=increasing"], "an option names feature 'y'"),
        (["--refine", "log_loss"], "--refine needs labels"),
        (["--target", "nope", "--metric", "rmse"], "column 'nope' is missing from the file"),
        (["--refine", "teacher", "--target", "label"], "--target label is for"),
        (["--target", "label"], "--target label is for --metric or --refine"),
        (["--query", "label"], "--query label is for --metric or --refine"),
        (["--mono", "x=increasing", "--mono", "x=decreasing"], "--mono names 'x' twice"),
        (["--mono", "x=sideways"], "'sideways' is none of none, auto, increasing"),
        (["-o", "model.py"], "model.py: a model file is JSON"),
        (["-o", "no/model.json"], "cannot be written: there is no folder no"),
        (["--metric", "roc_auc"], "needs both y and metric"),
        (["--target", "label", "--metric", "auc"], "metric 'auc' is not known"),
        (["--max-numbers", "few"], "--max-numbers few: write a whole number, or auto"),
        (["--max-numbers", "auto"], "is chosen by labels"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(files, options, message, capsys) -> None:
    teacher, rows, _ = files
    assert main(["distill", teacher, rows, *options]) == 2
    stderr = capsys.readouterr().err
    assert message in stderr
    assert "Traceback" not in stderr


TEACHER = """
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
rows, species = load_iris(return_X_y=True, as_frame=True)
of_three = HistGradientBoostingClassifier(interaction_cst="no_interactions", max_iter=3).fit(rows, species)
"""


def test_a_message_names_options_as_they_are_typed_here(tmp_path: Path, monkeypatch, capsys) -> None:
    """The way out of Python, class_index=0..2, is --class-index here, and works."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "iris_of_three.py").write_text(TEACHER, encoding="utf-8")
    load_iris(return_X_y=True, as_frame=True)[0].to_csv("iris.csv", index=False)
    command = ["distill", "iris_of_three:of_three", "iris.csv", "-o", "model.json"]
    assert main(command) == 2
    assert "choose one with --class-index 0..2" in capsys.readouterr().err
    assert main([*command, "--class-index", "2"]) == 0
    assert main([*command, "--class-index", "3"]) == 2
    assert "--class-index 3; the teacher has the classes 0 to 2" in capsys.readouterr().err
    assert main([*command, "--class-index", "1", "--max-numbers", "0"]) == 2
    assert "--max-numbers 0; it is how many numbers" in capsys.readouterr().err


def test_a_flag_in_a_message_has_no_value(files, capsys) -> None:
    teacher, _, _ = files
    assert main(["emit", teacher, "--to", "sql", "--dialect", "duckdb", "--per-term"]) == 2
    error = capsys.readouterr().err
    assert "use --form 'select'" in error
    assert "=" not in error
