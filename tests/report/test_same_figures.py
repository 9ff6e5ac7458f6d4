"""A figure is the same in Python's result, on the terminal and on the page; and it is the right one."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from sklearn.metrics import roc_auc_score

import curvec
from curvec import CurveModel, EnumCurve, Product, PWLCurve, StepCurve, Sum
from curvec.distill import compare_with_teacher
from curvec.distill.comparison import COLUMNS
from curvec.metrics import METRICS
from curvec.review.report import report

ROWS = 700
RNG = np.random.default_rng(2)
DATA: dict[str, Any] = {
    "x": np.where(RNG.random(ROWS) < 0.07, np.nan, RNG.uniform(0, 10, ROWS).round(2)),
    "z": RNG.normal(0, 2, ROWS).round(2),
    "k": RNG.choice(np.array(["a", "b", "c"], dtype=object), ROWS),
}
WEIGHTS = RNG.uniform(0.2, 3, ROWS)
STEP_X = StepCurve("x", [2, 5], [-1.0, 0.2, 1.0], 0.3)
STEP_Z = StepCurve("z", [-1, 1.5], [0.5, -0.3, 0.8])
TABLE = EnumCurve("k", {"a": 0.4, "b": -0.2, "c": 0.1}, default=0.0)
PAIR = Sum(
    [Product([STEP_X, STEP_Z]), Product([StepCurve("x", [4], [0.5, -0.7], 0.0), StepCurve("z", [0], [1.0, -1.0])])]
)
PRODUCT = Product([Sum([TABLE, STEP_Z]), STEP_X])
NESTED = StepCurve(Sum([STEP_X, STEP_Z]), [0.0, 0.7], [-0.4, 0.1, 0.9])

TEACHERS = {
    "two steps": CurveModel("t", [STEP_X, STEP_Z], 0.1, "logit"),
    "categories": CurveModel("t", [STEP_X, TABLE, STEP_Z], 0.1),
    "pair": CurveModel("t", [STEP_X, TABLE, PAIR], 0.1, "logit"),
    "product": CurveModel("t", [PRODUCT, STEP_X, TABLE], 0.1),
    "nested": CurveModel("t", [STEP_Z, NESTED], 0.1, "logit"),
    "counts": CurveModel("t", [STEP_X, TABLE], 0.1, "log"),
}


def labels(teacher: CurveModel) -> np.ndarray:
    mean = teacher.predict(DATA)
    random = np.random.default_rng(5)
    if teacher.link == "logit":
        return (random.random(ROWS) < mean).astype(float)
    return random.poisson(mean).astype(float) if teacher.link == "log" else mean + random.normal(0, 0.3, ROWS)


def metric_of(teacher: CurveModel) -> str:
    return {"logit": "roc_auc", "log": "poisson_deviance"}.get(teacher.link, "rmse")


class Tables(HTMLParser):
    """The cells of the table of what was lost, row by row, and all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._inside = self._cell = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self._inside = dict(attrs).get("id") == "distillation"
        if self._inside and tag == "tr":
            self.rows.append([])
        if self._inside and tag in ("td", "th"):
            self._cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._cell = self._cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.rows[-1][-1] += data.strip()


def terminal(value: Any) -> str:
    file = io.StringIO()
    Console(file=file, width=400).print(value)
    return file.getvalue()


def plain(cell: str) -> str:
    return cell.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", TEACHERS)
def test_a_figure_is_the_same_in_python_on_the_terminal_and_on_the_page(name: str, weighted: bool) -> None:
    teacher = TEACHERS[name]
    w, y, metric = (WEIGHTS if weighted else None), labels(teacher), metric_of(teacher)
    found = curvec.distill(teacher, DATA, w, num_segments=2)
    apart = found.evaluate(DATA, y, metric, w)
    compared = compare_with_teacher(found.model, teacher, DATA, y, w, metric=metric)
    page = report(found.model, DATA, teacher=teacher, target=y, w=w, metric=metric).html
    head, *rows = Tables(page).rows
    scored_rows = [f"change of {metric} alone", f"{metric} with it and worse undistilled"]
    assert head == [*(column.header for column in COLUMNS), *scored_rows]
    by_label = {row[0]: list(map(plain, row)) for row in rows}
    shown = terminal(found.report)
    assert compared.evaluation == apart
    for curve, other in zip(found.report.curves, compared.curves, strict=True):
        cells = [column.text(curve) for column in COLUMNS]
        assert by_label[curve.label][:-2] == cells == [column.text(other) for column in COLUMNS]
        assert re.search(r"\s+".join(map(re.escape, cells)), shown)
        (loss,) = (loss for loss in apart.curves if loss.label == curve.label)
        assert by_label[curve.label][-2:] == [f"{loss.change:+.5f}", f"{loss.undistilled:.5f}"]
        assert re.search(rf"{re.escape(loss.label)} +{re.escape(f'{loss.change:+.5f}')}", terminal(apart))
    assert len(rows) == len(found.report.curves) == len(apart.curves)
    whole = f"{found.report.rmse:.4g} (root mean square), {found.report.max_error:.4g} at most"
    assert whole in shown
    assert whole in page
    assert f"teacher {apart.teacher:.5f}, model {apart.distilled:.5f}" in page
    assert f"teacher {apart.teacher:.5f}, model {apart.distilled:.5f}" in terminal(apart)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", TEACHERS)
def test_it_is_the_metric_of_the_teacher_with_one_function_exchanged(name: str, weighted: bool) -> None:
    """By models put together by hand, scored and judged by others' code; equal scores count as equal."""
    teacher = TEACHERS[name]
    w, y, metric = (WEIGHTS if weighted else None), labels(teacher), metric_of(teacher)
    found = curvec.distill(teacher, DATA, w, num_segments=2)

    def scored_rows(model: CurveModel) -> float:
        score = np.round(model.eval(DATA), 9)
        if metric == "roc_auc":
            return float(roc_auc_score(y, score, sample_weight=w))
        return METRICS[metric](y, np.exp(score) if teacher.link == "log" else score, w)

    for part in found.parts:
        kept = [term for term in teacher.terms if term not in (part.teacher, *getattr(part.teacher, "terms", ()))]
        mixed = CurveModel("m", [*kept, part.term], 0.0, teacher.link)
        mean = np.average(teacher.eval(DATA) - mixed.eval(DATA), weights=w)
        change = scored_rows(CurveModel("m", mixed.terms, mean, teacher.link)) - scored_rows(teacher)
        (loss,) = (loss for loss in found.evaluate(DATA, y, metric, w).curves if loss.label == part.label)
        assert loss.change == pytest.approx(change, abs=1e-8)


def test_a_term_that_was_taken_out_or_added_is_in_the_table() -> None:
    teacher = TEACHERS["pair"]
    less = CurveModel("m", [STEP_X, PWLCurve("z", [(-3, -0.1), (3, 0.2)])], 0.1, "logit")
    found = compare_with_teacher(less, teacher, DATA, labels(teacher))
    assert (found.removed, found.added) == (("k", "x * z"), ("z",))
    page = report(less, DATA, teacher=teacher, target=labels(teacher)).html
    assert [row[0] for row in Tables(page).rows[1:]] == [curve.label for curve in found.worst()]
    (table,) = (curve for curve in found.curves if curve.label == "k")
    values = CurveModel("k", [TABLE]).eval(DATA)
    assert (table.kind, table.unexplained, table.rmse) == ("constant", 1.0, pytest.approx(values.std()))
    assert found.metric_change(table) != 0
