"""Editing on the review page, in headless Chromium: what is saved is the model that Python's own edits give."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opened_page import CHROMIUM, NO_CHROMIUM, six_digits

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum, emit, load
from curvec.demo import load_data
from curvec.parity import check
from curvec.review.diff import diff
from curvec.review.report import report

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)


def figure(page: Any, title: str) -> Any:
    """The figure of that title, its editor open."""
    editable = page.locator("figure", has=page.locator("details.edit"))  # a heat map may have the same title
    found = editable.filter(has=page.locator("h3", has_text=re.compile(f"^{re.escape(title)}$"))).first
    found.locator("summary", has_text="edit").click()
    found.locator(".edit table").wait_for()
    return found


def drag(page: Any, knot: Any, across: float, down: float) -> None:
    """Drag a handle with the mouse by so many pixels."""
    knot.scroll_into_view_if_needed()
    box = knot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=3)
    page.mouse.up()


def saved(page: Any, folder: Path) -> CurveModel:
    """The model that the page saves: as JSON, and the same as Python, each in the bytes that Python writes."""
    for button, name in (("#save-json", "edited.json"), ("#save-python", "edited.py")):
        with page.expect_download() as waiting:
            page.locator(button).click()
        waiting.value.save_as(folder / name)
    model = load(folder / "edited.json")
    assert (folder / "edited.json").read_text() == model.to_json()
    assert load(folder / "edited.py") == model
    assert (folder / "edited.py").read_text() == emit(model, "python")
    return model


def entries(page: Any) -> list[str]:
    texts: list[str] = page.locator("#history li").all_inner_texts()
    return texts


def test_drag_undo_save_load_diff(opened: Any, demo_page: tuple[CurveModel, Path], tmp_path: Path) -> None:
    model, path = demo_page
    shown = opened(model, path)
    page = shown.page
    assert page.locator("#edits").is_hidden()
    age = figure(page, "age")
    knots = age.locator(".knot")
    points = model["age"].points
    page.locator('[data-feature="age"] .exact').fill(str(points[4][0]))  # its score follows the point that moves
    before = page.locator("#score").inner_text()
    drag(page, knots.nth(4), 9, -30)
    assert page.locator("#edits-in-sight").inner_text() == f"1 edit; raw score before {before}"
    page.locator("#undo").click()
    assert page.locator("#score").inner_text() == before
    assert page.locator("#edits-in-sight").is_hidden()
    assert saved(page, tmp_path) == model
    page.locator("#redo").click()
    edited = saved(page, tmp_path)
    x, y = edited["age"].points[4]
    assert x > points[4][0]
    assert y > points[4][1]
    assert (x, y) == (round(x), round(y, 2))  # whole months, and the decimals that the curve has
    expected = model.replace("age", PWLCurve("age", [*points[:4], (x, y), points[5]]))
    assert edited == expected
    assert len(entries(page)) == 1
    found = diff(model, edited, load_data().held_out)
    assert "age" in str(found)
    assert check(edited, load_data().held_out, ["python"]).results[0].verdict == "identical"
    shown.model = edited
    shown.check()
    assert not shown.trouble
    assert shown.requests[:1] == [path.as_uri()]
    assert all(address.startswith("blob:") for address in shown.requests[1:])


def test_by_keyboard_alone(opened: Any, demo_page: tuple[CurveModel, Path], tmp_path: Path) -> None:
    model, path = demo_page
    shown = opened(model, path)
    page = shown.page
    age = figure(page, "age")
    points = list(model["age"].points)
    knot = age.locator(".knot").nth(1)
    knot.focus()
    for key in ("ArrowUp", "ArrowUp", "Shift+ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    x, y = points[1]
    assert entries(page) == [f"age: ({x:g}, {y}) to ({x + 2:g}, {round(y - 0.08, 2)})"]  # one visit is one edit
    assert knot.get_attribute("aria-valuetext") == f"{x + 2:g}, {round(y - 0.08, 2)}"
    age.locator(".knot").nth(3).focus()
    page.keyboard.press("Delete")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    points[1] = (x + 2, round(y - 0.08, 2))
    del points[3]
    assert saved(page, tmp_path) == model.replace("age", PWLCurve("age", points, model["age"].fx))
    assert page.locator("#listing [data-term='1']").inner_text().startswith("PWLCurve(")
    assert not shown.trouble


def fill(found: Any, label: str, text: str) -> None:
    """Type a number into a field of the editor, by the end of its name."""
    field = found.get_by_label(re.compile(f"{re.escape(label)}$"))
    field.fill(text)
    field.press("Tab")


def press(found: Any, name: str) -> None:
    found.locator(".edit button", has_text=re.compile(f"^{name}$")).click()


@pytest.fixture
def every_kind(tmp_path: Path) -> tuple[CurveModel, Path]:
    terms = [
        PWLCurve("a", [(0, 0), (2, 0.5), (5, 0.25), (9, 1)], missing=0.1, special={-9: 0.75}, note='say "a"'),
        StepCurve("b", [1, 2.5, 4], [0, 0.5, 0.25, 1]),
        EnumCurve("k", {"x": 0.5, "y's": -0.5}, default=0.0, missing=0.25),
        Line("c", 0.5),
        Product([PWLCurve("d", [(1, 1), (4, 2)], "log"), EnumCurve("yes", {True: 1.5, False: 0.5})]),
        PWLCurve(Sum([PWLCurve("e", [(0, 0), (9, 3)]), Line("f")]), [(-5, -1), (0, 0), (8, 2)]),
        PWLCurve("g", [(0, 0), (1, 1)]),
        StepCurve("g", [0.5], [0, 1]),
    ]
    model = CurveModel("every kind", terms, 0.5, "logit")
    report(model).save(tmp_path / "page.html")
    return model, tmp_path / "page.html"


def test_every_kind_is_edited_as_python_does(opened: Any, every_kind: tuple[CurveModel, Path], tmp_path: Path) -> None:
    model, path = every_kind
    shown = opened(model, path)
    page = shown.page
    a = figure(page, "a")
    fill(a, "code -9, value", "0.8")
    fill(a, "missing, value", "-0.2")
    fill(a, "x of the new point", "7")
    press(a, "add")
    fill(a, "to x", "8")
    press(a, "cap")
    b = figure(page, "b")
    press(b, "make increasing")
    drag(page, b.locator(".knot").nth(3), 0, 4)
    k = figure(page, "k")
    fill(k, "y's, value", "-0.75")
    fill(k, "any other level, value", "0.125")
    fill(figure(page, "c"), "coefficient, value", "-2")
    fill(figure(page, "d in d * yes"), "point 2, value", "2.5")
    fill(figure(page, "yes in d * yes"), "True, value", "3")
    nested = next(title for title in page.locator("figure h3").all_inner_texts() if title.startswith("e + f"))
    fill(figure(page, nested), "point 3, x", "12")
    found = saved(page, tmp_path)
    assert found.terms[0] == PWLCurve(
        "a",
        [(0, 0), (2, 0.5), (5, 0.25), (7, 0.63), (8, 0.81)],
        missing=-0.2,
        special={-9: 0.8},
        note='say "a"',
    )
    low = found.terms[1].values
    assert low[:3] == (0, 0.38, 0.38)
    assert low[3] < 1
    assert found.terms[2] == EnumCurve("k", {"x": 0.5, "y's": -0.75}, default=0.125, missing=0.25)
    assert found.terms[3] == Line("c", -2)
    assert found.terms[4].factors[0].points == ((1, 1), (4, 2.5))
    assert list(found.terms[4].factors[1].mapping.items()) == [(True, 3), (False, 0.5)]
    assert found.terms[5].points == ((-5, -1), (0, 0), (12, 2))
    assert found.terms[6:] == model.terms[6:]
    shown.model = found
    shown.check()
    assert page.locator("figure", has_text="2 terms of g are drawn as one; edit them in the listing.").count() == 1
    assert not shown.trouble


def test_a_refused_edit_says_why_and_changes_nothing(opened: Any, every_kind: tuple[CurveModel, Path]) -> None:
    shown = opened(*every_kind)
    a = figure(shown.page, "a")
    status = a.locator(".refused")
    for label, text, why in (
        ("point 2, x", "6", "6 is followed by 5; x must be strictly increasing"),
        ("point 2, x", "2,5", '"2,5" is no number'),
        ("point 2, value", "1e999", '"1e999" is no number'),
    ):
        fill(a, label, text)
        assert why in status.inner_text()
        assert a.locator(".edit input[aria-label$='point 2, x']").input_value() == "2"
    fill(a, "x of the new point", "5")
    press(a, "add")
    assert "there is one at 5 already" in status.inner_text()
    press(a, "cap")
    assert "nothing changes" in status.inner_text()
    d = figure(shown.page, "d in d * yes")
    fill(d, "point 1, x", "0")
    assert "x=0 is outside the domain of log (x > 0)" in d.locator(".refused").inner_text()
    d.locator(".edit button", has_text="remove").first.click()
    assert "a curve needs two points" in d.locator(".refused").inner_text()
    assert shown.page.locator("#edits").is_hidden()
    assert not shown.trouble


def test_a_value_beyond_the_frame_widens_it(opened: Any, every_kind: tuple[CurveModel, Path]) -> None:
    shown = opened(*every_kind)
    b = figure(shown.page, "b")
    fill(b, "point 2, value", "40")
    ticks = [float(text.replace("\N{MINUS SIGN}", "-")) for text in b.locator(".common text").all_text_contents()]
    assert max(ticks) >= 40
    heights = [float(knot.get_attribute("cy")) for knot in b.locator(".knot").all()]
    assert all(10 <= height <= 186 for height in heights)
    assert np.argmin(heights) == 1
    assert shown.page.locator("#score").inner_text() != six_digits(np.nan)


def test_a_value_far_beyond_any_frame_is_drawn_without_an_error(opened: Any, tmp_path: Path) -> None:
    """A path takes single precision only, and a curve may go from 1e-300 to 2e-300."""
    model = CurveModel("m", [PWLCurve("x", [(0, 1e-300), (1, 2e-300)])])
    report(model).save(tmp_path / "page.html")
    shown = opened(model, tmp_path / "page.html")
    fill(figure(shown.page, "x"), "point 1, value", "0.75")
    assert saved(shown.page, tmp_path) == model.replace("x", PWLCurve("x", [(0, 0.75), (1, 2e-300)]))
    assert not shown.trouble


def test_hostile_names_are_edited_and_saved(opened: Any, tmp_path: Path) -> None:
    name = '</script><img src=x onerror=window.pwned=1>"\\\n\u2028__proto__'
    model = CurveModel(name, [PWLCurve(name, [(0, 0), (1, 1)], note=name), EnumCurve("__proto__", {name: 1.0})])
    report(model).save(tmp_path / "page.html")
    shown = opened(model, tmp_path / "page.html")
    for details in shown.page.locator(".edit summary").all():
        details.click()
    shown.page.locator(".edit input[aria-label$='point 2, value']").fill("0.5")
    shown.page.keyboard.press("Tab")
    assert saved(shown.page, tmp_path) == model.replace(name, PWLCurve(name, [(0, 0), (1, 0.5)], note=name))
    assert shown.page.evaluate("window.pwned") is None
    assert not shown.trouble


def test_the_metrics_on_the_pages_rows_follow(opened: Any, tmp_path: Path) -> None:
    """Weighted, with missing inputs, ties and rows without a score: Python's numbers on the same rows."""
    rng = np.random.default_rng(3)
    rows = 300
    data: dict[str, Any] = {
        "x": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(0, 9, rows)),
        "k": rng.choice(np.array(["a", "b", "never seen"], dtype=object), rows),
    }
    terms = [PWLCurve("x", [(0, -1), (4, 0.5), (8, 1)], missing=0.25), EnumCurve("k", {"a": 0.5, "b": -0.5})]
    model = CurveModel("m", terms, 0.1, "logit")
    y, w = rng.integers(0, 2, rows), rng.integers(0, 3, rows)
    page = report(model, data, target=y, w=w, examples=120)
    found = json.loads(re.findall(r"^const EXAMPLES = (.*);$", page.html, flags=re.MULTILINE)[0])
    page.save(tmp_path / "page.html")
    shown = opened(model, tmp_path / "page.html")
    assert shown.page.locator("#metrics").is_hidden()
    fill(figure(shown.page, "x"), "point 2, value", "-2.5")
    edited = saved(shown.page, tmp_path)
    places = [int(name) for name in found["ids"]]
    places = [place for place in places if data["k"][place] != "never seen"]
    mine = {name: column[places] for name, column in data.items()}
    values = [
        [one.evaluate(mine, y[places], name, w[places]) for one in (edited, model)] for name in ("roc_auc", "log_loss")
    ]
    assert values[0][0] != values[0][1]
    texts = [[six_digits(value) for value in pair] for pair in values]
    assert shown.page.locator("#metrics").inner_text() == (
        f"roc_auc {texts[0][0]} (before {texts[0][1]}), log_loss {texts[1][0]} (before {texts[1][1]}) "
        "on this page\N{RIGHT SINGLE QUOTATION MARK}s 120 of 300 rows of the data"
    )
    shown.page.locator("#undo").click()
    assert shown.page.locator("#metrics").is_hidden()
    assert not shown.trouble
