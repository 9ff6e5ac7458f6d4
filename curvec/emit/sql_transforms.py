"""The transforms in SQL, bit for bit as the contract has them, safe to evaluate for any row.

A curve's product that is too small for a double is zero to most engines, and an error to a few.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from curvec.contract import Segments
from curvec.emit.dialect import Dialect
from curvec.emit.sql_text import Arm, case, comparand, in_brackets, literal, operand
from curvec.transforms import transform


def transformed(dialect: Dialect, curve: Segments, k: int, x: str) -> str:
    """The value u = fx(x) for an x on the curve's k-th segment.

    The segment's ends tell which cases of a transform cannot happen there, so they are left out of the text.
    """
    return _FORMS[curve.fx](dialect, x, float(curve.x[k]), float(curve.x[k + 1]), float(curve.x[0]))


def _identity(_dialect: Dialect, x: str, _left: float, _right: float, _least: float) -> str:
    return x


def _log(dialect: Dialect, x: str, _left: float, _right: float, least: float) -> str:
    return _ln(dialect, x, x, least)


def _ln(dialect: Dialect, argument: str, x: str, least: float, shift: str = "") -> str:
    """LN of ``shift + x``; where LN raises, x is kept at or above ``least`` (no row of the segment is below it)."""
    if dialect.guards_ln:
        argument = f"{shift}CASE WHEN {x} > {comparand(dialect, least)} THEN {x} ELSE {literal(dialect, least)} END"
    return f"{dialect.ln}({argument})"


def _log1p(dialect: Dialect, x: str, left: float, right: float, least: float) -> str:
    """Kahan's form: x where 1 + x is 1, else LN(1 + x) * (x / ((1 + x) - 1))."""
    one = operand(dialect, 1.0)
    sum_ = f"{one} + {x}"
    divisor = f"({sum_}) - {one}"
    zero = operand(dialect, 0.0)
    divisor = f"NULLIF({divisor}, {zero})" if dialect.guards_division else f"({divisor})"
    value = f"{_ln(dialect, sum_, x, least, f'{one} + ')} * ({x} / {divisor})"
    if 1.0 + left > 1.0 or 1.0 + right < 1.0:
        return value
    return case([Arm(f"{sum_} = {one}", x)], value)


def _symlog1p(dialect: Dialect, x: str, left: float, right: float, _least: float) -> str:
    """By sign: log1p(x) at or above zero, -log1p(-x) below."""
    if left >= 0:
        return _log1p(dialect, x, left, right, left)
    negative = f"-{in_brackets(_log1p(dialect, f'(-{x})', max(0.0, -right), -left, max(0.0, -right)))}"
    if right <= 0:
        return negative
    return case([Arm(f"{x} < {comparand(dialect, 0.0)}", negative)], _log1p(dialect, x, 0.0, right, 0.0))


_FORMS: dict[str, Callable[[Dialect, str, float, float, float], str]] = {
    "identity": _identity,
    "log": _log,
    "log1p": _log1p,
    "symlog1p": _symlog1p,
}
"""The text of each transform of x, which is between ``left`` and ``right`` on a curve that begins at ``least``."""


def underflow_edge(curve: Segments, k: int) -> float | None:
    """The x of segment k from which slope * (u - u_k) is not zero, if it is zero before for being too small.

    Below it the curve is y_k, in every bit, so that the product need not be made there. Only a point at or next to
    zero has such an edge.
    """
    slope, u_k = float(curve.slope[k]), float(curve.u[k])
    low, high = float(curve.x[k]), float(curve.x[k + 1])
    if slope == 0.0 or slope * _distance(curve, u_k, math.nextafter(low, math.inf)) != 0.0:
        return None
    # Over doubles: a halving for each power of two at most, and 52 more. Where a library has told the processor that
    # the tiniest numbers are zero, there is no double between two of them, and the search ends earlier.
    while low < (middle := low + (high - low) / 2) < high:
        low, high = (low, middle) if slope * _distance(curve, u_k, middle) != 0.0 else (middle, high)
    return high if _distance(curve, u_k, low) != 0.0 else None


def _distance(curve: Segments, u_k: float, x: float) -> float:
    return float(transform(curve.fx).forward(np.array([x]))[0]) - u_k
