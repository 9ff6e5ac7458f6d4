"""Rows that find a target's faults: made from the model, one feature at a time and jointly, besides the user's own."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.contract import EXACT_INTEGERS
from curvec.conversion import objects
from curvec.data import Table
from curvec.errors import InputError
from curvec.ir import Curve, Feature, Uses, uses_of_each, walk
from curvec.model import CurveModel
from curvec.parity.crossings import crossings
from curvec.parity.runners import ColumnType
from curvec.parity.runners.base import python_values
from curvec.rows import tables_of

_CELLS = 2_000_000
"""The most rows times features of the probes of one feature at a time; a wider model has the joint rows only."""
_AGAIN = 50_000
"""The most rows times features that are scored again in each type of column; of more, only the joint rows are."""
_OWN, _JOINTLY = " of the data", "joint probe"
_JOINT = 256
"""The least number of joint rows, in which every feature is at one of its probe values."""
_NEAR = 64
"""The most levels of one feature whose near misses are tried; every level itself always is."""
_NO_INTEGERS = [math.nan, math.inf, -math.inf, 1e300]
"""What integer categories are probed with besides integers: a frame or a database may hold them as floats."""
_BEYOND: list[Any] = [EXACT_INTEGERS + 1, -EXACT_INTEGERS - 1, 2**63 - 1, -(2**63)]
"""Integers that no double holds."""
_SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, -2.2250738585072014e-308, 1.0, -1.0]
_SPECIAL += [1e300, -1e300, 1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf, math.nan]


class Probes(msgspec.Struct, frozen=True):
    """Rows to score.

    Attributes:
        data: a column for each of the model's features, as runners take them.
        origins: (rows,) what each row is: a probe of a feature, a joint probe, a crossing, a row of the user's.

    """

    data: Mapping[str, npt.NDArray[Any]]
    origins: Sequence[str]

    def held(self, features: Sequence[Feature], types: Mapping[str, ColumnType]) -> Probes:
        """The rows with each value as the nearest one that its column's type holds."""
        data = {}
        for feature in features:
            nearest = types[feature.name].nearest
            data[feature.name] = as_column(
                feature, [nearest(value) for value in python_values(self.data[feature.name])]
            )
        return Probes(data, self.origins)

    def few(self) -> Probes:
        """Those that are scored in each type of column: none of the user's, and of a wide model the joint ones."""
        kept = [row for row, origin in enumerate(self.origins) if not origin.endswith(_OWN)]
        if len(kept) * len(self.data) > _AGAIN:
            kept = [row for row in kept if self.origins[row] == _JOINTLY]
        return self.take(kept)

    def take(self, kept: Sequence[int]) -> Probes:
        """Some of the rows, by their places."""
        rows = np.array(kept, dtype=np.intp)
        return Probes({name: column[rows] for name, column in self.data.items()}, [self.origins[row] for row in kept])


class _Column(msgspec.Struct, frozen=True):
    """What is tried of one feature.

    Attributes:
        feature: the feature.
        values: the values to try.
        typical: the value while other features are tried.
        is_used: whether some term uses the feature.

    """

    feature: Feature
    values: Sequence[Any]
    typical: Any
    is_used: bool


def probes(model: CurveModel) -> Probes:
    """The rows that are made to find faults in a model's code.

    For a numeric feature: every point and cut, the doubles next to it, midpoints, values far outside, both zeros,
    subnormals, the largest doubles, infinities, NaN and NULL. For a category: every level, near misses (case, blanks,
    accents, digits), unseen ones and NULL; for one of integers also NaN, fractions and what no double holds. For a
    curve over a sum: inputs on both sides of each of its points.
    """
    return _probes_of(*_tried(model))


def _tried(model: CurveModel) -> tuple[Sequence[_Column], Sequence[Curve]]:
    """What is tried of each feature, and the curves whose input is a sum."""
    nested = [node for node in walk(*model.terms) if isinstance(node, Curve) and node.children]
    return list(itertools.starmap(_column, uses_of_each(model.features, *model.terms))), nested


def _probes_of(columns: Sequence[_Column], nested: Sequence[Curve]) -> Probes:
    found: list[tuple[str, Sequence[Any]]] = []
    if sum(len(column.values) for column in columns) * len(columns) <= _CELLS:
        found += _one_at_a_time(columns)
    found += _joint(columns)
    typical = {column.feature.name: column.typical for column in columns}
    numbers = {column.feature.name: column.values for column in columns if column.feature.type == "number"}
    for feature, value in crossings(nested, typical, numbers):
        found.append((f"crossing of {feature!r}", [*{**typical, feature: value}.values()]))
    values = zip(*(row for _, row in found), strict=True)
    data = {column.feature.name: as_column(column.feature, own) for column, own in zip(columns, values, strict=True)}
    return Probes(data, [origin for origin, _ in found])


def probes_in_batches(model: CurveModel, data: Any) -> Iterator[Probes]:
    """The probes together with the user's rows, or with the first batch of them; then the other batches.

    Args:
        model: the model.
        data: rows of the user's, as ``model.eval`` takes them, or a stream; None for the probes alone.

    Raises:
        InputError: the data have no rows, lack a column, or hold an integer category that is a fraction.

    """
    columns, nested = _tried(model)
    rows = _probes_of(columns, nested)
    if data is None:
        yield rows
        return
    read = False
    for table in tables_of(data, [column.feature for column in columns if column.is_used]):
        if table.rows:
            yield _with_table(rows, table, columns)
            rows, read = rows.take([]), True
    if not read:
        raise InputError("the data have no rows; parity over none proves nothing")


def _with_table(rows: Probes, table: Table, columns: Sequence[_Column]) -> Probes:
    """The rows, and those of a user's table behind them, in which unused features have their typical values."""
    data = {}
    for column in columns:
        feature = column.feature
        own = _own(table, feature) if column.is_used else [column.typical] * table.rows
        data[feature.name] = as_column(feature, [*python_values(rows.data[feature.name]), *own])
    part = f" ({table.place.origin})" if table.place.origin else ""
    origins = (f"row {table.place.first + row}{part}{_OWN}" for row in range(table.rows))
    return Probes(data, [*rows.origins, *origins])


def as_column(feature: Feature, values: Sequence[Any]) -> npt.NDArray[Any]:
    """Python values (None for NULL) as a column that runners take."""
    if feature.type == "number":
        null = np.fromiter((value is None for value in values), dtype=bool, count=len(values))
        filled = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
        return np.ma.MaskedArray(filled, mask=null)
    return objects(values)


def _one_at_a_time(columns: Sequence[_Column]) -> Iterator[tuple[str, list[Any]]]:
    typical = [column.typical for column in columns]
    for index, column in enumerate(columns):
        for value in column.values:
            yield f"probe of {column.feature.name!r}", [*typical[:index], value, *typical[index + 1 :]]


def _joint(columns: Sequence[_Column]) -> Iterator[tuple[str, list[Any]]]:
    """Every value of every feature at least once, in a fixed shuffle of its own for each feature."""
    count = max([_JOINT, *(len(column.values) for column in columns)])
    random = np.random.default_rng(count)
    picks = []
    for column in columns:
        order = np.concatenate([random.permutation(len(column.values)) for _ in range(-(-count // len(column.values)))])
        picks.append([column.values[index] for index in order[:count]])
    for row in range(count):
        yield _JOINTLY, [pick[row] for pick in picks]


def _column(feature: Feature, uses: Uses) -> _Column:
    edges = sorted({*uses.breaks, *uses.special_codes})
    is_used = bool(uses.nodes)
    if feature.type == "number":
        inner = [left + (right - left) / 2 for left, right in itertools.pairwise(edges)]
        typical = inner[len(inner) // 2] if inner else (edges or [0.5])[0]
        return _Column(feature, _numbers(edges, inner), typical, is_used)
    values = {"int": _integers, "str": _texts, "bool": lambda *_: [False, True, None]}[feature.type](uses.levels, edges)
    if feature.type == "int" and all(node.reads != "number" for node in uses.nodes):
        values += _BEYOND  # as a number the model refuses them
    known = uses.levels or [value for value in values if value is not None]
    return _Column(feature, values, known[len(known) // 2], is_used)


def _numbers(edges: Sequence[float], inner: Sequence[float]) -> list[float | None]:
    near = [math.nextafter(x, way) for x in edges for way in (-math.inf, math.inf)]
    low, high = (edges[0], edges[-1]) if edges else (0.0, 1.0)
    span = 10.0 * (high - low + 1.0)
    found = [*edges, *near, *inner, low - span, high + span, *_SPECIAL]
    return [*{value.hex(): value for value in found}.values(), None]  # by hex: 0.0 and -0.0 are two probes


def _integers(levels: Sequence[Any], edges: Sequence[float]) -> list[Any]:
    whole = [round(x) + step for x in edges if abs(x) < EXACT_INTEGERS for step in (-1, 0, 1)]
    near = [level + step for level in levels[:_NEAR] for step in (-1, 1)]
    found = dict.fromkeys([*levels, *near, *whole, 0, 1, -1, EXACT_INTEGERS, -EXACT_INTEGERS])
    fractions = [level + 0.5 for level in levels[:_NEAR] if abs(level) < 2**22]
    return [*(value for value in found if abs(value) <= EXACT_INTEGERS), *fractions, *_NO_INTEGERS, None]


def _texts(levels: Sequence[Any], _: Sequence[float]) -> list[Any]:
    near = (miss for level in levels[:_NEAR] for miss in _near_misses(level))
    return [*dict.fromkeys([*levels, *near, "", " ", "nan", "NULL", "None", "0", "unseen", "unseen\0"]), None]


def _near_misses(level: str) -> list[str]:
    forms = [unicodedata.normalize(form, level) for form in ("NFC", "NFD")]
    plain = "".join(mark for mark in unicodedata.normalize("NFD", level) if not unicodedata.combining(mark))
    blanks = [level + " ", " " + level, level.strip(), level + "\n"]
    return [level.swapcase(), level.casefold(), *forms, plain, *blanks, level[:-1], level + "0", f"{level}.0"]


def _own(table: Table, feature: Feature) -> list[Any]:
    """A column of the user's as Python values, None where it is missing."""
    values: list[Any] = table.read_as(feature).tolist()
    if feature.type == "number":
        return [None if math.isnan(value) else value for value in values]
    for row, value in enumerate(values):
        if isinstance(value, float):
            raise InputError(
                f"{table.place.cell(feature.name, row)}: {value!r} is no integer that a double holds, and C++ takes "
                "this category as an integer; leave the row out"
            )
    return values
