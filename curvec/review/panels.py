"""What a picture of a model shows, as plain numbers: one panel for every part that depends on one quantity.

The drawing itself is apart: :mod:`curvec.review.plot` draws panels with matplotlib, :mod:`curvec.review.svg` as SVG.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvec.data import Table
from curvec.errors import InputError
from curvec.evaluate import term_values
from curvec.ir import (
    EnumCurve,
    Feature,
    FeatureType,
    Key,
    PWLCurve,
    StepCurve,
    Sum,
    Term,
    features_of,
    names_of,
    walk,
)
from curvec.model import CurveModel
from curvec.transforms import FloatArray, Transform, transform

__all__ = ["Distribution", "Line", "Panel", "Shares", "breakpoints", "distribution", "dots", "line", "panels", "shares"]

MAX_DOTS = 250
"""Teacher dots and steps of a cumulative distribution in one picture; more cannot be told apart."""

MAX_LEVELS = 24
"""Levels in one picture; the rest is counted in its last line."""

IDENTITY = transform("identity")

_INNER = "sum"


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a model that depends on one quantity, so that it has a picture.

    Attributes:
        title: the feature's name, or what the inner sum of a nested curve adds up.
        terms: indices in ``model.terms`` of the terms that the picture shows whole, or of the one it is a part of.
        whole: the picture shows the whole contribution of its terms.
        feature: the quantity's name in ``node``.
        type: the quantity's type; a category is drawn by level.
        node: the function drawn.
        inner: for the outer curve of a nested one, the sum that is its input; else None.

    """

    title: str
    terms: tuple[int, ...]
    whole: bool
    feature: str
    type: FeatureType
    node: Term
    inner: Sum | None = None

    def values(self, x: Any) -> FloatArray:
        """(n,) the function at the n values ``x`` of the quantity."""
        return _values(self.node, self.feature, self.type, x)

    @property
    def fx(self) -> Transform:
        """The transform of the horizontal axis: the first one that a curve of the panel uses."""
        used = (curve.fx for curve in walk(self.node) if isinstance(curve, PWLCurve) and curve.fx != "identity")
        return transform(next(used, "identity"))

    @property
    def levels(self) -> list[Key]:
        """The levels of a category, in the order of the model."""
        tables = [curve for curve in walk(self.node) if isinstance(curve, EnumCurve)]
        return list(dict.fromkeys(itertools.chain.from_iterable(table.levels for table in tables)))


@dataclass(frozen=True, slots=True)
class Line:
    """A curve to draw straight from point to point on the panel's axis: (n,) x and (n,) y."""

    x: FloatArray
    y: FloatArray


@dataclass(frozen=True, slots=True)
class Distribution:
    """The cumulative distribution of a quantity: (n,) x and (n,) the share of present rows at or below it."""

    x: FloatArray
    share: FloatArray
    missing: float


@dataclass(frozen=True, slots=True)
class Shares:
    """The levels to draw, each with its share of rows (None without data), and how many further levels there are."""

    levels: list[Key]
    shares: list[float] | None
    further: int


def panels(model: CurveModel) -> list[Panel]:
    """The pictures of a model, in the order of its terms.

    Terms of one feature share a picture. A term of several features is taken apart: a nested curve is drawn over
    its inner sum, then the parts of the sum; a product factor by factor.
    """
    found: list[Panel] = []
    alone: dict[str, list[int]] = {}
    for index, term in enumerate(model.terms):
        names = set(names_of(term))
        if len(names) == 1:
            alone.setdefault(names.pop(), []).append(index)
    for index, term in enumerate(model.terms):
        names = set(names_of(term))
        together = alone[names.pop()] if len(names) == 1 else []
        if not together:
            found.extend(_parts(term, index))
        elif together[0] == index:
            terms = [model.terms[i] for i in together]
            found.append(_panel(terms[0] if len(terms) == 1 else Sum(terms), tuple(together), whole=True))
    return found


def panel_of(curve: Term) -> Panel:
    """The picture of one curve of one feature."""
    return _panel(curve, (0,), whole=True)


def _parts(term: Term, index: int) -> Iterator[Panel]:
    if len(names_of(term)) == 1:
        yield _panel(term, (index,), whole=False)
        return
    parts = term.children
    if isinstance(term, (PWLCurve, StepCurve)) and isinstance(term.input, Sum):
        names = names_of(term.input)
        yield Panel(" + ".join(names), (index,), True, _INNER, "number", _over_inner(term), term.input)  # noqa: FBT003
        parts = term.input.children
    for part in parts:
        yield from _parts(part, index)


def _over_inner(curve: PWLCurve | StepCurve) -> Term:
    if isinstance(curve, PWLCurve):
        return PWLCurve(_INNER, curve.points, curve.fx, curve.missing)
    return StepCurve(_INNER, curve.cuts, curve.values, curve.missing)


def _panel(node: Term, terms: tuple[int, ...], *, whole: bool) -> Panel:
    uses = list(features_of(node))
    kind: FeatureType = next((use.type for use in uses if use.type != "number"), "number")
    return Panel(uses[0].name, terms, whole, uses[0].name, kind, node)


def _values(node: Term, feature: str, kind: FeatureType, x: Any) -> FloatArray:
    return term_values(node, Table({feature: x}, [Feature(feature, kind)]))


def breakpoints(node: Term) -> list[float]:
    """Every x of a point or cut of a part of one feature, increasing."""
    found: set[float] = set()
    for curve in walk(node):
        if isinstance(curve, PWLCurve) and isinstance(curve.input, str):
            found.update(x for x, _ in curve.points)
        elif isinstance(curve, StepCurve) and isinstance(curve.input, str):
            found.update(curve.cuts)
    return sorted(found)


def axis_range(panel: Panel, x: FloatArray | None, nodes: Sequence[Term] = ()) -> tuple[float, float]:
    """The quantity's least and largest value to draw: of the data and of every point, with room at both ends.

    Args:
        panel: the picture.
        x: (rows,) the quantity in the data, NaN where missing; None without data.
        nodes: further functions of the same feature.

    """
    values = [value for node in (panel.node, *nodes) for value in breakpoints(node)]
    if x is not None:
        values.extend(_ends(x))
    fx = panel.fx
    values = [value for value in values if fx.contains(value)] or [1.0]
    u = fx.forward(np.array([min(values), max(values)]))
    room = 0.04 * (u[1] - u[0]) if u[1] > u[0] else max(0.5, 1e-3 * abs(u[0]))
    low, high = fx.inverse(np.array([u[0] - room, u[1] + room])).tolist()
    return (low if fx.contains(low) else min(values)), (high if fx.contains(high) else max(values))


def _ends(x: FloatArray) -> list[float]:
    finite = x[np.isfinite(x)]
    return [float(finite.min()), float(finite.max())] if len(finite) else []


def line(panel: Panel, node: Term, low: float, high: float) -> Line:
    """The function on [low, high], exact at every point and on both sides of every cut."""
    fx = panel.fx
    inside = [x for x in breakpoints(node) if low < x < high]
    grid = {low, high, *inside, *(math.nextafter(x, -math.inf) for x in inside)}
    straight = isinstance(node, StepCurve) or (isinstance(node, PWLCurve) and node.fx == fx.name)
    if not straight:
        ends = fx.forward(np.array([low, high]))
        grid.update(fx.inverse(np.linspace(ends[0], ends[1], 200))[1:-1].tolist())
    x = np.array(sorted(value for value in grid if low <= value <= high and fx.contains(value)))
    return Line(x, _values(node, panel.feature, panel.type, x))


def teacher_node(panel: Panel, teacher: CurveModel) -> Term | None:
    """What the panel's terms stand for in another model: its terms of that feature alone, or None."""
    if not panel.whole or panel.inner is not None:
        return None
    terms = [term for term in teacher.terms if set(names_of(term)) == {panel.feature}]
    if len(terms) < 2:
        return terms[0] if terms else None
    return Sum(terms)


def dots(panel: Panel, node: Term, x: FloatArray | None) -> Line:
    """A function as dots: at the values in the data (at most 250, evenly among them), or beside each breakpoint."""
    if x is not None and np.isfinite(x).any():
        places = _thin(np.unique(x[np.isfinite(x)]))
    else:
        knots = np.array(breakpoints(node) or [0.0])
        places = _thin(np.unique(np.concatenate([knots, np.nextafter(knots, -np.inf)])))
    places = places[np.fromiter(map(panel.fx.contains, places.tolist()), np.bool_, len(places))]
    return Line(places, _values(node, panel.feature, panel.type, places))


def _thin(values: FloatArray) -> FloatArray:
    if len(values) <= MAX_DOTS:
        return values
    kept: FloatArray = values[np.unique(np.linspace(0, len(values) - 1, MAX_DOTS).round().astype(int))]
    return kept


def quantity(panel: Panel, model: CurveModel, data: Any) -> FloatArray:
    """(rows,) a numeric panel's quantity in the data, NaN where missing."""
    table = model.table(data)
    return table.number(panel.feature) if panel.inner is None else term_values(panel.inner, table)


def distribution(x: FloatArray) -> Distribution:
    """The cumulative distribution of (rows,) values, NaN where missing."""
    present = np.sort(x[~np.isnan(x)])
    if not len(present):
        return Distribution(np.empty(0), np.empty(0), 1.0 if len(x) else 0.0)
    values = _thin(np.unique(present))
    share = np.searchsorted(present, values, side="right") / len(present)
    return Distribution(values, share, 1 - len(present) / len(x))


def shares(panel: Panel, model: CurveModel, data: Any, nodes: Sequence[Term] = ()) -> Shares:
    """The levels of a category to draw: the model's own first, then those only in the data; the rarest left out."""
    levels: dict[Key, float] = dict.fromkeys(panel.levels, 0.0)
    for curve in walk(*nodes):
        if isinstance(curve, EnumCurve) and curve.levels.type == panel.type:
            levels.update(dict.fromkeys([level for level in curve.levels if level not in levels], 0.0))
    if data is None:
        kept = list(levels)[:MAX_LEVELS]
        return Shares(kept, None, len(levels) - len(kept))
    keys = model.table(data).keys(panel.feature, panel.type)
    for key in keys:
        if key is not None:
            levels[key] = levels.get(key, 0.0) + 1 / len(keys)
    often = set(sorted(levels, key=lambda level: -levels[level])[:MAX_LEVELS])
    kept = [level for level in levels if level in often]
    return Shares(kept, [levels[level] for level in kept], len(levels) - len(kept))


def level_values(panel: Panel, node: Term, levels: Sequence[Key]) -> FloatArray:
    """(n,) a function of a category at some levels; NaN at a level that it has no value for."""
    column = np.empty(len(levels), dtype=object)
    column[:] = levels
    return _values(node, panel.feature, panel.type, column)


def check_others(model: CurveModel, others: Mapping[str, CurveModel]) -> None:
    """Refuse a model to draw over another that has not one feature in common with it.

    Raises:
        InputError: nothing of it could be drawn.

    """
    own = {feature.name for feature in model.features}
    for name, other in others.items():
        if not own & {feature.name for feature in other.features}:
            raise InputError(f"the model {name!r} has no feature of {model.name!r}; there is nothing to draw it over")


def ticks(fx: Transform, low: float, high: float, count: int = 5) -> list[float]:
    """Round values on [low, high], spread over the axis in u = fx(x): multiples, or 1-2-5 on a log axis."""
    if fx.name == "identity":
        return _linear_ticks(low, high, count)
    powers = range(-307 if fx.name == "log" else -12, 309)
    rank = [[0.0], *([sign * digit * 10.0**power for power in powers for sign in (1, -1)] for digit in (1, 2, 5, 3))]
    ends = fx.forward(np.array([low, high]))
    gap = (ends[1] - ends[0]) / (count + 1)
    chosen: list[tuple[float, float]] = []
    for candidates in rank:
        for value in (value for value in candidates if low <= value <= high and fx.contains(value)):
            u = float(fx.forward(np.array([value]))[0])
            if all(abs(u - other) >= gap for other, _ in chosen):
                chosen.append((u, value))
    if len(chosen) < 3:  # the axis spans less than a decade
        return [value for value in _linear_ticks(low, high, count) if fx.contains(value)]
    return sorted(value for _, value in chosen)


def _linear_ticks(low: float, high: float, count: int) -> list[float]:
    if not high > low:
        return [low]
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= raw * 0.999)
    first = math.floor(low / step)
    places = [round(k * step, 12 - math.floor(math.log10(step))) for k in range(first, int(high / step) + 2)]
    return [place for place in places if low <= place <= high]
