"""Parity: every target's numbers against the reference's, on rows made to find faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curvec.errors import InputError, MissingDependencyError, ParityError, UnsupportedError
from curvec.ir import Feature, changed
from curvec.model import CurveModel, check_model
from curvec.parity.compare import Reference, compare
from curvec.parity.limits import within
from curvec.parity.probes import probes
from curvec.parity.report import ParityReport, TargetResult
from curvec.parity.runners import RUNNERS, Runner

__all__ = ["check", "run"]


def check(model: CurveModel, data: Any = None, targets: Sequence[str] | None = None) -> ParityReport:
    """Score rows with every target and compare each value with the reference's (``model.eval`` and its siblings).

    The rows are probes made from the model (:func:`curvec.parity.probes.probes`) and the user's own. Compared are each
    term, the score and the prediction. Without a logarithm every bit must agree; with one (or, for the prediction, a
    link's exp) the distance is bounded in ULP of the larger operand (:mod:`curvec.parity.operands`), by each runner's
    stated bound. +0 and -0 are the same number, and NaN is the same as NULL.

    Args:
        model: the model.
        data: rows of the user's, as ``model.eval`` takes them.
        targets: names from ``curvec.parity.RUNNERS``; None: every target that can run here. One that is named has to
            run; one that is not may be missing or refuse the model, and the report says so.

    Raises:
        InputError: no such target, or data without rows or columns that the model reads.
        MissingDependencyError: a named target cannot run here; the message says what to install.
        UnsupportedError: a named target refuses the model.

    """
    check_model(model)
    chosen = _runners(targets)
    if not model.features:  # a constant; rows must have some column
        model = changed(model, features=[Feature("x")])
    reference = Reference.of(model, probes(model, data))
    return ParityReport(model.name, [run(runner, reference, named=targets is not None) for runner in chosen])


def _runners(targets: Sequence[str] | None) -> list[Runner]:
    if targets is None:
        return list(RUNNERS.values())
    if isinstance(targets, str):
        raise InputError(f"targets={targets!r} is one string; pass a list of names")
    for name in targets:
        if name not in RUNNERS:
            raise InputError(f"target {name!r} is not one that parity runs; use some of {', '.join(RUNNERS)}")
        if (need := RUNNERS[name].needs()) is not None:
            raise MissingDependencyError(f"target {name!r} cannot run here: {need}")
    if not targets:
        raise InputError(f"no targets; name some of {', '.join(RUNNERS)}, or leave them out for all that run here")
    return [RUNNERS[name] for name in targets]


def run(runner: Runner, reference: Reference, *, named: bool = True) -> TargetResult:
    """Score the reference's rows with one target and compare.

    Args:
        runner: the target.
        reference: the rows and what they score.
        named: whether the target has to run.

    Raises:
        UnsupportedError: it has to run, and refuses the model.

    """
    if (need := runner.needs()) is not None:
        return TargetResult(runner.name, ok=not named, notes=[need], ran=False)
    kept, data, notes = within(runner.limits, reference.rows.data, reference.operands)
    if not kept.size:
        return TargetResult(runner.name, ok=False, notes=["no row is left", *notes], ran=False)
    try:
        scores = runner.run(reference.model, data)
    except UnsupportedError as error:
        if named:
            raise
        return TargetResult(runner.name, ok=True, notes=[f"refused: {error}"], ran=False)
    except ParityError as error:
        return TargetResult(runner.name, ok=False, notes=[str(error), *notes], ran=False)
    return compare(runner, scores, reference.take(kept, data), notes)
