"""Hard names and every kind of node, through every language that always runs."""

from __future__ import annotations

import math

import pytest

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.parity import check

TARGETS = ["python", "python_standalone", "cpp", "bound", "sqlite", "duckdb"]
NAMES = ["select", "a b", "class", "1x", 'x"; DROP TABLE t; --', "naïve", "double", "score"]


def test_hard_feature_names_go_through_every_language() -> None:
    curves = [PWLCurve(name, [(k, -1.5), (k + 2, 0.25), (k + 2.5, 3)]) for k, name in enumerate(NAMES)]
    report = check(CurveModel("hard; names", curves, 0.1), targets=TARGETS)
    assert report.ok, str(report)
    assert set(report.targets) == set(TARGETS)


@pytest.mark.parametrize(
    "transforms", [pytest.param(["identity"], marks=pytest.mark.nightly), ["log", "log1p", "symlog1p"]], ids=len
)
def test_every_node_goes_through_every_language(transforms: list[str]) -> None:
    curves = [PWLCurve("x", [(0.5, 1.25), (2, -1), (30, 7)], fx, missing=0.5) for fx in transforms]
    curve = curves[-1]
    model = CurveModel(
        "every_node",
        [
            *curves,
            StepCurve("x", [1, 2, 3], [0.1, 0.2, 0.3, 0.4]),
            EnumCurve("c", {1: 0.1, -2: 0.2}, default=0.3, missing=0.4),
            EnumCurve("t", {"a": 1.0, "O'Brien \\": 2.0}, default=-1.0),
            Product([Sum([EnumCurve("flag", {True: 1.5, False: -1}), EnumCurve("c", {1: 2.0}, default=1)]), curve]),
            PWLCurve(Sum([StepCurve("y", [0], [-1, 1]), PWLCurve("z", [(0, 0), (1, 10)])]), [(-1, 0), (11, 5)]),
            Product([Line("y"), StepCurve("z", [0.5], [0, 2])]),
            Line("x", 0.031),
            Line("y", -1 / 3, missing=2),
            Product([Line("x", 0.1), Line("z", 0.7), Line("c", 3, missing=1)]),
            PWLCurve(Sum([Line("x", 0.3), Line("y", -0.1, missing=0)]), [(0, 1), (9, 3)]),
        ],
        intercept=-0.75,
        link="logit",
    )
    report = check(
        model,
        {"x": [1.0, None], "y": [2.0, math.nan], "z": [0.25, 1], "c": [1, 7], "t": ["a", None], "flag": [True, None]},
        targets=TARGETS,
    )
    assert report.ok, str(report)
    if transforms == ["identity"]:
        assert report.worst is None
