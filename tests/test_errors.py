"""Messages that a person can read, whatever the value is that they are about."""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from pathlib import Path

import pytest

import curvec
from curvec import CurvecError, CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.errors import shown, with_article
from curvec.review.policy import read_policy


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


def nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


X = {"a": [0.0, 0.5, 1.0], "k": [1, 2, 1]}
CURVE = PWLCurve("a", [(0, 0), (1, 1)])
MODEL = CurveModel("m", [CURVE, EnumCurve("k", {1: 1.0, 2: 2.0}, default=0.0)])
UNPRINTABLE = {"5001 digits": 10**5000, "a fraction": Fraction(10**5000, 3), "a deep list": nested(20_000)}
PLACES = {
    "a point's x": lambda value: PWLCurve("a", [(value, 0), (1, 1)]),
    "a point's y": lambda value: PWLCurve("a", [(0, value), (1, 1)]),
    "a point": lambda value: PWLCurve("a", [value, (1, 1)]),
    "points": lambda value: PWLCurve("a", value),
    "a curve's feature": lambda value: PWLCurve(value, [(0, 0), (1, 1)]),
    "missing": lambda value: PWLCurve("a", [(0, 0), (1, 1)], missing=value),
    "fx": lambda value: PWLCurve("a", [(0, 0), (1, 1)], fx=value),
    "special": lambda value: PWLCurve("a", [(0, 0), (1, 1)], special=value),
    "a cut": lambda value: StepCurve("a", [value], [1, 2]),
    "cuts": lambda value: StepCurve("a", value, [1, 2]),
    "a step": lambda value: StepCurve("a", [0], [value, 2]),
    "a level's value": lambda value: EnumCurve("a", {1: value}),
    "levels": lambda value: EnumCurve("a", value),
    "a coefficient": lambda value: Line("a", value),
    "a summand": lambda value: Sum([value]),
    "factors": Product,
    "a model's name": lambda value: CurveModel(value, [CURVE]),
    "a term": lambda value: CurveModel("m", [value]),
    "terms": lambda value: CurveModel("m", value),
    "an intercept": lambda value: CurveModel("m", [CURVE], value),
    "a link": lambda value: CurveModel("m", [CURVE], link=value),
    "a listed feature": lambda value: CurveModel("m", [CURVE], features=[value]),
    "listed features": lambda value: CurveModel("m", [CURVE], features=value),
    "a feature's type": lambda value: Feature("a", value),
    "a cell": lambda value: MODEL.eval({"a": [value], "k": [1]}),
    "a row": MODEL.score_row,
    "a number of a row": lambda value: MODEL.score_row({"a": value, "k": 1}),
    "digits": MODEL.round,
    "the target": lambda value: curvec.emit(MODEL, value),
    "the dialect": lambda value: curvec.emit(MODEL, "sql", value),
    "the form": lambda value: curvec.emit(MODEL, "sql", "duckdb", form=value),
    "the namespace": lambda value: curvec.emit(MODEL, "cpp", namespace=value),
    "x to fit": lambda value: curvec.fit_pwl([1, value, 3], [1, 2, 3]),
    "y to fit": lambda value: curvec.fit_pwl([1, 2, 3], [1, value, 3]),
    "directions": lambda value: curvec.distill(MODEL, X, mono={"a": value}),
    "the margin": lambda value: curvec.distill(MODEL, X, margin=value),
    "the class": lambda value: curvec.read_teacher(MODEL, class_index=value),
    "what is missing": lambda value: curvec.read_teacher(MODEL, missing=value),
    "a teacher": lambda value: curvec.read_teacher({"learner": value, "version": [1]}),
    "a teacher's x": lambda value: curvec.read_teacher({"feature": ["a"], "x": [value], "y": [1.0]}),
    "labels": lambda value: curvec.refine(MODEL, X, [value] * 3, loss="squared"),
}


@pytest.mark.parametrize("value", UNPRINTABLE)
@pytest.mark.parametrize("place", PLACES)
def test_a_value_that_cannot_be_written_is_an_error_of_ours_anywhere(place, value):
    with pytest.raises(CurvecError) as caught:
        PLACES[place](UNPRINTABLE[value])
    assert len(str(caught.value)) <= 2000


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: EnumCurve("a", 5), "the mapping of an EnumCurve is 5; give a dict of level: value"),
        (lambda: EnumCurve("a", "FM"), "the mapping of an EnumCurve is 'FM'; give a dict"),
        (lambda: PWLCurve("a", [(0, 0), (1, 1)], special=[-1]), r"special is \[-1\]; give a dict of code: value"),
        (lambda: CurveModel("m", [CURVE], features=["a"]), "the features hold 'a'; each must be a Feature"),
        (lambda: CurveModel("m", [CURVE], features=5), "the features are 5; pass a list"),
        (lambda: MODEL.score_row([1.0, 2]), r"the row is \[1.0, 2\]; pass a dict"),
        (lambda: MODEL.predict_row("text"), "the row is 'text'; pass a dict"),
        (lambda: MODEL.score_row(5), "the row is 5; pass a dict"),
        (lambda: MODEL.eval("n" * 5000 + ".csv"), "File name too long"),
        (lambda: MODEL.eval("a\0b.csv"), "null byte|no such file"),
        (lambda: curvec.emit(MODEL, "cpp", namespace=5), "namespace=5 is not a C"),
    ],
)
def test_another_type_than_asked_for_is_named(build, message):
    with pytest.raises(InputError, match=message):
        build()


@pytest.mark.parametrize("line", ["[model]\nlinks = {}", "model = {}", "[curves]\nrange = [{}]"])
def test_a_number_without_end_in_a_policy_is_refused(line):
    with pytest.raises(InputError, match=r"policy: .*(an integer of some \d+ digits|a list)"):
        read_policy(line.format("0x" + "f" * 6000))
