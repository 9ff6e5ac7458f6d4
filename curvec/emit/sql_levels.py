"""A categorical with many levels as a table of levels that is joined, instead of a CASE of as many arms."""

from __future__ import annotations

from dataclasses import dataclass

from curvec.emit.sql_curves import Arm, Writer, describe
from curvec.emit.sql_text import lay_out, literal, name
from curvec.ir import EnumCurve

__all__ = ["JOIN_FROM", "LevelTable", "level_table"]

JOIN_FROM = 200
"""Levels from which a categorical is joined: below it a CASE is quick to read and to run on every engine."""


@dataclass(frozen=True, slots=True)
class LevelTable:
    """A joined categorical.

    Attributes:
        table: the subquery that holds the levels and their values.
        join: the join of that subquery to the columns ``t``.
        text: the value of the categorical over that join.
        comment: what it is.
        alias: the column's name.

    """

    table: str
    join: str
    text: str
    comment: str
    alias: str


def level_table(writer: Writer, curve: EnumCurve, number: int, alias: str) -> LevelTable:
    """The categorical as a joined table."""
    dialect, kind = writer.dialect, curve.levels.type
    joined = f"l{number}"
    level, value = (f"{joined}.{name(dialect, column)}" for column in ("level", "value"))
    key = writer.key(curve.feature, kind)
    found = f"{level} IS NOT NULL"
    on = f"{level} = {key}"
    if kind != "str" and dialect.join_key != "{}":
        found, on = on, f"{dialect.join_key.format(level)} = {dialect.join_key.format(key)}"
    text = writer.categorical(curve, [Arm(found, value)])
    table = f"curvec_level_{number}"
    return LevelTable(_table(writer, curve, table), f"LEFT JOIN {table} {joined} ON {on}", text, describe(curve), alias)


def _table(writer: Writer, curve: EnumCurve, table: str) -> str:
    dialect, levels = writer.dialect, curve.levels
    rows = [
        dialect.values_row.format(writer.level(key, levels.type), literal(dialect, value))
        for key, value in levels.items()
    ]
    column = dialect.values_types[levels.type == "str"]
    names = {"level": name(dialect, "level"), "value": name(dialect, "value"), "type": column, "name": table}
    head, tail = (part.format(**names) for part in (dialect.values_head, dialect.values_tail))
    return lay_out("sql/values.sql.jinja", head=head, rows=rows, between=dialect.values_between, tail=tail)
