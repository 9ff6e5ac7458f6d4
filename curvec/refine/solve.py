"""The minimisation: Newton steps on loss plus ridge, each an exact quadratic program, with a line search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from curvec.data import Table
from curvec.errors import FitError
from curvec.evaluate import raw_score
from curvec.model import CurveModel
from curvec.refine.constraints import Constraints
from curvec.refine.design import design, is_linear, with_parameters
from curvec.refine.losses import Loss
from curvec.refine.quadratic import minimise
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["Problem", "folds_of"]

_JITTER = 1e-9
"""Added to the Hessian's diagonal, as a share of its mean: to raise a curve and lower the intercept changes no score,
and levels without rows change nothing, so the Hessian alone is singular."""

_ITERATIONS = 100


@dataclass
class Problem:
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
    rows: np.ndarray[tuple[int], np.dtype[np.intp]] | None = None
    _basis: sp.csr_array | None = field(default=None, repr=False)
    _curvature: FloatArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Take the derivative once where it is the same everywhere."""
        if self._basis is None and is_linear(self.model):
            self._basis = design(self.model, self.table)

    def on(self, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Problem:
        """The same problem on some of the rows."""
        basis = None if self._basis is None else self._basis[rows]
        return replace(self, loss=self.loss.on(rows), rows=rows, _basis=basis, _curvature=None)

    def score(self, theta: FloatArray) -> FloatArray:
        """(rows,) the raw score; linear models without a pass over the table."""
        if self._basis is not None:
            known: FloatArray = self._basis @ theta
            return known
        model = with_parameters(self.model, theta)
        values = raw_score(model.terms, model.intercept, self.table)
        return values if self.rows is None else values[self.rows]

    def derivative(self, theta: FloatArray) -> sp.csr_array:
        """(rows, p) the score's derivative at ``theta``."""
        if self._basis is not None:
            return self._basis
        full = design(with_parameters(self.model, theta), self.table)
        return full if self.rows is None else full[self.rows]

    def gradient(self, theta: FloatArray) -> FloatArray:
        """(p,) of the loss."""
        result: FloatArray = self.derivative(theta).T @ self.loss.gradient(self.score(theta))
        return result

    def curvature(self, theta: FloatArray) -> FloatArray:
        """(p, p) of the loss; kept where it is the same everywhere."""
        if self._curvature is not None:
            return self._curvature
        result = self.loss.curvature(self.score(theta), self.derivative(theta))
        if self.loss.constant and self._basis is not None:
            self._curvature = result
        return result

    def step(self, theta: FloatArray, ridge: float, anchor: FloatArray) -> FloatArray:
        """The Newton step from ``theta``, constraints obeyed, with a ridge towards ``anchor``."""
        gradient = self.gradient(theta) + ridge * (self.penalty @ (theta - anchor))
        return self.descent(theta, gradient, self.curvature(theta), ridge)

    def descent(self, theta: FloatArray, gradient: FloatArray, curvature: FloatArray, ridge: float) -> FloatArray:
        """The step from ``theta`` against any gradient, by the loss's curvature and a ridge, constraints obeyed."""
        hessian = curvature + ridge * self.penalty
        hessian = hessian + _JITTER * max(float(np.trace(hessian)) / len(theta), 1e-12) * np.eye(len(theta))
        matrix = self.constraints.matrix
        return minimise(hessian, gradient, matrix, self.constraints.least - matrix @ theta)

    def objective(self, theta: FloatArray, ridge: float, anchor: FloatArray) -> float:
        """Loss plus ridge."""
        away = theta - anchor
        return self.loss.value(self.score(theta)) + 0.5 * ridge * float(away @ self.penalty @ away)

    def solve(self, ridge: float, anchor: FloatArray, start: FloatArray) -> FloatArray:
        """The values with the least loss plus ``ridge`` times the penalty of the way from ``anchor``.

        Raises:
            FitError: no convergence.

        """
        theta, now = start, self.objective(start, ridge, anchor)
        exact = self.loss.constant and self._basis is not None  # a quadratic: its first full step is its least
        for _ in range(_ITERATIONS):
            step = self.step(theta, ridge, anchor)
            share, then = 1.0, self.objective(theta + step, ridge, anchor)
            while not then <= now and share > 1e-10:
                share /= 2
                then = self.objective(theta + share * step, ridge, anchor)
            if not then <= now:
                return theta  # no descent is left in double precision
            theta, gain, now = theta + share * step, now - then, then
            if gain <= 1e-9 * (1.0 + abs(now)) or (exact and share == 1.0):
                return theta
        raise FitError(f"refining did not converge in {_ITERATIONS} Newton steps; use a larger ridge")


def folds_of(loss: Loss, folds: int, partition: int = 0) -> Sequence[np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """The rows of each fold: groups (single rows, or those of a query) dealt out in a shuffled order.

    The order is a fixed one for each ``partition``.
    """
    groups, place = np.unique(loss.groups, return_inverse=True)
    fold = np.random.default_rng(partition).permutation(len(groups)) % folds
    return [np.flatnonzero(fold[place] == one) for one in range(folds)]
