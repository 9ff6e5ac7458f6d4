"""Listings without ``MODEL = CurveModel(...)``: the paper's, lists of curves, single curves, and pwlfit's spelling."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden_python import paper
from hypothesis import given
from nightly import examples
from noted import noted_models
from typer.testing import CliRunner

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, emit, fit_pwl, load
from curvec.cli import application
from curvec.ir import changed
from curvec.read import from_python

LISTING = """score = sum([
  PWLCurve("age", [(18, 3.13), (21, 0.5914),
    (46, -0.7206)], fx="log"),
  PWLCurve("priors_count", [(0, -0.8415), (1, -0.4452), (38, 2.146)], fx="log1p"),
  PWLCurve("length_of_stay", [(0, -0.1855),
    (3, -0.04099), (4, 0.2443)], fx="log1p"),
  EnumCurve("c_charge_degree", {1: 0.0198, 2: -0.0384}),
  ## ... other features ...
])
"""
"""Listing 1 of Ravina et al. (2021), as it is printed."""

A, B = PWLCurve("a", [(0, 1), (2, 3.5)]), EnumCurve("b", {"x": 1, "y": 2})


def test_the_papers_listing_is_its_model() -> None:
    expected = changed(paper(), name="score", link="identity", note="... other features ...")
    assert from_python(LISTING) == expected


def test_the_papers_listing_goes_through_the_commands(tmp_path: Path) -> None:
    path = tmp_path / "compas.py"
    path.write_text(LISTING, encoding="utf-8")
    emitted = CliRunner().invoke(application(), ["emit", str(path), "--to", "cpp"])
    assert emitted.exit_code == 0, emitted.output
    assert emitted.stdout == emit(load(path), "cpp")
    checked = CliRunner().invoke(application(), ["parity", str(path), "--targets", "python,cpp,sqlite"])
    assert checked.exit_code == 0, checked.output
    assert "cpp" in checked.output
    again = CliRunner().invoke(application(), ["emit", str(path), "--to", "python"])
    assert from_python(again.stdout) == load(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"[{A}, {B}]", CurveModel("model", [A, B])),
        (f"terms = [{A}, {B}]", CurveModel("terms", [A, B])),
        (f"{A}", CurveModel("model", [A])),
        (f"{A},", CurveModel("model", [A])),
        (f"curve = {A}", CurveModel("curve", [A])),
        (f"{A}\n{B}", CurveModel("model", [A, B])),
        (f"{A},\n{B},\n", CurveModel("model", [A, B])),
        (f"from curvec import EnumCurve, PWLCurve\n\n{A}", CurveModel("model", [A])),
        (f'"""What the score is."""\nscore = sum([{A}])', CurveModel("score", [A])),
        (f"sum(({A}, {B}))", CurveModel("model", [A, B])),
        (f"sum([{A}], 0.5)", CurveModel("model", [A], 0.5)),
        (f"sum([{A}], start=-0.5)", CurveModel("model", [A], -0.5)),
        (f"score = -0.5 + sum([{A}, {B}])", CurveModel("score", [A, B], -0.5)),
        (f"score = sum([{A}]) + {B} + 2", CurveModel("score", [A, B], 2)),
        (f"{A} + {B}", CurveModel("model", [A, B])),
        (f"{A} * {B}", CurveModel("model", [Product([A, B])])),
        (f"Sum([{A}, {B}])", CurveModel("model", [Sum([A, B])])),
        (f"score = sum([{A} * {B}, {A}])", CurveModel("score", [Product([A, B]), A])),
        ("StepCurve('a', [1], [2, 3])", CurveModel("model", [StepCurve("a", [1], [2, 3])])),
        (f"model = CurveModel('m', [{A}], link='logit')", CurveModel("m", [A], link="logit")),
    ],
)
def test_every_form_is_the_model_that_it_says(text: str, expected: CurveModel) -> None:
    assert from_python(text) == expected


@given(noted_models())
@examples(12)
def test_the_text_of_a_model_and_of_each_term_reads_back(model: CurveModel) -> None:
    assert from_python(str(model)) == model
    for term in model.terms:
        assert from_python(str(term)).terms == (term,) == from_python(f"x = [{term}]").terms


@pytest.mark.parametrize(
    ("spelling", "fx"),
    [
        ("", "identity"),
        (", fx='log1p'", "log1p"),
        (", fx='symmetriclog1p'", "symlog1p"),
        (", 'symmetriclog1p'", "symlog1p"),
        (", fx=np.log", "log"),
        (", numpy.log1p", "log1p"),
        (", fx=math.log", "log"),
        (", fx=transform.symlog1p", "symlog1p"),
        (", fx=pwlfit.transform.identity", "identity"),
        (", fx=symmetriclog1p", "symlog1p"),
        (", <ufunc 'log1p'>", "log1p"),
        (", <function symlog1p at 0x7f3aa1b2c3d0>", "symlog1p"),
        (", <function identity at 0x00007F3AA1B2C3D0>", "identity"),
    ],
)
@pytest.mark.parametrize("points", ["[(1, 2), (3.5, -4)]", "[(np.float64(1.0), np.float64(2.0)), (3.5, -4.0)]"])
def test_curves_as_pwlfit_spells_and_prints_them(points: str, spelling: str, fx: str) -> None:
    curve = PWLCurve("x", [(1, 2), (3.5, -4)], fx)
    assert from_python(f"PWLCurve({points}{spelling})").terms == (curve,)
    named = f"score = sum([PWLCurve('age', {points}{spelling}), Line('y')])"
    assert from_python(named).terms == (changed(curve, input="age"), Line("y"))


def test_what_looks_like_a_function_inside_a_text_stays() -> None:
    text = """PWLCurve("<ufunc 'log'>", [(1, 2), (3, 4)], <ufunc 'log'>)  # it's <ufunc 'log'>"""
    assert from_python(text).terms == (PWLCurve("<ufunc 'log'>", [(1, 2), (3, 4)], "log", note="it's <ufunc 'log'>"),)


def test_comments_are_notes_of_what_they_stand_at() -> None:
    assert from_python(f"{A}  # why\n# next\n{B}").terms == (changed(A, note="why"), changed(B, note="next"))
    model = from_python(f"# head\nscore = sum([  # open\n{A},  # why\n# before\n{B}])  # end")
    assert model == CurveModel("score", [changed(A, note="why"), changed(B, note="before")], note="open\nend\nhead")
    assert from_python(f"[{A}]  # é").note == "é"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PWLCurve([(1, 2), (3, 4)])\nPWLCurve([(1, 2), (3, 4)])", "f.py:1:1: the curve names no feature; write PWL"),
        (f"[{A}, PWLCurve([(1, 2), (3, 4)])]", "the curve names no feature"),
        (f"PWLCurve(PWLCurve([(1, 2), (3, 4)]) + {A}, [(1, 2), (3, 4)])", "the curve names no feature"),
        ("PWLCurve([(1, 2), (3, 4)], fx=np.sqrt)", "f.py:1:31: expected a number, a string"),
        ("PWLCurve([(1, 2), (3, 4)], <ufunc 'sqrt'>)", "fx='sqrt' is not a transform"),
        ("PWLCurve('a', [(np.float32(0.1), 2), (3, 4)])", "expected a number"),
        ("PWLCurve('a', [(np.float64(f()), 2), (3, 4)])", "expected a number"),
        (f"a = {A}\nscore = sum([a])", "f.py:2:1: a second model; the first is in line 1"),
        (f"{A}\nscore = [{A}]", "f.py:2:1: a second model"),
        (f"from curvec import CurveModel, PWLCurve\nMODEL = CurveModel('m', [{A}])\n{A}", "f.py:3:1: a listing beside"),
        (f"MODEL = [{A}]", "f.py:1:1: expected MODEL = CurveModel(...)"),
        (f"score: float = sum([{A}])", "f.py:1:1: expected MODEL"),
        (f"score += {A}", "f.py:1:1: expected MODEL"),
        ("[]", "f.py:1:1: holds no curve"),
        ("sum([])", "f.py:1:1: holds no curve"),
        ("score = 1 + 2", "f.py:1:9: holds no curve"),
        ("sum(x for x in [])", ": expected a list of curves"),
        (f"sum([{A}], 1, 2)", "f.py:1:1: expected sum([...])"),
        (f"sum([{A}], key=2)", "f.py:1:1: expected sum([...])"),
        ("sum()", "f.py:1:1: expected sum([...])"),
        (f"1 + sum([{A}], 2)", "f.py:1:46: a second number"),
        (f"sum([{A}], 'a')", "the intercept is 'a'; it must be a number"),
        ("[exec('1')]", "f.py:1:2: expected EnumCurve or Line"),
        (f"{A} - {B}", "f.py:1:1: expected EnumCurve or Line"),
        ("sum([" * 100 + "])" * 100, "f.py:1:324: nested too deeply to be a model; more than 128 brackets are open"),
    ],
)
def test_what_says_no_model_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        from_python(text, "f.py")


def test_a_listing_is_not_executed(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    with pytest.raises(InputError):
        from_python(f"score = sum([open({str(witness)!r}, 'w')])")
    assert not witness.exists()


def test_a_curve_and_a_fit_are_emitted_and_checked_as_the_model_that_their_text_is(tmp_path: Path) -> None:
    x = np.linspace(0, 1, 50)
    fit = fit_pwl(x, x**2, num_segments=2)
    model = from_python(str(fit.curve))
    for target, options in (("python", {}), ("cpp", {}), ("sql", {"dialect": "duckdb"}), ("javascript", {})):
        given_options: dict[str, Any] = options
        texts = {emit(value, target, **given_options) for value in (fit, fit.curve, model)}
        assert len(texts) == 1
    assert curvec.parity.check(fit, targets=["python"]).ok
    path = tmp_path / "curve.py"
    path.write_text(f"{fit.curve}\n", encoding="utf-8")
    assert load(path) == model
    with pytest.raises(InputError, match=r"a float is no CurveModel"):
        emit(1.5, "python")  # type: ignore[arg-type]
