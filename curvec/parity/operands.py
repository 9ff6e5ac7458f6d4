"""The largest operand behind each result: how large the numbers are that a model adds, subtracts and multiplies.

A difference is measured in ULP of the largest operand. After a cancellation the result is small, but the rounding
errors are still those of the operands, so ULP of the result would count noise. The operands of ``y_k + s_k (u - u_k)``
are y_k and s_k (u - u_k); if u is a logarithm, which is rounded, s_k u and s_k u_k. Those of a sum are its terms'
operands and its partial sums; that of a product is the product of its factors' operands; that of a curve over a sum is
the sum's operand times the curve's steepest slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.contract import GROUP, segment_of, segments
from curvec.data import Table
from curvec.evaluate import columns_of, raw_score, term_values
from curvec.ir import Product, PWLCurve, Sum, Term, walk
from curvec.links import Link, link
from curvec.model import CurveModel
from curvec.transforms import FloatArray, transform

Flags: TypeAlias = npt.NDArray[np.bool_]


class Operands(msgspec.Struct, frozen=True):
    """The largest operand behind each result, and where the arithmetic leaves the doubles.

    Attributes:
        terms: (rows, T) of each term.
        score: (rows,) of the raw score.
        prediction: (rows,) of the prediction.
        overflow: (rows,) whether some operation on finite numbers gives an infinity.
        underflow: (rows,) whether some Product or Line of factors that are not zero gives zero.

    """

    terms: FloatArray
    score: FloatArray
    prediction: FloatArray
    overflow: Flags
    underflow: Flags

    def take(self, rows: npt.NDArray[np.intp]) -> Operands:
        """Those of some rows."""
        terms, flags = self.terms[rows], (self.overflow[rows], self.underflow[rows])
        return Operands(terms, self.score[rows], self.prediction[rows], *flags)


def has_log(term: Term) -> bool:
    """Whether a term has a logarithm in it."""
    return any(node.fx != "identity" for node in walk(term))


def operands(model: CurveModel, table: Table) -> Operands:
    """The operands of every row (see the module)."""
    with np.errstate(all="ignore"):
        walker = _Walk(table)
        terms = [walker.term(term) for term in model.terms]
        score = walker.added([term_values(term, table) for term in model.terms], terms, model.intercept)
        total = raw_score(model.terms, model.intercept, table)
        prediction = _after_link(link(model.link), total, score)
    return Operands(columns_of(terms, table.rows), score, prediction, walker.overflow, walker.underflow)


def _after_link(by: Link, total: FloatArray, score: FloatArray) -> FloatArray:
    """The larger of the score's operand times the slope of the link's inverse, and the prediction itself."""
    prediction = by.inverse(total)
    return _largest(np.abs(prediction), by.slope(prediction) * score)


def _largest(*arrays: FloatArray) -> FloatArray:
    """Elementwise, NaN ignored."""
    found: FloatArray = np.fmax.reduce(arrays)
    return found


class _Walk:
    """One pass over the nodes: the operand of each, with the flags on the side."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.overflow = np.zeros(table.rows, dtype=bool)
        self.underflow = np.zeros(table.rows, dtype=bool)

    def term(self, term: Term) -> FloatArray:
        match term:
            case PWLCurve():
                return self.curve(term)
            case Sum():
                values = [term_values(child, self.table) for child in term.terms]
                return self.added(values, [self.term(child) for child in term.terms])
            case Product():
                return self.multiplied(term)
            case _:
                for child in term.children:  # for its flags
                    self.term(child)
                found = term_values(term, self.table)
                if term.feature and not term.ordinates:  # a multiple of the feature, without bounds
                    self.check_unbounded(term, term.feature, found)
                return np.abs(found)

    def curve(self, curve: PWLCurve) -> FloatArray:
        x = curve.input_at_rows(self.table)
        parts = segments(curve.points, curve.fx)
        clamped, k = segment_of(x, parts)
        u, slope = transform(curve.fx).forward(clamped), np.abs(parts.slope)
        far = np.abs(u - parts.u[k]) if curve.fx == "identity" else np.maximum(np.abs(u), np.abs(parts.u[k]))
        size = _largest(np.abs(parts.y[k]), slope[k] * far, np.abs(term_values(curve, self.table)))
        if isinstance(curve.input, str):
            return size
        carried = slope.max() * transform(curve.fx).derivative(clamped) * self.term(curve.input)
        return _largest(size, np.where(x == clamped, carried, 0.0))

    def added(
        self, values: Sequence[FloatArray], sizes: Sequence[FloatArray], start: float | None = None
    ) -> FloatArray:
        """The largest of the terms' operands and the partial sums, in the contract's groups."""
        largest = _largest(*sizes, np.full(self.table.rows, abs(start or 0.0)))
        groups: list[FloatArray] = []
        for first in range(0, len(values), GROUP):
            group = list(values[first : first + GROUP])
            if not first and start is not None:
                group.insert(0, np.full(self.table.rows, start))
            groups.append(self.chain(group, largest))
        if groups:
            self.chain(groups, largest)
        return largest

    def chain(self, values: Sequence[FloatArray], largest: FloatArray) -> FloatArray:
        """Add left to right, raising ``largest`` in place."""
        total = values[0]
        for value in values[1:]:
            after = total + value
            self.overflow |= np.isinf(after) & np.isfinite(total) & np.isfinite(value)
            np.fmax(largest, np.abs(after), out=largest)
            total = after
        return total

    def multiplied(self, product: Product) -> FloatArray:
        size = self.term(product.factors[0])
        value = term_values(product.factors[0], self.table)
        for factor in product.factors[1:]:
            other = term_values(factor, self.table)
            self.check_product(value, other)
            value, size = value * other, size * self.term(factor)
        return _largest(size, np.abs(value))

    def check_unbounded(self, term: Term, feature: str, values: FloatArray) -> None:
        weights = term.weights(self.table)
        zero = (values[weights.rows] == 0.0) & (weights.entries != 0.0)
        self.underflow[weights.rows[zero & (np.array(term.coefficients)[weights.columns] != 0.0)]] = True
        self.overflow |= np.isinf(values) & np.isfinite(self.table.number(feature))

    def check_product(self, left: FloatArray, right: FloatArray) -> None:
        result = left * right
        self.overflow |= np.isinf(result) & np.isfinite(left) & np.isfinite(right)
        self.underflow |= (result == 0.0) & (left != 0.0) & (right != 0.0)
