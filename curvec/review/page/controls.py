"""The controls of the what-if: one a used feature, with its range or levels, and where it starts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from curvec.data import Table
from curvec.ir import Feature, Key
from curvec.model import CurveModel
from curvec.review import panels
from curvec.review.panels import Panel
from curvec.review.svg import level_text
from curvec.transforms import Transform

_STEPS = 1000
"""Positions of a slider; for whole numbers there is one position for each, unless they are many more."""

_MOST_STEPS = 10_000


def controls(model: CurveModel, drawn: Sequence[Panel], data: Any) -> list[dict[str, Any]]:
    """One control a used feature, in the order of the features: its type, its range or levels, and where it starts.

    Ranges and starting values are those of the data, where there are some.
    """
    first = {panel.feature: panel for panel in reversed(drawn) if panel.inner is None}
    found = []
    for feature in model.features:
        if feature.name in first:
            control = _slider(first[feature.name], data) if feature.type == "number" else _choice(feature, drawn, data)
            label = level_text(feature.name)
            found.append({"feature": feature.name, "label": label, "type": feature.type, **control})
    return found


def _slider(panel: Panel, data: Any) -> dict[str, Any]:
    """The slider of a number: its ends, how many positions it has, and where it starts."""
    fx = panel.fx
    column = None if data is None else Table(data, [Feature(panel.feature)]).number(panel.feature)
    present = np.empty(0) if column is None else column[np.isfinite(column)]
    ends = [float(present.min()), float(present.max())] if len(present) else []
    if not all(map(fx.contains, ends)):
        ends = present.tolist()
    places = [place for place in [*ends, *panels.breakpoints(panel.node)] if fx.contains(place)]
    low, high = (min(places), max(places)) if places else _default_ends(fx)
    if not low < high:
        low, high = low - 1, high + 1
    middle = float(np.median(present)) if len(present) else panel.fx.middle(low, high)
    whole = bool(len(present)) and bool((present == np.round(present)).all()) and low == round(low)
    one_by_one = whole and high - low <= _MOST_STEPS
    return {
        "low": low,
        "high": high,
        "fx": "identity" if one_by_one else fx.name,
        "steps": round(high - low) if one_by_one else _STEPS,
        "start": float(round(middle)) if whole else _rounded(middle, _step(fx, middle, low, high)),
        "whole": whole,
        "source": "the data and the points" if len(present) else "the points",
    }


def _default_ends(fx: Transform) -> tuple[float, float]:
    """Ends for a line without data."""
    return (0.0, 1.0) if fx.contains(0.0) else (1.0, 2.0)


def _step(fx: Transform, x: float, low: float, high: float) -> float:
    """How far one position of the slider moves the value x; 0 outside the domain of fx."""
    if not fx.contains(x):
        return 0.0
    u, start, end = fx.forward(np.array([x, low, high])).tolist()
    with np.errstate(over="ignore"):
        return float(fx.inverse(np.array([u + (end - start) / _STEPS]))[0]) - x


def _rounded(value: float, step: float) -> float:
    """The value to the last decimal place that a step changes."""
    if not step > 0 or not math.isfinite(step):
        return value
    return round(value, -math.floor(math.log10(step)))


def _choice(feature: Feature, drawn: Sequence[Panel], data: Any) -> dict[str, Any]:
    levels: dict[Key, int] = {}
    for panel in drawn:
        if panel.feature == feature.name and panel.type != "number":
            levels |= dict.fromkeys(panel.levels, 0)
    if data is not None:
        for key in Table(data, [feature]).keys(feature.name, feature.type):
            if key in levels:
                levels[key] += 1
    start = max(levels, key=lambda level: levels[level])
    listed = list(levels)
    return {"levels": listed, "texts": [level_text(level) for level in listed], "start": listed.index(start)}
