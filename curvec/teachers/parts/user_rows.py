"""The rows that a teacher is checked on: the user's own table, for the teacher, and its columns, for the model."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from curvec.conversion import is_missing
from curvec.data import Table, data_frame, names_as_text
from curvec.errors import InputError, counted
from curvec.ir import Feature, FeatureType
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import narwhals.stable.v1 as nw


class UserRows:
    """A user's table.

    Args:
        data: a pandas, polars or pyarrow frame, a mapping of arrays, or a (rows, features) or structured array.

    Raises:
        InputError: it is none of these.

    """

    def __init__(self, data: Any) -> None:
        self.native = data
        self.names: list[str] | None = None
        self._frame: nw.DataFrame[Any] | None = None
        self._kept: dict[tuple[int, int], Any] = {}
        if isinstance(data, np.ndarray) and data.dtype.names is not None:
            data = {name: data[name] for name in data.dtype.names}
        if isinstance(data, Mapping):
            self.names = names_as_text(data)
            self.native = data = dict(zip(self.names, data.values(), strict=True))
            Table(data, [Feature(name) for name in self.names])  # its columns have one dimension, and one length
        elif not isinstance(data, np.ndarray):
            frame = data_frame(data, "X", "pass a frame, a mapping of arrays or a (rows, features) array")
            if frame.implementation.is_pyarrow() and importlib.util.find_spec("pandas") is not None:
                self.native = frame.to_pandas()  # few libraries score an Arrow table
                frame = data_frame(self.native, "X", "")
            self.names, self._frame = list(frame.columns), frame
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

    def is_categorical(self, name: str) -> bool:
        """Whether the column is of a data frame's categorical type."""
        import narwhals.stable.v1 as nw

        frame = self._frame
        return frame is not None and name in frame.columns and frame[name].dtype in (nw.Categorical, nw.Enum)

    def take(self, indices: list[int]) -> Any:
        """Some of the rows, in the table's own form."""
        return self._table([column[indices] for column in self._arrays()])

    def exchanged(self, a: list[int], b: list[int], chosen: npt.NDArray[np.bool_]) -> Any:
        """The rows ``a`` with the chosen columns of the rows ``b``."""
        return self._table(
            [column[b if swap else a] for column, swap in zip(self._arrays(), chosen.tolist(), strict=True)]
        )

    def varied(self, row: int, values: Mapping[int, FloatArray]) -> Any:
        """One row, repeated: first with each value for the first column, then with each for the next, and so on."""
        total, start = sum(map(len, values.values())), 0
        columns = [column[[row] * total] for column in self._arrays()]
        for index, own in values.items():
            made = np.full(total, float(self._raw_value(row, index)))
            made[start : start + len(own)] = own
            start += len(own)
            columns[index] = made if self._frame is None else self._series(columns[index], made)
        return self._table(columns)

    def _arrays(self) -> list[Any]:
        """The columns: arrays, or the series of a data frame."""
        if isinstance(self.native, np.ndarray):
            return list(self.native.T)
        if self._frame is None:
            return [np.asarray(column) for column in self.native.values()]
        return [self._frame[name] for name in self._frame.columns]

    def _table(self, columns: Sequence[Any]) -> Any:
        """Columns as a table of the user's kind; the index that a frame carries is left aside."""
        import narwhals.stable.v1 as nw

        if isinstance(self.native, np.ndarray):
            return np.column_stack(columns)
        if self._frame is None:
            return dict(zip(self.native, columns, strict=True))
        frame = nw.maybe_reset_index(self._frame[[0] * len(columns[0])])
        return frame.with_columns([nw.maybe_reset_index(column) for column in columns]).to_native()

    def _series(self, column: nw.Series[Any], values: FloatArray) -> nw.Series[Any]:
        """Numbers as a column of a data frame, of its type where that holds fractions."""
        import narwhals.stable.v1 as nw

        kind = column.dtype if column.dtype.is_float() else nw.Float64()
        return nw.new_series(column.name, values, kind, backend=column.implementation)

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

    def bools(self, names: Sequence[str]) -> list[str]:
        """Those of the named columns that hold bools and nothing else; none of an array, which has one type for all."""
        return [name for name in names if name in (self.names or ()) and self._is_bool(name)]

    def _is_bool(self, name: str) -> bool:
        import narwhals.stable.v1 as nw

        if self._frame is None:
            column = np.asarray(self._column(name))
            known, loose = column.dtype == np.bool_, column.dtype == object
        else:
            kind = self._frame[name].dtype
            known, loose = kind == nw.Boolean, kind == nw.Object
        if not loose:
            return known
        present = [value for value in self.listed(name) if not is_missing(value)]
        return bool(present) and all(isinstance(value, (bool, np.bool_)) for value in present)

    def categories(self, name: str) -> list[Any]:
        """The categories of a data frame's categorical column, in their order; none of any other column."""
        frame = self._frame
        return list(frame[name].cat.get_categories().to_list()) if frame and self.is_categorical(name) else []

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
        if self._frame is not None:
            self._check_has(names)
            frame = self._frame.select(list(names))
            single = [name for name, kind in frame.schema.items() if kind == nw.Float32]
            return (frame.with_columns(nw.col(*single).cast(nw.Float64)) if single else frame).to_native()
        return np.column_stack([_as_doubles(np.asarray(column)) for column in self.columns(names).values()])

    def _check_has(self, names: Sequence[str]) -> None:
        have = self.names or []
        if absent := [name for name in names if name not in have]:
            raise InputError(f"X has no column {absent[0]!r}, which the teacher reads (it has {have[:8]!r})")

    def _column(self, name: str) -> npt.NDArray[Any] | Any:
        return self.native[name] if self._frame is None else self._frame[name].to_native()


def _as_doubles(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array.astype(np.float64) if array.dtype.kind == "f" and array.dtype.itemsize < 8 else array


def as_list(column: Any) -> list[Any]:
    """A column's values as Python's own; the column may be of any library."""
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)
