"""Hypothesis strategies for any valid model, of every node, and for rows to score with it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import assume
from hypothesis import strategies as st

from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.ir import FeatureType, Key, Term
from curvec.links import LINKS
from curvec.parity.runners import Data, Runner, StoredTable
from curvec.transforms import TRANSFORMS, transform

__all__ = ["HARD_NAMES", "keys", "models", "numbers", "pwl_curves", "rows", "terms", "usual_table"]

# fmt: off
HARD_NAMES = [
    "age", "a b", "select", "class", "1x", 'x"; DROP TABLE t; --', "naïve", "score", "prediction", "a`b", "a]b", "a\\b",
    "a'b", "50%", "{{x}}", "${x}", ":p", "home.dest", "日本", "*/ x /*", "new\nline", " blank ", "income (k$)",
    "-- x", "a\u2028b", "a\rb",
]
"""Names that break a target which does not quote, escape or rename (kinds P53 to P57)."""

HARD_KEYS = [
    "a", "A", "a ", " a", "", "O'Brien", 'say "x"', "back\\slash", "end\\", "new\nline", "50%", "{{x}}", "${x}", "é",
    "e\u0301", "🙂", "🙁", "nan", "NULL", "1", "1.0", "*/", '"""', "a:b,c",
]
"""Levels that break a target which does not escape, or compares by a collation (kinds P42 to P47)."""

_SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.1, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-300, 1e300, -1e300,
    1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf, math.nan,
]
# fmt: on

Rows = Mapping[str, npt.NDArray[Any]]


@cache  # as each strategy here: a new one is checked anew, which took half of the time of drawing a model
def numbers(bound: float = 1e6) -> st.SearchStrategy[float]:
    """Finite doubles up to a bound: round ones, printed ones, and any."""
    steps = int(min(bound, 1000.0) * 4)
    return st.one_of(
        st.integers(-steps, steps).map(lambda value: value / 4),
        st.floats(-bound, bound).map(lambda value: float(f"{value:.4g}")),
        st.floats(-bound, bound),
    ).filter(lambda value: abs(value) <= bound)


@cache
def keys(kind: FeatureType) -> st.SearchStrategy[Key]:
    """Levels of one type; text without U+0000, which few databases hold."""
    if kind == "bool":
        return st.booleans()
    if kind == "int":
        return st.one_of(st.integers(-3, 12), st.integers(-(2**53), 2**53))
    characters = st.characters(codec="utf-8", exclude_characters="\0")
    return st.one_of(st.sampled_from(HARD_KEYS), st.text(characters, max_size=5))


@cache
def names() -> st.SearchStrategy[str]:
    """Names of features and models."""
    characters = st.characters(codec="utf-8", exclude_characters="\0")
    return st.one_of(st.sampled_from(HARD_NAMES), st.text(characters, min_size=1, max_size=6))


@cache
def features() -> st.SearchStrategy[list[Feature]]:
    """A few features of every type; no two names alike up to case, which databases could not tell apart."""
    kinds = st.sampled_from(["number", "number", "int", "str", "bool"])
    pairs = st.tuples(names(), kinds)
    unique = st.lists(pairs, min_size=1, max_size=4, unique_by=lambda pair: pair[0].casefold())
    return unique.map(lambda found: [Feature(name, kind) for name, kind in found])


@st.composite
def models(draw: st.DrawFn, fx: Sequence[str] = tuple(TRANSFORMS), links: Sequence[str] = tuple(LINKS)) -> CurveModel:
    """Any valid model; one in a few has more terms than a group of the sum holds."""
    columns = draw(features())
    found = draw(st.lists(terms(columns, fx), min_size=1, max_size=6))
    found *= draw(st.sampled_from([1, 1, 1, 9]))
    name, link = draw(names()), draw(st.sampled_from(links))
    used = CurveModel(name, found).features
    kinds = {feature.name: feature.type for feature in used}
    listed = [Feature(column.name, kinds.get(column.name, column.type)) for column in columns]
    return CurveModel(name, found, draw(numbers(100.0)), link, listed if draw(st.booleans()) else ())


def terms(columns: Sequence[Feature], fx: Sequence[str] = tuple(TRANSFORMS), depth: int = 2) -> st.SearchStrategy[Term]:
    """A term over those features, nested to a depth."""
    numeric = [column.name for column in columns if column.type in ("number", "int")]
    tables = [column for column in columns if column.type != "number"]
    choices: list[st.SearchStrategy[Term]] = []
    if numeric:
        name = st.sampled_from(numeric)
        choices += [pwl_curves(name, fx), pwl_curves(name, fx), step_curves(name), lines(name)]
    if tables:
        choices += [st.sampled_from(tables).flatmap(enum_curves)]
    if depth:
        children = st.lists(terms(columns, fx, depth - 1), min_size=1, max_size=3)
        sums = children.map(Sum)
        choices += [sums, children.map(Product), pwl_curves(sums, fx), step_curves(sums)]
    return st.one_of(choices)


@cache
def _values(count: int) -> st.SearchStrategy[list[float]]:
    return st.lists(numbers(1000.0), min_size=count, max_size=count)


@cache
def _perhaps() -> st.SearchStrategy[float | None]:
    return st.none() | numbers(1000.0)


@cache
def _distinct(fewest: int, most: int, fx: str = "identity") -> st.SearchStrategy[list[float]]:
    """Some different x, where a transform has values."""
    inside = numbers() if fx == "identity" else numbers().filter(transform(fx).contains)
    return st.lists(inside, min_size=fewest, max_size=most, unique=True)


def lines(names: st.SearchStrategy[str]) -> st.SearchStrategy[Line]:
    """A feature itself, or a coefficient times it, with or without a value for a missing one."""
    return st.one_of(names.map(Line), st.builds(Line, names, numbers(1000.0), _perhaps()))


@st.composite
def pwl_curves(draw: st.DrawFn, inputs: st.SearchStrategy[Any], fx: Sequence[str] = tuple(TRANSFORMS)) -> PWLCurve:
    """A piecewise-linear curve of 2 to 8 points in any transform."""
    name = draw(st.sampled_from(fx))
    x = sorted(draw(_distinct(2, 8, name)))
    y = draw(_values(len(x)))
    missing, of = draw(_perhaps()), draw(inputs)
    try:
        return PWLCurve(of, list(zip(x, y, strict=True)), name, missing, special=draw(special_codes(of)))
    except InputError:  # two points too close for a finite slope
        assume(condition=False)
        raise


@st.composite
def step_curves(draw: st.DrawFn, inputs: st.SearchStrategy[Any]) -> StepCurve:
    """A step curve of 1 to 6 cuts."""
    cuts = sorted(draw(_distinct(1, 6)))
    values = draw(_values(len(cuts) + 1))
    of = draw(inputs)
    return StepCurve(of, cuts, values, draw(_perhaps()), special=draw(special_codes(of)))


def special_codes(of: Any) -> st.SearchStrategy[dict[float, float]]:
    """A few special codes of a curve of a feature, in one of two curves."""
    return _special_codes(isinstance(of, str))


@cache
def _special_codes(allowed: bool) -> st.SearchStrategy[dict[float, float]]:
    few = st.dictionaries(numbers(), numbers(1000.0), min_size=1, max_size=3)
    return st.just({}) | few if allowed else st.just({})


@st.composite
def enum_curves(draw: st.DrawFn, feature: Feature) -> EnumCurve:
    """A table over some levels of a feature."""
    levels = draw(_levels_of(feature.type))
    values = draw(_values(len(levels)))
    default, missing = (draw(_perhaps()) for _ in range(2))
    return EnumCurve(feature.name, dict(zip(levels, values, strict=True)), default, missing)


@cache
def _levels_of(kind: FeatureType) -> st.SearchStrategy[list[Key]]:
    return st.lists(keys(kind), min_size=1, max_size=6, unique=True)


@cache
def _few(kind: FeatureType) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.floats() if kind == "number" else keys(kind), max_size=6)


@st.composite
def rows(draw: st.DrawFn, model: CurveModel, count: int = 100) -> Rows:
    """``count`` rows for a model: its own x and levels, doubles next to them, special and drawn values, NaN and NULL.

    The columns are as the runners of parity take them: numbers float64 with NULL masked, categories objects.
    """
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return {feature.name: _column(draw, model, feature, random, count) for feature in model.features}


def _column(
    draw: st.DrawFn, model: CurveModel, feature: Feature, random: np.random.Generator, count: int
) -> npt.NDArray[Any]:
    if feature.type == "number":
        drawn = draw(_few("number"))
        edges = _edges(model.terms, feature.name)
        beside = [math.nextafter(x, way) for x in edges for way in (-math.inf, math.inf)]
        values = random.choice([*drawn, *edges, *edges, *beside, *_SPECIAL], count)
        null = (random.random(count) < 0.1) | np.isnan(values) & (random.random(count) < 0.5)
        return np.ma.MaskedArray(np.where(null, np.nan, values), mask=null)
    pool: list[Any] = [*draw(_few(feature.type)), *_levels(model.terms, feature.name), None]
    if feature.type == "int":
        pool += [int(x) for x in _edges(model.terms, feature.name) if abs(x) <= 2**53]
    column = np.empty(count, dtype=object)
    column[:] = [pool[index] for index in random.integers(0, len(pool), count)]
    return column


def _edges(nodes: Sequence[Term], feature: str) -> list[float]:
    found: list[float] = []
    for node in nodes:
        found += _edges(_children(node), feature)
        if isinstance(node, PWLCurve) and node.input == feature:
            found += [x for x, _ in node.points]
        elif isinstance(node, StepCurve) and node.input == feature:
            found += node.cuts
    return found


def _levels(nodes: Sequence[Term], feature: str) -> list[Key]:
    found: list[Key] = []
    for node in nodes:
        found += _levels(_children(node), feature)
        if isinstance(node, EnumCurve) and node.feature == feature:
            found += list(node.levels)
    return found


def _children(node: Term) -> Sequence[Term]:
    if isinstance(node, Sum):
        return node.terms
    if isinstance(node, Product):
        return node.factors
    nested = getattr(node, "input", None)
    return (nested,) if isinstance(nested, Sum) else ()


def usual_table(runner: Runner, model: CurveModel, data: Data) -> StoredTable:
    """Rows in columns of the types that a user would choose for a model's features."""
    types = runner.column_types()
    return StoredTable(data, {feature.name: types[feature.type][0] for feature in model.features})
