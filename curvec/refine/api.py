"""``curvec.refine``: the y values of a model are moved together to lower the task's loss; knots and form stay."""

from __future__ import annotations

import math
import time
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import threads
from curvec.columns import check_aligned, query_ids, row_labels, row_weights, weights_or_ones
from curvec.condense.spread import Spread
from curvec.data import columns_of
from curvec.display import Displayed
from curvec.distill import Distillation
from curvec.distill.row_source import row_source
from curvec.errors import InputError, counted, with_article
from curvec.evaluate import check_scored
from curvec.model import CurveModel
from curvec.parameters.constraints import Bounds, Mono, constraints_of, penalty
from curvec.parameters.design import blocks, parameters
from curvec.parameters.level_groups import level_weights
from curvec.parameters.precision import Digits, refined_precision, without_offsets
from curvec.parameters.printed import with_printed
from curvec.refine.losses import check_loss, default_loss, loss_on, pointwise
from curvec.refine.options import Options, check_model_or_distillation
from curvec.refine.query_losses import QUERY_LOSSES
from curvec.refine.ranges import teacher_ranges
from curvec.refine.ridge_choice import Choice, Tried, choose_ridge, largest_within_error, of_least_loss
from curvec.refine.rows import LabelledReading
from curvec.refine.solve import Problem
from curvec.refine.streams import StreamProblem, most_passes, passes
from curvec.rows import stream_of
from curvec.rows.spark import spark_rows
from curvec.transforms import FloatArray

_FOR_CHOICE = 0.75
"""The share of the time allowed that the choice of the ridge may take."""


class Refinement(Displayed, msgspec.Struct, frozen=True):
    """The result of :func:`refine`.

    Attributes:
        model: the refined model.
        loss: the name of the loss.
        before: the loss of the model given, on the rows.
        after: the loss of the refined model, on the rows.
        ridge: the size of the ridge.
        tried: every ridge tried with its loss on held-out rows, largest first; empty if it was given.
        rows: how many rows it was refined on.
        sample: the share of a stream's rows that was asked for; None for all.
        passes: how many passes over a stream there were; 0 for rows in memory.
        cut_short: what ``max_seconds`` cut short, in words; empty if nothing.

    """

    model: CurveModel
    loss: str
    before: float
    after: float
    ridge: float
    tried: tuple[Tried, ...]
    rows: int
    sample: float | None = None
    passes: int = 0
    cut_short: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The loss before and after on the rows, and the refined model's listing."""
        how = f"the ridge {self.ridge:.3g}" + (f", of {len(self.tried)} tried" if self.tried else "")
        if self.passes:
            how += f", {counted(self.passes, 'pass', 'passes')} over {counted(self.rows, 'row')}"
        if self.sample is not None:
            how += f", a sample of {self.sample:.3g} of all, by a hash of each"
        return f"{self.loss} {self.before:.6g} -> {self.after:.6g} on the rows, {how}{self.stopped}\n{self.model}"

    @property
    def stopped(self) -> str:
        """What ``max_seconds`` cut short, as the end of a sentence; empty if nothing."""
        return f"; stopped by max_seconds: {' and '.join(self.cut_short)}" if self.cut_short else ""

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
    y: npt.ArrayLike | str | None = None,
    w: npt.ArrayLike | str | None = None,
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
    sample: float | None = None,
) -> Refinement:
    """Move all y values of a model together to lower the task's loss, with a ridge towards their first values.

    Ravina et al. (2021, section 4) name this as what a distilled model can be the start of. Knots, levels,
    transforms and link stay; so does the one-for-one correspondence with the teacher's functions. The ridge is on
    the changes of the steps between neighbouring points; its size is chosen by cross-validation inside the rows.
    The documentation's page "Refining" says how, and on what data that was settled.

    Args:
        model: the model, or what :func:`curvec.distill` gave; products and curves of curves are refined too.
        X: the training rows, with the model's features: a table in memory, or as in :func:`curvec.distill` paths of
            files, an Arrow stream, a lazy frame, a relation or a Spark data frame, for the pointwise losses. Of these
            sums are made in passes, of which the most there may be are said on the terminal before they begin.
        y: (rows,) labels, or the name of their column, of a stream only that; None with loss "teacher".
        w: (rows,) weights of the pointwise losses, or the name of their column, or None.
        loss: "squared" (link identity), "log_loss" (link logit), "poisson", "gamma" or "tweedie" (variance power 1.5;
            link log); None for the first of these that the model's link has. For rankings "pairwise", "listwise" or
            "approx_ndcg" (1 - NDCG of smooth ranks, Qin et al. 2010; not convex, slower). Claims over exposures:
            claims / exposure as ``y``, and the exposure as ``w``. "teacher", for what ``distill`` gave: the squared
            distance of the raw score to the teacher's, without labels; the curves then answer for each other's errors,
            which ``distill`` does not look at.
        query: (rows,) query ids, or the name of their column, for the ranking losses.
        ridge: how strongly the values are held where they are, in units of the loss's mean curvature; None chooses it.
        folds: parts of the rows by which the ridge is chosen; the mean over three such partitions counts. Of a stream
            there is one partition, by a hash of each row.
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
        sample: of a stream the share of the rows that counts, chosen by a hash of each row; None for all.

    Raises:
        InputError: link and loss do not go together, labels do not suit the loss, a row has no score, a rule does not
            hold to begin with, or an option breaks a rule; the message names it.
        FitError: no convergence.

    """
    started, allowed = time.monotonic(), math.inf if max_seconds is None else max_seconds
    model = check_model_or_distillation(model)
    options = Options(ridge, folds, learned, mono, y_bounds, digits, max_seconds, sample)
    if loss is not None:
        check_loss(loss)
    if spark_rows(X) is not None or stream_of(X) is not None:
        return _on_stream(model, X, y, w, loss, query, options)
    if sample is not None:
        raise InputError(
            f"sample={sample!r} is of the rows of a stream; of rows in memory, pass those that shall count"
        )
    y, w, query = columns_of(X, y, w, query)
    check_aligned(X=X, y=y, w=w, query=query)
    ranges = teacher_ranges(_distilled(model), X) if isinstance(y_bounds, str) else {}
    if loss == "teacher":
        y, learned = _teacher_scores(model, X, y), False
    model = model.model if isinstance(model, Distillation) else model
    asked, loss = loss, default_loss(model.link) if loss is None else loss
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
    constraints = constraints_of(parts, len(start), mono, options.bounds, ranges)
    score = model.eval(X)
    check_scored(score)
    if asked is None and loss == "squared":
        _check_scale(score, y)
    problem = Problem(model, table, judge, constraints, judge.scale(score) * penalty(parts, len(start)))
    values, choice, cut_short = _least(problem, start, ridge, folds, learned=learned, started=started, allowed=allowed)
    ones = weights_or_ones(weights, table.rows)
    learnt = without_offsets(model)
    varying = score if learnt is model else learnt.eval(X)
    precision = refined_precision(Spread.of(varying, ones), model)
    weights_of_levels = level_weights(parts, table, ones)
    refined = with_printed(
        model, values, parts, constraints, weights_of_levels, digits, precision, problem.curvature(values)
    )
    before, after = judge.value(score), judge.value(refined.eval(X))
    if cut_short and after > before:  # rounding cost more than the few steps gained that there was time for
        refined, after = model, before
    return Refinement(refined, loss, before, after, choice.ridge, choice.tried, rows=table.rows, cut_short=cut_short)


def _on_stream(
    given: CurveModel | Distillation, rows: Any, y: Any, w: Any, loss: str | None, query: Any, options: Options
) -> Refinement:
    ridge, folds, learned = options.ridge, options.folds, options.learned
    if options.max_seconds is not None:
        raise InputError(
            f"max_seconds={options.max_seconds!r} is for rows in memory; of a stream the number of passes is bounded, "
            "and sample= makes each of them shorter"
        )
    model = given.model if isinstance(given, Distillation) else given
    loss = default_loss(model.link) if loss is None else loss
    to_teacher = loss == "teacher"
    if query is not None or loss in QUERY_LOSSES:
        raise InputError(
            "the losses of rankings compare the rows of a query, which must be in memory together, and X is a stream; "
            "pass a frame of the rows of some queries"
        )
    teacher = _teacher_of(given, y) if to_teacher else None
    distilled = _distilled(given) if isinstance(options.y_bounds, str) else None
    name = "squared" if to_teacher else loss
    pointwise(name, "identity" if to_teacher else model.link)
    if not (to_teacher or isinstance(y, str)):
        raise InputError(
            f"y is {with_article(type(y).__name__)}, and X is a stream; pass the name of its column of labels"
            + ("" if y is not None else ", or loss='teacher' to come nearer to the teacher")
        )
    if ridge is None and folds < 2:
        raise InputError(f"folds={folds}; use 2 or more, or give the ridge")
    folds = folds if ridge is None else 1
    read = [model, *([] if teacher is None else [teacher]), *([] if distilled is None else [distilled.teacher])]
    features = tuple(dict.fromkeys(feature for one in read for feature in one.compile().features))
    label = None if to_teacher else str(y)
    with row_source(rows, w, threads()) as source:
        reading = LabelledReading(features, source.weight_column, name, label, teacher, model, folds, options.sample)
        with passes(source, reading, most_passes(model, name, ridge)) as over:
            problem = StreamProblem(model, distilled, name, folds, options.mono, options.bounds, over)
            tried: tuple[Tried, ...] = ()
            if ridge is None:
                learned = learned and not to_teacher
                tried = problem.held_out(learned=learned)
                ridge = largest_within_error(tried) if learned else of_least_loss(tried)
            theta, surveyed = problem.solve(ridge), problem.surveyed
            precision = refined_precision(surveyed.spread, model)
            counts, curvature = surveyed.level_weights(), problem.curvature()
            refined = with_printed(
                model, theta, problem.parts, problem.constraints, counts, options.digits, precision, curvature
            )
            after = problem.loss_of(refined)
    return Refinement(refined, loss, problem.before, after, ridge, tried, surveyed.rows, options.sample, over.count)


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
        choice = choose_ridge(problem, start, folds, learned=learned, deadline=started + _FOR_CHOICE * allowed)
    else:
        choice = Choice(ridge, (), "")
    values, reached = problem.solve(choice.ridge, start, start, started + allowed)
    cut_short = (choice.cut_short, "" if reached else "the values are not yet those of the least loss")
    return values, choice, tuple(text for text in cut_short if text)


def _distilled(model: CurveModel | Distillation) -> Distillation:
    if not isinstance(model, Distillation):
        raise InputError("y_bounds='teacher' needs the teacher; pass what distill gave, not its model alone")
    return model


def _check_scale(score: FloatArray, y: Any) -> None:
    """Refuse to move the points of a scorecard to the labels 0 and 1, where the loss was not asked for.

    Raises:
        InputError: the labels are classes, and the scores no probabilities of them.

    """
    if set(np.unique(y).tolist()) == {0, 1} and not 0 <= score.mean() <= 1:
        raise InputError(
            f"y is 0 and 1, and the model's scores are from {float(score.min()):g} to {float(score.max()):g}: its own "
            "loss, squared, would turn them into probabilities; say loss='squared' if they shall be, or refine a model "
            "with link logit, before its score is scaled to points"
        )


def _teacher_scores(model: CurveModel | Distillation, rows: Any, y: npt.ArrayLike | None) -> FloatArray:
    """(rows,) the raw scores of the teacher that a model was distilled from."""
    score = _teacher_of(model, y).eval(rows)
    check_scored(score, " from the teacher")
    return score


def _teacher_of(model: CurveModel | Distillation, y: Any) -> CurveModel:
    if not isinstance(model, Distillation) or y is not None:
        raise InputError("loss='teacher' compares with the teacher's score: pass what distill gave, and no y")
    return model.teacher


def _labels(y: npt.ArrayLike | None, rows: int) -> FloatArray:
    if not rows:
        raise InputError("X has no rows; refining needs labelled rows")
    if y is None:
        raise InputError("refining needs labels; pass y, or loss='teacher' to come nearer to the teacher")
    return row_labels(y, rows)
