"""The picture of one fit with matplotlib: figure 3 of Ravina et al. (2021) with a band, and the loss by segments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from curvec.checks import as_path
from curvec.fit.result import Fit
from curvec.review import panels, x_axis
from curvec.review.plot import draw_codes, draw_scale
from curvec.review.style import BLUE, ORANGE, PANEL, STYLE, matplotlib, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PURPLE = "#cc79a7"
BAND = "95 % band"


def plot_fit(fit: Fit, *, path: str | Path | None = None) -> Figure:
    """Draw what a fit saw and chose, with its band, and the loss against segments, as :func:`curvec.plot` does."""
    path = None if path is None else as_path(path)
    library = matplotlib()
    entries = fit.path
    with library.rc_context(STYLE):
        width = PANEL[0] * (2.4 if len(entries) > 1 else 1.4)
        figure: Figure = library.figure.Figure(figsize=(width, PANEL[1] * 1.25), layout="constrained")
        ratios = [1.4, 1] if len(entries) > 1 else [1]
        axes = figure.subplots(1, len(ratios), width_ratios=ratios, squeeze=False)[0]
        _draw_shape(axes[0], fit)
        if len(entries) > 1:
            _draw_path(axes[1], fit)
        handles, labels = axes[0].get_legend_handles_labels()
        columns = len(labels) if len(entries) > 1 else 2
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize=7)
        if path is not None:
            save(figure, path)
    return figure


def _draw_shape(axes: Axes, fit: Fit) -> None:
    panel = panels.panel_of(fit.curve)
    low, high = x_axis.axis_range(panel, np.concatenate([fit.candidates, fit.condensed[:, 0]]))
    axes.set_title(panel.title, loc="left")
    draw_scale(axes, panel, low, high)
    for place, candidate in enumerate(fit.candidates.tolist()):
        label = "candidate knots" if place == 0 else None
        axes.axvline(candidate, color="#c44e52", linewidth=0.5, alpha=0.45, zorder=1, label=label)
    x, weight, mean = fit.condensed.T
    largest = min(60.0, max(3.0, 3000 / len(x)))
    area = largest * (0.1 + 0.9 * weight / max(float(weight.max()), 1e-300))
    axes.scatter(x, mean, s=area, color=PURPLE, alpha=0.6, linewidths=0, zorder=2, label="condensed points, by weight")
    curve = panels.line(panel, fit.curve, low, high)
    if fit.has_band:
        x = np.array(curve.x)
        lower, upper = fit.band(x).T
        told = np.isfinite(upper)
        axes.fill_between(x, lower, upper, where=told, color=ORANGE, alpha=0.25, linewidth=0, zorder=1, label=BAND)
    axes.plot(curve.x, curve.y, color=ORANGE, linewidth=1.4, zorder=3)
    axes.plot(*np.array(fit.curve.points).T, "o", color=ORANGE, markersize=4, markeredgecolor="white", zorder=4)
    draw_codes(axes, panel, low, high, [(fit.curve, ORANGE, "o")])
    axes.plot([], [], color=ORANGE, marker="o", markersize=4, label="curve")


def _draw_path(axes: Axes, fit: Fit) -> None:
    segments = [entry.num_segments for entry in fit.path]
    losses = [entry.sse for entry in fit.path]
    axes.set_title("squared error by segments", loc="left")
    axes.plot(segments, losses, "o-", color=BLUE, markersize=3.6, linewidth=1.2)
    axes.plot(
        [fit.num_segments], [fit.sse], "o", color="none", markeredgecolor=ORANGE, markeredgewidth=1.4, markersize=8
    )
    if min(losses) > 0 and max(losses) > 8 * min(losses):
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1.06 * max(losses) or 1)
    axes.set_xticks(segments if len(segments) <= 10 else segments[:: len(segments) // 8])
