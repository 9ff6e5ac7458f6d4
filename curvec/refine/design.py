"""A model as a function of its y values: the vector of them, the score, and its derivative.

The parameters of a model are, in the order of its terms and depth first, the coefficient of a line, every y of a
curve, value of a step curve and value of a table, each followed by the values of the node's special codes and at a
missing input where it has such; then the intercept. Knots, levels, transforms and the value at an unseen level are not
parameters, and neither is a line's coefficient of 1: that is the feature itself, as an offset is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from curvec.contract import segments, step_values
from curvec.data import Table
from curvec.evaluate import term_values
from curvec.ir import EnumCurve, Line, Product, PWLCurve, StepCurve, Sum, Term, changed, is_offset, walk
from curvec.model import CurveModel
from curvec.transforms import FloatArray, transform

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["Block", "blocks", "design", "is_linear", "parameters", "size_of", "with_parameters"]


class Block(msgspec.Struct, frozen=True):
    """The parameters of one curve.

    Attributes:
        curve: the curve.
        start: where they begin in the vector.
        size: how many values there are, those of special codes and the one at a missing input not counted.
        summand: whether its values are added to the score, and are no factor's or inner curve's.
        span: the most that a change of a value by 1 changes the curve by: 1, and the largest |x| for a line.

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
    return filter(is_refined, walk(term))


def is_refined(node: Term) -> bool:
    """Whether a node has parameters itself."""
    return bool(node.coefficients) and not is_offset(node)


def values_of(curve: Term) -> list[float]:
    """The parameters of a curve, those of its special codes and at a missing input last."""
    return [*curve.coefficients, *curve.special_codes.values(), *([] if curve.missing is None else [curve.missing])]


def blocks(model: CurveModel, table: Table) -> list[Block]:
    """One block a curve, in the order of the parameters."""
    result: list[Block] = []
    start = 0
    for term in model.terms:
        for curve in curves(term):
            size = len(curve.coefficients)
            span = _largest(table.number(curve.input)) if isinstance(curve, Line) else 1.0
            result.append(Block(curve, start, size, summand=curve is term, span=span))
            start = result[-1].stop
    return result


def _largest(x: FloatArray) -> float:
    """The largest finite |x|; 1 where there is none but 0."""
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


def _rebuilt(term: Term, values: Iterator[float]) -> Term:
    if is_refined(term):
        own = [next(values) for _ in term.coefficients]
        if term.special_codes:
            term = changed(term, special={code: next(values) for code in term.special_codes})
        if term.missing is not None:
            term = changed(term, missing=next(values))
        term = term.with_coefficients(own)
    return term.map_children(lambda child: _rebuilt(child, values))


def is_linear(model: CurveModel) -> bool:
    """Whether the score is linear in the parameters: no products of curves and no curves of curves."""
    return all(term.feature is not None for term in model.terms)


def design(model: CurveModel, table: Table) -> sp.csr_array:
    """(rows, p) the derivative of the raw score by the parameters, at the model's own."""
    parts = [_derivative(term, table) for term in model.terms]
    return _joined([*parts, _csr(np.ones((table.rows, 1)))])


def _derivative(term: Term, table: Table) -> sp.csr_array:
    if is_offset(term):
        return _nothing(table.rows, 0)
    match term:
        case PWLCurve() | StepCurve():
            own = _curve_derivative(term, table) if isinstance(term, PWLCurve) else _step_derivative(term, table)
            return _apart(term, own, table)
        case EnumCurve():
            return _table_derivative(term, table)
        case Sum(children):
            return _joined([_derivative(child, table) for child in children])
        case Product(children):
            return _product_derivative(children, table)
        case Line():
            return _line_derivative(term, table)


def _line_derivative(term: Line, table: Table) -> sp.csr_array:
    x = table.number(term.input)
    own = _csr(np.nan_to_num(x)[:, None])
    return own if term.missing is None else _joined([own, _csr(np.isnan(x)[:, None])])


def _step_derivative(term: StepCurve, table: Table) -> sp.csr_array:
    x = term.input_at_rows(table)
    place = step_values(x, np.array(term.cuts), np.arange(len(term.values), dtype=np.float64), -1.0)
    own = _indicators(place.astype(np.intp), len(term.values), missing=term.missing is not None)
    if isinstance(term.input, str):
        return own
    return _joined([own, _nothing(table.rows, size_of(term.input))])  # a step has no slope to pass on


def _apart(curve: PWLCurve | StepCurve, own: sp.csr_array, table: Table) -> sp.csr_array:
    """The derivative of a curve, in which rows at special codes depend on the codes' values alone."""
    if not curve.special_codes:
        return own
    x, size = curve.input_at_rows(table), len(curve.coefficients)
    at = np.equal(x[:, None], np.array(list(curve.special_codes)))
    rest = _csr(own.multiply(~at.any(axis=1, keepdims=True)))
    return _joined([rest[:, :size], _csr(at), rest[:, size:]])


def _table_derivative(term: EnumCurve, table: Table) -> sp.csr_array:
    places = {key: place for place, key in enumerate(term.levels)}
    keys = table.keys(term.input, term.levels.type)
    found = [-1 if key is None else places.get(key, len(places) + 1) for key in keys.tolist()]
    return _indicators(np.array(found, dtype=np.intp), len(places), missing=term.missing is not None)


def size_of(term: Term) -> int:
    """How many parameters a term has."""
    return sum(len(values_of(curve)) for curve in curves(term))


def _csr(entries: Any, shape: tuple[int, int] | None = None) -> sp.csr_array:
    from scipy.sparse import csr_array

    return csr_array(entries, shape=shape, dtype=np.float64)


def _nothing(rows: int, columns: int) -> sp.csr_array:
    return _csr((rows, columns))


def _joined(parts: Sequence[sp.csr_array]) -> sp.csr_array:
    from scipy.sparse import hstack

    return _csr(hstack(parts, format="csr"))


def _indicators(place: np.ndarray[tuple[int], np.dtype[np.intp]], size: int, *, missing: bool) -> sp.csr_array:
    """One column a value; ``place`` is its index, -1 for a missing input, beyond ``size`` for an unseen level."""
    column = np.where(place == -1, size if missing else size + 1, np.where(place < size, place, size + 1))
    width = size + missing
    rows = np.flatnonzero(column < width)
    return _csr((np.ones(len(rows)), (rows, column[rows])), shape=(len(place), width))


def _curve_derivative(curve: PWLCurve, table: Table) -> sp.csr_array:
    """By its own y: the two hat functions of the segment; by the inner parameters: the slope times theirs."""
    inner = None if isinstance(curve.input, str) else curve.input
    x = curve.input_at_rows(table)
    known = segments(curve.points, curve.fx)
    nan = np.isnan(x)
    clamped = np.clip(np.where(nan, known.x[0], x), known.x[0], known.x[-1])
    k = np.clip(np.searchsorted(known.x, clamped, side="right") - 1, 0, len(known.slope) - 1)
    share = (transform(curve.fx).forward(clamped) - known.u[k]) / (known.u[k + 1] - known.u[k])
    rows, size = np.flatnonzero(~nan), len(curve.points)
    columns = [k[rows], k[rows] + 1]
    entries = [1.0 - share[rows], share[rows]]
    places = [rows, rows]
    if curve.missing is not None:
        gaps = np.flatnonzero(nan)
        columns, entries, places = [*columns, np.full(len(gaps), size)], [*entries, np.ones(len(gaps))], [*places, gaps]
    shape = (table.rows, size + (curve.missing is not None))
    own = _csr((np.concatenate(entries), (np.concatenate(places), np.concatenate(columns))), shape=shape)
    if inner is None:
        return own
    moving = ~nan & (x > known.x[0]) & (x < known.x[-1])
    slope = np.where(moving, known.slope[k] * transform(curve.fx).derivative(clamped), 0.0)
    return _joined([own, _csr(_derivative(inner, table).multiply(slope[:, None]))])


def _product_derivative(factors: Sequence[Term], table: Table) -> sp.csr_array:
    values = [term_values(factor, table) for factor in factors]
    parts = []
    for place, factor in enumerate(factors):
        others = np.ones(table.rows)
        for other, value in enumerate(values):
            if other != place:
                others = others * value
        parts.append(_csr(_derivative(factor, table).multiply(others[:, None])))
    return _joined(parts)
