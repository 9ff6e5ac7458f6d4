"""What the pictures of a model show, as plain numbers: one panel for each part that depends on one quantity.

:mod:`curvec.review.plot` draws panels with matplotlib, :mod:`curvec.review.svg` as SVG.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.conversion import objects
from curvec.data import Table
from curvec.distill.correspondence import features_in, joined, terms_by_features
from curvec.distill.fidelity import mean_difference
from curvec.errors import InputError
from curvec.evaluate import term_values
from curvec.ir import (
    Curve,
    Feature,
    FeatureType,
    Key,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    Term,
    changed,
    features_of,
    is_logarithm,
    label_of,
    walk,
)
from curvec.model import CurveModel
from curvec.teachers.parts.curves import shifted
from curvec.transforms import FloatArray, Transform, transform

MAX_DOTS = 250
"""Teacher dots and steps of a cumulative distribution in one picture; more cannot be told apart."""

IDENTITY = transform("identity")

_INNER = "sum"


Role = Literal["contribution", "factor", "part"]


class Panel(msgspec.Struct, frozen=True):
    """A part of a model that depends on one quantity, so that it has a picture.

    Attributes:
        title: the feature's name, or the features of a nested curve's inner sum; for a part, also its place.
        model: the model that it is a part of.
        terms: indices in ``model.terms`` of the terms that the picture shows whole, or of the one it is a part of.
        role: "contribution" for whole terms, which the score adds up; "factor" of a product; "part" of an inner sum.
        feature: the quantity's name in ``node``.
        type: the quantity's type; a category is drawn by level.
        node: the function drawn.
        inner: for the outer curve of a nested one, the sum that is its input; else None.
        path: a part's place in the term: the number of the child, of the child's child and so on.
        removed: whether the term is of another model (``model``), and the model that is reviewed no longer has it.
        note: lines under the title of its picture.

    """

    title: str
    model: CurveModel
    terms: tuple[int, ...]
    role: Role
    feature: str
    type: FeatureType
    node: Term
    inner: Sum | None = None
    path: tuple[int, ...] = ()
    removed: bool = False
    note: str = ""

    def values(self, x: Any) -> FloatArray:
        """(n,) the function at the n values ``x`` of the quantity."""
        return _values(self.node, self.feature, self.type, x)

    @property
    def missing(self) -> float | None:
        """The function at a missing value; None where that has none, or the model has no such function."""
        value = math.nan if self.removed else float(self.values([None])[0])
        return None if math.isnan(value) else value

    @property
    def fx(self) -> Transform:
        """The transform of the horizontal axis: the first one that a curve of the panel uses."""
        used = (curve.fx for curve in walk(self.node) if curve.fx != "identity")
        return transform(next(used, "identity"))

    @property
    def codes(self) -> list[float]:
        """The special codes of a number, ascending: each has a value of its own, and no place on the axis."""
        return sorted({code for curve in walk(self.node) for code in curve.special_codes})

    @property
    def levels(self) -> list[Key]:
        """The levels of a category, in the order of the model."""
        return list(dict.fromkeys(level for curve in walk(self.node) for level in curve.levels))


class Trace(msgspec.Struct, frozen=True):
    """A line to draw from point to point on the panel's axis: (n,) x and (n,) y."""

    x: FloatArray
    y: FloatArray


def panels(model: CurveModel) -> list[Panel]:
    """The pictures of a model, in the order of its terms; no two have one title.

    Terms of one feature share a picture. A term of several features is taken apart: a nested curve is drawn over
    its inner sum, then the parts of the sum; a product factor by factor.
    """
    found: list[Panel] = []
    alone: dict[str, list[int]] = {}
    for index, term in enumerate(model.terms):
        names = features_in(term)
        if len(names) == 1:
            alone.setdefault(next(iter(names)), []).append(index)
    for index, term in enumerate(model.terms):
        names = features_in(term)
        together = alone[next(iter(names))] if len(names) == 1 else []
        if not together:
            found.extend(_parts(model, index))
        elif together[0] == index:
            found.append(_panel(model, joined([model.terms[i] for i in together]), tuple(together)))
    return _told_apart(found)


def removed(model: CurveModel, others: Iterable[CurveModel]) -> list[Panel]:
    """The pictures of terms that only the other models have, each once."""
    known = set(map(features_in, model.terms))
    found: list[Panel] = []
    for other in others:
        gone = {index for index, term in enumerate(other.terms) if features_in(term) not in known}
        found += [changed(panel, removed=True) for panel in panels(other) if panel.terms[0] in gone]
        known |= set(map(features_in, other.terms))
    return found


def panel_of(curve: Term) -> Panel:
    """The picture of one curve of one feature."""
    return _panel(CurveModel("curve", [curve]), curve, (0,))


def _told_apart(found: list[Panel]) -> list[Panel]:
    count = Counter(panel.title for panel in found)
    seen: Counter[str] = Counter()
    result = []
    for panel in found:
        seen[panel.title] += 1
        title = panel.title if count[panel.title] == 1 else f"{panel.title}, {seen[panel.title]}"
        result.append(changed(panel, title=title))
    return result


def _parts(model: CurveModel, index: int, path: tuple[int, ...] = (), role: Role = "contribution") -> Iterator[Panel]:
    term = _at(model.terms[index], path)
    where = f" in {label_of(model.terms[index])}" if path else ""
    if len(features_in(term)) == 1:
        panel = _panel(model, term, (index,))
        yield changed(panel, title=panel.title + where, role=role, path=path)
        return
    inside: Role = "factor" if isinstance(term, Product) else role if isinstance(term, Sum) and path else "part"
    if isinstance(term, Curve) and isinstance(term.input, Sum):
        title = label_of(term.input) + where
        outer = changed(term, input=_INNER, note="")
        yield Panel(title, model, (index,), role, _INNER, "number", outer, term.input, path)
        inside = "part"
    for place in range(len(_children(term))):
        yield from _parts(model, index, (*path, place), inside)


def _children(term: Term) -> Sequence[Term]:
    """The nodes that a term's pictures are of; for a curve of a sum, those of the sum."""
    if isinstance(term, Curve) and isinstance(term.input, Sum):
        return term.input.terms
    return term.children


def _at(term: Term, path: tuple[int, ...]) -> Term:
    for place in path:
        term = _children(term)[place]
    return term


def _panel(model: CurveModel, node: Term, terms: tuple[int, ...]) -> Panel:
    uses = list(features_of(node))
    kind: FeatureType = next((use.type for use in uses if use.type != "number"), "number")
    return Panel(uses[0].name, model, terms, "contribution", uses[0].name, kind, node)


def _values(node: Term, feature: str, kind: FeatureType, x: Any) -> FloatArray:
    return term_values(node, Table({feature: x}, [Feature(feature, kind)]))


def breakpoints(node: Term) -> list[float]:
    """Every x of a point or cut of a part of one feature, increasing.

    A logarithm, such as an exposure's, has none: like a line's, its ends are those of the data.
    """
    curves = (curve for curve in walk(node) if curve.feature is not None and not is_logarithm(curve))
    return sorted({x for curve in curves for x in curve.breaks})


def line(panel: Panel, node: Term, low: float, high: float) -> Trace:
    """The function on [low, high], exact at every point and on both sides of every cut."""
    fx = panel.fx
    inside = [x for x in breakpoints(node) if low < x < high]
    grid = {low, high, *inside, *(math.nextafter(x, -math.inf) for x in inside)}
    straight = isinstance(node, StepCurve) or (bool(node.slopes) and node.fx == fx.name)
    if not straight:
        ends = fx.forward(np.array([low, high]))
        grid.update(fx.inverse(np.linspace(ends[0], ends[1], 200))[1:-1].tolist())
    x = np.array(sorted(value for value in grid if low <= value <= high and fx.contains(value)))
    return Trace(x, _values(node, panel.feature, panel.type, x))


def band(panel: Panel, node: Term, deviations: Term, low: float, high: float) -> list[Trace]:
    """One standard deviation below and above a function on [low, high]; empty where either has no value there."""
    x = line(panel, joined([node, deviations]), low, high).x
    middle, far = (_values(one, panel.feature, panel.type, x) for one in (node, deviations))
    if not np.isfinite(middle + far).all():
        return []
    return [Trace(x, middle - far), Trace(x, middle + far)]


def counterpart(panel: Panel, other: CurveModel) -> Term | None:
    """The counterpart of a panel's function in another model; None if there is none.

    Terms correspond if their features are the same, and parts of them if the terms have the same structure.
    """
    own = panel.model.terms[panel.terms[0]]
    features = features_in(own)
    alike = [other.terms[index] for index in terms_by_features(other).get(features, ())]
    if not panel.path and panel.inner is None:
        return joined(alike) if alike else None
    theirs = _same(own, [panel.model.terms[index] for index in terms_by_features(panel.model)[features]], alike)
    for place in panel.path:
        if theirs is None or not _built_alike(own, theirs):
            return None
        inside = _children(own)
        names = features_in(inside[place])
        among, theirs_inside = (
            [node for node in _children(term) if features_in(node) == names] for term in (own, theirs)
        )
        own, theirs = inside[place], _same(inside[place], among, theirs_inside)
    if theirs is None or panel.inner is None:
        return theirs
    return changed(theirs, input=_INNER, note="") if isinstance(theirs.input, Sum) else None


def at_its_mean(panel: Panel, other: Term | None, data: Any) -> Term | None:
    """A teacher's function of a whole term moved by a constant, which the intercept has, to the mean of the model's.

    The mean is that over the rows, without data that over the places where the teacher's values change. A line stays,
    and so does a function of which one of the two has no value anywhere.
    """
    if other is None or panel.removed or panel.role != "contribution":
        return other
    places = _places(panel, other, data)
    own, others = panel.values(places), _values(other, panel.feature, panel.type, places)
    shift = mean_difference(own, others, np.ones(len(own)))
    return shifted(other, shift) or other


def _places(panel: Panel, other: Term, data: Any) -> Any:
    """The quantity of every row; without data the levels, or x on both sides of each breakpoint."""
    if panel.type == "number":
        x = None if data is None else quantity(panel, data)
        return x if x is not None and np.isfinite(x).any() else dots(panel, other, None).x
    if data is not None:
        return Table(data, [Feature(panel.feature, panel.type)]).keys(panel.feature, panel.type)
    return objects(panel.levels)


def _same(own: Term, among: Sequence[Term], others: Sequence[Term]) -> Term | None:
    """The one of ``others`` that is equal; else the one in the same place, if they are as many as ``among``."""
    if own in others:
        return own
    place = next(place for place, node in enumerate(among) if node is own)
    return others[place] if len(others) == len(among) else None


def _built_alike(own: Term, other: Term) -> bool:
    curves = (PWLCurve, StepCurve)
    return type(own) is type(other) or (isinstance(own, curves) and isinstance(other, curves))


def dots(panel: Panel, node: Term, x: FloatArray | None) -> Trace:
    """A function as dots: at the values in the data (at most 250, evenly among them), or beside each breakpoint."""
    if x is not None and np.isfinite(x).any():
        places = thinned(np.unique(x[np.isfinite(x)]))
    else:
        knots = np.array(breakpoints(node) or [0.0])
        places = thinned(np.unique(np.concatenate([knots, np.nextafter(knots, -np.inf)])))
    places = places[np.fromiter(map(panel.fx.contains, places.tolist()), np.bool_, len(places))]
    return Trace(places, _values(node, panel.feature, panel.type, places))


def thinned(values: FloatArray) -> FloatArray:
    """At most :data:`MAX_DOTS` of the values, evenly among them."""
    if len(values) <= MAX_DOTS:
        return values
    kept: FloatArray = values[evenly(len(values), MAX_DOTS)]
    return kept


def evenly(count: int, most: int) -> npt.NDArray[np.int64]:
    """At most so many places of ``count``, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))


def quantity(panel: Panel, data: Any) -> FloatArray:
    """(rows,) a numeric panel's quantity in the data, NaN where missing; rows at its special codes are left out."""
    if panel.inner is not None:
        return term_values(panel.inner, panel.model.table(data))
    x = Table(data, [Feature(panel.feature)]).number(panel.feature)
    return x[~np.isin(x, panel.codes)]


def code_values(panel: Panel, node: Term) -> FloatArray:
    """(codes,) a function at the special codes of the panel."""
    return _values(node, panel.feature, panel.type, np.array(panel.codes))


def values_at_levels(panel: Panel, node: Term, levels: Sequence[Key]) -> FloatArray:
    """(n,) a function of a category at some levels; NaN at a level that it has no value for."""
    return _values(node, panel.feature, panel.type, objects(levels))


def check_others(model: CurveModel, others: Mapping[str, CurveModel]) -> None:
    """Refuse a model that shares no feature with the model that it is to be drawn over.

    Raises:
        InputError: nothing of it could be drawn.

    """
    own = {feature.name for feature in model.features}
    for name, other in others.items():
        if not own & {feature.name for feature in other.features}:
            raise InputError(f"the model {name!r} has no feature of {model.name!r}; there is nothing to draw it over")
