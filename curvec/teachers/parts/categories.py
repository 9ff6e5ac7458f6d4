"""Categories of a teacher as the keys of an EnumCurve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from curvec.checks import is_whole
from curvec.errors import UnsupportedError, shown, with_article
from curvec.ir import FeatureType, Key


def level_keys(values: Iterable[Any], feature: str) -> list[Key]:
    """The keys of a feature's categories, none of them missing: bool, str, or int (an integral float is one).

    Raises:
        UnsupportedError: a category is none of these, or they are of several types; the message names it.

    """
    keys = [_key(value, feature) for value in values]
    kinds = sorted({type(key).__name__ for key in keys})
    if len(kinds) > 1:
        raise UnsupportedError(
            f"the categories of {feature!r} are of the types {' and '.join(kinds)}; train the teacher on one type"
        )
    return keys


def key_type(keys: Iterable[Key]) -> FeatureType:
    """The type of a feature with these keys."""
    kind = type(next(iter(keys)))
    return "bool" if kind is bool else "int" if kind is int else "str"


def retyped(keys: list[Key], kind: FeatureType) -> list[Key]:
    """The keys as ``kind``, where each of them stands for one of that type; else as they are."""
    if kind == "bool" and all(key in (0, 1, "0", "1", "False", "True") for key in keys):
        return [key in (1, "1", "True") for key in keys]
    if kind == "int" and all(isinstance(key, str) and _is_canonical_int(key) for key in keys):
        return [int(key) for key in keys]
    return keys


def _is_canonical_int(key: str) -> bool:
    try:
        return str(int(key)) == key
    except ValueError:
        return False


def _key(value: Any, feature: str) -> Key:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    if is_whole(value):
        return int(value)
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return int(value)
    raise UnsupportedError(
        f"the category {shown(value)} of {feature!r} is {with_article(type(value).__name__)}; categories must be int, "
        "str or bool"
    )
