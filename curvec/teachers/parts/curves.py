"""Functions of one feature as the nodes of a model, exactly.

A step function is a StepCurve, a straight line a Line. A piecewise polynomial is a term too: each coefficient is a
StepCurve of the feature, and Horner's scheme is Sum and Product; so splines and linear extrapolation need no
approximation. (At plus and minus infinity such a term is NaN or infinite; the teachers refuse those inputs.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from curvec.ir import Line, Product, PWLCurve, StepCurve, Sum, Term, changed
from curvec.transforms import FloatArray


def merged_steps(feature: str | Sum, cuts: ArrayLike, values: ArrayLike, missing: float | None) -> StepCurve:
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


def without_missing(term: Term) -> Term:
    """The step curve without a value for a missing x, for a teacher that raises an error there."""
    assert isinstance(term, StepCurve)  # noqa: S101  what a forest without categories is made of
    return changed(term, missing=None)


def polynomial_term(
    feature: str, cuts: FloatArray, anchors: FloatArray, coefficients: FloatArray, missing: float | None = None
) -> Term:
    """A piecewise polynomial with its outer pieces continued to infinity.

    Args:
        feature: the feature's name.
        cuts: (K,) where one piece ends and the next starts (x == cut belongs to the right).
        anchors: (K + 1,) each piece is in powers of x - anchor.
        coefficients: (K + 1, degree + 1) the coefficients of each piece, rising powers.
        missing: the value for a missing feature; None gives a missing result.

    """
    rest = None if missing is None else 0.0
    steps = [merged_steps(feature, cuts, column, rest) for column in coefficients.T]
    steps[0] = merged_steps(feature, cuts, coefficients[:, 0], missing)
    if len(steps) == 1:
        return steps[0]
    if flat := _as_points(cuts, anchors, coefficients):
        return PWLCurve(feature, flat, missing=missing)
    u: Term = Line(feature, 1.0, rest)
    if anchors.any():
        u = Sum((u, merged_steps(feature, cuts, -anchors, rest)))
    term: Term = steps[-1]
    for step in steps[-2::-1]:
        product = Product((u, *term.factors) if isinstance(term, Product) else (u, term))
        term = Sum((step, product)) if any(step.values) or step.missing else product
    return term


def _as_points(cuts: FloatArray, anchors: FloatArray, coefficients: FloatArray) -> list[tuple[float, float]] | None:
    """The points of a continuous piecewise-linear function that is constant outside; None for any other."""
    if coefficients.shape[1] != 2 or len(cuts) < 2 or coefficients[0, 1] or coefficients[-1, 1]:
        return None
    right = coefficients[1:, 0] + coefficients[1:, 1] * (cuts - anchors[1:])
    left = coefficients[:-1, 0] + coefficients[:-1, 1] * (cuts - anchors[:-1])
    scale = np.abs(right).max()
    if (np.abs(right - left) > 1e-13 * scale).any():
        return None
    return list(zip(cuts.tolist(), right.tolist(), strict=True))


def shifted(term: Term, by: float) -> Term | None:
    """The term with ``by`` added to all of its values, of a sum to those of its first part that has some; None without.

    A line and a product have none.
    """
    if term.ordinates:
        return term.map_values(lambda value: value + by)
    for place, part in enumerate(term.terms if isinstance(term, Sum) else ()):
        if (moved := shifted(part, by)) is not None:
            return Sum([*term.children[:place], moved, *term.children[place + 1 :]])
    return None
