"""The rows that move most against a base model."""

from __future__ import annotations

import re

import numpy as np

from curvec import CurveModel, PWLCurve
from curvec.review.page.examples import rows_that_move
from curvec.review.report import report

RNG = np.random.default_rng(0)
ROWS = {"x": [*RNG.uniform(0, 9, 200).tolist(), np.nan], "y": RNG.uniform(0, 1, 201).tolist()}
OLD = CurveModel("old", [PWLCurve("x", [(0, 0), (9, 3)]), PWLCurve("y", [(0, 0), (1, 1)], missing=0.5)], link="logit")
NEW = OLD.cap("x", above=6)


def test_the_largest_changes_come_first_and_rows_without_a_score_are_not_among_them() -> None:
    found = rows_that_move(NEW, OLD, ROWS)
    change = np.minimum(np.array(ROWS["x"]), 6) / 3 - np.array(ROWS["x"]) / 3
    largest = np.argsort(-np.abs(np.nan_to_num(change)), kind="stable")[:10]
    assert [row["id"] for row in found] == [str(row) for row in largest]
    for row, k in zip(found, largest, strict=True):
        assert float(row["change"].replace("\N{MINUS SIGN}", "-")) == float(f"{change[k]:.4g}")
        assert row["before"] == f"{OLD.eval(ROWS)[k]:.6g}"
        assert row["prediction_after"] == f"{NEW.predict(ROWS)[k]:.6g}"


def test_fewer_where_fewer_change() -> None:
    rows = {"x": [1.0, 7, 8, 6], "y": [0.0] * 4}
    assert [row["id"] for row in rows_that_move(NEW, OLD, rows, ["a", "b", "c", "d"])] == ["c", "b"]
    assert rows_that_move(OLD, OLD, rows) == []


def test_they_are_on_the_page() -> None:
    page = report(NEW, ROWS, base=OLD).html
    table = re.search(r'<table id="moved-rows".*?</table>', page, flags=re.DOTALL)
    assert table is not None
    for row in rows_that_move(NEW, OLD, ROWS):
        assert f">{row['id']}</th>" in table[0]
        assert f">{row['change']}</td>" in table[0]
    assert "moved-rows" not in report(NEW, ROWS).html
    assert "moved-rows" not in report(NEW, base=OLD).html
