"""A model as a chain of subqueries: typed columns, inputs of nested curves, terms, score, prediction.

Each layer defines the columns that the next one uses, so that nothing is computed or written twice, no layer refers to
an alias of its own, and every curve is one column that a reviewer can select.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from curvec.contract import GROUP
from curvec.emit import sql_links as links
from curvec.emit.dialect import Dialect
from curvec.emit.names import named_after
from curvec.emit.sql_curves import InputColumns, Writer, groups, sum_in_groups
from curvec.emit.sql_levels import JOIN_FROM, LevelTable, kept_levels, level_table, long_tables
from curvec.emit.sql_reasons import ranking
from curvec.emit.sql_text import Part, fold_case, joined, literal, name, with_ending
from curvec.errors import UnsupportedError
from curvec.fields import changed
from curvec.ir import EnumCurve, FeatureType, Sum, Term
from curvec.model import CurveModel


class Output(msgspec.Struct, frozen=True):
    """A column of a layer."""

    text: str
    alias: str
    comment: str = ""


class Layer(msgspec.Struct, frozen=True):
    """One subquery: its columns over a source, and whether the engine must compute them once."""

    name: str
    columns: Sequence[Output]
    source: str
    joins: Sequence[str] = ()
    tables: Sequence[str] = ()
    materialise: str = ""


class Outputs(msgspec.Struct, frozen=True):
    """What the query returns.

    Attributes:
        key: columns of the table that are passed through.
        terms: the names of the terms' columns.
        per_term: whether the terms are returned.
        link: whether the prediction is returned.
        reasons: how many of the largest terms (below zero: of the smallest) are returned by name.
        constants: further columns, the same in every row: (name, text).
        levels: the table that holds the levels of long categoricals; "" if they are in the query.

    """

    key: Sequence[str]
    terms: Sequence[str]
    per_term: bool
    link: bool
    reasons: int = 0
    constants: Sequence[tuple[str, str]] = ()
    levels: str = ""


def layers(
    model: CurveModel, dialect: Dialect, source: str, outputs: Outputs, inputs: InputColumns, *, view: bool
) -> list[Layer]:
    """The subqueries of a model, from the table with the columns ``inputs`` of its features to the final columns.

    A view is also joined, or filtered to single rows, and not every way to compute columns once lets conditions
    through. So a view does it only where curves would otherwise be computed many times: before a curve that another is
    nested in, and before a link.

    Raises:
        UnsupportedError: more columns than the engine takes.

    """
    return _Chain(model, dialect, source, outputs, inputs, view=view).build()


class _Columns(msgspec.Struct):
    """The typed columns that have been asked for, in that order, and the columns of the table that they are made of."""

    dialect: Dialect
    inputs: InputColumns
    taken: Taken
    once: bool
    as_raw: bool
    columns: dict[tuple[str, str], Output] = msgspec.field(default_factory=dict)
    used: set[str] = msgspec.field(default_factory=set)

    def number(self, feature: str) -> str:
        if feature in self.inputs.doubles:
            return self._column(self.inputs[feature], "double", "{}")
        if (column := self.raw_column(feature)) is not None:
            return self.dialect.double.format(column)
        form = self.dialect.double_once if self.once else ""
        return self._column(self.inputs[feature], "number", form or self.dialect.double)

    def raw_column(self, feature: str) -> str | None:
        """The column itself, if curves compare it without a cast."""
        raw = self.as_raw and feature not in self.inputs.doubles
        return self._column(self.inputs[feature], "raw", "{}") if raw else None

    def key(self, feature: str, kind: FeatureType) -> str:
        form = {"str": self.dialect.text_key, "bool": self.dialect.boolean}.get(kind, "{}")
        return self._column(self.inputs[feature], f"{kind} level", form)

    def passed_on(self, column: str) -> str:
        return self._column(column, "key", "{}")

    def _column(self, column: str, use: str, form: str) -> str:
        if (column, use) not in self.columns:
            wanted = column
            if column in self.used:
                wanted = with_ending(self.dialect, column, f"_{use.rsplit(maxsplit=1)[-1]}")
            self.used.add(column)
            alias = name(self.dialect, unused_name(self.dialect, wanted, self.taken))
            table = f"{_TABLE}." if self.dialect.qualified else ""
            self.columns[column, use] = Output(form.format(table + name(self.dialect, column)), alias)
        return self.columns[column, use].alias


_EXPONENTIAL = "exponential"
"""The column of EXP(-|score|)."""

_TABLE, _ROW = "t", "curvec_row"
"""The table's alias; and the alias for engines on which columns are written without it, as there it names the row."""

_RESERVED = ("score", _EXPONENTIAL, "level_key", "level_value", "true", "false")
"""Names that a passed-on column must not have: those of the layers' own columns, of the tables of levels, and names
that SQLite reads as constants after renaming a subquery's column."""


class _Chain:
    """Builds the layers from the last to the first: the terms decide which columns the earlier layers need."""

    def __init__(
        self, model: CurveModel, dialect: Dialect, source: str, outputs: Outputs, inputs: InputColumns, *, view: bool
    ) -> None:
        self.model, self.dialect, self.source, self.outputs = model, dialect, source, outputs
        self.view = view
        self.per_term = outputs.per_term and bool(model.terms)
        self.taken = taken_names(dialect, (*_RESERVED, *outputs.terms))
        once = dialect.materialise_casts and not view
        self.columns = _Columns(dialect, inputs, self.taken, once=once, as_raw=bool(dialect.raw_column) and not once)
        self.keys: list[str] = []
        self.summed = False
        self.nested: dict[Sum, tuple[Output, int]] = {}
        self.tables: dict[EnumCurve, LevelTable] = {}
        self.writer = Writer(
            dialect, self.columns.number, self.columns.raw_column, self.columns.key, self._nested, self._joined_column
        )

    def build(self) -> list[Layer]:
        """All layers."""
        terms = self._term_columns()
        self.keys = [self.columns.passed_on(column) for column in self.outputs.key]
        result = [self._input_layer(), *self._level_layers(), *self._nested_layers()]
        simple = {column.alias for column in self.columns.columns.values()}
        simple |= {table.alias for table in self.tables.values()}
        columns = [*self._passed_columns(self.keys), *sorted(terms, key=lambda term: term.text not in simple)]
        once = (self.per_term and not self.view) or bool(self.outputs.reasons)
        result.append(self._layer("curvec_terms", columns, result[-1].name, once=once))
        return [*result, *self._score_layers([term.alias for term in terms])]

    def _term_columns(self) -> list[Output]:
        """One column for each term; or for each group of the sum, if columns are too many or there is none."""
        parts = [self.writer.part(term) for term in self.model.terms]
        widest = len(parts) + len(self.outputs.key) + 2
        widest += len(parts) + 4 * abs(self.outputs.reasons) if self.outputs.reasons else 0
        if parts and widest <= self.dialect.max_columns:
            named = zip(parts, self.outputs.terms, strict=True)
            return [Output(part.text, name(self.dialect, alias), part.comment) for part, alias in named]
        if self.per_term or self.outputs.reasons:
            option = f"reasons={self.outputs.reasons}" if self.outputs.reasons else "per_term=True"
            raise UnsupportedError(
                f"{option} makes {widest} columns, and {self.dialect.title} takes {self.dialect.max_columns}; "
                "leave it out, or split the model"
            )
        self.summed = True
        sums = groups(self.dialect, parts, self.model.intercept)
        wanted = [f"terms_{1 + GROUP * at}_to_{min(GROUP * (at + 1), len(parts))}" for at in range(len(sums))]
        wanted = wanted if parts else ["intercept"]
        aliases = [name(self.dialect, unused_name(self.dialect, text, self.taken)) for text in wanted]
        return [Output(joined("+", group), alias) for group, alias in zip(sums, aliases, strict=True)]

    def _layer(self, called: str, columns: Sequence[Output], source: str, *, once: bool) -> Layer:
        """A subquery; with ``once``, the engine has to compute its columns only once, however often they are used."""
        dialect, view = self.dialect, self.view and bool(self.dialect.view_materialise)
        materialise = dialect.view_materialise if view else dialect.materialise
        if not once or not materialise:
            return Layer(called, columns, source)
        more = (
            [Output(dialect.view_materialise_column, "curvec_once")] if view and dialect.view_materialise_column else []
        )
        return Layer(
            called, [*columns, *more], source, materialise=materialise.format(nulls=", ".join(["NULL"] * len(columns)))
        )

    def _passed_columns(self, aliases: Iterable[str]) -> list[Output]:
        return [Output(alias, alias) for alias in aliases]

    def _input_layer(self) -> Layer:
        columns = sorted(self.columns.columns.values(), key=_calculation)
        if not columns:  # a constant model reads none, and a select needs one
            alias = name(self.dialect, unused_name(self.dialect, "no_input", self.taken))
            columns = [Output(literal(self.dialect, 0.0), alias)]
        alias = _TABLE if self.dialect.qualified else _ROW
        source = f"{self.source}{self.dialect.table_alias}{alias}"
        return self._layer("curvec_columns", columns, source, once=self.dialect.materialise_casts and not self.view)

    def _nested(self, node: Sum) -> str:
        """The column of a nested curve's input, made when it is first needed."""
        if node in self.nested:
            return self.nested[node][0].alias
        text = self.writer.term(node)  # asks for the columns of the curves nested deeper, so those come first
        alias = name(self.dialect, unused_name(self.dialect, named_after("sum", node), self.taken))
        self.nested[node] = Output(text, alias), _depth(node)
        return alias

    def _nested_layers(self) -> list[Layer]:
        """One layer for each depth of nesting; each passes on all columns of the one before."""
        result: list[Layer] = []
        passed_on = [column.alias for column in self.columns.columns.values()]
        passed_on += [table.alias for table in self.tables.values()]
        source = "curvec_joined" if self.tables else "curvec_columns"
        for depth in sorted({depth for _, depth in self.nested.values()}):
            made = [output for output, at in self.nested.values() if at == depth]
            columns = [*self._passed_columns(passed_on), *made]
            result.append(self._layer(f"curvec_nested_{depth}", columns, source, once=True))
            passed_on += [output.alias for output in made]
            source = result[-1].name
        return result

    def _joined_column(self, curve: EnumCurve) -> str | None:
        """The column of a categorical that is joined as a table; None if it is short enough for a CASE."""
        if curve in self.tables:
            return self.tables[curve].alias
        if len(curve.levels) < JOIN_FROM:
            return None
        alias = name(self.dialect, unused_name(self.dialect, named_after("value", curve), self.taken))
        # beside the joined tables, a column has the name of its own before it
        writer = changed(
            self.writer,
            number=lambda feature: f"{_TABLE}.{self.columns.number(feature)}",
            key=lambda feature, kind: f"{_TABLE}.{self.columns.key(feature, kind)}",
        )
        if self.outputs.levels:
            number = long_tables(self.model)[curve]
            self.tables[curve] = kept_levels(writer, curve, number, alias, self.outputs.levels)
            return alias
        number = 1 + sum(len(table.tables) for table in self.tables.values())
        self.tables[curve] = level_table(writer, curve, number, alias)
        return alias

    def _level_layers(self) -> list[Layer]:
        if not self.tables:
            return []
        passed_on = [Output(f"{_TABLE}.{column.alias}", column.alias) for column in self.columns.columns.values()]
        made = [Output(table.text, table.alias, table.comment) for table in self.tables.values()]
        joins = [join for table in self.tables.values() for join in table.joins]
        tables = [text for table in self.tables.values() for text in table.tables]
        source = f"curvec_columns{self.dialect.table_alias}{_TABLE}"
        return [Layer("curvec_joined", [*passed_on, *made], source, joins, tables)]

    def _score_layers(self, terms: Sequence[str]) -> list[Layer]:
        score = name(self.dialect, "score")
        parts = [Part(alias) for alias in terms]
        # Terms that are summed already are the contract's groups, to be added left to right.
        text = joined("+", parts) if self.summed else sum_in_groups(self.dialect, parts, self.model.intercept)
        held = [*self.keys, *(terms if self.per_term or self.outputs.reasons else [])]
        link = self.model.link if self.outputs.link else "identity"
        columns = [*self._passed_columns(held), Output(text, score)]
        result = [self._layer("curvec_scores", columns, "curvec_terms", once=link != "identity")]
        exponential = links.exponential(self.dialect, link, score)
        alias = name(self.dialect, _EXPONENTIAL)
        if exponential is not None:
            columns = [*self._passed_columns([*held, score]), Output(exponential, alias)]
            result.append(self._layer("curvec_exponentials", columns, result[-1].name, once=True))
            held = [*held, alias]
        steps, reasons = self._ranked([*held, score], terms)
        for called, columns in steps:
            result.append(self._layer(called, columns, result[-1].name, once=True))
        prediction = links.prediction(self.dialect, link, score, alias)
        made = [Output(prediction, name(self.dialect, "prediction"))] if self.outputs.link else []
        return [*result, self._final_layer(terms, [*made, *reasons], result[-1].name)]

    def _ranked(self, held: Sequence[str], terms: Sequence[str]) -> tuple[list[tuple[str, list[Output]]], list[Output]]:
        """The subqueries that rank the terms, each passing on all earlier columns; and the columns of the reasons."""
        count = self.outputs.reasons
        if not count:
            return [], []

        def alias(wanted: str) -> str:
            return name(self.dialect, unused_name(self.dialect, wanted, self.taken))

        ranks, reasons = ranking(self.dialect, terms, self.model.term_names, count, alias)
        steps, passed_on = [], list(held)
        for called, made in ranks:
            new = [Output(text, alias) for text, alias in made]
            steps.append((called, [*self._passed_columns(passed_on), *new]))
            passed_on += [output.alias for output in new]
        return steps, [Output(text, name(self.dialect, called)) for text, called in reasons]

    def _final_layer(self, terms: Sequence[str], made: Sequence[Output], source: str) -> Layer:
        keys = [
            Output(alias, name(self.dialect, column)) for alias, column in zip(self.keys, self.outputs.key, strict=True)
        ]
        score = name(self.dialect, "score")
        columns = [*keys, *self._passed_columns(terms if self.per_term else []), Output(score, score)]
        constants = [Output(text, alias) for alias, text in self.outputs.constants]
        return Layer("", [*columns, *made, *constants], source)


Taken: TypeAlias = dict[str, int]
"""Names that are taken, as the engine folds them, each with the last number that was appended to it."""


def taken_names(dialect: Dialect, names: Iterable[str]) -> Taken:
    """These names as taken ones."""
    return dict.fromkeys((fold_case(dialect, text) for text in names), 1)


def unused_name(dialect: Dialect, wanted: str, taken: Taken) -> str:
    """``wanted``, with a number if needed to make it new; it is taken from now on."""
    candidate, first = wanted, fold_case(dialect, wanted)
    suffix = taken.setdefault(first, 0)
    while suffix and fold_case(dialect, candidate) in taken:
        suffix += 1
        candidate = with_ending(dialect, wanted, f"_{suffix}")
    taken[first] = max(suffix, 1)
    taken.setdefault(fold_case(dialect, candidate), 1)
    return candidate


def _calculation(column: Output) -> int:
    """The rank of a column in a list: first the table's own columns, then casts, then all others."""
    if column.text.removeprefix(f"{_TABLE}.") == column.alias:
        return 0
    return 1 if re.fullmatch(r"CAST\([^()]*\)", column.text) else 2


def _depth(node: Term) -> int:
    """How deep curves are nested below a node."""
    return max(map(_depth, node.children), default=0) + isinstance(node.input, Sum)
