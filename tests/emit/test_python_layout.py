"""The emitted text is laid out as black would."""

from __future__ import annotations

import black
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from noted import noted_models

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum, emit
from curvec.read import from_python
from curvec.spelling import quoted

MODE = black.Mode()


@given(noted_models())
@examples(10)
def test_black_changes_nothing(model: CurveModel) -> None:
    text = emit(model, "python")
    assert black.format_str(text, mode=MODE) == text


def test_black_changes_nothing_in_a_standalone_module() -> None:
    text = emit(CurveModel("m", [StepCurve("a", [1], [2, 3])]), "python", standalone=True)
    assert black.format_str(text, mode=MODE) == text


@given(st.text(st.characters(codec="utf-8"), max_size=12))
def test_a_quoted_text_is_that_text_in_blacks_quotes(text: str) -> None:
    literal = quoted(text)
    assert eval(literal) == text  # noqa: S307  a literal
    assert black.format_str(f"x = {literal}", mode=MODE) == f"x = {literal}\n"


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13, 40])
def test_points_share_a_line_or_have_one_each(count: int) -> None:
    model = CurveModel("m", [PWLCurve("f" * count, [(k, k / 7) for k in range(count + 1)])])
    text = emit(model, "python")
    assert black.format_str(text, mode=MODE) == text
    assert (str(model.terms[0]) in text) == (len(str(model.terms[0])) + 9 <= 88)


@pytest.mark.parametrize("count", [1, 3, 8, 9, 10, 40])
@pytest.mark.parametrize("name", ["f", "a name of some length, with a comma", "年齢", "_lines_0"])
def test_long_lists_are_laid_out_as_black_lays_them_out(count: int, name: str) -> None:
    terms = [
        PWLCurve(f"{name}{k}" if k else name, [(j, j / 7 + k) for j in range(2 + 5 * (k % 3 == 1))])
        for k in range(count)
    ]
    text = emit(CurveModel("m", [*terms, EnumCurve("kind", {"_lines_0,": 1, "\n    _lines_0,\n": 2})]), "python")
    assert black.format_str(text, mode=MODE) == text
    assert from_python(text).terms[:-1] == tuple(terms)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 9, 40])
def test_tables_and_points_of_any_length_are_laid_out_as_black_lays_them_out(count: int) -> None:
    terms = []
    for name in ("f", "a name of some length, with a comma", "年齢", "é\u0302" * 20, "_lines_0"):
        levels = {f"{name} {k}": k / 7 for k in range(count)} | {f"_lines_{k}": 1e17 * k for k in range(count % 2)}
        codes = {-float(k): k / 3 for k in range(1, count + 1)}
        curve = PWLCurve(name, [(k, k / 7) for k in range(count + 1)], special=codes, missing=1.5)
        terms += [EnumCurve(f"{name} 2", levels, default=0.5), curve]
    steps = StepCurve(Sum(terms[2:4]), range(count), [k / 7 for k in range(count + 1)], note="n" * count)
    model = CurveModel("m", [*terms, Product([Sum([curve, Line("x")]), steps, Line(name, 0.25)])])
    text = emit(model, "python")
    assert black.format_str(text, mode=MODE) == text
    assert from_python(text) == model


def test_black_gets_no_more_of_a_long_table_than_of_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    format_str = black.format_str
    monkeypatch.setattr(
        black, "format_str", lambda source, mode: given.append(len(source)) or format_str(source, mode=mode)
    )
    for count in (50, 5000):
        terms = [
            EnumCurve("k", {f"level {k}": k / 7 for k in range(count)}),
            PWLCurve("x", [(k, k / 7) for k in range(count)]),
        ]
        emit(
            CurveModel("m", [*terms, StepCurve("y", range(count), range(count + 1)), Product([terms[1], Line("y")])]),
            "python",
        )
    assert given[0] == given[1] < 2000


def test_huge_numbers_are_spelt_as_black_spells_them() -> None:
    text = emit(CurveModel("m", [PWLCurve("x", [(0, k), (1e22, 1e300)]) for k in range(9)]), "python")
    assert black.format_str(text, mode=MODE) == text
    assert "(1e22, 1e300)" in text
