"""Two sets of scores, value by value, in ULP of the larger operand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec import evaluate
from curvec.links import link
from curvec.model import CurveModel
from curvec.parity.operands import Operands, has_log, operands
from curvec.parity.probes import Probes
from curvec.parity.report import Mismatch, TargetResult
from curvec.parity.runners import Runner, Scores
from curvec.transforms import FloatArray

_LARGEST = np.finfo(np.float64).max
_TINY = np.finfo(np.float64).tiny


class Reference(msgspec.Struct, frozen=True):
    """The scores that a target has to agree with.

    Attributes:
        model: the model.
        rows: what it is scored on.
        terms: (rows, T) the reference evaluator's value of each term.
        score: (rows,) its raw scores.
        prediction: (rows,) its predictions.
        operands: the sizes of the numbers that they are computed from.
        types: the name of each feature's column type, if the report should show it.

    """

    model: CurveModel
    rows: Probes
    terms: FloatArray
    score: FloatArray
    prediction: FloatArray
    operands: Operands
    types: Mapping[str, str]

    @classmethod
    def of(cls, model: CurveModel, rows: Probes, types: Mapping[str, str] | None = None) -> Reference:
        """Score the rows with the reference evaluator."""
        table = model.table(rows.data)
        score = evaluate.raw_score(model.terms, model.intercept, table)
        terms = evaluate.contributions(model.terms, table)
        prediction = link(model.link).inverse(score)
        return cls(model, rows, terms, score, prediction, operands(model, table), types or {})

    def take(self, kept: npt.NDArray[np.intp], data: Mapping[str, npt.NDArray[Any]]) -> Reference:
        """Some of the rows, with the columns as a target is given them."""
        rows = Probes(data, [self.rows.origins[row] for row in kept])
        values = self.terms[kept], self.score[kept], self.prediction[kept]
        return Reference(self.model, rows, *values, self.operands.take(kept), self.types)


class _Quantity(msgspec.Struct, frozen=True):
    """One column of values to compare."""

    what: str
    got: FloatArray
    expected: FloatArray
    size: FloatArray
    bound: float


def compare(runner: Runner, scores: Scores, reference: Reference) -> TargetResult:
    """How far a target's scores of one table are from the reference's."""
    for what in ("terms", "score", "prediction"):
        given, wanted = getattr(scores, what), getattr(reference, what).shape
        if given is not None and (given.shape != wanted or not wanted[0]):
            return TargetResult(
                runner.name, ok=False, notes=[f"gave {what} of shape {given.shape} for {wanted}"], ran=False
            )
    quantities = list(_quantities(runner, scores, reference))
    found = [(_worst(quantity), quantity) for quantity in quantities]
    (row, ulps, _), quantity = max(found, key=lambda pair: (abs(pair[0][1]) > pair[1].bound, abs(pair[0][1])))
    furthest: dict[str, float] = {}
    for (_, far, _), of in found:
        kind = of.what.partition(" ")[0]
        furthest[kind] = max(furthest.get(kind, 0.0), abs(far))
    return TargetResult(
        target=runner.name,
        ok=abs(ulps) <= quantity.bound,
        rows=len(scores.score),
        values=len(scores.score) * len(quantities),
        different=sum(different for (_, _, different), _ in found),
        bound=max(quantity.bound for quantity in quantities),
        worst=_mismatch(runner.name, quantity, reference, row, ulps) if ulps else None,
        furthest=furthest,
    )


def distance(got: FloatArray, expected: FloatArray, size: FloatArray) -> FloatArray:
    """``got - expected`` in ULP of the larger operand: 0 for equal numbers and for two NaN, infinite for one NaN.

    Args:
        got: (rows,) the target's values.
        expected: (rows,) the reference's.
        size: (rows,) the largest operand behind each.

    """
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    with np.errstate(all="ignore"):
        largest = np.fmin(np.fmax(np.fmax(size, np.abs(expected)), np.abs(got)), _LARGEST)
        difference = got - expected
        ulps = difference / np.spacing(largest)
    ulps = np.where(ulps == 0.0, np.copysign(_TINY, difference), ulps)  # the quotient underflowed: not the same
    return np.where(same, 0.0, np.where(np.isnan(ulps), np.inf, ulps))


def _worst(quantity: _Quantity) -> tuple[int, float, int]:
    """The row that is furthest off, how far, and how many rows are off at all."""
    ulps = distance(quantity.got, quantity.expected, quantity.size)
    row = int(np.argmax(np.abs(ulps)))
    return row, float(ulps[row]), int((ulps != 0.0).sum())


def _quantities(runner: Runner, scores: Scores, reference: Reference) -> Iterator[_Quantity]:
    model, sizes = reference.model, reference.operands
    logs = [has_log(term) for term in model.terms]
    form = f" of form {scores.form!r}" if scores.form else ""

    def bound(*, inexact: bool) -> float:
        return runner.log_ulps if inexact else 0.0

    if scores.terms is not None:
        for i, log in enumerate(logs):
            columns = scores.terms[:, i], reference.terms[:, i], sizes.terms[:, i]
            yield _Quantity(f"term {i + 1}{form}", *columns, bound(inexact=log))
    yield _Quantity(f"score{form}", scores.score, reference.score, sizes.score, bound(inexact=any(logs)))
    if scores.prediction is not None:
        columns = scores.prediction, reference.prediction, sizes.prediction
        yield _Quantity(f"prediction{form}", *columns, bound(inexact=any(logs) or model.link != "identity"))


def _mismatch(target: str, quantity: _Quantity, reference: Reference, row: int, ulps: float) -> Mismatch:
    data, types = reference.rows.data, reference.types
    inputs = {
        name: _shown(column[row : row + 1].tolist()[0]) + (f" as {types[name]}" if name in types else "")
        for name, column in data.items()
    }
    values = float(quantity.expected[row]), float(quantity.got[row])
    return Mismatch(target, quantity.what, reference.rows.origins[row], inputs, *values, ulps)


def _shown(value: Any) -> str:
    if value is None:
        return "NULL"
    return value.hex() if isinstance(value, float) else repr(value)
