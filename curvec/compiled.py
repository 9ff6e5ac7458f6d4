"""Models as programs of the compiled core: the bits of :mod:`curvec.evaluate`, at the speed of the C++ runtime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec._core import Program, RowReader
from curvec.checks import check, is_whole
from curvec.conversion import Coded, Place, categories, numbers, objects
from curvec.data import Table
from curvec.errors import InputError, shown
from curvec.ir import Feature, FeatureType, Key
from curvec.rows import tables_of
from curvec.transforms import FloatArray

MISSING, UNSEEN = -2, -1

Codes = npt.NDArray[np.int32]


class CompiledModel:
    """A model ready to score, made by :meth:`curvec.CurveModel.compile`; any number of threads may use one.

    Args:
        json: the model's file form, as :meth:`curvec.CurveModel.to_json`.
        features: the features that the terms use, in the order of the model's.
        order: what the columns of an array are called; None where nothing says it.

    """

    def __init__(self, json: bytes, features: Sequence[Feature], order: Sequence[str] | None = None) -> None:
        self._json = json
        self._features = tuple(features)
        self._order = order
        self._program = Program(json)
        types = {feature.name: feature.type for feature in features}
        self._slots = [_Slot(name, types[name], levels) for name, levels in self._program.slots]
        # Python's garbage collector does not see into the C++ reader: a reference back to it would never be freed.
        self._reader = RowReader([(slot.name, slot.codes_by_type) for slot in self._slots], _Convert(self._slots))

    def __reduce__(self) -> tuple[type[CompiledModel], tuple[Any, ...]]:
        """The arguments to make it again: pickles and copies compile the program anew."""
        return CompiledModel, (self._json, self._features, self._order)

    def eval(self, data: Any, *, threads: int = 1) -> FloatArray:
        """(rows,) raw scores, as :meth:`curvec.CurveModel.eval`; optionally split over threads."""
        return np.concatenate([self._run(table, threads=threads) for table in self._tables(data)])

    def predict(self, data: Any, *, threads: int = 1) -> FloatArray:
        """(rows,) predictions, as :meth:`curvec.CurveModel.predict`; optionally split over threads."""
        return np.concatenate([self._run(table, predict=True, threads=threads) for table in self._tables(data)])

    def contributions(self, data: Any, *, threads: int = 1) -> FloatArray:
        """(rows, terms) one column a term, as :meth:`curvec.CurveModel.contributions`."""
        return np.concatenate([self.of_table(table, per_term=True, threads=threads) for table in self._tables(data)])

    def of_table(self, table: Table, *, per_term: bool = False, predict: bool = False, threads: int = 1) -> FloatArray:
        """(rows,) raw scores or predictions, or (rows, terms) the terms, of columns that have been read."""
        values = self._run(table, per_term=per_term, predict=predict, threads=threads)
        return values.reshape(self._program.term_count, table.rows).T if per_term else values

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features that the terms use."""
        return self._features

    def _tables(self, data: Any) -> Iterator[Table]:
        return tables_of(data, self._features, self._order)

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
        columns = {feature.name: _one(_of_row(row, feature.name), feature.name) for feature in self._features}
        return [float(value) for value in self.contributions(columns or {"": [None]})[0]]

    def _run(self, table: Table, *, per_term: bool = False, predict: bool = False, threads: int = 1) -> FloatArray:
        check("threads", threads, "it must be an integer of at least 1", holds=is_whole(threads) and threads >= 1)
        columns = [slot.column(table) for slot in self._slots]
        most = max(1, table.rows)  # a thread has a row at least, and the core's number of threads is a machine's word
        return self._program.run(columns, table.rows, per_term, predict, min(int(threads), most))


class _Slot:
    """A column that the program takes: a feature as a number, or as the codes of its levels.

    An integer feature that some term reads as a number and some as a category has both.
    """

    def __init__(self, name: str, kind: FeatureType, levels: Sequence[Key] | None) -> None:
        self.name = name
        self._kind: FeatureType = "number" if levels is None else kind
        self._codes = {level: code for code, level in enumerate(levels or ())}

    @property
    def codes_by_type(self) -> dict[tuple[type, Key], int] | None:
        """The code of each level by type and value, as 1 and True are the same key of a dict; None for a number."""
        return None if self._kind == "number" else {(type(key), key): code for key, code in self._codes.items()}

    def column(self, table: Table) -> npt.NDArray[Any]:
        """The column that the program reads, from a table."""
        if self._kind == "number":
            return _plain_numbers(table, self.name)
        return level_codes(table.raw(self.name), self.name, self._kind, self._codes, table.place)

    def one(self, column: npt.NDArray[np.object_]) -> float | int:
        """The value that the program reads, from a column of one row."""
        if self._kind == "number":
            return float(numbers(column, self.name)[0])
        return int(level_codes(column, self.name, self._kind, self._codes, Place())[0])


class _Convert:
    """Called by the C++ reader of rows for a value that it cannot convert itself."""

    def __init__(self, slots: Sequence[_Slot]) -> None:
        self._slots = slots

    def __call__(self, place: int, value: Any, row: Mapping[str, Any]) -> float | int:
        """The number, or the level's code, of a value that is missing, of another type, unseen, or not there."""
        slot = self._slots[place]
        return slot.one(_one(_of_row(row, slot.name) if value is None else value, slot.name))


def _of_row(row: Any, name: str) -> Any:
    """The value of a feature, in a dict, a record of numpy, a series, a row of a database: whatever has values by name.

    Raises:
        InputError: it has none of that name, or no names.

    """
    try:
        if isinstance(row, Mapping) and name not in row:  # some make a value of what they do not have
            raise KeyError
        return row[name]
    except (LookupError, ValueError):
        if not isinstance(row, np.ndarray):
            raise InputError(
                f"feature {name!r} is missing from the row; pass None where its value is missing"
            ) from None
    except TypeError:
        pass
    raise InputError(f"the row is {shown(row)}; pass a dict from each feature's name to its value")


def _one(value: Any, name: str) -> npt.NDArray[np.object_]:
    """A column of one row.

    Raises:
        InputError: the value is a column itself.

    """
    if hasattr(value, "__iter__") and not isinstance(value, (str, bytes)):
        raise InputError(
            f"column {name!r} of the row is {shown(value)}; pass one value a feature, or a table to eval, predict or "
            "contributions"
        )
    return objects([value])


def _plain_numbers(table: Table, name: str) -> npt.NDArray[Any]:
    """The column in a type that the core converts itself, else as float64."""
    raw = table.raw(name)
    if isinstance(raw, Coded):
        return table.number(name)
    narrow = raw.dtype.itemsize == 4 if raw.dtype.kind == "f" else raw.dtype.kind in "iu" and raw.dtype.itemsize < 8
    return raw if narrow and raw.dtype.isnative else table.number(name)


def level_codes(
    raw: npt.NDArray[Any] | Coded, name: str, kind: FeatureType, levels: Mapping[Key, int], place: Place
) -> Codes:
    """(rows,) the code of each row's level: :data:`UNSEEN` for any other value, :data:`MISSING` for none.

    Values that are not among the levels as they stand are converted as :func:`curvec.conversion.categories` does, so
    that 1.0 finds the level 1.

    Raises:
        InputError: a value is of another type than the levels.

    """
    if isinstance(raw, Coded):
        try:
            found = level_codes(raw.values, name, kind, levels, place)
        except InputError:
            categories(raw, name, kind, place)  # to name the row as the caller counts it
            raise
        of_values: Codes = np.append(found, np.int32(MISSING)).astype(np.int32)  # of the last, -1 takes the missing
        return np.asarray(of_values[raw.codes])
    lookup: dict[Any, int] = {**levels, None: MISSING}
    if kind == "int" and raw.dtype.kind in "if":
        return _integer_codes(raw, levels)
    if kind == "bool" and raw.dtype.kind == "b":
        return np.array([lookup.get(key, UNSEEN) for key in (False, True)], np.int32)[raw.view(np.uint8)]
    codes = np.full(len(raw), UNSEEN, np.int32)
    rest = np.arange(len(raw))
    if kind == "str" and raw.dtype == object:
        codes[:] = [lookup.get(value, UNSEEN) if isinstance(value, str) else UNSEEN for value in raw]
        rest = np.flatnonzero(codes == UNSEEN)
    if len(rest):
        try:
            keys = categories(raw[rest], name, kind)
        except InputError:
            categories(raw, name, kind, place)  # to name the row as the caller counts it
            raise
        codes[rest] = [lookup.get(key, UNSEEN) for key in keys]
    return codes


def _integer_codes(raw: npt.NDArray[Any], levels: Mapping[Key, int]) -> Codes:
    """Integers, or floats of which the integral ones are integers and NaN is missing."""
    keys = np.array(sorted(levels), raw.dtype if raw.dtype.itemsize == 8 else np.float64)
    values = raw.astype(keys.dtype, copy=False)
    place = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
    codes = np.array([levels[key] for key in sorted(levels)], np.int32)[place]
    codes[keys[place] != values] = UNSEEN
    codes[values != values] = MISSING  # noqa: PLR0124  NaN alone is not itself
    return codes
