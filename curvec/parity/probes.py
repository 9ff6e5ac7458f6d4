"""Rows that find a target's faults: made from the model, one feature at a time and jointly, besides the user's own."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.contract import EXACT_INTEGERS
from curvec.data import Place, Table
from curvec.errors import InputError
from curvec.ir import Feature, features_of, names_of, walk
from curvec.model import CurveModel
from curvec.parity.crossings import crossings
from curvec.parity.runners import ColumnType
from curvec.parity.runners.base import python_values
from curvec.rows import stream_of

__all__ = ["Probes", "probes", "probes_in_batches"]

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


@dataclass(frozen=True, slots=True)
class Probes:
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

    def own(self) -> Probes:
        """Those of the user's."""
        return self._at([row for row, origin in enumerate(self.origins) if origin.endswith(_OWN)])

    def few(self) -> Probes:
        """Those that are scored in each type of column: none of the user's, and of a wide model the joint ones."""
        kept = [row for row, origin in enumerate(self.origins) if not origin.endswith(_OWN)]
        if len(kept) * len(self.data) > _AGAIN:
            kept = [row for row in kept if self.origins[row] == _JOINTLY]
        return self._at(kept)

    def _at(self, kept: Sequence[int]) -> Probes:
        rows = np.array(kept, dtype=np.intp)
        return Probes({name: column[rows] for name, column in self.data.items()}, [self.origins[row] for row in kept])


@dataclass(frozen=True, slots=True)
class _Column:
    """What is tried of one feature, and what it is while another is tried."""

    feature: Feature
    values: Sequence[Any]
    typical: Any


def probes(model: CurveModel, data: Any = None, place: Place = Place()) -> Probes:  # noqa: B008  a value
    """The rows that a model is tried on.

    For a numeric feature: every point and cut, the doubles next to it, midpoints, values far outside, both zeros,
    subnormals, the largest doubles, infinities, NaN and NULL. For a category: every level, near misses (case, blanks,
    accents, digits), unseen ones and NULL; for one of integers also NaN, fractions and what no double holds. For a
    curve over a sum: inputs on both sides of each of its points.

    Args:
        model: the model.
        data: rows of the user's, as ``model.eval`` takes them, but no stream; None for none.
        place: where they come from, for messages.

    Raises:
        InputError: the data have no rows, lack a column, or hold an integer category that is a fraction.

    """
    columns = [_column(model, feature) for feature in model.features]
    found: list[tuple[str, Sequence[Any]]] = []
    if sum(len(column.values) for column in columns) * len(columns) <= _CELLS:
        found += _one_at_a_time(columns)
    found += _joint(columns)
    names = [column.feature.name for column in columns]
    typical = {column.feature.name: column.typical for column in columns}
    for feature, value in crossings(model, typical, {column.feature.name: column.values for column in columns}):
        found.append((f"crossing of {feature!r}", [{**typical, feature: value}[name] for name in names]))
    rows = {column.feature.name: [row[index] for _, row in found] for index, column in enumerate(columns)}
    origins = [origin for origin, _ in found]
    if data is not None:
        own, count = _own(model, data, place)
        rows = {name: values + own.get(name, [typical[name]] * count) for name, values in rows.items()}
        part = f" ({place.origin})" if place.origin else ""
        origins += [f"row {place.first + row}{part}{_OWN}" for row in range(count)]
    return Probes({feature.name: as_column(feature, rows[feature.name]) for feature in model.features}, origins)


def probes_in_batches(model: CurveModel, data: Any) -> Iterator[Probes]:
    """The rows that a model is tried on; those of a stream batch by batch, the first of them with the probes.

    Args:
        model: the model.
        data: as for :func:`probes`, or a stream.

    Raises:
        InputError: as :func:`probes`.

    """
    stream = stream_of(data)
    if stream is None:
        yield probes(model, data)
        return
    read = False
    for batch in stream.batches([feature.name for feature in model.features if feature.name in names_of(*model.terms)]):
        if batch.rows:
            found = probes(model, batch.columns or {"": np.zeros(batch.rows)}, batch.place)
            yield found.own() if read else found
            read = True
    if not read:
        raise InputError(_NO_ROWS)


def as_column(feature: Feature, values: Sequence[Any]) -> npt.NDArray[Any]:
    """Python values (None for NULL) as a column that runners take."""
    if feature.type == "number":
        null = np.fromiter((value is None for value in values), dtype=bool, count=len(values))
        filled = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
        return np.ma.MaskedArray(filled, mask=null)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


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


def _column(model: CurveModel, feature: Feature) -> _Column:
    own = [node for node in walk(*model.terms) if node.feature == feature.name]
    edges = sorted({x for node in own for x in (*node.breaks, *node.special_codes)})
    levels = list(dict.fromkeys(level for node in own for level in node.levels))
    if feature.type == "number":
        inner = [left + (right - left) / 2 for left, right in itertools.pairwise(edges)]
        return _Column(feature, _numbers(edges, inner), inner[len(inner) // 2] if inner else (edges or [0.5])[0])
    values = {"int": _integers, "str": _texts, "bool": _booleans}[feature.type](levels, edges)
    if feature.type == "int" and Feature(feature.name) not in set(itertools.chain(*map(features_of, model.terms))):
        values += _BEYOND  # as a number the model refuses them
    known = levels or [value for value in values if value is not None]
    return _Column(feature, values, known[len(known) // 2])


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


def _booleans(_: Sequence[Any], __: Sequence[float]) -> list[Any]:
    return [False, True, None]


def _own(model: CurveModel, data: Any, place: Place) -> tuple[dict[str, list[Any]], int]:
    """The user's columns that the model reads, and how many rows there are."""
    used = set(names_of(*model.terms))
    features = [feature for feature in model.features if feature.name in used]
    table = Table(data, features, place=place)
    if not table.rows:
        raise InputError(_NO_ROWS)
    return {feature.name: _own_column(table, feature) for feature in features}, table.rows


_NO_ROWS = "the data have no rows; parity over none proves nothing"


def _own_column(table: Table, feature: Feature) -> list[Any]:
    if feature.type == "number":
        return [None if math.isnan(value) else value for value in table.number(feature.name).tolist()]
    values: list[Any] = table.keys(feature.name, feature.type).tolist()
    for row, value in enumerate(values):
        if isinstance(value, float):
            raise InputError(
                f"{table.place.cell(feature.name, row)}: {value!r} is no integer that a double holds, and C++ takes "
                "this category as an integer; leave the row out"
            )
    return values
