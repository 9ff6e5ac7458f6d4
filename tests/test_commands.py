"""``curvec edit``, ``curvec refine`` and ``curvec fit``: what Python's edits, refine and fit_pwl do, from the shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve
from curvec.cli import application, main

RNG = np.random.default_rng(1)
MODEL = CurveModel(
    "risk",
    [
        PWLCurve("age", [(18, 0.512), (30, 0.1), (70, 0.3333)]),
        EnumCurve("plan", {"a": 0.0, "b": 0.25}),
        PWLCurve("bmi", [(18, 0), (40, 1)]),
    ],
    -0.5,
    "logit",
)
ROWS = pd.DataFrame(
    {"age": RNG.uniform(18, 70, 300), "plan": RNG.choice(["a", "b"], 300), "bmi": RNG.uniform(18, 40, 300), "w": 2.0}
)
ROWS["y"] = (RNG.random(300) < 1 / (1 + np.exp(-(ROWS["bmi"] - 29) / 5))).astype(int)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    MODEL.save("model.json")
    ROWS.to_csv("rows.csv", index=False)
    return tmp_path


def test_edits_are_those_of_the_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edits = "--cap age=20:65 --drop plan --monotone age=decreasing --round 2 --rename bmi=body_mass --name lower"
    assert main(["edit", "model.json", "-o", "edited.json", *edits.split()]) == 0
    capped = MODEL.cap("age", below=20, above=65).drop("plan")
    curve = next(term for term in capped.terms if isinstance(term, PWLCurve) and term.feature == "age")
    expected = capped.replace(curve, curve.monotone("decreasing")).round(2).rename({"bmi": "body_mass"})
    edited = curvec.load(folder / "edited.json")
    assert edited.terms == expected.terms
    assert (edited.name, edited.intercept, edited.link) == ("lower", -0.5, "logit")
    assert "plan" in capsys.readouterr().err  # the difference, as curvec diff prints it
    assert main(["edit", "model.json", "-o", "edited.json", *edits.split(), "--json"]) == 0
    printed = capsys.readouterr().out
    assert main(["diff", "model.json", "edited.json", "--json"]) == 1
    assert capsys.readouterr().out == printed
    assert main(["edit", "model.json", "--name", "lower", "--json"]) == 2
    assert "--json prints what changed; name the model file with -o" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ("", "nothing would change; give --cap"),
        ("--cap age", "--cap age: write FEATURE=LOW:HIGH"),
        ("--cap age=30", "--cap age=30: write FEATURE=LOW:HIGH"),
        ("--cap age=x:30", "--cap age=x:30: 'x' is no finite number"),
        ("--cap age=nan:30", "--cap age=nan:30: 'nan' is no finite number"),
        ("--cap age=:", "--cap age=:: write FEATURE=LOW:HIGH"),
        ("--cap age=40:30", "--cap age=40:30: LOW must be below HIGH"),
        ("--cap income=:3", "--cap income=:3: no term of model"),
        ("--drop income", "uses 'income'"),
        ("--monotone age=up", "--monotone age=up: write increasing or decreasing"),
        ("--monotone plan=increasing", "no term is a curve of it; there are those of age, bmi"),
        ("--monotone bmi=increasing", "nothing would change; the model is as these edits would make it"),
        ("--rename age", "--rename age: write FEATURE=NAME"),
        ("--round 0", "digits"),
        ("--round 17", "nothing would change; the model is as these edits would make it"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_an_edit_that_makes_no_sense_is_refused(edits: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", "model.json", "-o", "edited.json", *edits.split()]) == 2
    assert message in capsys.readouterr().err
    assert not Path("edited.json").exists()


def test_refining_is_refine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["refine", "model.json", "rows.csv", "--target", "y", "--loss", "log_loss", "--ridge", "0.01"]
    assert main([*command, "--weight", "w", "-o", "refined.json", "--json"]) == 0
    gained = json.loads(capsys.readouterr().out)
    expected = curvec.refine(MODEL, ROWS, ROWS["y"], ROWS["w"], loss="log_loss", ridge=0.01)
    assert curvec.load(folder / "refined.json") == expected.model
    assert (gained["before"], gained["after"]) == (expected.before, expected.after)
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert curvec.model.from_json(out).term_names == MODEL.term_names
    assert "log_loss: 0." in err
    assert main([*command, "--json"]) == 2
    assert "name the model file with -o" in capsys.readouterr().err
    assert main(["refine", "model.json", "rows.csv", "--target", "y", "--loss", "teacher"]) == 2
    assert "a model file does not hold the teacher" in capsys.readouterr().err


def test_refining_takes_directions_and_bounds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["refine", "model.json", "rows.csv", "--target", "y", "--ridge", "0.01", "-o", "refined.json"]
    for words, mono, bounds in (
        ("--mono bmi=increasing --mono age=none --y-bounds age=:0.6", {"bmi": "increasing", "age": None}, (None, 0.6)),
        ("--mono none --y-bounds age=0.05:", None, (0.05, None)),
        ("--mono keep --y-bounds age=0:1", "keep", (0, 1)),
    ):
        assert main([*command, *words.split()]) == 0
        expected = curvec.refine(MODEL, ROWS, ROWS["y"], ridge=0.01, mono=mono, y_bounds={"age": bounds})
        assert curvec.load(folder / "refined.json") == expected.model
    capsys.readouterr()
    for words, message in (
        (
            "--mono bmi",
            "write FEATURE=increasing, or another word of none, increasing, decreasing; for all",
        ),
        ("--mono increasing", "for all curves keep or none alone, once"),
        ("--mono bmi=peak", "--mono bmi=peak: 'peak' is none of none, increasing, decreasing"),
        ("--mono bmi=none --mono bmi=increasing", "--mono names 'bmi' twice"),
        ("--mono income=increasing", "feature 'income' has no curve in the model"),
        ("--y-bounds age", "--y-bounds age: write FEATURE=LOW:HIGH"),
        ("--y-bounds age=:", "--y-bounds age=:: write FEATURE=LOW:HIGH"),
        ("--y-bounds age=2:1", "--y-bounds age=2:1: LOW must be below HIGH"),
        ("--y-bounds age=0:1 --y-bounds age=:1", "--y-bounds names 'age' twice"),
        ("--y-bounds age=0.2:", "outside its y_bounds (0.2, inf) to begin with"),
    ):
        assert main([*command, *words.split()]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("data", ["parts", "parts/*.csv"])
def test_a_folder_is_refined_on_in_batches(data: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "parts").mkdir()
    (folder / "rows.csv").rename(folder / "parts" / "rows.csv")
    command = ["refine", "model.json", data, "--target", "y", "--loss", "log_loss", "--weight", "w"]
    assert main([*command, "--sample", "0.9", "-o", "refined.json"]) == 0
    expected = curvec.refine(MODEL, str(folder / "parts"), "y", "w", loss="log_loss", sample=0.9)
    assert curvec.load(folder / "refined.json") == expected.model
    capsys.readouterr()
    assert main([*command, "--query", "w"]) == 2
    assert "pass a frame of the rows of some queries" in capsys.readouterr().err


def test_a_new_name_changes_no_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = CurveModel("m", [curvec.PWLCurve("priors", [(0, -0.1), (2, 0.3), (5, 0.1), (7, 0.4)])])
    model.save("curve.json")
    assert main(["edit", "curve.json", "-o", "new.json", "--rename", "priors=prior"]) == 0
    assert capsys.readouterr().err.strip() == '"priors" is called "prior"'
    assert (
        main(["edit", "curve.json", "-o", "new.json", "--rename", "priors=prior", "--monotone", "priors=increasing"])
        == 0
    )
    said = capsys.readouterr().err
    assert "(2, 0.3) -> (2, 0.2)" in said  # and not 0.19999999999999998
    assert "+ PWLCurve" not in said
    assert (folder / "new.json").exists()


@pytest.mark.usefixtures("folder")
def test_fit_takes_candidates_points_and_ends(capsys: pytest.CaptureFixture[str]) -> None:
    x = np.arange(25.0)
    y = np.round(np.sin(x / 24 * 2 * np.pi), 3)
    pd.DataFrame({"hour": x, "calls": y}).to_csv("points.csv", index=False)
    command = ["fit", "points.csv", "--x", "hour", "--y", "calls", "--fx", "identity"]
    free = ["--through", "6:1.1", "--periodic", "--no-learn-ends", "--num-samples", "9", "--no-refine-knots"]
    own = ["--candidate", "0", "--candidate", "6", "--candidate", "24"]
    for words, options in (
        (free, {"through": [(6, 1.1)], "periodic": True, "learn_ends": False, "num_samples": 9, "refine_knots": False}),
        (own, {"candidates": [0, 6, 24]}),
    ):
        assert main([*command, *words]) == 0
        fitted = curvec.fit_pwl(x, y, fx="identity", digits=4, feature="hour", **options)
        assert capsys.readouterr().out.strip() == str(fitted.curve)
    assert main([*command, "--through", "6"]) == 2
    assert "--through 6: write the two numbers of a point, X:Y" in capsys.readouterr().err


def test_fit_takes_what_fit_pwl_takes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = np.round(np.linspace(1, 40, 200), 2)
    y = np.log(x) + 0.1 * np.sin(x)
    pd.DataFrame({"dose": [*x, -9], "effect": [*y, 5.0]}).to_csv("points.csv", index=False)
    options = {
        "segments": 4, "mono": "increasing", "curvature": "concave", "max-slope": 0.9, "fx": "identity", "knot": 10,
        "y-bounds": "0:", "digits": 5, "missing": 0.5, "special": -9,
    }  # fmt: skip
    command = ["fit", "points.csv", "--x", "dose", "--y", "effect", "-o", "curve.json", "--json"]
    assert main([*command, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]) == 0
    expected = curvec.fit_pwl(
        [*x, -9], [*y, 5.0], num_segments=4, mono="increasing", curvature="concave", max_slope=0.9, fx="identity",
        knots=[10], y_bounds=(0, None), digits=5, missing=0.5, special=(-9,), feature="dose",
    )  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    assert printed["points"] == [list(point) for point in expected.curve.points]
    assert printed["rmse"] == expected.rmse
    assert curvec.load(folder / "curve.json").terms[0] == expected.curve
    pd.DataFrame({"dose": [-9, *range(30)], "effect": [5.0, *np.sin(np.arange(30))]}).to_csv("coded.csv", index=False)
    found = ["--segments", "bic", "--digits", "auto", "--special", "auto"]
    assert main(["fit", "coded.csv", "--x", "dose", "--y", "effect", *found]) == 0
    assert "special={-9: 5}" in capsys.readouterr().out
    assert main(["fit", "points.csv", "--x", "dose", "--y", "effect", "--segments", "few"]) == 2
    assert "--segments few: write how many segments, or auto or bic" in capsys.readouterr().err
    assert main(["fit", "points.csv", "--x", "dose", "--y", "effect", "--y-bounds", "low"]) == 2
    assert "--y-bounds low: write data, none, or LOW:HIGH" in capsys.readouterr().err


def test_reports_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["distill", "model.json", "rows.csv", "-o", "short.json", "--json", "--segments", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {curve["label"] for curve in report["curves"]} == {"age", "plan", "bmi"}
    assert main(["read", "model.json", "-o", "read.json", "--json", "--data", "rows.csv"]) == 0
    assert json.loads(capsys.readouterr().out)["terms"] == 3
    assert curvec.load(folder / "read.json").term_names == MODEL.term_names
    assert main(["report", "model.json", "-o", "page.html", "--no-parity", "--json"]) == 0
    size = (folder / "page.html").stat().st_size
    assert json.loads(capsys.readouterr().out) == {"file": "page.html", "bytes": size}


def test_every_command_answers_a_machine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, command in typer.main.get_command(application()).commands.items():  # type: ignore[attr-defined]  # a group
        assert any("--json" in parameter.opts for parameter in command.params), name
    assert main(["emit", "model.json", "--to", "sql", "--dialect", "duckdb", "-o", "model.sql", "--json"]) == 0
    said = capsys.readouterr()
    text = (folder / "model.sql").read_text(encoding="utf-8")
    size = {"bytes": len(text.encode()), "lines": text.count("\n")}
    assert json.loads(said.out) == {"file": "model.sql", **size, "notes": []}
    assert not said.err
    assert main(["emit", "model.json", "--to", "python", "--json"]) == 2
    assert "--json prints the file and its size; name the file of the code with -o" in capsys.readouterr().err
    assert main(["schema"]) == 0
    printed = capsys.readouterr().out
    assert main(["schema", "--json"]) == 0
    assert capsys.readouterr().out == printed


def test_help_is_short_to_type_and_shells_complete(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["edit"]):
        assert main([*command, "-h"]) == 0
        assert "Usage: curvec" in capsys.readouterr().out
    asked = {"_CURVEC_COMPLETE": "complete_bash", "COMP_WORDS": "curvec ed", "COMP_CWORD": "1"}  # ed, then a tab
    command = [sys.executable, "-m", "curvec"]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["edit"]
