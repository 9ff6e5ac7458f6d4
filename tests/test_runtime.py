"""The runtime's curves, bound back to Python, take what a model takes and nothing else."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from curvec import InputError, runtime

CURVE = runtime.PWLCurve([(0, 0), (10, 1)], missing=7.0)
LEVELS = runtime.EnumCurve({1: 1.0, 2: 2.0}, default=0.5, missing=7.0)
NAMES = runtime.EnumCurve({"a": 1.0}, default=0.5, missing=7.0)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (5.0, 0.5), (5, 0.5), (True, 0.1), (np.float32(5), 0.5), (np.int8(5), 0.5), (np.array(5), 0.5),
        (Decimal(5), 0.5), (None, 7.0), (math.nan, 7.0), (math.inf, 1.0),
    ],
)  # fmt: skip
def test_a_number_gives_a_float(x: Any, expected: float) -> None:
    value = CURVE.Eval(x)
    assert type(value) is float
    assert value == expected


def test_an_array_gives_one_of_its_shape() -> None:
    assert CURVE.Eval([[0, 5], [10, None]]).tolist() == [[0.0, 0.5], [1.0, 7.0]]
    assert CURVE.Eval(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    "x",
    [
        "5",
        b"5",
        5j,
        dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc),
        np.datetime64("2020-01-01"),
        np.array(["5"]),
        [5j],
        ["5"],
        {},
        2**53 + 1,
    ],
)
def test_what_is_no_number_is_refused(x: Any) -> None:
    with pytest.raises(InputError):
        CURVE.Eval(x)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (1, 1.0),
        (np.int64(1), 1.0),
        (np.uint8(2), 2.0),
        (2.0, 2.0),
        (np.float64(2), 2.0),
        (1.5, 0.5),
        (9, 0.5),
        (None, 7.0),
    ],
)
def test_a_category_gives_a_float(key: Any, expected: float) -> None:
    assert LEVELS.Eval(key) == expected
    assert LEVELS.Eval([key]).tolist() == [expected]


@pytest.mark.parametrize(
    ("curve", "key"), [(LEVELS, "1"), (LEVELS, 1j), (LEVELS, dt.date(2020, 1, 1)), (NAMES, 1), (NAMES, b"a")]
)
def test_a_category_of_another_type_is_refused(curve: Any, key: Any) -> None:
    with pytest.raises(InputError):
        curve.Eval(key)


def test_an_array_of_no_dimension_is_one_key() -> None:
    assert LEVELS.Eval(np.array(2)) == 2.0


def test_numpy_text_is_a_category() -> None:
    assert NAMES.Eval(np.str_("a")) == 1.0
    assert NAMES.Eval(np.array(["a", "b"])).tolist() == [1.0, 0.5]


def test_what_is_masked_is_missing() -> None:
    curve, table = runtime.PWLCurve([(0, 1), (1, 2)], missing=-1), runtime.EnumCurve({1: 10.0}, default=5.0, missing=-2)
    assert (curve.Eval(np.ma.masked), table.Eval(np.ma.masked)) == (-1, -2)
    column = np.ma.MaskedArray([0.0, 1.0, 1.0], mask=[False, True, False])
    assert curve.Eval(column).tolist() == [1, -1, 2]
    assert table.Eval(column).tolist() == [5, -2, 10]


@pytest.mark.parametrize("key", [2**53, 2**62, -(2**63), 2**64, 10**400, np.uint64(2**63)])
def test_an_integer_of_any_size_is_a_key(key: Any) -> None:
    assert runtime.EnumCurve({1: 10.0}, default=5.0).Eval(key) == 5.0
