"""Functions of one feature as the nodes of a model, exactly.

A step function is a StepCurve. A piecewise polynomial is a term too: each coefficient is a StepCurve of the
feature, and Horner's scheme is Sum and Product; so splines, straight lines and linear extrapolation need no
approximation. (At plus and minus infinity such a term is NaN or infinite; the teachers refuse those inputs.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PPoly

from curvec.ir import Column, EnumCurve, Levels, Product, PWLCurve, StepCurve, Sum, Term
from curvec.transforms import FloatArray

__all__ = ["constant_steps", "linear_term", "merged_steps", "polynomial_term", "scaled", "shifted"]


def merged_steps(feature: str, cuts: ArrayLike, values: ArrayLike, missing: float | None) -> StepCurve:
    """The step curve without the cuts where nothing changes (one is kept: a StepCurve has a cut).

    ``values`` has one more entry than ``cuts``; with no cut at all, one is made at 0.
    """
    cut, value = np.atleast_1d(np.asarray(cuts, dtype=np.float64)), np.asarray(values, dtype=np.float64)
    if not cut.size:
        cut, value = np.zeros(1), np.repeat(value, 2)
    keep = value[1:] != value[:-1]
    if not keep.any():
        keep[0] = True
    return StepCurve(feature, cut[keep].tolist(), value[np.r_[True, keep]].tolist(), missing=missing)


def constant_steps(feature: str, value: float) -> StepCurve:
    """``value`` wherever the feature is there; a missing feature makes it missing."""
    return StepCurve(feature, (0.0,), (value, value))


def linear_term(feature: str, slope: float) -> Term:
    """``slope`` * x, for every x."""
    return Product((constant_steps(feature, slope), Column(feature)))


def polynomial_term(feature: str, pieces: PPoly) -> Term:
    """A piecewise polynomial with the outer pieces continued to infinity; missing gives missing.

    ``pieces.c`` is (degree + 1, pieces), highest power first, in powers of x - (the piece's left break).
    """
    cuts = pieces.x[1:-1]
    steps = [merged_steps(feature, cuts, row, None) for row in np.asarray(pieces.c, dtype=np.float64)]
    offset = merged_steps(feature, cuts, -np.asarray(pieces.x[:-1]), None)
    u: Term = Sum((Column(feature), offset)) if any(offset.values) else Column(feature)
    term: Term = steps[0]
    for coefficient in steps[1:]:
        product = Product((u, *term.factors) if isinstance(term, Product) else (u, term))
        term = Sum((coefficient, product)) if any(coefficient.values) else product
    return term


def shifted(term: Term, by: float) -> Term | None:
    """The curve with ``by`` added to every value; None for a term that is not one curve."""
    return _mapped(term, lambda values: values + by)


def scaled(term: Term, by: float) -> Term | None:
    """The curve with every value times ``by``; None for a term that is not one curve."""
    return _mapped(term, lambda values: values * by)


def _mapped(term: Term, change: Callable[[FloatArray], FloatArray]) -> Term | None:
    def one(value: float | None) -> float | None:
        return None if value is None else float(change(np.array([value]))[0])

    match term:
        case StepCurve():
            return StepCurve(
                term.input, term.cuts, change(np.array(term.values)).tolist(), one(term.missing), term.note
            )
        case PWLCurve():
            x, y = np.array(term.points).T
            points = list(zip(x.tolist(), change(y).tolist(), strict=True))
            return PWLCurve(term.input, points, term.fx, one(term.missing), term.note)
        case EnumCurve():
            values = change(np.array(list(term.levels.values()))).tolist()
            levels = Levels(zip(term.levels, values, strict=True))
            return EnumCurve(term.feature, levels, one(term.default), one(term.missing), term.note)
        case _:
            return None
