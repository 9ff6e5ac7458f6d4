"""Parity: every target's numbers against the reference's, on rows made to find faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from curvec.checks import string_list
from curvec.errors import InputError, MissingDependencyError, ParityError, UnsupportedError, shown
from curvec.ir import Feature, changed
from curvec.model import CurveModel, ModelLike, as_model
from curvec.parity.compare import Reference, compare
from curvec.parity.layouts import layouts
from curvec.parity.limits import accepted
from curvec.parity.probes import Probes, probes_in_batches
from curvec.parity.report import ParityReport, TargetResult, combined
from curvec.parity.runners import RUNNERS, Runner, StoredTable
from curvec.progress import progress_bar


def check(model: ModelLike, data: Any = None, targets: Sequence[str] | None = None) -> ParityReport:
    """Score rows with every target and compare each value with the reference's (``model.eval`` and its siblings).

    The rows are probes made from the model (:func:`curvec.parity.probes.probes`) and the user's own. The probes are
    scored again in columns of every type that the target accepts for a feature (an integer category as BIGINT, as
    DOUBLE with NaN, as DECIMAL), and SQL in every form. Each term, the score and the prediction are compared.

    Without a logarithm every bit must agree. With one (or, for the prediction, a link's exp) the distance must be
    within the runner's stated bound, in ULP of the larger operand (:mod:`curvec.parity.operands`). +0 and -0 are the
    same number, and NaN is the same as NULL.

    Args:
        model: the model; or a curve or a fit of one, as :func:`curvec.emit` takes them.
        data: rows of the user's, as ``model.eval`` takes them; a stream is scored batch by batch.
        targets: names from ``curvec.parity.RUNNERS``; each must run. None: every target that can run here; the report
            says which are missing or refuse the model.

    Raises:
        InputError: no such target, or data without rows or columns that the model reads.
        MissingDependencyError: a named target cannot run here; the message says what to install.
        UnsupportedError: a named target refuses the model.

    """
    model = as_model(model)
    chosen = _runners(targets)
    if not model.features:  # a constant; rows must have some column
        model = changed(model, features=[Feature("x")])
    results: dict[str, list[TargetResult]] = {runner.name: [] for runner in chosen}
    with progress_bar() as bar:
        task = bar.add_task("")
        for rows in probes_in_batches(model, data):
            bar.reset(task, total=len(chosen))
            for runner in chosen:
                bar.update(task, description=f"scoring with {runner.name}")
                results[runner.name].append(run(runner, model, rows, named=targets is not None))
                bar.advance(task)
    return ParityReport(model.name, [combined(found) for found in results.values()])


def _runners(targets: Sequence[str] | None) -> list[Runner]:
    if targets is None:
        return list(RUNNERS.values())
    targets = string_list(targets, "targets")
    for name in targets:
        if name not in RUNNERS:
            raise InputError(f"target {shown(name)} is not one that parity runs; use some of {', '.join(RUNNERS)}")
        if (need := RUNNERS[name].needs()) is not None:
            raise MissingDependencyError(f"target {shown(name)} cannot run here: {need}")
    if not targets:
        raise InputError(f"no targets; name some of {', '.join(RUNNERS)}, or leave them out for all that run here")
    return [RUNNERS[name] for name in targets]


def run(runner: Runner, model: CurveModel, rows: Probes, *, named: bool = True) -> TargetResult:
    """Score rows with one target, in columns of every type that it scores right, and compare.

    Raises:
        UnsupportedError: it refuses the model, and has to run, as it was ``named``.

    """
    if (need := runner.needs()) is not None:
        return TargetResult(runner.name, ok=not named, notes=[need], ran=False)
    references, tables, notes = _tables(runner, model, rows)
    if not tables:
        return TargetResult(runner.name, ok=False, notes=["no row is left", *notes], ran=False)
    results: list[TargetResult] = []
    forms: dict[str, None] = {}
    try:
        for scores in runner.run(model, tables):
            results.append(compare(runner, scores, references[scores.table]))
            forms[scores.form] = None
    except UnsupportedError as error:
        if named:
            raise
        return TargetResult(runner.name, ok=True, notes=[f"refused: {error}"], ran=False)
    except ParityError as error:
        return TargetResult(runner.name, ok=False, notes=[str(error), *notes], ran=False)
    return changed(
        combined(results),
        rows=sum(table.rows for table in tables),
        notes=notes,
        version=runner.version(),
        columns=_tried(runner, model, tables),
        forms=[form for form in forms if form],
    )


def _tables(
    runner: Runner, model: CurveModel, rows: Probes
) -> tuple[list[Reference], list[StoredTable], Sequence[str]]:
    """For each layout of column types the reference's scores and the rows, and what was changed or left out."""
    references, tables = [], []
    changed: Counter[str] = Counter()
    for place, wanted in enumerate(layouts(model.features, runner.column_types())):
        some = rows.few() if place else rows
        held = some.held(model.features, wanted)
        types = runner.fitting(wanted, held.data)
        if types != wanted:
            held = some.held(model.features, types)
        names = {name: column.name for name, column in types.items()} if place else {}
        reference = Reference.of(model, held, names)
        kept, data, left = accepted(runner.limits, held.data, reference.operands)
        changed += left
        if kept.size:
            references.append(reference.take(kept, data))
            tables.append(StoredTable(data, types))
    return references, tables, [f"{count:,} {what}" for what, count in changed.items()]


def _tried(runner: Runner, model: CurveModel, tables: Sequence[StoredTable]) -> Mapping[str, Sequence[str]]:
    """The names of the column types that some feature of each type was stored in."""
    tried = {(feature.type, table.types[feature.name].name) for table in tables for feature in model.features}
    found = {kind: [t.name for t in types if (kind, t.name) in tried] for kind, types in runner.column_types().items()}
    return {kind: names for kind, names in found.items() if names}
