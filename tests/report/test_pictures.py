"""The pictures of a page: what is drawn, where, and beside what."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hostile import EVIL, hostile
from small_page import Elements, small

from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, fit_pwl, plot, refine
from curvec.distill import distill
from curvec.ir import changed
from curvec.parity import check
from curvec.review.diff import diff
from curvec.review.importance import importances
from curvec.review.page.controls import controls
from curvec.review.panels import panels
from curvec.review.report import report
from curvec.review.svg import picture


def test_slanted_labels_have_room_and_nothing_on_them() -> None:
    levels = {f"the level number {i}": float(i) for i in range(40)}
    page = report(CurveModel("m", [EnumCurve("k", levels)])).html
    assert ">the level number …<" in page
    height = float(re.findall(r'<svg class="panel" data-panel="0" viewBox="0 0 \d+ (\d+)"', page)[0])
    anchors = [float(y) for y in re.findall(r"rotate\(-55 [\d.]+ ([\d.]+)\)", page)]
    reach = max(anchors) + 18 * 8 * 0.6 * math.sin(math.radians(55))  # eighteen letters of 8, some 0.6 as wide as high
    (further,) = re.findall(r'y="(\d+)" text-anchor="end" [^>]*>and 16 more', page)
    assert reach < float(further) - 0.7 * 9 < height


def test_the_mark_of_a_missing_input_is_on_no_level() -> None:
    for count in (2, 10, 24):
        model = CurveModel("m", [EnumCurve("k", {f"l{i}": float(i) for i in range(count)}, missing=float(count - 1))])
        page = report(model).html
        (mark,) = (float(x) for x in re.findall(r'class="missing" data-y="[^"]*" d="M([\d.]+) [^"]*" fill', page))
        (path,) = re.findall(r'class="curve" d="([^"]*)" stroke', page)
        start, width = re.findall(r"M([\d.]+) [\d.]+h([\d.]+)", path)[-1]
        assert float(start) + float(width) < mark - 5


@pytest.mark.parametrize("with_data", [True, False])
def test_an_exposure_is_shown_where_its_data_are(with_data: bool) -> None:
    model, _, data, _ = small()
    rates = changed(model, link="log").with_offset("years", fx="log")
    years = np.linspace(0.05, 2, 200)
    rows = {**data, "years": years} if with_data else None
    least, most = (0.05, 2.0) if with_data else (0.1, 10.0)
    _, _, panel = panels(rates)
    (control,) = [one for one in controls(rates, [panel], rows) if one["feature"] == "years"]
    assert least <= control["low"] < control["start"] < control["high"] <= most
    axis = picture(panel, rows).axis
    assert least / 2 < math.exp(axis["from"]) < math.exp(axis["to"]) < 2 * most
    assert -10 < axis["bottom"] < axis["top"] < 10
    exposure = importances(rates, rows)[-1]
    assert exposure.high == pytest.approx(math.log(2) if with_data else math.inf)


SIDE = StepCurve("z", [0, 1], [0.5, 1, 2], missing=0.0)


BENT = PWLCurve("x", [(0, 0), (6, 2)])


TERMS_OF_SEVERAL = [
    Product([BENT, SIDE]),
    Product([Sum([EnumCurve("k", {"a": 1.0, "b": -1.0}), BENT]), SIDE]),
    Sum([Product([BENT, SIDE]), Product([SIDE, PWLCurve("x", [(1, 3), (2, 1)])])]),
    PWLCurve(Sum([BENT, SIDE]), [(0, 0), (4, 1)]),
    StepCurve(Sum([Product([BENT, SIDE]), SIDE]), [1], [0, 1]),
]


@pytest.mark.parametrize("term", TERMS_OF_SEVERAL)
def test_what_did_not_change_is_drawn_over_the_base_and_the_teacher(term: Any) -> None:
    """Factors, parts of sums and curves of sums, too; each figure has a title of its own."""
    model = CurveModel("m", [term, PWLCurve("z", [(0, 0), (1, 1)])])
    base = CurveModel("b", [PWLCurve("z", [(0, 0), (1, 2)]), term])
    page = report(model, base=base, teacher=base).html
    figures = page.split("<figure ")[1:]
    for figure in figures:
        if 'class="panel heat"' in figure:
            continue
        lines = dict(re.findall(r'<path class="(curve|base)" d="([^"]*)"', figure))
        dots = re.findall(r'<path class="dots" d="([^"]*)"', figure)
        assert dots
        if '<h3 dir="auto">z</h3>' not in figure:
            assert lines["curve"] == lines["base"]
    titles = re.findall(r"<h3[^>]*>(.*?)</h3>", page)
    assert len(titles) == len(set(titles)) == len(figures)


@pytest.mark.parametrize("term", [*TERMS_OF_SEVERAL, EnumCurve("k", {"a": 1.0, "b": -1.0}), BENT])
def test_a_removed_term_has_a_figure(term: Any) -> None:
    model, base = CurveModel("m", [SIDE]), CurveModel("b", [SIDE, term])
    page = report(model, base=base).html
    figures = [figure for figure in page.split("<figure ")[1:] if 'id="term-0"' not in figure]
    assert figures
    assert len(figures) == page.count("<figure ") - 1
    for figure in figures:
        assert 'class="base"' in figure
        assert 'class="curve" d' not in figure
        assert "does not have" in figure or "the model has no such term" in figure
    assert page.count("const PANELS") == 1
    assert "the model has no such term" not in report(base, base=base).html


@pytest.mark.parametrize(
    "change",
    [
        {"age": np.full(6, -5.0)},
        {"age": np.array([-5.0, 0.0, 20, 30, np.inf, np.nan])},
        {"age": np.full(6, np.nan)},
        {"raw": np.full(6, np.inf)},
        {"raw": np.full(6, 1e17)},
        {"k": np.full(6, None)},
        {"k": np.full(6, "unseen")},
    ],
)
def test_data_that_curves_clamp_or_miss_are_shown(change: dict[str, Any]) -> None:
    """A logarithm's curve is constant below its first point, where the logarithm itself may not go."""
    data = {"age": np.linspace(18, 60, 6), "raw": np.arange(6.0), "k": np.array(["a", "b"] * 3, dtype=object), **change}
    model = CurveModel(
        "m", [PWLCurve("age", [(18, 3), (46, -1)], "log"), Line("raw"), EnumCurve("k", {"a": 1.0, "b": -1.0})]
    )
    teacher = CurveModel("t", [StepCurve("age", [30], [1, 0]), Line("raw"), EnumCurve("k", {"a": 0.5, "b": -1.0})])
    assert "curve with its points" in report(model, data, teacher=teacher).html


def test_notebooks_show_pictures_that_stand_alone() -> None:
    nested = PWLCurve(Sum([Line("a"), Line("b")]), [(0, 0), (1, 1)])
    model = CurveModel("m", [*hostile().terms, Product([nested, StepCurve("c", [1], [0, 1])])])
    small_model, teacher, data, _ = small()
    found = distill(teacher, data)
    refined = refine(small_model, data, np.arange(len(data["x"])) % 2, loss="log_loss", ridge=1.0)
    values: list[Any] = [refined, diff(small_model, refined.model), diff(model, model)]
    values += [model, nested, report(model), check(small_model, targets=["python"]), found, found.report]
    values.append(fit_pwl(np.arange(9.0), np.arange(9.0) ** 2, num_segments=2, feature=EVIL[1]))
    drawn = {"p", "pre", "div", "figure", "figcaption", "svg", "rect", "path", "g", "text", "circle", "title", "iframe"}
    for value in values:
        shown = value._repr_html_()
        assert {tag for tag, _ in Elements(shown).tags} <= drawn
        assert not re.search(r"<[^>]* on[a-z]+=", re.sub(r'"[^"]*"', '""', shown))
    assert found.report.curves[0].label in found._repr_html_()
    # The ticks are dark: the notebook's page may be, too, so each figure brings its own paper.
    for figure in re.findall(r"<figure [^>]*>", model._repr_html_()):
        assert "background: #fff" in figure


EXTREMES = [
    [(1e6 + 0.1, 0), (1e6 + 0.9, 1)],
    [(1.7e9, 0), (1.7e9 + 5, 1)],
    [(-122.52, 0.1), (-122.38, 0.1000001)],
    [(1e-300, 1e-300), (3e-300, 2e-300)],
    [(1e300, 1e300), (5e300, 9e300)],
    [(-1e300, -1e300), (1e300, 1e300)],
    [(5e-324, 0), (1e-323, 5e-324)],
    [(1.0, 1.0), (1.0000000000000002, 1.0000000000000002)],
    [(1e15, 1e15), (1e15 + 1, 1e15 + 2)],
]


@pytest.mark.parametrize("points", EXTREMES)
@pytest.mark.parametrize("fx", ["identity", "log", "symlog1p"])
def test_the_ticks_of_any_range_can_be_told_apart(points: Any, fx: str) -> None:
    try:
        model = CurveModel("m", [PWLCurve("x", points, fx)])
    except InputError:
        return  # no curve with this transform
    page = report(model).html
    (panel,) = re.findall(r'<svg class="panel".*?</svg>', page, flags=re.DOTALL)
    assert "nan" not in panel
    assert "inf" not in panel
    for anchor in ("middle", "end"):
        (group,) = re.findall(rf'<g class="ticks[^>]*text-anchor="{anchor}">(.*?)</g>', panel, flags=re.DOTALL)
        labels = re.findall(r'<text x="([^"]*)" y="([^"]*)">(.*?)</text>', group)
        assert len(labels) >= 2
        assert len({text for *_, text in labels}) == len(labels)
    figure = plot(model)
    figure.canvas.draw()
    assert len({label.get_text() for label in figure.axes[0].get_xticklabels()}) >= 2


@pytest.mark.parametrize("with_data", [False, True])
def test_everything_that_is_drawn_is_inside_the_frame(with_data: bool) -> None:
    """The teacher's cuts may lie far outside the model's points."""
    model = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)]), PWLCurve("z", [(1, 0), (3, 1)], "log")])
    teacher = CurveModel(
        "t", [StepCurve("x", [-50, 0.5, 90], [0, 5, -5, 1]), StepCurve("z", [0.01, 2, 700], [0, 1, 2, 9])]
    )
    data = {"x": np.linspace(-3, 4, 50), "z": np.geomspace(0.5, 5, 50)} if with_data else None
    page = report(model, data, teacher=teacher, base=teacher).html
    for panel in re.findall(r'<svg class="panel".*?</svg>', page, flags=re.DOTALL):
        (path,) = re.findall(r'class="dots" d="([^"]*)"', panel)
        moves = [[float(number) for number in step.split()] for step in re.findall(r"[Mm]([^h]+)h0", path)]
        dots = np.cumsum(moves, axis=0).round(6).tolist()  # each from the one before
        knots = re.findall(r'class="knot" cx="([-\d.]+)" cy="([-\d.]+)"', panel)
        for x, y in [*dots, *knots]:
            assert 48 <= float(x) <= 302
            assert 10 <= float(y) <= 186


def test_every_level_of_a_large_table_is_in_one_that_folds() -> None:
    """A picture shows 24; the table has all, the most frequent first, with the values of both models."""
    levels = [f"level <{k}>" for k in range(300)]
    teacher = CurveModel("t", [EnumCurve("k", {name: k / 7 for k, name in enumerate(levels)})])
    model = CurveModel("m", [EnumCurve("k", {name: k / 8 for k, name in enumerate(levels[:299])})])
    rows = {"k": np.array([*levels, levels[7], levels[7], levels[3]], dtype=object)}
    page = report(model, rows, teacher=teacher).html
    (table,) = re.findall(r'<table class="sortable" id="levels-0">.*?</table>', page, flags=re.DOTALL)
    cell = r'<t[hd](?: scope="row")?(?: data-key="([^"]*)")?[^>]*>(.*?)</t[hd]>'  # without a key its text is one
    cells = [[key or text for key, text in re.findall(cell, line)] for line in table.split("<tr>")[2:]]
    assert len(cells) == 300
    assert cells[0][:3] == ["level &lt;7&gt;", f"{3 / 303:.9g}", f"{7 / 8:.9g}"]
    assert cells[1][0] == "level &lt;3&gt;"
    known = np.array([*range(299), 7, 7, 3])
    moved = 299 / 7 + (known / 8 - known / 7).mean()  # to the mean of the model's, over the rows that both have
    (last,) = [row for row in cells if row[0] == "level &lt;299&gt;"]
    assert last[1:3] == [f"{1 / 303:.9g}", "\N{EN DASH}"]
    assert float(last[3]) == pytest.approx(moved, rel=1e-8)
    assert "levels-0" not in report(CurveModel("m", [EnumCurve("k", {"a": 1.0, "b": 2.0})])).html


def test_the_teachers_spread_is_a_band() -> None:
    """One standard deviation either side of the teacher's function, which is moved to the model's mean.

    Without data by what the two differ by in the mean on both sides of the breakpoints, -0.5, or the levels, -0.125.
    """
    model = CurveModel("m", [PWLCurve("x", [(0, 0), (4, 1)]), EnumCurve("k", {"a": 0.0, "b": 1.0})])
    teacher = CurveModel("t", [StepCurve("x", [1, 3], [0, 1, 2]), EnumCurve("k", {"a": 0.25, "b": 1.0})])
    spread = CurveModel("s", [StepCurve("x", [1, 2], [0.5, 0.25, 1]), EnumCurve("k", {"a": 0.125, "b": 3.0})])
    page = report(model, teacher=teacher, spread=spread).html
    number, levels = re.findall(r'<path class="band" d="([^"]*)" fill=', page)
    axes = [
        {name: float(value) for name, value in found}
        for line in re.findall(r"^  \{ inner: .*$", page, flags=re.MULTILINE)
        for found in [re.findall(r'"(from|to|low|high)":([-\d.e]+)', line)]
    ]

    def height(axis: dict[str, float], y: float) -> float:
        return 186 - 176 * (y - axis["low"]) / (axis["high"] - axis["low"])

    points = [tuple(map(float, point.split())) for point in re.findall(r"[-\d.]+ [-\d.]+", number)]
    for x, low, high in ((0.5, -1.0, 0.0), (1.5, 0.25, 0.75), (2.5, -0.5, 1.5), (3.5, 0.5, 2.5)):
        place = 48 + 254 * (x - axes[0]["from"]) / (axes[0]["to"] - axes[0]["from"])
        sides = list(zip(points, [*points[1:], points[0]], strict=True))
        crossed = sorted(y for (a, y), (b, z) in sides if y == z and min(a, b) <= place <= max(a, b))
        assert crossed == pytest.approx([height(axes[0], high), height(axes[0], low)], abs=0.1)
    boxes = [tuple(map(float, box)) for box in re.findall(r"M[-\d.]+ ([-\d.]+)h[-\d.]+V([-\d.]+)", levels)]
    expected = [(0.0, 0.25), (-2.125, 3.875)]
    assert boxes == [pytest.approx([height(axes[1], end) for end in ends], abs=0.1) for ends in expected]
    assert "one standard deviation" in page
    assert "one standard deviation" not in report(model, teacher=teacher).html
