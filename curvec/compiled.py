"""Models as programs of the compiled core: the bits of :mod:`curvec.evaluate`, at the speed of the C++ runtime."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec._core import Program, RowReader
from curvec.contract import segments
from curvec.data import Table, categories, numbers
from curvec.errors import InputError
from curvec.ir import (
    EnumCurve,
    Feature,
    FeatureType,
    Key,
    Line,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    Term,
    features_of,
    walk,
)
from curvec.links import LINKS
from curvec.transforms import TRANSFORMS, FloatArray

__all__ = ["CompiledModel"]

_KINDS = {name: code for code, name in enumerate(("number", "line", "pwl", "step", "levels", "sum", "product"))}
_MISSING, _UNSEEN = -2, -1

Codes = npt.NDArray[np.int32]
_Levels = dict[tuple[str, FeatureType], dict[Key, int]]


class CompiledModel:
    """A model ready to score, made by :meth:`curvec.CurveModel.compile`; any number of threads may use one.

    Args:
        terms: the model's terms.
        intercept: where the sum starts.
        link: the link's name.
        features: the features that the terms use, in the order of the model's.

    """

    def __init__(
        self,
        terms: Sequence[Term],
        intercept: float,
        link: str,
        features: Sequence[Feature],
    ) -> None:
        self._features = tuple(features)
        self._width = len(terms)
        self._slots = _slots(terms, features)
        self._place = {slot: place for place, slot in enumerate(self._slots)}
        self._levels = _levels(terms)
        lowered = [self._lower(term) for term in terms]
        self._program = Program(lowered, intercept, LINKS[link].code)
        known = [(name, self._codes_by_type(name, kind)) for name, kind in self._slots]
        # The reader is C++, into which Python's garbage collector does not see: what it holds must not hold it.
        self._reader = RowReader(known, _Convert(self._slots, self._levels))

    def eval(self, data: Any, *, threads: int = 1) -> FloatArray:
        """(rows,) raw scores, as :meth:`curvec.CurveModel.eval`; optionally split over threads."""
        return self._run(Table(data, self._features), threads=threads)

    def predict(self, data: Any, *, threads: int = 1) -> FloatArray:
        """(rows,) predictions, as :meth:`curvec.CurveModel.predict`; optionally split over threads."""
        return self._run(Table(data, self._features), predict=True, threads=threads)

    def contributions(self, data: Any, *, threads: int = 1) -> FloatArray:
        """(rows, terms) one column a term, as :meth:`curvec.CurveModel.contributions`."""
        table = Table(data, self._features)
        return self._run(table, per_term=True, threads=threads).reshape(self._width, table.rows).T

    def score_row(self, row: Mapping[str, Any]) -> float:
        """The raw score of one row: feature name to value, None or NaN where it is missing.

        Raises:
            InputError: a feature is not there, or its value is of the wrong type; the message names it.

        """
        return self._reader.score(self._program, row, predict=False)

    def predict_row(self, row: Mapping[str, Any]) -> float:
        """The prediction for one row. Arguments and errors as :meth:`score_row`."""
        return self._reader.score(self._program, row, predict=True)

    def contributions_row(self, row: Mapping[str, Any]) -> list[float]:
        """The value of each term for one row. Arguments and errors as :meth:`score_row`."""
        columns = {feature.name: _one(_of_row(row, feature.name)) for feature in self._features}
        return [float(value) for value in self.contributions(columns or {"": [None]})[0]]

    def _run(self, table: Table, *, per_term: bool = False, predict: bool = False, threads: int = 1) -> FloatArray:
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise InputError(f"threads={threads!r}; it must be an integer of at least 1")
        columns = [self._column(table, name, kind) for name, kind in self._slots]
        return self._program.run(columns, table.rows, per_term, predict, threads)

    def _column(self, table: Table, name: str, kind: FeatureType) -> npt.NDArray[Any]:
        if kind == "number":
            return _plain_numbers(table, name)
        return _codes(table.raw(name), name, kind, self._levels[name, kind])

    def _lower(self, term: Term) -> dict[str, Any]:
        lowered: dict[str, Any]
        match term:
            case Line(feature, coefficient, missing):
                lowered = {"kind": _KINDS["line"], "y": np.array([coefficient]), "missing": _nan(missing)}
                return {**lowered, "children": [self._number(feature)]}
            case PWLCurve(input_, points, fx, missing):
                curve = segments(points, fx)
                slopes = np.append(curve.slope, 0.0)
                lowered = {"kind": _KINDS["pwl"], "fx": TRANSFORMS[fx].code, "x": curve.x, "u": curve.u, "y": curve.y}
                return {**lowered, "slopes": slopes, "missing": _nan(missing), "children": [self._input(input_)]}
            case StepCurve(input_, cuts, values, missing):
                lowered = {"kind": _KINDS["step"], "x": np.array(cuts), "y": np.array(values)}
                return {**lowered, "missing": _nan(missing), "children": [self._input(input_)]}
            case EnumCurve():
                return self._table_of_levels(term)
            case Sum(terms):
                return {"kind": _KINDS["sum"], "children": [self._lower(child) for child in terms]}
            case Product(factors):
                return {"kind": _KINDS["product"], "children": [self._lower(child) for child in factors]}

    def _input(self, value: str | Sum) -> dict[str, Any]:
        return self._number(value) if isinstance(value, str) else self._lower(value)

    def _number(self, feature: str) -> dict[str, Any]:
        return {"kind": _KINDS["number"], "column": self._place[feature, "number"]}

    def _table_of_levels(self, curve: EnumCurve) -> dict[str, Any]:
        kind = curve.levels.type
        unseen = _nan(curve.default)
        values = [curve.levels.get(key, unseen) for key in self._levels[curve.input, kind]]
        table = np.array([_nan(curve.missing), unseen, *values])
        return {"kind": _KINDS["levels"], "column": self._place[curve.input, kind], "y": table}

    def _codes_by_type(self, name: str, kind: FeatureType) -> dict[tuple[type, Key], int] | None:
        if kind == "number":
            return None
        return {(type(key), key): code for key, code in self._levels[name, kind].items()}


class _Convert:
    """What the core's reader of rows asks for a value that it does not know at once."""

    def __init__(self, slots: Sequence[tuple[str, FeatureType]], levels: _Levels) -> None:
        self._slots = slots
        self._levels = levels

    def __call__(self, slot: int, value: Any, row: Mapping[str, Any]) -> float | int:
        """The number, or the level's code, of a value that is missing, of another type, unseen, or not there."""
        name, kind = self._slots[slot]
        column = _one(_of_row(row, name) if value is None else value)
        if kind == "number":
            return float(numbers(column, name)[0])
        return int(_codes(column, name, kind, self._levels[name, kind])[0])


def _of_row(row: Mapping[str, Any], name: str) -> Any:
    if name not in row:
        raise InputError(f"feature {name!r} is missing from the row; pass None where its value is missing")
    return row[name]


def _one(value: Any) -> npt.NDArray[np.object_]:
    """A column of one row."""
    column = np.empty(1, dtype=object)
    column[0] = value
    return column


def _nan(value: float | None) -> float:
    return math.nan if value is None else value


def _slots(terms: Sequence[Term], features: Sequence[Feature]) -> list[tuple[str, FeatureType]]:
    """The columns of the program: a feature that is read as a category and as a number has two."""
    used = {(use.name, use.type) for term in terms for use in features_of(term)}
    order = {feature.name: position for position, feature in enumerate(features)}
    return sorted(used, key=lambda slot: (order[slot[0]], slot[1]))


def _levels(terms: Sequence[Term]) -> _Levels:
    """For each category every level that some curve of it lists, with its code."""
    found: _Levels = {}
    for node in walk(*terms):
        if node.feature is not None and node.levels:
            codes = found.setdefault((node.feature, node.reads), {})
            for key in node.levels:
                codes.setdefault(key, len(codes))
    return found


def _plain_numbers(table: Table, name: str) -> npt.NDArray[Any]:
    """A column that the core widens itself, or a float64 one."""
    raw = table.raw(name)
    narrow = raw.dtype.itemsize == 4 if raw.dtype.kind == "f" else raw.dtype.kind in "iu" and raw.dtype.itemsize < 8
    return raw if narrow and raw.dtype.isnative else table.number(name)


def _codes(raw: npt.NDArray[Any], name: str, kind: FeatureType, levels: Mapping[Key, int]) -> Codes:
    """(rows,) the code of each row's level; what is not plainly one of the levels is looked at closely."""
    lookup: dict[Any, int] = {**levels, None: _MISSING}
    if kind == "int" and raw.dtype.kind in "if":
        return _integer_codes(raw, levels)
    if kind == "bool" and raw.dtype.kind == "b":
        return np.array([lookup.get(key, _UNSEEN) for key in (False, True)], np.int32)[raw.view(np.uint8)]
    codes = np.full(len(raw), _UNSEEN, np.int32)
    rest = np.arange(len(raw))
    if kind == "str" and raw.dtype == object:
        codes[:] = [lookup.get(value, _UNSEEN) if isinstance(value, str) else _UNSEEN for value in raw]
        rest = np.flatnonzero(codes == _UNSEEN)
    if len(rest):
        try:
            keys = categories(raw[rest], name, kind)
        except InputError:
            categories(raw, name, kind)  # to name the row as the caller counts it
            raise
        codes[rest] = [lookup.get(key, _UNSEEN) for key in keys]
    return codes


def _integer_codes(raw: npt.NDArray[Any], levels: Mapping[Key, int]) -> Codes:
    """Integers, or floats of which the integral ones are integers and NaN is missing."""
    keys = np.array(sorted(levels), raw.dtype if raw.dtype.itemsize == 8 else np.float64)
    values = raw.astype(keys.dtype, copy=False)
    place = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
    codes = np.array([levels[key] for key in sorted(levels)], np.int32)[place]
    codes[keys[place] != values] = _UNSEEN
    codes[values != values] = _MISSING  # noqa: PLR0124  NaN alone is not itself
    return codes
