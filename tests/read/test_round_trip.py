"""IR -> Python -> IR is the identity, and the text after it is the same text."""

from __future__ import annotations

from typing import Any

import black
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from noted import noted_models

from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum, emit, load
from curvec.read import from_python


@given(noted_models(), st.sampled_from([False] * 7 + [True]))  # a standalone text is mostly the same runtime
@examples(15)
def test_reading_back_is_the_identity(model: CurveModel, standalone: bool) -> None:
    text = emit(model, "python", standalone=standalone)
    again = from_python(text)
    assert again == model
    assert emit(again, "python", standalone=standalone) == text


@given(noted_models(), st.sampled_from([20, 79, 500]))
@examples(8)
def test_a_formatter_may_wrap_the_lines_otherwise(model: CurveModel, width: int) -> None:
    text = emit(model, "python")
    wrapped = black.format_str(text, mode=black.Mode(line_length=width, string_normalization=False))
    assert from_python(wrapped) == model


@given(noted_models())
@examples(8)
def test_the_imported_module_holds_the_same_model(model: CurveModel) -> None:
    module: dict[str, Any] = {"__name__": "emitted"}
    exec(emit(model, "python"), module)  # noqa: S102  the text that curvec itself wrote
    assert module["MODEL"] == model


def test_the_suffix_says_the_form(tmp_path: Any) -> None:
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 0.1)], note="why"), Line("b")])
    python, json = tmp_path / "m.py", tmp_path / "m.json"
    python.write_text(emit(model, "python"), encoding="utf-8", newline="\n")
    model.save(json)
    assert load(python) == load(json) == model


@pytest.mark.parametrize("standalone", [False, True])
def test_a_thousand_terms(standalone: bool) -> None:
    model = CurveModel("m", [PWLCurve(f"f{k}", [(0, 0), (1, k)]) for k in range(1000)])
    assert from_python(emit(model, "python", standalone=standalone)) == model


def test_the_deepest_model() -> None:
    term: Any = Line("a")
    while True:
        model = CurveModel("m", [term])
        try:
            term = PWLCurve(Sum([Product([term, Line("b")])]), [(0, 0), (1, 1)], note="n")
        except InputError:
            break
    assert from_python(emit(model, "python")) == model


def test_every_argument_by_position_and_by_keyword() -> None:
    terms = [
        PWLCurve("a", [(1, 2), (3, 4)], "log", 0.5, "p"),
        StepCurve("a", [1], [2, 3], 4, "s"),
        EnumCurve("k", {True: 1, False: 0}, 2, 3, "e"),
        Line("a", 0.5, 4, "c"),
        Sum([Line("a")], "sum"),
        Product([Line("a")], "product"),
    ]
    model = CurveModel("m", terms, 0.5, "logit", [Feature("a", "number"), Feature("k", "bool")], "note")
    head = "from curvec import Line, CurveModel, EnumCurve, Feature, PWLCurve, Product, StepCurve, Sum\n"
    positional = """MODEL = CurveModel("m", [
        PWLCurve("a", ((1, 2), [3, 4.0]), "log", 0.5, "p"), StepCurve("a", (1,), [2, 3], 4, "s"),
        EnumCurve("k", {True: 1, False: 0}, 2, 3, "e"), Line("a", 0.5, 4, "c"), Sum([Line("a")], "sum"),
        Product((Line("a"),), "product")], 0.5, "logit", [Feature("a", "number"), Feature("k", "bool")], "note")"""
    keyword = """MODEL = CurveModel(note="note",
        features=[Feature(type="number", name="a"), Feature(name="k", type="bool")],
        link="logit", intercept=+0.5, name="m", terms=[
        PWLCurve(note="p", missing=.5, fx="log", points=[(1, 2), (3, 4)], input="a"),
        StepCurve(input="a", cuts=[1], values=[2, 3], missing=4, note="s"),
        EnumCurve(input="k", mapping={True: 1, False: 0}, default=2, missing=3, note="e"),
        Line(missing=4, input="a", note="c", coefficient=.5), Sum(terms=[Line("a")], note="sum"),
        Product(factors=[Line("a")], note="product")])"""
    assert from_python(head + positional) == model
    assert from_python(head + keyword) == model


def test_plus_and_times_are_sums_and_products() -> None:
    text = """from curvec import Line, CurveModel, PWLCurve, Sum
MODEL = CurveModel("m", [Line("a") + Line("b") + Line("c") * Line("d") * Line("a"),
    (Line("a") + Line("b")) * Line("c"), Line("a") + (Line("b") + Line("c")),
    Sum([Line("a")]) + Line("b"), Sum([Line("a")], "n") + Line("b"),
    PWLCurve(Line("a") + Line("b"), [(-1, -2), (0x10, 1_000)])])
"""
    a, b, c, d = (Line(name) for name in "abcd")
    expected = [
        Sum([a, b, Product([c, d, a])]),
        Product([Sum([a, b]), c]),
        Sum([a, Sum([b, c])]),
        Sum([a, b]),
        Sum([Sum([a], "n"), b]),
        PWLCurve(Sum([a, b]), [(-1, -2), (16, 1000)]),
    ]
    model = from_python(text)
    assert model == CurveModel("m", expected)
    module: dict[str, Any] = {}
    exec(text, module)  # noqa: S102  the text above
    assert module["MODEL"] == model
