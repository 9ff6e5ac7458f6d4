"""What goes in: every kind of column that means numbers, and an error that names the first value that is none."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvec
from curvec.distill import Fold, evaluate_folds
from curvec.metrics import metric
from curvec.review.importance import importances
from curvec.review.rows import EvaluationRows

X = np.arange(12.0)
Y = np.abs(X - 5)


@pytest.mark.parametrize(
    "convert",
    [
        list,
        tuple,
        pd.Series,
        lambda a: pd.Series(a, index=range(100, 112)),
        pl.Series,
        lambda a: pd.Series(a).astype("Int64"),
        lambda a: a[:, None],
        lambda a: np.repeat(a, 2)[::2],
        lambda a: np.ma.masked_array(a, mask=False),
        lambda a: a.astype(np.int8),
        lambda a: a.astype(np.uint16),
        lambda a: a.astype(np.int64),
        lambda a: a.astype(np.float32),
        lambda a: a.astype(np.float16),
        lambda a: a.astype(">f8"),
        lambda a: a.astype(object),
        lambda a: [Decimal(value) for value in a],
        lambda a: pd.DataFrame({0: a}),
        lambda a: pl.Series(a).cast(pl.Decimal(10, 2)),
    ],
)
def test_every_kind_of_column(convert):
    expected = curvec.fit_pwl(X, Y, num_segments=2)
    assert curvec.fit_pwl(convert(X), convert(Y), num_segments=2) == expected


@pytest.mark.parametrize("texts", [list, np.array, pd.Series, pl.Series, lambda a: np.array(a, dtype=object)])
def test_the_way_out_for_numbers_as_text_works(texts):
    x = texts([str(int(value)) for value in X])
    with pytest.raises(curvec.InputError, match=r"numpy.array\(x, dtype=float\)"):
        curvec.fit_pwl(x, Y)
    assert curvec.fit_pwl(np.array(x, dtype=float), Y) == curvec.fit_pwl(X, Y)


@pytest.mark.parametrize("series", [pd.Series, pl.Series, pd.Index])
def test_a_curve_is_called_after_its_series(series):
    named = series(X, name="age") if series is not pl.Series else pl.Series("age", X)
    assert curvec.fit_pwl(named, Y).curve.input == "age"
    assert curvec.fit_pwl(named, Y, feature="years").curve.input == "years"
    assert curvec.fit_pwl(series(X), Y).curve.input == "x"
    assert curvec.fit_pwl(pd.Series(X, name=0), Y).curve.input == "x"
    assert curvec.fit_pwl(X, Y).curve.input == "x"
    assert curvec.fit_pwl(pd.DataFrame({"age": X}), Y).curve.input == "age"


def test_the_ways_out_for_columns_in_another_order_work():
    x, y = pd.Series(X), pd.Series(Y)
    for way in (lambda: y.sort_values().loc[x.index], y.to_numpy):
        assert curvec.fit_pwl(x, way()) == curvec.fit_pwl(X, Y)
    assert curvec.fit_pwl(x, y.set_axis(range(5, 17))) == curvec.fit_pwl(X, Y)  # other labels say nothing
    model = curvec.CurveModel("m", [curvec.fit_pwl(x, y, feature="x").curve])
    rows, shuffled = x.to_frame("x"), y.sort_values()
    found, two = curvec.distill(model, rows), curvec.CurveModel("m", [*model.terms, curvec.Line("z", 1.0)])
    for call in (
        lambda: curvec.Moments(X).update(x, shuffled),
        lambda: model.evaluate(rows, shuffled),
        lambda: two.drop("x", recentre=rows.assign(z=X), weights=shuffled),
        lambda: metric("rmse")(y, model.predict(rows), shuffled),
        lambda: curvec.distill(model, rows, shuffled),
        lambda: found.evaluate(rows, y, w=shuffled),
        lambda: evaluate_folds([Fold(model, model, rows, shuffled)]),
        lambda: curvec.refine(model, rows, shuffled, ridge=1.0),
        lambda: EvaluationRows(rows, shuffled),
        lambda: importances(model, rows, shuffled),
        lambda: curvec.CurveRegressor().fit(rows, shuffled),
        lambda: curvec.CurveClassifier().fit(rows, y > 0, sample_weight=shuffled),
    ):
        with pytest.raises(curvec.InputError, match=r"has the index labels of \w+ in another order"):
            call()


def test_booleans_are_numbers():
    fit = curvec.fit_pwl(np.array([False, True, True]), [1.0, 2.0, 4.0])
    assert [p[1] for p in fit.curve.points] == [1.0, 3.0]


def test_unsorted_rows_are_sorted_and_left_as_they_were():
    x, y, w = X[::-1].copy(), Y[::-1].copy(), np.ones(12)
    before = x.copy(), y.copy(), w.copy()
    assert curvec.fit_pwl(x, y, w) == curvec.fit_pwl(X, Y)
    for array, old in zip((x, y, w), before, strict=True):
        assert np.array_equal(array, old)


def test_far_float64_values_are_not_collapsed():
    """1e9 + 1 and 1e9 + 2 are one value in float32."""
    fit = curvec.fit_pwl(1e9 + X, X, num_segments=1)
    assert fit.sse == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", ["x", "y", "w"])
def test_values_that_are_not_finite(bad, which):
    columns = {"x": X.copy(), "y": Y.copy(), "w": np.ones(12)}
    columns[which][7] = bad
    with pytest.raises(curvec.InputError, match=rf"{which}\[7\] is .*must be finite"):
        curvec.fit_pwl(**columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"w": np.where(X == 3, -1.0, 1.0)}, r"w\[3\] is -1\.0; must not be negative"),
        ({"w": np.zeros(12)}, "of 12 rows, none has a weight above zero"),
        ({"x": [], "y": []}, "x and y have no rows"),
        (
            {"x": (value for value in X)},
            "x is <generator object .*; it must be one-dimensional: a list, an array, a series",
        ),
        ({"w": "weight"}, "w is 'weight'; it must be one-dimensional: a list"),
        ({"x": X.astype(np.longdouble)}, "x is float128, wider than a double; cast it to float64"),
        (
            {"x": pd.Series(X), "y": pd.Series(Y).sort_values()},
            r"y has the index labels of x in another order.*y\.loc\[",
        ),
        ({"y": Y[:-1]}, "x has 12 rows and y has 11"),
        ({"w": Y[:-1]}, "x has 12 rows and w has 11"),
        ({"x": X.astype(complex)}, "x is complex128; it must be numbers"),
        ({"x": np.array([2**53 + 1] * 12, dtype=object)}, r"x\[0\]: 9007199254740993 is beyond 2\^53"),
        ({"x": [1.0, 2, None] * 4}, r"x\[2\] is None; must be finite; leave out the rows in which it is missing"),
        ({"y": [1.0, 2, pd.NA] * 4}, r"y\[2\] is <NA>; must be finite; leave out the rows"),
        ({"w": [Decimal(1), Decimal("sNaN")] * 6}, r"w\[1\] is Decimal\('sNaN'\); must be finite; leave out the rows"),
        ({"x": [Decimal(1), Decimal("Infinity")] * 6}, r"x\[1\] is Decimal\('Infinity'\); must be finite$"),
        ({"x": [*map(str, range(12))]}, r"x\[0\]: '0' is not a number but text that reads as one"),
        ({"x": ["1", "x", "3"] * 4}, r"x\[1\]: 'x' is not a number$"),
        ({"x": ["1", 2] * 6}, r"x\[0\]: '1' is not a number but text"),
        ({"x": list("abcdefghijkl")}, r"x\[0\]: 'a' is not a number$"),
        ({"x": np.array(["2020-01-01"] * 12, dtype="datetime64[D]")}, "dates and durations"),
        ({"x": pd.date_range("2020-01-01", periods=12)}, "dates and durations"),
        ({"x": np.full(12, 2**53 + 1)}, r"x\[0\]: 9007199254740993 is beyond 2\^53"),
        ({"x": np.ones((12, 2))}, r"x has shape \(12, 2\)"),
        ({"x": np.ma.masked_equal(X, 4)}, r"x\[4\] is None; must be finite"),
        (
            {"x": pd.Series([1, None] * 6, dtype="Int64")},
            r"x\[1\] is <NA>; must be finite; leave out the rows in which it is missing",
        ),
        ({"y": [[1], [2, 3]]}, "y holds sequences; it must be one-dimensional"),
        ({"y": np.where(X == 0, -1e308, 1e308)}, "y goes from -1e\\+308 to 1e\\+308; .*rescale it"),
        ({"x": X * 1e-120, "y": Y * 1e120}, "x goes from .* and y from .*slopes are no doubles"),
        ({"x": pd.Series([], dtype=object), "y": []}, "no rows"),
        ({"x": X * 1e-200}, "x goes from 0.0 to .*rescale it"),
    ],
)
def test_bad_rows(columns, message):
    with pytest.raises(curvec.InputError, match=message):
        curvec.fit_pwl(**{"x": X, "y": Y, **columns})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_segments": 0}, "num_segments=0"),
        ({"num_segments": 2.5}, "num_segments=2.5"),
        ({"num_segments": True}, "num_segments=True"),
        ({"num_segments": "many"}, "num_segments='many'"),
        ({"num_samples": 1}, "num_samples=1"),
        ({"digits": 0}, "digits=0"),
        ({"mono": "up"}, "mono='up'; use one of False, True, 'increasing'"),
        ({"curvature": "round"}, "curvature='round'"),
        ({"curvature": "convex", "mono": "peak"}, "contradicts"),
        ({"min_slope": 1.0, "max_slope": 0.5}, r"min_slope=1\.0 is above max_slope=0\.5"),
        ({"mono": "increasing", "max_slope": -1.0}, "contradicts"),
        ({"mono": "bitonic", "min_slope": 0.5}, "both directions are needed"),
        ({"min_slope": np.nan}, "min_slope=nan"),
        ({"y_bounds": "none"}, "y_bounds='none'"),
        ({"y_bounds": (2, 1)}, "lower bound is above"),
        ({"tolerance": 1.0}, r"tolerance=1\.0"),
        ({"max_seconds": 0}, r"max_seconds=0\.0"),
        ({"knots": [1, 2, 3, 4], "num_segments": 2}, "knots= requires 4 knots"),
        ({"knots": [1, 2], "num_segments": 2, "learn_ends": False}, "4 knots are required"),
        ({"candidates": [3.0]}, "at least two"),
        ({"candidates": [1.0, np.nan]}, r"candidates\[1\] is nan"),
        ({"candidates": 5}, r"candidates is 5; it must be one-dimensional"),
        ({"candidates": [-1e308, 1e308]}, "no double holds the difference"),
        ({"knots": None}, "knots is None; it must be one-dimensional"),
        ({"knots": 5}, "knots is 5; it must be one-dimensional"),
        ({"through": [(1, None)]}, r"through=\[\(1, None\)\]; give points"),
        ({"through": [(1, "2")]}, "give points"),
        ({"min_slope": True}, "min_slope=True; it must be a finite number"),
        ({"y_bounds": (False, 2)}, "y_bounds=False; it must be a finite number"),
        ({"tolerance": None}, "tolerance=None; it must be a share"),
        ({"max_seconds": "1"}, "max_seconds='1'; it must be seconds"),
        ({"max_seconds": np.nan}, "max_seconds=nan"),
        ({"refine_knots": "no"}, "refine_knots='no'; use True or False"),
        ({"learn_ends": 0}, "learn_ends=0; use True or False"),
        ({"fx": "sqrt"}, "fx='sqrt' is not a transform"),
        ({"fx": "log"}, r"x holds 0\.0, outside the domain of log .*fx='log1p'"),
        ({"fx": 3}, "fx=3"),
        ({"fx": np.sqrt}, "No code carries a function"),
        ({"feature": 3}, "feature=3"),
    ],
)
def test_bad_options(options, message):
    with np.errstate(divide="ignore"), pytest.raises(curvec.InputError, match=message):
        curvec.fit_pwl(X, Y, **options)


def test_no_curve_within_the_constraints():
    with pytest.raises(curvec.FitError, match="y_bounds"):
        curvec.fit_pwl(X, Y, min_slope=2.0, candidates=[0.0, 11.0])


def test_constant_y_and_one_x_give_a_flat_curve():
    cases = (X, [0.1] * 12, 0.1), ([3.0], [2.0], 2.0), ([3.0] * 4, [1.0, 2.0, 3.0, 6.0], 3.0), ([1e300], [5.0], 5.0)
    for x, y, mean in cases:
        fit = curvec.fit_pwl(x, y)
        assert {p[1] for p in fit.curve.points} == {mean}
        assert fit.optimal
        assert len(fit.path) == 1
    assert curvec.fit_pwl([3.0] * 4, [1.0, 2.0, 3.0, 6.0]).sse == 14.0


def test_more_segments_than_values_give_a_shorter_curve():
    fit = curvec.fit_pwl([1.0, 2.0, 3.0], [1.0, 5.0, 2.0], num_segments=9)
    assert fit.num_segments == 2
    assert fit.sse == pytest.approx(0, abs=1e-20)


def test_a_candidate_and_a_knot_are_enough_for_a_line():
    fit = curvec.fit_pwl([0, 1, 2, 3], [0, 1, 2, 1], num_segments=1, candidates=[1.0], knots=[2.0])
    assert [x for x, _ in fit.curve.points] == [1.0, 2.0]
    with pytest.raises(curvec.InputError, match="a curve needs at least two distinct ones"):
        curvec.fit_pwl([0, 1, 2, 3], [0, 1, 2, 1], candidates=[1.0], knots=[1.0])


def test_a_peak_that_may_not_fall_only_rises():
    fit = curvec.fit_pwl([0, 1, 2, 3], [0, 1, 2, 1], mono="peak", min_slope=0, knots_on="values")
    assert fit.sse == pytest.approx(0.5)  # 0, 1, 1.5, 1.5: the best that does not fall
