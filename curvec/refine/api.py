"""``curvec.refine``: the y values of a model are moved together to lower the task's loss; knots and form stay."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from curvec import display
from curvec.columns import query_ids, row_column, row_weights
from curvec.condense.spread import Spread
from curvec.distill import Distillation
from curvec.distill.precision import MARGIN, Digits, score_precision, without_offsets
from curvec.errors import InputError
from curvec.evaluate import check_scored
from curvec.model import CurveModel
from curvec.refine.constraints import Bounds, Mono, Ranges, constraints_of, penalty
from curvec.refine.design import blocks, parameters, with_parameters
from curvec.refine.groups import grouped, with_defaults
from curvec.refine.losses import loss_on, own_loss
from curvec.refine.options import check_options
from curvec.refine.ranges import teacher_ranges
from curvec.refine.ridge_choice import Choice, Tried, choose
from curvec.refine.solve import Problem
from curvec.rows import stream_of
from curvec.transforms import FloatArray

__all__ = ["Refinement", "refine"]

_FOR_CHOICE = 0.75
"""The share of the time allowed that the choice of the ridge may take."""


@dataclass(frozen=True)
class Refinement:
    """The result of :func:`refine`.

    Attributes:
        model: the refined model.
        loss: the name of the loss.
        before: the loss of the model given, on the rows.
        after: the loss of the refined model, on the rows.
        ridge: the size of the ridge.
        tried: every ridge tried with its loss on held-out rows, largest first; empty if it was given.
        cut_short: what ``max_seconds`` cut short, in words; empty if nothing.

    """

    model: CurveModel
    loss: str
    before: float
    after: float
    ridge: float
    tried: tuple[Tried, ...]
    cut_short: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The loss before and after on the rows, and the refined model's listing."""
        how = f"the ridge {self.ridge:.3g}" + (f", of {len(self.tried)} tried" if self.tried else "")
        return f"{self.loss} {self.before:.6g} -> {self.after:.6g} on the rows, {how}{self.stopped}\n{self.model}"

    @property
    def stopped(self) -> str:
        """What ``max_seconds`` cut short, as the end of a sentence; empty if nothing."""
        return f"; stopped by max_seconds: {' and '.join(self.cut_short)}" if self.cut_short else ""

    def _repr_html_(self) -> str:
        return display.html(self)

    def evaluate(
        self,
        X: Any,  # noqa: N803  the field's name for the data
        y: npt.ArrayLike,
        metric: Any = None,
        w: npt.ArrayLike | None = None,
        query: npt.ArrayLike | None = None,
    ) -> float:
        """The refined model's metric on labelled rows, as :meth:`curvec.CurveModel.evaluate`."""
        return self.model.evaluate(X, y, metric, w, query)


def refine(
    model: CurveModel | Distillation,
    X: Any,  # noqa: N803  the field's name for the data
    y: npt.ArrayLike | None = None,
    w: npt.ArrayLike | None = None,
    *,
    loss: str | None = None,
    query: npt.ArrayLike | None = None,
    ridge: float | None = None,
    folds: int = 5,
    learned: bool = True,
    mono: Mono = "keep",
    y_bounds: Bounds | Literal["teacher"] | None = None,
    digits: Digits = "auto",
    max_seconds: float | None = None,
) -> Refinement:
    """Move all y values of a model together to lower the task's loss, with a ridge towards their first values.

    Ravina et al. (2021, section 4) name this as what a distilled model can be the start of. Knots, levels,
    transforms and link stay; so does the one-for-one correspondence with the teacher's functions. The ridge is on
    the changes of the steps between neighbouring points; its size is chosen by cross-validation inside the rows.
    The documentation's page "Refining" says how, and on what data that was settled.

    Args:
        model: the model, or what :func:`curvec.distill` gave; products and curves of curves are refined too.
        X: the training rows, with the model's features: a table in memory.
        y: (rows,) labels; None with loss "teacher".
        w: (rows,) weights of the pointwise losses, or None.
        loss: "squared" (link identity), "log_loss" (link logit), "poisson", "gamma" or "tweedie" (variance power 1.5;
            link log); None for the first of these that the model's link has. For rankings "pairwise", "listwise" or
            "approx_ndcg" (1 - NDCG of smooth ranks, Qin et al. 2010; not convex, slower). Claims over exposures:
            claims / exposure as ``y``, and the exposure as ``w``. "teacher", for what ``distill`` gave: the squared
            distance of the raw score to the teacher's, without labels; the curves then answer for each other's errors,
            which ``distill`` does not look at.
        query: (rows,) query ids, for the ranking losses.
        ridge: how strongly the values are held where they are, in units of the loss's mean curvature; None chooses it.
        folds: parts of the rows by which the ridge is chosen; the mean over three such partitions counts.
        learned: whether the model's values were learned from these rows, as distilled ones are. Then each fold is
            judged from values with its rows' influence taken out, by one Newton step (values that have seen the
            held-out rows look too good, and too large a ridge wins), and the largest ridge within one standard
            error of the least loss is taken (the error that the rows show or the one to be expected, whichever is
            larger: see :class:`Tried`); else, and always with loss "teacher", that of the least loss.
        mono: "keep": a curve that only rises or only falls stays so; None: none is held; or feature -> direction.
        y_bounds: feature -> (lowest, highest) value of its curves, either may be None. Labels may take a curve beyond
            its teacher's values, and should: teachers shrink. "teacher", for what ``distill`` gave: a curve of one
            feature stays within the values that the teacher's function has on the rows, as it does in ``distill``.
        digits: significant digits of the values; None for all; "auto": the decimal place of :func:`curvec.distill`.
        max_seconds: a time budget, three quarters of it for the choice of the ridge; on expiry the best values found
            are returned, never of a larger loss than those given, and the result says what was cut short. What has
            begun is ended first: reading the rows, or a step, which takes seconds with a million of them.

    Raises:
        InputError: link and loss do not go together, labels do not suit the loss, a row has no score, a rule does not
            hold to begin with, or an option breaks a rule; the message names it.
        FitError: no convergence.

    """
    if (stream := stream_of(X)) is not None:
        raise InputError(
            f"X is {stream.what}, and refining needs its labelled rows in memory; pass a frame of some of them, such "
            "as duckdb.sql(\"FROM 'rows/*.parquet' USING SAMPLE reservoir(1000000 ROWS) REPEATABLE (0)\").df()"
        )
    started, allowed = time.monotonic(), math.inf if max_seconds is None else max_seconds
    model = check_options(
        model,
        ridge=ridge,
        folds=folds,
        learned=learned,
        mono=mono,
        y_bounds=y_bounds,
        digits=digits,
        max_seconds=max_seconds,
    )
    ranges = _ranges(model, X) if isinstance(y_bounds, str) else {}
    if loss == "teacher":
        y, learned = _teacher_scores(model, X, y), False
    model = model.model if isinstance(model, Distillation) else model
    loss = own_loss(model.link) if loss is None else loss
    table = model.table(X)
    start = parameters(model)
    parts = blocks(model, table)
    weights = row_weights(w, table.rows)
    judge = loss_on(
        *(("squared", "identity") if loss == "teacher" else (loss, model.link)),
        _labels(y, table.rows),
        weights,
        None if query is None else query_ids(query, table.rows),
    )
    constraints = constraints_of(parts, len(start), mono, y_bounds if isinstance(y_bounds, Mapping) else {}, ranges)
    score = model.eval(X)
    check_scored(score)
    problem = Problem(model, table, judge, constraints, judge.scale(score) * penalty(parts, len(start)))
    values, choice, cut_short = _least(problem, start, ridge, folds, learned=learned, started=started, allowed=allowed)
    ones = np.ones(table.rows) if weights is None else weights
    learnt = without_offsets(model)
    varying = score if learnt is model else learnt.eval(X)
    precision = score_precision(Spread.of(varying, ones), MARGIN, len(learnt.terms))
    bounded = [bool(np.isfinite(bounds).any()) for bounds in constraints.bounds]
    theta, shifts = grouped(values, parts, bounded, table, ones)
    theta = constraints.printed(theta, parts, digits, precision)
    refined = with_defaults(with_parameters(model, theta), parts, shifts, digits, precision)
    before, after = judge.value(score), judge.value(refined.eval(X))
    if cut_short and after > before:  # by rounding the few steps that there was time for
        refined, after = model, before
    return Refinement(refined, loss, before, after, choice.ridge, choice.tried, cut_short)


def _least(
    problem: Problem,
    start: FloatArray,
    ridge: float | None,
    folds: int,
    *,
    learned: bool,
    started: float,
    allowed: float,
) -> tuple[FloatArray, Choice, tuple[str, ...]]:
    """The values of the least loss, by a ridge given or chosen, and what there was no time for, in words."""
    if ridge is None:
        choice = choose(problem, start, folds, learned=learned, deadline=started + _FOR_CHOICE * allowed)
    else:
        choice = Choice(ridge, (), "")
    values, reached = problem.solve(choice.ridge, start, start, started + allowed)
    cut_short = (choice.cut_short, "" if reached else "the values are not yet those of the least loss")
    return values, choice, tuple(text for text in cut_short if text)


def _ranges(model: CurveModel | Distillation, rows: Any) -> Ranges:
    if not isinstance(model, Distillation):
        raise InputError("y_bounds='teacher' needs the teacher; pass what distill gave, not its model alone")
    return teacher_ranges(model, rows)


def _teacher_scores(model: CurveModel | Distillation, rows: Any, y: npt.ArrayLike | None) -> FloatArray:
    """(rows,) the raw scores of the teacher that a model was distilled from."""
    if not isinstance(model, Distillation) or y is not None:
        raise InputError("loss='teacher' compares with the teacher's score: pass what distill gave, and no y")
    score = model.teacher.eval(rows)
    check_scored(score, " from the teacher")
    return score


def _labels(y: npt.ArrayLike | None, rows: int) -> FloatArray:
    if not rows:
        raise InputError("X has no rows; refining needs labelled rows")
    if y is None:
        raise InputError("refining needs labels; pass y, or loss='teacher' to come nearer to the teacher")
    return row_column(y, "y", rows)
