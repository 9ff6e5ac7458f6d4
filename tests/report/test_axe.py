"""The review page by axe, the usual checker of accessibility, wide and narrow, light and dark, with all of it open."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nightly import NIGHTLY
from opened_page import CHROMIUM, NO_CHROMIUM

from curvec import CurveModel, EnumCurve, Product, PWLCurve, StepCurve
from curvec.parity import check
from curvec.review.policy import Finding
from curvec.review.report import report
from curvec.review.rows import EvaluationRows

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)


@pytest.fixture
def whole_page(tmp_path: Path) -> tuple[CurveModel, Path]:
    """A small model's page with every section that a page can have."""
    rng = np.random.default_rng(0)
    rows = {"a": rng.normal(size=300), "b": rng.normal(size=300), "k": rng.choice(["x", "y"], 300).astype(object)}
    teacher = CurveModel(
        "teacher",
        [
            StepCurve("a", [-1, 0, 1], [-1, -0.25, 0.25, 1.0], missing=0.5),
            Product([StepCurve("a", [0], [0, 1.0]), StepCurve("b", [0], [0, 1.0])]),
            EnumCurve("k", {"x": 0.5, "y": -0.5}),
        ],
        link="logit",
    )
    model = CurveModel(
        "model",
        [
            PWLCurve("a", [(-1, -1), (1, 1)], missing=0.5, note="agreed"),
            Product([PWLCurve("a", [(0, 0), (1, 1)]), PWLCurve("b", [(0, 0), (1, 1)])]),
            EnumCurve("k", {"x": 0.5, "y": -0.5}),
        ],
        link="logit",
    )
    labels = (rng.uniform(size=300) < teacher.predict(rows)).astype(int)
    page = report(
        model,
        rows,
        teacher=teacher,
        target=labels,
        held_out=EvaluationRows(rows, labels, None, None),
        parity=check(model, rows, ["python"]),
        findings=[Finding("monotone", "a", None, "it turns")],
        base=model.cap("b", above=0.5),
        groups=["k"],
        threshold=0.5,
        examples=20,
    )
    page.save(tmp_path / "page.html")
    return model, tmp_path / "page.html"


def violations(checker: Any, page: Any, **options: Any) -> list[str]:
    found = checker.run(page, options=options or None).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def test_axe_finds_no_violation(opened: Any, whole_page: tuple[CurveModel, Path]) -> None:
    # What is seen, and what scrolls, goes with the width and the scheme; each run takes a second.
    checker = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    shown = opened(*whole_page)
    page = shown.page
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.locator(".edit input[aria-label$='value']").first.fill("0.75")
    page.locator(".edit input[aria-label$='value']").nth(1).fill("a")  # refused, which is said
    page.keyboard.press("Tab")
    page.locator("#filter").fill("a")
    page.locator("#reference").select_option("start")
    assert page.locator("#edits").is_visible()
    for scheme, width in itertools.product(("light", "dark"), (1440, 768, 390)):
        if NIGHTLY or (scheme, width) in (("light", 1440), ("dark", 390)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 900})
            assert violations(checker, page) == [], (scheme, width)
    assert not shown.trouble
    page.evaluate("document.querySelector('label[for=input-0]').remove()")
    assert "label" in [one.split(":")[0] for one in violations(checker, page, runOnly=["label"])]
