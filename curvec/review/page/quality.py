"""The page's section on how good the model is, where there are labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from curvec.distill.printing import metric_text
from curvec.errors import counted
from curvec.metrics import default_metric
from curvec.metrics import metric as metric_of
from curvec.model import CurveModel
from curvec.review.page.charts import Chart, NamedTable, charts, group_table, quality_tables
from curvec.review.quality import by_group, metric_on, scored_rows
from curvec.review.rows import EvaluationRows


class Quality(msgspec.Struct, frozen=True):
    """What the section shows: which rows, a summary in one line, whether a teacher is compared, charts and tables."""

    rows: str
    summary: str
    teacher: bool
    charts: Sequence[Chart]
    tables: Sequence[NamedTable]


def quality(
    model: CurveModel,
    teacher: CurveModel | None,
    rows: Mapping[str, EvaluationRows],
    metric: Any,
    groups: Sequence[str],
    threshold: float | None,
) -> Quality | None:
    """How good the model is on the last of the sets of rows that has labels; None where none has.

    Args:
        model: the model.
        teacher: drawn on the same axes, or None.
        rows: sets of rows by name, those that nothing was trained on last.
        metric: the metric, or None for the link's own.
        groups: columns by whose values the rows are told apart.
        threshold: on the prediction, for the share selected of each group.

    Raises:
        InputError: labels or predictions do not suit the metric, or a column is not there.

    """
    labelled = [(name, one) for name, one in rows.items() if one.y is not None]
    if not labelled:
        return None
    name, chosen = labelled[-1]
    sides = {"model": scored_rows(model, chosen)}
    if teacher is not None:
        sides["teacher"] = scored_rows(teacher, chosen)
    judge = metric_of(default_metric(model.link) if metric is None else metric)
    found = by_group(sides["model"], chosen.X, groups, judge, threshold)
    table = group_table(found, judge, threshold)
    values = [f"{side} {metric_text(metric_on(judge, one))}" for side, one in sides.items()]
    used = sides["model"].used
    left = f" ({counted(int((~used).sum()), 'row')} without score or weight left out)" if not used.all() else ""
    return Quality(
        rows=f"the {name}",
        summary=f"{counted(int(used.sum()), 'row')}{left}; {judge.name}: {', '.join(values)}.",
        teacher=teacher is not None,
        charts=charts(sides, judge),
        tables=[*quality_tables(sides, judge), *([] if table is None else [table])],
    )
