"""Rounding y to the wanted digits, with the least loss and so that every constraint still holds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from curvec.condense import Points
from curvec.errors import counted
from curvec.fit.constraints import Constraints, projected
from curvec.fit.options import Options
from curvec.fit.through import turns_once
from curvec.transforms import FloatArray

_AT_ONCE = 9
"""Knots whose floors and ceilings are tried in all combinations."""
_SLACK = 4e-16
"""Two roundings of a double, as a share of the y: what y1 - y0 and slope * width may be off by."""


Costs = Callable[[FloatArray], FloatArray]
"""Squared errors (r,) of curves on the same knots, y (r, k) less its origin."""


def round_y(
    u: FloatArray, costs: Costs, y: FloatArray, origin: float, digits: int, constraints: Constraints
) -> tuple[FloatArray, int]:
    """The y of a curve at ``digits`` significant digits (more only if no rounding keeps the constraints).

    Args:
        u: (k,) the curve's knots.
        costs: the squared errors of curves on them.
        y: (k,) the best y, in the caller's units.
        origin: of y: subtracted before ``costs`` is called.
        digits: significant decimal digits. A y below a thousandth of the largest is rounded to the decimal place of
            that thousandth: with digits=3 and a largest y of 2.5, 0.00012345 becomes 0.00012.
        constraints: the constraints, in the problem's units.

    """
    for more in range(digits, 17):
        picked = _best_choice(u, costs, _with_given(_neighbours(y, more), constraints), y, origin, constraints)
        if bool(obeys(u, picked[None], constraints)[0]):
            return picked, more
    return projected(u, y, constraints, constraints.y_limits), 17


def round_to_place(
    u: FloatArray,
    costs: Costs,
    y: FloatArray,
    origin: float,
    allowed: float,
    constraints: Constraints,
    coarsest: int | None = None,
) -> FloatArray:
    """The y of a curve, all at the coarsest decimal place where it obeys the constraints and costs at most ``allowed``.

    Places are tried from ``coarsest`` on, or from that of the first digit of y's range; other arguments as those of
    :func:`round_y`.
    """
    largest = float(np.abs(y).max())
    first = place_of(float(np.ptp(y)) or largest) if coarsest is None else coarsest
    for place in range(first, min(first, place_of(largest)) - 16, -1):
        choices = _with_given(np.array([multiples_beside(value, place) for value in y.tolist()]), constraints)
        picked = _best_choice(u, costs, choices, y, origin, constraints)
        if bool(obeys(u, picked[None], constraints)[0]) and costs((picked - origin)[None])[0] <= allowed:
            return picked
    return projected(u, y, constraints, constraints.y_limits)


def obeys(u: FloatArray, y: FloatArray, constraints: Constraints) -> npt.NDArray[np.bool_]:
    """(r,) which rows of y (r, k) obey the constraints."""
    return np.asarray(_violations(u, y, constraints) == 0)


def _violations(u: FloatArray, y: FloatArray, constraints: Constraints) -> npt.NDArray[np.int_]:
    rise, run = np.diff(y, axis=1), np.diff(u)
    size = np.abs(y[:, 1:]) + np.abs(y[:, :-1])
    low, high = constraints.slopes
    bad = np.zeros(len(y), dtype=np.int_)
    if low > -math.inf:
        bad += (rise < low * run - (_SLACK * size if low else 0.0)).sum(axis=1)
    if high < math.inf:
        bad += (rise > high * run + (_SLACK * size if high else 0.0)).sum(axis=1)
    bad += (y < constraints.y_limits[0]).sum(axis=1) + (y > constraints.y_limits[1]).sum(axis=1)
    if constraints.turn is not None:
        bad += _wrong_turns(rise, constraints.turn)
    if constraints.periodic:
        bad += y[:, 0] != y[:, -1]
    if constraints.curvature is not None and len(u) > 2:
        bend = np.diff(rise / run, axis=1) * (1 if constraints.curvature == "convex" else -1)
        bad += (bend < -1e-12 * np.abs(rise / run).max(axis=1, keepdims=True)).sum(axis=1)
    return bad


def _wrong_turns(rise: FloatArray, turn: str) -> npt.NDArray[np.int_]:
    """(r,) 1 where the direction turns the wrong way, or more than once."""
    peak = np.array([turns_once(row) for row in rise])
    valley = np.array([turns_once(-row) for row in rise])
    allowed = {"peak": peak, "valley": valley, "bitonic": peak | valley}[turn]
    return np.asarray(~allowed, dtype=np.int_)


def _neighbours(y: FloatArray, digits: int) -> FloatArray:
    """(k, 2) the printed numbers below and above each y (equal where y is one)."""
    largest = float(np.abs(y).max(initial=0.0))
    sizes = [max(abs(value), largest * 1e-3) for value in y.tolist()]
    return np.array(
        [multiples_beside(v, place_of(size) - digits + 1) for v, size in zip(y.tolist(), sizes, strict=True)]
    )


def _with_given(choices: FloatArray, constraints: Constraints) -> FloatArray:
    """The choices (k, 2) of printed numbers; of a y that is given there is one."""
    low, high = (np.broadcast_to(limit, len(choices)) for limit in constraints.y_limits)
    return np.where((low == high)[:, None], low[:, None], choices)


def place_of(size: float) -> int:
    """The decimal place of the first digit: 2 of 345, -1 of 0.5; 0 of 0."""
    return math.floor(math.log10(size)) if size > 0 else 0


def multiples_beside(value: float, place: int) -> tuple[float, float]:
    """The multiples of 10**place below and above a value (equal where it is one)."""
    scaled = value / 10.0**place if place >= 0 else value * 10.0 ** min(-place, 300) * 10.0 ** max(-place - 300, 0)
    near = round(scaled)
    low, high = (near, near) if near == scaled else (math.floor(scaled), math.ceil(scaled))
    ends = [end for end in (float(f"{low}e{place}"), float(f"{high}e{place}")) if math.isfinite(end)]
    return ends[0], ends[-1]


def _best_choice(
    u: FloatArray, costs: Costs, choices: FloatArray, y: FloatArray, origin: float, constraints: Constraints
) -> FloatArray:
    """(k,) a choice (k, 2) for each y: the one of the fewest violations, and of these of the least loss.

    It begins with the choices nearest to y, and tries all combinations of a window of ``_AT_ONCE`` knots; where there
    are more, the window moves to the right and back.
    """
    picked = np.where(y - choices[:, 0] <= choices[:, 1] - y, choices[:, 0], choices[:, 1])
    count = len(choices)
    starts = range(1) if count <= _AT_ONCE else (*range(count - _AT_ONCE + 1), *range(count - _AT_ONCE, -1, -1))
    for start in starts:
        stop = min(start + _AT_ONCE, count)
        combos = np.array(list(itertools.product((0, 1), repeat=stop - start)))
        rows = np.repeat(picked[None], len(combos), axis=0)
        rows[:, start:stop] = choices[np.arange(start, stop), combos]
        bad = _violations(u, rows, constraints)
        rows = rows[bad == bad.min()]
        picked = rows[int(np.argmin(costs(rows - origin)))]
    return picked


def notes(options: Options, x_digits: int | None, y_digits: int | None) -> tuple[str, ...]:
    """Where other digits were taken than asked for, and why."""
    if options.significant is None:
        return ()
    out = []
    if x_digits != options.significant:
        why = "fewer would merge them or leave fx's domain" if options.rounds_knots else "they are the moments' own"
        out.append(f"knots have {_digits_text(x_digits)} instead of {options.significant}: {why}")
    if y_digits != options.significant:
        out.append(f"y has {_digits_text(y_digits)} instead of {options.significant}: fewer would break a constraint")
    return tuple(out)


def bounds_note(points: Points, constraints: Constraints) -> tuple[str, ...]:
    """That the curve can only lie on a bound, where ``y_bounds`` leave all y out."""
    (low, high), (least, greatest) = points.y_range, constraints.y_limits
    if least <= high and low <= greatest:
        return ()
    bound = f"y_bounds begin at {least!r}" if high < least else f"y_bounds end at {greatest!r}"
    return (f"every y is from {low!r} to {high!r}, and {bound}: the curve lies on that bound",)


def _digits_text(digits: int | None) -> str:
    return "all digits" if digits is None else counted(digits, "digit")
