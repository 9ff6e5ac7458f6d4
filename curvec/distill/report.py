"""What a distillation lost, and where."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table as RichTable

from curvec import display
from curvec.distill.failure import Evaluation
from curvec.distill.leaf import Leaf
from curvec.distill.parts import PairReport
from curvec.distill.printing import plain_text
from curvec.ir import EnumCurve, PWLCurve

__all__ = ["CurveReport", "DistillationReport", "curve_report"]

Direction = Literal["increasing", "decreasing", "constant", "no"]


@dataclass(frozen=True)
class CurveReport:
    """One curve against the teacher's function.

    Attributes:
        label: the feature, or the features of a larger term and the place in it.
        kind: "curve" (fitted), "kept" (the teacher's own was short enough), "table" (categories) or "constant"
            (folded into the intercept).
        segments: linear pieces of a curve, levels of a table, 0 of a constant.
        fx: the transform; "" where there is none.
        monotone: the direction of the curve; "no" for one that turns, and for tables.
        unexplained: weighted squared error over the weighted total sum of squares of the teacher's function.
        sd: weighted standard deviation of the teacher's function, in units of the raw score.
        max_error: largest absolute error on the rows, in units of the raw score.
        at: the input where it occurs.
        end_errors: the curve less the teacher's function at the least and at the largest x, where a curve may be
            constant because its end knots are learnt; in units of the raw score, zeros for tables.
        rows: rows compared.
        pooled: rare levels that share one value.
        seconds: time of the fit.
        notes: what the fit did differently from what was asked, and why.

    """

    label: str
    kind: Literal["curve", "kept", "table", "constant"]
    segments: int
    fx: str
    monotone: Direction
    unexplained: float
    sd: float
    max_error: float
    at: Any
    rows: int
    pooled: int
    seconds: float
    notes: tuple[str, ...] = ()
    end_errors: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class DistillationReport:
    """Everything that a distillation lost.

    Attributes:
        curves: one entry a curve, in the order of the model.
        rows: rows of the data.
        rows_without_score: rows on which the teacher has no value (a missing input that it does not cover).
        rmse: root of the weighted mean squared difference of the raw scores.
        unexplained: the same squared difference over the weighted total sum of squares of the teacher's raw score.
        max_error: the largest absolute difference of the raw scores.
        intercept_shift: what the intercept takes up to keep the weighted mean raw score.
        seconds: the time of the whole distillation.
        pairs: one entry an interaction of the teacher.
        evaluation: the failure analysis, where labels and a metric were given.

    """

    curves: tuple[CurveReport, ...]
    rows: int
    rows_without_score: int
    rmse: float
    unexplained: float
    max_error: float
    intercept_shift: float
    seconds: float
    pairs: tuple[PairReport, ...] = ()
    evaluation: Evaluation | None = None

    @property
    def segments(self) -> int:
        """Linear pieces of all curves together."""
        return sum(curve.segments for curve in self.curves if curve.kind in ("curve", "kept"))

    def worst(self, n: int = 5) -> tuple[CurveReport, ...]:
        """The curves that lost most of the raw score: by unexplained share times variance."""
        return tuple(sorted(self.curves, key=lambda curve: -curve.unexplained * curve.sd**2)[:n])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON and for data frames."""
        return asdict(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the table, one row a curve, then the line of the whole."""
        table = RichTable(box=None, pad_edge=False, header_style="bold")
        columns = _columns(self.curves, narrow=options.max_width < _WIDE)
        for header, cells in columns.items():
            longest = max(map(len, cells), default=0)
            if header in ("curve", "at"):  # of any length; what stands in the others is never cut short
                most = None if header == "curve" else 22  # a level may be a sentence; a name says more
                table.add_column(
                    header, overflow="fold", max_width=most, justify="left" if header == "curve" else "right"
                )
            else:
                table.add_column(header, min_width=longest, justify="right" if header in _NUMBERS else "left")
        for row in zip(*columns.values(), strict=True):
            table.add_row(*row)
        yield table
        for curve in self.curves:
            for note in curve.notes:
                yield f"{curve.label}: {note}"
        for pair in self.pairs:
            what = f"{pair.products} product{'s' * (pair.products != 1)}" if pair.products else "dropped"
            yield f"pair {pair.label}: {what}; {pair.unexplained:.1%} of its variance is lost (its sd is {pair.sd:.4g})"
        yield self._summary()
        if self.evaluation is not None:
            yield self.evaluation

    def _summary(self) -> str:
        text = (
            f"{len(self.curves)} curves, {self.segments} segments, {self.rows} rows: the raw score differs by "
            f"{self.rmse:.4g} (root mean square), {self.max_error:.4g} at most; {self.unexplained:.2%} of its variance "
            f"is lost. {self.seconds:.2f} s."
        )
        if self.rows_without_score:
            text += f" On {self.rows_without_score} rows the teacher has no score."
        return text

    def _repr_html_(self) -> str:
        return display.html(self)

    def __str__(self) -> str:
        return plain_text(self)


_WIDE = 100
"""Columns of a terminal from which on there is room for all that a report says of a curve."""

_NUMBERS = ("segments", "unexplained", "largest error")


def _columns(curves: Sequence[CurveReport], *, narrow: bool) -> dict[str, list[str]]:
    """The table's columns, a cell a curve; on a narrow terminal without the least of them."""
    columns: dict[str, list[str]] = {
        "curve": [curve.label for curve in curves],
        "kind": [curve.kind for curve in curves],
        "fx": [curve.fx or "-" for curve in curves],
        "monotone": [curve.monotone for curve in curves],
        "segments": [str(curve.segments) for curve in curves],
        "unexplained": [f"{curve.unexplained:.2%}" for curve in curves],
        "largest error": [f"{curve.max_error:.4g}" for curve in curves],
        "at": [_short(curve.at) for curve in curves],
    }
    return {name: cells for name, cells in columns.items() if not (narrow and name in ("kind", "at"))}


def _short(value: Any) -> str:
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def curve_report(leaf: Leaf, label: str, *, constant: bool = False) -> CurveReport:
    """The report of one curve."""
    term, stats = leaf.term, leaf.stats
    is_curve = isinstance(term, PWLCurve) and not constant
    kind: Literal["curve", "kept", "table", "constant"] = "curve" if is_curve else "table"
    if constant:
        kind = "constant"
    elif leaf.kept:
        kind = "kept"
    segments = 0 if constant else len(term.points) - 1 if isinstance(term, PWLCurve) else len(_levels(term))
    return CurveReport(
        label=label,
        kind=kind,
        segments=segments,
        fx=term.fx if isinstance(term, PWLCurve) and is_curve else "",
        monotone="constant" if constant else _direction(term),
        unexplained=stats.unexplained,
        sd=stats.sd,
        max_error=stats.max_error,
        at=stats.at,
        rows=stats.rows,
        pooled=leaf.pooled,
        seconds=leaf.seconds,
        notes=leaf.notes,
        end_errors=stats.end_errors,
    )


def _levels(term: Any) -> Sequence[Any]:
    return list(term.levels) if isinstance(term, EnumCurve) else ()


def _direction(term: Any) -> Direction:
    if not isinstance(term, PWLCurve):
        return "no"
    steps = np.sign([right - left for (_, left), (_, right) in itertools.pairwise(term.points)])
    if not steps.any():
        return "constant"
    if (steps >= 0).all():
        return "increasing"
    return "decreasing" if (steps <= 0).all() else "no"
