"""The rows that a teacher is checked on: the user's own table, for the teacher, and its columns, for the model."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from curvec.conversion import is_missing
from curvec.data import Table, data_frame
from curvec.errors import InputError, counted
from curvec.ir import Feature, FeatureType
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import narwhals.stable.v1 as nw


class UserRows:
    """A user's table.

    Args:
        data: a pandas, polars or pyarrow frame, a mapping of arrays, or a (rows, features) array.

    Raises:
        InputError: it is none of these.

    """

    def __init__(self, data: Any) -> None:
        self.native = data
        self.names: list[str] | None = None
        self._kept: dict[tuple[int, int], Any] = {}
        if isinstance(data, Mapping):
            self.names = [str(name) for name in data]
            self.native = data = dict(zip(self.names, data.values(), strict=True))
            Table(data, [Feature(name) for name in self.names])  # its columns have one dimension, and one length
        elif not isinstance(data, np.ndarray):
            frame = data_frame(data, "X", "pass a frame, a mapping of arrays or a (rows, features) array")
            self.names = list(frame.columns)
            if frame.implementation.is_pyarrow() and importlib.util.find_spec("pandas") is not None:
                self.native = frame.to_pandas()  # few libraries score an Arrow table
        elif data.ndim != 2:
            raise InputError(f"X has shape {data.shape}; it must be (rows, features)")

    def columns(self, names: Sequence[str]) -> dict[str, Any]:
        """The columns that a model with these features reads: by name, or by position where the table has no names.

        Raises:
            InputError: a column is missing, or the number of columns differs.

        """
        if isinstance(self.native, np.ndarray):
            if self.native.shape[1] != len(names):
                raise InputError(
                    f"X has {counted(self.native.shape[1], 'column')} "
                    f"and the teacher has {counted(len(names), 'feature')}"
                )
            return dict(zip(names, self.native.T, strict=True))
        self._check_has(names)
        return {name: self._column(name) for name in names}

    @property
    def count(self) -> int:
        """How many rows there are."""
        if isinstance(self.native, np.ndarray):
            return len(self.native)
        return len(next(iter(self.columns(self.names or ()).values()), ()))

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.native.shape[1]) if isinstance(self.native, np.ndarray) else len(self.names or ())

    def values(self, index: int) -> list[Any]:
        """The column's values as Python's own."""
        if isinstance(self.native, np.ndarray):
            return list(self.native[:, index].tolist())
        return as_list(self._column((self.names or [])[index]))

    def listed(self, name: str) -> list[Any]:
        """The named column's values as Python's own.

        Raises:
            InputError: there is no such column.

        """
        self._check_has([name])
        return as_list(self._column(name))

    def is_categorical(self, index: int) -> bool:
        """Whether the column is of a data frame's categorical type."""
        return index in self.categorical(self.names or ())

    def take(self, indices: list[int]) -> Any:
        """Some of the rows, in the table's own form."""
        import narwhals.stable.v1 as nw

        if isinstance(self.native, np.ndarray):
            return self.native[indices]
        if isinstance(self.native, Mapping):
            return {name: np.asarray(column)[indices] for name, column in self.native.items()}
        return nw.from_native(self.native, eager_only=True)[indices].to_native()

    def exchanged(self, a: list[int], b: list[int], chosen: npt.NDArray[np.bool_]) -> Any:
        """The rows ``a`` with the chosen columns of the rows ``b``."""
        import narwhals.stable.v1 as nw

        if isinstance(self.native, np.ndarray):
            return np.where(chosen, self.native[b], self.native[a])
        names = self.names or []
        if isinstance(self.native, Mapping):
            pick = {name: b if other else a for name, other in zip(names, chosen.tolist(), strict=True)}
            return {name: np.asarray(column)[pick[str(name)]] for name, column in self.native.items()}
        frame = nw.from_native(self.native, eager_only=True)
        other = frame[b]
        rest = [other[name] for name, swap in zip(names, chosen.tolist(), strict=True) if swap]
        return _with_columns(frame[a], rest)

    def varied(self, row: int, values: Mapping[int, FloatArray]) -> Any:
        """One row, repeated: first with each value for the first column, then with each for the next, and so on."""
        import narwhals.stable.v1 as nw

        total = sum(map(len, values.values()))
        starts = dict(zip(values, np.cumsum([0, *map(len, values.values())]).tolist(), strict=False))
        columns = {}
        for index, own in values.items():
            columns[index] = np.full(total, float(self._raw_value(row, index)))
            columns[index][starts[index] : starts[index] + len(own)] = own
        if isinstance(self.native, np.ndarray):
            result = np.repeat(self.native[[row]], total, axis=0)
            result = result.astype(np.result_type(result, np.float64)) if result.dtype.kind in "iuf" else result
            for index, column in columns.items():
                result[:, index] = column
            return result
        names = self.names or []
        if isinstance(self.native, Mapping):
            varied = {names[index]: column for index, column in columns.items()}
            return {
                key: varied.get(str(key), np.repeat(np.asarray(column)[[row]], total))
                for key, column in self.native.items()
            }
        frame = nw.from_native(self.native, eager_only=True)
        made = []
        for index, column in columns.items():
            own_kind = frame[names[index]].dtype
            kind = own_kind if own_kind.is_float() else nw.Float64()
            made.append(nw.new_series(names[index], column, kind, backend=frame.implementation))
        return _with_columns(frame[[row] * total], made)

    def _raw_value(self, row: int, index: int) -> Any:
        if (row, index) not in self._kept:
            value = self.values(index)[row]
            self._kept[row, index] = np.nan if is_missing(value) else value
        return self._kept[row, index]

    def kind(self, names: Sequence[str], index: int) -> FeatureType | None:
        """The type of the categories in the column of ``names[index]``; None where it shows none."""
        for value in as_list(self.columns(names)[names[index]]):
            if not is_missing(value):
                return "bool" if isinstance(value, bool) else "int" if isinstance(value, (int, float)) else "str"
        return None

    def categorical(self, names: Sequence[str]) -> list[int]:
        """Which columns are of a data frame's categorical type."""
        import narwhals.stable.v1 as nw

        if isinstance(self.native, (Mapping, np.ndarray)):
            return []
        frame = nw.from_native(self.native, eager_only=True)
        kinds = (nw.Categorical, nw.Enum)
        return [names.index(name) for name in names if name in frame.columns and frame[name].dtype in kinds]

    def bools(self, names: Sequence[str]) -> list[str]:
        """Those of the named columns that hold bools and nothing else; none of an array, which has one type for all."""
        return [name for name in names if name in (self.names or ()) and self._is_bool(name)]

    def _is_bool(self, name: str) -> bool:
        import narwhals.stable.v1 as nw

        if isinstance(self.native, Mapping):
            column = np.asarray(self._column(name))
            known, loose = column.dtype == np.bool_, column.dtype == object
        else:
            kind = nw.from_native(self.native, eager_only=True)[name].dtype
            known, loose = kind == nw.Boolean, kind == nw.Object
        if not loose:
            return known
        present = [value for value in self.listed(name) if not is_missing(value)]
        return bool(present) and all(isinstance(value, (bool, np.bool_)) for value in present)

    def categories(self, name: str) -> list[Any]:
        """The categories of a data frame's categorical column, in their order; none of any other column."""
        import narwhals.stable.v1 as nw

        if name not in (self.names or ()) or not self.is_categorical((self.names or []).index(name)):
            return []
        return list(nw.from_native(self.native, eager_only=True)[name].cat.get_categories().to_list())

    def matrix(self, names: Sequence[str]) -> Any:
        """The columns as the teacher takes them: in its order, in the user's kind of table; a mapping as an array.

        Columns of single precision become doubles, as models read them: a teacher would else compute in single
        precision, and be off by that from its own parts.

        Raises:
            InputError: a column is missing.

        """
        import narwhals.stable.v1 as nw

        if isinstance(self.native, np.ndarray):
            return _as_doubles(self.native)
        if not isinstance(self.native, Mapping):
            self._check_has(names)
            frame = nw.from_native(self.native, eager_only=True).select(list(names))
            single = [name for name, kind in frame.schema.items() if kind == nw.Float32]
            return (frame.with_columns(nw.col(*single).cast(nw.Float64)) if single else frame).to_native()
        return np.column_stack([_as_doubles(np.asarray(column)) for column in self.columns(names).values()])

    def _check_has(self, names: Sequence[str]) -> None:
        have = self.names or []
        if absent := [name for name in names if name not in have]:
            raise InputError(f"X has no column {absent[0]!r}, which the teacher reads (it has {have[:8]!r})")

    def _column(self, name: str) -> npt.NDArray[Any] | Any:
        import narwhals.stable.v1 as nw

        if isinstance(self.native, Mapping):
            return self.native[name]
        return nw.from_native(self.native, eager_only=True)[name].to_native()


def _as_doubles(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array.astype(np.float64) if array.dtype.kind == "f" and array.dtype.itemsize < 8 else array


def as_list(column: Any) -> list[Any]:
    """A column's values as Python's own; the column may be of any library."""
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _with_columns(frame: nw.DataFrame[Any], columns: list[nw.Series[Any]]) -> Any:
    """The frame with these columns in place of its own, by position: an index that a frame carries is left aside."""
    import narwhals.stable.v1 as nw

    native = nw.maybe_reset_index(frame)
    return native.with_columns([nw.maybe_reset_index(column) for column in columns]).to_native()
