"""Rows that the page carries only if they are asked for."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from curvec import CurveModel, EnumCurve, InputError, Line, PWLCurve
from curvec.review.report import report

MODEL = CurveModel("m", [PWLCurve("x", [(0, 0), (9, 9)], missing=4.5), EnumCurve("k", {1: 0.0, 2: 0.5}, missing=0.1)])
DATA: dict[str, Any] = {"x": [5.0, 1.0, float("nan"), 9.0, 3.0], "k": [1, None, 2, 2, 1]}


def constant(page: str) -> Any:
    (found,) = re.findall(r"^const EXAMPLES = (.*);$", page, flags=re.MULTILINE)
    return json.loads(found)


def test_no_row_is_on_the_page_unless_asked_for() -> None:
    assert constant(report(MODEL, DATA).html) is None


def test_they_go_from_the_lowest_score_to_the_highest() -> None:
    found = constant(report(MODEL, DATA, examples=3, ids=list("abcde")).html)
    assert found["ids"] == ["b", "a", "d"]  # scores 5, 1.1, 5, 9.5 and 3
    assert found["columns"] == {"x": [1.0, 5.0, 9.0], "k": [None, 1, 2]}
    assert found["rows"] == 5
    everyone = constant(report(MODEL, DATA, examples=99).html)
    assert everyone["ids"] == ["1", "4", "0", "2", "3"]
    assert everyone["columns"]["x"] == [1.0, 3.0, 5.0, None, 9.0]


def test_what_cannot_be_seen_in_an_id_or_a_name_is_escaped() -> None:
    """A line break cannot be typed into the field, and a mark that turns text around would turn the page's own."""
    ids = ["a\nb", " c", "d\u202e", "e", "f"]
    page = report(CurveModel("m", [Line("x\u202e")]), {"x\u202e": np.arange(5.0)}, examples=5, ids=ids).html
    assert constant(page)["ids"] == ["a\\nb", " c", "d\\u202e", "e", "f"]
    assert 'const TERM_NAMES = ["x\\\\u202e"];' in page
    with pytest.raises(InputError, match="is there twice"):
        report(MODEL, DATA, examples=5, ids=["a\nb", "a\\nb", "c", "d", "e"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"data": DATA, "examples": -1}, "examples=-1 is no number of rows"),
        ({"data": DATA, "examples": True}, "examples=True is no number of rows"),
        ({"examples": 2}, "pass data"),
        ({"data": DATA, "ids": list("abcde")}, "say how many rows with examples="),
        ({"data": DATA, "examples": 2, "ids": ["a"]}, "ids= has 1 id for 5 rows"),
        ({"data": DATA, "examples": 2, "ids": list("abcda")}, "'a' is there twice"),
        ({"data": DATA | {"x": np.full(5, np.inf)}, "examples": 2}, "infinity"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        report(MODEL, **options)
