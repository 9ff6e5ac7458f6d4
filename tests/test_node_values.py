"""A node by itself: its values, its inverse, its form without a transform, and what arithmetic makes of it."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from models import every_node

from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=0.25)
BALANCE = PWLCurve("balance", [(-5e3, 1), (-1, 0.3), (0, 0), (7, -0.2), (9e4, -2)], "symlog1p")
DEGREE = EnumCurve("degree", {"F": 0.5, "M": -0.25}, default=0.0, missing=-1.0)


def rows_of_every_node() -> dict[str, list[Any]]:
    return {
        "age": [17.0, 18.0, 30.5, 46.0, 99.0, None, 20.25, 65.0],
        "a b": [0.0, 1000.5, 7.25, 2e4, 1e7, 3.0, math.nan, 55.5],
        "balance - 100%": [-6e3, -1.0, 0.0, 7.0, 1e5, 0.5, -0.25, None],
        "select": ["F", "f", "O'Brien", "back\\slash", "new", None, "F", "f"],
        "naïve": [0, 1, 12, 5, None, 0, 1, 12],
        "1x": [True, False, True, False, None, True, False, True],
    }


@pytest.mark.parametrize("place", range(len(every_node().terms)))
def test_every_node_gives_the_bits_of_the_model_that_has_it(place: int) -> None:
    model, rows = every_node(), rows_of_every_node()
    expected = model.contributions(rows)[:, place]
    np.testing.assert_array_equal(model.terms[place](rows), expected)
    np.testing.assert_array_equal(model.terms[place](pd.DataFrame(rows)), expected)
    for row, value in enumerate(expected.tolist()):
        one = model.terms[place]({name: column[row] for name, column in rows.items()})
        assert type(one) is float
        assert one == value or (math.isnan(one) and math.isnan(value))


VALUES = [17.0, 18.0, 20.0, 46.0, math.inf, math.nan]


@pytest.mark.parametrize(
    "values",
    [
        VALUES,
        tuple(VALUES),
        [*VALUES[:-1], None],
        [Decimal(17), 18, np.float32(20), 46, math.inf, pd.NA],
        np.array(VALUES),
        np.array(VALUES)[:, np.newaxis],
        np.array(VALUES).reshape(2, 3),
        np.array(VALUES, dtype=object),
        np.ma.masked_invalid([*VALUES[:4], 1e9, math.nan]),
        pd.Series(VALUES, name="something else"),
        pd.Series(VALUES, index=list("abcdef"), dtype="Float64"),
        pd.Index(VALUES),
        pl.Series(VALUES),
        pa.array(VALUES),
    ],
    ids=str,
)
def test_a_curve_takes_its_feature_s_values_however_they_come(values: Any) -> None:
    found = AGE(values)
    assert found.shape == (values.shape if isinstance(values, np.ndarray) else (6,))
    expected = CurveModel("m", [AGE]).eval({"age": VALUES})
    np.testing.assert_array_equal(found.ravel(), expected)


def test_one_value_gives_a_float() -> None:
    assert AGE(21) == 0.5914
    assert type(AGE(21)) is float
    assert AGE(np.float64(21)) == AGE(np.array(21.0)) == AGE(Decimal(21)) == 0.5914
    assert AGE(None) == AGE(math.nan) == AGE(pd.NA) == 0.25
    assert AGE([21]).tolist() == [0.5914]
    assert AGE([]).tolist() == []
    assert DEGREE("F") == 0.5
    assert DEGREE(["F", "x", None]).tolist() == [0.5, 0.0, -1.0]
    assert Sum([Line("age"), AGE])(21) == 21.5914
    assert StepCurve(Sum([Line("age")]), [20], [1, 2])([19, 20]).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("node", "data", "message"),
    [
        (AGE + BALANCE, [1.0], "values of one feature, and 'age', 'balance' are read; pass a mapping of arrays"),
        (AGE + BALANCE, {"age": [1.0]}, "column 'balance' is missing from the data"),
        (AGE, {"ages": [1.0]}, "column 'age' is missing"),
        (AGE, "21", "column 'age', row 0: '21' is not a number"),
        (AGE, [1.0, "x"], "column 'age', row 1: 'x' is not a number"),
        (AGE, [[1.0, 2.0], [3.0, 4.0]], "has shape .2, 2.; it must be one-dimensional"),
        (DEGREE, 1, "the model's levels are str"),
        (AGE, pl.LazyFrame({"age": [1.0]}), "collect it first"),
    ],
)
def test_what_a_node_cannot_read_is_refused(node: Any, data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        node(data)


def test_a_number_times_a_node_and_a_difference() -> None:
    assert -AGE == AGE.scaled(-1) == PWLCurve("age", [(18, -3.13), (21, -0.5914), (46, 0.7206)], "log", missing=-0.25)
    assert 2 * AGE == AGE * 2 == np.float64(2) * AGE == AGE * np.float64(2) == AGE.scaled(2)
    assert EnumCurve("degree", {"F": 1, "M": -0.5}, default=0.0, missing=-2.0) == 2 * DEGREE
    assert 2 * StepCurve("a", [1], [1, 2], missing=3, note="n") == StepCurve("a", [1], [2, 4], missing=6, note="n")
    assert 3 * Sum([AGE, DEGREE], note="n") == Sum([3 * AGE, 3 * DEGREE], note="n")
    assert 3 * Product([AGE, DEGREE]) == Product([3 * AGE, DEGREE])
    assert Sum([AGE, -BALANCE]) == AGE - BALANCE
    assert (2 * PWLCurve(Sum([AGE]), [(0, 0), (1, 1)])).input == Sum([AGE])
    for factor in (True, "2", None, [2], np.array([1.0, 2.0])):
        with pytest.raises(TypeError):
            factor * AGE
    for infinite in (1e308 * 1e308, math.nan):
        with pytest.raises(InputError, match=f"the factor is {infinite}; it must be finite"):
            infinite * AGE
    with pytest.raises(InputError, match="must be finite"):
        1e308 * PWLCurve("a", [(0, 0), (1, 10)])


@pytest.mark.parametrize("curve", [AGE, BALANCE, -AGE, PWLCurve("x", [(0, 0), (1, 2), (3, 2), (4, 5)])], ids=str)
def test_the_inverse_leads_back(curve: PWLCurve) -> None:
    y = np.linspace(*sorted(curve.ordinates)[:: len(curve.points) - 1], 1001)
    x = curve.inverse(y)
    assert curve(x) == pytest.approx(y, abs=1e-12 * np.ptp(y))
    assert curve.inverse(y[500]) == x[500]
    first = {}
    for x_k, y_k in curve.points:
        first.setdefault(y_k, x_k)
    assert [curve.inverse(y_k) for y_k in curve.ordinates] == [first[y_k] for y_k in curve.ordinates]
    assert math.isnan(curve.inverse(None))
    assert math.isnan(curve.inverse([math.nan])[0])
    for outside in (y.min() - 0.1, y.max() + 0.1, math.inf):
        with pytest.raises(InputError, match="never is"):
            curve.inverse(outside)


def test_what_has_no_inverse_says_so_and_the_way_out_works() -> None:
    turns = PWLCurve("x", [(0, 0), (1, 1), (2, 0.5)])
    with pytest.raises(InputError, match=r"not monotone, so it has no inverse; curve.monotone\(\)"):
        turns.inverse(0.7)
    assert turns.monotone().inverse(0.75) == 1.0
    with pytest.raises(InputError, match="is constant, so it has no inverse"):
        PWLCurve("x", [(0, 1), (1, 1)]).inverse(1)


@pytest.mark.parametrize("tolerance", [0.1, 0.001])
@pytest.mark.parametrize(
    "curve",
    [
        AGE,
        BALANCE,
        PWLCurve("x", [(1e-3, 0), (1, 5), (1e6, 5), (1e9, -3)], "log"),
        PWLCurve("x", [(-0.5, 0), (0, 5), (1e6, 8)], "log1p", missing=1.0, note="n"),
        PWLCurve("x", [(-10, -1), (10, 1)], "symlog1p"),
    ],
    ids=str,
)
def test_points_without_a_transform_are_as_close_as_asked_for(curve: PWLCurve, tolerance: float) -> None:
    plain = curve.to_identity(tolerance)
    assert (plain.fx, plain.missing, plain.note, plain.input) == ("identity", curve.missing, curve.note, curve.input)
    assert set(curve.points) <= set(plain.points)
    ends = curve.breaks[0], curve.breaks[-1]
    spread = np.sign(np.linspace(-1, 1, 20_001)) * np.expm1(np.linspace(0, np.log1p(abs(ends[1])), 20_001))
    x = np.concatenate([np.linspace(ends[0] - 1, ends[1] + 1, 20_001), spread, curve.breaks])
    x = x[x > -1] if curve.fx != "symlog1p" else x
    x = x[x > 0] if curve.fx == "log" else x
    distance = np.abs(np.interp(x, plain.breaks, plain.ordinates) - curve(x)).max()
    assert tolerance / 4 < distance <= tolerance  # no more points than needed: halving their number is four times worse
    assert plain(x) == pytest.approx(np.interp(x, plain.breaks, plain.ordinates), abs=1e-9)


def test_a_curve_without_a_transform_stays_and_a_tolerance_beyond_reach_is_refused() -> None:
    plain = PWLCurve("x", [(0, 0), (1, 1)])
    assert plain.to_identity(0.1) is plain
    with pytest.raises(InputError, match="more than 1,000 points; allow a larger one"):
        BALANCE.to_identity(1e-12)
    for tolerance in (0, -1, math.nan, math.inf, "0.1", None):
        with pytest.raises(InputError, match="it must be above zero"):
            BALANCE.to_identity(tolerance)
