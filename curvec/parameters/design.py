"""A model as a function of its y values: the vector of them, the score, and its derivative.

The parameters of a model are, in the order of its terms and depth first, the coefficient of a line, every y of a
curve, value of a step curve and value of a table, each followed by the values of the node's special codes and at a
missing input where it has such; then the intercept. Knots, levels, transforms, offsets and the value at an unseen level
are not parameters, and neither is a line's coefficient of 1 inside a sum or a product: that is the feature itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from curvec._core import check_stopped
from curvec.data import Table
from curvec.ir import Line, Term, changed, is_offset, walk
from curvec.model import CurveModel
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    import scipy.sparse as sp

_DENSE = 0.1
"""The share of entries that are not 0 from which dense blocks are faster than sparse products."""

_PRODUCTS = 5e7
"""Multiplications of numbers in one sparse product: a third of a second."""

_BLOCK = 4096
"""Rows of a dense block at most."""

_DENSE_PRODUCTS = 2e9
"""Multiplications of numbers in one dense product: some tenths of a second."""


class Block(msgspec.Struct, frozen=True):
    """The parameters of one curve.

    Attributes:
        curve: the curve.
        start: where they begin in the vector.
        size: how many values there are, without those of special codes and at a missing input.
        summand: whether its values are added to the score; those of a factor or an inner curve are not.
        span: by how much the curve changes at most when a value changes by 1: 1; for a line, the largest |x|.

    """

    curve: Term
    start: int
    size: int
    summand: bool
    span: float = 1.0

    @property
    def stop(self) -> int:
        """Where the next block begins."""
        return self.start + len(values_of(self.curve))


def curves(term: Term) -> Iterator[Term]:
    """The curves and tables of a term, the inner ones of a nested curve after it."""
    return (node for node in walk(term) if is_refined(node, inner=node is not term))


def is_refined(node: Term, *, inner: bool) -> bool:
    """Whether a node has parameters itself; ``inner``: whether it is part of a term."""
    itself = inner and isinstance(node, Line) and node.coefficient == 1
    return bool(node.coefficients) and not itself and not is_offset(node)


def values_of(curve: Term) -> list[float]:
    """The parameters of a curve, those of its special codes and at a missing input last."""
    return [*curve.coefficients, *curve.special_codes.values(), *([] if curve.missing is None else [curve.missing])]


def blocks(model: CurveModel, table: Table | None) -> list[Block]:
    """One block a curve, in the order of the parameters; without a table every span is 1."""
    result: list[Block] = []
    start = 0
    for term in model.terms:
        for curve in curves(term):
            size = len(curve.coefficients)
            span = _largest(table.number(curve.input)) if table is not None and isinstance(curve, Line) else 1.0
            result.append(Block(curve, start, size, summand=curve is term, span=span))
            start = result[-1].stop
    return result


def _largest(x: FloatArray) -> float:
    """The largest finite |x|; 1 where that is 0."""
    return float(np.max(np.abs(x), initial=0.0, where=np.isfinite(x))) or 1.0


def parameters(model: CurveModel) -> FloatArray:
    """(p,) the parameters; the last one is the intercept."""
    values = [value for term in model.terms for curve in curves(term) for value in values_of(curve)]
    return np.array([*values, model.intercept])


def with_parameters(model: CurveModel, theta: FloatArray) -> CurveModel:
    """The model with other values, everything else as it is."""
    values = iter(theta.tolist())
    terms = [_rebuilt(term, values) for term in model.terms]
    return changed(model, terms=terms, intercept=next(values))


def _rebuilt(term: Term, values: Iterator[float], *, inner: bool = False) -> Term:
    if is_refined(term, inner=inner):
        own = [next(values) for _ in term.coefficients]
        if term.special_codes:
            term = changed(term, special={code: next(values) for code in term.special_codes})
        if term.missing is not None:
            term = changed(term, missing=next(values))
        term = term.with_coefficients(own)
    return term.map_children(lambda child: _rebuilt(child, values, inner=True))


def is_linear(model: CurveModel) -> bool:
    """Whether the score is linear in the parameters: no products of curves and no curves of curves."""
    return all(term.feature is not None for term in model.terms)


def design(model: CurveModel, table: Table) -> sp.csr_array:
    """(rows, p) the derivative of the raw score by the parameters, at the model's own."""
    parts = [_derivative(term, table) for term in model.terms]
    return _joined([*parts, _csr(np.ones((table.rows, 1)))], table.rows)


def weighted_squares(basis: sp.csr_array, weights: FloatArray) -> FloatArray:
    """(p, p) B' W B for a derivative B (rows, p) and weights (rows,), none of them negative."""
    rows, size = basis.shape
    if basis.nnz < _DENSE * rows * size:
        return _sparse_squares(basis, weights)
    roots, result = np.sqrt(weights), np.zeros((size, size))
    some = max(min(_BLOCK, int(_DENSE_PRODUCTS / size**2)), 1)
    for start in range(0, rows, some):
        check_stopped()
        block = basis[start : start + some].toarray() * roots[start : start + some, None]
        result += block.T @ block
    return result


def _sparse_squares(basis: sp.csr_array, weights: FloatArray) -> FloatArray:
    """B' W B by products of some rows each: nothing interrupts one, and that of a million rows takes ten seconds."""
    from scipy.sparse import csr_array

    rows, size = basis.shape
    some = max(int(_PRODUCTS * (rows / max(basis.nnz, 1)) ** 2), 1)
    total = csr_array((size, size))
    for start in range(0, rows, some):
        check_stopped()
        block = basis[start : start + some]
        total = total + block.T @ block.multiply(weights[start : start + some, None]).tocsr()
    result: FloatArray = total.toarray()
    return result


def _derivative(term: Term, table: Table, *, inner: bool = False) -> sp.csr_array:
    inside = (
        _csr(_derivative(child, table, inner=True).multiply(gain[:, None]))
        for child, gain in zip(term.children, term.gains(table), strict=True)
    )
    return _joined([*([_own_derivative(term, table)] if is_refined(term, inner=inner) else []), *inside], table.rows)


def _own_derivative(term: Term, table: Table) -> sp.csr_array:
    """The derivative by the node's own parameters: coefficients, values of special codes, value at a missing input."""
    weights = term.weights(table)
    places = weights.rows, weights.columns
    parts = [_csr((weights.entries, places), shape=(table.rows, len(term.coefficients)))]
    if term.special_codes and isinstance(term.input, str):
        parts.append(_csr(np.equal(table.number(term.input)[:, None], np.array(list(term.special_codes)))))
    if term.missing is not None:
        parts.append(_csr(term.is_missing(table)[:, None]))
    return _joined(parts, table.rows)


def size_of(term: Term) -> int:
    """How many parameters a term has."""
    return sum(len(values_of(curve)) for curve in curves(term))


def _csr(entries: Any, shape: tuple[int, int] | None = None) -> sp.csr_array:
    from scipy.sparse import csr_array

    return csr_array(entries, shape=shape, dtype=np.float64)


def _joined(parts: Sequence[sp.csr_array], rows: int) -> sp.csr_array:
    from scipy.sparse import hstack

    return _csr(hstack(parts, format="csr")) if parts else _csr((rows, 0))
