"""Pictures: what a panel shows is what the model says, and every model has one."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from curvec import (
    CurveModel,
    EnumCurve,
    InputError,
    Line,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    distill,
    fit_pwl,
    plot,
    plot_worst,
)
from curvec.review import distributions, panels, svg, x_axis
from curvec.review.diff import diff
from curvec.review.importance import importances, ranked
from curvec.review.plot import file_names
from curvec.transforms import TRANSFORMS

AGE = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], "log", missing=0.25)
STAY = StepCurve("length of stay", [1.5, 30], [-0.2, 0.1, 0.4])
DEGREE = EnumCurve("degree", {"felony": 0.2, "misdemeanor": -0.4}, default=0.0)
NESTED = PWLCurve(Sum([PWLCurve("a", [(0, 0), (1, 2)]), PWLCurve("b", [(-1, 0), (1, 2)])]), [(0, 0), (4, 1)], "log1p")
PRODUCT = Product([Sum([EnumCurve("c", {True: 1.0, False: 0.5}), Line("d")]), PWLCurve("e", [(0, 1), (9, 2)])])
MODEL = CurveModel("m", [AGE, STAY, DEGREE, NESTED, PRODUCT, Line("age")])
ROWS = 50


def data() -> dict[str, Any]:
    rng = np.random.default_rng(7)
    table: dict[str, Any] = {name: rng.uniform(0, 40, ROWS) for name in ("age", "length of stay", "a", "b", "d", "e")}
    table["age"][3] = math.nan
    table["degree"] = np.array(["felony", "other"] * (ROWS // 2), dtype=object)
    table["c"] = rng.integers(0, 2, ROWS).astype(bool)
    return table


def drawn_lines(axes: Any) -> list[np.ndarray]:
    return [np.column_stack(line.get_data()) for line in axes.lines]


def test_every_part_of_one_quantity_has_a_panel() -> None:
    found = [(panel.title, panel.terms, panel.role) for panel in panels.panels(MODEL)]
    assert found == [
        ("age", (0, 5), "contribution"),  # two terms of one feature are one picture
        ("length of stay", (1,), "contribution"),
        ("degree", (2,), "contribution"),
        ("a + b", (3,), "contribution"),
        ("a in a + b", (3,), "part"),
        ("b in a + b", (3,), "part"),
        ("c in (c + d) * e", (4,), "factor"),
        ("d in (c + d) * e", (4,), "factor"),
        ("e in (c + d) * e", (4,), "factor"),
    ]


def test_the_mark_of_a_missing_input_is_on_no_level() -> None:
    for count in (2, 10, 24):
        table = EnumCurve("k", {f"l{i}": float(i) for i in range(count)}, missing=float(count - 1))
        (axes,) = plot(CurveModel("m", [table])).axes
        left, right = axes.get_xlim()
        assert left + 0.97 * (right - left) > count - 1 + 0.38


@pytest.mark.parametrize("fx", ["identity", "log1p"])
def test_special_codes_stand_apart_from_the_axis(fx: str) -> None:
    curve = PWLCurve("a", [(0, -0.5), (6, 0.4), (46, 1)], fx, special={-9: -0.8, -7: 0.1})
    model = CurveModel("m", [curve])
    x = np.array([-9.0, -7, 0, 3, 50, 50])
    axes = plot(model, {"a": x}).axes[0]
    line, points, split, codes = drawn_lines(axes)[:4]
    assert np.array_equal(codes[:, 1], model.eval({"a": [-9.0, -7.0]}))
    left, low = axes.get_xlim()[0], split[0, 0]
    assert left < codes[0, 0] < codes[1, 0] < low == line[0, 0] < points[0, 0] == 0  # no line leads to a code
    assert [text.get_text() for text in axes.get_xticklabels()[:2]] == ["\u22129", "\u22127"]
    for rows in (pd.DataFrame({"b": 1.0, "a": x}), x.tolist(), {"a": x}):
        assert len(plot(curve, rows).axes[0].patches) == len(axes.patches)
    (panel,) = panels.panels(model)
    drawn = svg.picture(panel, {"a": x})
    frame, places = drawn.frame, drawn.axis["codes"]
    assert list(places) == ["-9", "-7"]
    assert frame.left < places["-9"] < places["-7"] < drawn.axis["split"] < drawn.points[2][0]
    assert [point[0] for point in drawn.points[:2]] == list(places.values())
    assert drawn.rows is not None
    assert drawn.rows.below == 0  # the rows at codes are not below the curve


@pytest.mark.parametrize("with_data", [True, False])
@pytest.mark.parametrize("teacher", [None, CurveModel("t", [StepCurve("age", [30], [1, 2]), DEGREE])])
def test_a_figure_has_one_panel_each_and_its_lines_are_the_model(teacher: CurveModel | None, with_data: bool) -> None:
    rows = data() if with_data else None
    figure = plot(MODEL, rows, teacher=teacher)
    pictures = {panel.title: panel for panel in panels.panels(MODEL)}
    own = [axes for axes in figure.axes if axes.get_title(loc="left") and not axes.images]
    titles = [axes.get_title(loc="left") for axes in own]
    found = importances(MODEL, rows)
    place = {index: place for place, one in enumerate(found) for index in one.terms}
    order = ranked(found)
    assert sorted(titles) == sorted(pictures)
    ranks = [order.index(place[pictures[title].terms[0]]) for title in titles]
    assert ranks == sorted(ranks)
    assert [axes.get_title(loc="left") for axes in figure.axes if axes.images] == ["a + b"]
    for axes, panel in ((axes, pictures[title]) for axes, title in zip(own, titles, strict=True)):
        if panel.type != "number":
            continue
        straight = panel.terms == (1,) or isinstance(panel.node, Line)
        shown = next(line for line in drawn_lines(axes) if len(line) > 3 or straight)
        expected = panel.values(shown[:, 0])
        if teacher is None or panel.title != "age":
            np.testing.assert_array_equal(shown[:, 1], expected)


def test_the_teachers_dots_are_the_teachers_values_at_the_rows() -> None:
    teacher = CurveModel("t", [StepCurve("age", [30], [1, 2]), EnumCurve("degree", {"felony": 5.0}, default=-1.0)])
    panel = panels.panels(MODEL)[0]
    node = panels.counterpart(panel, teacher)
    assert node is not None
    x = data()["age"]
    shown = panels.dots(panel, node, x)
    inside = np.unique(x[np.isfinite(x) & (x > 0)])
    np.testing.assert_array_equal(shown.x, inside)
    np.testing.assert_array_equal(shown.y, np.where(inside < 30, 1.0, 2.0))
    levels = panels.values_at_levels(panels.panels(MODEL)[2], teacher.terms[1], ["felony", "other"])
    assert levels.tolist() == [5.0, -1.0]


def test_a_step_is_drawn_upright() -> None:
    panel = panels.panels(MODEL)[1]
    low, high = x_axis.axis_range(panel, np.array([0.0, 100.0]))
    drawn = panels.line(panel, panel.node, low, high)
    for cut, before, after in ((1.5, -0.2, 0.1), (30, 0.1, 0.4)):
        at = drawn.x.tolist().index(cut)
        assert drawn.y[at - 1 : at + 1].tolist() == [before, after]
        assert drawn.x[at - 1] == math.nextafter(cut, 0)


def test_the_distribution_counts_rows() -> None:
    x = np.array([3.0, 1.0, math.nan, 1.0, 2.0])
    found = distributions.distribution(x)
    assert found.x.tolist() == [1, 2, 3]
    assert found.share.tolist() == [0.5, 0.75, 1.0]
    assert found.missing == pytest.approx(0.2)
    assert distributions.distribution(np.array([math.nan])).missing == 1


def test_levels_only_in_the_data_are_shown_and_rare_ones_are_counted() -> None:
    panel = panels.panels(MODEL)[2]
    shown = distributions.shares(panel, data())
    assert shown.levels == ["felony", "misdemeanor", "other"]
    assert shown.shares == pytest.approx([0.5, 0.0, 0.5])
    many = CurveModel("m", [EnumCurve("k", {str(k): float(k) for k in range(1000)})])
    few = distributions.shares(panels.panels(many)[0], None)
    assert len(few.levels) + few.further == 1000


@pytest.mark.parametrize(("low", "high"), [(0.5, 3e9), (1e-300, 1e300), (2.0, 2.1), (7.0, 7.0), (1e-5, 1.0)])
@pytest.mark.parametrize("fx", TRANSFORMS)
def test_ticks_are_inside_and_increasing(fx: str, low: float, high: float) -> None:
    places = x_axis.ticks(TRANSFORMS[fx], low, high)
    assert places == sorted(set(places))
    assert len(places) <= 12
    assert all(low * (1 - 1e-9) <= place <= high * (1 + 1e-9) for place in places)
    if high > low:
        assert len(places) >= 2


def test_names_are_shown_as_they_are(recwarn: pytest.WarningsRecorder) -> None:
    names = ["$a_1$", 'x"; DROP TABLE t; --', "two\nlines", "class", "naïve", " ", "a" * 200]
    model = CurveModel("$m$", [PWLCurve(name, [(0, 0), (1, 1)]) for name in names])
    figure = plot(model)
    figure.canvas.draw()
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[:5] == ["$a_1$", 'x"; DROP TABLE t; --', "two\\nlines", "class", "naïve"]
    assert len(titles[-1]) <= 34
    assert not recwarn.list


def test_saving_gives_the_same_bytes(tmp_path: Path) -> None:
    model = CurveModel("m", [AGE, DEGREE])
    for suffix in ("png", "svg", "pdf"):
        paths = [tmp_path / f"{k}.{suffix}" for k in range(2)]
        for path in paths:
            plot(model, data(), path=path)
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_folder_gets_one_picture_a_panel(tmp_path: Path) -> None:
    plot(MODEL, data(), path=tmp_path / "pictures")
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert len(names) == len(panels.panels(MODEL)) + 1  # the map of a + b, beside its parts
    assert [name[:2] for name in names] == [f"{place:02d}" for place in range(1, len(names) + 1)]
    assert file_names(panels.panels(MODEL))[1] == "02_length_of_stay.png"


def test_one_scale_holds_every_whole_term() -> None:
    figure = plot(MODEL, data(), same_scale=True)
    whole = {panel.title for panel in panels.panels(MODEL) if panel.role == "contribution"}
    limits = {axes.get_ylim() for axes in figure.axes if axes.get_title(loc="left") in whole and not axes.images}
    assert len(limits) == 1
    own = [
        axes.get_ylim() for axes in plot(MODEL, data()).axes if axes.get_title(loc="left") in whole and not axes.images
    ]
    assert limits == {(min(low for low, _ in own), max(high for _, high in own))}


def test_a_heat_map_holds_the_functions_values() -> None:
    product = Product([PWLCurve("x", [(0, 0), (1, 2)]), EnumCurve("k", {"a": 1.0, "b": -1.0})])
    (axes, *_) = plot(CurveModel("m", [product])).axes
    (image,) = axes.images
    x = (np.arange(24) + 0.5) / 24
    np.testing.assert_allclose(image.get_array(), [2 * x, -2 * x])
    assert image.get_clim() == (-max(2 * x), max(2 * x))


def test_one_curve_and_what_is_refused() -> None:
    axes = plot(AGE, data()["age"], teacher=StepCurve("age", [30], [1, 2])).axes
    assert axes[0].get_title(loc="left") == "age"
    with pytest.raises(InputError, match=r"depends on a, b"):
        plot(NESTED)
    with pytest.raises(InputError, match=r"columns=0"):
        plot(MODEL, columns=0)
    with pytest.raises(InputError, match=r"'t' has no feature of 'm'"):
        plot(MODEL, others={"t": CurveModel("t", [Line("zzz")])})
    with pytest.raises(InputError, match=r"at most 4"):
        plot(MODEL, others={str(k): MODEL for k in range(5)})
    with pytest.raises(InputError, match=r"'degree' is missing"):
        plot(MODEL, {name: column for name, column in data().items() if name != "degree"})


def test_a_fit_shows_candidates_condensed_points_curve_and_losses(tmp_path: Path) -> None:
    x = np.linspace(1, 100, 400)
    fit = fit_pwl(x, np.log(x) ** 2, num_segments=4, num_samples=20)
    figure = plot(fit, path=tmp_path / "fit.png")
    shape, losses = figure.axes
    assert len(shape.collections[0].get_offsets()) == len(fit.condensed)
    upright = [line for line in shape.lines if len(set(line.get_xdata())) == 1]
    assert sorted(line.get_xdata()[0] for line in upright) == pytest.approx(sorted(fit.candidates))
    assert figure.legends[0].get_texts()[2].get_text() == "95 % band"
    assert shape.collections[1].get_paths()[0].contains_point((50, fit(50)))
    assert losses.lines[0].get_ydata().tolist() == [entry.sse for entry in fit.path]
    assert (tmp_path / "fit.png").stat().st_size > 10_000
    assert len(plot(fit_pwl(x, 2 * x, num_segments=1)).axes) == 1


def test_a_distillation_and_a_difference_are_drawn_as_their_models(tmp_path: Path) -> None:
    x = np.linspace(18, 80, 200)
    found = distill(CurveModel("m", [AGE]), {"age": x}, num_segments=2)
    edited = found.model.cap("age", above=30)
    pairs = [
        (lambda path: plot(found, {"age": x}, path=path),
         lambda path: plot(found.model, {"age": x}, teacher=found.teacher, path=path)),
        (lambda path: plot(diff(found.model, edited), path=path),
         lambda path: plot(edited, others={"before": found.model}, path=path)),
    ]  # fmt: skip
    for one, other in pairs:
        one(tmp_path / "one.png")
        other(tmp_path / "other.png")
        assert (tmp_path / "one.png").read_bytes() == (tmp_path / "other.png").read_bytes()


@pytest.mark.parametrize(
    ("value", "options", "message"),
    [
        (3, {}, "an int cannot be drawn; pass a CurveModel, a Distillation"),
        (AGE, {"others": {}}, "others= says nothing about a PWLCurve"),
        (diff(MODEL, MODEL), {"teacher": MODEL}, "teacher= says nothing about a ModelDiff"),
    ],
)
def test_what_cannot_be_drawn_is_refused(value: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        plot(value, **options)


def test_the_worst_functions_are_drawn_worst_first(tmp_path: Path) -> None:
    """What costs the metric most comes first, with the cost; a function that was left out is drawn as the teacher's."""
    rows = {"a": np.arange(200.0), "b": np.arange(200.0) * 7 % 200, "c": np.arange(200.0) * 3 % 200}
    steps = [float(cut) for cut in range(10, 200, 10)]
    saw = StepCurve("b", steps, [float(place % 2) for place in range(20)])
    teacher = CurveModel(
        "m", [StepCurve("a", steps, [place / 2 for place in range(20)]), saw, StepCurve("c", [9.0], [0.0, 1e-4])]
    )
    found = distill(teacher, rows, num_segments=1, y=teacher.predict(rows), metric="rmse")
    worst = [curve.label for curve in found.report.evaluation.curves]
    assert worst[0] == "b"
    assert "c" not in [term.feature for term in found.model.terms]
    figure = plot_worst(found, 3, rows, path=tmp_path / "worst.png")
    titles = [axes.get_title(loc="left") for axes in figure.axes[:3]]
    assert [title.splitlines()[0].removesuffix(" (removed)") for title in titles] == worst
    cost = found.report.evaluation.curves[0]
    assert titles[0] == f"b\n+{cost.change:.5f} rmse\n{cost.undistilled:.5f} with it and worse undistilled"
    assert (tmp_path / "worst.png").stat().st_size > 1000
    plain = distill(teacher, rows, num_segments=1)
    assert plot_worst(plain, 1).axes[0].get_title(loc="left").endswith("RMSE")
    with pytest.raises(InputError, match="nothing to draw"):
        plot_worst(found, 0)
    with pytest.raises(InputError, match="the teacher has 3 functions"):
        plot_worst(found, 4)


@pytest.mark.parametrize("given", [True, False])
def test_the_teacher_is_drawn_at_the_mean_of_what_stands_for_it(given) -> None:
    """Its constant is in the intercept: a line, or a table with 0 at its commonest level, is no mean of 0."""
    rng = np.random.default_rng(0)
    data = {"x": rng.uniform(20, 40, 200), "c": rng.choice(["a", "b"], 200, p=[0.8, 0.2])}
    teacher = CurveModel(
        "t", [StepCurve("x", [25, 30, 35], [-2.0, -1.0, 1.0, 2.0]), EnumCurve("c", {"a": -0.25, "b": 0.5})], 3.0
    )
    model = CurveModel("m", [Line("x", 0.25), EnumCurve("c", {"a": 0, "b": 0.75})], -4.5)
    for panel in panels.panels(model):
        exact = panels.counterpart(panel, teacher)
        moved = panels.at_its_mean(panel, exact, data if given else None)
        assert moved is not None
        where = panels.quantity(panel, data) if panel.type == "number" else data["c"]
        own, dots = (CurveModel("one", [node]).eval({panel.feature: where}) for node in (panel.node, moved))
        before = CurveModel("one", [exact]).eval({panel.feature: where})
        assert np.ptp(dots - before) < 1e-12
        if given:
            assert dots.mean() == pytest.approx(own.mean())
        elif panel.type != "number":
            assert np.allclose(dots, own)


def test_factors_of_a_product_are_drawn_where_they_are() -> None:
    model = CurveModel("m", [Product([PWLCurve("x", [(0, 1), (1, 2)]), PWLCurve("z", [(0, 1), (1, 2)])])])
    teacher = CurveModel("t", [Product([StepCurve("x", [0.5], [5.0, 6.0]), StepCurve("z", [0.5], [5.0, 6.0])])])
    for panel in panels.panels(model):
        exact = panels.counterpart(panel, teacher)
        assert panels.at_its_mean(panel, exact, None) is exact
