"""A user's table: every honest form gives the same numbers, every other is refused by name."""

from __future__ import annotations

import datetime as dt
import io
import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from curvec import CurveModel, EnumCurve, Feature, InputError, Line, PWLCurve, StepCurve, fit_pwl
from curvec.data import Table

NUMERIC = CurveModel("m", [Line("x")])
INTS = CurveModel("m", [EnumCurve("c", {1: 10.0, 2: 20.0}, default=-1, missing=-2)])
TEXTS = CurveModel("m", [EnumCurve("c", {"a": 10.0, "": 20.0, "nan": 30.0}, default=-1, missing=-2)])
BOOLS = CurveModel("m", [EnumCurve("c", {True: 10.0, False: 20.0}, missing=-2)])


@pytest.mark.parametrize(
    "column",
    [
        [1, None, 2.5],
        (1.0, math.nan, 2.5),
        np.array([1, math.nan, 2.5]),
        np.array([1, math.nan, 2.5], dtype=np.float32),
        np.array([1, math.nan, 2.5], dtype=np.float16),
        np.array([1, 9, math.nan, 9, 2.5, 9])[::2],
        np.array([[1], [math.nan], [2.5]]),
        np.array([1, None, 2.5], dtype=object),
        np.array([True, None, Decimal("2.5")], dtype=object),
        np.ma.masked_array([1, 7, 2.5], mask=[False, True, False]),
        pd.Series([1, None, 2.5]),
        pd.DataFrame({"any": [1, None, 2.5]}),
        pd.Series([1, pd.NA, 2.5], dtype="Float64"),
        pd.Series([1, pd.NA, 2.5], dtype=object),
        pl.Series([1.0, None, 2.5]),
        pa.chunked_array([[1.0, None], [2.5]]),
        pa.array([1.0, None, 2.5]),
        [1, Decimal("sNaN"), 2.5],
    ],
    ids=lambda column: f"{type(column).__module__}.{type(column).__qualname__}",
)
def test_numbers_in_any_form(column: Any) -> None:
    np.testing.assert_array_equal(NUMERIC.eval({"x": column}), [1, math.nan, 2.5])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64", "bool"])
def test_integers_and_booleans_are_exact(dtype: str) -> None:
    assert NUMERIC.eval({"x": np.array([0, 1], dtype=dtype)}).tolist() == [0, 1]


FRAMES: list[Callable[[dict[str, Any]], Any]] = [pd.DataFrame, pl.DataFrame, pa.table, dict]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda f: f.__module__)
def test_every_frame_gives_the_same(frame: Callable[[dict[str, Any]], Any]) -> None:
    model = CurveModel("m", [PWLCurve("b", [(0, 0), (1, 1)]), EnumCurve("a", {"x": 1.0}, missing=5.0), Line("n")])
    data = frame({"a": ["x", None, "x"], "extra": ["?", "?", "?"], "b": [0.25, 0.5, None], "n": [1, 2, 3]})
    np.testing.assert_array_equal(model.eval(data), [2.25, 7.5, math.nan])


def test_integers_with_gaps_in_pandas_are_still_categories() -> None:
    frame = pd.DataFrame({"c": [1, 2, None, 3]})  # float64: pandas has no gaps in int64
    assert INTS.eval(frame).tolist() == [10, 20, -2, -1]
    assert INTS.eval({"c": pd.array([1, 2, None, 3], dtype="Int64")}).tolist() == [10, 20, -2, -1]
    assert INTS.eval({"c": [1.0, 1.5, math.inf, 2]}).tolist() == [10, -1, -1, 20]


def test_text_categories_are_compared_exactly() -> None:
    assert TEXTS.eval({"c": ["a", "A", "a ", "", "nan", None, math.nan]}).tolist() == [10, -1, -1, 20, 30, -2, -2]
    assert TEXTS.eval({"c": pd.Categorical(["a", None, "z"])}).tolist() == [10, -2, -1]
    assert TEXTS.eval(pl.DataFrame({"c": pl.Series(["a", None, "z"], dtype=pl.Categorical)})).tolist() == [10, -2, -1]
    assert TEXTS.eval({"c": np.array(["a", "z"])}).tolist() == [10, -1]


def test_booleans_may_be_zero_and_one() -> None:
    assert BOOLS.eval({"c": [True, False, None]}).tolist() == [10, 20, -2]
    assert BOOLS.eval({"c": np.array([1, 0])}).tolist() == [10, 20]
    assert BOOLS.eval({"c": [1.0, 0.0, math.nan]}).tolist() == [10, 20, -2]


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (NUMERIC, {"y": [1]}, "column 'x' is missing"),
        (NUMERIC, {"x": ["1"]}, "column 'x', row 0: '1' is not a number"),
        (NUMERIC, {"x": np.array(["1"])}, "column 'x', row 0: '1' is not a number but text"),
        (NUMERIC, {"x": np.array([1j])}, "column 'x' is complex128"),
        (NUMERIC, {"x": pd.to_datetime(["2020-01-01"])}, "column 'x'"),
        (NUMERIC, {"x": [dt.date(2020, 1, 1)]}, "column 'x', row 0"),
        (NUMERIC, {"x": np.array([0, 2**53 + 1])}, "row 1: 9007199254740993 is beyond 2"),
        (NUMERIC, {"x": [2**70]}, "beyond 2"),
        (NUMERIC, {"x": 3.0}, "must be one-dimensional"),
        (NUMERIC, {"x": np.zeros((2, 2))}, r"shape \(2, 2\)"),
        (
            NUMERIC,
            [1, 2],
            "data is a list; pass a mapping of arrays, a pandas, polars or pyarrow frame, or a list of dicts",
        ),
        (
            NUMERIC,
            {"x": pd.DataFrame({"a": [1], "b": [2]})},
            "a DataFrame of 2 columns; pass one of them",
        ),
        (NUMERIC, {"x": {1.0, 2.0}}, "column 'x' is a set, which has no rows"),
        (NUMERIC, {"x": {0: 1.0}}, "column 'x' is a dict, which has no rows"),
        (NUMERIC, {"x": [[1.0], [2.0, 3.0]]}, "column 'x' holds sequences"),
        (NUMERIC, pd.DataFrame([[1, 2]], columns=["x", "x"]), "Expected unique column names, got: - 'x' 2 times"),
        (INTS, {"c": ["1"]}, "column 'c', row 0: '1' is a str, and the model's levels are int"),
        (INTS, {"c": [True]}, "True is a bool"),
        (TEXTS, {"c": [1]}, "1 is an int, and the model's levels are str"),
        (BOOLS, {"c": [2]}, "2 is an int, and the model's levels are bool"),
        (BOOLS, {"c": ["True"]}, "'True' is a str"),
    ],
)
def test_the_wrong_type_is_refused_by_name(model: CurveModel, data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        model.eval(data)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, np.bytes_, "array", pl.Series, pa.array])
@pytest.mark.parametrize("model", [NUMERIC, INTS, TEXTS, BOOLS], ids=["number", "int", "str", "bool"])
def test_bytes_are_refused_with_the_way_to_what_they_spell(model: CurveModel, kind: Any) -> None:
    name = model.features[0].name
    value = b"a" if model is TEXTS else b"1"
    if kind in (pl.Series, pa.array, "array"):
        column = np.array([value]) if kind == "array" else kind([value])
    else:
        column = [kind(value)]
    with pytest.raises(InputError, match=r"bytes are neither numbers nor text; .* pass") as refused:
        model.eval({name: column})
    way = str(refused.value).rpartition(" pass ")[2]
    given = {"str": "a", "bool": True}.get(model.features[0].type, 1)
    assert model.eval({name: eval(way, {"column": [bytes(value)]})}) == model.eval({name: [given]})  # noqa: S307


def test_bytes_alone_are_no_column() -> None:
    for value in (b"1", bytearray(b"1"), np.void(b"1")):
        with pytest.raises(InputError):
            NUMERIC.eval({"x": value})


@pytest.mark.parametrize("data", [pd.DataFrame([[0.5, 1.5], [2.0, 4.0]]), {0: [0.5, 2.0], 1: [1.5, 4.0]}])
def test_names_that_are_no_text_are_read_as_their_text(data: Any) -> None:
    """``pandas.DataFrame(array)`` numbers its columns."""
    assert CurveModel("m", [Line("1")]).eval(data).tolist() == [1.5, 4.0]
    pair = pd.DataFrame([[0.5, 1.5]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert CurveModel("m", [Line("('a', 2)")]).eval(pair).tolist() == [1.5]
    twice = pd.DataFrame([[0.5, 1.5]], columns=[1, "1"])
    for table in (twice, {1: [0.5], "1": [1.5]}):
        with pytest.raises(InputError, match=r"two columns are called '1'.* rename one"):
            CurveModel("m", [Line("1")]).eval(table)


def test_a_ragged_mapping_names_both_columns() -> None:
    model = CurveModel("m", [Line("x"), Line("y")])
    with pytest.raises(InputError, match="column 'x' has 2 rows and column 'y' has 3"):
        model.eval({"x": [1, 2], "y": [1, 2, 3]})


def test_no_rows_and_one_row() -> None:
    model = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)]), StepCurve("x", [0], [1, 2])], link="logit")
    for empty in ({"x": []}, pd.DataFrame({"x": np.array([], dtype=float)})):
        assert model.eval(empty).shape == (0,)
        assert model.predict(empty).shape == (0,)
        assert model.contributions(empty).shape == (0, 2)
    assert model.eval({"x": [0.5]}).tolist() == [2.5]


def test_the_users_data_is_not_changed() -> None:
    frame = pd.DataFrame({"x": [3.0, 1.0, None], "c": ["a", None, "b"]})
    before = frame.copy(deep=True)
    CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)]), EnumCurve("c", {"a": 1})]).predict(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_a_table_of_a_table_converts_no_column_twice() -> None:
    features = [Feature("x"), Feature("k", "str")]
    whole = Table({"x": [2.5, None], "k": ["a", None]}, features)
    part = Table(whole, features[:1])
    assert part.number("x") is whole.number("x")
    assert part.rows == 2
    assert Table(whole, features).keys("k", "str") is whole.keys("k", "str")
    with pytest.raises(InputError, match="column 'z' is missing from the data \\(it has 'x', 'k'\\)"):
        Table(whole, [Feature("z")])
    assert NUMERIC.eval(whole).tolist() == pytest.approx([2.5, math.nan], nan_ok=True)


@pytest.mark.parametrize(
    "values",
    [
        [dt.datetime(2020, 1, 2), dt.datetime(2020, 1, 4)],  # noqa: DTZ001  as people have them
        [dt.date(2020, 1, 2), dt.date(2020, 1, 4)],
        np.array(["2020-01-02", "2020-01-04"], "datetime64[ns]"),
        list(np.array(["2020-01-02", "2020-01-04"], "datetime64[ns]")),
        pd.Series(pd.to_datetime(["2020-01-02", "2020-01-04"])),
        [dt.timedelta(2), dt.timedelta(4)],
        np.array([2, 4], "timedelta64[ns]"),
        np.ma.MaskedArray(np.array([2, 4], "timedelta64[ns]")),
        [np.timedelta64(2, "ns"), np.timedelta64(4, "ns")],  # integers to numpy
    ],
    ids=str,
)
def test_dates_and_durations_are_refused_with_the_way_to_numbers(values: Any) -> None:
    curve, table = PWLCurve("t", [(0, 0), (1, 1)]), EnumCurve("t", {2: 1.0}, default=0.0)
    model = CurveModel("m", [curve])
    calls = [
        lambda: fit_pwl(values, [0.0, 1.0]),
        lambda: fit_pwl([0.0, 1.0], values),
        lambda: curve(values),
        lambda: model.eval({"t": values}),
        lambda: model.score_row({"t": next(iter(values))}),
        lambda: model.contributions_row({"t": next(iter(values))}),
    ]
    for call in calls:
        with pytest.raises(InputError, match="no unit here, so pass numbers, such as days: ") as error:
            call()
        name = {"x": values, "y": values, "column": values, "numpy": np}
        days = eval(str(error.value).split("such as days: ")[1], name)  # noqa: S307  the way out that is named
        assert days.dtype == float
        assert np.diff(days).item() in (2.0, 0.0)  # 2, but for two nanoseconds
    for wrong in (lambda: table(values), lambda: CurveModel("m", [table]).score_row({"t": next(iter(values))})):
        with pytest.raises(InputError, match="and the model's levels are int"):
            wrong()


@pytest.mark.parametrize("text", ["120,5", "1,200.5"])
def test_a_comma_in_a_number_is_named_with_the_way_to_read_it(text: str) -> None:
    for call in (lambda: fit_pwl([1.0, 2.0], ["3", text]), lambda: NUMERIC.eval({"x": ["3", text], "k": ["a", "a"]})):
        with pytest.raises(InputError, match="it has a comma") as error:
            call()
    options = dict(re.findall(r"(decimal|thousands)='(,)'", str(error.value)))
    option = "decimal" if text == "120,5" else "thousands"
    read = pd.read_csv(io.StringIO(f'x\n"{text}"\n'), **{option: options[option]})
    assert read["x"].tolist() == [120.5 if option == "decimal" else 1200.5]


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (pd.period_range("2020-01", periods=2, freq="M"), [600, 601]),
        (pd.interval_range(0, 4, periods=2), [1.0, 3.0]),
        (pd.cut(pd.Series([0.5, 3.5]), [0, 2, 4]), [1.0, 3.0]),
    ],
    ids=["period", "interval", "cut"],
)
def test_periods_and_intervals_are_refused_with_the_way_to_numbers(values: Any, numbers: list[float]) -> None:
    for call in (lambda: fit_pwl(values, [0, 1]), lambda: PWLCurve("t", [(0, 0), (1, 1)])({"t": values})):
        with pytest.raises(InputError, match="so pass ") as error:
            call()
        way_out = re.findall(r"pandas\.\w+\(\w+\)\.\w+", str(error.value))[0]
        assert list(eval(way_out, {"x": values, "column": values, "pandas": pd})) == numbers  # noqa: S307  our message


@pytest.mark.parametrize("value", [np.timedelta64(1, "ns"), np.datetime64(1, "ns")])
def test_a_date_is_no_number_of_a_model(value: Any) -> None:
    for make in (
        lambda: PWLCurve("x", [(0, value), (1, 2)]),
        lambda: PWLCurve("x", [(value, 0), (2, 2)]),
        lambda: EnumCurve("x", {value: 1.0}),
        lambda: CurveModel("m", [PWLCurve("x", [(0, 1), (1, 2)])], value),
        lambda: fit_pwl([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], num_segments=value),
    ):
        with pytest.raises(InputError):
            make()
