"""The exact minimum of a strictly convex quadratic function under linear inequalities."""

from __future__ import annotations

from typing import Literal

import numpy as np

from curvec._core import check_stopped
from curvec.errors import FitError
from curvec.parameters.constraints import Constraints
from curvec.transforms import FloatArray

_JITTER = 1e-9
"""Added to the Hessian's diagonal, as a share of it: to raise a curve and lower the intercept changes no score, and
levels without rows change nothing, so the Hessian alone is singular. Not as a share of its mean: beside the coefficient
of a column of thousands, that of a column of hundredths would hardly move."""

_BLOCK = 1000
"""Rows and columns of a block, so that no call of LAPACK takes long."""


def newton_step(hessian: FloatArray, gradient: FloatArray, constraints: Constraints, theta: FloatArray) -> FloatArray:
    """The step from ``theta`` to the least value of a quadratic function, constraints obeyed.

    Args:
        hessian: (p, p) symmetric, not negative.
        gradient: (p,) at ``theta``.
        constraints: what ``theta`` plus the step obeys.
        theta: (p,).

    """
    sizes = np.diag(hessian)
    jitter = _JITTER * np.where(sizes > 0, sizes, max(float(sizes.max()), 1e-12))
    hessian = hessian + np.diag(jitter)
    return minimise(hessian, gradient, constraints.matrix, constraints.least - constraints.matrix @ theta)


def minimise(hessian: FloatArray, gradient: FloatArray, constraints: FloatArray, least: FloatArray) -> FloatArray:
    """The d that minimises d' H d / 2 + g' d where ``constraints @ d >= least``.

    Least distance programming by non-negative least squares (Lawson and Hanson 1974, chapter 23): with H = R'R the
    problem is the point nearest to the origin, in the coordinates R d + R^-T g, that obeys the constraints.

    Args:
        hessian: (p, p) symmetric, positive definite.
        gradient: (p,).
        constraints: (m, p), m may be 0.
        least: (m,).

    Raises:
        FitError: no d obeys the constraints, or none was found.

    """
    from scipy.optimize import nnls

    upper = _cholesky(hessian)
    free = -_solved(upper, _solved(upper, gradient, "T"))
    if not len(constraints) or np.all(constraints @ free >= least):
        return free
    scaled = np.hstack(
        [_solved(upper, constraints[start : start + _BLOCK].T, "T") for start in range(0, len(constraints), _BLOCK)]
    )
    gap = least - constraints @ free
    size = max(float(np.abs(gap).max()), 1e-300)
    system = np.vstack([scaled, gap / size])
    target = np.zeros(len(system))
    target[-1] = 1.0
    steps = 30 * len(constraints)
    try:
        multipliers, _ = nnls(system, target, maxiter=steps)
    except RuntimeError:  # scipy's word for it
        raise FitError(
            f"the best values under the constraints were not found in {steps} steps; use a larger ridge"
        ) from None
    residual = system @ multipliers - target
    if not residual[-1] < -1e-14:
        raise FitError("no values obey the monotonicity and the bounds together")
    step: FloatArray = free + size * _solved(upper, -residual[:-1] / residual[-1])
    return step


def _cholesky(matrix: FloatArray) -> FloatArray:
    """(p, p) the upper triangular R with R'R the matrix, by blocks: nothing interrupts LAPACK's whole one."""
    from scipy.linalg import cholesky

    size = len(matrix)
    rest = matrix.copy() if size > _BLOCK else matrix
    upper = np.zeros_like(matrix)
    for start in range(0, size, _BLOCK):
        stop = start + _BLOCK
        check_stopped()
        corner = upper[start:stop, start:stop] = cholesky(rest[start:stop, start:stop])
        for first in range(stop, size, _BLOCK):
            last = first + _BLOCK
            check_stopped()
            upper[start:stop, first:last] = _solved(corner, rest[start:stop, first:last], "T")
            rest[stop:last, first:last] -= upper[start:stop, stop:last].T @ upper[start:stop, first:last]
    return upper


def _solved(upper: FloatArray, right: FloatArray, trans: Literal["N", "T"] = "N") -> FloatArray:
    """The solution of R x = b, or of R'x = b."""
    from scipy.linalg import solve_triangular

    check_stopped()
    result: FloatArray = solve_triangular(upper, right, trans=trans)
    return result
