"""Pictures of curves with matplotlib: figures 1, 2 and 4 of Ravina et al. (2021), for any curve model.

A panel shows the teacher's function as dots, the curve as a line with its control points, and the cumulative
distribution of the feature in grey (right axis), special codes left of a dotted line; categories are drawn by level,
with the share of rows in grey.
Colours are Okabe and Ito's, and every series has a mark of its own, so nothing is told by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from curvec.checks import as_path, check, check_flag
from curvec.distill import Distillation
from curvec.distill.correspondence import Counterparts, features_in
from curvec.distill.printing import metric_text, size_text
from curvec.emit.names import identifiers
from curvec.errors import InputError, shown
from curvec.files import make_folder
from curvec.ir import PWLCurve, Term, changed
from curvec.model import CurveModel, check_model
from curvec.review import distributions, panels, x_axis
from curvec.review.heat_map import LONGEST, HeatMap, heat_maps
from curvec.review.importance import importances, ranked
from curvec.review.panels import Panel
from curvec.review.style import BLUE, GREY, ORANGE, OTHERS, PANEL, STYLE, matplotlib, save
from curvec.review.svg import level_text, tick_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE_LENGTH = 24
"""Characters that fit above a panel; a longer title is set smaller."""

CROWDED = 20
"""Characters of all levels that fit below a panel side by side; more stand upright."""


class Series(msgspec.Struct, frozen=True):
    """One more model drawn over the first: its name, its own colour, dash and mark."""

    label: str
    model: CurveModel
    colour: str
    dash: Any
    mark: str


class Scene(msgspec.Struct, frozen=True):
    """What every panel of one figure shows."""

    model: CurveModel
    data: Any
    teacher: CurveModel | None
    others: Sequence[Series]

    def exact(self, panel: Panel) -> Term | None:
        """The teacher's function, at the mean of the panel's; None where it has none."""
        if self.teacher is None:
            return None
        return panels.at_its_mean(panel, panels.counterpart(panel, self.teacher), self.data)

    def series(self, panel: Panel) -> list[tuple[Term, str, Any, str]]:
        """The panel's functions with colour, dash and mark: the model's own first, if it has one."""
        nodes = [(panels.counterpart(panel, other.model), other) for other in self.others]
        rest = [(node, other.colour, other.dash, other.mark) for node, other in nodes if node is not None]
        return rest if panel.removed else [(panel.node, ORANGE, "-", "o"), *rest]


def plot_model(
    model: CurveModel,
    X: Any = None,  # noqa: N803  the field's name for a table of features
    *,
    teacher: CurveModel | None = None,
    others: Mapping[str, CurveModel] | None = None,
    path: str | Path | None = None,
    columns: int = 3,
    same_scale: bool = False,
) -> Figure:
    """Draw every curve of a model: arguments and errors as :func:`curvec.plot`.

    The most important term comes first (:func:`curvec.review.importance.importances`). A term of two features is drawn
    as a heat map, then part by part.
    """
    others = {} if others is None else others
    check("others", others, "pass a mapping of names to models", holds=isinstance(others, Mapping))
    path = None if path is None else as_path(path)
    further = [*others.values(), *([] if teacher is None else [teacher])]
    for given in (model, *further):
        check_model(given)
    if not isinstance(columns, int) or columns < 1:
        raise InputError(f"columns={shown(columns)} leaves no room for a panel; use 1 or more")
    check_flag("same_scale", same_scale)
    compared = {} if teacher is None else {"teacher": teacher}
    pictures = [*_by_importance(model, X, compared), *panels.removed(model, further)]
    if not pictures:
        raise InputError(f"model {model.name!r} is a constant, {model.intercept:.6g}; there is no curve to draw")
    scene = Scene(model, X, teacher, _others(others, model))
    with matplotlib().rc_context(STYLE):
        figure = _figure(pictures, columns, scene)
        if same_scale:
            _share_scale(figure, pictures)
        if path is not None and path.suffix:
            save(figure, path)
        elif path is not None:
            make_folder(path)
            for name, picture in zip(file_names(pictures), pictures, strict=True):
                save(_figure([picture], 1, scene), path / name)
    return figure


def plot_worst(
    found: Distillation,
    n: int,
    X: Any = None,  # noqa: N803  the field's name for a table of features
    *,
    columns: int = 3,
    path: str | Path | None = None,
) -> Figure:
    """Draw the ``n`` functions that a distillation lost most of, worst first (Ravina et al. 2021, section 5.2).

    Args:
        found: what :func:`curvec.distill` gave. With labels, worst is what costs the metric most when it is distilled
            alone; the title says how much, and the metric with it and all worse ones undistilled. Without labels, what
            changes the raw score most.
        n: how many.
        X: (rows, features) data: the distributions in grey, and the values at which the teacher is drawn.
        columns: panels side by side.
        path: the file to save to (.png, .svg, .pdf).

    Raises:
        InputError: the teacher has fewer functions, or ``n`` is 0.
        MissingDependencyError: matplotlib is not installed.

    """
    worst = found.worst(n)
    if not worst:
        raise InputError("n=0 leaves nothing to draw; use 1 or more")
    pictures = [picture for pair in worst for picture in _of_function(found, pair, X)]
    with matplotlib().rc_context(STYLE):
        figure = _figure(pictures, columns, Scene(found.model, X, found.teacher, ()))
        if path is not None:
            save(figure, as_path(path))
    return figure


def _of_function(found: Distillation, pair: Counterparts, data: Any) -> list[Panel | HeatMap]:
    """The pictures of a function's replacement, or of the teacher's own if there is none, titled with what was lost."""
    report = next(curve for curve in found.report.curves if curve.label == pair.label)
    change = found.report.metric_change(report)
    note = f"{size_text(report.rmse)} RMSE"
    if change is not None and found.report.evaluation is not None:
        after = f"{metric_text(found.report.metric_undistilled(report))} with it and worse undistilled"
        note = f"{metric_text(change, change=True)} {found.report.evaluation.metric}\n{after}"
    if pair.model is None:
        assert pair.teacher is not None  # noqa: S101  one of the two is there
        gone = panels.removed(found.model, [found.teacher])
        pictures: list[Panel | HeatMap] = [
            panel for panel in gone if features_in(panel.node) == features_in(pair.teacher)
        ]
    else:
        pictures = _by_importance(changed(found.model, terms=[pair.model]), data, {"teacher": found.teacher})
    return [changed(picture, note=note) for picture in pictures]


def _by_importance(model: CurveModel, data: Any, others: Mapping[str, CurveModel]) -> list[Panel | HeatMap]:
    """The pictures of a model, the most important term first, a heat map before the parts of its term."""
    drawn = panels.panels(model)
    found = importances(model, data)
    result: list[Panel | HeatMap] = []
    for place in ranked(found):
        terms = found[place].terms
        result += heat_maps(model, terms, others, data)
        result += [panel for panel in drawn if panel.terms[0] in terms]
    return result


def _share_scale(figure: Figure, pictures: Sequence[Panel | HeatMap]) -> None:
    """One vertical scale for the panels of whole terms."""
    # The grey of a distribution has axes of its own: those come behind the panels'.
    drawn = zip(figure.axes, pictures, strict=False)
    whole = [axes for axes, one in drawn if isinstance(one, Panel) and one.role == "contribution" and not one.removed]
    if whole:
        low, high = (
            choose(limit)
            for choose, limit in zip((min, max), zip(*(a.get_ylim() for a in whole), strict=True), strict=True)
        )
        for axes in whole:
            axes.set_ylim(low, high)


def file_names(pictures: Sequence[Panel | HeatMap]) -> list[str]:
    """A file name for each picture, its place and its title in ASCII: ``03_length_of_stay.png``."""
    titles = identifiers((picture.title for picture in pictures), ())
    return [f"{place:02d}_{titles[picture.title][:60]}.png" for place, picture in enumerate(pictures, start=1)]


def _others(others: Mapping[str, CurveModel], model: CurveModel) -> list[Series]:
    if len(others) > len(OTHERS):
        raise InputError(f"{len(others)} models over one another cannot be told apart; use at most {len(OTHERS)}")
    panels.check_others(model, others)
    return [Series(name, other, *look) for (name, other), look in zip(others.items(), OTHERS, strict=False)]


def _figure(pictures: Sequence[Panel | HeatMap], columns: int, scene: Scene) -> Figure:
    columns = min(columns, len(pictures))
    rows = math.ceil(len(pictures) / columns)
    keys = _keys(pictures, scene)
    across = min(len(keys), 2 * columns - 1)
    size = (PANEL[0] * columns, PANEL[1] * rows + 0.12 + 0.16 * math.ceil(len(keys) / across))
    figure: Figure = matplotlib().figure.Figure(figsize=size, layout="constrained")
    # All axes first: what is drawn behind and beside them comes after them in the figure's list.
    places = [figure.add_subplot(rows, columns, position) for position in range(1, len(pictures) + 1)]
    for axes, picture in zip(places, pictures, strict=True):
        _draw(axes, picture, scene)
    figure.legend(handles=keys, loc="outside lower center", ncols=across, fontsize=7, borderaxespad=0.2)
    return figure


def _draw(axes: Axes, panel: Panel | HeatMap, scene: Scene) -> None:
    mark = " (removed)" if isinstance(panel, Panel) and panel.removed else ""
    lines = [_shorten(panel.title, 34 - len(mark)) + mark, *panel.note.splitlines()]
    title = axes.set_title("\n".join(lines), loc="left")
    title.set_fontsize(float(title.get_fontsize()) * min(1.0, TITLE_LENGTH / max(*map(len, lines), 1)))
    if isinstance(panel, HeatMap):
        _draw_map(axes, panel)
        return
    axes.margins(y=0.1)
    if panel.type == "number":
        _draw_number(axes, panel, scene)
    else:
        _draw_levels(axes, panel, scene)
    bottom, top = axes.get_ylim()
    if bottom <= 0 <= top:
        axes.axhline(0, color="#b0b0b0", linewidth=0.6, zorder=1)


def _draw_map(axes: Axes, shown: HeatMap) -> None:
    """Blue below 0, orange above, white at 0."""
    colours = matplotlib().colors.LinearSegmentedColormap.from_list("around 0", [BLUE, "white", ORANGE])
    most = float(np.nanmax(np.abs(shown.values), initial=0.0)) or 1.0
    image = axes.imshow(
        shown.values, cmap=colours, vmin=-most, vmax=most, origin="lower", extent=(0, 1, 0, 1), aspect="auto"
    )
    for axis, ticks in ((axes.xaxis, shown.across.ticks), (axes.yaxis, shown.up.ticks)):
        step = math.ceil(len(ticks) / 8) or 1
        axis.set_ticks([place for place, _ in ticks[::step]], [_shorten(text, LONGEST) for _, text in ticks[::step]])
    if sum(len(text.get_text()) for text in axes.get_xticklabels()) > CROWDED:
        axes.tick_params(axis="x", labelrotation=90, labelsize=6.5)
    axes.set_xlabel(_shorten(shown.across.feature.name, 30), loc="right", fontsize=6.5, color="#555555", labelpad=1)
    axes.set_ylabel(_shorten(shown.up.feature.name, 30), loc="top", fontsize=6.5, color="#555555", labelpad=1)
    bar = axes.figure.colorbar(image, ax=axes, pad=0.02)
    bar.ax.tick_params(labelsize=6.5)


def _shorten(text: str, length: int) -> str:
    shown = level_text(text)
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"


def _draw_number(axes: Axes, panel: Panel, scene: Scene) -> None:
    x = None if scene.data is None else panels.quantity(panel, scene.data)
    exact = scene.exact(panel)
    functions = scene.series(panel)
    low, high = x_axis.axis_range(panel, x, x_axis.others_drawn(x, exact, *(node for node, *_ in functions)))
    draw_scale(axes, panel, low, high)
    if x is not None:
        _cumulative(axes, distributions.distribution(x), high)
    if exact is not None:
        places = panels.dots(panel, exact, x)
        axes.plot(places.x, places.y, ".", color=BLUE, markersize=4.5, markeredgewidth=0, alpha=0.8, zorder=3)
    for order, (node, colour, dash, mark) in enumerate(functions):
        curve = panels.line(panel, node, low, high)
        axes.plot(curve.x, curve.y, color=colour, linestyle=dash, linewidth=1.4, zorder=4 + order)
        if isinstance(node, PWLCurve):
            points = np.array([(px, py) for px, py in node.points if low <= px <= high])
            axes.plot(*points.T, mark, color=colour, markersize=3.6, markeredgecolor="white", zorder=5 + order)
    marks = [(node, colour, mark) for node, colour, _, mark in functions]
    draw_codes(axes, panel, low, high, [*marks, *([] if exact is None else [(exact, BLUE, ".")])])
    _draw_missing(axes, panel)


def draw_codes(axes: Axes, panel: Panel, low: float, high: float, marks: Sequence[tuple[Term, str, str]]) -> None:
    """The values of functions at the special codes, left of ``low``, each with its colour and mark."""
    if not panel.codes:
        return
    axes.axvline(low, color="#b0b0b0", linewidth=0.6, linestyle=":", zorder=1)
    _, places = x_axis.room_of_codes(panel, low, high)
    for order, (node, colour, mark) in enumerate(marks):
        values = panels.code_values(panel, node)
        axes.plot(places, values, mark, color=colour, markersize=4.5, markeredgewidth=0, zorder=5 + order)


def draw_scale(axes: Axes, panel: Panel, low: float, high: float) -> None:
    """The horizontal axis of a numeric panel: its transform, round ticks, and the special codes left of ``low``."""
    fx, (start, at_codes) = panel.fx, x_axis.room_of_codes(panel, low, high)
    if fx.name != "identity":
        # matplotlib also transforms values outside the axis, which may be outside the transform's domain.
        axes.set_xscale("function", functions=(lambda x: fx.forward(np.maximum(np.asarray(x), start)), fx.inverse))
    axes.set_xlim(start, high)
    places = x_axis.ticks(fx, low, high)
    axes.set_xticks([*at_codes, *places], [*tick_texts(panel.codes), *tick_texts(places)])
    if fx.name != "identity":
        axes.set_xlabel(fx.name, loc="right", fontsize=6.5, color="#555555", labelpad=1)


def _behind(axes: Axes, top: float) -> Axes:
    back = axes.twinx()
    back.set_ylim(0, top)
    back.spines["right"].set_visible(True)
    back.spines["right"].set_color(GREY)
    back.tick_params(axis="y", colors="#6e6e6e", labelsize=6.5)
    back.set_zorder(axes.get_zorder() - 1)
    back.patch.set_visible(True)
    axes.patch.set_visible(False)
    return back


def _cumulative(axes: Axes, distribution: distributions.Distribution, high: float) -> None:
    back = _behind(axes, 1.0)
    back.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    x, share = np.append(distribution.x, high), np.append(distribution.share, 1.0)
    if len(distribution.x):
        back.fill_between(x, share, step="post", color="#e9e9e9", linewidth=0)
        back.step(x, share, where="post", color="#b5b5b5", linewidth=0.8)


def _draw_missing(axes: Axes, panel: Panel) -> None:
    if panel.missing is not None:
        place = axes.get_yaxis_transform()
        axes.plot(
            0.97, panel.missing, "D", transform=place, color="white", markeredgecolor=ORANGE, markersize=4.5, zorder=9
        )


def _draw_levels(axes: Axes, panel: Panel, scene: Scene) -> None:
    exact = scene.exact(panel)
    functions = scene.series(panel)
    drawn = [node for node, *_ in functions] + ([] if exact is None else [exact])
    shown = distributions.shares(panel, scene.data, drawn)
    places = np.arange(len(shown.levels), dtype=float)
    if shown.shares is not None:
        back = _behind(axes, max(1e-9, *shown.shares) * 1.5)
        back.bar(places, shown.shares, width=0.8, color="#e9e9e9")
        places_up = [share for share in x_axis.ticks(panels.IDENTITY, 0, min(1.0, back.get_ylim()[1]), 2) if share <= 1]
        back.set_yticks(places_up, [f"{share:.3g}%" for share in 100 * np.array(places_up)])
    if exact is not None:
        axes.plot(places, panels.values_at_levels(panel, exact, shown.levels), ".", color=BLUE, markersize=6, zorder=8)
    for order, (node, colour, dash, _) in enumerate(functions):
        values = panels.values_at_levels(panel, node, shown.levels)
        axes.hlines(values, places - 0.38, places + 0.38, color=colour, linestyle=dash, linewidth=1.8, zorder=5 + order)
    _draw_missing(axes, panel)
    room = 0.0 if panel.missing is None else 0.09 * len(places)  # right of the last level, for its mark
    axes.set_xlim(-0.6, len(places) - 0.4 + room)
    names = [_shorten(level_text(level), 18) for level in shown.levels]
    crowded = sum(map(len, names)) > CROWDED
    axes.set_xticks(places, names, rotation=90 if crowded else 0, fontsize=6.5 if crowded else 7.5)
    if shown.further:
        axes.set_xlabel(f"and {shown.further} more", loc="right", fontsize=6.5, color="#555555")


def _keys(drawn: Sequence[Panel | HeatMap], scene: Scene) -> list[Any]:
    line = matplotlib().lines.Line2D
    pictures = [one for one in drawn if isinstance(one, Panel)]
    keys = []
    if scene.teacher is not None:
        keys.append(
            line([], [], color=BLUE, marker=".", linestyle="", markersize=6, label="teacher, moved to the same mean")
        )
    keys.append(line([], [], color=ORANGE, marker="o", markersize=3.6, label=_shorten(scene.model.name, 40)))
    for s in scene.others:
        name = _shorten(s.label, 40)
        keys.append(line([], [], color=s.colour, linestyle=s.dash, marker=s.mark, markersize=3.6, label=name))
    if any(picture.missing is not None for picture in pictures):
        look = {"color": "white", "markeredgecolor": ORANGE, "markersize": 4.5}
        keys.append(line([], [], marker="D", linestyle="", label="missing value", **look))
    if scene.data is not None:
        kinds = {picture.type == "number" for picture in pictures}
        one = "cumulative share of rows" if True in kinds else "share of rows"
        label = one if len(kinds) == 1 else "share of rows: cumulative, or by category"
        keys.append(line([], [], color="#c9c9c9", linewidth=5, label=label))
    return keys
