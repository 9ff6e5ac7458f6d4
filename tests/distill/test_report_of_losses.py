"""The report of a distillation: that its numbers are right, and that they can be read."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from rich.console import Console
from toy_teacher import DATA, RNG, ROWS, TEACHER

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve
from curvec.distill.comparison import COLUMNS


def curve_of(model: CurveModel, feature: str) -> PWLCurve:
    return next(term for term in model.terms if isinstance(term, PWLCurve) and term.input == feature)


def test_the_report_says_what_the_rows_say() -> None:
    weights = RNG.uniform(0, 2, ROWS)
    result = curvec.distill(TEACHER, DATA, weights, num_segments=2, order="teacher")
    for place, (curve, before, after) in enumerate(
        zip(result.report.curves, TEACHER.terms, result.model.terms, strict=True)
    ):
        old, new = (CurveModel("m", [term]).eval(DATA) for term in (before, after))
        error = np.abs(new - old - np.average(new - old, weights=weights))  # a constant is the intercept's
        mean = np.average(old, weights=weights)
        share = np.sum(weights * error**2) / np.sum(weights * (old - mean) ** 2)
        assert curve.label == ("x", "z", "c", "r")[place]
        assert curve.unexplained == pytest.approx(share, rel=1e-9)
        assert curve.max_error == pytest.approx(error.max(), rel=1e-12)
        if error.max() > 1e-12:
            assert error[np.flatnonzero(DATA[curve.label] == curve.at)].max() == pytest.approx(error.max(), rel=1e-12)
        assert curve.sd == pytest.approx(np.sqrt(np.average((old - mean) ** 2, weights=weights)), rel=1e-9)
    score, exact = result.model.eval(DATA), TEACHER.eval(DATA)
    assert result.report.rmse == pytest.approx(np.sqrt(np.average((score - exact) ** 2, weights=weights)), rel=1e-9)
    assert result.report.max_error == pytest.approx(np.abs(score - exact).max(), rel=1e-12)
    assert "unexplained" in str(result.report)
    assert all(len(line) <= 120 for line in str(result.report).splitlines())


def test_the_report_says_how_far_the_ends_are_off() -> None:
    """Kind F39: end knots need not be the least and the largest x."""
    steps = np.repeat(np.arange(20.0), 3)
    teacher = CurveModel("m", [StepCurve("x", list(range(1, 20)), (np.arange(20.0) ** 4 / 1e4).tolist(), 7.0)])
    data = {"x": [*steps.tolist(), None]}
    result = curvec.distill(teacher, data, num_segments=1, digits=None)
    (entry,) = result.report.curves
    gap = result.model.eval(data) - teacher.eval(data)
    assert entry.end_errors == pytest.approx((gap[0], gap[-2]), abs=1e-9)
    assert abs(entry.end_errors[1]) > 0.1


def test_rows_on_which_the_teacher_has_no_score_are_counted() -> None:
    gaps = {**DATA, "z": np.where(np.arange(ROWS) < 10, np.nan, DATA["z"])}
    report = curvec.distill(TEACHER, gaps).report
    assert report.rows_without_score == 10
    assert "On 10 rows the teacher has no score" in str(report)


def test_a_distillation_prints_as_a_short_table() -> None:
    found = curvec.distill(TEACHER, DATA)
    lines = str(found).splitlines()
    assert lines[0].split()[:3] == ["curve", "kind", "fx"]
    assert {line.split()[0] for line in lines[1:5]} == {"x", "z", "c", "r"}
    assert "A shorter text may cost 0.65% (margin)." in " ".join(lines)
    assert len(lines) < 10
    assert repr(found).startswith("<Distillation of 'toy': 4 terms, ")
    assert len(repr(found)) < 280


@pytest.mark.parametrize("width", [30, 40, 50, 60, 68, 80, 100, 120, 200])
def test_no_number_of_the_report_is_cut_short(width: int) -> None:
    long = "a_name_of_a_feature_that_goes_on_for_ever_and_ever"
    level = "a level that is a whole sentence, as in the German credit data"
    teacher = CurveModel(
        "m",
        [
            StepCurve(long, np.linspace(0, 1, 50).tolist(), (np.linspace(0, 1, 51) ** 2 * 1e-5).tolist()),
            EnumCurve("k", {level: 1.23456789e-7, "b": 0.5}),
        ],
    )
    data = {long: np.linspace(0, 1, 300), "k": np.array([level, "b"] * 150, dtype=object)}
    report = curvec.distill(teacher, data, num_segments=2).report
    file = io.StringIO()
    Console(file=file, width=width).print(report)
    shown = file.getvalue()
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width
    _, _, rest = " ".join(shown.split()).partition("(no room for ")
    left_out = rest.partition(":")[0].split(", ") if rest else []
    for column in COLUMNS:
        if column.header in ("curve", "at"):
            continue  # names and levels fold
        for curve in report.curves:
            there = re.search(rf"(?<![\w.]){re.escape(column.text(curve))}(?![\w.])", shown)
            assert there or column.header in left_out, (column.header, shown)
    assert "unexplained" not in left_out
    assert left_out == [] or width < 120


def test_the_report_is_a_frame_for_those_who_sort_and_filter() -> None:
    y = (TEACHER.predict(DATA) > 0.5).astype(int)
    report = curvec.distill(TEACHER, DATA, num_segments=2, y=y, metric="log_loss").report
    frame = report.to_frame()
    assert frame["label"].tolist() == [curve.label for curve in report.curves]
    assert frame["unexplained"].tolist() == [curve.unexplained for curve in report.curves]
    assert frame["change"].tolist() == [report.metric_change(curve) for curve in report.curves]
    assert frame["numbers"].sum() == report.numbers - 1
