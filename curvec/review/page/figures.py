"""The page's figures: each panel with its picture, its words, and its place among the terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvec.ir import label_of
from curvec.review import panels, x_axis
from curvec.review.distributions import Density
from curvec.review.heat_map import HeatMap, heat_svg
from curvec.review.page.editing import why_not_edited
from curvec.review.page.tables import levels_table
from curvec.review.panels import Panel
from curvec.review.svg import Frame, Picture, level_text, svg, tick_texts


def figure(number: int, panel: Panel, drawn: Picture, line: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows of a panel.

    Args:
        number: its number among the panels that the what-if moves on.
        panel: the panel.
        drawn: its picture.
        line: the line of its term in the table of importance, by which figures are sorted and filtered.

    """
    terms = [panel.model.terms[index] for index in panel.terms]
    return {
        "title": drawn.title,
        "svg": svg(drawn, None if panel.removed else number),
        "code": list(map(str, terms)),
        "notes": [term.note for term in terms if term.note],
        "part": _part(panel),
        "rows": "" if drawn.rows is None else _rows(drawn.rows),
        "line": line,
        "removed": panel.removed,
        "map": False,
        "number": number,
        "levels": levels_table(drawn.levels) if drawn.levels else None,
        "not_edited": why_not_edited(panel),
    }


def heat_figures(maps: Sequence[HeatMap], line: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The heat maps of a term, all but the differences on one scale of colours: that of the largest value."""
    values = [one.values[np.isfinite(one.values)] for one in maps if " less " not in one.title]
    most = max((float(np.abs(one).max()) for one in values if len(one)), default=0.0)
    return [
        {
            **_NOTHING_MORE,
            "title": level_text(one.title),
            "svg": heat_svg(one, None if " less " in one.title else most),
            "part": "the difference, on a scale of its own, less its mean" if " less " in one.title else "",
            "line": line,
        }
        for one in maps
    ]


_NOTHING_MORE = {"code": [], "notes": [], "rows": "", "removed": False, "map": True, "levels": None}
"""What a figure of a panel has, and a heat map has not."""


def _part(panel: Panel) -> str:
    """The words for what a figure shows, if that is not the whole of some of the model's terms."""
    if panel.removed:
        return f"a {panel.role} of a term that the model does not have" if panel.path else "the model has no such term"
    if panel.role == "contribution":
        return ""
    return f"a {panel.role} of the term {level_text(label_of(panel.model.terms[panel.terms[0]]))}"


def _rows(density: Density) -> str:
    """The rows that a reader does not see in the histogram: missing ones, and those beyond the curve's ends."""
    shares = ((density.missing, "missing"), (density.below, "below the first point"), (density.above, "above the last"))
    texts = [f"{share:.3g} % {where}" for share, where in ((100 * share, where) for share, where in shares) if share]
    return f"Rows: {', '.join(texts)}" if texts else ""


def common_scale(pictures: Sequence[tuple[Panel, Picture]]) -> dict[str, Any] | None:
    """The one vertical scale that holds every whole term: its ends and its ticks in SVG units; None for no term."""
    whole = [drawn.axis for panel, drawn in pictures if panel.role == "contribution"]
    if not whole:
        return None
    low, high = min(axis["bottom"] for axis in whole), max(axis["top"] for axis in whole)
    places = x_axis.ticks(panels.IDENTITY, low, high)
    heights = [Frame().up((place - low) / (high - low)) for place in places]
    ticks = [[round(height, 1), text] for height, text in zip(heights, tick_texts(places), strict=True)]
    return {"low": low, "high": high, "ticks": ticks}
