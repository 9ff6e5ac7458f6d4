"""A model's curves beside the teacher's functions on data: what each lost, worst first."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec.columns import column
from curvec.errors import InputError
from curvec.evaluate import term_values
from curvec.ir import EnumCurve, PWLCurve, StepCurve, Sum, Term, names_of
from curvec.links import link
from curvec.metrics import metric
from curvec.model import CurveModel
from curvec.review import panels
from curvec.review.panels import Panel
from curvec.review.svg import level_text
from curvec.transforms import FloatArray

__all__ = ["Comparison", "CurveComparison", "compare_with_teacher"]


@dataclass(frozen=True, slots=True)
class CurveComparison:
    """One curve beside the teacher's function of the same feature.

    Attributes:
        label: the feature.
        kind: "curve", "steps", "table", "column" or "sum".
        segments: linear pieces, steps or levels.
        fx: the transform; "" without one.
        direction: "increasing", "decreasing", "constant", or "" for a curve that turns and for a table.
        sd: standard deviation of the teacher's function, in units of the raw score.
        rmse: root mean squared error, both centred on the data.
        unexplained: squared error over the teacher's variance; NaN where that is 0.
        max_error: the largest absolute error, both centred.
        at: where it occurs.
        metric_change: the metric with only this curve in the teacher, less the teacher's; None without a target.

    """

    label: str
    kind: str
    segments: int
    fx: str
    direction: str
    sd: float
    rmse: float
    unexplained: float
    max_error: float
    at: Any
    metric_change: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All curves, worst first, and the whole.

    Attributes:
        curves: those that the teacher has a function for.
        apart: labels of those that it has none for.
        gone: features of the teacher's terms that no term of the model has, those of one term joined by ", ".
        rows: rows compared.
        rmse: of the raw scores.
        max_error: of the raw scores.
        metric: the metric's name, or "".
        teacher: the teacher's metric, or None.
        model: the model's, or None.

    """

    curves: Sequence[CurveComparison]
    apart: Sequence[str]
    gone: Sequence[str]
    rows: int
    rmse: float
    max_error: float
    metric: str = ""
    teacher: float | None = None
    model: float | None = None


def compare_with_teacher(
    model: CurveModel, teacher: CurveModel, data: Any, target: npt.ArrayLike | None = None
) -> Comparison:
    """Every curve of the model beside the teacher's function on the rows of ``data``.

    The change of the metric is the paper's failure analysis (Ravina et al. 2021, section 5.2): the teacher with one
    of its functions replaced. The metric is the area under the ROC curve for a logit link, and the root mean squared
    error for any other.

    Args:
        model: the model.
        teacher: the teacher read exactly.
        data: (rows, features) data with the features of both.
        target: (rows,) labels.

    Raises:
        InputError: a column is missing, there are no rows, or the labels do not suit the metric.

    """
    scores, exact = model.eval(data), teacher.eval(data)
    if not len(scores):
        raise InputError("the data has no rows; give at least one to compare the model with its teacher")
    judge = None if target is None else _Judge(target, teacher)
    curves, apart = [], []
    for panel in panels.panels(model):
        node = panels.teacher_node(panel, teacher)
        if node is not None:
            curves.append(_compare(panel, node, model, teacher, data, exact, judge))
        elif panel.whole:
            apart.append(panel.title)
    curves.sort(key=lambda curve: -curve.rmse)
    error = _difference(scores, exact)
    error = error[np.isfinite(error)]
    whole = _rms(error), float(np.abs(error).max(initial=0.0))
    gone = _gone(model, teacher)
    if judge is None:
        return Comparison(curves, apart, gone, len(scores), *whole)
    return Comparison(curves, apart, gone, len(scores), *whole, judge.metric.name, judge(exact), judge(scores))


def _gone(model: CurveModel, teacher: CurveModel) -> list[str]:
    own = {frozenset(_names(term)) for term in model.terms}
    return list(dict.fromkeys(", ".join(_names(term)) for term in teacher.terms if frozenset(_names(term)) not in own))


def _names(term: Term) -> list[str]:
    return [level_text(name) for name in names_of(term)]


class _Judge:
    """The task's metric of a raw score."""

    def __init__(self, target: npt.ArrayLike, teacher: CurveModel) -> None:
        self.metric = metric("roc_auc" if teacher.link == "logit" else "rmse")
        self.target = column(target, "y")
        self.inverse = link(teacher.link).inverse if self.metric.on == "prediction" else link("identity").inverse

    def __call__(self, score: FloatArray) -> float:
        return self.metric(self.target, self.inverse(score))


def _compare(
    panel: Panel,
    node: Term,
    model: CurveModel,
    teacher: CurveModel,
    data: Any,
    exact: FloatArray,
    judge: _Judge | None,
) -> CurveComparison:
    own, theirs = term_values(panel.node, model.table(data)), term_values(node, teacher.table(data))
    own, theirs = own - _mean(own), theirs - _mean(theirs)
    error = _difference(own, theirs)
    known = np.where(np.isfinite(error), error, 0.0)
    variance = _mean(theirs**2)
    worst = int(np.argmax(np.abs(known)))
    return CurveComparison(
        label=panel.title,
        kind=_kind(panel.node),
        segments=_segments(panel.node),
        fx=panel.fx.name if panel.fx.name != "identity" else "",
        direction=_direction(panel.node),
        sd=math.sqrt(variance),
        rmse=_rms(known),
        unexplained=_rms(known) ** 2 / variance if variance > 0 else math.nan,
        max_error=float(abs(known[worst])),
        at=np.asarray(model.table(data).raw(panel.feature)).tolist()[worst],
        metric_change=None if judge is None else judge(exact + known) - judge(exact),
    )


def _difference(a: FloatArray, b: FloatArray) -> FloatArray:
    """The difference; NaN where both are the same infinity, or one is NaN."""
    with np.errstate(invalid="ignore"):
        return np.asarray(a - b)


def _mean(values: FloatArray) -> float:
    """The mean of the finite values; 0 where there is none."""
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else 0.0


def _rms(values: FloatArray) -> float:
    return math.sqrt(float(np.mean(values**2))) if len(values) else 0.0


def _kind(node: Term) -> str:
    names = {PWLCurve: "curve", StepCurve: "steps", EnumCurve: "table", Sum: "sum"}
    return names.get(type(node), type(node).__name__.lower())


def _segments(node: Term) -> int:
    match node:
        case PWLCurve():
            return len(node.points) - 1
        case StepCurve():
            return len(node.values)
        case EnumCurve():
            return len(node.levels)
        case Sum():
            return sum(map(_segments, node.terms))
        case _:
            return 1


def _direction(node: Term) -> str:
    if not isinstance(node, (PWLCurve, StepCurve)):
        return ""
    values = node.values if isinstance(node, StepCurve) else [y for _, y in node.points]
    steps = np.sign([right - left for left, right in itertools.pairwise(values)])
    if not steps.any():
        return "constant"
    if (steps >= 0).all():
        return "increasing"
    return "decreasing" if (steps <= 0).all() else ""
