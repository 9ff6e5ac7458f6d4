"""Refining on a stream: the values are found from sums over the rows, made in passes of which the number is bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from curvec.distill import Distillation
from curvec.distill.row_source import RowSource
from curvec.errors import FitError, InputError
from curvec.model import CurveModel
from curvec.parameters.constraints import Bounds, Constraints, Mono, constraints_of, penalty
from curvec.parameters.design import Block, blocks, is_linear, parameters
from curvec.parameters.precision import without_offsets
from curvec.parameters.quadratic import newton_step
from curvec.progress import progress_bar
from curvec.refine.losses import POINTWISE, check_minimum
from curvec.refine.ranges import ranged_functions, with_own_values
from curvec.refine.ridge_choice import RIDGES, Tried, nearest_ridge
from curvec.refine.rows import HeldOutRows, LabelledReading, Normal, NormalRows, SurveyedRows, ValueRows
from curvec.refine.solve import GAIN
from curvec.transforms import FloatArray

_NEWTON = 15
"""The most passes to find the values under one ridge; each makes a Newton step, or halves one that was too long."""
_SMALL = 0.01
"""A ridge of the size that is chosen in most cases: values refined under it are near those under the others."""


class Passes:
    """Passes over the rows of a stream.

    Args:
        source: the rows.
        reading: what is read of them.
        step: called before each pass.

    Attributes:
        count: how many there were.

    """

    def __init__(self, source: RowSource, reading: LabelledReading, step: Callable[[], None]) -> None:
        self._source, self._reading, self._step = source, reading, step
        self.count = 0

    def over(self, *parts: Any) -> None:
        """Add all rows to the parts."""
        self._step()
        self.count += 1
        self._source.pass_over(self._reading, parts)


@contextmanager
def passes(source: RowSource, reading: LabelledReading, most: int) -> Iterator[Passes]:
    """Passes, at most so many, with their number on the terminal."""
    with progress_bar() as bar:
        task = bar.add_task("refining: pass of at most", total=most)
        yield Passes(source, reading, lambda: bar.advance(task))


def most_passes(model: CurveModel, loss: str, ridge: float | None) -> int:
    """The most passes that refining a model takes."""
    steps = 0 if POINTWISE[loss].constant and is_linear(model) else _NEWTON
    return 2 + steps if ridge is not None else 3 + 2 * steps


class StreamProblem:
    """A model, the rows of a stream and a pointwise loss on their labels.

    Args:
        model: the model.
        distilled: what distill gave, where the teacher's ranges are bounds; None for no such bounds.
        loss: the loss.
        folds: how many folds there are.
        mono: as in refine.
        y_bounds: as in refine.
        over: the passes; the first is made here.

    Attributes:
        parts: the model's blocks.
        constraints: what the values must obey.
        surveyed: what the first pass found.
        before: the loss before refining.

    """

    def __init__(
        self,
        model: CurveModel,
        distilled: Distillation | None,
        loss: str,
        folds: int,
        mono: Mono,
        y_bounds: Bounds,
        over: Passes,
    ) -> None:
        self._model, self._loss, self._folds, self._over = model, loss, folds, over
        functions = {} if distilled is None else ranged_functions(distilled)
        self._start = parameters(model)
        ranged = [(start, term) for start, (term, _) in functions.items()]
        self.surveyed = SurveyedRows(model, without_offsets(model), ranged)
        normal = NormalRows(model, loss, self._start, folds)
        over.over(self.surveyed, normal)
        if not self.surveyed.rows:
            raise InputError("X has no rows; refining needs labelled rows")
        self._normal = normal.found()
        self._weight = float(self._normal.weight.sum())
        if not self._weight:
            raise InputError("every weight is 0; give some row a positive weight")
        check_minimum(loss, *self.surveyed.labels)
        spans = self.surveyed.spans()
        self.parts = [
            Block(one.curve, one.start, one.size, one.summand, spans[one.start]) for one in blocks(model, None)
        ]
        ranges = with_own_values(self.surveyed.ranges(), functions)
        self.constraints: Constraints = constraints_of(self.parts, len(self._start), mono, y_bounds, ranges)
        scale = float(self._normal.second.sum()) / self._weight
        self._penalty = scale * penalty(self.parts, len(self._start))
        self.before = float(self._normal.loss.sum()) / self._weight
        self._is_quadratic = POINTWISE[loss].constant and is_linear(model)
        self._at = self._start, self._normal  # the last values that were found, and the rows there

    def _step(self, theta: FloatArray, gradient: FloatArray, curvature: FloatArray, ridge: float) -> FloatArray:
        return newton_step(curvature + ridge * self._penalty, gradient, self.constraints, theta)

    def held_out(self, *, learned: bool) -> tuple[Tried, ...]:
        """The loss of every ridge on the rows held out, in one pass.

        As :func:`curvec.refine.ridge_choice.held_out`, with one partition into folds, by the rows' hashes, and for
        each fold and ridge one Newton step from the values refined on all rows under a small ridge, which take some
        passes to be found. For the squared loss of a model that is linear in its values the first step is exact.

        Raises:
            InputError: a fold has no rows.

        """
        normal, anchor = self._normal, self._start
        if not self._is_quadratic:
            self.solve(_SMALL)
        if not normal.weight.all():
            raise InputError(
                f"folds={self._folds}: rows fall into folds by a hash of each, and one has none of positive "
                "weight; use fewer folds, or give the ridge"
            )
        learning = None
        if learned:
            gradient, curvature = (sums.sum(axis=0) / self._weight for sums in (normal.gradient, normal.matrix))
            learning = nearest_ridge(self._step, anchor, gradient, curvature, self._penalty)
        pairs = [self._without(fold, learning) for fold in range(self._folds)]
        part = HeldOutRows(
            self._model, self._loss, np.array([before for before, _ in pairs]), np.array([after for _, after in pairs])
        )
        self._over.over(part)
        return part.tried(RIDGES)

    def _without(self, fold: int, learning: float | None) -> tuple[FloatArray, FloatArray]:
        """The values as if a fold had not been seen, and (ridges, p) refined on all others from there."""
        start, (theta, normal) = self._start, self._at
        if learning is not None:
            first = self._normal
            share, weight = first.rows[fold] / first.rows.sum(), first.weight[fold]
            gradient, curvature = self._inside(first, fold)
            change = share * (gradient - first.gradient[fold] / weight)
            start = start + self._step(start, change, curvature, learning)
        gradient, curvature = self._inside(normal, fold)
        after = []
        for ridge in RIDGES:
            there = gradient + ridge * (self._penalty @ (theta - start))
            after.append(theta + self._step(theta, there, curvature, ridge))
        return start, np.array(after)

    def _inside(self, normal: Normal, fold: int) -> tuple[FloatArray, FloatArray]:
        """The mean gradient and matrix of the rows that are not in a fold."""
        weight = self._weight - normal.weight[fold]
        gradient = normal.gradient.sum(axis=0) - normal.gradient[fold]
        return gradient / weight, (normal.matrix.sum(axis=0) - normal.matrix[fold]) / weight

    def solve(self, ridge: float) -> FloatArray:
        """The values with the least loss plus ridge, by Newton steps of a pass each, from the last ones found.

        Raises:
            FitError: no convergence in the passes that there may be.

        """
        theta, normal = self._at
        step, share = self._newton(normal, theta, ridge), 1.0
        if self._is_quadratic:
            return theta + step
        now = self._objective(normal, theta, ridge)
        for _ in range(_NEWTON):
            part = NormalRows(self._model, self._loss, theta + share * step, self._folds)
            self._over.over(part)
            found = part.found()
            then = self._objective(found, theta + share * step, ridge)
            small = GAIN[True] * (1.0 + abs(now))
            if then <= now:
                theta, gain, now, share = theta + share * step, now - then, then, 1.0
                self._at = theta, found
                step = self._newton(found, theta, ridge)
                if gain <= small:
                    return theta
            elif then - now <= small:
                return theta
            else:
                share /= 2
        raise FitError(f"refining did not converge in {_NEWTON} passes; use a larger ridge")

    def curvature(self) -> FloatArray:
        """(p, p) of the mean loss, at the last values that were found."""
        matrix: FloatArray = self._at[1].matrix.sum(axis=0) / self._weight
        return matrix

    def _newton(self, normal: Normal, theta: FloatArray, ridge: float) -> FloatArray:
        gradient = normal.gradient.sum(axis=0) / self._weight + ridge * (self._penalty @ (theta - self._start))
        return self._step(theta, gradient, normal.matrix.sum(axis=0) / self._weight, ridge)

    def _objective(self, normal: Normal, theta: FloatArray, ridge: float) -> float:
        away = theta - self._start
        return float(normal.loss.sum()) / self._weight + 0.5 * ridge * float(away @ self._penalty @ away)

    def loss_of(self, model: CurveModel) -> float:
        """The loss of another model, in one pass."""
        part = ValueRows(model, self._loss)
        self._over.over(part)
        return part.mean()
