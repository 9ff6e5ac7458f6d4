"""Terms of two features as heat maps: the functions' own values, and what they differ by."""

from __future__ import annotations

import re

import numpy as np
import pytest

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.review.heat_map import CELLS, heat_maps, heat_svg
from curvec.review.report import report

CURVE = PWLCurve("x", [(1, 0), (100, 2)], "log", missing=0.0)
TABLE = EnumCurve("k", {"a": 1.0, "<b>": -1.0}, default=0.0)
STEP = StepCurve("z", [0, 5], [0.0, 1.0, -1.0])
MODEL = CurveModel("m", [Product([CURVE, TABLE]), STEP, Product([CURVE, STEP]), Product([STEP, CURVE])])
TEACHER = CurveModel("t", [Product([StepCurve("x", [10], [0.5, 1.5]), TABLE])], intercept=9)
DATA = {
    "x": np.geomspace(1, 1000, 40),
    "k": np.array(["a", "<b>", "new", None] * 10, dtype=object),
    "z": np.linspace(-3, 9, 40),
}


def test_the_cells_are_the_functions_values() -> None:
    (shown,) = heat_maps(MODEL, (0,), {})
    assert shown.across.feature.name == "x"
    assert list(shown.up.inputs) == ["a", "<b>"]
    # The middles of 24 cells of equal width on the logarithm's axis.
    np.testing.assert_allclose(shown.across.inputs, 10 ** ((np.arange(CELLS) + 0.5) / CELLS * 2))
    expected = np.log(shown.across.inputs) / np.log(100) * 2
    np.testing.assert_allclose(shown.values, [expected, -expected])
    assert shown.across.ticks[0][1] == "1"


def test_terms_of_the_same_two_features_are_one_map() -> None:
    (shown,) = heat_maps(MODEL, (2, 3), {}, DATA)
    x, z = np.meshgrid(shown.across.inputs, shown.up.inputs)
    steps = np.where(z < 0, 0.0, np.where(z < 5, 1.0, -1.0))
    np.testing.assert_allclose(shown.values, 2 * steps * np.minimum(np.log(x) / np.log(100) * 2, 2))
    assert shown.across.inputs.max() > 100  # to the end of the data


def test_the_difference_has_no_mean_over_the_rows() -> None:
    own, theirs, less = heat_maps(MODEL, (0,), {"teacher": TEACHER}, DATA)
    assert (own.title, theirs.title, less.title) == (
        "x * k: the model",
        "x * k: the teacher",
        "x * k: model less teacher",
    )
    both = [CurveModel("m", side.terms[:1]).eval(DATA) for side in (MODEL, TEACHER)]
    shift = np.nanmean(both[1] - both[0])
    np.testing.assert_allclose(less.values, own.values - theirs.values + shift, equal_nan=True)
    assert np.isfinite(own.values).all()
    assert list(own.up.inputs) == ["a", "<b>", "new"]
    assert np.isnan(heat_maps(TEACHER, (0,), {}, {**DATA, "x": np.full(40, np.nan)})[0].values).sum() == 0


def test_there_is_none_of_other_terms() -> None:
    assert heat_maps(MODEL, (1,), {}) == []
    three = CurveModel("m", [Product([CURVE, TABLE, STEP]), Product([CURVE, CURVE]), Sum([STEP, Line("z", 1.0)])])
    assert [heat_maps(three, (k,), {}) for k in range(3)] == [[], [], []]


def test_a_picture_has_the_colours_of_its_values() -> None:
    (shown,) = heat_maps(
        CurveModel("m", [Product([EnumCurve("a", {1: 2.0, 2: -1.0}), EnumCurve("b", {1: 1.0})])]), (0,), {}
    )
    svg = heat_svg(shown)
    assert "from -1 to 2" in svg
    cells = re.findall(r'<path d="M([\d.]+) [\d.]+h[\d.]+v[\d.]+H[\d.]+Z" fill="(#\w+)"', svg)
    assert sorted(cells) == [("159.00", "#6daed3"), ("48.00", "#d55e00")]  # 2 in full, -1 at half: 4 of 7 shades
    assert "#d55e00" not in re.sub("<rect.*?>", "", heat_svg(shown, 4.0))
    empty = heat_maps(CurveModel("m", [Product([Line("x", 1.0), EnumCurve("b", {1: 1.0})])]), (0,), {})
    assert len(empty) == 1
    heat_svg(empty[0])


@pytest.mark.parametrize("base", [None, TEACHER])
def test_the_page_shows_them_before_the_terms_parts(base: CurveModel | None) -> None:
    page = report(MODEL, DATA, teacher=TEACHER, base=base).html
    titles = re.findall(r'<h3 dir="auto">(.*?)</h3>', page)
    first = titles.index("x * k: the model")
    last = "x * k: model less teacher" if base is None else "x * k: model less base model"
    assert titles.index(last) < titles.index("x in x * k")
    assert first < titles.index(last)
    assert "&lt;b&gt;" in page
    assert len(titles) == len(set(titles))
    assert page.count('class="panel heat"') == (4 if base is None else 6)


def test_names_of_levels_have_the_room_there_is() -> None:
    long = {"Married-civ-spouse": 0.5, "Married-AF-spouse": -0.5, "x" * 40: 0.25}
    term = Product([EnumCurve("status", long), EnumCurve("again", long)])
    drawn = str(heat_svg(heat_maps(CurveModel("m", [term]), [0], {})[0]))
    assert drawn.count(">Married-civ-spouse<") == 2  # beside the map, and in the next
    assert drawn.count("<title>Married-civ-spouse</title>") == 1  # below it, where there is a third of its width
    assert drawn.count(f"<title>{'x' * 40}</title>") == 2
