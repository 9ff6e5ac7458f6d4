"""The exact minimum of a strictly convex quadratic function under linear inequalities."""

from __future__ import annotations

import numpy as np

from curvec.errors import FitError
from curvec.transforms import FloatArray


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
        FitError: no d obeys the constraints.

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
    multipliers, _ = nnls(system, target, maxiter=30 * len(constraints))
    residual = system @ multipliers - target
    if not residual[-1] < -1e-14:
        raise FitError("no values obey the monotonicity and the bounds together")
    step: FloatArray = free + size * solve_triangular(upper, -residual[:-1] / residual[-1])
    return step
