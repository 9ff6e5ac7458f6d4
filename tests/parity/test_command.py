"""``curvec parity``: exit status, one-line errors, the table and the JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from curvec import CurveModel, EnumCurve, PWLCurve
from curvec.cli import main
from curvec.parity import RUNNERS
from curvec.parity.runners import Runner, Scores, StoredTable


class Off(Runner):
    name = "off"

    def run(self, model, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        for table in tables:
            data = table.data
            yield Scores(model.contributions(data), model.eval(data) + 1.0, model.predict(data))


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "model.json"
    CurveModel("a small one", [PWLCurve("x", [(0, 0), (4, 1)], "log1p"), EnumCurve("k", {"a": 1.0}, 0.5)]).save(path)
    return str(path)


def test_agreement_is_status_0_and_a_table(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parity", model, "--targets", "python,python_standalone"]) == 0
    shown = capsys.readouterr().out
    assert "python_standalone" in shown
    assert "identical" in shown


def test_a_mismatch_is_status_1_and_names_the_input(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(RUNNERS, "off", Off())
    assert main(["parity", model, "--targets", "off"]) == 1
    shown = capsys.readouterr().out
    assert "DIFFERENT" in shown
    assert "off: score of a" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--targets", "cobol"], "'cobol'"),
        (["--targets", ","], "no targets"),
        (["--data", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_a_mistake_is_status_2_and_one_line(
    model: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parity", model, *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_json_and_data(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.csv"
    data.write_text("x,k\n30.5,O'Brien\n1e3,a\n,\n", encoding="utf-8")
    assert main(["parity", model, "--data", str(data), "--targets", "python", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert [target["verdict"] for target in report["targets"]] == ["identical"]
