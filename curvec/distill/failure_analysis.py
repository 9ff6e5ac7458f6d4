"""The paper's failure analysis: what each curve costs in the metric, and what undistilling the worst ones recovers.

Ravina et al. (2021, section 5.2): from the teacher, distil one function and no other, and take the change of the
metric; average over the folds; sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.columns import check_aligned, weights_or_ones
from curvec.display import Printed
from curvec.distill.correspondence import counterparts, values_or_zero
from curvec.distill.fidelity import mean_difference
from curvec.distill.printing import metric_text
from curvec.errors import InputError, counted
from curvec.evaluate import raw_score
from curvec.fields import plain
from curvec.links import link
from curvec.metrics import Metric, default_metric
from curvec.metrics import metric as metric_of
from curvec.model import CurveModel
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


class CurveLoss(msgspec.Struct, frozen=True):
    """What distilling one curve alone costs.

    Attributes:
        label: the feature, or the features of a larger term.
        change: metric with only this curve distilled less the teacher's; the mean over the folds.
        loss: the same, signed so that positive is worse.
        by_fold: the change on each fold.
        undistilled: the metric with this curve and all worse ones left as the teacher has them.

    """

    label: str
    change: float
    loss: float
    by_fold: tuple[float, ...]
    undistilled: float


class Evaluation(Printed, msgspec.Struct, frozen=True):
    """Teacher and distilled model by a metric, and the failure analysis.

    Attributes:
        metric: the metric's name.
        greater_is_better: its direction.
        teacher: the teacher's, the mean over the folds.
        distilled: the distilled model's, the mean over the folds.
        teacher_by_fold: one value a fold.
        distilled_by_fold: one value a fold.
        curves: what each curve costs, worst first.

    """

    metric: str
    greater_is_better: bool
    teacher: float
    distilled: float
    teacher_by_fold: tuple[float, ...]
    distilled_by_fold: tuple[float, ...]
    curves: tuple[CurveLoss, ...]

    def undistilled(self, n: int) -> float:
        """The metric with the ``n`` worst curves left undistilled."""
        if not 0 <= n <= len(self.curves):
            raise InputError(f"n={n}: the model has {counted(len(self.curves), 'curve')}")
        return self.distilled if n == 0 else self.curves[n - 1].undistilled

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON and for data frames."""
        return plain(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the two metrics, then the curves, worst first."""
        from rich.table import Table as RichTable

        folds = len(self.teacher_by_fold)
        over = f", mean of {folds} folds" if folds > 1 else ""
        yield f"{self.metric}{over}: teacher {metric_text(self.teacher)}, model {metric_text(self.distilled)}"
        table = RichTable(box=None, pad_edge=False, header_style="bold")
        longest = max((len(curve.label) for curve in self.curves), default=0)
        table.add_column("curve", overflow="fold", min_width=min(longest, 40))  # headers wrap before names do
        for header in ("change if distilled alone", "metric with it and worse undistilled"):
            table.add_column(header, justify="right", min_width=8)
        for curve in self.curves:
            table.add_row(curve.label, metric_text(curve.change, change=True), metric_text(curve.undistilled))
        yield table


class Fold(msgspec.Struct, frozen=True):
    """A model and its teacher with the rows to judge them on.

    Attributes:
        model: distilled, on the fold's training rows.
        teacher: the teacher in exact form, of the same training rows.
        X: the rows, with the features of both.
        y: (rows,) labels.
        w: (rows,) weights, or None.
        query: (rows,) query ids, or None.

    """

    model: CurveModel
    teacher: CurveModel
    X: Any
    y: npt.ArrayLike
    w: npt.ArrayLike | None = None
    query: npt.ArrayLike | None = None


def evaluate_folds(folds: Sequence[Fold], metric: Any = None) -> Evaluation:
    """Teacher, distilled model and failure analysis, averaged over the folds (Ravina et al. 2021, section 5.2).

    A function stands for the teacher's with the constant that keeps the weighted mean raw score of the fold's rows, so
    that it answers for its shape alone. Scores that only rounding tells apart are equal.

    Args:
        folds: one entry a fold, or one for a single held-out set; the models must have the same functions.
        metric: a name of :data:`curvec.metrics.METRICS`, "ndcg@k", a Metric, or a function (y, prediction) -> float, of
            which more is better. None: "roc_auc" for a link "logit", "rmse" for others.

    Raises:
        InputError: there is no fold, the folds' models have different functions, or labels do not suit the metric.

    """
    if not folds:
        raise InputError("there is no fold to evaluate on; give at least one")
    judge = metric_of(default_metric(folds[0].teacher.link) if metric is None else metric)
    states = [_State(fold, judge) for fold in folds]
    labels = states[0].labels
    for state in states:
        if set(state.labels) != set(labels):
            differ = set(state.labels) ^ set(labels)
            raise InputError(f"the folds' models differ in {sorted(differ)!r}; failure analysis needs the same terms")
    teacher = np.array([state.value(()) for state in states])
    distilled = np.array([state.value(labels) for state in states])
    changes = {label: np.array([state.value((label,)) for state in states]) - teacher for label in labels}
    sign = -1.0 if judge.greater_is_better else 1.0
    order = sorted(labels, key=lambda label: -sign * float(changes[label].mean()))
    curves = []
    for place, label in enumerate(order):
        left = [state.value(order[place + 1 :]) for state in states]
        change = float(changes[label].mean())
        curves.append(CurveLoss(label, change, sign * change, tuple(changes[label].tolist()), float(np.mean(left))))
    return Evaluation(
        judge.name,
        judge.greater_is_better,
        float(teacher.mean()),
        float(distilled.mean()),
        tuple(teacher.tolist()),
        tuple(distilled.tolist()),
        tuple(curves),
    )


class _State:
    """One fold: the teacher's score, and by how much each function of the model changes it."""

    def __init__(self, fold: Fold, judge: Metric) -> None:
        check_aligned(X=fold.X, y=fold.y, w=fold.w, query=fold.query)
        self._fold, self._judge = fold, judge
        exact, table = fold.teacher.table(fold.X), fold.model.table(fold.X)
        self._teacher = raw_score(fold.teacher.terms, fold.teacher.intercept, exact)
        self._model = raw_score(fold.model.terms, fold.model.intercept, table)
        w = weights_or_ones(fold.w, max(exact.rows, table.rows))
        self._steps: dict[str, FloatArray] = {}
        for pair in counterparts(fold.model, fold.teacher):
            theirs, own = values_or_zero(pair.teacher, exact), values_or_zero(pair.model, table)
            self._steps[pair.label] = own - theirs + mean_difference(theirs, own, w)
        self.labels = tuple(self._steps)
        self._inverse = link(fold.teacher.link).inverse

    def value(self, distilled: Sequence[str]) -> float:
        """The metric with these functions as the model has them and the others as the teacher has them."""
        if distilled and len(distilled) == len(self.labels):
            score = self._model
        else:
            score = self._teacher + sum(self._steps[label] for label in distilled)
        return self._judge.of_score(score, self._inverse, self._fold.y, self._fold.w, self._fold.query)
