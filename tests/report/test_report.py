"""The review page as text: everything is in it, nothing of the model can run, and it is the same on every run."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile import EVIL, hostile
from sklearn import metrics
from small_page import Elements, small

from curvec import CurveModel, EnumCurve, InputError, Product, PWLCurve
from curvec.cli import main
from curvec.distill import compare_with_teacher
from curvec.emit import emit
from curvec.parity import ParityReport, TargetResult, check
from curvec.review.page.controls import controls
from curvec.review.page.editing import listing_by_terms
from curvec.review.panels import panels
from curvec.review.policy import Finding
from curvec.review.report import report


def test_the_policy_names_the_one_style_and_the_one_script_by_hash() -> None:
    page = report(hostile()).html
    policy = next(found["content"] for tag, found in Elements(page).tags if found.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (body,) = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_nothing_of_the_model_becomes_markup_or_leaves_the_page() -> None:
    plain = Elements(report(CurveModel("m", [PWLCurve("a_b", [(0, 0), (1, 1)]), EnumCurve("k", {"b": 1.0})])).html)
    allowed = {tag for tag, _ in plain.tags}
    for tag, attributes in Elements(report(hostile()).html).tags:
        assert tag in allowed, tag
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcdoc")]
        assert (attributes.get("href") or "#").startswith("#")


def test_the_parts_are_there_when_asked_for() -> None:
    model, teacher, data, target = small()
    bare = report(model).html
    assert not [part for part in ("distillation", "parity", "policy", "difference") if f'<section id="{part}"' in bare]
    full = report(
        model,
        data,
        teacher=teacher,
        target=target,
        parity=check(model, data, ["python"]),
        findings=[Finding("x", "max_slope", 3.0, "too <steep>")],
        base=teacher,
    ).html
    for part in ("what-if", "curves", "words", "listing", "distillation", "parity", "policy", "difference"):
        assert full.count(f'<section id="{part}"') == 1
    assert "x: max_slope: too &lt;steep&gt;" in full
    assert "~ StepCurve" in full or "- StepCurve(" in full
    assert "The models are equal." in report(model, base=model).html
    assert "Nothing found." in report(model, findings=[]).html
    assert (
        full
        == report(
            model,
            data,
            teacher=teacher,
            target=target,
            parity=check(model, data, ["python"]),
            findings=[Finding("x", "max_slope", 3.0, "too <steep>")],
            base=teacher,
        ).html
    )


def test_names_break_behind_underscores_before_words_do() -> None:
    page = report(CurveModel("m", [PWLCurve("age_in_<years>", [(0, 0), (1, 1)])])).html
    assert 'dir="auto">age_<wbr>in_&lt;years&gt;</label>' in page


def test_what_a_person_took_out_of_the_model_is_said() -> None:
    model, teacher, data, _ = small()
    product = Product([PWLCurve("x", [(0, 0), (1, 1)]), EnumCurve("k", {"a": 1.0}, default=0.0)])
    whole = CurveModel("t", [*teacher.terms, product, product], link="logit")
    assert compare_with_teacher(model, whole, data).removed == ("x * k",)
    less = model.drop("k")
    assert compare_with_teacher(less, teacher, data).removed == ("k",)
    text = "stands for the teacher\N{RIGHT SINGLE QUOTATION MARK}s function of: k."
    assert text in report(less, data, teacher=teacher).html
    assert text not in report(model, data, teacher=teacher).html


def test_a_control_starts_at_the_median_on_a_logarithmic_axis() -> None:
    curve = PWLCurve("income", [(1, 0), (1e6, 1)], fx="log")
    (control,) = controls(CurveModel("m", [curve]), panels(CurveModel("m", [curve])), {"income": [20, 317.0, 5e4]})
    assert control["start"] == pytest.approx(317, rel=0.01)


def test_a_part_is_said_to_be_of_its_term() -> None:
    product = Product([PWLCurve("x", [(0, 0), (1, 1)]), EnumCurve("k", {"a": 1.0})])
    page = report(CurveModel("m", [product])).html
    assert page.count("a factor of the term x * k") == 2
    assert re.findall(r"<h3[^>]*>([^<]*)</h3>", page) == ["x * k", "x in x * k", "k in x * k"]


def test_the_comparison_is_the_difference_of_the_functions() -> None:
    model, teacher, data, target = small()
    w = np.random.default_rng(4).uniform(0.5, 2, len(target))
    found = compare_with_teacher(model, teacher, data, target, w)
    assert [curve.label for curve in found.worst()] == ["x", "k"]
    own, theirs = model.contributions(data)[:, 0], teacher.contributions(data)[:, 0]
    mean = np.average(theirs, weights=w)
    error = (own - np.average(own, weights=w)) - (theirs - mean)
    worst = found.worst()[0]
    assert worst.rmse == pytest.approx(math.sqrt(np.average(error**2, weights=w)))
    assert worst.unexplained == pytest.approx(
        np.average(error**2, weights=w) / np.average((theirs - mean) ** 2, weights=w)
    )
    assert worst.max_error == pytest.approx(np.abs(error).max())
    assert worst.at == pytest.approx(data["x"][np.abs(error).argmax()])
    assert worst.direction == "increasing"
    assert found.curves[1].max_error == 0
    assert found.curves[1].kept
    alone = np.round(teacher.eval(data) + error, 9)  # equal scores stay equal
    change = metrics.roc_auc_score(target, alone, sample_weight=w) - metrics.roc_auc_score(
        target, teacher.eval(data), sample_weight=w
    )
    assert found.metric_change(worst) == pytest.approx(change)
    difference = (model.eval(data) - teacher.eval(data)) ** 2
    assert found.rmse == pytest.approx(math.sqrt(np.average(difference, weights=w)))


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="an int is no CurveModel"):
        report(3)
    model, teacher, data, _ = small()
    with pytest.raises(InputError, match=r"y.0.: .* is not a number; encode two classes as 0 and 1"):
        report(model, data, teacher=teacher, target=["no", "yes"] * 100)
    model, teacher, data, target = small()
    with pytest.raises(InputError, match="pass data with them"):
        report(model, target=target)
    with pytest.raises(InputError, match="no rows"):
        compare_with_teacher(model, teacher, {"x": [], "k": []})
    with pytest.raises(InputError, match="'k' is missing"):
        report(model, {"x": data["x"]})


def test_the_listing_is_the_emitted_text() -> None:
    text = re.sub(r"</?span[^>]*>", "", str(listing_by_terms(hostile())))
    for mark, character in (("&lt;", "<"), ("&gt;", ">"), ("&#34;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(mark, character)
    assert text == emit(hostile(), "python")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, teacher, data, target = small()
    model.save(tmp_path / "model.json")
    teacher.save(tmp_path / "teacher.json")
    lines = ["x,k,y", *(f"{x!r},{k},{y:.0f}" for x, k, y in zip(data["x"].tolist(), data["k"], target, strict=True))]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    page = tmp_path / "page.html"
    arguments = ["report", str(tmp_path / "model.json"), "--data", str(tmp_path / "rows.csv"), "--targets", "python"]
    (tmp_path / "policy.toml").write_text("[curves]\nmax_segments = 0\n")
    arguments += ["--policy", str(tmp_path / "policy.toml")]
    more = ["--teacher", str(tmp_path / "teacher.json"), "--target", "y", "--base", str(tmp_path / "teacher.json")]
    assert main([*arguments, *more, "-o", str(page)]) == 0
    assert page.name in capsys.readouterr().out
    text = page.read_text()
    assert "roc_auc: teacher" in text
    assert '<section id="parity"' in text
    assert "x: max_segments: 1 segment, at most 0 allowed" in text
    (tmp_path / "later.csv").write_text("\n".join([lines[0], *lines[1:50]]) + "\n")
    further = ["--held-out", str(tmp_path / "later.csv"), "--group", "k", "--threshold", "0.5", "--date", "2026-11-28"]
    assert main([*arguments, *more, *further, "--examples", "5", "--id", "x", "-o", str(page)]) == 0
    capsys.readouterr()
    text = page.read_text()
    assert "Quality on the held-out rows" in text
    assert "2026-11-28" in text
    assert hashlib.sha256((tmp_path / "later.csv").read_bytes()).hexdigest() in text
    assert "5 of 200 rows are on this page" in text
    assert "threshold 0.5" in text
    assert text.count('<td dir="auto">k</td>') == 2
    assert main([*arguments, "--points", "20,600,50", "-o", str(page)]) == 0
    assert 'title="600 at odds 50, +20 doubles them"' in page.read_text()
    capsys.readouterr()
    assert main([*arguments, "--points", "20;600", "-o", str(page)]) == 2
    assert "--points 20;600: give three numbers with commas between them: 20,600,50" in capsys.readouterr().err
    assert main([*arguments, "--target", "zzz", "-o", str(page)]) == 2
    assert "is missing from the file (it has" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "model.json"), "--teacher", str(tmp_path / "none.json")]) == 2


def test_parity_is_said_in_numbers() -> None:
    """Not "every target gives the reference's numbers" above a row that says 201 different."""

    def result(target: str, different: int, *, ok: bool = True, ran: bool = True) -> TargetResult:
        return TargetResult(target, ok, 9, 18, different, 4.0, None, [], "", ran)

    model, *_ = small()
    some = [result("python", 0), result("cpp", 0), result("javascript", 201)]
    for results, text in (
        (
            some,
            "of 3 targets that ran 2 identical to the last bit; 1 within their stated bounds: javascript (201 of",
        ),
        ([*some, result("spark", 5, ok=False)], "1 different or failed: spark."),
        ([*some, result("spark", 0, ran=False)], "1 did not run."),
    ):
        assert text in report(model, parity=ParityReport("m", results)).html


def test_the_script_holds_only_strict_json() -> None:
    page = report(hostile()).html
    (constant,) = re.findall(r"^const INPUTS = (.*);$", page, flags=re.MULTILINE)
    assert [control["feature"] for control in json.loads(constant)][: len(EVIL)] == EVIL


@pytest.mark.parametrize("points", [(0, 1, 2), (20, 600, 0), (20, 600), "20", (20, math.nan, 1), (20, True, 1)])
def test_what_is_no_scale_of_points(points: Any) -> None:
    model = CurveModel("m", [PWLCurve("x", [(0, -1), (4, 1)])], link="logit")
    with pytest.raises(InputError, match="is no scale: give the points that double the odds"):
        report(model, points=points)
    with pytest.raises(InputError, match="points are of log-odds, and the model has the link log"):
        report(CurveModel("m", model.terms, link="log"), points=(20, 600, 50))
