"""A categorical with many levels as a joined table of levels, instead of a CASE with as many arms."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence

import msgspec

from curvec.contract import EXACT_INTEGERS
from curvec.emit.dialect import Dialect
from curvec.emit.names import named_after
from curvec.emit.sql_curves import Writer, beyond_singles, describe
from curvec.emit.sql_text import Arm, lay_out, literal, name
from curvec.errors import InputError, UnsupportedError
from curvec.ir import EnumCurve, FeatureType, walk
from curvec.model import CurveModel
from curvec.spelling import shortest, with_exponent

JOIN_FROM = 200
"""From this many levels on a categorical is joined; with fewer a CASE is quick to read, and to run on every engine."""


class LevelTable(msgspec.Struct, frozen=True):
    """A joined categorical.

    Attributes:
        tables: the subqueries that hold the levels and their values.
        joins: their joins to the columns ``t``.
        text: the value of the categorical over those joins.
        comment: what it is.
        alias: the column's name.

    """

    tables: Sequence[str]
    joins: Sequence[str]
    text: str
    comment: str
    alias: str


def level_table(writer: Writer, curve: EnumCurve, number: int, alias: str) -> LevelTable:
    """The categorical as a joined table, or as several if the engine does not join one of that length quickly.

    ``number`` is the number of the first.
    """
    levels, longest = list(curve.levels.items()), writer.dialect.max_joined or len(curve.levels)
    parts = [levels[first : first + longest] for first in range(0, len(levels), longest)]
    joined = [_joined_table(writer, curve, part, number + place) for place, part in enumerate(parts)]
    text = writer.categorical(curve, [arm for _, _, arm in joined])
    return LevelTable([table for table, _, _ in joined], [join for _, join, _ in joined], text, describe(curve), alias)


def long_tables(model: CurveModel) -> dict[EnumCurve, int]:
    """The categoricals that are joined, each with its number in a table of levels.

    Raises:
        InputError: there is none.

    """
    found = dict.fromkeys(
        node for node in walk(*model.terms) if isinstance(node, EnumCurve) and len(node.levels) >= JOIN_FROM
    )
    if not found:
        raise InputError(
            f"no categorical has {JOIN_FROM} levels or more, the fewest that are joined as a table; leave levels= and "
            "form='levels' out"
        )
    return {node: number for number, node in enumerate(found, 1)}


LEVELS = ("categorical", "text_level", "number_level", "value")
"""The columns of a table of levels: the categorical's number, the level as text or as a number, and the value."""


def levels_csv(dialect: Dialect, model: CurveModel) -> str:
    """The levels of a model's long categoricals as CSV, with a head.

    Raises:
        InputError: no categorical is long.
        UnsupportedError: programs that read CSV would change a level, or the engine would change a value.

    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(LEVELS)
    low, high = dialect.exact_literals
    for node, number in long_tables(model).items():
        for level, value in node.levels.items():
            if isinstance(level, str) and (level != level.strip() or level.lower() in ("", "null")):
                raise UnsupportedError(
                    f"programs that read CSV may take the level {level!r} for another one or a missing one, as they "
                    "strip blanks and read null as nothing; rename it, or leave levels= out"
                )
            if value and not low <= abs(value) <= high:
                raise UnsupportedError(
                    f"{dialect.title} does not read {value!r}, the value of {level!r}, exactly; leave levels= out"
                )
            digits = with_exponent(value, 17) if dialect.careful_digits else shortest(value)
            writer.writerow([number, *([level, ""] if isinstance(level, str) else ["", level]), digits])
    return text.getvalue()


def kept_levels(writer: Writer, curve: EnumCurve, number: int, alias: str, table: str) -> LevelTable:
    """The categorical as a join to a table of all levels, in which it has a number."""
    dialect, kind = writer.dialect, curve.levels.type
    of, level, value = (
        f"l{number}.{name(dialect, column)}"
        for column in ("categorical", "text_level" if kind == "str" else "number_level", "value")
    )
    key = writer.key(curve.input, kind)
    if kind == "str":
        equal, exactly = f"{dialect.join_text.format(key)} = {dialect.text_key.format(level)}", ""
    else:
        equal, exactly = _numbers_equal(dialect, key, level, curve.levels)
    match = f"{of} = {number}"
    text = writer.categorical(curve, [Arm(f"{match} AND {exactly}" if exactly else match, value)])
    on = f"{match} AND {equal}"
    return LevelTable([], [_left_join(dialect, table, number, on)], text, describe(curve), alias)


def _joined_table(
    writer: Writer, curve: EnumCurve, levels: Sequence[tuple[int | str | bool, float]], number: int
) -> tuple[str, str, Arm]:
    """A table of levels, its join, and the arm that gives the value of a level that is in it."""
    dialect, kind = writer.dialect, curve.levels.type
    level, value = (f"l{number}.{name(dialect, column)}" for column in ("level_key", "level_value"))
    key = writer.key(curve.input, kind)
    if kind == "str":
        on, exactly = f"{dialect.join_text.format(key)} = {level}", ""
    else:
        on, exactly = _numbers_equal(dialect, key, level, [held for held, _ in levels])
    table = named_after(f"curvec_levels_{number}", curve)
    rows = [dialect.values_row.format(writer.level(key, kind), literal(dialect, value)) for key, value in levels]
    return (
        _table_of_levels(dialect, table, rows, kind),
        _left_join(dialect, table, number, on),
        Arm(exactly or f"{level} IS NOT NULL", value),
    )


def _numbers_equal(dialect: Dialect, key: str, level: str, levels: Collection[int | str | bool]) -> tuple[str, str]:
    """The condition on which a key is joined to its level, and a further one, "" for none.

    As doubles, the key after 2**53 and the level 2**53 are equal.
    """
    form = dialect.join_key
    if form == "{}" and not dialect.compares_exactly and any(map(beyond_singles, levels)):
        form = dialect.double
    exactly = form != "{}" and any(abs(int(held)) >= EXACT_INTEGERS for held in levels)
    return f"{form.format(key)} = {form.format(level)}", f"{key} = {level}" if exactly else ""


def _left_join(dialect: Dialect, table: str, number: int, on: str) -> str:
    return f"LEFT JOIN {table}{dialect.table_alias}l{number}\n    ON {on}"


def _table_of_levels(dialect: Dialect, table: str, rows: Sequence[str], kind: FeatureType) -> str:
    column = dialect.values_types[kind == "str"]
    names = {"level": name(dialect, "level_key"), "value": name(dialect, "level_value"), "type": column, "name": table}
    head, tail = (part.format(**names) for part in (dialect.values_head, dialect.values_tail))
    return lay_out("sql/values.sql.jinja", head=head, rows=rows, between=dialect.values_between, tail=tail)
