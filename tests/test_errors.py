"""Messages that a person can read, whatever the value is that they are about."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

import curvec
from curvec import CurvecError, InputError
from curvec.errors import shown, with_article


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        ("age", "'age'"),
        (10**5000, "an integer of some 5001 digits"),
        (-(10**5000), "an integer of some 5001 digits"),
        ([10**5000], "a list"),
        (10**100, str(10**100)),
    ],
    ids=["number", "text", "huge", "huge and negative", "huge inside", "large"],
)
def test_a_value_is_shown_shortly(value, text):
    assert shown(value) == text


@pytest.mark.parametrize("value", ["a" * 65_536, b"a" * 65_536, ["a"] * 65_536, {"k" * 65_536: 1}], ids=type)
def test_a_long_value_keeps_its_start_and_its_end(value):
    text = shown(value)
    assert len(text) <= 120
    assert text[:3] == repr(value)[:3]
    assert text[-3:] == repr(value)[-3:]


def test_a_list_in_itself_is_shown():
    endless: list[object] = []
    for _ in range(100_000):
        endless = [endless]
    assert shown(endless) == "a list"


def test_a_message_with_a_long_name_says_what_is_wrong_and_the_way_out():
    name = "n" * 65_536
    error = InputError(f"the column {name!r} is wrong; leave it out")
    assert len(str(error)) <= 2000
    assert str(error).startswith("the column 'nnn")
    assert str(error).endswith("is wrong; leave it out")
    assert str(copy.deepcopy(error)) == str(error)
    assert isinstance(error, ValueError)


def test_a_long_name_in_any_message_is_cut():
    name = "n" * 65_536
    model = curvec.CurveModel("m", [curvec.PWLCurve(name, [(0, 0), (1, 1)])])
    with pytest.raises(CurvecError) as caught:
        model.eval({"other": [1.0]})
    assert len(str(caught.value)) <= 2000


def test_a_number_that_python_does_not_write_is_refused_in_words():
    model = curvec.CurveModel("m", [curvec.PWLCurve("x", [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match="row 0: an integer of some 5001 digits is beyond"):
        model.eval({"x": [10**5000]})


@pytest.mark.parametrize(
    "said",
    ["an int", "a float", "an EnumCurve", "an ndarray", "a UInt8", "an LGBMRanker", "an SVC",
     "an XGBClassifier", "a DMatrix", "an MLPRegressor", "a Sum", "a list", "an OLS", "a str"],
)  # fmt: skip
def test_a_type_has_the_article_that_is_spoken(said):
    assert with_article(said.split()[1]) == said


def test_no_message_puts_an_article_before_a_type_without_looking_at_it():
    for path in Path(curvec.__file__).parent.rglob("*.py"):
        found = re.findall(r"\ban? \{[^}]*__name__", path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found}; use with_article"
    with pytest.raises(InputError, match="an int is no CurveModel"):
        curvec.emit(3, "python")
