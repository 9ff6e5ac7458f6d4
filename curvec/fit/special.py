"""Special codes of a numeric feature: those that were asked for, or found in its column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.condense import Rows, read_rows
from curvec.errors import InputError, shown
from curvec.fields import number
from curvec.fit.options import Digits
from curvec.fit.result import Fit, PathEntry
from curvec.ir import changed
from curvec.spelling import rounded
from curvec.transforms import FloatArray

_MOST = 5
"""The most codes of a feature that are found automatically; if there are more, they count as ordinary values."""

_APART = 5.0
"""The least distance of the codes from the values, which count from 0: -1 and -2 may be values themselves."""


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
        return _automatic_codes(values)
    if isinstance(asked, str) or not np.iterable(asked):
        raise InputError(
            f"the special codes of feature {feature!r} are {shown(asked)}; give a list of numbers, () for none, "
            "or 'auto'"
        )
    codes = {number(code, f"a special code of feature {feature!r}") for code in asked}
    if codes and set(values.tolist()) <= codes:
        raise InputError(f"feature {feature!r} has no value but its special codes; make it categorical")
    return tuple(sorted(codes.intersection(values.tolist())))


def absent_note(asked: Any, found: Collection[float]) -> tuple[str, ...]:
    """What a fit says of the codes that were asked for and that no row has; ``found`` are the others."""
    absent = () if isinstance(asked, str) else sorted({float(code) for code in asked}.difference(found))
    if not absent:
        return ()
    codes = ", ".join(f"{code:g}" for code in absent)
    return (f"no row of positive weight has the special code {codes}: the curve scores it like any other number",)


def _automatic_codes(values: FloatArray) -> tuple[float, ...]:
    low, rest = values[values < 0], values[values >= 0]
    if not 1 <= len(low) <= _MOST or len(rest) < 2 or np.any(np.mod(values, 1)):
        return ()
    return tuple(low.tolist()) if rest[0] - low[-1] >= _APART else ()


def without_codes(rows: Rows, codes: Sequence[float]) -> tuple[Rows, dict[float, float]]:
    """The rows that have none of the codes, and the weighted mean of y at each code that a row of some weight has."""
    w = np.ones(len(rows.x)) if rows.w is None else rows.w
    rest, means = code_means(rows.x, rows.y, w, codes)
    return read_rows(rows.x[rest], rows.y[rest], None if rows.w is None else w[rest]), means


def code_means(
    x: FloatArray, y: FloatArray, w: FloatArray, codes: Sequence[float]
) -> tuple[npt.NDArray[np.bool_], dict[float, float]]:
    """(rows,) which rows have none of the codes, and the weighted mean of y at each code that a weighted row has."""
    at_codes = {code: x == code for code in np.intersect1d(codes, x[w > 0]).tolist()}
    return ~np.isin(x, codes), {code: weighted_mean(y[at], w[at]) for code, at in at_codes.items()}


def weighted_mean(y: FloatArray, w: FloatArray) -> float:
    """The mean of some values by weights that are not all 0; of equal values exactly that value."""
    return float(np.average(y, weights=w / w.max())) if np.ptp(y) else float(y[0])


def printed_value(value: float, fit: Fit, digits: Digits, margin: float) -> float:
    """The value of a code to so many digits; "auto": with y's decimal places, or more until ``margin`` allows it."""
    if digits is None:
        return value
    if digits != "auto":
        return rounded(value, digits)
    first = max(-int(Decimal(repr(y)).normalize().as_tuple().exponent) for y in fit.curve.ordinates)
    trials = (round(value, places) + 0.0 for places in range(first, first + 17))
    return next((trial for trial in trials if (trial - value) ** 2 <= margin * fit.variance), value)


def with_codes(fit: Fit, codes: Mapping[float, float], notes: Sequence[str] = ()) -> Fit:
    """A fit of the other rows, with the values of the codes in its curves."""

    def path() -> tuple[PathEntry, ...]:
        return tuple(entry._replace(curve=changed(entry.curve, special=codes)) for entry in fit.path)

    curve = changed(fit.curve, special=codes)
    if not codes:
        return changed(fit, notes=(*fit.notes, *notes)) if notes else fit
    return changed(fit, curve=curve, notes=(*fit.notes, *notes), _path=path)
