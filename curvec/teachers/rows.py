"""The rows that a teacher is checked on: the user's own table, for the teacher, and its columns, for the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
import numpy.typing as npt

from curvec.errors import InputError
from curvec.ir import FeatureType
from curvec.teachers.categories import is_missing

__all__ = ["Rows"]


class Rows:
    """A user's table.

    Args:
        data: a pandas, polars or pyarrow frame, a mapping of arrays, or a (rows, features) array.

    Raises:
        InputError: it is none of these.

    """

    def __init__(self, data: Any) -> None:
        self.native = data
        self.names: list[str] | None = None
        if isinstance(data, Mapping):
            self.names = [str(name) for name in data]
        elif not isinstance(data, np.ndarray):
            try:
                self.names = list(nw.from_native(data, eager_only=True).columns)
            except TypeError:
                raise InputError(
                    f"X is a {type(data).__name__}; pass a frame, a mapping of arrays or a (rows, features) array"
                ) from None
        elif data.ndim != 2:
            raise InputError(f"X has shape {data.shape}; it must be (rows, features)")

    def columns(self, names: Sequence[str]) -> dict[str, Any]:
        """The columns that a model with these features reads: by name, or by position where the table has no names.

        Raises:
            InputError: a column is missing, or the number of columns differs.

        """
        if isinstance(self.native, np.ndarray):
            if self.native.shape[1] != len(names):
                raise InputError(f"X has {self.native.shape[1]} columns and the teacher has {len(names)} features")
            return dict(zip(names, self.native.T, strict=True))
        have = self.names or []
        absent = [name for name in names if name not in have]
        if absent and len(have) == len(names):
            # A teacher trained on a plain array has made-up names: columns correspond by position.
            return {name: self._column(own) for name, own in zip(names, have, strict=True)}
        if absent:
            raise InputError(f"X has no column {absent[0]!r}, which the teacher reads (it has {have[:8]!r})")
        return {name: self._column(name) for name in names}

    def kind(self, names: Sequence[str], index: int) -> FeatureType | None:
        """The type of the categories in the column of ``names[index]``; None where it shows none."""
        column = self.columns(names)[names[index]]
        for value in column.tolist() if hasattr(column, "tolist") else list(column):
            if not is_missing(value):
                return "bool" if isinstance(value, bool) else "int" if isinstance(value, (int, float)) else "str"
        return None

    def categorical(self, names: Sequence[str]) -> list[int]:
        """Which columns are of a data frame's categorical type."""
        if isinstance(self.native, (Mapping, np.ndarray)):
            return []
        frame = nw.from_native(self.native, eager_only=True)
        kinds = (nw.Categorical, nw.Enum)
        return [names.index(name) for name in names if name in frame.columns and frame[name].dtype in kinds]

    def matrix(self, names: Sequence[str]) -> Any:
        """The table as the teacher takes it: as it was given; a mapping of numbers as a (rows, features) array."""
        if not isinstance(self.native, Mapping):
            return self.native
        return np.column_stack([np.asarray(column) for column in self.columns(names).values()])

    def _column(self, name: str) -> npt.NDArray[Any] | Any:
        if isinstance(self.native, Mapping):
            return self.native[name]
        return nw.from_native(self.native, eager_only=True)[name].to_native()
