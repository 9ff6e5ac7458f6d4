"""A query that counts, for each feature, the rows with values that the model was not made for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TypeAlias

from curvec.emit.dialect import Dialect
from curvec.emit.sql_curves import Writer, at_least, beyond_singles, has_value
from curvec.emit.sql_limits import check_parts
from curvec.emit.sql_text import Arm, case, comparand, in_brackets, label, name
from curvec.ir import EnumCurve, Feature, PWLCurve, Uses, uses_of_each
from curvec.model import CurveModel

CHECKED = ("feature", "row_count", "missing", "below", "above", "unseen", "wrong_type")
"""The columns of the check."""


Counts: TypeAlias = list[tuple[str, str]]
"""One row of the check, a feature's: the text of each column, and its name."""


def checks(model: CurveModel, writer: Writer, column: Callable[[str], str]) -> list[Counts]:
    """One row a feature; ``column`` gives its column, without a cast.

    Raises:
        UnsupportedError: more features than the engine takes parts of a union.

    """
    check_parts(writer.dialect, len(model.features), "check")
    return [
        _counts(feature, uses, writer, column(feature.name))
        for feature, uses in uses_of_each(model.features, *model.terms)
    ]


def _counts(feature: Feature, uses: Uses, writer: Writer, column: str) -> Counts:
    dialect = writer.dialect
    points = [x for node in uses.nodes if isinstance(node, PWLCurve) for x in node.breaks]
    levels = [node for node in uses.nodes if isinstance(node, EnumCurve)]
    text = feature.type == "str"
    x = writer.key(feature.name, feature.type) if feature.type in ("str", "bool") else writer.number(feature.name)
    codes = ((f"{x} = {comparand(dialect, code)}", "NULL") for code in uses.special_codes)
    apart = [*_nan_arms(dialect, x, "NULL"), *codes]
    below = f"{x} < {comparand(dialect, min(points))}" if points else ""
    above = at_least(dialect, x, max(points), ">") if points else ""
    wrong = (dialect.not_text if text else dialect.not_number).format(column)
    texts = [
        label(dialect, feature.name),
        "COUNT(*)",
        _count_where(
            [(f"{x} IS NULL", "1")] if text else [*_nan_arms(dialect, x, "1"), (has_value(dialect, x), "NULL")]
        ),
        _count_where([*apart, (below, "1")]) if below else "0",
        _count_where([*apart, (above, "1")]) if above else "0",
        _count_where(_unseen_arms(writer, feature, levels, x)) if levels else "0",
        _count_where([(wrong, "1")]) if wrong else "NULL",
    ]
    return [(text, name(dialect, alias)) for text, alias in zip(texts, CHECKED, strict=True)]


def _unseen_arms(writer: Writer, feature: Feature, curves: Sequence[EnumCurve], x: str) -> list[tuple[str, str]]:
    """Arms for a value that is not missing and for which some term has no level."""
    seen = [key for key in curves[0].levels if all(key in curve.levels for curve in curves)]
    kind = curves[0].levels.type
    # An IN list has one type. For a 32-bit float column that may be 32-bit float, even if `=` compares exactly.
    singles: list[str] = []
    beyond: list[str] = []
    for level in seen:
        (beyond if beyond_singles(level) else singles).append(writer.level(level, kind))
    lists = [(writer.key(feature.name, kind), singles), (x, beyond)]
    known = [(f"{key} IN ({', '.join(found)})", "NULL") for key, found in lists if found]
    there = f"{x} IS NOT NULL" if kind == "str" else has_value(writer.dialect, x)
    nan = [] if kind == "str" else _nan_arms(writer.dialect, x, "NULL")
    return [*nan, *known, (there, "1")]


def _nan_arms(dialect: Dialect, x: str, value: str) -> list[tuple[str, str]]:
    return [(dialect.nan_first.format(x), value)] if dialect.nan_first else []


def _count_where(arms: Sequence[tuple[str, str]]) -> str:
    """The number of rows for which the first arm that holds gives 1; the last arm describes the rows to count."""
    last = "NULL" if arms[-1][1] == "1" else "1"
    return in_brackets(case(itertools.starmap(Arm, arms), last), "COUNT")
