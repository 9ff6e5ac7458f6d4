"""``curvec emit`` for SQL: the options, the file, the size, and errors on one line."""

from __future__ import annotations

from pathlib import Path

import pytest

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve
from curvec.cli import main

MODEL = CurveModel("risk", [PWLCurve("age", [(18, 3.13), (46, -0.7206)], "log")], link="logit")


@pytest.fixture
def file(tmp_path: Path) -> str:
    MODEL.save(tmp_path / "model.json")
    return str(tmp_path / "model.json")


def test_every_option_reaches_the_text(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "model.sql"
    columns = ["--table", "raw.people", "--key", "id", "--key", "day", "--per-term", "--link"]
    columns += ["--column", "age=AGE", "--no-comments", "--reasons", "-1", "--version"]
    form = ["--form", "view", "--dialect", "bigquery", "--view", "scores.risk", "--replace"]
    assert main(["emit", file, "--to", "sql", *form, *columns, "-o", str(out)]) == 0
    options = {
        "table": "raw.people",
        "view": "scores.risk",
        "replace": True,
        "key": ["id", "day"],
        "per_term": True,
        "link": True,
        "columns": {"age": "AGE"},
        "comments": False,
        "reasons": -1,
        "version": True,
    }
    wanted = curvec.emit(MODEL, "sql", "bigquery", form="view", **options)
    assert out.read_bytes() == wanted.encode()
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{len(wanted.encode()):,} bytes, {wanted.count(chr(10))} lines" in said.err.replace("\n", "")


def test_the_text_alone_is_on_standard_output(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emit", file, "--to", "sql", "--dialect", "sqlite"]) == 0
    assert capsys.readouterr().out == curvec.emit(MODEL, "sql", "sqlite")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "SQL needs --dialect, the engine that reads it; use one of sqlite"),
        (["--dialect", "duckdb", "--form", "select"], "--form 'select' needs --table, the table"),
        (["--dialect", "duckdb", "--column", "age"], "--column age: write feature=column, such as age=AGE"),
        (["--dialect", "duckdb", "--column", "agee=AGE"], "columns names the feature 'agee', which the model does not"),
        (["--dialect", "duckdb", "--form", "cte"], "--form 'cte' is not a form"),
        (["--dialect", "duckdb", "--per-term"], "takes no per_term; use --form 'select'"),
        (["--dialect", "duckdb", "--standalone"], "target 'sql' takes no option 'standalone'"),
    ],
)
def test_mistakes_are_one_line_and_status_two(
    file: str, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["emit", file, "--to", "sql", *options]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_text_that_needs_a_setting_first_is_said_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = CurveModel("long", [StepCurve("x", [k / 7 for k in range(5000)], [k / 3 for k in range(5001)])])
    long.save(tmp_path / "long.json")
    for more in [], ["--no-comments"]:  # the text itself says so in a comment
        assert main(["emit", str(tmp_path / "long.json"), "--to", "sql", "--dialect", "clickhouse", *more]) == 0
        said = " ".join(capsys.readouterr().err.split())
        assert "note: longer than the 262144 bytes of the default: set max_query_size first" in said


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (["--form", "population", "--baseline", "old.people"], {"form": "population", "baseline": "old.people"}),
        (["--form", "select", "--levels", "risk_levels"], {"form": "select", "levels": "risk_levels"}),
    ],
)
def test_the_tables_of_other_forms_are_options_too(
    command: list[str], options: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = CurveModel("risk", [EnumCurve("c", {f"level {k}": k / 7 for k in range(200)})])
    model.save(tmp_path / "model.json")
    common = ["--to", "sql", "--dialect", "duckdb", "--table", "t"]
    assert main(["emit", str(tmp_path / "model.json"), *common, *command]) == 0
    assert capsys.readouterr().out == curvec.emit(model, "sql", "duckdb", table="t", **options)
