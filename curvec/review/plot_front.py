"""A picture of a distillation's front: the loss of the best model of every size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curvec.checks import as_path
from curvec.distill import DistillationReport
from curvec.errors import InputError
from curvec.review.style import BLUE, GREY, ORANGE, PANEL, STYLE, matplotlib, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_front(report: DistillationReport, *, path: str | Path | None = None) -> Figure:
    """Draw the loss of the best model of every size, and the metric where there were labels; the model is marked.

    Raises:
        InputError: no size loses anything, so there is nothing to choose.

    """
    sizes = [size for size in report.front if size.unexplained > 0]
    if not sizes:
        raise InputError("the teacher's score is a constant: there is no size to choose, and nothing to draw")
    library = matplotlib()
    labelled = [size for size in sizes if size.metric is not None]
    with library.rc_context(STYLE):
        count = 2 if labelled else 1
        figure: Figure = library.figure.Figure(figsize=(PANEL[0] * 1.4 * count, PANEL[1] * 1.25), layout="constrained")
        loss, *rest = figure.subplots(1, count, squeeze=False)[0]
        loss.plot([size.numbers for size in sizes], [size.unexplained for size in sizes], color=BLUE, linewidth=1.2)
        if report.unexplained:
            loss.plot([report.numbers], [report.unexplained], "o", color=ORANGE, markersize=4)
        loss.set(xscale="log", yscale="log", title="share of the score's variance lost")
        for axes in rest:
            numbers, metric = [size.numbers for size in labelled], [size.metric or 0.0 for size in labelled]
            error = [size.error or 0.0 for size in labelled]
            low, high = ([m + sign * e for m, e in zip(metric, error, strict=True)] for sign in (-1, 1))
            axes.fill_between(numbers, low, high, color=GREY, alpha=0.3, linewidth=0)
            axes.plot(numbers, metric, color=BLUE, linewidth=1.2)
            axes.axvline(report.numbers, color=ORANGE, linewidth=0.8)
            axes.set(xscale="log", title="metric, and the error of its difference to the best")
        for axes in (loss, *rest):
            axes.set_xlabel("numbers to read")
        if path is not None:
            save(figure, as_path(path))
    return figure
