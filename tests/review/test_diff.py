"""A diff names what changed and how far it moves the score: no input beyond that, and reached where it says."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from strategies import models, pwl_curves, rows, step_curves

from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, emit
from curvec.cli import main
from curvec.ir import Term
from curvec.review.diff import diff
from curvec.review.extremes import UNSEEN, extremes
from curvec.review.report import report

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log")
PRIORS = StepCurve("priors", [1, 4], [-0.5, 0.25, 2.0], missing=0.5)
DEGREE = EnumCurve("degree", {"F": 0.0198, "M": -0.0384}, default=0)
MODEL = CurveModel("m", [AGE, PRIORS, DEGREE], -1.0, link="logit")

few = models().filter(lambda model: len(model.terms) <= 6)
one_curve = st.one_of(pwl_curves(st.just("x")), step_curves(st.just("x")))


def evaluate(terms: list[Term], table: Any) -> Any:
    return CurveModel("m", terms).eval(table) if terms else np.zeros(len(table["x"]))


@given(st.lists(one_curve, max_size=2), st.lists(one_curve, min_size=1, max_size=2), st.integers(0, 2**32))
@examples(25)
def test_no_sampled_input_lies_beyond_the_extremes(new: list[Term], old: list[Term], seed: int) -> None:
    found = extremes(new, old)
    assert found.exact
    random = np.random.default_rng(seed)
    edges = sorted(x for curve in [*new, *old] for x in edges_of(curve))
    inside = [random.uniform(a, b, 20) for a, b in itertools.pairwise(edges)]
    logs = np.copysign(np.exp(random.uniform(-9, 14, 40)), random.uniform(-1, 1, 40))
    x = np.concatenate([edges, *inside, logs, [-math.inf, math.inf, 0.0, math.nan]])
    change = evaluate(new, {"x": x}) - evaluate(old, {"x": x})
    slack = 1e-9 * sum(max(abs(y) for y in ys(curve)) for curve in [*new, *old])
    assert np.nanmin(change) >= found.low - slack
    assert np.nanmax(change) <= found.high + slack
    for value, at in ((found.low, found.at_low), (found.high, found.at_high)):
        there = {name: [place] for name, place in at.items()}
        assert abs(evaluate(new, there) - evaluate(old, there) - value)[0] <= slack


def edges_of(curve: Any) -> list[float]:
    return [x for x, _ in curve.points] if isinstance(curve, PWLCurve) else list(curve.cuts)


def ys(curve: Any) -> list[float]:
    return [y for _, y in curve.points] if isinstance(curve, PWLCurve) else list(curve.values)


def test_the_extreme_between_two_points_is_found_in_closed_form() -> None:
    # log(x) against the chord from 1 to e: the gap is largest at x = e - 1
    curve = PWLCurve("x", [(1, 0), (math.e, 1)], fx="log")
    chord = PWLCurve("x", [(1, 0), (math.e, 1)])
    found = extremes([curve], [chord])
    assert found.at_high["x"] == pytest.approx(math.e - 1, rel=1e-12)
    assert found.high == pytest.approx(math.log(math.e - 1) - (math.e - 2) / (math.e - 1), rel=1e-12)
    # three transforms at once, against the numbers of a fine grid
    more = [PWLCurve("x", [(-20, -3), (30, 2)], fx="symlog1p"), PWLCurve("x", [(-0.5, 1), (25, -4)], fx="log1p")]
    found = extremes([*more, curve], [chord])
    grid = np.linspace(-25, 35, 600_001)
    values = CurveModel("n", [*more, curve]).eval({"x": grid}) - CurveModel("o", [chord]).eval({"x": grid})
    assert values.max() == pytest.approx(found.high, abs=1e-8)
    assert values.min() == pytest.approx(found.low, abs=1e-8)
    assert found.high >= values.max() - 1e-15
    assert found.low <= values.min() + 1e-15


@given(few, few, st.data())
@examples(4)
def test_no_row_lies_beyond_the_bounds_of_the_score(old: CurveModel, new: CurveModel, data: st.DataObject) -> None:
    try:
        joined = CurveModel("both", [*old.terms, *new.terms])
    except InputError:  # the two use a feature with different types
        return
    table = data.draw(rows(joined, count=40))
    result = diff(old, new, table)
    least, greatest = (result.score.least, result.score.greatest) if result.score else (0.0, 0.0)
    before, after = old.eval(table), new.eval(table)
    finite = np.isfinite(before) & np.isfinite(after)
    slack = 1e-9 * (1 + np.max(np.abs([before[finite], after[finite]]), initial=0.0))
    change = after[finite] - before[finite]
    assert np.all(change >= least - slack)
    assert np.all(change <= greatest + slack)
    json.loads(result.to_json(), parse_constant=pytest.fail)
    assert not str(result).endswith("\n")


@given(few)
@examples(5)
def test_a_model_does_not_differ_from_itself(model: CurveModel) -> None:
    result = diff(model, model)
    assert result.identical
    assert str(result) == ""
    assert result.score is None


def test_an_edit_of_every_kind() -> None:
    new = CurveModel(
        "m",
        [
            PWLCurve("age", [(18, 3.13), (25, 0.8), (46, -0.7206)], fx="log", note="smoother"),
            StepCurve("priors", [1, 5], [-0.5, 0.25, 2.0], missing=0.25),
            EnumCurve("degree", {"F": 0.02, "X": 1}, default=0),
            Line("new"),
        ],
        -0.5,
        link="logit",
    )
    lines = str(diff(MODEL, new)).split("\n")
    found = extremes([new.terms[0]], [AGE])
    assert lines == [
        "intercept: -1 -> -0.5",
        'features: + "new": number',
        '~ PWLCurve("age")',
        "    (21, 0.5914) -> (25, 0.8)",
        '    note: "" -> "smoother"',
        f"    the term changes by +0 (age=18) to {found.high:+.6g} (age=21)",
        '~ StepCurve("priors")',
        "    - from 4: 2",
        "    + from 5: 2",
        "    missing: 0.5 -> 0.25",
        "    the term changes by -1.75 (priors=4) to +0 (priors=1)",
        '~ EnumCurve("degree")',
        "    'F': 0.0198 -> 0.02",
        "    - 'M': -0.0384",
        "    + 'X': 1",
        '    the term changes by +0 (degree="(unseen)") to +1 (degree="X")',
        '+ Line("new")',
        '    Line("new", 1)',
        "    the term changes by any amount: a line has no bound",
        "        only one side has a value at new=missing",
        "the score changes by any amount: a line has no bound",
        "    only one side has a value at new=missing",
    ]


def test_terms_that_moved_and_notes_that_changed() -> None:
    new = CurveModel("m", [PRIORS, AGE, DEGREE], -1.0, link="logit", features=MODEL.features)
    moved = diff(MODEL, new)
    assert list(moved.fields) == ["order of terms"]
    assert str(moved) in (
        'order of terms: PWLCurve("age") moved to place 2',
        'order of terms: StepCurve("priors") moved to place 1',
    )
    noted = CurveModel("m", [AGE, PRIORS, EnumCurve("degree", {"F": 0.0198, "M": -0.0384}, 0, note="n")], -1.0, "logit")
    result = diff(MODEL, noted)
    assert [change.status for change, _ in result.terms] == ["note"]
    assert result.score is None
    assert not result.identical


def test_the_whole_score_adds_up_independent_features() -> None:
    new = MODEL.replace("age", PWLCurve("age", [(18, 3.13), (21, 0.9), (46, -0.7206)], fx="log"))
    new = new.replace("priors", StepCurve("priors", [1, 4], [-0.5, 0.0, 2.0], missing=0.5))
    score = diff(MODEL, new).score
    assert score is not None
    assert (score.low, score.high) == (-0.25, pytest.approx(0.9 - 0.5914))
    assert score.at_high["age"] == 21
    assert score.at_low["priors"] == 1
    assert score.exact


def test_terms_that_share_a_feature_are_taken_together() -> None:
    a, b = PWLCurve("x", [(0, 0), (1, 1)]), PWLCurve("x", [(0, 0), (1, -1)])
    score = diff(CurveModel("m", [Line("y")]), CurveModel("m", [Line("y"), a, b])).score
    assert score is not None
    assert (score.low, score.high) == (0.0, 0.0)


def test_interactions_of_curves_are_exact() -> None:
    left, right = PWLCurve("a", [(0, 0), (1, 2)]), PWLCurve("b", [(0, 1), (1, 3)])
    one, both = PWLCurve("a", [(0, 0), (0.5, 1.5), (1, 2)]), PWLCurve("b", [(0, 1), (1, 4)])
    found = extremes([Product([one, right])], [Product([left, right])])
    assert (found.low, found.high) == (0, 1.5)
    assert found.exact
    found = extremes([Product([one, both])], [Product([left, right])])
    a, b = np.meshgrid(np.linspace(-0.1, 1.1, 241), np.linspace(-0.1, 1.1, 241))
    table = {"a": a.ravel(), "b": b.ravel()}
    change = CurveModel("n", [Product([one, both])]).eval(table) - CurveModel("o", [Product([left, right])]).eval(table)
    assert (found.low, found.high) == (pytest.approx(change.min()), pytest.approx(change.max()))
    assert found.exact


def test_what_is_not_exact_has_a_bound() -> None:
    left, right = PWLCurve("a", [(0, 0), (1, 2)]), PWLCurve("b", [(0, 1), (1, 3)])
    bent = PWLCurve("a", [(0, 0), (1, 2)], fx="log1p")
    found = extremes([Product([bent, right])], [Product([left, right])])
    assert not found.exact
    assert found.low <= 0 < found.high <= found.greatest < 3 * 0.2
    nested = extremes([PWLCurve(Sum([left, right]), [(0, 0), (9, 9)])], [])
    assert nested.least <= nested.low <= nested.high <= nested.greatest


def test_levels_unseen_and_missing_count() -> None:
    old = EnumCurve("k", {1: 1.0}, default=0.0)
    new = EnumCurve("k", {1: 1.5, 2: -1.0}, default=-3.0, missing=2.0)
    found = extremes([new], [old])
    assert (found.low, found.high) == (-3.0, 0.5)
    assert found.undefined == {"k": None}
    text = extremes([EnumCurve("k", {UNSEEN: 1.0}, default=5.0)], [])
    assert text.at_high["k"] == UNSEEN + "?"


def test_a_feature_that_changes_its_type() -> None:
    old = CurveModel("m", [PWLCurve("k", [(0, 0), (1, 2)]), Line("z")])
    new = CurveModel("m", [EnumCurve("k", {"a": 1.0}, default=-1.0), Line("z")])
    result = diff(old, new)
    assert result.score is not None
    assert (result.score.low, result.score.high) == (-3.0, 1.0)
    assert "the term changes by -3 to +1" in str(result)
    assert "features" in result.fields


def test_rows_that_change_cross_and_vanish() -> None:
    old = CurveModel("m", [PWLCurve("x", [(0, -1), (10, 1)], missing=0.0)])
    new = CurveModel("m", [PWLCurve("x", [(0, -1), (5, 0.5), (10, 1)])])
    table = {"x": [0.0, 4.0, 5.0, 10.0, None]}
    result = diff(old, new, table, threshold=0.1).data
    assert result is not None
    assert (result.rows, result.changed, result.lost, result.gained, result.largest) == (5, 3, 1, 0, 2)
    assert (result.up, result.down) == (2, 0)
    assert result.quantiles["100%"] == pytest.approx(0.5)
    assert result.mean == pytest.approx((0.4 + 0.5) / 4)
    back = diff(new, old, table, threshold=0.1).data
    assert back is not None
    assert (back.up, back.down, back.gained) == (0, 2, 1)


@pytest.mark.parametrize("threshold", [math.nan, math.inf])
def test_a_threshold_needs_data_and_a_number(threshold: float) -> None:
    with pytest.raises(InputError, match="it is a finite number"):
        diff(MODEL, MODEL, {"age": [1]}, threshold=threshold)
    with pytest.raises(InputError, match="pass data whose rows may cross it"):
        diff(MODEL, MODEL, threshold=0.5)
    odds = CurveModel("m", [PWLCurve("age", [(0, 0), (1, 1)])], link="logit")
    for call in (
        lambda: diff(odds, odds, {"age": [1]}, threshold=50),
        lambda: report(odds, {"age": [1.0, 0.0]}, target=[1, 0], threshold=50),
    ):
        with pytest.raises(InputError, match="threshold=50; the predictions are probabilities, from 0 to 1"):
            call()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.py", tmp_path / "new.json"
    old.write_text(emit(MODEL, "python"), encoding="utf-8")
    MODEL.cap("age", above=30).save(new)
    return old, new


def test_the_command_has_the_status_of_diff(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = map(str, files)
    assert main(["diff", old, old]) == 0
    assert capsys.readouterr().out == ""
    assert main(["diff", old, new]) == 1
    assert capsys.readouterr().out.startswith(f'--- {old}\n+++ {new}\n~ PWLCurve("age")\n')
    assert main(["diff", old, new, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["terms"][0]["status"] == "changed"
    assert main(["diff", old]) == 2
    assert main(["diff", old, old + "x"]) == 2
    assert "is not a model file's" in capsys.readouterr().err


def test_data_and_a_picture_on_request(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = map(str, files)
    table = files[0].parent / "rows.csv"
    table.write_text("age,priors,degree\n20,0,F\n40,2,M\n,5,X\n", encoding="utf-8")
    picture = files[0].parent / "diff.png"
    assert main(["diff", old, new, "--data", str(table), "--threshold", "0.2", "--picture", str(picture)]) == 1
    assert "data: 1 of 3 rows changed (33.3%)" in capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["diff", old, new, "--picture", str(picture.with_suffix(""))]) == 2


def test_git_shows_it(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *identity, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    git("init", "-q")
    git("config", "diff.curvec.command", f"'{sys.executable}' -m curvec diff --git")
    (tmp_path / ".gitattributes").write_text("*.py diff=curvec\n", encoding="utf-8")
    model = tmp_path / "a model.py"
    model.write_text(emit(MODEL, "python"), encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "first")
    model.write_text(emit(MODEL.cap("age", above=30), "python"), encoding="utf-8")
    shown = git("diff")
    assert shown.startswith('--- a/a model.py\n+++ b/a model.py\n~ PWLCurve("age")\n')
    assert "the term changes by -5.95336e-06 (age=30) to +0.7152 (age=46)" in shown  # the value at 30 has four decimals
    assert "the score changes by -5.95336e-06 (age=30) to +" in shown
    (tmp_path / "more.py").write_text(emit(MODEL, "python"), encoding="utf-8")
    git("add", "more.py")
    assert git("diff", "--cached") == "new model more.py\n"
