"""The review page in headless Chromium: its numbers are the model's, it asks for nothing, and everybody can use it."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile import hostile
from opened_page import CHROMIUM, NO_CHROMIUM, number, six_digits
from playwright import sync_api as playwright

from curvec import CurveModel, EnumCurve, Feature, Line, Product, PWLCurve, StepCurve, Sum
from curvec.demo import load_data
from curvec.review.importance import importances, ranked
from curvec.review.policy import Finding
from curvec.review.report import report

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)


def test_the_demos_numbers_are_the_models(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    shown = opened(*demo_page)
    page = shown.page
    shown.check()
    page.locator(".slider").first.fill("3")
    shown.check()
    shown.check_sliders([0, 0.137, 0.5, 0.999, 1])
    for k, value in enumerate(("0", "-5", "1e6", "3.25")):  # whatever the data are
        page.locator(".exact").nth(k).fill(value)
        shown.check()
    for select in page.locator("#inputs select").all():
        for option in select.locator("option").all():
            select.select_option(option.get_attribute("value"))
            shown.check()
    page.locator("#inputs [type=checkbox]").first.check()
    shown.check()
    page.locator("#reset").click()
    shown.check()
    assert not page.locator("#inputs [type=checkbox]").first.is_checked()
    assert not shown.trouble
    assert shown.requests == [demo_page[1].as_uri()]


def test_the_point_moves_along_the_curve(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    shown = opened(*demo_page)
    first = shown.page.locator(".panel .now").first
    place = [float(first.get_attribute(name)) for name in ("cx", "cy")]
    feature = demo_page[0].terms[0].feature  # the controls stand in the order of the features
    shown.page.locator(f'[data-feature="{feature}"] .slider').press("End")
    moved = [float(first.get_attribute(name)) for name in ("cx", "cy")]
    assert moved[0] > place[0]
    knots = shown.page.locator(".panel").first.locator(".knot")
    heights = [float(knot.get_attribute("cy")) for knot in knots.all()]
    assert min(abs(moved[1] - height) for height in heights) < 0.1  # at the last point's height or beyond it


def test_every_node_and_type_on_the_page(opened: Any, tmp_path: Path) -> None:
    nested = PWLCurve(Sum([PWLCurve("a", [(0, 0), (9, 3)]), Line("b")]), [(-5, -1), (0, 0), (8, 2)], missing=0.5)
    either = Sum([EnumCurve("yes", {True: 1.5, False: 0.5}), Line("b")])
    product = Product([either, PWLCurve("c", [(1, 1), (4, 2)], "log")])
    terms = [
        nested,
        product,
        StepCurve("d", [1, 2], [0, 5, -5], missing=7.0),
        EnumCurve("k", {3: 1.0, 40: 2.0}, default=9.0, missing=-9.0),
        EnumCurve("s", {"x": 1.0, "": 2.0}, missing=-1.0),
    ]
    features = [Feature(name) for name in "abcd"] + [Feature("yes", "bool"), Feature("k", "int"), Feature("s", "str")]
    model = CurveModel("every", terms, 1.25, "log", [*features, Feature("unused")])
    report(model).save(tmp_path / "page.html")
    shown = opened(model, tmp_path / "page.html")
    shown.check()
    for select in shown.page.locator("#inputs select").all():
        for option in select.locator("option").all():
            if option.inner_text() != '""':
                select.select_option(option.get_attribute("value"))
                shown.check()
    for box in shown.page.locator("#inputs [type=checkbox]").all():
        box.check()
        shown.check()
    assert not shown.trouble


def test_hostile_text_stays_text(opened: Any, tmp_path: Path) -> None:
    report(
        hostile(),
        findings=[Finding("<script>", "x", None, "<script>window.pwned=1</script>")],
    ).save(tmp_path / "page.html")
    shown = opened(hostile(), tmp_path / "page.html")
    assert shown.page.evaluate("window.pwned") is None
    assert shown.page.locator("script").count() == 1
    assert shown.page.locator("h1").inner_text() == hostile().name
    assert shown.page.locator("#score").inner_text() != "\N{EN DASH}"
    assert not shown.trouble
    # The policy itself: even a script that got in would not run, and nothing can be fetched.
    shown.page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.pwned=1'}))"
    )
    assert shown.page.evaluate("window.pwned") is None
    assert any("Content Security Policy" in text for text in shown.trouble)


def test_by_keyboard_and_screen_reader(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    shown = opened(*demo_page)
    page = shown.page
    unnamed = """[...document.querySelectorAll('input, select, button, svg.panel, [role=region]')]
        .filter((e) => !(e.labels?.length || e.textContent.trim()))
        .filter((e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')))
        .map((e) => e.outerHTML)"""
    assert page.evaluate(unnamed) == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.evaluate("""() => {
        window.reached = [];
        addEventListener("focusin", (event) => { window.reached.push(event.target.className); });
    }""")
    for _ in range(140):
        page.keyboard.press("Tab")
    assert {"slider", "exact", "sort"} <= set(page.evaluate("window.reached"))
    slider = page.locator(".slider").first
    before = slider.get_attribute("aria-valuetext")
    for _ in range(3):
        slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") not in (None, before)
    # not wait_for_function: it evaluates text inside the page, which the page's policy forbids
    playwright.expect(page.locator("#spoken")).to_have_text(re.compile("^prediction"))
    assert page.locator("h1").count() == 1


RANGES = {
    "age": np.arange(18.0, 81.0),
    "longitude": np.linspace(-122.52, -122.38, 200),
    "stamp": 1.7e9 + np.linspace(0, 6e4, 200),
    "tiny": np.linspace(1e-12, 3e-12, 50),
    "amount": np.geomspace(0.01, 1e6, 300),
}


@pytest.fixture
def ranges_page(tmp_path: Path) -> tuple[CurveModel, Path]:
    terms = [
        PWLCurve(name, [(float(x.min()), 0), (float(x.max()), 1)], "log" if name == "amount" else "identity", 0.5)
        for name, x in RANGES.items()
    ]
    model = CurveModel("ranges", [*terms, EnumCurve("k", {"a level with a name of some length": 1.0}, missing=0.0)])
    rows = {name: np.resize(x, 300) for name, x in RANGES.items()}
    rows["k"] = np.full(300, "a level with a name of some length", dtype=object)
    report(model, rows).save(tmp_path / "page.html")
    return model, tmp_path / "page.html"


REACHED = """(box, positions) => positions.map((position) => {
    const slider = box.querySelector(".slider");
    slider.value = position;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    return box.querySelector(".exact").value;
})"""
"""What the number beside a slider reads at each of its positions."""


def test_a_slider_reaches_what_the_data_hold(opened: Any, ranges_page: tuple[CurveModel, Path]) -> None:
    """As precise as its range asks for; whole numbers one by one; a key press moves it."""
    shown = opened(*ranges_page)
    for name, x in RANGES.items():
        box = shown.page.locator(f'[data-feature="{name}"]')
        slider, exact = box.locator(".slider"), box.locator(".exact")
        most = int(slider.get_attribute("max"))
        positions = list(range(0, most + 1, max(1, most // 40)))
        reached = list(map(float, box.evaluate(REACHED, positions)))
        assert len(set(reached)) == len(reached)
        assert max(map(len, map(str, reached))) < 24
        assert reached[0] == x.min()
        slider.fill(str(most // 2))
        before = float(exact.input_value())
        slider.press("ArrowRight")
        after = float(exact.input_value())
        assert before < after
        if name == "age":
            assert after == before + 1
        shown.check()
    assert not shown.trouble


def test_what_is_no_number_is_marked_and_has_no_score(opened: Any, ranges_page: tuple[CurveModel, Path]) -> None:
    page = opened(*ranges_page).page
    box = page.locator('[data-feature="age"]')
    exact, hint, score = box.locator(".exact"), box.locator(".hint"), page.locator("#score")
    before, number = score.inner_text(), exact.input_value()
    for text in ("22,75", "abc", "", "1 000", "0x10", "1e", "--1", "NaN", "Infinity"):
        exact.fill(text)
        assert exact.get_attribute("aria-invalid") == "true", text
        assert hint.inner_text()
        assert score.inner_text() == "\N{EN DASH}"
        assert set(page.locator("#contributions tbody tr td:nth-child(2)").all_inner_texts()) == {"\N{EN DASH}"}
        exact.fill(number)
        assert score.inner_text() == before
        assert hint.inner_text() == ""
        assert exact.get_attribute("aria-invalid") is None


def test_a_value_that_no_row_has_is_said(opened: Any, ranges_page: tuple[CurveModel, Path]) -> None:
    shown = opened(*ranges_page)
    exact = shown.page.locator('[data-feature="age"] .exact')
    hint = shown.page.locator('[data-feature="age"] .hint')
    for text, remark in (("17.5", "below the data and the points, 18"), ("81", "above"), ("80", ""), ("+2e1", "")):
        exact.fill(text)
        assert hint.inner_text().startswith(remark)
        assert bool(hint.inner_text()) == bool(remark)
        shown.check()


def test_a_slider_is_wide_enough_to_be_moved(opened: Any, ranges_page: tuple[CurveModel, Path]) -> None:
    page = opened(*ranges_page).page
    least = "Math.min(...[...document.querySelectorAll('.slider')].map((slider) => slider.offsetWidth))"
    for width in (390, 700, 761, 800, 900, 1100, 1101, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(least) >= 110, width


def test_print_shows_what_counts(opened: Any, ranges_page: tuple[CurveModel, Path]) -> None:
    page = opened(*ranges_page, viewport=(700, 900)).page
    page.locator('[data-feature="age"] [type=checkbox]').check()
    page.emulate_media(media="print")
    exact = page.locator('[data-feature="age"] .exact')
    assert (exact.input_value(), exact.get_attribute("placeholder")) == ("", "missing")
    cut = "(e) => e.scrollWidth > e.clientWidth + 1"
    assert not [table for table in page.locator(".scroll, select, .exact").all() if table.evaluate(cut)]
    assert page.locator("#inputs select").evaluate("(e) => getComputedStyle(e).appearance") == "none"


def test_the_bars_are_measured_by_contributions(opened: Any, tmp_path: Path) -> None:
    """A factor of 1,000 beside one of a thousandth is no large contribution."""
    product = Product([PWLCurve("a", [(0, 1000), (1, 2000)]), PWLCurve("b", [(0, 0.0005), (1, 0.0005)])])
    model = CurveModel("m", [product, PWLCurve("c", [(0, -1), (1, 1)])], intercept=0.25)
    report(model).save(tmp_path / "page.html")
    page = opened(model, tmp_path / "page.html").page
    page.locator('[data-feature="c"] .exact').fill("1")
    bars = """[...document.querySelectorAll("#contributions [data-term] .bar span")]
        .map(({style}) => [parseFloat(style.left), parseFloat(style.width)])"""
    first, second = page.evaluate(bars)
    # From 0.25 by 0.75 to 1, and by 1 to 2: in hundredths of the way from 0.25 to 2.
    assert first == pytest.approx([0, 75 / 1.75], abs=0.01)
    assert second == pytest.approx([75 / 1.75, 100 / 1.75], abs=0.01)
    playwright.expect(page.locator("#contributions [data-term]").first).to_have_text(re.compile("^c"))  # the largest


def test_terms_by_importance_and_whatever_else(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    """The table of importance and the figures are in one order, with Python's numbers; what is left out is drawn."""
    model, path = demo_page
    page = opened(model, path).page
    found = importances(model, load_data().train)
    names = [one.label for one in found]
    by_rank = [names[place] for place in ranked(found)]
    table = '[...document.querySelectorAll("#importance tbody tr:not([hidden])")].map((line) => line.dataset.name)'
    figures = '[...document.querySelectorAll(".figures figure:not([hidden])")].map((line) => line.dataset.name)'
    numbers = '[...document.querySelectorAll("#importance tbody tr")].map((line) => line.cells[2].textContent)'

    def drawn() -> list[str]:
        return [name for name in page.evaluate(figures) if name in names]

    assert set(page.evaluate(figures)) - set(names) == {"super", "married"}
    assert page.evaluate(table) == drawn() == by_rank
    assert page.evaluate(numbers) == [f"{found[place].mean_size:.4g}" for place in ranked(found)]
    page.locator("#order").select_option("name")
    assert page.evaluate(table) == drawn() == sorted(names)
    page.locator("#order").select_option("model")
    assert page.evaluate(table) == drawn() == names
    page.locator("#order").select_option("loss")
    by_loss = page.evaluate('[...document.querySelectorAll("#loss-table tbody th")].map((e) => e.textContent)')
    assert page.evaluate(table) == [name for name in by_loss if name in names]
    page.locator("#filter").fill("ED")
    assert set(page.evaluate(table)) == set(drawn()) == {"educ", "tserved"}
    assert set(page.evaluate(figures)) == {"educ", "tserved", "married"}
    assert page.locator("#found").inner_text() == f"2 of {len(names)} terms"
    assert page.locator("#inputs .input:visible").count() == 2
    page.locator("#filter").fill("")
    assert len(drawn()) == len(names)


def test_a_row_is_loaded_and_compared_with_another_and_with_the_base_model(
    opened: Any, demo_page: tuple[CurveModel, Path], tmp_path: Path
) -> None:
    model, _ = demo_page
    rows = load_data().held_out
    base = model.cap("age", below=300)
    ids = [f"person {k}" for k in range(len(rows))]
    report(model, rows, base=base, examples=30, ids=ids).save(tmp_path / "page.html")
    shown = opened(model, tmp_path / "page.html")
    page = shown.page
    offered = page.evaluate("[...document.querySelectorAll('#row-ids option')].map((option) => option.value)")
    assert len(offered) == 30
    scores = model.eval(rows)
    assert [scores[ids.index(name)] for name in offered] == sorted(scores[ids.index(name)] for name in offered)
    assert offered[0] == ids[int(np.argmin(scores))]
    page.locator("#row-id").fill(offered[20])
    page.locator("#reference").select_option("example")
    for name in (offered[3], offered[27]):
        page.locator("#row-id").fill(name)
        page.locator("#load-row").click()
        one = rows.iloc[[ids.index(name)]]
        other = rows.iloc[[ids.index(offered[20])]]
        change = (model.contributions(one) - model.contributions(other))[0]
        cells = """[...document.querySelectorAll("#contributions [data-term]")]
            .map((line) => [Number(line.dataset.term), line.cells[2].textContent, line.cells[3].textContent])"""
        lines = page.evaluate(cells)
        running = model.eval(other)[0]
        for term, text, total in lines:
            running += change[term]
            assert number(text) == pytest.approx(change[term], rel=1e-5, abs=1e-9)
            assert number(total) == pytest.approx(running, rel=1e-5)
        assert page.locator("#score").inner_text() == six_digits(model.eval(one)[0])
        assert page.locator("#base-score").inner_text() == six_digits(base.eval(one)[0])
        assert page.locator("#base-prediction").inner_text() == six_digits(base.predict(one)[0])
        playwright.expect(page.locator("#contributions [data-term] th").first).to_have_text(
            model.term_names[int(np.argmax(np.abs(change)))]
        )
    page.locator("#row-id").fill("nobody")
    page.locator("#load-row").click()
    assert page.locator("#row-hint").inner_text() == "no row nobody on this page"
    page.locator("#reference").select_option("none")
    shown.check()
    assert page.locator(".figures h3").first.inner_text() == "age"  # what changed comes first
    assert not shown.trouble


def test_one_scale_for_all_figures_or_each_its_own(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    """A point's height on the page is its value on the scale that the figure's ticks show."""
    page = opened(*demo_page).page
    read = """[...document.querySelectorAll("svg[data-panel]")].map((svg) => [
        [...svg.querySelectorAll(svg.classList.contains("on-common") ? ".common text" : ".own text")]
            .map((text) => [Number(text.textContent.replace("\u2212", "-")), text.getAttribute("y") - 3.5]),
        [...svg.querySelectorAll(".knot")].map((knot) => Number(knot.getAttribute("cy"))),
        svg.closest("figure").dataset.name])"""
    curves = {curve.feature: curve.points for curve in demo_page[0].terms if isinstance(curve, PWLCurve)}
    for common in (True, False):
        page.locator("#common-scale").set_checked(common)
        figures = page.evaluate(read)
        for ticks, heights, name in figures:
            assert not common or ticks == figures[0][0]
            (low, low_at), (high, high_at) = ticks[0], ticks[-1]
            for (_, y), height in zip(curves.get(name, ()), heights, strict=True):
                assert height == pytest.approx(low_at + (y - low) / (high - low) * (high_at - low_at), abs=0.3)
        now = page.locator("svg[data-panel] .now").first
        assert 10 <= float(now.get_attribute("cy")) <= 186


def many_terms(count: int) -> tuple[CurveModel, CurveModel, dict[str, Any]]:
    """A model of many curves, a teacher and rows."""
    rng = np.random.default_rng(0)
    rows = {f"feature_{k}": rng.normal(size=300).round(3) for k in range(count)}
    curves, steps = [], []
    for k, name in enumerate(rows):
        x = np.unique(rng.normal(size=6).round(2))
        y = rng.normal(size=len(x)).round(3) / (1 + k)
        curves.append(PWLCurve(name, list(zip(x.tolist(), y.tolist(), strict=True))))
        cuts = np.linspace(x[0], x[-1], 20).round(3)
        steps.append(StepCurve(name, cuts.tolist(), np.interp([*cuts, cuts[-1]], x, y).tolist()))
    return CurveModel("many", curves, link="logit"), CurveModel("teacher", steps, link="logit"), rows


def test_five_hundred_terms_stay_usable(opened: Any, tmp_path: Path) -> None:
    """Under 4 MB; and a step of a slider changes as little of the page as with few terms."""
    model, teacher, rows = many_terms(500)
    path = tmp_path / "page.html"
    report(model, rows, teacher=teacher).save(path)
    assert path.stat().st_size < 4_000_000
    shown = opened(model, path)
    page = shown.page
    changes = """async () => {
        let count = 0;
        const observer = new MutationObserver((records) => { count += records.length; });
        observer.observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
        const slider = document.querySelector(".slider");
        slider.value = "700";
        slider.dispatchEvent(new Event("input"));
        await Promise.resolve();
        count += observer.takeRecords().length;
        return count;
    }"""
    assert page.evaluate(changes) < 150
    assert page.locator("#contributions [data-term]:visible").count() == 20
    page.locator("#all-terms").check()
    shown.check()
    page.locator("#filter").fill("feature_499")
    assert page.locator("figure:visible").count() == page.locator("#inputs .input:visible").count() == 1
    assert not shown.trouble


def test_the_table_sorts(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    page = opened(*demo_page).page
    header = page.locator("#distillation th", has_text="RMSE")
    cells = "[...document.querySelectorAll('#distillation tbody tr')].map((line) => Number(line.cells[5].dataset.key))"
    assert page.evaluate(cells) == sorted(page.evaluate(cells), reverse=True)
    header.locator("button").press("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    header.locator("button").press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    assert page.evaluate(cells) == sorted(page.evaluate(cells))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_reads_in_both_schemes(opened: Any, demo_page: tuple[CurveModel, Path], scheme: str) -> None:
    page = opened(*demo_page, color_scheme=scheme).page
    for width in (390, 768, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#start th").bounding_box()["height"] < 40  # a word stays whole
    colours = page.evaluate("(({color, backgroundColor}) => [color, backgroundColor])(getComputedStyle(document.body))")
    assert contrast(*colours) > 7
    for selector in ("dt", ".legend", ".caption", "a", "pre .string", "pre var", ".share-ticks", ".conclusion"):
        style = page.locator(selector).first.evaluate(
            "(e) => getComputedStyle(e)[e.tagName === 'g' ? 'fill' : 'color']"
        )
        assert contrast(style, colours[1]) > 4.5, selector
    assert set(page.locator("#listing .node").all_inner_texts()) > {"CurveModel", "PWLCurve"}


def contrast(*colours: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted(map(luminance, colours))
    return (light + 0.05) / (dark + 0.05)


def test_levels_stand_by_value_share_or_name(opened: Any, tmp_path: Path) -> None:
    levels = {"b": 0.5, "<a>": -0.25, "d": 1.0, "c": 0.0}
    model = CurveModel("m", [EnumCurve("k", levels, missing=0.0), EnumCurve("n", {10: 1.0, 9: 2.0})])
    data = {"k": np.array([*"bb", "<a>", "<a>", "<a>", *"dccccc"], dtype=object), "n": np.repeat([9, 10], [5, 6])}
    teacher = CurveModel("t", [EnumCurve("k", {**levels, "b": 0.75})])
    report(model, data, teacher=teacher, base=teacher).save(tmp_path / "page.html")
    shown = opened(model, tmp_path / "page.html")
    page = shown.page
    svg = page.locator('.figures figure:has(h3:text-is("k")) svg').first
    step = (302 - 20 - 48) / 4
    read = """(svg) => {
        const all = (selector) => [...svg.querySelectorAll(selector)];
        const at = (element, name) => Number(element.getAttribute(name));
        const starts = (path) => {
            const moves = svg.querySelector(path).getAttribute("d").matchAll(/M([\\d.]+) ([\\d.]+)/g);
            return [...moves].map((found) => found.slice(1).map(Number));
        };
        return {
            texts: all(".across text").map((text) => [at(text, "x"), text.textContent]),
            bars: all("rect.share").map((bar) => [at(bar, "x"), at(bar, "height")]),
            curve: starts(".curve"), base: starts(".base"), dots: starts(".dots"),
        };
    }"""
    orders = {
        "value": ["d", "b", "c", "<a>"],
        "share": ["c", "<a>", "b", "d"],
        "name": ["<a>", "b", "c", "d"],
        "model": ["b", "<a>", "d", "c"],
    }
    for by, expected in orders.items():
        page.locator("#category-order").select_option(by)
        drawn = svg.evaluate(read)
        assert [text for _, text in sorted(drawn["texts"])] == expected
        middle = [48 + step * (k + 0.5) for k in range(4)]
        assert sorted(x for x, _ in drawn["texts"]) == pytest.approx(middle, abs=0.15)
        heights = {text: y for text, (_, y) in zip(expected, sorted(drawn["curve"]), strict=True)}
        assert sorted(levels, key=lambda name: heights[name]) == ["d", "b", "c", "<a>"]
        assert [x for x, _ in sorted(drawn["dots"])] == pytest.approx(middle, abs=0.15)
        assert [x for x, _ in sorted(drawn["base"])] == pytest.approx([x - 0.42 * step for x in middle], abs=0.15)
        shares = {text: height for text, (_, height) in zip(expected, sorted(drawn["bars"]), strict=True)}
        assert sorted(levels, key=lambda name: -shares[name]) == ["c", "<a>", "b", "d"]
        page.locator('[data-feature="k"] select').select_option(label="d")
        assert float(svg.locator(".now").get_attribute("cx")) == pytest.approx(middle[expected.index("d")], abs=0.1)
    assert not shown.trouble


def test_points_beside_the_raw_score(opened: Any, tmp_path: Path) -> None:
    model = CurveModel("m", [PWLCurve("x", [(0, -1), (4, 1)])], 0.3, "logit")
    base = CurveModel("b", [PWLCurve("x", [(0, -2), (4, 1)])], 0.0, "logit")
    report(model, base=base, points=(-20, 600, 1 / 50)).save(tmp_path / "page.html")
    shown = opened(model, tmp_path / "page.html")
    shown.page.locator(".exact").fill("3")
    for one, name in ((model, "#points"), (base, "#base-points")):
        odds = 1 / one.predict_row({"x": 3.0}) - 1  # of class 0: twenty points more double them
        assert float(shown.page.locator(name).inner_text()) == pytest.approx(600 + 20 * math.log2(odds / 50), abs=0.051)
    shown.page.locator(".exact").fill("?")
    assert shown.page.locator("#points").inner_text() == "\N{EN DASH}"
    assert not shown.trouble
