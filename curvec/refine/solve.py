"""The minimisation: Newton steps on loss plus ridge, each an exact quadratic program, with a line search."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec._core import check_stopped
from curvec.data import Table
from curvec.errors import FitError
from curvec.evaluate import raw_score
from curvec.fields import changed
from curvec.model import CurveModel
from curvec.parameters.constraints import Constraints
from curvec.parameters.design import design, is_linear, with_parameters
from curvec.parameters.quadratic import newton_step
from curvec.refine.losses import Loss, Rows
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import scipy.sparse as sp

_MANY = 200_000
"""Of more rows no copy is made, and the curvature, which only leads the steps, is that of so many of them."""

_ITERATIONS = 100

GAIN = {True: 1e-9, False: 1e-5}
"""The search ends with a step that gains no more than this share of 1 + |objective|: by whether the loss's curvature is
exact, or a bound, with which steps go on gaining ever less for long."""


class Problem(msgspec.Struct):
    """Rows with labels, and the model whose values are sought.

    Attributes:
        model: the model, at the values it starts from.
        table: the rows.
        loss: the loss on their labels.
        constraints: what the values must obey.
        penalty: (p, p) the ridge: its cost of a change d of the values is d' penalty d / 2, times its size.
        rows: which rows of ``table`` the loss has; None for all.

    """

    model: CurveModel
    table: Table
    loss: Loss
    constraints: Constraints
    penalty: FloatArray
    rows: Rows | None = None
    _basis: sp.csr_array | None = None
    _fixed: FloatArray | None = None
    _picked: Rows | None = None
    _curvature: FloatArray | None = None
    _gained: float = 1.0
    _last: tuple[FloatArray, FloatArray] | None = None

    def __post_init__(self) -> None:
        """Take the derivative once where it is the same everywhere, and what no value changes: offsets and defaults."""
        if self._basis is None and is_linear(self.model):
            self._basis = design(self.model, self.table)
            without = with_parameters(self.model, np.zeros(self._basis.shape[1]))
            self._fixed = raw_score(without.terms, 0.0, self.table)

    def restricted_to(self, rows: Rows) -> Problem:
        """The same problem on some of the rows."""
        rows = rows if self.rows is None else self.rows[rows]
        loss = self.loss.restricted_to(rows if self.rows is None else np.searchsorted(self.rows, rows))
        part = changed(self, loss=loss, rows=rows, _curvature=None, _last=None)
        if self._basis is None or self._fixed is None:
            return part
        if len(rows) > _MANY:
            return changed(part, _picked=rows)
        return changed(part, _basis=self._basis[rows], _fixed=self._fixed[rows], _picked=None)

    def score(self, theta: FloatArray) -> FloatArray:
        """(rows,) the raw score; linear models without a pass over the table. The last one is kept."""
        if self._last is None or not np.array_equal(self._last[0], theta):
            self._last = theta.copy(), self._score(theta)
        return self._last[1]

    def _score(self, theta: FloatArray) -> FloatArray:
        if self._basis is not None and self._fixed is not None:
            known: FloatArray = self._basis @ theta + self._fixed
            return known if self._picked is None else known[self._picked]
        model = with_parameters(self.model, theta)
        values = raw_score(model.terms, model.intercept, self.table)
        return values if self.rows is None else values[self.rows]

    def derivative(self, theta: FloatArray, rows: Rows | None = None) -> sp.csr_array:
        """(rows, p) the score's derivative at ``theta``; of some of the rows where they are given."""
        if self._basis is not None:
            basis, own = self._basis, self._picked
        else:
            basis, own = design(with_parameters(self.model, theta), self.table), self.rows
        if rows is not None:
            own = rows if own is None else own[rows]
        return basis if own is None else basis[own]

    def gradient(self, theta: FloatArray) -> FloatArray:
        """(p,) of the loss."""
        slopes = self.loss.gradient(self.score(theta))
        if self._basis is None or self._picked is None:
            result: FloatArray = self.derivative(theta).T @ slopes
            return result
        everywhere = np.zeros(self._basis.shape[0])
        everywhere[self._picked] = slopes
        whole: FloatArray = self._basis.T @ everywhere
        return whole

    def curvature(self, theta: FloatArray) -> FloatArray:
        """(p, p) of the loss: of a sample where there are many rows; taken once where it is the same everywhere."""
        if self._curvature is not None and self._is_quadratic:
            return self._curvature
        rows = sampled_rows(self.loss.groups, _MANY) if self._samples_curvature else None
        loss, score = (
            (self.loss, self.score(theta)) if rows is None else (self.loss.restricted_to(rows), self.score(theta)[rows])
        )
        self._curvature = loss.curvature(score, self.derivative(theta, rows))
        return self._curvature

    @property
    def _samples_curvature(self) -> bool:
        """Whether the curvature is that of some of the rows."""
        return len(self.loss.groups) > _MANY and not self._is_quadratic

    @property
    def _is_quadratic(self) -> bool:
        """Whether the loss is a quadratic function of the values."""
        return self.loss.constant and self._basis is not None

    def descent(self, theta: FloatArray, gradient: FloatArray, curvature: FloatArray, ridge: float) -> FloatArray:
        """The step from ``theta`` against any gradient, by the loss's curvature and a ridge, constraints obeyed."""
        hessian = curvature + ridge * self.penalty
        if self.loss.relative:  # the intercept moves no loss: what is left of its derivatives is rounding
            hessian[-1], hessian[:, -1] = 0.0, 0.0
            gradient = np.append(gradient[:-1], 0.0)
        return newton_step(hessian, gradient, self.constraints, theta)

    def objective(self, theta: FloatArray, ridge: float, anchor: FloatArray) -> float:
        """Loss plus ridge."""
        check_stopped()
        away = theta - anchor
        return self.loss.value(self.score(theta)) + 0.5 * ridge * float(away @ self.penalty @ away)

    def solve(
        self,
        ridge: float,
        anchor: FloatArray,
        start: FloatArray,
        deadline: float = math.inf,
        least_gain: float = 0.0,
    ) -> tuple[FloatArray, bool]:
        """The values with the least loss plus ``ridge`` times the penalty of the way from ``anchor``.

        The second is whether they are that: at the deadline, of the monotonic clock, the search ends where it is, not
        above where it began. A step that gains less than ``least_gain``, as a share of 1 + |objective|, ends it, too.

        The curvature is what takes time. That of the last values asked for is used for as long as steps by it gain
        what it foretells, or where it is of some of the rows, the same share of it as its first step; then it is taken
        anew. A loss that is not convex has no one least: there every step lowers it, and the last of many is good
        enough.

        Raises:
            FitError: no convergence.

        """
        theta, now = start, self.objective(start, ridge, anchor)
        for _ in range(_ITERATIONS):
            if time.monotonic() >= deadline:
                return theta, False
            fresh = self._curvature is None
            curvature = self.curvature(theta) if self._curvature is None else self._curvature
            gradient = self.gradient(theta) + ridge * (self.penalty @ (theta - anchor))
            step = self.descent(theta, gradient, curvature, ridge)
            share, then = self._line_search(theta, step, now, ridge, anchor)
            gain, foretold = now - then, _fall(gradient, curvature + ridge * self.penalty, step)
            if fresh:
                self._gained = gain / foretold if self._samples_curvature and foretold > 0 else 1.0
            foretold *= self._gained
            if gain >= 0:
                theta, now = theta + share * step, then
            if self._is_quadratic and share == 1.0:
                return theta, True  # a full Newton step ends at the minimum of a quadratic function
            small = gain <= max(least_gain, GAIN[self.loss.exact]) * (1.0 + abs(now))
            if small and (fresh or not self.loss.exact or 0.7 * foretold <= gain <= 1.3 * foretold):
                return theta, True
            if gain < 0.7 * foretold or (self.loss.exact and gain > 1.3 * foretold):
                self._curvature = None
        if not self.loss.exact:
            return theta, True
        raise FitError(f"refining did not converge in {_ITERATIONS} Newton steps; use a larger ridge")

    def _line_search(
        self, theta: FloatArray, step: FloatArray, now: float, ridge: float, anchor: FloatArray
    ) -> tuple[float, float]:
        """The share of the step to go, and the objective there: halved from 1 until it is not above ``now``.

        Above it where no share does: no descent is left in double precision. Steps by a bound of the curvature are too
        short: such a share is doubled for as long as that gains.
        """
        share, then = 1.0, self.objective(theta + step, ridge, anchor)
        while not then <= now and share > 1e-10:
            share /= 2
            then = self.objective(theta + share * step, ridge, anchor)
        while not self.loss.exact and share >= 1.0 and self.constraints.obeyed_by(theta + 2 * share * step):
            further = self.objective(theta + 2 * share * step, ridge, anchor)
            if not further < then:
                break
            share, then = 2 * share, further
        return share, then


def _fall(gradient: FloatArray, hessian: FloatArray, step: FloatArray) -> float:
    """By how much a quadratic function falls along a step."""
    return -float(gradient @ step + 0.5 * (step @ hessian @ step))


def sampled_rows(groups: npt.NDArray[Any], most: int) -> Rows | None:
    """Rows of whole groups (single rows, or those of a query) drawn in a fixed order: so many, or None for all."""
    if len(groups) <= most:
        return None
    _, place, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = np.random.default_rng(0).permutation(len(sizes))
    drawn = np.zeros(len(sizes), dtype=bool)
    drawn[order[: 1 + np.searchsorted(np.cumsum(sizes[order]), most)]] = True
    return np.flatnonzero(drawn[place])


def folds_of(loss: Loss, folds: int, partition: int = 0) -> Sequence[Rows]:
    """The rows of each fold: groups (single rows, or those of a query) dealt out in a shuffled order.

    The order is a fixed one for each ``partition``.
    """
    groups, place = np.unique(loss.groups, return_inverse=True)
    fold = np.random.default_rng(partition).permutation(len(groups)) % folds
    return [np.flatnonzero(fold[place] == one) for one in range(folds)]
