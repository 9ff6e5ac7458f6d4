"""Models, rows and labels for the tests of refining."""

from __future__ import annotations

import numpy as np

from curvec import CurveModel, EnumCurve, Product, PWLCurve, StepCurve, Sum
from curvec.refine.losses import LOSSES
from curvec.refine.query_losses import QUERY_LOSSES

RNG = np.random.default_rng(3)


ROWS = 600


DATA = {
    "x": RNG.uniform(0, 10, ROWS),
    "z": RNG.normal(0, 2, ROWS),
    "c": RNG.choice(np.array(["a", "b"], dtype=object), ROWS),
}


UP = PWLCurve("x", [(0.5, -1.0), (3, 0.0), (9, 0.5)], "log1p", missing=0.25)


TURN = PWLCurve("z", [(-3, 0.5), (0, -0.5), (3, 0.75)])


TABLE = EnumCurve("c", {"a": 0.25, "b": -0.5}, 0.0, 0.0)


SIMPLE = CurveModel("m", [UP, TURN, TABLE], 0.1)


NESTED = CurveModel(
    "m",
    [
        Product([Sum([TABLE, UP]), TURN]),
        PWLCurve(Sum([UP, TURN]), [(-2.0, -1.0), (0.125, 0.3), (2.0, 1.0)], "symlog1p"),
        StepCurve("z", [-1.0, 1.0], [0.0, 1.0, 0.5]),
    ],
    -0.2,
)


TRUTH = np.sin(DATA["x"]) + DATA["z"] ** 2 / 8 - 0.7 * (DATA["c"] == "b")


LABELS = {
    "squared": TRUTH + RNG.normal(0, 0.3, ROWS),
    "log_loss": (RNG.random(ROWS) < 1 / (1 + np.exp(-TRUTH))).astype(float),
    "poisson": RNG.poisson(np.exp(TRUTH)).astype(float),
    "gamma": np.exp(TRUTH) * RNG.gamma(3, 1 / 3, ROWS),
    "tweedie": np.exp(TRUTH) * RNG.poisson(1.2, ROWS) * RNG.gamma(3, 1 / 3.6, ROWS),
    "pairwise": np.clip(np.round(TRUTH + 1), 0, 4),
    "listwise": np.clip(np.round(TRUTH + 1), 0, 4),
    "approx_ndcg": np.clip(np.round(TRUTH + 1), 0, 4),
}


LINKS = {name: "log" if name in ("poisson", "gamma", "tweedie") else "identity" for name in LOSSES} | {
    "log_loss": "logit"
}


QUERY = np.arange(ROWS) // 20


def query_of(loss: str):
    return QUERY if loss in QUERY_LOSSES else None
