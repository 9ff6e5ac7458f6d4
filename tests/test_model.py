"""The file form: strict, versioned, exact."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import every_node
from nightly import examples
from noted import noted_models

import curvec
from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.emit import emit
from curvec.evaluate import without_rounding
from curvec.model import from_json, json_schema
from curvec.read import from_python

MODEL = CurveModel(
    'naïve "model"',
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=0.1, note="agreed in March"),
        StepCurve("hours", [1 / 3, 0.5], [1e-300, 5e-324, -1.7976931348623157e308]),
        Product([Sum([EnumCurve("c", {1: 0.5, 2: 1.5}, default=0), EnumCurve("d", {"1": 2.0})]), Line("age")]),
        EnumCurve("flag", {True: 1.0, False: 0.0}),
        PWLCurve(Sum([Line("age"), StepCurve("hours", [1], [1, 2])]), [(0, 1), (2, 3)]),
    ],
    0.1 + 0.2,
    "logit",
    [
        Feature("flag", "bool"),
        Feature("unused"),
        Feature("age"),
        Feature("hours"),
        Feature("c", "int"),
        Feature("d", "str"),
    ],
)


def test_many_keys_with_one_twice_are_refused_in_one_pass() -> None:
    """Counting each of 200,000 keys in the list of all would take a quarter of an hour."""
    keys = ", ".join(f'"k{number}": 0' for number in range(200_000))
    with pytest.raises(InputError, match="the key 'k7' is there twice"):
        from_json("{" + keys + ', "k7": 1}')


def test_the_json_form_is_the_model() -> None:
    assert from_json(MODEL.to_json()) == MODEL


def test_a_file_round_trips(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "m.json")
    assert curvec.load(tmp_path / "m.json") == MODEL
    assert b"\r" not in (tmp_path / "m.json").read_bytes()


def test_a_teachers_exact_form_may_be_a_large_file(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(" " * 17 * 2**20 + MODEL.to_json(), encoding="utf-8")
    assert curvec.load(path) == MODEL


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_is_kept(value: float) -> None:
    again = from_json(CurveModel("m", [Line("x")], value).to_json()).intercept
    assert struct.pack("d", again) == struct.pack("d", value + 0.0)


def test_the_schema_describes_the_file() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    validator.check_schema(json_schema())
    validator.validate(json.loads(MODEL.to_json()))
    broken = json.loads(MODEL.to_json())
    broken["model"]["surprise"] = 1
    assert not validator.is_valid(broken)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"curvec": 1', '"curvec": 2', "Invalid enum value 2|version"),
        ('"name"', '"nom"', "unknown field `nom`|missing required field"),
        ("0.5914", "NaN", "NaN is not strict JSON"),
        ("0.5914", "Infinity", "Infinity is not strict JSON"),
        ("0.5914", "1e999", "must be finite"),
        ("0.5914", '"0.5914"', "Expected `float`"),
        ('"fx": "log"', '"fx": "log", "fx": "log"', "'fx' is there twice"),
        ('"PWLCurve"', '"Curve"', "Invalid value 'Curve'"),
        ('"link": "logit"', '"link": "probit"', "link='probit' is not a link"),
        ("{", "[", "Expecting|delimiter"),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused_with_its_name(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = MODEL.to_json()
    assert old in text
    path = tmp_path / "broken.json"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        curvec.load(path)
    assert "broken.json" in str(caught.value)


def test_no_object_is_read_without_its_type() -> None:
    """Also where one class alone could stand, as in the input of a curve."""
    typed = re.compile(r'"type": "(Sum|Product|Line|PWLCurve|StepCurve|EnumCurve)",')
    text = every_node("logit").to_json()
    places = [found.span() for found in typed.finditer(text)]
    assert len(places) > 20
    for begin, end in places:
        with pytest.raises(InputError, match="type"):
            from_json(text[:begin] + text[end:])


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        curvec.load(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        curvec.load(tmp_path / "bytes.json")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(InputError):
        curvec.load(tmp_path / "deep.json")


@given(noted_models())
@examples(12)
def test_what_is_printed_is_the_listing_and_means_the_model(model: CurveModel) -> None:
    names = {name: getattr(curvec, name) for name in curvec.__all__ if isinstance(getattr(curvec, name), type)}
    assert eval(str(model), names) == model  # noqa: S307  the text that curvec itself wrote
    assert [eval(str(term), names) for term in model.terms] == list(model.terms)  # noqa: S307


def test_a_curve_prints_as_a_person_would_write_it() -> None:
    curve = PWLCurve("age", [(18, 3.13), (21, 0.5914)], fx="log")
    assert str(curve) == 'PWLCurve("age", [(18, 3.13), (21, 0.5914)], fx="log")'
    assert str(CurveModel("m", [curve], 0.1)).splitlines()[2:4] == ["    terms=[", f"        {curve},"]


def test_where_a_table_is_needed_a_lazy_frame_is_to_be_collected() -> None:
    model = CurveModel("m", [PWLCurve("age", [(18, 3.0), (21, 0.5)])])
    with pytest.raises(InputError, match=r"data is a LazyFrame; .* collect it first"):
        model.table(pl.LazyFrame({"age": [20.0]}))


@pytest.mark.parametrize("row", [{"age": 20.0}, [20.0]])
def test_one_row_is_told_where_it_is_scored(row: Any) -> None:
    model = CurveModel("m", [PWLCurve("age", [(18, 3.0), (21, 0.5)])])
    with pytest.raises(InputError, match=r"for one row, .* there is model\.score_row\(row\)"):
        model.predict(row)
    assert model.score_row({"age": 20.0}) == model.eval({"age": [20.0]})[0]


NUMBERS = {
    "x of a point": lambda v: [PWLCurve("x", [(0, 0), (v, 1)])],
    "y of a point": lambda v: [PWLCurve("x", [(0, 0), (1, v)])],
    "missing": lambda v: [PWLCurve("x", [(0, 0), (1, 1)], missing=v)],
    "cut": lambda v: [StepCurve("x", [v], [0, 1])],
    "value": lambda v: [StepCurve("x", [1], [0, v])],
    "value of a level": lambda v: [EnumCurve("x", {"a": v})],
    "default": lambda v: [EnumCurve("x", {"a": 1}, default=v)],
}
"""Every place of a model that holds a number, but for the intercept: terms with that number there."""

NO_DOUBLE = 2**53 + 1
PLACEHOLDER = 7654321.5


@pytest.mark.parametrize("place", [*NUMBERS, "intercept"])
def test_an_integer_that_no_double_holds_is_refused_at_every_door(place: str) -> None:
    def model(value: float) -> CurveModel:
        terms = NUMBERS[place](value) if place in NUMBERS else [Line("x")]
        return CurveModel("m", terms, 0.0 if place in NUMBERS else value)

    with pytest.raises(InputError, match="9007199254740993, which no double holds; the nearest is 9007199254740992"):
        model(NO_DOUBLE)
    for text, read in [
        (model(PLACEHOLDER).to_json(), from_json),
        (emit(model(PLACEHOLDER), "python"), from_python),
    ]:
        assert str(PLACEHOLDER) in text
        with pytest.raises(InputError, match="no double holds"):
            read(text.replace(str(PLACEHOLDER), str(NO_DOUBLE)))
        for exact in (2**53 + 2, 2**60):
            assert read(text.replace(str(PLACEHOLDER), str(exact))) == model(float(exact))
        with pytest.raises(InputError, match=r"must be finite|beyond every double|integer string conversion"):
            read(text.replace(str(PLACEHOLDER), "1" + "0" * 5000))


def test_scores_that_differ_by_rounding_alone_are_ties_and_others_are_not() -> None:
    scores = np.array([0.1 + 0.2, 0.3, 0.3 + 1e-6, 1e6, 1e6 * (1 + 2**-50), np.nan, np.inf])
    kept = without_rounding(scores)
    assert len(set(scores[:5])) == 5
    assert kept[0] == kept[1] < kept[2] < kept[3] == kept[4]
    np.testing.assert_allclose(kept, scores, rtol=2e-6)
    assert without_rounding(np.zeros(2)).tolist() == [0, 0]
    assert len(set(without_rounding(np.array([1e-15, 2e-15])).tolist())) == 2
