"""Special codes of a numeric feature: those that were asked for, or found in its column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvec.errors import InputError, shown
from curvec.fields import number
from curvec.transforms import FloatArray

__all__ = ["code_note", "special_codes"]

_MOST = 5
"""Codes of a feature that are found by themselves; more are values like others."""

_APART = 5.0
"""How far the codes are from the values that count from 0, at least: -1 and -2 may be values themselves."""


def special_codes(x: FloatArray, asked: Any, feature: str) -> tuple[float, ...]:
    """The special codes of a feature among its values, ascending.

    Args:
        x: (rows,) the values that the feature has.
        asked: the codes; "auto" finds them: one to five negative whole numbers in a column of whole numbers that count
            from 0 otherwise, the largest code at least 5 below the rest, which has two values or more.
        feature: its name, for messages.

    Raises:
        InputError: a code is no finite number, or nothing but codes is left.

    """
    values = np.unique(x)
    if isinstance(asked, str) and asked == "auto":
        return _found(values)
    if isinstance(asked, str) or not np.iterable(asked):
        raise InputError(
            f"the special codes of feature {feature!r} are {shown(asked)}; give a list of numbers, () for none, "
            "or 'auto'"
        )
    codes = {number(code, f"a special code of feature {feature!r}") for code in asked}
    if codes and set(values.tolist()) <= codes:
        raise InputError(f"feature {feature!r} has no value but its special codes; make it categorical")
    return tuple(sorted(codes.intersection(values.tolist())))


def _found(values: FloatArray) -> tuple[float, ...]:
    low, rest = values[values < 0], values[values >= 0]
    if not 1 <= len(low) <= _MOST or len(rest) < 2 or np.any(np.mod(values, 1)):
        return ()
    return tuple(low.tolist()) if rest[0] - low[-1] >= _APART else ()


def code_note(codes: Sequence[float], feature: str) -> str:
    """What the report says of codes that were found."""
    listed = ", ".join(f"{code:g}" for code in codes)
    verb = "is a special code" if len(codes) == 1 else "are special codes"
    return f"{listed} {verb}, found so; overrides={{{feature!r}: {{'special': ()}}}} makes values of them"
