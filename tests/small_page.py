"""A small model with its teacher and its rows, and the elements of a page."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import numpy as np

from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve


def small() -> tuple[CurveModel, CurveModel, dict[str, Any], np.ndarray]:
    rng = np.random.default_rng(3)
    data = {"x": rng.uniform(0, 10, 200), "k": rng.choice(["a", "b"], 200).astype(object)}
    teacher = CurveModel("t", [StepCurve("x", [2, 5], [-1, 0, 2]), EnumCurve("k", {"a": 1.0, "b": -1.0})], link="logit")
    model = CurveModel("m", [PWLCurve("x", [(0, -1.2), (6, 2)]), EnumCurve("k", {"a": 1.0, "b": -1.0})], link="logit")
    return model, teacher, data, (rng.uniform(size=200) < teacher.predict(data)).astype(float)


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
