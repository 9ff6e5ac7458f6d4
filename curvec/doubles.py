"""Bisection over the doubles themselves: where a condition starts to hold, to the last bit."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

_SIGN = 1 << 63


def _order(x: float) -> int:
    """The doubles counted in their order."""
    bits = int(struct.unpack("<q", struct.pack("<d", x + 0.0))[0])
    return bits if bits >= 0 else -(bits + _SIGN)


def _double(order: int) -> float:
    bits = order if order >= 0 else -order - _SIGN
    (x,) = struct.unpack("<d", struct.pack("<q", bits))
    return float(x)


def middle_double(low: float, high: float) -> float | None:
    """The double halfway, by their count, between two; None where they are neighbours."""
    middle = (_order(low) + _order(high)) // 2
    return _double(middle) if middle not in (_order(low), _order(high)) else None


def first_double(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The first double at which ``holds``, which is False at ``low``, True at ``high``, and changes once."""
    while (middle := middle_double(low, high)) is not None:
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def change_between(holds: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    """The neighbouring doubles between which a condition changes, which it does once from ``low`` to ``high``."""
    at_low = holds(low)
    first = first_double(lambda x: holds(x) != at_low, low, high)
    return math.nextafter(first, -math.inf), first
