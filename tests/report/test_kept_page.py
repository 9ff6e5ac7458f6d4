"""What leaves the page: printed, saved with a sign-off, as files, pictures and links."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import image

from curvec import CurveModel
from curvec.demo import load_data
from curvec.review.importance import importances, ranked
from curvec.review.svg import Frame


def test_the_sign_off_is_saved_with_the_page(opened: Any, demo_page: tuple[CurveModel, Path], tmp_path: Path) -> None:
    """And what was saved is the page, filled in: its script and its policy hold."""
    model, path = demo_page
    shown = opened(model, path)
    page = shown.page
    texts = {"name": "Ada <b>", "date": "2026-11-28", "comment": "on condition that\n</textarea><script>x</script>"}
    for name, text in texts.items():
        page.locator(f"#sign-off [name={name}]").fill(text)
    page.locator("#sign-off [name=decision]").select_option("approved with conditions")
    page.locator("figure summary", has_text="comment").first.click()
    page.locator("textarea.comment").first.fill("falls too early")
    page.locator("#inputs .exact").first.fill("3")  # of the what-if nothing is saved
    with page.expect_download() as waiting:
        page.locator("#save-page").click()
    saved = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(saved)
    again = opened(model, saved)
    for name, text in texts.items():
        assert again.page.locator(f"#sign-off [name={name}]").input_value() == text
    assert again.page.locator("#sign-off [name=decision]").input_value() == "approved with conditions"
    assert again.page.locator("textarea.comment").first.input_value() == "falls too early"
    again.check()
    assert again.page.locator("#inputs .exact").first.input_value() != "3"
    assert not shown.trouble
    assert not again.trouble

    def unsigned(text: str) -> str:
        return re.sub(r"<(form id=.sign-off|textarea).*?</(form|textarea)>", "", text, flags=re.DOTALL)

    assert len(unsigned(saved.read_text())) == pytest.approx(len(unsigned(path.read_text())), rel=0.01)
    again.page.emulate_media(media="print")
    again.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert again.page.locator("textarea.comment:visible").count() == 1  # empty ones are not printed


def test_a_link_leads_to_the_same_values(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    model, path = demo_page
    shown = opened(model, path)
    shown.page.locator("#inputs .exact").first.fill("271.5")
    shown.page.locator("#inputs [type=checkbox]").nth(1).check()
    shown.page.locator("#inputs select").first.select_option("1")
    row = shown.values()
    shown.page.locator("#permalink").click()
    address = shown.page.url
    again = opened(model, path)
    again.page.goto("about:blank")
    again.page.goto(address)
    assert again.values() == row
    again.check()
    assert not shown.trouble


def test_a_figure_and_a_table_leave_the_page_as_files(
    opened: Any, demo_page: tuple[CurveModel, Path], tmp_path: Path
) -> None:
    model, path = demo_page
    page = opened(model, path).page
    with page.expect_download() as waiting:
        page.locator("figure button.as-svg").first.click()
    waiting.value.save_as(tmp_path / "figure.svg")
    names = re.findall(r'class="([^"]*)"', (tmp_path / "figure.svg").read_text())
    assert "ticks common" in names  # as it is on the page
    assert "ticks own" not in names
    assert names.count("knot") == page.locator("figure").first.locator(".knot").count() > 0
    with page.expect_download() as waiting:
        page.locator('button.csv[data-table="importance"]').click()
    waiting.value.save_as(tmp_path / "terms.csv")
    lines = list(csv.DictReader((tmp_path / "terms.csv").read_text().splitlines()))
    found = importances(model, load_data().train)
    assert [line["term"] for line in lines] == [found[place].label for place in ranked(found)]
    assert [float(line["importance"]) for line in lines] == [
        pytest.approx(found[place].size, rel=1e-3) for place in ranked(found)
    ]
    page.goto((tmp_path / "figure.svg").as_uri())
    assert page.locator("svg > g.scaled path.curve").count() == 1  # a file that a browser draws


def test_it_prints(opened: Any, demo_page: tuple[CurveModel, Path]) -> None:
    page = opened(*demo_page, color_scheme="dark").page
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator(".slider").first.is_visible()
    assert page.locator(".panel").first.is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.locator("figcaption code").first.is_visible()  # the listing says the same
    assert page.locator("#listing code").is_visible()
    assert page.locator("#outcome").is_visible()  # the score in sight is not printed, the sum that gives it is
    assert not page.locator("details.edit").first.is_visible()
    assert page.locator("details.edit[open]").count() == 0
    # On A4 no table loses a column, and none breaks a number or a kind of curve.
    page.set_viewport_size({"width": 794, "height": 1123})
    broken = """[...document.querySelectorAll("#loss-table td:not(.at)")].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    }).map((cell) => cell.textContent)"""
    assert page.evaluate(broken) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 794


def test_a_figure_leaves_the_page_as_a_picture(opened: Any, demo_page: tuple[CurveModel, Path], tmp_path: Path) -> None:
    """Three pixels a unit, coloured and as wide as the SVG file, in the dark as well, on whatever scale it is drawn."""
    model, path = demo_page
    shown = opened(model, path, color_scheme="dark")
    figure = shown.page.locator(".figures figure", has=shown.page.locator(".knot")).first
    for common in (True, False):
        shown.page.locator("#common-scale").set_checked(common)
        with shown.page.expect_download() as waiting:
            figure.locator(".as-png").click()
        assert waiting.value.suggested_filename.endswith(".png")
        waiting.value.save_as(tmp_path / "figure.png")
        picture = image.imread(tmp_path / "figure.png")[..., :3]
        height, width, _ = picture.shape
        box = [float(number) for number in figure.locator("svg.panel").get_attribute("viewBox").split()]
        assert [width, height] == [3 * box[2], 3 * box[3]]
        knots = figure.locator(".knot").evaluate_all(
            "(all) => all.map((one) => [one.getAttribute('cx'), one.getAttribute('cy')])"
        )
        for x, y in knots:
            assert picture[round(3 * float(y)), round(3 * float(x))] == pytest.approx(
                [0xD5 / 255, 0x5E / 255, 0], abs=0.01
            )
        assert picture[0, 0] == pytest.approx([1, 1, 1])
        beside = picture[:, 3 * Frame().right - 9]  # where the curve is level: a line of two units
        assert 5 <= (np.abs(beside - [0xD5 / 255, 0x5E / 255, 0]).max(axis=1) < 0.1).sum() <= 7
        assert (picture.mean(axis=2)[:, : 3 * 48] < 0.5).any()  # the ticks' texts
    assert not shown.trouble
