"""A model compared with its teacher on rows: what each curve lost, as values and as the table of every report."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.columns import check_aligned, weights_or_ones
from curvec.condense.spread import Spread
from curvec.data import Table, columns_of
from curvec.directions import Direction
from curvec.display import Printed
from curvec.distill.correspondence import Counterparts, counterparts, features_in, values_or_zero
from curvec.distill.failure_analysis import CurveLoss, Evaluation, Fold, evaluate_folds
from curvec.distill.fidelity import Fidelity, fidelity, mean_difference
from curvec.distill.printing import input_text, share_text, size_text
from curvec.distill.row_summary import View
from curvec.errors import InputError, counted
from curvec.evaluate import raw_score
from curvec.fields import changed, plain
from curvec.files import frame_of
from curvec.ir import PWLCurve, Term, features_of, walk
from curvec.model import CurveModel
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table as RichTable


class CurveReport(Fidelity, frozen=True, kw_only=True):
    """The replacement of one function of the teacher, and what it lost.

    Both functions are compared with the intercepts that keep the mean raw score, so a constant between them is no
    loss. A curve inside a larger term has no intercept of its own: there the plain difference counts.

    Attributes:
        label: the feature; for a term of several, what the term does with them.
        kind: "curve", "steps", "table" (categories), "line", "sum" or "product"; "constant"
            where nothing but the intercept stands for the teacher's function.
        pieces: segments of a curve, steps, levels of a table; of all curves of a larger term.
        numbers: how many numbers a reader has to take in.
        fx: the transform; "" where there is none.
        direction: "increasing", "decreasing", "constant", or "neither" of what turns or has no order.
        kept: whether it is the teacher's own function, unchanged.
        of_teacher: whether the teacher has such a function; if not, its values count as 0.
        shift: the part of the intercept's change that is due to it, in units of the raw score: the mean of the
            teacher's function less the mean of the model's.
        seconds: time of the fit.
        notes: what was done differently from what was asked, and why.
        inner: the curves that a larger term is made of, where a distillation made them.

    """

    label: str
    kind: str
    pieces: int
    numbers: int
    fx: str
    direction: Direction
    kept: bool = False
    of_teacher: bool = True
    shift: float = 0.0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    inner: tuple[CurveReport, ...] = ()


class Comparison(Printed, msgspec.Struct, frozen=True, kw_only=True):
    """How far a model is from its teacher on rows, as a whole and function by function.

    Attributes:
        curves: one entry for each function of either model, in the order of the distilled one.
        rows: rows of the data.
        rows_without_score: rows on which the teacher has no score (a missing input that it does not cover).
        rmse: root of the weighted mean squared difference of the raw scores.
        unexplained: the same squared difference over the weighted total sum of squares of the teacher's raw score;
            None for a constant teacher from which the model differs.
        max_error: the largest absolute difference of the raw scores.
        evaluation: the failure analysis, where labels were given.

    """

    curves: tuple[CurveReport, ...]
    rows: int
    rows_without_score: int
    rmse: float
    unexplained: float | None
    max_error: float
    evaluation: Evaluation | None = None

    @property
    def segments(self) -> int:
        """Linear pieces of all curves together."""
        return sum(curve.pieces for curve in _leaves(self.curves) if curve.kind == "curve")

    @property
    def numbers(self) -> int:
        """How many numbers a reader of the model has to take in, the intercept among them."""
        return 1 + sum(curve.numbers for curve in self.curves)

    @property
    def removed(self) -> tuple[str, ...]:
        """The teacher's functions for which nothing but the intercept stands, and which are not constant."""
        return tuple(curve.label for curve in self.curves if curve.kind == "constant" and curve.sd)

    @property
    def added(self) -> tuple[str, ...]:
        """The model's functions of features for which the teacher has none."""
        return tuple(curve.label for curve in self.curves if not curve.of_teacher)

    def worst(self, n: int | None = None) -> tuple[CurveReport, ...]:
        """The ``n`` curves (None: all) that lost most of the raw score, worst first."""
        return tuple(sorted(self.curves, key=lambda curve: -curve.rmse)[:n])

    def metric_change(self, curve: CurveReport) -> float | None:
        """The change of the metric when only this curve is distilled; None without labels."""
        found = self._metric_loss(curve)
        return None if found is None else found.change

    def metric_undistilled(self, curve: CurveReport) -> float | None:
        """The metric with this curve, and all that cost it more, as the teacher has them; None without labels."""
        found = self._metric_loss(curve)
        return None if found is None else found.undistilled

    def _metric_loss(self, curve: CurveReport) -> CurveLoss | None:
        curves = () if self.evaluation is None else self.evaluation.curves
        return next((found for found in curves if found.label == curve.label), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON and for data frames."""
        return plain(self)

    def to_frame(self) -> Any:
        """The table as a data frame of pandas, polars or pyarrow: a row a function, columns as :class:`CurveReport`.

        Curves inside a larger term, which :attr:`CurveReport.inner` has, have no row. With labels, ``change`` is what a
        function alone changes of the metric, and ``undistilled`` the metric with it and all worse ones undistilled.

        Raises:
            MissingDependencyError: no library of data frames is installed.

        """
        columns = {name: [getattr(curve, name) for curve in self.curves] for name in _FRAME}
        columns["at"] = [None if curve.at is None else str(curve.at) for curve in self.curves]
        if self.evaluation is not None:
            columns["change"] = [self.metric_change(curve) for curve in self.curves]
            columns["undistilled"] = [self.metric_undistilled(curve) for curve in self.curves]
        return frame_of(columns)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the table, one row a curve, then the line of the whole."""
        rows = [row for curve in self.curves for row in (curve, *_indented(curve))]
        table, left_out = _rich_table(rows, options.max_width)
        yield table
        if left_out:
            yield f"(no room for {', '.join(left_out)}: a wider terminal has them)"
        for curve in rows:
            for note in curve.notes:
                yield f"{curve.label.strip()}: {note}"
        yield self.summary()
        if self.evaluation is not None:
            yield self.evaluation

    def summary(self) -> str:
        """The whole in one line."""
        share = "" if self.unexplained is None else f"; {share_text(self.unexplained)} of its variance is lost"
        terms = sum(curve.kind != "constant" for curve in self.curves)
        sizes = f"{counted(terms, 'term')}, {counted(self.numbers, 'number')} to read"
        text = (
            f"{sizes}, {counted(self.rows, 'row')}: the raw score differs by {size_text(self.rmse)} (root "
            f"mean square), {size_text(self.max_error)} at most{share}."
        )
        if self.rows_without_score:
            text += f" On {counted(self.rows_without_score, 'row')} the teacher has no score."
        return text


def compare_with_teacher(
    model: CurveModel,
    teacher: CurveModel,
    X: Any,  # noqa: N803  the field's name for the data
    y: npt.ArrayLike | None = None,
    w: npt.ArrayLike | None = None,
    *,
    metric: Any = None,
    query: npt.ArrayLike | None = None,
) -> Comparison:
    """Every function of a model compared with the teacher's on rows; with labels, what each costs in the task's metric.

    Args:
        model: the model.
        teacher: the teacher read exactly.
        X: (rows, features) data with the features of both.
        y: (rows,) labels, or the name of their column in ``X``, as of weights and query ids; with them the failure
            analysis is made on these rows.
        w: (rows,) non-negative weights of rows, also of the metric; None for equal ones.
        metric: see :func:`curvec.distill.evaluate_folds`.
        query: (rows,) query ids, for a metric over queries.

    Raises:
        InputError: a column is missing, there are no rows, or labels, weights and metric do not suit each other.

    """
    if y is None and (metric is not None or query is not None):
        raise InputError("a metric and query ids are for labels; pass y with them")
    y, w, query = columns_of(X, y, w, query)
    check_aligned(X=X, y=y, w=w, query=query)
    table, exact = model.table(X), teacher.table(X)
    rows = max(table.rows, exact.rows)
    if not rows:
        raise InputError("the data has no rows; give at least one to compare the model with its teacher")
    found = compare_columns(model, teacher, table, exact, weights_or_ones(w, rows))
    if y is None:
        return found
    return changed(found, evaluation=evaluate_folds([Fold(model, teacher, X, y, w, query)], metric))


def compare_columns(model: CurveModel, teacher: CurveModel, table: Table, exact: Table, w: FloatArray) -> Comparison:
    """The comparison without a metric, on columns that have been read.

    Args:
        model: the model.
        teacher: the teacher.
        table: the model's columns.
        exact: the teacher's columns of the same rows.
        w: (rows,) weights.

    """
    score, teacher_score = (
        raw_score(side.terms, side.intercept, columns) for side, columns in ((model, table), (teacher, exact))
    )
    whole = fidelity(teacher_score, score, w)
    return Comparison(
        curves=tuple(_compared(pair, table, exact, w) for pair in counterparts(model, teacher)),
        rows=len(w),
        rows_without_score=int(np.isnan(teacher_score).sum()),
        rmse=whole.rmse,
        unexplained=whole.unexplained,
        max_error=whole.max_error,
    )


def compare_views(
    model: CurveModel,
    teacher: CurveModel,
    views: Mapping[frozenset[str], View],
    score: Spread,
    left: Spread,
    rows: int,
) -> Comparison:
    """The comparison after a pass over a stream: each function on its summary of the rows, the score on all rows.

    Args:
        model: the model, with no features that the teacher has not.
        teacher: the teacher.
        views: the summaries, by the features of the function that they are for.
        score: the spread of the teacher's score.
        left: the spread of that score less the model's terms.
        rows: how many rows there were.

    """
    squares, apart = left.squares_about(model.intercept), (left.low - model.intercept, left.high - model.intercept)
    return Comparison(
        curves=tuple(_compared_view(pair, views) for pair in counterparts(model, teacher)),
        rows=rows,
        rows_without_score=score.without,
        rmse=math.sqrt(squares / left.weight) if left.rows else 0.0,
        unexplained=squares / score.squares if score.sd else (None if squares else 0.0),
        max_error=max(map(abs, apart)) if left.rows else 0.0,
    )


def _compared_view(pair: Counterparts, views: Mapping[frozenset[str], View]) -> CurveReport:
    assert pair.teacher is not None  # noqa: S101  a distillation adds no term
    view = views[features_in(pair.teacher)]
    report = _compared(pair, view.table, view.table, view.weights)
    known = np.isfinite(values_or_zero(pair.teacher, view.table)) & np.isfinite(values_or_zero(pair.model, view.table))
    several = len(view.table.features) > 1
    return changed(report, rows=int(view.rows[known].sum()), at=None if several else report.at)


def _compared(pair: Counterparts, table: Table, exact: Table, w: FloatArray) -> CurveReport:
    theirs, own = values_or_zero(pair.teacher, exact), values_or_zero(pair.model, table)
    source = pair.teacher or pair.model
    assert source is not None  # noqa: S101  one of the two is there
    features = set(features_of(source))
    inputs = None if len(features) > 1 else (exact if pair.teacher else table).read_as(features.pop())
    shift = mean_difference(theirs, own, w)
    distance = fidelity(theirs, own, w, inputs, shift=shift)
    kept = pair.model == pair.teacher
    return curve_report(pair.label, pair.model, distance, kept=kept, of_teacher=pair.teacher is not None, shift=shift)


def curve_report(label: str, term: Term | None, distance: Fidelity, **details: Any) -> CurveReport:
    """The report of one function: what it is, and how far it is from the teacher's."""
    return CurveReport(
        **msgspec.structs.asdict(distance),
        label=label,
        kind="constant" if term is None else _kind_of(term),
        pieces=0 if term is None else sum(node.pieces for node in walk(term)),
        numbers=0 if term is None else term.numbers_to_read,
        fx=term.fx if isinstance(term, PWLCurve) and term.fx != "identity" else "",
        direction="constant" if term is None else term.direction,
        **details,
    )


_FRAME = (
    "label",
    "kind",
    "fx",
    "direction",
    "pieces",
    "numbers",
    "sd",
    "rmse",
    "unexplained",
    "max_error",
    "at",
    "kept",
)
"""The fields of a :class:`CurveReport` that are columns of the frame."""

_KINDS = {"PWLCurve": "curve", "StepCurve": "steps", "EnumCurve": "table"}
"""What reports call a node, by its class; others are called by the name of their class."""


def _kind_of(term: Term) -> str:
    name = type(term).__name__
    return _KINDS.get(name, name.lower())


def _leaves(curves: Sequence[CurveReport]) -> list[CurveReport]:
    """The curves, with each larger term replaced by the curves inside it."""
    return [leaf for curve in curves for leaf in (curve.inner or (curve,))]


def _indented(curve: CurveReport) -> list[CurveReport]:
    return [changed(inner, label=f"  {inner.label}") for inner in curve.inner]


class ReportColumn(NamedTuple):
    """A column of the table of what was lost: its header, a cell's text, and what it is sorted by."""

    header: str
    text: Callable[[CurveReport], str]
    key: Callable[[CurveReport], Any]
    numeric: bool = False


def _place_text(curve: CurveReport) -> str:
    return f"row {curve.at}" if isinstance(curve.at, int) and curve.kind in ("sum", "product") else input_text(curve.at)


COLUMNS: tuple[ReportColumn, ...] = (
    ReportColumn("curve", lambda curve: curve.label, attrgetter("label")),
    ReportColumn("kind", lambda curve: f"{curve.kind}, kept" if curve.kept else curve.kind, attrgetter("kind")),
    ReportColumn("fx", lambda curve: curve.fx or "-", attrgetter("fx")),
    ReportColumn("direction", attrgetter("direction"), attrgetter("direction")),
    ReportColumn("numbers", lambda curve: str(curve.numbers), attrgetter("numbers"), numeric=True),
    ReportColumn("RMSE", lambda curve: size_text(curve.rmse), attrgetter("rmse"), numeric=True),
    ReportColumn("unexplained", lambda curve: share_text(curve.unexplained), attrgetter("unexplained"), numeric=True),
    ReportColumn("largest error", lambda curve: size_text(curve.max_error), attrgetter("max_error"), numeric=True),
    ReportColumn("at", _place_text, attrgetter("at")),
)
"""The table of what was lost, for the terminal, for notebooks and for the report page."""


_FIRST_LEFT_OUT = ("kind", "at", "direction", "fx", "RMSE", "numbers", "largest error")
"""The columns that are dropped on a narrow terminal, in this order; the label and the unexplained share stay."""


def _rich_table(curves: Sequence[CurveReport], width: int) -> tuple[RichTable, list[str]]:
    """The table on ``width`` columns, no cell cut short, and the headers of the columns that had no room."""
    cells = {column.header: [column.text(curve) for curve in curves] for column in COLUMNS}
    least = {header: max(map(len, [*header.split(), *texts])) for header, texts in cells.items()}
    least |= {"curve": min(least["curve"], 24), "at": min(least["at"], 22)}  # of any length: these two fold
    left_out: list[str] = []
    for header in _FIRST_LEFT_OUT:
        if sum(least.values()) + 2 * (len(least) - 1) > width:
            del least[header]
            left_out.append(header)
    from rich.table import Table as RichTable

    table = RichTable(box=None, pad_edge=False, header_style="bold")
    shown = [column for column in COLUMNS if column.header in least]
    for column in shown:
        folds = column.header in ("curve", "at")
        table.add_column(
            column.header,
            overflow="fold",
            min_width=None if folds else least[column.header],
            max_width=22 if column.header == "at" else None,
            justify="right" if column.numeric or column.header == "at" else "left",
        )
    for row in zip(*(cells[column.header] for column in shown), strict=True):
        table.add_row(*row)
    return table, left_out
