"""How sure the values of a fitted curve are: the sandwich estimate of their covariance (White 1980).

Given its knots a curve is linear in the y of its points, so these are a linear regression's coefficients. Residuals are
weighted as in HC3 (MacKinnon and White 1985), so that neither equal variances nor a curve that is right everywhere is
assumed.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import check, is_number
from curvec.condense import Rows
from curvec.data import Table, rows_of
from curvec.fit.options import Options
from curvec.ir import PWLCurve
from curvec.transforms import FloatArray

_NOTHING_LEFT = 1e-9
"""A row that decides a value alone has a leverage of 1; less than this below it is rounding."""
_ROUNDING = 1e-12
"""An eigenvalue below this, of a matrix whose diagonal is 1, is a zero."""


class Uncertainty(msgspec.Struct, frozen=True):
    """The covariance of a curve's values: the y of its points, then those of its special codes.

    Attributes:
        covariance: (p, p) of those that the rows tell.
        unknown: (p, p) above zero in the directions that the rows do not tell, in which any value fits as well.

    """

    covariance: FloatArray
    unknown: FloatArray


class _Design(msgspec.Struct, frozen=True):
    """Each row's value as a mixture of two of the curve's values, ``left`` and ``right``.

    Attributes:
        left: (n,) the index of one.
        right: (n,) of the other.
        entries: (n, 2) how much of each; 0 where the input is missing.

    """

    left: npt.NDArray[np.intp]
    right: npt.NDArray[np.intp]
    entries: FloatArray

    def gram(self, weights: FloatArray, size: int) -> FloatArray:
        """(size, size) the weighted sum of the rows' outer products."""
        ends, out = (self.left, self.right), np.zeros(size * size)
        for a, first in enumerate(ends):
            for b, second in enumerate(ends):
                products = weights * self.entries[:, a] * self.entries[:, b]
                out += np.bincount(first * size + second, products, size * size)
        return out.reshape(size, size)

    def variance(self, covariance: FloatArray) -> FloatArray:
        """(n,) of each row's value."""
        a, b = self.entries.T
        left, right = self.left, self.right
        own = a * a * covariance[left, left] + b * b * covariance[right, right]
        return np.asarray(np.maximum(own + 2.0 * a * b * covariance[left, right], 0.0))


def _design(curve: PWLCurve, table: Table) -> _Design:
    weights, count = curve.weights(table), len(curve.points)
    left, right, entries = np.zeros(table.rows, np.intp), np.zeros(table.rows, np.intp), np.zeros((table.rows, 2))
    for side, (column, half) in enumerate(zip((left, right), np.split(np.arange(len(weights.rows)), 2), strict=True)):
        column[weights.rows[half]] = weights.columns[half]
        entries[weights.rows[half], side] = weights.entries[half]
    x = table.number(str(curve.feature))
    for place, code in enumerate(curve.special):
        at = x == code
        left[at], right[at], entries[at] = count + place, count + place, (1.0, 0.0)
    return _Design(left, right, entries)


def uncertainty(curve: PWLCurve, rows: Rows, options: Options) -> Uncertainty:
    """How sure the curve's values are, its knots, transform and number of segments taken as given.

    A y that was given (``through``) is sure; equal ends (``periodic``) are one value. A row that decides a value alone
    leaves no residual: it has the mean variance of the others. The rows are those that the curve was fitted to, and
    those at special codes.
    """
    name = str(curve.feature)
    design, size = _design(curve, Table({name: rows.x}, curve.features)), len(curve.points) + len(curve.special)
    w = np.ones(len(rows.x)) if rows.w is None else rows.w / rows.w_max
    free = _free_values(curve, options)
    inverse, unknown = _inverse(free.T @ design.gram(w, size) @ free)
    spread = free @ inverse @ free.T
    left = 1.0 - w * design.variance(spread)
    own, squares = left > _NOTHING_LEFT, (rows.y - curve({name: rows.x})) ** 2
    freedom = float(left[own].sum() - np.count_nonzero(w[own] == 0))
    if freedom <= _NOTHING_LEFT:
        return Uncertainty(np.zeros((size, size)), free @ free.T)
    mean = float(np.dot(w, squares)) / freedom
    variances = np.where(own, w * w * squares / np.where(own, left, 1.0) ** 2, w * mean)
    meat = free.T @ design.gram(variances, size) @ free
    return Uncertainty(free @ inverse @ meat @ inverse @ free.T, free @ unknown @ free.T)


def _free_values(curve: PWLCurve, options: Options) -> FloatArray:
    """(p, f) the curve's values from those that the rows decide: given ones are left out, equal ends are one."""
    count, codes = len(curve.points), len(curve.special)
    out, given = np.eye(count + codes), np.isin(curve.breaks, options.through[:, 0])
    if options.periodic:
        out[count - 1, 0] = 1.0
        given[0] |= given[-1]
        given[-1] = True  # the first column is for both
    return out[:, ~np.concatenate([given, np.zeros(codes, np.bool_)])]


def _inverse(gram: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The inverse (f, f) where there is one, and a matrix (f, f) that is above zero in the directions without."""
    scale = np.sqrt(np.diag(gram))
    scale[scale == 0] = 1.0
    values, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
    told = values > _ROUNDING * len(values)
    basis, rest = vectors[:, told] / scale[:, None], vectors[:, ~told]
    return (basis / values[told]) @ basis.T, rest @ rest.T


def band(curve: PWLCurve, estimate: Uncertainty, x: Any, level: float) -> FloatArray:
    """What :meth:`curvec.Fit.band` does."""
    from statistics import NormalDist  # noqa: PLC0415  it loads a dozen modules

    share = is_number(level) and 0 < level < 1
    check("level", level, "it is the share of bands that hold the curve: 0 < level < 1, such as 0.95", holds=share)
    table, shape = rows_of(x, curve.features)
    design, centre = _design(curve, table), curve.at_rows(table)
    reach = NormalDist().inv_cdf(0.5 + level / 2) * np.sqrt(design.variance(estimate.covariance))
    reach[design.variance(estimate.unknown) > _ROUNDING] = np.inf
    return np.stack([centre - reach, centre + reach], axis=-1).reshape(*shape, 2)
