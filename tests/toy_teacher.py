"""A teacher of four functions, written by hand, and rows for it."""

from __future__ import annotations

import numpy as np

from curvec import CurveModel, EnumCurve, StepCurve

RNG = np.random.default_rng(7)
ROWS = 2000
DATA = {
    "x": RNG.gamma(2.0, 3.0, ROWS),
    "z": np.round(RNG.normal(0, 4, ROWS)),
    "c": RNG.choice(np.array(["red", "green", "blue"], dtype=object), ROWS, p=[0.6, 0.39, 0.01]),
    "r": RNG.integers(1, 5, ROWS),
}


def steps(feature: str, function, low: float, high: float, n: int = 40, missing: float | None = 0.25) -> StepCurve:
    cuts = np.linspace(low, high, n)
    return StepCurve(feature, cuts.tolist(), function(np.concatenate([[low], cuts])).tolist(), missing)


TEACHER = CurveModel(
    "toy",
    [
        steps("x", np.sqrt, 0.1, 25.0),
        steps("z", lambda x: np.abs(x) / 4, -12.0, 12.0, missing=None),
        EnumCurve("c", {"red": 0.123456, "green": -1.0, "blue": 2.0}, default=0.5, missing=-0.25),
        steps("r", lambda x: x**2 / 10, 1.0, 5.0),
    ],
    0.3,
    "logit",
)
