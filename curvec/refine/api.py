"""``curvec.refine``: the y values of a model moved together on the task's loss, knots and form as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from curvec.data import floats
from curvec.distill import Distillation
from curvec.errors import InputError
from curvec.metrics import query_ids
from curvec.model import CurveModel
from curvec.refine.design import blocks, parameters, with_parameters
from curvec.refine.losses import loss_on
from curvec.refine.options import check
from curvec.refine.ranges import teacher_ranges
from curvec.refine.rules import Bounds, Mono, Ranges, penalty, rules_of
from curvec.refine.solve import Problem
from curvec.refine.strength import Tried, held_out, least, strongest
from curvec.transforms import FloatArray

__all__ = ["Refinement", "refine"]


@dataclass(frozen=True)
class Refinement:
    """The result of :func:`refine`.

    Attributes:
        model: the refined model.
        before: the loss of the model given, on the rows.
        after: the loss of the refined model, on the rows.
        strength: the ridge's strength.
        tried: every strength tried with its loss on held-out rows, strongest first; empty if it was given.

    """

    model: CurveModel
    before: float
    after: float
    strength: float
    tried: tuple[Tried, ...]


def refine(
    model: CurveModel | Distillation,
    X: Any,  # noqa: N803  the field's name for the data
    y: npt.ArrayLike,
    w: npt.ArrayLike | None = None,
    *,
    loss: str,
    query: npt.ArrayLike | None = None,
    strength: float | None = None,
    folds: int = 5,
    learned: bool = True,
    mono: Mono = "keep",
    y_bounds: Bounds | Literal["teacher"] | None = None,
    digits: int | None = 4,
) -> Refinement:
    """Move all y values of a model together to lower the task's loss, with a ridge towards where they are.

    Ravina et al. (2021, section 4) name this as what a distilled model can be the start of. Knots, levels,
    transforms and link stay; so does the one-for-one correspondence with the teacher's functions. The ridge is on
    the changes of the steps between neighbouring points; its strength is chosen by cross-validation inside the rows.
    The documentation's page "Refining" says how, and on what data that was settled.

    Args:
        model: the model, or what :func:`curvec.distill` gave; products and curves of curves are refined too.
        X: the training rows, with the model's features.
        y: (rows,) labels.
        w: (rows,) weights of the pointwise losses, or None.
        loss: "squared" (link identity), "log_loss" (link logit), "poisson", "gamma" or "tweedie" (variance power 1.5;
            link log), or for rankings "pairwise" or "listwise". Claims over exposures: claims / exposure as ``y``,
            and the exposure as ``w``.
        query: (rows,) query ids, for the ranking losses.
        strength: the ridge's, in units of the loss's mean curvature; None chooses it.
        folds: of that choice, which is the mean over three partitions of the rows into so many.
        learned: whether the model's values were learned from these rows, as distilled ones are. Then each fold is
            judged from values with its rows' influence taken out, by one Newton step (values that have seen the
            held-out rows look too good, and too strong a ridge wins), and the strongest ridge within one standard
            error of the least loss is taken (the error that the rows show or the one to be expected, whichever is
            larger: see :class:`Tried`); else that of the least loss.
        mono: "keep": a curve that only rises or only falls stays so; None: none is held; or feature -> direction.
        y_bounds: feature -> (lowest, highest) value of its curves, either may be None. Labels may take a curve beyond
            its teacher's values, and should: teachers shrink. "teacher", for what ``distill`` gave: a curve of one
            feature stays within the values that the teacher's function has on the rows, as it does in ``distill``.
        digits: significant digits of the values; None for all.

    Raises:
        InputError: link and loss do not go together, labels do not suit the loss, a row has no score, a rule does not
            hold to begin with, or an option breaks a rule; the message names it.
        FitError: no convergence.

    """
    model = check(model, strength=strength, folds=folds, learned=learned, mono=mono, y_bounds=y_bounds, digits=digits)
    ranges = _ranges(model, X) if isinstance(y_bounds, str) else {}
    model = model.model if isinstance(model, Distillation) else model
    table = model.table(X)
    start = parameters(model)
    parts = blocks(model)
    judge = loss_on(
        loss,
        model.link,
        _labels(y, table.rows),
        _weights(w, table.rows),
        None if query is None else query_ids(query, table.rows),
    )
    rules = rules_of(parts, len(start), mono, y_bounds if isinstance(y_bounds, Mapping) else {}, ranges)
    problem = Problem(model, table, judge, rules, np.empty((0, 0)))
    score = model.eval(X)
    if np.isnan(score).any():
        row = int(np.argmax(np.isnan(score)))
        raise InputError(f"row {row} has no score (a missing or unseen input without a value); leave such rows out")
    problem.ridge = judge.scale(score) * penalty(parts, len(start))
    tried: tuple[Tried, ...] = ()
    if strength is None:
        tried = held_out(problem, start, folds, learned=learned)
        strength = strongest(tried) if learned else least(tried)
    theta = rules.printed(problem.solve(strength, start, start), parts, digits)
    after = judge.value(problem.score(theta))
    before = judge.value(score)
    return Refinement(with_parameters(model, theta), before, after, strength, tried)


def _ranges(model: CurveModel | Distillation, rows: Any) -> Ranges:
    if not isinstance(model, Distillation):
        raise InputError("y_bounds='teacher' needs the teacher; pass what distill gave, not its model alone")
    return teacher_ranges(model, rows)


def _labels(y: npt.ArrayLike, rows: int) -> FloatArray:
    labels = floats(y, "y")
    if labels.shape != (rows,):
        raise InputError(f"y has shape {labels.shape}; X has {rows} rows, so it must be ({rows},)")
    if not np.isfinite(labels).all():
        row = int(np.argmax(~np.isfinite(labels)))
        raise InputError(f"y[{row}] is {labels[row]}; labels must be finite")
    if not rows:
        raise InputError("X has no rows; refining needs labelled rows")
    return labels


def _weights(w: npt.ArrayLike | None, rows: int) -> FloatArray | None:
    if w is None:
        return None
    weights = floats(w, "w")
    if weights.shape != (rows,) or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise InputError(f"w must be {rows} finite weights, none negative and not all 0")
    return weights
