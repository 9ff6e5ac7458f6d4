"""The C++ runtime's curves through their pybind11 classes, one curve at a time; Python only adds them up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from curvec import runtime
from curvec.contract import grouped_sum
from curvec.conversion import numbers
from curvec.evaluate import added, columns_of, term_values
from curvec.ir import EnumCurve, Product, PWLCurve, Sum, Term
from curvec.links import link
from curvec.model import CurveModel
from curvec.parity.runners.base import Data, Runner, Scores, StoredTable, python_values
from curvec.transforms import FloatArray


class BoundRunner(Runner):
    """Scores through ``curvec.runtime``: PWLCurve and EnumCurve in C++, columns, steps and sums by the reference."""

    name = "bound"

    def run(self, model: CurveModel, tables: Sequence[StoredTable]) -> Iterator[Scores]:
        """See :meth:`Runner.run`."""
        for place, table in enumerate(tables):
            with np.errstate(over="ignore", invalid="ignore"):
                values = [_value(term, model, table.data) for term in model.terms]
                score = added(values, model.intercept, table.rows)
            yield Scores(columns_of(values, table.rows), score, link(model.link).inverse(score), place)


def _value(term: Term, model: CurveModel, data: Data) -> FloatArray:
    match term:
        case PWLCurve(input_, points, fx, missing):
            x = numbers(np.asarray(data[input_]), input_) if isinstance(input_, str) else _value(input_, model, data)
            return term.with_special(x, _floats(runtime.PWLCurve(points, fx, missing).Eval(x)))
        case EnumCurve(feature, _, default, missing):
            keys = np.array(python_values(data[feature]), dtype=object)
            return _floats(runtime.EnumCurve(term.levels, default, missing).Eval(keys))
        case Sum(terms):
            return grouped_sum([_value(child, model, data) for child in terms])
        case Product(factors):
            result = _value(factors[0], model, data)
            for factor in factors[1:]:
                result = result * _value(factor, model, data)
            return result
        case _:
            return term_values(term, model.table({name: np.asarray(column) for name, column in data.items()}))


def _floats(values: Any) -> FloatArray:
    return np.asarray(values, np.float64)
