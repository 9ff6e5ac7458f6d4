"""Panels as SVG text, with nothing but Jinja: for the report page and for notebooks.

The colours are attributes, so that a picture stands alone; the report's style sheet overrides them by class.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from markupsafe import Markup, escape

from curvec.emit.environment import environment
from curvec.ir import Key, Term
from curvec.model import CurveModel
from curvec.review import distributions, panels, x_axis
from curvec.review.panels import Panel
from curvec.spelling import shortest
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import jinja2


class Frame(msgspec.Struct, frozen=True):
    """A picture's size and the edges of its plotting area, in SVG units."""

    width: int = 340
    height: int = 216
    left: int = 48
    right: int = 302
    top: int = 10
    bottom: int = 186

    def across(self, share: Any) -> Any:
        """The horizontal place of a share (or an array of them) of the way from left to right."""
        return self.left + share * (self.right - self.left)

    def up(self, share: Any) -> Any:
        """The vertical place of a share (or an array of them) of the way from bottom to top."""
        return self.bottom - share * (self.bottom - self.top)


class LevelRow(msgspec.Struct, frozen=True):
    """A level of a table that has more than a picture shows.

    Attributes:
        level: its text.
        values: its values by the "curve", the "base" and the teacher's "dots", as far as these are drawn; NaN for none.
        share: the share of rows that have it; None without data.

    """

    level: str
    values: dict[str, float]
    share: float | None


ROOM_OF_MISSING = 20
"""Room right of the last level for the mark of a missing input, which is not a level."""


class Picture(msgspec.Struct):
    """A panel in SVG coordinates: what the template lays out.

    ``axis`` holds what is needed to place a point: transform, range in u, range in y, places of special codes; for a
    category its levels. Special codes are left of its ``split``.
    """

    title: str
    description: str
    removed: bool
    frame: Frame
    axis: dict[str, Any]
    x_ticks: list[tuple[float, str]] = msgspec.field(default_factory=list)
    y_ticks: list[tuple[float, str]] = msgspec.field(default_factory=list)
    share_ticks: list[tuple[float, str]] = msgspec.field(default_factory=list)
    zero: float | None = None
    area: str = ""
    area_in: str = ""
    bars: list[tuple[float, float, float, float]] = msgspec.field(default_factory=list)
    dots: str = ""
    band: str = ""
    lines: list[tuple[str, str]] = msgspec.field(default_factory=list)
    points: list[tuple[float, float]] = msgspec.field(default_factory=list)
    missing: float | None = None
    fx: str = ""
    further: int = 0
    rows: distributions.Density | None = None
    levels: list[LevelRow] = msgspec.field(default_factory=list)


@cache
def html_environment() -> jinja2.Environment:
    """The environment of HTML and SVG templates, with their own filters."""
    html = environment(html=True)
    html.filters.update({"px": _px, "breakable": _breakable, "visible": level_text})
    return html


def _breakable(text: str) -> Markup:
    """Escaped text that a browser breaks after underscores, dots and slashes rather than within a word."""
    return Markup(re.sub(r"([_./])(?=\w)", r"\1<wbr>", str(escape(text))))  # noqa: S704  escaped


def svg(drawn: Picture, panel: int | None = None) -> Markup:
    """The picture as an SVG element; ``panel`` is its number on a page that moves a point on it."""
    template = html_environment().get_template("report/panel.svg.jinja")
    # Line breaks between elements would be a third of what a browser has to keep of a page of many pictures.
    return Markup(template.render(picture=drawn, panel=panel).replace(">\n<", "><"))  # noqa: S704  the template escapes


def level_text(level: Key) -> str:
    """A level or a name as it is shown: its text, with invisible characters escaped."""
    if not isinstance(level, str):
        return str(level)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in level) or '""'


def with_minus(text: str) -> str:
    """A number's text with real minus signs in place of hyphens."""
    return text.replace("-", "\N{MINUS SIGN}")


def tick_texts(values: Sequence[float]) -> list[str]:
    """Ticks as short texts that differ: ``0.5``, ``200``, ``20k``, ``3M``, ``1.7e9``."""
    for digits in range(6, 18):
        texts = [_tick_text(value, digits) for value in values]
        if len(set(texts)) == len(set(values)):
            return texts
    return [with_minus(shortest(value)) for value in values]


def _tick_text(value: float, digits: int) -> str:
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= (unit if unit > 1e3 else 1e4) and abs(value) < 1e12:
            return with_minus(f"{shortest(float(f'{value / unit:.{digits}g}'))}{name}")
    return with_minus(shortest(float(f"{value:.{digits + 6}g}")))


def picture(
    panel: Panel,
    data: Any = None,
    *,
    teacher: CurveModel | None = None,
    base: CurveModel | None = None,
    spread: CurveModel | None = None,
) -> Picture:
    """A panel in SVG coordinates.

    Args:
        panel: one of ``panels(model)`` or of ``removed(model, others)``, which has no curve of the model's.
        data: (rows, features) data for the distribution in grey and the places of the dots.
        teacher: drawn as dots, each whole function moved by a constant to the mean of the model's.
        base: an earlier state of the model, drawn as a dashed line.
        spread: the standard deviations of the teacher's functions, drawn as a band of one on either side.

    """
    exact = None if teacher is None else panels.at_its_mean(panel, panels.counterpart(panel, teacher), data)
    earlier = None if base is None else panels.counterpart(panel, base)
    deviations = None if spread is None or exact is None else panels.counterpart(panel, spread)
    if panel.type == "number":
        return _number(panel, data, exact, earlier, deviations)
    return _levels(panel, data, exact, earlier, deviations)


def _curves(panel: Panel, earlier: Term | None) -> list[tuple[str, Term]]:
    drawn = [("base", earlier), ("curve", None if panel.removed else panel.node)]
    return [(name, node) for name, node in drawn if node is not None]


def _number(panel: Panel, data: Any, exact: Term | None, earlier: Term | None, deviations: Term | None) -> Picture:
    x = None if data is None else panels.quantity(panel, data)
    low, high = x_axis.axis_range(panel, x, x_axis.others_drawn(x, exact, earlier))
    lines = [(name, panels.line(panel, node, low, high)) for name, node in _curves(panel, earlier)]
    dots = panels.dots(panel, exact, x) if exact is not None else panels.Trace(np.empty(0), np.empty(0))
    own = [panels.code_values(panel, node) for node in (panel.node, exact) if node is not None and panel.codes]
    band = [] if exact is None or deviations is None else panels.band(panel, exact, deviations, low, high)
    drawn, y_at = _start(panel, [*(line.y for line in [*(line for _, line in lines), dots, *band]), *own])
    frame = drawn.frame
    begin, at_codes = x_axis.room_of_codes(panel, low, high)
    start, end = panel.fx.forward(np.array([begin, high])).tolist()
    drawn.axis |= {"fx": panel.fx.name, "from": start, "to": end}
    drawn.fx = "" if panel.fx.name == "identity" else panel.fx.name

    def x_at(values: FloatArray) -> FloatArray:
        return np.asarray(frame.across((panel.fx.forward(values) - start) / (end - start)))

    places = x_axis.ticks(panel.fx, low, high)
    drawn.x_ticks = list(zip(x_at(np.array(places)).tolist(), tick_texts(places), strict=True))
    drawn.lines = [(name, _path(x_at(line.x), y_at(line.y))) for name, line in lines]
    drawn.dots = _dots(x_at(dots.x), y_at(dots.y))
    if band:
        lower, upper = (
            _path(x_at(line.x), y_at(line.y)) for line in (band[0], panels.Trace(*map(np.flip, (band[1].x, band[1].y))))
        )
        drawn.band = f"{lower}L{upper.removeprefix('M')}Z"
    if panel.codes:
        _codes(drawn, panel, x_at(at_codes).tolist(), exact, y_at)
        drawn.axis["split"] = float(x_at(np.array([low]))[0])
    knots = () if panel.removed else getattr(panel.node, "points", ())
    points = [point for point in knots if low <= point[0] <= high]
    if points:
        column_x, column_y = (np.array(column) for column in zip(*points, strict=True))
        drawn.points += list(zip(x_at(column_x).tolist(), y_at(column_y).tolist(), strict=True))
    if x is not None:
        _histogram(drawn, distributions.density(panel, x, low, high))
    return drawn


def _codes(
    drawn: Picture, panel: Panel, places: Sequence[float], exact: Term | None, y_at: Callable[[FloatArray], FloatArray]
) -> None:
    """The values of special codes, left of the axis, beside the teacher's."""
    drawn.axis |= {"codes": dict(zip(map(shortest, panel.codes), places, strict=True))}
    drawn.x_ticks += list(zip(places, tick_texts(panel.codes), strict=True))
    if exact is not None:
        drawn.dots += _dots(np.array(places), y_at(panels.code_values(panel, exact)))
    if not panel.removed:
        drawn.points += list(zip(places, y_at(panels.code_values(panel, panel.node)).tolist(), strict=True))


def _levels(panel: Panel, data: Any, exact: Term | None, earlier: Term | None, deviations: Term | None) -> Picture:
    functions = _curves(panel, earlier) + ([] if exact is None else [("dots", exact)])
    shown = distributions.shares(panel, data, [node for _, node in functions])
    values = {name: panels.values_at_levels(panel, node, shown.levels) for name, node in functions}
    ends: list[FloatArray] = []
    if exact is not None and deviations is not None:
        far = panels.values_at_levels(panel, deviations, shown.levels)
        ends = [values["dots"] - far, values["dots"] + far]
    drawn, y_at = _start(panel, [*values.values(), *ends])
    frame, count = drawn.frame, len(shown.levels)
    end = frame.right - (0 if drawn.missing is None else ROOM_OF_MISSING)
    step = (end - frame.left) / count
    middle = frame.left + step * (np.arange(count, dtype=np.float64) + 0.5)
    drawn.axis |= {"levels": shown.levels, "end": end}
    drawn.further = shown.further
    if shown.further:
        drawn.levels = _level_rows(panel, data, functions)
    drawn.x_ticks = [(float(place), level_text(level)) for place, level in zip(middle, shown.levels, strict=True)]
    for name in ("base", "curve"):
        if name in values:
            pairs = zip(middle - 0.42 * step, y_at(values[name]), strict=True)
            dashes = (f"M{_px(px)} {_px(py)}h{_px(0.84 * step)}" for px, py in pairs if not math.isnan(py))
            drawn.lines.append((name, "".join(dashes)))
    if "dots" in values:
        pairs = zip(middle, y_at(values["dots"]), strict=True)
        drawn.dots = "".join(f"M{_px(px)} {_px(py)}h0" for px, py in pairs if not math.isnan(py))
    if ends:
        sides = zip(middle - 0.3 * step, *map(y_at, ends), strict=True)
        boxes = (
            f"M{_px(px)} {_px(low)}h{_px(0.6 * step)}V{_px(high)}h{_px(-0.6 * step)}Z"
            for px, low, high in sides
            if not math.isnan(low)
        )
        drawn.band = "".join(boxes)
    if shown.shares is not None:
        _share_bars(drawn, shown.shares, middle.tolist(), step)
    return drawn


def _level_rows(panel: Panel, data: Any, functions: Sequence[tuple[str, Term]]) -> list[LevelRow]:
    """Every level, the most frequent first."""
    found = distributions.shares(panel, data, [node for _, node in functions], sys.maxsize)
    values = {name: panels.values_at_levels(panel, node, found.levels).tolist() for name, node in functions}
    rows = [
        LevelRow(
            level_text(level),
            {name: column[place] for name, column in values.items()},
            None if found.shares is None else found.shares[place],
        )
        for place, level in enumerate(found.levels)
    ]
    return sorted(rows, key=lambda row: -(row.share or 0.0))


def _start(panel: Panel, series: Sequence[FloatArray]) -> tuple[Picture, Callable[[FloatArray], FloatArray]]:
    """A picture with its vertical axis, which holds every value of the series and of a missing input."""
    missing = panel.missing
    values = np.concatenate([*series, [] if missing is None else [missing]])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.08 * (high - low) if high > low else max(1.0, abs(low)) * 0.5
    low, high = low - room, high + room
    frame = Frame()

    def y_at(y: FloatArray) -> FloatArray:
        return np.asarray(frame.up((y - low) / (high - low)))

    def one(y: float) -> float:
        return float(y_at(np.array([y]))[0])

    title = level_text(panel.title)
    drawn = Picture(title, "", panel.removed, frame, {"bottom": low, "top": high})
    places = x_axis.ticks(panels.IDENTITY, low, high)
    drawn.y_ticks = list(zip(map(one, places), tick_texts(places), strict=True))
    drawn.zero = one(0.0) if low <= 0 <= high else None
    drawn.missing = None if missing is None else one(missing)
    drawn.description = f"the {panel.role} {title}, from {low + room:.4g} to {high - room:.4g}"
    return drawn, y_at


_HISTOGRAM = 0.4
"""The height of the fullest bin, as a share of the frame's."""


def _histogram(drawn: Picture, density: distributions.Density) -> None:
    frame = drawn.frame
    drawn.rows = density
    top = float(density.shares.max()) / _HISTOGRAM
    if not top:
        return
    left = drawn.axis.get("split", frame.left)
    height, width = (frame.bottom - frame.top) / top, (frame.right - left) / len(density.shares)
    steps = itertools.groupby(_px(share * height) for share in density.shares.tolist())
    drawn.area = f"M0 0{''.join(f'V{up}h{sum(1 for _ in bins)}' for up, bins in steps)}V0Z"
    drawn.area_in = f"translate({_px(left)} {frame.bottom}) scale({width:.4f} -1)"
    places = x_axis.ticks(panels.IDENTITY, 0.0, top * _HISTOGRAM, 2)
    drawn.share_ticks = [(frame.bottom - share * height, f"{100 * share:.3g}%") for share in places]


def _dots(x: FloatArray, y: FloatArray) -> str:
    """Dots in SVG coordinates, each from the one before it, without those that would cover it."""
    text: list[str] = []
    last_x, last_y = -math.inf, -math.inf
    for px, py in zip(x.round(1).tolist(), y.round(1).tolist(), strict=True):
        if not math.isnan(py) and math.hypot(px - last_x, py - last_y) >= _APART:
            text.append(f"m{_px(px - last_x)} {_px(py - last_y)}h0" if text else f"M{_px(px)} {_px(py)}h0")
            last_x, last_y = px, py
    return "".join(text)


_APART = 1.5
"""The least distance, in SVG units, at which two dots can be told apart."""


def _share_bars(drawn: Picture, shares: Sequence[float], middle: Sequence[float], step: float) -> None:
    frame = drawn.frame
    top = max(1e-9, *shares) * 1.5
    height = (frame.bottom - frame.top) / top
    drawn.bars = [
        (place - 0.42 * step, frame.bottom - share * height, 0.84 * step, share * height)
        for place, share in zip(middle, shares, strict=True)
    ]
    places = [share for share in x_axis.ticks(panels.IDENTITY, 0.0, min(1.0, top), 2) if share <= 1]
    drawn.share_ticks = [(frame.bottom - share * height, f"{100 * share:.3g}%") for share in places]


def _path(x: FloatArray, y: FloatArray) -> str:
    pairs = [(px, py) for px, py in zip(x.tolist(), y.tolist(), strict=True) if math.isfinite(px) and math.isfinite(py)]
    texts = [text for text, _ in itertools.groupby(f"{_px(px)} {_px(py)}" for px, py in pairs)]
    return "M" + "L".join(texts) if texts else ""


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def gallery(model: CurveModel, teacher: CurveModel | None = None) -> Markup:
    """Every panel of a model side by side, as HTML that stands alone."""
    drawn = [picture(panel, teacher=teacher) for panel in panels.panels(model)]
    template = html_environment().get_template("report/gallery.html.jinja")
    return Markup(template.render(pictures=[(one.title, svg(one)) for one in drawn]))  # noqa: S704  the template escapes
