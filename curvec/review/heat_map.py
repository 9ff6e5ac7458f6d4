"""Terms of two features as heat maps: the model's, its teacher's or an earlier model's, and the difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from curvec.conversion import objects
from curvec.data import Table
from curvec.distill.correspondence import joined, terms_by_features
from curvec.distill.fidelity import mean_difference
from curvec.evaluate import term_values
from curvec.ir import Feature, Term, features_of, label_of, uses_of
from curvec.model import CurveModel
from curvec.review import x_axis
from curvec.review.svg import Frame, html_environment, level_text, tick_texts
from curvec.transforms import FloatArray, Transform, transform

CELLS = 24
"""Cells along the axis of a number, and the most levels along that of a category."""


class Axis(msgspec.Struct, frozen=True):
    """One side of a heat map.

    Attributes:
        feature: what it shows.
        inputs: (cells,) the input in the middle of each cell; of a category its levels.
        ticks: for each its place along the axis, from 0 to 1, and its text.

    """

    feature: Feature
    inputs: npt.NDArray[Any]
    ticks: Sequence[tuple[float, str]]


class HeatMap(msgspec.Struct, frozen=True):
    """A function of two features over a grid.

    Attributes:
        title: the features, and whose function it is.
        across: the axis from left to right.
        up: the axis from bottom to top.
        values: (up, across) the function in the middle of each cell; NaN where it has none.
        note: lines under the title of its picture.

    """

    title: str
    across: Axis
    up: Axis
    values: FloatArray
    note: str = ""


def heat_maps(
    model: CurveModel, terms: Sequence[int], others: Mapping[str, CurveModel], data: Any = None
) -> list[HeatMap]:
    """The maps of some terms of two features: the model's, each other model's, and the model's less the other's.

    A difference is shifted by a constant, as the intercept would be, so that its mean over the rows is 0.

    Args:
        model: the model.
        terms: indices of its terms of the same features.
        others: by name, models that may have a function of these features, too.
        data: (rows, features) data for the ranges, or None.

    Returns:
        No map unless the terms are of two features.

    """
    own = joined([model.terms[index] for index in terms])
    features = list(dict.fromkeys(features_of(own)))
    if len(features) != 2 or features[0].name == features[1].name:
        return []
    names, label = frozenset(feature.name for feature in features), label_of(own)
    theirs = {
        name: joined([other.terms[index] for index in terms_by_features(other)[names]])
        for name, other in others.items()
        if names in terms_by_features(other)
    }
    across, up = (_axis(feature, [own, *theirs.values()], data) for feature in features)
    values = _values(own, across, up)
    maps = [HeatMap(label if not theirs else f"{label}: the model", across, up, values)]
    for name, term in theirs.items():
        other = _values(term, across, up)
        maps.append(HeatMap(f"{label}: the {name}", across, up, other))
        maps.append(
            HeatMap(f"{label}: model less {name}", across, up, values - other + _shift(own, term, features, data))
        )
    return maps


def _shift(own: Term, other: Term, features: Sequence[Feature], data: Any) -> float:
    if data is None:
        return 0.0
    table = Table(data, features)
    return mean_difference(term_values(other, table), term_values(own, table), np.ones(table.rows))


def _values(term: Term, across: Axis, up: Axis) -> FloatArray:
    rows, columns = len(up.inputs), len(across.inputs)
    grid = {across.feature.name: np.tile(across.inputs, rows), up.feature.name: np.repeat(up.inputs, columns)}
    return term_values(term, Table(grid, [across.feature, up.feature])).reshape(rows, columns)


def _axis(feature: Feature, terms: Sequence[Term], data: Any) -> Axis:
    uses = uses_of(feature.name, *terms)
    column = None if data is None else Table(data, [feature])
    if feature.type != "number":
        keys = [] if column is None else [key for key in column.keys(feature.name, feature.type) if key is not None]
        levels = list(dict.fromkeys([*uses.levels, *keys]))[:CELLS]
        middle = [(k + 0.5) / len(levels) for k in range(len(levels))]
        return Axis(feature, objects(levels), list(zip(middle, map(level_text, levels), strict=True)))
    fx = transform(next((node.fx for node in uses.nodes if node.fx != "identity"), "identity"))
    places = uses.breaks
    if column is not None:
        x = column.number(feature.name)
        places += [float(end) for end in (np.nanmin(x), np.nanmax(x))] if np.isfinite(x).any() else []
    return _numeric_axis(feature, fx, [place for place in places if math.isfinite(place) and fx.contains(place)])


def _numeric_axis(feature: Feature, fx: Transform, places: Sequence[float]) -> Axis:
    low, high = (min(places), max(places)) if places else (1.0, 2.0)
    if low == high:
        low, high = low - (0.5 if fx.contains(low - 0.5) else 0.0), high + 0.5
    start, end = fx.forward(np.array([low, high])).tolist()
    inputs = fx.inverse(start + (np.arange(CELLS) + 0.5) / CELLS * (end - start))
    ticks = x_axis.ticks(fx, low, high)
    along = (fx.forward(np.array(ticks)) - start) / (end - start)
    return Axis(feature, inputs, list(zip(along.tolist(), tick_texts(ticks), strict=True)))


LONGEST = 18
"""Letters of a level's name beside a map; of a longer one the page has the rest where the pointer is."""

_LETTER = 5.4
"""Width of a letter of such names, in units of the picture."""

_SHADES = 7
"""Shades on either side of the middle one: more cannot be told apart on a legend."""


def heat_svg(shown: HeatMap, most: float | None = None) -> Markup:
    """A map as an SVG element: blue below 0, orange above, white at 0; cells without a value are left open.

    Args:
        shown: the map.
        most: the size at which the colours end, for maps to be compared by; None for the largest of this one.

    """
    below, beside = _thinned(shown.across.ticks, 7), _thinned(shown.up.ticks, 12)
    longest = min(max([7, *(len(text) for _, text in beside)]), LONGEST)
    frame = Frame(left=48 + math.ceil((longest - 7) * _LETTER), right=270)
    finite = shown.values[np.isfinite(shown.values)]
    end = most or (float(np.abs(finite).max()) if len(finite) else 0.0) or 1.0
    rows, columns = shown.values.shape
    width, height = (frame.right - frame.left) / columns, (frame.bottom - frame.top) / rows
    paths: dict[int, list[str]] = {}
    for row in range(rows):
        y = frame.bottom - (row + 1) * height
        for start, stop, shade in _runs(shown.values[row], end):
            x = frame.left + start * width
            across = (stop - start) * width
            paths.setdefault(shade, []).append(f"M{x:.2f} {y:.2f}h{across:.2f}v{height:.2f}H{x:.2f}Z")
    legend = [(shade, _colour(shade)) for shade in range(-_SHADES, _SHADES + 1)]
    text = tick_texts([float(f"{value:.3g}") for value in (-end, 0.0, end)])
    svg = (
        html_environment()
        .get_template("report/heat_map.svg.jinja")
        .render(
            map=shown,
            frame=frame,
            paths=[(_colour(shade), "".join(parts)) for shade, parts in sorted(paths.items())],
            legend=legend,
            ends=text,
            across=below,
            up=beside,
            longest_across=max(math.floor((frame.right - frame.left) / _LETTER / max(len(below), 1)), 7),
            longest_up=longest,
            text=level_text,
            low=f"{finite.min():.4g}" if len(finite) else "",
            high=f"{finite.max():.4g}" if len(finite) else "",
        )
    )
    return Markup(svg)  # noqa: S704  the template escapes


def _runs(values: FloatArray, end: float) -> list[tuple[int, int, int]]:
    """Neighbouring cells of one shade: from, to, and the shade from -7 to 7."""
    shades = [
        None if math.isnan(value) else round(max(-1.0, min(1.0, value / end)) * _SHADES) for value in values.tolist()
    ]
    found: list[tuple[int, int, int]] = []
    for place, shade in enumerate(shades):
        if shade is None:
            continue
        if found and found[-1][1] == place and found[-1][2] == shade:
            found[-1] = (found[-1][0], place + 1, shade)
        else:
            found.append((place, place + 1, shade))
    return found


def _colour(shade: int) -> str:
    """White to Okabe and Ito's blue and vermilion."""
    full = (0xD5, 0x5E, 0x00) if shade > 0 else (0x00, 0x72, 0xB2)
    share = abs(shade) / _SHADES
    return "#" + "".join(f"{round(255 + share * (channel - 255)):02x}" for channel in full)


def _thinned(ticks: Sequence[tuple[float, str]], most: int) -> Sequence[tuple[float, str]]:
    return ticks[:: math.ceil(len(ticks) / most)] if ticks else ticks
