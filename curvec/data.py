"""A user's table, read once: a mapping of arrays or any data frame that narwhals knows.

What its values become is in :mod:`curvec.conversion`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.conversion import Coded, Place, converted, objects, unmasked
from curvec.errors import InputError, counted, shown, with_article
from curvec.features import Feature, FeatureType
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import narwhals.stable.v1 as nw


class Column(msgspec.Struct, eq=False):
    """A column as it was given, and its conversions so far: see :class:`Table`."""

    raw: npt.NDArray[Any] | Coded
    converted: dict[FeatureType, npt.NDArray[Any]] = msgspec.field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.raw)


class Table:
    """The columns that a model reads, each converted when it is first asked for.

    Args:
        data: a mapping of column name to a one-dimensional array or sequence, a pandas, polars or pyarrow frame
            (whatever narwhals takes), a structured array, a list of dicts that are rows, or with an ``order`` a
            (rows, columns) array; or a table, whose columns are then converted once for both. Further columns are
            ignored.
        features: the features that must be there.
        order: what the columns of an array are called; None where nothing says it.
        place: where the rows come from, for messages.

    Raises:
        InputError: a column is missing, not one-dimensional, or columns differ in length; or the data are none of
            these.

    """

    def __init__(
        self,
        data: Any,
        features: Sequence[Feature],
        order: Sequence[str] | None = None,
        place: Place = Place(),  # noqa: B008  a value, never changed
    ) -> None:
        self.features = tuple(features)
        self.place = place
        data = _by_name(data, [feature.name for feature in features], order)
        self.columns = _columns(data, [feature.name for feature in features])
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            (first, n), (other, m) = _two_lengths(lengths)
            raise InputError(
                f"column {shown(first)} has {counted(n, 'row')} and column {shown(other)} has {m:,}; they must agree"
            )
        self.rows = next(iter(lengths.values())) if lengths else _frame_rows(data)

    def raw(self, name: str) -> Any:
        """The column as it was given: an array (of any dtype), or :class:`Coded`."""
        return self.columns[name].raw

    def number(self, name: str) -> FloatArray:
        """(rows,) float64, NaN where missing."""
        return self._converted(name, "number")

    def keys(self, name: str, kind: FeatureType) -> npt.NDArray[np.object_]:
        """(rows,) Python keys of that type, None where missing."""
        return self._converted(name, kind)

    def read_as(self, feature: Feature) -> npt.NDArray[Any]:
        """(rows,) the column as a feature has it: numbers, or keys of its type."""
        return self._converted(feature.name, feature.type)

    def _converted(self, name: str, kind: FeatureType) -> npt.NDArray[Any]:
        column = self.columns[name]
        if kind not in column.converted:
            column.converted[kind] = converted(column.raw, name, kind, self.place)
        return column.converted[kind]


def columns_of(data: Any, *given: Any) -> list[Any]:
    """Columns of the caller, each a column of the data where it is given by its name, else as it is.

    Raises:
        InputError: the data are no table in memory that has the column; the message names it.

    """
    return [Table(data, [Feature(one)]).raw(one) if isinstance(one, str) else one for one in given]


def rows_of(data: Any, features: Sequence[Feature]) -> tuple[Table, tuple[int, ...]]:
    """The table that features are read from, and the shape of what is computed from it: () for one row.

    Args:
        data: a table, as :class:`Table` takes it, or a dict of plain values for one row; where there is one feature,
            also values of it: one, an array of any shape, a sequence. A record of numpy is as a dict.
        features: the features.

    Raises:
        InputError: as :class:`Table`; or the data are bare values, and there are several features.

    """
    names = list(dict.fromkeys(feature.name for feature in features))
    if isinstance(data, np.void) and data.dtype.names is not None:
        data = {name: data[name] for name in data.dtype.names}  # a record
    if isinstance(data, Mapping):
        if all(name in data and _is_one(data[name]) for name in names):
            return Table({name: [data[name]] for name in names}, features), ()
    elif not _has_names(data):
        if len(names) > 1:
            raise InputError(
                f"these are values of one feature, and {', '.join(map(repr, names))} are read; pass a mapping of "
                "arrays or a frame that has them, or for one row a dict of plain values"
            )
        if _is_one(data):
            return Table({names[0]: [data]}, features), ()
        if isinstance(data, np.ndarray):
            return Table({names[0]: data.ravel()}, features), data.shape
        data = {names[0]: data}
    table = Table(data, features)
    return table, (table.rows,)


def _has_names(data: Any) -> bool:
    """Whether it is a frame, a structured array or a list of dicts: data whose columns are called something."""
    if isinstance(data, np.ndarray):
        return data.dtype.names is not None
    named = isinstance(data, Table) or hasattr(type(data), "columns") or hasattr(type(data), "column_names")
    return named or _is_list_of_rows(data)


def _is_list_of_rows(data: Any) -> bool:
    return isinstance(data, (list, tuple)) and all(isinstance(row, Mapping) for row in data)


_ONE = (str, bytes, bytearray, np.void)
"""Types of single values that have a length."""


def _is_one(value: Any) -> bool:
    """Whether it is a single value, and not several."""
    return isinstance(value, _ONE) or not (hasattr(value, "__len__") or hasattr(value, "__iter__"))


def _by_name(data: Any, names: Sequence[str], order: Sequence[str] | None) -> Any:
    """Arrays and rows as a mapping of columns; anything else as it is."""
    if isinstance(data, np.ndarray):
        return _array_by_name(data, names, order)
    if _is_list_of_rows(data):
        for place, row in enumerate(data):
            absent = next((name for name in names if name not in row), None)
            if absent is not None:
                raise InputError(f"row {place} has no {shown(absent)}; give None where its value is missing")
        return {name: [row[name] for row in data] for name in names} or {"": list(data)}
    return data


def _array_by_name(array: npt.NDArray[Any], names: Sequence[str], order: Sequence[str] | None) -> Any:
    if array.dtype.names is not None:
        return {name: array[name] for name in array.dtype.names}
    if array.ndim != 2:
        raise InputError(f"the data have shape {array.shape}; pass a frame or (rows, columns), or for one row {_ROW}")
    if order is None:
        raise InputError(
            "the data are an array, whose columns have no names, and nothing says their order; pass a frame, or "
            "dict(zip(names, X.T)), names being those of all columns of X in their order: the model reads "
            f"{shown(list(names))}"
        )
    if array.shape[1] != len(order):
        raise InputError(
            f"the data are an array of {counted(array.shape[1], 'column')}, and the model's features are "
            f"{len(order)}: {', '.join(map(repr, order))}; pass a frame, or the columns by their names"
        )
    return dict(zip(order, array.T, strict=True))


_ROW = "model.score_row({name: value})"


def _columns(data: Any, names: Sequence[str]) -> dict[str, Column]:
    if isinstance(data, Table):
        available: Any = data.columns
    elif isinstance(data, Mapping):
        available = dict(zip(names_as_text(data), data.values(), strict=True))
    else:
        available = _frame(data)
    there = dict.fromkeys(getattr(available, "columns", available))
    columns: dict[str, Column] = {}
    for name in names:
        if name not in there:
            have = ", ".join(map(repr, list(there)[:8])) or "no columns"
            raise InputError(f"column {shown(name)} is missing from the data (it has {have})")
        columns[name] = _column(available[name], name)
    return columns


def _column(found: Any, name: str) -> Column:
    if isinstance(found, Column):
        return found
    return Column(found if isinstance(found, Coded) else array_of(found, name))


def _hint(data: Any) -> str:
    if hasattr(data, "collect"):
        return "; collect it first"
    return Place().for_one_value() if hasattr(data, "index") else ""  # a list, a tuple, a series


def _frame(data: Any) -> nw.DataFrame[Any]:
    taken = "a mapping of arrays, a pandas, polars or pyarrow frame, or a list of dicts"
    return data_frame(data, "data", f"pass {taken}{_hint(data)}")


def data_frame(data: Any, name: str, way_out: str) -> nw.DataFrame[Any]:
    """A frame in memory of any library that narwhals knows, its columns' names as text.

    Args:
        data: the frame.
        name: what it is called in messages.
        way_out: what to pass, for the message where it is no frame.

    Raises:
        InputError: it is no frame in memory, or two of its columns have one name.

    """
    import narwhals.stable.v1 as nw

    try:
        frame: nw.DataFrame[Any] = nw.from_native(data, eager_only=True)
    except TypeError:
        raise InputError(f"{name} is {with_article(type(data).__name__)}; {way_out}") from None
    except nw.exceptions.DuplicateError as error:
        raise InputError(f"{name}: {' '.join(str(error).split())}") from None
    if all(isinstance(column, str) for column in frame.columns):
        return frame
    return data_frame(data.set_axis(names_as_text(frame.columns), axis="columns"), name, way_out)


def names_as_text(names: Collection[Any]) -> list[str]:
    """Columns' names as text: pandas numbers the columns of an array, and gives tuples to those of two headers.

    Raises:
        InputError: two columns have one name then.

    """
    texts = [str(name) for name in names]
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise InputError(f"two columns are called {shown(twice)}, one of them not by text; rename one")
    return texts


def _frame_rows(data: Any) -> int:
    """The number of rows of data of which no column is read: that of a mapping's first column."""
    if isinstance(data, Table):
        return data.rows
    if isinstance(data, Mapping):
        return next((len(array_of(column, str(name))) for name, column in data.items()), 0)
    return len(_frame(data))


def array_of(column: Any, name: str, place: Place = Place()) -> npt.NDArray[Any]:  # noqa: B008  a value
    """(rows,) a column as an array: of a series or a sequence of any library, None where a mask says so.

    Raises:
        InputError: it is not one column.

    """
    if isinstance(column, np.ma.MaskedArray):
        array = unmasked(column)
    else:
        array = column if isinstance(column, np.ndarray) else _series_or_sequence(column, name, place)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        shape, hint = (f"has shape {array.shape}", "") if array.ndim else (f"is {shown(column)}", place.for_one_value())
        raise InputError(f"{place.column(name)} {shape}; it must be one-dimensional{hint}")
    return array


def _series_or_sequence(column: Any, name: str, place: Place) -> npt.NDArray[Any]:
    import narwhals.stable.v1 as nw

    try:
        found = nw.from_native(column, eager_only=True, allow_series=True)
    except TypeError:
        return _sequence_array(column, name, place)
    if isinstance(found, nw.Series):
        return _series_array(found)
    if len(found.columns) != 1:
        several = f"{with_article(type(column).__name__)} of {counted(len(found.columns), 'column')}"
        raise InputError(
            f"{place.column(name)} is {several}; pass one of them, or the frame itself in place of the mapping"
        )
    return _series_array(found.get_column(found.columns[0]))


def _series_array(series: nw.Series[Any]) -> npt.NDArray[Any]:
    import narwhals.stable.v1 as nw

    numeric = series.dtype == nw.Boolean or (series.dtype.is_numeric() and not series.dtype.is_decimal())
    if numeric and series.null_count() == 0:
        return series.to_numpy()
    if series.dtype.is_float():
        return series.cast(nw.Float64).to_numpy()
    return objects(series.to_list())


def _sequence_array(column: Any, name: str, place: Place) -> npt.NDArray[Any]:
    if isinstance(column, (Mapping, AbstractSet)):
        raise InputError(
            f"{place.column(name)} is {with_article(type(column).__name__)}, which has no rows; pass a sequence"
        )
    if hasattr(column, "to_pylist"):  # a pyarrow array; a chunked one is a series to narwhals
        column = column.to_pylist()
    if _is_one(column) or not hasattr(column, "__len__"):
        return objects([column]).reshape(())
    kinds = set(map(type, column))
    if len(kinds) == 1 and issubclass(kind := kinds.pop(), (float, int, np.number, np.bool_)):
        array, wanted = np.array(column), np.dtype(kind).kind
        if array.dtype.kind == wanted and wanted in "fiub":  # of integers beyond 2**63 numpy makes floats
            return array
    if any(hasattr(value, "__len__") and not isinstance(value, (*_ONE, memoryview)) for value in column):
        try:
            return np.array(column)
        except ValueError:
            raise InputError(f"{place.column(name)} holds sequences; it must be one-dimensional") from None
    return objects(column)


def _two_lengths(lengths: Mapping[str, int]) -> tuple[tuple[str, int], tuple[str, int]]:
    items = list(lengths.items())
    return items[0], next(item for item in items if item[1] != items[0][1])
