"""The last step: all curves and tables moved together towards the teacher's whole score.

Each function was fitted alone. Where features are correlated, so are the errors of their curves, and they add up.
Curves fitted anew to what the others leave, and a least squares fit of all values to the teacher's raw score, with a
ridge towards those before it, let them make up for each other's errors (docs/explanation/refine.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from curvec.distill.backfitting import Target, backfitted, variance
from curvec.distill.context import Aim
from curvec.distill.correspondence import values_or_zero
from curvec.distill.distilled import DistilledTerm
from curvec.distill.fidelity import fidelity, mean_difference
from curvec.distill.fitted_curve import OPTIONS_OF_FORM
from curvec.distill.row_sample import RowSample
from curvec.distill.row_summary import View
from curvec.evaluate import raw_score, term_values
from curvec.fields import changed
from curvec.ir import Line, PWLCurve, Term, is_offset
from curvec.model import CurveModel
from curvec.parameters.constraints import constraints_of, penalty
from curvec.parameters.design import blocks, design, parameters, size_of, weighted_squares
from curvec.parameters.level_groups import level_weights
from curvec.parameters.printed import with_printed
from curvec.parameters.quadratic import newton_step
from curvec.passes import drop_collinear_knots

_RIDGE = 0.003
"""The ridge, in units of the score's mean squared error; on the ten sets anything from 0.001 to 0.03 did as well."""

_ROUNDS = 2
"""How often curves are fitted anew and values moved: a third time gained next to nothing."""

_MOST_VALUES = 1_000
"""The most values that move, as time grows with the cube of their number; of more, those of the functions that lose
most."""


def moved_together(
    parts: Sequence[DistilledTerm],
    exact: CurveModel,
    views: Sequence[View],
    sample: RowSample,
    aim: Aim,
    least_gain: float,
    weight: float,
) -> list[DistilledTerm] | None:
    """The parts with other knots and values; None where the score of the sampled rows would not gain enough by it.

    Curves keep their directions and stay between the teacher's least and largest value. Products and curves of curves
    stay as they are, and so do the teacher's own curves, and those that an option of ``overrides`` shapes.

    Args:
        parts: each function of the teacher with its replacement.
        exact: the teacher.
        views: the rows as each of the functions sees them.
        sample: the rows, or some of them.
        aim: what the distillation is asked for.
        least_gain: the squared error that the score of all rows has to gain.
        weight: the weight of all rows.

    """
    free = _free(parts, aim)
    table, w = sample.rows()
    terms = [part.term for part in parts if part.term is not None]
    left = exact.compile().of_table(table) - raw_score(terms, 0.0, table)
    used = np.isfinite(left) & (w > 0)
    if not free or not used.any():
        return None
    left, shares = np.where(used, left, 0.0), np.where(used, w, 0.0) / w[used].sum()
    before = CurveModel(exact.name, [term for place in free if (term := parts[place].term) is not None])
    ranges = {
        str(term.input): _range(parts[place], term, views[place])
        for place in free
        if isinstance(term := parts[place].term, PWLCurve)
    }
    target, after = Target(table, left, shares), before
    for number in range(_ROUNDS):
        anew = backfitted(after, target.beside(before, after), ranges, aim, weight)
        if number and anew.terms == after.terms:
            break
        after = _least_squares(anew, target.beside(before, anew), ranges, aim)
    after = drop_collinear_knots(after)
    # Another pass over all rows shall be worth it: on some of them a small gain may be chance.
    enough = (2 if sample.is_part else 1) * least_gain / weight
    if not variance(left, shares) - variance(target.beside(before, after).left, shares) > enough:
        return None
    moved = list(parts)
    for place, term in zip(free, after.terms, strict=True):
        moved[place] = _with_term(parts[place], term, views[place])
    return moved


def _free(parts: Sequence[DistilledTerm], aim: Aim) -> list[int]:
    """The places of the functions whose values may move, in order."""
    places = [place for place, part in enumerate(parts) if _is_free(part, aim)]
    most_first = sorted(places, key=lambda place: -parts[place].curves[0].distance.rmse)
    sizes = np.cumsum([size_of(term) for place in most_first if (term := parts[place].term) is not None])
    return sorted(most_first[: int(np.searchsorted(sizes, _MOST_VALUES, side="right"))])


def _is_free(part: DistilledTerm, aim: Aim) -> bool:
    """Whether a replacement is one curve, line or table that was fitted, with no options of its own."""
    term = part.term
    if term is None or term.feature is None or is_offset(term) or any(curve.kept for curve in part.curves):
        return False
    options = aim.options.fit_options(term.feature)
    return set(options) <= {*OPTIONS_OF_FORM, "special"} and options["digits"] == aim.options.digits


def _least_squares(
    model: CurveModel, target: Target, ranges: Mapping[str, tuple[float, float]], aim: Aim
) -> CurveModel:
    """The model with the values nearest to the target, and to those it has; each of its terms is one curve."""
    parts, theta = blocks(model, target.table), parameters(model)
    basis = design(model, target.table)
    curvature = weighted_squares(basis, target.shares)
    gradient = -(basis.T @ (target.shares * target.left))
    bounds = {block.start: ranges[str(block.curve.feature)] for block in parts if isinstance(block.curve, PWLCurve)}
    constraints = constraints_of(parts, len(theta), "keep", {}, bounds)
    step = newton_step(curvature + _RIDGE * penalty(parts, len(theta)), gradient, constraints, theta)
    counts = level_weights(parts, target.table, target.shares)
    digits, precision = aim.options.digits, aim.precision
    return with_printed(model, theta + step, parts, constraints, counts, digits, precision, curvature)


def _range(part: DistilledTerm, curve: PWLCurve, view: View) -> tuple[float, float]:
    """The least and the largest value of a curve's teacher, and of the curve."""
    values = term_values(part.teacher, view.table)[view.weights > 0]
    values = np.concatenate([values[np.isfinite(values)], curve.ordinates])
    return float(values.min()), float(values.max())


def _with_term(part: DistilledTerm, term: Term, view: View) -> DistilledTerm:
    """The function with another replacement, and the constant and the distance that follow."""
    before, values = (values_or_zero(one, view.table) for one in (part.term, term))
    constant = part.constant + mean_difference(before, values, view.weights)
    exact = term_values(part.teacher, view.table) - constant
    (curve,) = part.curves
    x = view.table.number(curve.label) if isinstance(term, (PWLCurve, Line)) else None
    distance = fidelity(exact, values, view.weights, x)
    return changed(part, term=term, constant=constant, curves=(changed(curve, term=term, distance=distance),))
