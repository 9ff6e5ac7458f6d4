"""Inputs that a target cannot be given: changed or left out, and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.parity.operands import Flags, Operands
from curvec.parity.runners import Data, Limits

__all__ = ["within"]


def within(
    limits: Limits, data: Data, sizes: Operands
) -> tuple[npt.NDArray[np.intp], dict[str, npt.NDArray[Any]], list[str]]:
    """The rows that a target can be given, their columns, and what was changed or left out and how often.

    Args:
        limits: the target's.
        data: the columns.
        sizes: the reference's operands, whose flags say where its arithmetic overflows.

    """
    notes = []
    out = np.zeros(len(sizes.score), dtype=bool)
    for able, flags, what in (
        (limits.infinity, _any(data, _infinite), "with an infinity"),
        (limits.nul, _any(data, _holds_nul), "with U+0000 in text"),
        (limits.overflow, sizes.overflow, "that overflow"),
        (limits.underflow, sizes.underflow, "that underflow"),
    ):
        if not able and (count := int((flags & ~out).sum())):
            notes.append(f"{count} rows {what} left out")
            out |= flags
    kept = np.flatnonzero(~out)
    taken = {name: column[kept] for name, column in data.items()}
    if not limits.nan:
        count = sum(int(_unmasked_nan(column).sum()) for column in taken.values())
        taken = {name: _nan_masked(column) for name, column in taken.items()}
        notes += [f"{count} NaN as NULL"] if count else []
    return kept, taken, notes


def _any(data: Data, test: Callable[[npt.NDArray[Any]], Flags]) -> Flags:
    found: Flags = np.logical_or.reduce([test(column) for column in data.values()])
    return found


def _infinite(column: npt.NDArray[Any]) -> Flags:
    found: Flags = np.isinf(np.asarray(column)) if column.dtype == np.float64 else np.zeros(len(column), dtype=bool)
    return found


def _holds_nul(column: npt.NDArray[Any]) -> Flags:
    return np.fromiter((isinstance(value, str) and "\0" in value for value in column.tolist()), bool, len(column))


def _unmasked_nan(column: npt.NDArray[Any]) -> Flags:
    if column.dtype != np.float64:
        return np.zeros(len(column), dtype=bool)
    found: Flags = np.isnan(np.asarray(column)) & ~np.ma.getmaskarray(column)
    return found


def _nan_masked(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if column.dtype != np.float64:
        return column
    values = np.asarray(column)
    return np.ma.MaskedArray(values, mask=np.isnan(values))
