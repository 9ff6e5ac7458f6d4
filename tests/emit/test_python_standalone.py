"""A standalone module scores as the reference does, bit for bit, and refuses what it refuses."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from noted import noted_models
from strategies import rows

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum, emit

VALUES = [
    None, math.nan, pd.NA, pd.NaT, np.datetime64("NaT", "ns"), Decimal("NaN"), 0, 1, -1, 2, True, False, 0.0, 1.0, 1.5,
    -0.0, 2**53, 2**53 + 1, -(2**60), 1e300, math.inf, -math.inf, "1", "1.0", "", "nan", "True", "a", b"a", Decimal(1),
    Decimal("1.5"), Fraction(1, 2), 1j, date(2020, 1, 1), np.float64(1), np.float32(1.5), np.float16(0.5), np.int64(1),
    np.int8(-1), np.uint64(2**63), np.bool_(True), np.str_("a"), np.float64("nan"), {},
]  # fmt: skip
TERMS = {
    "number": PWLCurve("x", [(0, 1), (2, 3.5)], missing=9),
    "step": StepCurve("x", [1], [0, 5], missing=7),
    "raw": Line("x"),
    "int": EnumCurve("x", {1: 0.1, 0: 0.2, 2**53: 0.3}, default=0.4, missing=0.5),
    "str": EnumCurve("x", {"1": 0.1, "": 0.2, "a": 0.3, "nan": 0.6}, default=0.4, missing=0.5),
    "bool": EnumCurve("x", {True: 0.1}, default=0.4, missing=0.5),
}


def standalone(model: CurveModel) -> Any:
    module = ModuleType("standalone")  # not in sys.modules: many load a file without registering it
    code = compile(emit(model, "python", standalone=True), "standalone.py", "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102  the text that curvec itself wrote
    return module


def outcome(score: Callable[[Any], Any], data: Any) -> list[str] | str:
    try:
        return [float(value).hex() for value in score(data)]
    except ValueError as error:  # the library's InputError, or the module's own
        return "refused" if type(error).__name__ == "InputError" else repr(error)


@given(noted_models(), st.data())
@examples(12)
def test_every_model_scores_as_the_reference(model: CurveModel, data: st.DataObject) -> None:
    table = data.draw(rows(model, count=40))
    module = standalone(model)
    assert outcome(module.MODEL.eval, table) == outcome(model.eval, table)
    assert outcome(module.MODEL.predict, table) == outcome(model.predict, table)
    terms = np.array(module.MODEL.contributions(table), dtype=float)
    assert np.array_equal(terms, model.contributions(table), equal_nan=True)


@pytest.mark.parametrize("kind", list(TERMS))
def test_every_value_means_the_same(kind: str) -> None:
    model = CurveModel("m", [TERMS[kind]])
    module = standalone(model)
    for value in VALUES:
        table = {"x": [value]}
        assert outcome(module.MODEL.eval, table) == outcome(model.eval, table), repr(value)


@pytest.mark.parametrize("kind", ["number", "int", "str", "bool"])
def test_frames_and_arrays_mean_the_same(kind: str) -> None:
    values: dict[str, list[Any]] = {
        "number": [0.5, None, 2.0], "int": [1, None, 3], "str": ["a", None, "b"], "bool": [True, None, False],
    }  # fmt: skip
    model = CurveModel("m", [TERMS[kind]])
    module = standalone(model)
    column = values[kind]
    frames = [
        {"x": column},
        {"x": np.array(column, dtype=object)},
        pd.DataFrame({"x": column}),
        pd.DataFrame({"x": column}).convert_dtypes(),
        pl.DataFrame({"x": column}),
        pa.table({"x": column}),
    ]
    for frame in frames:
        found = outcome(module.MODEL.eval, frame)
        assert found == outcome(model.eval, frame)
        assert found != "refused"


def test_columns_that_are_missing_or_ragged_are_refused() -> None:
    module = standalone(CurveModel("m", [Line("a"), Line("b")]))
    for data in ({"a": [1]}, {"a": [1], "b": [1, 2]}, pd.DataFrame({"a": [1]}), pl.DataFrame({"a": [1]})):
        with pytest.raises(module.InputError, match=r"missing from the data|differ in length"):
            module.MODEL.eval(data)
    with pytest.raises(module.InputError, match="column 'b', row 1: 'x' is not a number"):
        module.MODEL.eval({"a": [1, 2], "b": [1, "x"]})


def test_a_column_that_no_term_reads_need_not_be_there() -> None:
    model = CurveModel(
        "m",
        [Line("a")],
        features=[*CurveModel("n", [Line("b")]).features, *CurveModel("m", [Line("a")]).features],
    )
    assert standalone(model).MODEL.eval({"a": [2]}) == [2.0]


def test_points_out_of_order_are_refused_when_the_module_is_imported() -> None:
    text = emit(CurveModel("m", [PWLCurve("x", [(0, 1), (2, 3)])]), "python", standalone=True)
    module = ModuleType("standalone")
    sys.modules["standalone"] = module
    with pytest.raises(ValueError, match="strictly increasing"):
        exec(text.replace("[(0, 1), (2, 3)]", "[(2, 1), (0, 3)]"), module.__dict__)  # noqa: S102  see above


def test_plus_and_times_build_what_the_library_builds() -> None:
    module = standalone(CurveModel("m", [Line("a")]))
    a, b = module.Line("a"), module.Line("b")
    assert a + b + a == module.Sum([a, b, a])
    assert a * b * a == module.Product([a, b, a])
    assert (a + b) * a == module.Product([module.Sum([a, b]), a])
    assert Sum([Line("a")]) * Line("b") == Product([Sum([Line("a")]), Line("b")])
