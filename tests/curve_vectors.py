"""The vectors that Python and C++ both read: curves, inputs and values in hexadecimal; run it to write the file again.

The values are computed here with rational arithmetic, rounded to a double where the contract rounds: a source that
shares no code with the evaluators it checks. Only the logarithms are the platform's.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

FILE = Path(__file__).parent / "vectors" / "curves.txt"
RANGES = {"identity": (-1e4, 1e4), "log": (1e-4, 1e4), "log1p": (-0.999, 1e4), "symlog1p": (-1e4, 1e4)}

Points = list[tuple[float, float]]


def forward(fx: str, x: float) -> float:
    """Contract, point 6."""
    if fx == "identity":
        return x
    if fx == "log":
        return math.log(x)
    if fx == "symlog1p" and x < 0:
        return -forward("log1p", -x)
    total = 1.0 + x
    return x if total == 1.0 else math.log(total) * (x / (total - 1.0))


def rounded(value: Fraction) -> float:
    """The nearest double: Python divides integers with one rounding."""
    return value.numerator / value.denominator


def slope(u0: float, y0: float, u1: float, y1: float) -> float:
    """Contract, point 3: the steepest slope, not above the rounded quotient, whose segment does not overshoot."""
    du, dy = rounded(Fraction(u1) - Fraction(u0)), rounded(Fraction(y1) - Fraction(y0))
    result = rounded(Fraction(dy) / Fraction(du))
    while abs(Fraction(end(y0, result, du)) - Fraction(y0)) > abs(Fraction(y1) - Fraction(y0)):
        result = math.nextafter(result, 0.0)
    return result


def end(y: float, steepness: float, distance: float) -> float:
    """y + steepness * distance, rounded after each operation."""
    return rounded(Fraction(y) + Fraction(rounded(Fraction(steepness) * Fraction(distance))))


def value(fx: str, points: Points, x: float) -> float:
    """Contract, points 2 and 3."""
    if x <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x < x1:
            u0, u1, u = (forward(fx, at) for at in (x0, x1, x))
            return end(y0, slope(u0, y0, u1, y1), rounded(Fraction(u) - Fraction(u0)))
    return points[-1][1]


def lines() -> Iterator[str]:
    """A curve a line: fx, four points, the number of pairs, and pairs of x and value."""
    source = random.Random(7)  # noqa: S311  the same vectors on every run
    for number in range(160):
        fx = list(RANGES)[number % 4]
        low, high = RANGES[fx]
        x = sorted({float(f"{source.uniform(low, high):.{source.choice([2, 4, 17])}g}") for _ in range(4)})
        if len(x) < 4:
            continue
        points = [(at, float(f"{source.gauss(0, 2):.4g}")) for at in x]
        beside = [math.nextafter(at, way) for at in x for way in (-math.inf, math.inf)]
        probes = [*x, *beside, *(source.uniform(x[0], x[3]) for _ in range(12)), -math.inf, math.inf, 5e-324, -0.0]
        pairs = " ".join(f"{at.hex()} {value(fx, points, at).hex()}" for at in probes)
        yield f"{fx} {' '.join(f'{at.hex()} {y.hex()}' for at, y in points)} {len(probes)} {pairs}"


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", encoding="utf-8", newline="\n")
