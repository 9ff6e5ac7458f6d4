"""A review page in headless Chromium, and what it shows."""

from __future__ import annotations

import math
import shutil
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from curvec import CurveModel, Feature

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NO_CHROMIUM = "no Chromium (Debian: apt-get install chromium)"

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
PATIENCE = 600_000  # milliseconds: more than a step takes on the busiest machine


@dataclass
class Opened:
    """A page with what went wrong on it, and every address it asked for."""

    page: Any
    model: CurveModel
    trouble: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def values(self) -> dict[str, Any]:
        """The row that the controls stand for, as the model takes it."""
        return self._row(self.page.evaluate(CONTROLS))

    def _row(self, controls: dict[str, Any]) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for feature in self.model.features:
            if feature.name not in controls:
                continue  # a feature that no term uses has no control
            text, missing = controls[feature.name]
            if feature.type == "number":
                assert not (missing and text)
                row[feature.name] = [None if missing else float(text)]
            else:
                row[feature.name] = np.array([level(text, feature)], dtype=object)
        return row

    def check(self) -> None:
        """Every number shown is the model's, to the last digit shown."""
        self._check(*self.page.evaluate(SHOWN))

    def check_sliders(self, shares: list[float]) -> None:
        """The same with each slider at these shares of its way, moved within the page: a hundredth of the time."""
        for seen in self.page.evaluate(SLIDERS, shares):
            self._check(*seen)

    def _check(self, controls: dict[str, Any], lines: list[Any], score: str, prediction: str | None) -> None:
        row = self._row(controls)
        contributions = self.model.contributions(row)[0]
        assert {term: shown for term, shown, _ in lines} == dict(enumerate(map(six_digits, contributions)))
        # The sums follow the order in which the lines stand.
        sums = np.cumsum([self.model.intercept, *(contributions[term] for term, *_ in lines)])[1:]
        for (*_, shown), expected in zip(lines, sums, strict=True):
            assert number(shown) == pytest.approx(expected, rel=1e-5, abs=1e-12, nan_ok=True)
        assert score == six_digits(self.model.eval(row)[0])
        if self.model.link != "identity":
            assert prediction == six_digits(self.model.predict(row)[0])


CONTROLS = """Object.fromEntries([...document.querySelectorAll("#inputs [data-feature]")].map((box) => {
    const select = box.querySelector("select");
    if (select) return [box.dataset.feature, [select.selectedOptions[0].textContent, false]];
    const missing = box.querySelector("[type=checkbox]").checked;
    return [box.dataset.feature, [box.querySelector(".exact").value, missing]];
}))"""

CONTRIBUTIONS = """[...document.querySelectorAll("#contributions [data-term]")].map((line) =>
    [Number(line.dataset.term), line.cells[1].textContent, line.cells[3].textContent])"""

SCORES = """["score", "prediction"].map((id) => document.getElementById(id)?.textContent)"""

SHOWN = f"[{CONTROLS}, {CONTRIBUTIONS}, ...{SCORES}]"

SLIDERS = f"""(shares) => [...document.querySelectorAll("#inputs .slider")].flatMap((slider) => shares.map((share) => {{
    slider.value = Math.round(share * slider.max);
    slider.dispatchEvent(new Event("input", {{bubbles: true}}));
    return {SHOWN};
}}))"""


def level(text: str, feature: Feature) -> Any:
    """What an option of a choice stands for."""
    if text == "(missing)":
        return None
    if feature.type == "int":
        return -(2**50) if text == "(a level not listed)" else int(text)
    return text == "True" if feature.type == "bool" else text


def number(text: str) -> float:
    """A number that the page shows."""
    return math.nan if text == "missing" else float(text.replace("\N{MINUS SIGN}", "-"))


def six_digits(value: float) -> str:
    """As JavaScript writes a number of six significant digits."""
    if np.isnan(value):
        return "missing"
    text = np.format_float_positional(float(f"{value:.5e}"), trim="-")
    if value and not 1e-6 <= abs(float(f"{value:.5e}")) < 1e21:
        text = np.format_float_scientific(float(f"{value:.5e}"), trim="-", exp_digits=1)
    return ("0" if text in ("-0", "0") else text).replace("-", "\N{MINUS SIGN}")
