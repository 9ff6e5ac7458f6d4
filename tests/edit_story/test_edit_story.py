"""The reviewer's story, as the tutorial tells it: emit, edit by hand, compare, check, deploy; the scores agree."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from curvec import CurveModel, EnumCurve, PWLCurve, emit, load
from curvec.cli import main
from curvec.parity import RUNNERS, check

MODEL = CurveModel(
    "recidivism",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log", missing=0),
        PWLCurve("priors_count", [(0, -0.8415), (1, -0.4452), (38, 2.146)], fx="log1p", missing=0),
        PWLCurve("length_of_stay", [(0, -0.1855), (3, -0.04099), (4, 0.2443)], fx="log1p", missing=0),
        EnumCurve("charge_degree", {"F": 0.0198, "M": -0.0384}, default=0, missing=0),
    ],
    intercept=-0.25,
    link="logit",
)

POLICY = """\
[model]
banned = ["race", "sex"]
required = ["age", "priors_count"]
links = ["logit"]

[curves]
max_segments = 5
max_digits = 4
missing = "declared"
unseen = "declared"

[features.age]
monotone = "decreasing"
max_contribution = 2.5
range = [18, 100]

[features.priors_count]
monotone = "increasing"
range = [0, 10]
"""


def edit(text: str) -> str:
    """What the reviewer types: a lower point, a cap with its reason, and the digits that the policy allows."""
    lowered = text.replace("(18, 3.13)", "(18, 2.5)")
    curve = '        PWLCurve(\n            "priors_count",\n            [(0, -0.8415), (1, -0.4452), (38, 2.146)],'
    assert lowered.count(curve) == 1
    return lowered.replace(curve, f"        # capped at 10, policy 7\n{curve.replace('(38, 2.146)', '(10, 1.042)')}")


def rows() -> dict[str, object]:
    random = np.random.default_rng(7)
    return {
        "age": random.integers(16, 80, 400).astype(float),
        "priors_count": random.integers(0, 45, 400).astype(float),
        "length_of_stay": random.exponential(5, 400),
        "charge_degree": random.choice(["F", "M", "X"], 400),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "policy.toml").write_text(POLICY, encoding="utf-8")
    (tmp_path / "before.py").write_text(emit(MODEL, "python"), encoding="utf-8")
    (tmp_path / "after.py").write_text(edit(emit(MODEL, "python")), encoding="utf-8")
    return tmp_path


def test_the_model_before_breaks_the_policy_and_the_edited_one_keeps_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after, policy = (str(folder / name) for name in ("before.py", "after.py", "policy.toml"))
    assert main(["policy", before, "--policy", policy]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{before}: age: max_contribution: the contribution goes up to 3.13, at most 2.5 allowed",
        f"{before}: priors_count: range: x=38 is outside the range of validity 0 to 10",
    ]
    assert main(["policy", after, "--policy", policy]) == 0
    assert capsys.readouterr().out == ""


def test_the_difference_is_the_edit_and_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = str(folder / "before.py"), str(folder / "after.py")
    assert main(["diff", before, after]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"--- {before}",
        f"+++ {after}",
        '~ PWLCurve("age")',
        "    (18, 3.13) -> (18, 2.5)",
        "    the term changes by -0.63 (age=18) to +0 (age=21)",
        '~ PWLCurve("priors_count")',
        "    (38, 2.146) -> (10, 1.042)",
        '    note: "" -> "capped at 10, policy 7"',
        "    the term changes by -1.104 (priors_count=38) to +8.65659e-05 (priors_count=10)",
        "the score changes by -1.734 (age=18, priors_count=38) to +8.65659e-05 (age=21, priors_count=10)",
    ]


def test_the_edited_file_is_the_model_edited_in_code(folder: Path) -> None:
    points = [(18, 2.5), (21, 0.5914), (46, -0.7206)]
    edited = MODEL.replace("age", PWLCurve("age", points, fx="log", missing=0)).cap("priors_count", above=10).round(4)
    note = "capped at 10, policy 7"
    curve = PWLCurve("priors_count", edited.terms[1].points, fx="log1p", missing=0, note=note)
    assert load(folder / "after.py") == edited.replace("priors_count", curve)


def test_what_is_emitted_from_the_edit_scores_as_the_edit(folder: Path) -> None:
    edited = load(folder / "after.py")
    assert "2.5" in emit(edited, "cpp")
    assert "2.5" in emit(edited, "sql", dialect="sqlite")
    wanted = ["python", "python_standalone", "cpp", "cpp_standalone", "bound", "sqlite", "duckdb"]
    here = [name for name in RUNNERS if name in wanted and RUNNERS[name].needs() is None]
    assert {"sqlite"} <= set(here)
    assert ("cpp" in here) == (shutil.which("c++") is not None)
    report = check(edited, rows(), here)
    assert report.ok, str(report)
    for result in report.results:
        assert result.ran, result.target
        assert result.different == 0, result.target
