"""The table of values says what the model computes."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from nightly import examples
from strategies import models

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.cli import main
from curvec.review.values import Value, value_table, values_csv

MODEL = CurveModel(
    "m",
    [
        PWLCurve("age", [(18, 3.13), (46, -0.7206)], fx="log", missing=0.25),
        StepCurve("priors", [1, 4], [-0.5, 0.25, 2.0]),
        EnumCurve("degree", {1: 0.0198, 2: -0.0384}, default=0.5, missing=-1.0),
        EnumCurve("flag", {True: 1.0, False: 800.0}),
    ],
    0.5,
    "logit",
)


def test_every_line_is_what_the_model_gives_there() -> None:
    inputs = {feature.name: None for feature in MODEL.features}
    table = value_table(MODEL)
    assert table[0] == Value(0, "", "", "intercept", value=0.5, factor=math.exp(0.5))
    for line in table[1:]:
        given_there = {"unseen": 77, "missing": None, "level": line.level}
        places = [given_there[line.row]] if line.row in given_there else [line.low, line.high]
        if line.row == "step":
            places = [-math.inf if line.low is None else line.low, math.nextafter(line.high or math.inf, -math.inf)]
        for place in places:
            row = {name: [place if name == line.feature else None] for name in inputs}
            value = MODEL.contributions(row)[0, line.term - 1]
            assert math.isnan(value) if line.value is None else value == line.value
        if line.value is not None and line.value < 700:
            assert line.factor == pytest.approx(math.exp(line.value))
    assert [line.row for line in table if line.feature == "flag"] == ["level", "level", "missing"]
    assert next(line.factor for line in table if line.value == 800.0) is None


def test_parts_of_a_term_are_numbered_and_have_no_factor() -> None:
    inner = Sum([PWLCurve("a", [(0, 0), (1, 1)]), Line("b")])
    model = CurveModel("m", [Product([PWLCurve(inner, [(0, 1), (2, 3)]), EnumCurve("c", {"x": 2.0})])], link="log")
    table = [(line.part, line.feature, line.row, line.factor) for line in value_table(model)[1:]]
    assert table[:3] == [("1", "a + b", "point", None)] * 2 + [("1", "a + b", "missing", None)]
    assert [line for line in table if line[1] == "b"] == [("3", "b", "coefficient", None), ("3", "b", "missing", None)]
    assert table[-3:] == [("4", "c", row, None) for row in ("level", "unseen", "missing")]


def test_a_score_without_a_logarithm_has_no_factors() -> None:
    assert {line.factor for line in value_table(CurveModel("m", MODEL.terms))} == {None}


@given(models())
@example(CurveModel("m", [PWLCurve("\r", [(0, 0), (1, 1)])]))
@examples(10)
def test_the_csv_is_the_table_to_the_last_bit(model: CurveModel) -> None:
    lines = list(csv.DictReader(io.StringIO(values_csv(model), newline="")))
    table = value_table(model)
    assert len(lines) == len(table)
    for line, value in zip(lines, table, strict=True):
        assert (float(line["value"]) if line["value"] else None) == value.value
        assert (float(line["low"]) if line["low"] else None) == value.low
        assert line["level"] == ("" if value.level is None else str(value.level))
    assert len(pd.DataFrame(table)) == len(table)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    MODEL.save(tmp_path / "m.json")
    assert main(["values", str(tmp_path / "m.json")]) == 0
    assert capsys.readouterr().out == values_csv(MODEL)
    assert main(["values", str(tmp_path / "m.json"), "-o", str(tmp_path / "m.csv")]) == 0
    assert (tmp_path / "m.csv").read_bytes() == values_csv(MODEL).encode()
    assert np.isclose(pd.read_csv(tmp_path / "m.csv")["value"].iloc[0], 0.5)
    assert main(["values", str(tmp_path / "m.json"), "--json"]) == 0
    assert [Value(**line) for line in json.loads(capsys.readouterr().out)] == value_table(MODEL)


def test_special_codes_have_a_line_each() -> None:
    curve = PWLCurve("a", [(0, 0), (1, 1)], missing=2.0, special={-9: 0.1, -8: 0.2})
    rows = [(line.row, line.low, line.high, line.value) for line in value_table(CurveModel("m", [curve]))[3:]]
    assert rows == [("special", -9, -9, 0.1), ("special", -8, -8, 0.2), ("missing", None, None, 2.0)]
