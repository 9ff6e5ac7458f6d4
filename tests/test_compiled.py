"""The compiled core gives the bits of the reference evaluator, for any model and any table."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import subprocess
import sys
import types
import weakref
from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from strategies import models, rows

from curvec import CurveModel, EnumCurve, InputError, Line, ParityError, Product, PWLCurve, StepCurve, Sum, evaluate
from curvec.compiled import CompiledModel
from curvec.links import link
from curvec.verified import VerifiedModel

MODEL = CurveModel(
    "m",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=0.25),
        EnumCurve("degree", {1: 0.5, 2: -0.5, -(2**53): 4.0}, default=7.0),
        EnumCurve("who", {"a": 1.0, "b": 2.0}, missing=-1.0),
        EnumCurve("yes", {True: 2.0}),
        Line("degree"),
    ],
    0.5,
    "logit",
)
COLUMNS: dict[str, Any] = {
    "age": [18.0, 20.0, math.nan, 99.0],
    "degree": [1, 2, 3, 1],
    "who": ["a", "b", None, "c"],
    "yes": [True, False, True, True],
}


def reference(model: CurveModel, data: Any) -> list[np.ndarray]:
    table = model.table(data)
    score = evaluate.raw_score(model.terms, model.intercept, table)
    return [evaluate.contributions(model.terms, table), score, link(model.link).inverse(score)]


def assert_same_bits(got: np.ndarray, wanted: np.ndarray) -> None:
    assert got.shape == wanted.shape
    same = (got == wanted) & (np.signbit(got) == np.signbit(wanted)) | np.isnan(got) & np.isnan(wanted)
    assert same.all(), (got[~same][:3], wanted[~same][:3])


def assert_scores(model: CurveModel, data: Any) -> None:
    for got, wanted in zip(
        (model.contributions(data), model.eval(data), model.predict(data)), reference(model, data), strict=True
    ):
        assert_same_bits(got, wanted)


@st.composite
def models_with_rows(draw: st.DrawFn) -> tuple[CurveModel, Any]:
    model = draw(models())
    return model, draw(rows(model, draw(st.sampled_from([1, 7, 8, 513, 1100]))))


@examples(30)
@given(models_with_rows())
def test_any_model_on_any_rows_has_the_bits_of_the_reference(case: tuple[CurveModel, Any]) -> None:
    model, data = case
    assert_scores(model, data)
    wanted = reference(model, data)
    compiled = model.compile()
    for row in range(min(5, len(wanted[1]))):
        one = {
            name: (column.tolist() if hasattr(column, "mask") else list(column))[row] for name, column in data.items()
        }
        assert_same_bits(
            np.array([compiled.score_row(one), compiled.predict_row(one)]), np.array([w[row] for w in wanted[1:]])
        )


@pytest.mark.parametrize(
    "frame",
    [dict, pd.DataFrame, pl.DataFrame, pa.table, lambda data: pd.DataFrame(data).convert_dtypes()],
    ids=["mapping", "pandas", "polars", "pyarrow", "nullable"],
)
def test_any_frame(frame: Any) -> None:
    assert_scores(MODEL, frame(COLUMNS))


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b", ">f8", ">i4"])
@pytest.mark.parametrize("stride", [1, 2, -1])
def test_any_width_and_stride_is_widened_exactly(dtype: str, stride: int) -> None:
    model = CurveModel("m", [PWLCurve("x", [(0, 1), (3, 4.5), (100, 2)]), EnumCurve("k", {1: 2.0, 5: 3.0}, 9.0)])
    values = np.array([0, 1, 1, 0, 3, 5, 7, 127, 100, 2] if dtype != "b" else [0, 1] * 5, dtype)[::stride]
    keys = values if dtype != "b" else values.astype("i4")
    assert_scores(model, {"x": values, "k": keys})


def test_columns_of_a_matrix_are_not_copied() -> None:
    matrix = np.random.default_rng(1).uniform(-1, 6, (2000, 3))
    model = CurveModel("m", [PWLCurve(name, [(0, 1), (3, 4), (5, 2)]) for name in "abc"])
    assert_scores(model, {name: matrix[:, i] for i, name in enumerate("abc")})


def test_a_float_that_is_no_integer_is_an_unseen_level() -> None:
    model = CurveModel("m", [EnumCurve("k", {1: 2.0, 5: 3.0}, default=9.0, missing=-1.0)])
    values = np.array([1.0, 1.5, math.nan, math.inf, 5.0, 2.0**60])
    assert model.eval({"k": values}).tolist() == [2.0, 9.0, -1.0, 9.0, 3.0, 9.0]
    assert [model.compile().score_row({"k": value}) for value in values.tolist()] == [2.0, 9.0, -1.0, 9.0, 3.0, 9.0]


@pytest.mark.parametrize("count", [2, 16, 17, 300])
def test_curves_of_any_number_of_points(count: int) -> None:
    random = np.random.default_rng(count)
    x = np.unique(random.normal(0, 100, count).round(2))
    terms = [
        PWLCurve("x", list(zip(np.exp(x / 50) if fx == "log" else x, random.normal(size=len(x)), strict=True)), fx, 0.5)
        for fx in ("identity", "log", "symlog1p")
    ]
    terms.append(StepCurve("x", x, random.normal(size=len(x) + 1), -1.0))
    probes = np.concatenate([x, np.nextafter(x, -9e9), np.nextafter(x, 9e9), [np.nan, np.inf, -np.inf, 0.0, -0.0]])
    assert_scores(CurveModel("m", terms), {"x": np.repeat(probes, 3)})


def cuts_of_any_shape() -> dict[str, np.ndarray]:
    random = np.random.default_rng(5)
    return {
        "equal distances": np.arange(255.0),
        "two to four in a place": np.sort(random.uniform(0, 1, 2000)),
        "skewed": np.exp(random.normal(3, 1, 255)),
        "most in one place": np.append(np.linspace(0, 1e-9, 200), 1e9),
        "as far apart as doubles are": 2 * np.linspace(-8e307, 8e307, 40),
        "subnormal": np.arange(1, 60) * 5e-324,
        "neighbours": 1 + np.arange(100) * 2.0**-52,
    }


@pytest.mark.parametrize("shape", cuts_of_any_shape())
def test_steps_between_cuts_of_any_shape(shape: str) -> None:
    x = np.unique(cuts_of_any_shape()[shape])
    model = CurveModel("m", [StepCurve("x", x, np.arange(len(x) + 1.0), -1.0)])
    probes = np.concatenate([x, np.nextafter(x, -np.inf), np.nextafter(x, np.inf), [np.nan, np.inf, -np.inf, 0.0]])
    assert_scores(model, {"x": probes})


def test_nested_nodes_and_groups_of_a_sum() -> None:
    inner = Sum([Line("x"), PWLCurve("y", [(0, 1), (1, 3)], missing=0.125)])
    wide = Sum([PWLCurve("x", [(0, k / 7), (1, k / 3)]) for k in range(60)])
    terms = [PWLCurve(inner, [(-1, 0), (2, 5)]), StepCurve(wide, [100, 150], [1, 2, 3]), wide, Product([inner, wide])]
    random = np.random.default_rng(0)
    assert_scores(CurveModel("m", terms * 13, 0.1), {"x": random.normal(size=1300), "y": random.normal(size=1300)})


@pytest.mark.parametrize("count", [0, 1, 511, 512, 513, 20_000])
def test_any_number_of_rows_on_any_number_of_threads(count: int) -> None:
    random = np.random.default_rng(0)
    model = CurveModel("m", [PWLCurve("x", [(0, 1), (1, 3), (2, -1)], missing=7), Line("y")], 0.1, "log")
    data = {"x": random.normal(size=count), "y": random.normal(size=count)}
    _, score, prediction = reference(model, data)
    for threads in (1, np.int64(2), 5, 2**64):
        assert_same_bits(model.compile().eval(data, threads=threads), score)
        assert_same_bits(model.compile().predict(data, threads=threads), prediction)
        assert model.compile().contributions(data, threads=threads).shape == (count, 2)


def test_another_interpreter_of_the_process_is_refused() -> None:
    program = """
try:
    import _interpreters as interpreters  # since Python 3.13; it returns what was raised
except ModuleNotFoundError:
    import _xxsubinterpreters as interpreters
try:
    print(interpreters.run_string(interpreters.create(), "import curvec._core"))
except interpreters.RunFailedError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600)
    ways = [
        "curvec works in the main interpreter only",
        "does not support loading in subinterpreters",
    ]  # or Python's own
    assert any(way in done.stdout for way in ways)


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_where_no_thread_can_be_had_one_does_all() -> None:
    program = """
import resource
import numpy as np
from curvec import CurveModel, PWLCurve
model = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 3)])])
x = np.linspace(0, 1, 200_000)
wanted = model.eval({"x": x})
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 6_000_000, -1))
assert (model.compile().eval({"x": x}, threads=2000) == wanted).all()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("threads", [0, -1, True, 1.5])
def test_a_number_of_threads_that_is_none_is_refused(threads: Any) -> None:
    with pytest.raises(InputError, match="threads="):
        MODEL.compile().eval(COLUMNS, threads=threads)


def test_one_row_takes_what_a_table_takes() -> None:
    compiled = MODEL.compile()
    row = {"age": np.float32(20), "degree": np.int64(2), "who": np.str_("b"), "yes": np.True_, "more": object()}
    plain = {"age": [20.0], "degree": [2], "who": ["b"], "yes": [True]}
    assert compiled.score_row(row) == MODEL.eval(plain)[0]
    assert math.isnan(compiled.score_row({"age": 20, "degree": None, "who": None, "yes": None}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"age": "old"}, "column 'age', row 0: 'old' is not a number"),
        ({"age": 2**53 + 1}, "beyond 2"),
        ({"who": 1}, "column 'who', row 0: 1 is an int"),
        ({"degree": True}, "column 'degree', row 0: True is a bool"),
        ({"yes": "yes"}, "column 'yes', row 0: 'yes' is a str"),
        ({"who": ["a"]}, "column 'who'"),
        ({"age": np.array([20.0])}, "column 'age'"),
    ],
)
def test_a_row_of_the_wrong_type_is_refused_by_name(change: dict[str, Any], message: str) -> None:
    row = {"age": 20.0, "degree": 1, "who": "a", "yes": True, **change}
    with pytest.raises(InputError, match=message):
        MODEL.compile().score_row(row)
    column = np.empty(1, object)
    column[0] = next(iter(change.values()))
    with pytest.raises(InputError, match=message):
        MODEL.eval({name: column if name in change else [value] for name, value in row.items()})


def test_a_frame_is_no_row() -> None:
    frame = pd.DataFrame({"age": [20.0], "degree": [1], "who": ["a"], "yes": [True]})
    said = r"column '\w+' of the row is 0 .*; pass one value a feature, or a table to eval"
    for call in (MODEL.score_row, MODEL.predict_row, MODEL.contributions_row):
        with pytest.raises(InputError, match=said) as caught:
            call(frame)  # type: ignore[arg-type]  # that is the point
        assert "\n" not in str(caught.value)


def test_a_feature_that_is_not_in_the_row_is_named() -> None:
    with pytest.raises(InputError, match="feature 'who' is missing from the row"):
        MODEL.compile().score_row({"age": 20.0, "degree": 1, "yes": True})


def test_a_model_that_is_dropped_is_freed_with_its_program() -> None:
    gc.collect()
    gc.disable()  # no cycle: nothing waits for the collector
    try:
        alive = []
        for number in range(20):
            levels = {f"level {k} of {number}": float(k) for k in range(1000)}
            model = CurveModel("m", [EnumCurve("k", levels, default=-1.0), PWLCurve("x", [(0, 0), (1, number)])])
            model.eval({"k": ["other"], "x": [0.5]})
            compiled = model.compile()
            compiled.score_row({"k": np.str_("level 1"), "x": 1})
            alive += [weakref.ref(compiled), weakref.ref(compiled._reader), weakref.ref(compiled._program)]
            del model, compiled
        assert [reference() for reference in alive] == [None] * len(alive)
    finally:
        gc.enable()


def test_the_program_is_made_once_and_is_no_part_of_the_model() -> None:
    model = CurveModel("m", [Line("x")])
    twin = CurveModel("m", [Line("x")])
    assert model.compile() is model.compile()
    assert model == twin
    assert hash(model) == hash(twin)
    assert model.to_json() == twin.to_json()


def test_a_compiled_model_crosses_processes() -> None:
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)]), EnumCurve("c", {"u": 0.5}, default=0.0)], 0.25, "logit")
    rows = {"a": [0.1, np.nan, 3.0], "c": ["u", "v", None]}
    for again in (pickle.loads(pickle.dumps(model.compile())), copy.deepcopy(model.compile())):  # noqa: S301  our own
        np.testing.assert_array_equal(again.predict(rows), model.predict(rows))
        assert again.score_row({"a": 0.5, "c": "u"}) == model.score_row({"a": 0.5, "c": "u"})


def test_with_the_environment_s_word_each_number_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURVEC_VERIFY", "1")
    model = copy.deepcopy(MODEL)
    assert isinstance(model.compile(), VerifiedModel)
    assert isinstance(copy.copy(model.compile()), VerifiedModel)
    assert_scores(model, COLUMNS)
    row = {name: column[0] for name, column in COLUMNS.items()}
    assert model.score_row(row) == model.eval(COLUMNS)[0]
    assert model.predict_row(row) == model.predict(COLUMNS)[0]
    monkeypatch.delenv("CURVEC_VERIFY")
    assert type(copy.deepcopy(MODEL).compile()) is CompiledModel


def test_the_row_is_named_at_which_the_core_is_not_the_reference() -> None:
    curve, other = (PWLCurve("x", [(0, 0), (1, 1), (2, y)]) for y in (2.0, 2.5))
    model = CurveModel("m", [Line("x"), curve])
    _, made_of = model.compile().__reduce__()
    wrong = VerifiedModel(*made_of, [Line("x"), other], 0.0, "identity")
    right = {"x": [0.0, 0.5, 1.0]}
    assert wrong.eval(right).tolist() == [0.0, 1.0, 2.0]
    for score, place in (
        (lambda: wrong.eval({"x": [0.0, 2.0]}), "row 1: the compiled core gives 0x1.0"),
        (lambda: wrong.predict({"x": [0.0, 0.5, 2.0]}), "row 2: "),
        (lambda: wrong.contributions({"x": [2.0]}), "row 0, term 1: "),
        (lambda: wrong.score_row({"x": 2.0}), "row 0: "),
        (lambda: wrong.predict_row({"x": 2.0}), "row 0: "),
    ):
        with pytest.raises(ParityError, match=place):
            score()


class _Row(tuple[Any, ...]):
    """As the rows of Spark: a tuple with names, which raises a ValueError for another name."""

    __slots__ = ()

    def __getitem__(self, name: Any) -> Any:
        return dict(self)[name] if name in dict(self) else [].index(name)


@pytest.mark.parametrize(
    "row",
    [
        {"x": None, "k": 1},
        defaultdict(float, {"x": None, "k": 1}),
        types.MappingProxyType({"x": None, "k": 1}),
        pd.Series({"x": None, "k": 1}),
        np.array([(None, 1)], [("x", object), ("k", int)])[0],
        np.rec.array([(None, 1)], [("x", object), ("k", int)])[0],
        _Row([("x", None), ("k", 1)]),
    ],
    ids=lambda row: type(row).__name__,
)
def test_every_call_of_one_row_takes_whatever_has_values_by_name(row: Any) -> None:
    model = CurveModel("m", [PWLCurve("x", [(0, 1), (1, 2)], missing=4), EnumCurve("k", {1: 0.5}, default=0)])
    assert (model.score_row(row), model.predict_row(row)) == (4.5, 4.5)
    assert model.contributions_row(row) == {"x": 4.0, "k": 0.5}
    more = CurveModel("m", [*model.terms, PWLCurve("absent", [(0, 1), (1, 2)], missing=4)])
    for call in (more.score_row, more.predict_row, more.contributions_row):
        with pytest.raises(InputError, match="feature 'absent' is missing from the row"):
            call(row)
