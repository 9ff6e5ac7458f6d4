"""The exact minimum of a strictly convex quadratic function under linear inequalities."""

from __future__ import annotations

import numpy as np

from curvec.errors import FitError
from curvec.parameters.constraints import Constraints
from curvec.transforms import FloatArray

_JITTER = 1e-9
"""Added to the Hessian's diagonal, as a share of it: to raise a curve and lower the intercept changes no score, and
levels without rows change nothing, so the Hessian alone is singular. Not as a share of its mean: beside the coefficient
of a column of thousands, that of a column of hundredths would hardly move."""


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
    from scipy.linalg import cho_factor, cho_solve, solve_triangular
    from scipy.optimize import nnls

    factor = cho_factor(hessian)
    free = -cho_solve(factor, gradient)
    if not len(constraints) or np.all(constraints @ free >= least):
        return free
    upper = np.triu(factor[0])
    scaled = solve_triangular(upper, constraints.T, trans="T").T
    gap = least - constraints @ free
    size = max(float(np.abs(gap).max()), 1e-300)
    system = np.vstack([scaled.T, gap / size])
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
    step: FloatArray = free + size * solve_triangular(upper, -residual[:-1] / residual[-1])
    return step
