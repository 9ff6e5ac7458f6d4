"""A query that counts how many rows each segment of a model's curves has, and how much that has changed.

The population stability index (PSI) of a feature is the sum, over its segments, of (p - q) * ln(p / q), p and q being
the shares of the rows now and then: Siddiqi, Credit Risk Scorecards (2006), chapter 8.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from curvec.emit.dialect import Dialect
from curvec.emit.environment import render
from curvec.emit.sql_curves import Writer
from curvec.emit.sql_limits import check_parts
from curvec.emit.sql_text import Arm, case, label, literal, name
from curvec.errors import UnsupportedError
from curvec.ir import EnumCurve, Feature, FeatureType, Levels, StepCurve, Uses, uses_of_each
from curvec.model import CurveModel
from curvec.spelling import shortest

POPULATION = ("feature", "segment", "label", "row_count", "share")
"""The columns of the population."""

_SOME_LEVEL: dict[FeatureType, Levels] = {"str": Levels([("a", 1.0)]), "bool": Levels([(True, 1.0)])}
"""For each type that is no number a level, to tell what is missing from what is not."""

BASELINE = ("baseline_count", "baseline_share", "psi")
"""The further columns of a comparison with a baseline."""


def population(model: CurveModel, writer: Writer, head: str, sources: Sequence[str]) -> str:
    """The query over the segments of each feature: between all points and cuts, or by all levels, of its terms.

    Args:
        model: the model.
        writer: of nodes over the columns of a source.
        head: the comment above the query.
        sources: the table that holds the rows; with a baseline, that too.

    Raises:
        UnsupportedError: more features than the engine takes parts of a union, or levels than it takes arms of a CASE.

    """
    dialect = writer.dialect
    check_parts(dialect, len(model.features), "population")
    names = {alias: name(dialect, alias) for alias in (*POPULATION, *BASELINE)}
    found = [_segments(feature, uses, dialect) for feature, uses in uses_of_each(model.features, *model.terms)]
    numbered = list(enumerate(zip(model.features, found, strict=True), 1))
    features = [(number, writer.term(term)) for number, (_, (term, _)) in numbered]
    feature = case(Arm(f"c.feature_number = {n}", label(dialect, f.name)) for n, (f, _) in numbered)
    labels = case(Arm(f"c.feature_number = {n}", _segment_labels(dialect, texts)) for n, (_, (_, texts)) in numbered)
    shares = [
        _share(dialect, count, total) for count, total in (("row_count", "n.total"), ("baseline_count", "b.total"))
    ]
    return render(
        "sql/population.sql.jinja",
        head=head,
        sources=sources,
        compared=len(sources) > 1,
        features=features,
        feature=feature,
        label=labels,
        n=names,
        integer=dialect.integer.format(f"c.{names['segment']}"),
        shares=shares,
        compared_shares=_shares_for_index(dialect),
        ln=dialect.ln,
        alias=dialect.table_alias,
    )


def _segments(feature: Feature, uses: Uses, dialect: Dialect) -> tuple[StepCurve | EnumCurve, list[str]]:
    """A term whose value is the segment's number, and the segments' labels from 0 on."""
    if levels := uses.levels:
        if len(levels) > dialect.max_arms:
            raise UnsupportedError(
                f"form='population' has an arm for each of the {len(levels)} levels of {feature.name!r}, and a CASE in "
                f"{dialect.title} takes {dialect.max_arms}; count that column by a GROUP BY of your own"
            )
        numbers: Any = {key: float(number) for number, key in enumerate(levels, 1)}
        return EnumCurve(feature.name, numbers, len(levels) + 1.0, 0.0), ["missing", *map(str, levels), "another level"]
    if not (cuts := uses.breaks):
        labels = ["missing", "any value"]
        if (level := _SOME_LEVEL.get(feature.type)) is not None:
            return EnumCurve(feature.name, level, 1.0, 0.0), labels
        return StepCurve(feature.name, [0.0], [1.0, 1.0], 0.0), labels
    between = [f"{shortest(low)} to below {shortest(high)}" for low, high in itertools.pairwise(cuts)]
    labels = ["missing", f"below {shortest(cuts[0])}", *between, f"{shortest(cuts[-1])} or above"]
    return StepCurve(feature.name, cuts, [float(k) for k in range(1, len(cuts) + 2)], 0.0), labels


def _segment_labels(dialect: Dialect, texts: Sequence[str]) -> str:
    segment = f"c.{name(dialect, 'segment')}"
    numbers = (literal(dialect, float(number)) for number in range(len(texts)))
    return case(Arm(f"{segment} = {n}", label(dialect, text)) for n, text in zip(numbers, texts, strict=True))


def _share(dialect: Dialect, count: str, total: str) -> str:
    whole = f"NULLIF({dialect.double.format(total)}, {literal(dialect, 0.0)})"
    return f"{dialect.double.format(f'c.{name(dialect, count)}')} / {whole}"


def _shares_for_index(dialect: Dialect) -> list[str]:
    """The two shares; instead of 0, where the logarithm is not defined, the share of half a row."""
    used = []
    for count, share, total in (
        ("row_count", "share", "row_total"),
        ("baseline_count", "baseline_share", "baseline_total"),
    ):
        half = f"{literal(dialect, 0.5)} / NULLIF({dialect.double.format('s.' + total)}, {literal(dialect, 0.0)})"
        used.append(case([Arm(f"s.{name(dialect, count)} = 0", half)], f"s.{name(dialect, share)}"))
    return used
