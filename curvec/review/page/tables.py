"""The page's tables as cells, each with its text and the value by which it is sorted."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from curvec.distill.comparison import COLUMNS, Comparison
from curvec.distill.correspondence import features_in
from curvec.distill.printing import metric_text, share_text, size_text
from curvec.ir import names_of
from curvec.model import CurveModel
from curvec.review.diff import ModelDiff
from curvec.review.importance import TermImportance, ranked
from curvec.review.policy import Finding
from curvec.review.svg import LevelRow, level_text


def importance_lines(
    model: CurveModel,
    found: Sequence[TermImportance],
    losses: Comparison | None = None,
    findings: Sequence[Finding] = (),
    moved: Mapping[frozenset[str], float] | None = None,
) -> list[dict[str, Any]]:
    """One line for each function of the model, in its order: the data of the table of importance and of the figures.

    Args:
        model: the model.
        found: how far each of its functions moves the score.
        losses: what each lost, if there is a teacher.
        findings: what a policy found.
        moved: by features, how far a term was changed from an earlier model's, as :func:`changes_of_terms` gives it.

    """
    ranks = {place: rank for rank, place in enumerate(ranked(found), start=1)}
    lost = {} if losses is None else {curve.label: curve for curve in losses.curves}
    most = max((one.size for one in found), default=0.0) or 1.0
    lines = []
    for place, one in enumerate(found):
        curve = lost.get(one.label)
        own = [finding for finding in findings if finding.feature == _name_in_findings(model, one)]
        lines.append(
            {
                "place": place,
                "name": level_text(one.label),
                "rank": ranks[place],
                "importance": one.size if one.size < float("inf") else None,
                "shown": cell_text(size_text(one.size)) if one.size < float("inf") else "unbounded",
                "share": min(one.size / most, 1.0) if most < float("inf") else float(one.size == most),
                "range": f"{cell_text(size_text(one.low))} to {cell_text(size_text(one.high))}",
                "loss": None if curve is None else curve.rmse,
                "loss_text": "" if curve is None else cell_text(size_text(curve.rmse)),
                "metric_text": ""
                if losses is None or curve is None
                else cell_text(metric_text(losses.metric_change(curve), change=True)),
                "findings": len(own),
                "changed": (moved or {}).get(features_in(model.terms[one.terms[0]])),
                "terms": one.terms,
            }
        )
    return lines


def changes_of_terms(difference: ModelDiff) -> dict[frozenset[str], float]:
    """By the features of each changed term, how far it changes the score at most, over every input."""
    moved: dict[frozenset[str], float] = {}
    for change, far in difference.terms:
        term = change.new or change.old
        if term is not None and change.status != "note":
            most = min(max(abs(far.low), abs(far.high)), sys.float_info.max)  # a line's change has no bound
            moved[features_in(term)] = max(most, moved.get(features_in(term), 0.0))
    return moved


def _name_in_findings(model: CurveModel, one: TermImportance) -> str:
    """How a policy's finding names the features of a term."""
    return " x ".join(names_of(*(model.terms[index] for index in one.terms)))


def loss_table(losses: Comparison) -> dict[str, Any]:
    """The table of what each curve lost: headers, and for each cell what is shown and what is sorted by."""
    headers = [(column.header, column.numeric) for column in COLUMNS]
    if losses.evaluation is not None:
        metric = losses.evaluation.metric
        headers += [(f"change of {metric} alone", True), (f"{metric} with it and worse undistilled", True)]
    rows = []
    for curve in losses.worst():
        cells = [(column.text(curve), column.key(curve)) for column in COLUMNS]
        if losses.evaluation is not None:
            change, after = losses.metric_change(curve), losses.metric_undistilled(curve)
            cells += [(metric_text(change, change=True), change), (metric_text(after), after)]
        rows.append([(cell_text(text), "" if key is None else key) for text, key in cells])
    return {"headers": headers, "rows": rows}


def levels_table(rows: Sequence[LevelRow]) -> dict[str, Any]:
    """The table of every level of a category: headers, and for each cell what is shown and what is sorted by."""
    shares = any(row.share is not None for row in rows)
    named = {"curve": "model", "base": "base model", "dots": "teacher, moved to the same mean"}
    names = [name for name in named if rows and name in rows[0].values]
    headers = [("level", False), *([("rows", True)] if shares else []), *((named[name], True) for name in names)]
    cells: list[list[tuple[str, Any]]] = []
    for row in rows:
        values = [row.values[name] for name in names]
        numbers = [("-", "") if math.isnan(value) else (f"{value:.6g}", value) for value in values]
        share = [(share_text(row.share), row.share)] if shares else []
        cells.append([(row.level, row.level), *((cell_text(text), key) for text, key in [*share, *numbers])])
    return {"headers": headers, "rows": cells}


def cell_text(text: str) -> str:
    """A cell's text as it is shown: with a real minus sign, a dash for nothing, and invisible characters escaped."""
    if text == "-":
        return "\N{EN DASH}"
    return level_text(re.sub(r"^-(?=\d)", "\N{MINUS SIGN}", text))
