"""The page's head: what was checked, what was not, and hashes that anybody can compute."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from curvec import CurveModel, EnumCurve, Feature, PWLCurve, StepCurve
from curvec.data import Table
from curvec.parity import ParityReport, TargetResult
from curvec.review.page.head import conclusion, verdicts
from curvec.review.policy import Finding
from curvec.review.report import report
from curvec.review.rows import EvaluationRows, columns_hash

RNG = np.random.default_rng(1)
MODEL = CurveModel("m", [PWLCurve("x", [(0, -1.2), (6, 2)]), EnumCurve("k", {"a": 1.0, "b": -1.0})], link="logit")
TEACHER = CurveModel("t", [StepCurve("x", [2, 5], [-1, 0, 2]), EnumCurve("k", {"a": 1.0, "b": -1.0})], link="logit")


def rows(count: int) -> tuple[dict[str, Any], Any]:
    data = {"x": RNG.uniform(0, 10, count), "k": RNG.choice(["a", "b"], count).astype(object)}
    return data, (RNG.uniform(size=count) < TEACHER.predict(data)).astype(float)


def result(target: str, *, ok: bool = True, different: int = 0, ran: bool = True) -> TargetResult:
    return TargetResult(target, ok, 9, 18, different, 4.0, None, [], "", ran)


@pytest.mark.parametrize(
    ("findings", "results", "state", "words"),
    [
        (None, None, "open", "No check has a verdict. Not checked: policy, parity of the code, loss"),
        ([], [result("python")], "open", "Nothing that was checked speaks against this model. Not checked: loss"),
        ([Finding("x", "rule", 1, "text")], [result("python")], "bad", "Against this model: policy. Not checked: loss"),
        ([], [result("cpp", ok=False)], "bad", "Against this model: parity of the code."),
        ([], [result("cpp", ran=False)], "open", "Not checked: parity of the code"),
    ],
)
def test_the_conclusion_says_what_was_checked_and_what_not(findings: Any, results: Any, state: str, words: str) -> None:
    parity = None if results is None else ParityReport("m", results)
    found = conclusion(verdicts(findings, parity, {}))
    assert found[0] == state
    assert words in found[1]
    assert found[1] in report(MODEL, findings=findings, parity=parity).html


def test_parity_is_counted() -> None:
    results = [result("python"), result("javascript", different=3), result("spark", ran=False)]
    (_, parity, _) = verdicts(None, ParityReport("m", results), {})
    assert (parity.state, parity.text) == ("good", "1 of 2 targets identical, 1 within their stated bounds")


def test_training_and_held_out_rows_are_told_apart() -> None:
    (train, y), (test, test_y) = rows(200), rows(80)
    page = report(MODEL, train, teacher=TEACHER, target=y, held_out=EvaluationRows(test, test_y)).html
    for name, data, labels in (("training rows", train, y), ("held-out rows", test, test_y)):
        auc = [f"{roc_auc_score(labels, side.eval(data)):.5f}" for side in (TEACHER, MODEL)]
        assert f"roc_auc {auc[0]} (teacher), {auc[1]} (model)" in page
        assert f"On {name} ({len(labels)} rows)" in page
        lost = np.mean((MODEL.eval(data) - TEACHER.eval(data)) ** 2)
        assert f"differs from the teacher\N{RIGHT SINGLE QUOTATION MARK}s by {np.sqrt(lost):.4g}" in page
    assert "held-out" not in report(MODEL, train, teacher=TEACHER, target=y).html


def test_the_models_hash_is_its_files(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "model.json")
    digest = hashlib.sha256((tmp_path / "model.json").read_bytes()).hexdigest()
    page = report(MODEL, base=TEACHER, origin={"date": "2026-11-28", "<b>": "<i>"}).html
    assert f"SHA-256 {digest}" in page
    assert "2026-11-28" in page
    assert "&lt;i&gt;" in page


def test_the_datas_hash_is_of_its_values_in_any_frame() -> None:
    features = [Feature("x"), Feature("k", "str")]
    x, k = [1.5, float("nan"), -2.0], ["a", "\N{SNOWMAN}", None]
    frames = [{"x": x, "k": k}, pd.DataFrame({"k": k, "x": x, "more": 1}), pl.DataFrame({"x": x, "k": k})]
    hashes = {columns_hash(Table(frame, features)) for frame in frames}
    assert len(hashes) == 1
    by_hand = hashlib.sha256(b"x\nnumber\0" + np.array(x, dtype="<f8").tobytes())
    by_hand.update(b"k\nstr\0" + "'a'\n'\N{SNOWMAN}'\nNone\n".encode())
    assert hashes == {by_hand.hexdigest()}
    assert columns_hash(Table({"x": [1.5, 0.0, -2.0], "k": k}, features)) not in hashes
    train = rows(20)[0]
    assert columns_hash(Table(train, MODEL.features)) in re.sub(r"\s+", " ", report(MODEL, train).html)
