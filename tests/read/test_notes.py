"""A comment that a person adds is a note afterwards, and stays one."""

from __future__ import annotations

import pytest

from curvec import CurveModel, Line, PWLCurve, emit
from curvec.read import from_python

HEAD = "from curvec import Line, CurveModel, Feature, PWLCurve, Product, Sum\n"


def read(listing: str) -> CurveModel:
    return from_python(HEAD + listing)


def notes(listing: str) -> list[str]:
    return [term.note for term in read(f"MODEL = CurveModel('m', [\n{listing}\n])").terms]


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        ("# why\nLine('a'),\nLine('b')", ["why", ""]),
        ("Line('a'),\n# why\nLine('b')", ["", "why"]),
        ("Line('a'),  # why\nLine('b')", ["why", ""]),
        ("Line('a'), Line('b'),  # why", ["", "why"]),
        ("Line('a')  # why\n, Line('b')", ["why", ""]),
        ("# one\n# two\nLine('a'),  # three", ["one\ntwo\nthree"]),
        ("Line('a', note='first'),  # second", ["first\nsecond"]),
        ("PWLCurve('a', [\n(0, 1),  # low\n(1, 2),\n# high\n])", ["low\nhigh"]),
        ("PWLCurve(\n# the input\n'a', [(0, 1), (1, 2)])", ["the input"]),
        ("PWLCurve('a', [(0, 1), (1, 2)],\n)  # behind", ["behind"]),
        ("#!important\nLine('a')", [""]),
        ("##  big  \nLine('a')", ["big"]),
        ("#\nLine('a')  # noqa: E501", [""]),
        ("Line('a')  # fmt: skip", [""]),
        ("Line('é'), Line('日本')  # über", ["", "über"]),
        ("Line('a')  # type: linear", ["type: linear"]),
    ],
)
def test_a_comment_belongs_to_the_curve_it_stands_at(listing: str, expected: list[str]) -> None:
    assert notes(listing) == expected


def test_comments_inside_sums_and_products() -> None:
    model = read("""MODEL = CurveModel("m", [
    Product([  # the interaction
        # left
        Line("a"),
        Sum([Line("b"), Line("c")]),  # right
        # the end
    ]),
    Line("a")  # first
    + Line("b")
    # third
    + Line("c"),
    PWLCurve(
        # before the sum
        Sum([Line("a")]),
        [(0, 1), (1, 2)],  # points
    ),
])
""")
    product, added, curve = model.terms
    assert product.note == "the interaction\nthe end"
    assert [factor.note for factor in product.factors] == ["left", "right"]
    assert [term.note for term in added.terms] == ["first", "", "third"]
    assert (curve.input.note, curve.note) == ("", "before the sum\npoints")


def test_what_stands_at_no_term_is_a_note_of_the_model() -> None:
    model = read("""# reviewed by A
MODEL = CurveModel("m", [
    Line("a"),
    # no more terms
], intercept=0.5,  # base rate
    features=[
        Feature("a"),  # in years
    ],
)  # the end
# below
""")
    assert model.note == "no more terms\nbase rate\na: in years\nthe end\nreviewed by A\nbelow"
    assert model.terms[0].note == ""


@pytest.mark.parametrize("standalone", [False, True])
def test_comments_added_to_an_emitted_file_survive_every_further_round(standalone: bool) -> None:
    curve = PWLCurve("a b", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log", note="from the fit")
    model = CurveModel("demo", [curve, Line("c")], note="whole")
    text = emit(model, "python", standalone=standalone)
    edited = text.replace("    terms=[\n", "    terms=[\n        # capped, see policy 7\n")
    edited = edited.replace('Line("c", 1),', 'Line("c", 1),  # as it is')
    first = from_python(edited)
    assert [term.note for term in first.terms] == ["from the fit\ncapped, see policy 7", "as it is"]
    assert first.note == "whole"
    second = emit(first, "python", standalone=standalone)
    assert from_python(second) == first
    assert emit(from_python(second), "python", standalone=standalone) == second
