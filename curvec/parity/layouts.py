"""Which type each column has: every type of every feature once, side by side in a few tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curvec.ir import Feature
from curvec.parity.runners import ColumnType, ColumnTypes

__all__ = ["layouts"]


def layouts(features: Sequence[Feature], types: ColumnTypes) -> Iterator[Mapping[str, ColumnType]]:
    """For each table the type of each feature: first the one that a user would choose, then the others in turn.

    The columns of one table are of one library, where they belong to one. In one table the features have different
    types; over all tables each feature has had each type.
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
