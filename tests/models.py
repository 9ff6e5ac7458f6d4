"""Models that several tests share."""

from __future__ import annotations

from curvec import CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum

__all__ = ["every_node"]


def every_node(link: str = "logit", *, logs: bool = True) -> CurveModel:
    """A model with every node, nesting, every transform (or none), every type of category, hard names."""
    log, log1p, symlog1p = ("log", "log1p", "symlog1p") if logs else ("identity",) * 3
    age = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], log, missing=0.25)
    income = PWLCurve("a b", [(0, -1.5), (1000.5, 0.1), (2e4, 0.7), (1e6, 0.70001)], log1p)
    balance = PWLCurve("balance - 100%", [(-5e3, 1), (-1, 0.3), (0, 0), (7, -0.2), (9e4, -2)], symlog1p, 0.125)
    steps = StepCurve("age", [18, 30.5, 65], [0.1, -0.2, 1 / 3, 0.7], missing=-1.0, special={40: 2.5, 30.5: 0.01})
    charge = EnumCurve("select", {"F": 0.0198, "f": 0.5, "O'Brien": -0.0384, "back\\slash": 2.5}, 0.75, -0.5)
    priors = EnumCurve("naïve", {0: -1.25, 1: 0.1, 12: 7.0}, missing=0.0625)
    record = PWLCurve("naïve", [(0, 0.5), (3, 0.1), (24, -1.25)], missing=1.5, special={-9: 0.1, -8: -0.2, 3: 7})
    flag = EnumCurve("1x", {True: 1.5, False: -1.5})
    nested = PWLCurve(Sum([age, Line("a b"), priors]), [(-10, 0), (0.5, 1), (1.5, -1), (2e3, 2)], missing=9.0)
    cut = StepCurve(Sum([Line("age"), Product([charge, Line("naïve")])]), [0.0, 50.0], [1, 2, 3])
    product = Product([Sum([charge, flag]), income, Line("age")])
    lines = Line("naïve", 0.031, missing=-2.0), Product([Line("balance - 100%", -0.1), Line("age", 1 / 3)])
    return CurveModel(
        "every node",
        [age, income, balance, steps, charge, priors, flag, nested, cut, product, *lines, record],
        -0.3,
        link,
    )
