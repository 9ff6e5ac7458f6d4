"""Inputs that a target does not accept are changed or left out, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.parity.operands import Flags, Operands
from curvec.parity.runners import Data, Limits


def accepted(
    limits: Limits, data: Data, sizes: Operands
) -> tuple[npt.NDArray[np.intp], dict[str, npt.NDArray[Any]], Counter[str]]:
    """The rows that a target accepts, their columns, and a count of what was changed or left out.

    Args:
        limits: the target's.
        data: the columns.
        sizes: the reference's operands, whose flags say where its arithmetic overflows.

    """
    changed: Counter[str] = Counter()
    out = np.zeros(len(sizes.score), dtype=bool)
    for able, flags, what in (
        (limits.infinity, _any(data, _infinite), "rows with an infinity left out"),
        (limits.overflow, sizes.overflow, "rows that overflow left out"),
        (limits.underflow, sizes.underflow, "rows that underflow left out"),
    ):
        if not able and (count := int((flags & ~out).sum())):
            changed[what] += count
            out |= flags
    kept = np.flatnonzero(~out)
    taken = {name: column[kept] for name, column in data.items()}
    if not limits.nan:
        if count := sum(int(_nan(column).sum()) for column in taken.values()):
            changed["NaN as NULL"] += count
        taken = {name: _nan_as_null(column) for name, column in taken.items()}
    return kept, taken, changed


def _any(data: Data, test: Callable[[npt.NDArray[Any]], Flags]) -> Flags:
    found: Flags = np.logical_or.reduce([test(column) for column in data.values()])
    return found


def _infinite(column: npt.NDArray[Any]) -> Flags:
    return _floats(column, np.isinf)


def _nan(column: npt.NDArray[Any]) -> Flags:
    """Where a value is NaN and not NULL."""
    return _floats(column, np.isnan) & ~np.ma.getmaskarray(column)


def _floats(column: npt.NDArray[Any], test: Callable[[Any], Flags]) -> Flags:
    if column.dtype == np.float64:
        return test(np.asarray(column))
    return np.fromiter((isinstance(value, float) and test(value) for value in column.tolist()), bool, len(column))


def _nan_as_null(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if column.dtype == np.float64:
        values = np.asarray(column)
        return np.ma.MaskedArray(values, mask=np.isnan(values))
    taken = column.copy()
    taken[_nan(column)] = None
    return taken
