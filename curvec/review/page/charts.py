"""Charts and tables of how good the model is, for the page: the model and its teacher on the same axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from markupsafe import Markup

from curvec.distill.printing import metric_text, share_text
from curvec.metrics import Metric
from curvec.review import panels, x_axis
from curvec.review.page.tables import cell_text
from curvec.review.quality import Bin, ScoredRows, bins, by_query_size, deviances, rates, thresholds
from curvec.review.svg import Frame, html_environment, tick_texts
from curvec.transforms import FloatArray


class Chart(msgspec.Struct, frozen=True):
    """Lines over two numeric axes, as SVG, and the title above."""

    title: str
    svg: Markup


class NamedTable(msgspec.Struct, frozen=True):
    """A table: its id and title, headers and texts of cells."""

    id: str
    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]] = msgspec.field(default_factory=list)


class ChartLine(msgspec.Struct, frozen=True):
    """A series: "model" or "teacher", its points, and intervals of y where there are any."""

    name: str
    x: FloatArray
    y: FloatArray
    intervals: Sequence[tuple[float, float]] = ()


def charts(sides: Mapping[str, ScoredRows], judge: Metric) -> list[Chart]:
    """The charts of the task; ``sides`` has the model and, if there is one, the teacher."""
    task = next(iter(sides.values())).task
    if task == "ranking":
        return []
    drawn = [_chart("Calibration by prediction", "predicted", "observed", _calibration(sides), diagonal=True)]
    if task == "classes" and all(0 < one.y.mean() < 1 for one in sides.values()):
        drawn.append(_chart("ROC", "false positive rate", "recall", list(map(_roc, sides.items())), diagonal=True))
        drawn.append(_chart("Precision and recall", "recall", "precision", list(map(_precision, sides.items()))))
    if task == "amounts":
        drawn += [
            _chart("Lift by decile", "decile of the prediction", "observed over the mean", _lifts(sides)),
            _chart("Deviance by decile", "decile of the prediction", "mean deviance", _deviances(sides, judge)),
        ]
    if task == "numbers":
        drawn.append(_chart("Mean residual by prediction", "predicted", "observed - predicted", _residuals(sides)))
    return drawn


def _bin_lines(
    sides: Mapping[str, ScoredRows], x: Callable[[Bin], float], y: Callable[[str, Bin, float], float]
) -> list[ChartLine]:
    """A line over the bins of each side, with intervals: ``y`` is of a mean label, and alike of its interval's ends."""
    return [
        ChartLine(
            name,
            np.array([x(group) for group in groups]),
            np.array([y(name, group, group.observed) for group in groups]),
            [(y(name, group, group.low), y(name, group, group.high)) for group in groups],
        )
        for name, groups in ((name, bins(one)) for name, one in sides.items())
    ]


def _calibration(sides: Mapping[str, ScoredRows]) -> list[ChartLine]:
    return _bin_lines(sides, lambda group: group.predicted, lambda _, __, label: label)


def _residuals(sides: Mapping[str, ScoredRows]) -> list[ChartLine]:
    return _bin_lines(sides, lambda group: group.predicted, lambda _, group, label: label - group.predicted)


def _lifts(sides: Mapping[str, ScoredRows]) -> list[ChartLine]:
    """The mean label of each bin over that of all rows."""
    means = {name: float(np.average(one.y, weights=one.w)) for name, one in sides.items()}
    with_mean = {name: one for name, one in sides.items() if means[name]}
    return _bin_lines(with_mean, _decile, lambda name, _, label: label / means[name])


def _deviances(sides: Mapping[str, ScoredRows], judge: Metric) -> list[ChartLine]:
    """The mean deviance of each bin."""
    found = ((name, groups, deviances(one, groups, judge)) for name, one in sides.items() for groups in [bins(one)])
    return [
        ChartLine(name, np.array(list(map(_decile, groups))), np.array(values))
        for name, groups, values in found
        if values is not None
    ]


def _decile(group: Bin) -> float:
    return group.number + 1.0


def _roc(side: tuple[str, ScoredRows]) -> ChartLine:
    _, up, down, _ = rates(side[1])
    return ChartLine(side[0], *_thin(np.append(0.0, down / down[-1]), np.append(0.0, up / up[-1])))


def _precision(side: tuple[str, ScoredRows]) -> ChartLine:
    _, up, _, selected = rates(side[1])
    return ChartLine(side[0], *_thin(up / up[-1], up / selected))


def _thin(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """At most 200 of the points, the first and the last among them."""
    kept = panels.evenly(len(x), 200)
    return x[kept], y[kept]


def _chart(title: str, across: str, up: str, lines: Sequence[ChartLine], *, diagonal: bool = False) -> Chart:
    frame = Frame()
    x_low, x_high = _ends([line.x for line in lines])
    y_low, y_high = _ends([line.y for line in lines] + [np.array(line.intervals).ravel() for line in lines])
    if diagonal:
        x_low = y_low = min(x_low, y_low)
        x_high = y_high = max(x_high, y_high)

    def place(x: float, y: float) -> tuple[float, float]:
        return frame.across((x - x_low) / (x_high - x_low)), frame.up((y - y_low) / (y_high - y_low))

    x_ticks, y_ticks = (x_axis.ticks(panels.IDENTITY, *ends) for ends in ((x_low, x_high), (y_low, y_high)))
    drawn = [
        {
            "name": line.name,
            "points": [place(x, y) for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True)],
            "intervals": [
                (place(x, low), place(x, high)) for x, (low, high) in zip(line.x.tolist(), line.intervals, strict=False)
            ],
        }
        for line in lines
    ]
    svg = (
        html_environment()
        .get_template("report/chart.svg.jinja")
        .render(
            title=title,
            across=across,
            up=up,
            frame=frame,
            lines=drawn,
            diagonal=[place(x_low, y_low), place(x_high, y_high)] if diagonal else None,
            zero=None if diagonal or not y_low <= 0 <= y_high else place(x_low, 0.0)[1],
            x_ticks=[(place(x, y_low)[0], text) for x, text in zip(x_ticks, tick_texts(x_ticks), strict=True)],
            y_ticks=[(place(x_low, y)[1], text) for y, text in zip(y_ticks, tick_texts(y_ticks), strict=True)],
        )
    )
    return Chart(title, Markup(svg))  # noqa: S704  the template escapes


def _ends(series: Sequence[FloatArray]) -> tuple[float, float]:
    values = np.concatenate([one[np.isfinite(one)] for one in series])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.04 * (high - low) or max(0.5, abs(low) / 2)
    return low - room, high + room


def quality_tables(sides: Mapping[str, ScoredRows], judge: Metric) -> list[NamedTable]:
    """The model's tables for its task, with columns of the teacher where those are informative."""
    model = sides["model"]
    if model.task == "ranking":
        return [_by_query_size(sides, judge)] if judge.needs_query else []
    tables = [_bins_table(sides, judge)]
    if model.task == "classes" and 0 < model.y.mean() < 1:
        headers = ["threshold", "selected", "precision", "recall", "false positive rate"]
        lines = [
            [_number(one.value), *map(_share, (one.selected, one.precision, one.recall, one.false_positives))]
            for one in thresholds(model)
        ]
        tables.append(NamedTable("thresholds", "Thresholds on the model's prediction", headers, lines))
    return tables


def _bins_table(sides: Mapping[str, ScoredRows], judge: Metric) -> NamedTable:
    """The bins of the calibration; counts and amounts with the lift and the deviance."""
    model = sides["model"]
    groups, mean = bins(model), float(np.average(model.y, weights=model.w))
    headers = ["rows", "predicted", "observed", "95 % interval"]
    lines = [
        [f"{one.rows:,}", _number(one.predicted), _number(one.observed), f"{_number(one.low)} to {_number(one.high)}"]
        for one in groups
    ]
    if model.task == "amounts" and mean:
        headers.append("lift")
        lines = [[*line, f"{one.observed / mean:.3g}"] for line, one in zip(lines, groups, strict=True)]
        if (values := deviances(model, groups, judge)) is not None:
            headers.append("mean deviance")
            lines = [[*line, _number(value)] for line, value in zip(lines, values, strict=True)]
    return NamedTable("calibration", "The model's predictions in bins of equal weight, lowest first", headers, lines)


def _by_query_size(sides: Mapping[str, ScoredRows], judge: Metric) -> NamedTable:
    found = {name: by_query_size(one, judge) for name, one in sides.items()}
    rows = []
    for k, (low, high, queries, _) in enumerate(found["model"]):
        size = str(low) if low == high else f"{low} to {high}"
        rows.append([size, f"{queries:,}", *(cell_text(metric_text(one[k][3])) for one in found.values())])
    headers = ["documents a query", "queries", *(f"{judge.name}, {name}" for name in found)]
    return NamedTable("query-sizes", f"{judge.name} by the size of the query", headers, rows)


def _number(value: float) -> str:
    return cell_text(f"{value:.4g}")


def _share(value: float) -> str:
    return "\N{EN DASH}" if math.isnan(value) else share_text(value)


def group_table(found: Sequence[Any], judge: Metric, threshold: float | None) -> NamedTable | None:
    """The model by group; None without groups."""
    if not found:
        return None
    headers = ["column", "group", "rows", "predicted", "observed", judge.name, "95 % interval"]
    headers += [] if threshold is None else [f"at or above {threshold:g}"]
    rows = []
    for one in found:
        interval = "\N{EN DASH}" if one.interval is None else " to ".join(map(metric_text, one.interval))
        cells = [one.column, one.group, f"{one.rows:,}", _number(one.predicted), _number(one.observed)]
        cells += [cell_text(metric_text(one.metric)), interval]
        rows.append(cells if one.selected is None else [*cells, _share(one.selected)])
    return NamedTable("groups", "The model by group", headers, rows)
