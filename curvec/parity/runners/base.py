"""The interface of a runner, which scores rows with the text that is emitted for a target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.ir import Feature
from curvec.model import CurveModel
from curvec.parity.runners.column_types import ColumnType, ColumnTypes, boolean, double, integer, text
from curvec.transforms import FloatArray

Data = Mapping[str, npt.NDArray[Any]]
"""The rows to score, one array for each of the model's features.

A "number" is float64; NaN is a NaN, and a masked entry (NumPy's masked array, NaN underneath) is a NULL, so that
``np.asarray`` gives NaN for both. A category is an object array of int, str or bool, with None for NULL.
"""


class TableColumn(msgspec.Struct, frozen=True):
    """A column to load.

    Attributes:
        name: as the model has it.
        type: how it is stored.
        values: (rows,) the values as the driver or library takes them for that type, None for NULL.

    """

    name: str
    type: ColumnType
    values: Sequence[Any]


class StoredTable(msgspec.Struct, frozen=True):
    """Rows to score, with the types of the columns that they are stored in.

    Attributes:
        data: the values, as those types hold them.
        types: the type of each feature's column.

    """

    data: Data
    types: Mapping[str, ColumnType]

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(next(iter(self.data.values()))) if self.data else 0

    def columns(self, features: Sequence[Feature]) -> list[TableColumn]:
        """A column for each feature, as the driver or library takes it."""
        return [self.column(feature.name) for feature in features]

    def column(self, name: str) -> TableColumn:
        """The column of one feature."""
        stored = self.types[name].stored
        return TableColumn(name, self.types[name], [stored(value) for value in python_values(self.data[name])])


class Scores(msgspec.Struct, frozen=True):
    """A target's scores of one table, with NaN for NULL.

    Attributes:
        terms: (rows, T) the value of each term; None if the emitted text does not give them.
        score: (rows,) the raw score.
        prediction: (rows,) after the link's inverse; None if the emitted text does not give it.
        table: the table's index among those that were scored.
        form: the form of the emitted text, where there are several.

    """

    terms: FloatArray | None
    score: FloatArray
    prediction: FloatArray | None
    table: int = 0
    form: str = ""


class Limits(msgspec.Struct, frozen=True):
    """Which inputs a target does not accept; such rows are changed or left out, and counted in the report.

    Attributes:
        nan: a NaN can be stored; if not it is passed as NULL (both are missing).
        infinity: an infinity can be stored; if not the row is left out.
        overflow: a sum or product of finite numbers may be infinite; if not (it is an error of the engine) a row whose
            reference has one is left out.
        underflow: a Product may be zero without a zero factor; if not, likewise.

    """

    nan: bool = True
    infinity: bool = True
    overflow: bool = True
    underflow: bool = True


_PLAIN: ColumnTypes = {
    "number": (double("float"),),
    "int": (integer("int", 64),),
    "str": (text("str"),),
    "bool": (boolean("bool"),),
}


class Runner(Protocol):
    """One way to score rows; inherit from it for the defaults.

    Attributes:
        name: what ``check`` and ``curvec parity`` call it.
        types: the column types that it supports.
        limits: the inputs that it does not accept.
        log_ulps: the stated bound for a model with a logarithm, in ULP of the larger operand. A model without one
            must agree in every bit, on every target.

    """

    name: str
    types: ClassVar[ColumnTypes] = _PLAIN
    limits: ClassVar[Limits] = Limits()
    log_ulps: float = 4.0

    def needs(self) -> str | None:
        """None if it can run here, else what to install."""
        return None

    def version(self) -> str:
        """The version of the engine or interpreter, "" if it has none; asked after ``run``."""
        return ""

    def column_types(self) -> ColumnTypes:
        """Its ``types``, or what depends on the libraries that are here; asked only if ``needs`` gives None."""
        return self.types

    def fitting(self, types: Mapping[str, ColumnType], data: Data) -> Mapping[str, ColumnType]:  # noqa: ARG002
        """The types of a table's columns, with the usual one for each column whose values there is no room for."""
        return types

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterable[Scores]:
        """Emit the model, score the tables with the emitted text, and return the scores of each.

        Raises:
            UnsupportedError: the target refuses the model.
            ParityError: the emitted text does not compile or run.

        """
        ...


def python_values(column: npt.NDArray[Any] | Sequence[Any]) -> list[Any]:
    """A column as Python values, None for NULL (a masked entry)."""
    return column.tolist() if isinstance(column, np.ndarray) else list(column)  # masked entries become None
