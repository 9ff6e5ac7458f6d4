"""What all SQL engines share: emit a SELECT, load the rows as typed columns, run it, read the doubles back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from curvec.emit import emit
from curvec.errors import CurvecError, ParityError
from curvec.ir import FeatureType
from curvec.model import CurveModel
from curvec.parity.runners.base import Data, Runner, Scores, python_values

__all__ = ["Session", "SqlRunner", "TableColumn", "doubled"]

TABLE = "scored_rows"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column to load.

    Attributes:
        name: as the model has it.
        type: "number" is the engine's double, "int" its 64-bit integer, "str" its text, "bool" its boolean.
        values: Python values, None for NULL.

    """

    name: str
    type: FeatureType
    values: Sequence[Any]


class Session(Protocol):
    """A connection to an engine."""

    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        """Make a table of that name; every double arrives with its bits, every NaN as NaN, every None as NULL."""

    def query(self, sql: str) -> Iterable[Sequence[Any]]:
        """The rows of a query, as Python values with None for NULL."""
        ...


class SqlRunner(Runner):
    """A SQL engine; a subclass says how to open a session.

    Attributes:
        dialect: what its SQL is emitted in.

    """

    dialect: ClassVar[str]

    @abstractmethod
    def session(self) -> AbstractContextManager[Session]:
        """An open session with nothing in it."""

    def run(self, model: CurveModel, data: Data) -> Scores:
        """See :meth:`Runner.run`."""
        key = _free_name([feature.name for feature in model.features])
        sql = emit(model, "sql", self.dialect, form="select", table=TABLE, key=[key], per_term=True, link=True)
        rows = len(next(iter(data.values())))
        columns = [TableColumn(key, "int", range(rows))]
        columns += [TableColumn(item.name, item.type, python_values(data[item.name])) for item in model.features]
        try:
            with self.session() as session:
                session.load(TABLE, columns)
                found = list(session.query(sql))
        except CurvecError:
            raise
        except Exception as error:  # every driver has errors of its own; what they say is what the report shows
            raise ParityError(f"{type(error).__name__}: {' '.join(str(error).split())[:500]}") from error
        return scores(found, rows, len(model.terms))


def scores(found: Sequence[Sequence[Any]], rows: int, terms: int) -> Scores:
    """The rows of a query (key, terms, score, prediction) as scores in the order of the key.

    Raises:
        ParityError: a key is missing, double or unknown, or a value is not a double.

    """
    keys = [row[0] for row in found]
    if sorted(keys) != list(range(rows)):
        raise ParityError(f"gave {len(keys)} rows, {len(set(keys))} of them different, for {rows}")
    values = np.empty((rows, terms + 2))
    for row in found:
        if len(row) != terms + 3:
            raise ParityError(f"gave {len(row)} columns for {terms + 3}")
        values[row[0]] = [_double(value) for value in row[1:]]
    return Scores(values[:, :terms], values[:, terms], values[:, terms + 1])


def _double(value: Any) -> float:
    if value is None:
        return np.nan
    if not isinstance(value, float):
        raise ParityError(f"gave {value!r}, a {type(value).__name__} and not a double")
    return value


def _free_name(taken: Sequence[str]) -> str:
    folded = {name.casefold() for name in taken}
    name = "row_number"
    while name in folded:
        name += "_"
    return name


def doubled(name: str, quote: str = '"') -> str:
    """A name in quotes, quotes inside it doubled."""
    return quote + name.replace(quote, quote * 2) + quote
