"""The base of all SQL runners: emit a SELECT, load the rows as typed columns, run the query, read the doubles back."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, ClassVar

import msgspec
import numpy as np

from curvec.emit import emit
from curvec.emit.dialects import DIALECTS
from curvec.emit.sql_options import Form
from curvec.emit.sql_text import name, unescaped
from curvec.errors import CurvecError, ParityError, UnsupportedError, counted, with_article
from curvec.ir import FeatureType
from curvec.model import CurveModel
from curvec.parity.runners.base import Data, Runner, Scores, StoredTable, TableColumn, python_values
from curvec.parity.runners.column_types import ColumnType
from curvec.parity.runners.optional import missing_packages, optional, package_version
from curvec.transforms import FloatArray

TABLE = "scored_rows"


class Session(ABC):
    """An open session of an engine, by the library's own connection or the like."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    @abstractmethod
    def load(self, table: str, columns: Sequence[TableColumn]) -> None:
        """Make a table of that name; every double arrives with its bits, every NaN as NaN, every None as NULL."""

    def query(self, sql: str) -> list[Sequence[Any]]:
        """The rows of a query, as Python values with None for NULL."""
        return list(self.connection.execute(sql).fetchall())


class SqlRunner(Runner):
    """A SQL engine; a subclass says how to open a session.

    Attributes:
        dialect: what its SQL is emitted in.
        packages: the Python packages that it needs; the first has the engine's version.
        version_query: or what the engine itself is asked for it.
        most_labels: for a type that lists its values, the most that it may have.

    """

    dialect: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    version_query: ClassVar[str] = ""
    most_labels: ClassVar[Mapping[str, int]] = {}

    def needs(self) -> str | None:
        """See :meth:`Runner.needs`."""
        return missing_packages(*self.packages)

    def version(self) -> str:
        """See :meth:`Runner.version`."""
        if not self.version_query:
            return package_version(self.packages[0])
        with self.session() as session:
            ((version,),) = session.query(self.version_query)
        return re.split("[ -]", version)[0]

    @abstractmethod
    def session(self) -> AbstractContextManager[Session]:
        """An open session with nothing in it."""

    def column(self, name: str, kind: FeatureType, values: Sequence[Any]) -> TableColumn:
        """A column of the type that a user would choose for such a feature."""
        return TableColumn(name, self.types[kind][0], values)

    def fitting(self, types: Mapping[str, ColumnType], data: Data) -> Mapping[str, ColumnType]:
        """See :meth:`Runner.fitting`."""
        long = [
            name
            for name, column in types.items()
            if column.name in self.most_labels
            and len(labels(TableColumn(name, column, python_values(data[name])))) > self.most_labels[column.name]
        ]
        return {**types, **dict.fromkeys(long, self.types["str"][0])}

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        """See :meth:`Runner.run`: every form over every table, each table in a session of its own."""
        key = _free_name([feature.name for feature in model.features])
        queries = list(_queries(model, self.dialect, key))
        for place, table in enumerate(tables):
            columns = [self.column(key, "int", range(table.rows))]
            columns += table.columns(model.features)
            try:
                with self.session() as session:
                    session.load(TABLE, columns)
                    for query in queries:
                        yield query.scores(session.query(query.text), table.rows, len(model.terms), place)
            except CurvecError:
                raise
            except Exception as error:  # every driver has errors of its own; what they say is what the report shows
                what = f"{type(error).__name__}: {' '.join(str(error).split())[:500]}"
                raise ParityError(f"{what}{_columns_named(columns[1:]) if place else ''}") from error


class _Query(msgspec.Struct, frozen=True):
    """A query over the table, which gives the key and the score, and with ``whole`` the terms and the prediction."""

    form: Form
    text: str
    whole: bool = True

    def scores(self, found: Sequence[Sequence[Any]], rows: int, terms: int, table: int) -> Scores:
        """Its rows as scores in the order of the key.

        Raises:
            ParityError: a key is missing, double or unknown, or a value is not a double.

        """
        values = _by_key(found, rows, terms + 2 if self.whole else 1)
        if not self.whole:
            return Scores(None, values[:, 0], None, table, self.form)
        return Scores(values[:, :terms], values[:, terms], values[:, terms + 1], table, self.form)


def _queries(model: CurveModel, dialect: str, key: str) -> Iterator[_Query]:
    """The model in every form that the dialect has, each text once.

    Of a view only the query is run, and dbt's template is filled in; the statements themselves are tested elsewhere.

    Raises:
        UnsupportedError: the dialect refuses the model as a query.

    """
    source, column = (unescaped(name(DIALECTS[dialect], text)) for text in (TABLE, key))

    def query(form: Form, **options: Any) -> str:
        return emit(model, "sql", dialect, form=form, table=TABLE, key=[key], per_term=True, link=True, **options)

    texts: dict[str, Form] = {query("select"): "select"}
    with suppress(UnsupportedError):
        view = query("view", view="curvec_parity")
        texts.setdefault(re.sub(r"^CREATE VIEW .* AS\n", "", view, count=1, flags=re.MULTILINE), "view")
    with suppress(UnsupportedError):
        dbt = optional("jinja2").Environment(keep_trailing_newline=True).from_string(query("dbt"))
        texts.setdefault(dbt.render(ref=lambda _: source), "dbt")
    for text, form in texts.items():
        yield _Query(form, text)
    with suppress(UnsupportedError):
        expression = emit(model, "sql", dialect)
        yield _Query("expression", f"SELECT {column},\n{expression}\nFROM {source}", whole=False)


def _by_key(found: Sequence[Sequence[Any]], rows: int, width: int) -> FloatArray:
    """(rows, width) the values behind each key."""
    keys = [row[0] for row in found]
    if sorted(keys) != list(range(rows)):
        raise ParityError(f"gave {counted(len(keys), 'row')}, {len(set(keys))} of them different, for {rows}")
    values = np.empty((rows, width))
    for row in found:
        if len(row) != width + 1:
            raise ParityError(f"gave {counted(len(row), 'column')} for {width + 1}")
        values[row[0]] = [_double(value) for value in row[1:]]
    return values


def _columns_named(columns: Sequence[TableColumn]) -> str:
    few = ", ".join(f"{column.name!r} as {column.type.name}" for column in columns[:8])
    return f" (columns {few}{', ...' if len(columns) > 8 else ''})"


def _double(value: Any) -> float:
    if value is None:
        return np.nan
    if not isinstance(value, float):
        raise ParityError(f"gave {value!r}, {with_article(type(value).__name__)} and not a double")
    return value


def _free_name(taken: Sequence[str]) -> str:
    folded = {name.casefold() for name in taken}
    name = "row_number"
    while name in folded:
        name += "_"
    return name


def declared(column: TableColumn, length: Callable[[str], int] = len) -> str:
    """The type of a column as its definition has it, with a length for ``(n)``, in what the engine counts."""
    return column.type.name.replace("(n)", f"({longest(column, length)})")


def longest(column: TableColumn, length: Callable[[str], int] = len) -> int:
    """The length of its longest text, at least 1."""
    return max((length(value) for value in column.values if isinstance(value, str) and value), default=1)


def labels(column: TableColumn) -> list[str]:
    """The distinct texts of a column, for a type whose definition lists its values: of none that is missing, one."""
    return list(dict.fromkeys(value for value in column.values if value is not None)) or ["x"]


def doubled(name: str, quote: str = '"') -> str:
    """A name in quotes, quotes inside it doubled."""
    return quote + name.replace(quote, quote * 2) + quote
