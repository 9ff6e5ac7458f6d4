"""The column types to test: a few tables in which each feature has each type at least once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curvec.ir import Feature
from curvec.parity.runners import ColumnType, ColumnTypes


def layouts(features: Sequence[Feature], types: ColumnTypes) -> Iterator[Mapping[str, ColumnType]]:
    """For each table the type of each feature: in the first table the usual types, in the others the rest in turn.

    All columns of a table are of one library, if their types belong to one. Features of one table have different types
    where there are enough, and over all tables each feature has each type.
    """
    yield {feature.name: types[feature.type][0] for feature in features}
    others = {kind: list(found[1:]) for kind, found in types.items()}
    for library in dict.fromkeys(column.library for found in others.values() for column in found):
        choices = {
            feature.name: [column for column in others[feature.type] if column.library == library]
            or [types[feature.type][0]]
            for feature in features
        }
        for table in range(max(map(len, choices.values()))):
            yield {name: found[(table + place) % len(found)] for place, (name, found) in enumerate(choices.items())}
