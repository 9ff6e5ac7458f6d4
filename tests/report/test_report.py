"""The review page as text: everything is in it, nothing of the model can run, and it is the same on every run."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile import EVIL, hostile
from sklearn import metrics

from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, fit_pwl, plot, refine
from curvec.cli import main
from curvec.distill import compare_with_teacher, distill
from curvec.emit import emit
from curvec.ir import changed
from curvec.parity import ParityReport, TargetResult, check
from curvec.review.diff import diff
from curvec.review.highlight import highlighted
from curvec.review.importance import importances
from curvec.review.page.controls import controls
from curvec.review.panels import panels
from curvec.review.policy import Finding
from curvec.review.report import report
from curvec.review.svg import picture


def small() -> tuple[CurveModel, CurveModel, dict[str, Any], np.ndarray]:
    rng = np.random.default_rng(3)
    data = {"x": rng.uniform(0, 10, 200), "k": rng.choice(["a", "b"], 200).astype(object)}
    teacher = CurveModel("t", [StepCurve("x", [2, 5], [-1, 0, 2]), EnumCurve("k", {"a": 1.0, "b": -1.0})], link="logit")
    model = CurveModel("m", [PWLCurve("x", [(0, -1.2), (6, 2)]), EnumCurve("k", {"a": 1.0, "b": -1.0})], link="logit")
    return model, teacher, data, (rng.uniform(size=200) < teacher.predict(data)).astype(float)


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_policy_names_the_one_style_and_the_one_script_by_hash() -> None:
    page = report(hostile()).html
    policy = next(found["content"] for tag, found in Elements(page).tags if found.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (body,) = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_nothing_of_the_model_becomes_markup_or_leaves_the_page() -> None:
    plain = Elements(report(CurveModel("m", [PWLCurve("a_b", [(0, 0), (1, 1)]), EnumCurve("k", {"b": 1.0})])).html)
    allowed = {tag for tag, _ in plain.tags}
    for tag, attributes in Elements(report(hostile()).html).tags:
        assert tag in allowed, tag
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcdoc")]
        assert (attributes.get("href") or "#").startswith("#")


def test_the_parts_are_there_when_asked_for() -> None:
    model, teacher, data, target = small()
    bare = report(model).html
    assert not [part for part in ("distillation", "parity", "policy", "difference") if f'<section id="{part}"' in bare]
    full = report(
        model,
        data,
        teacher=teacher,
        target=target,
        parity=check(model, data, ["python"]),
        findings=[Finding("x", "max_slope", 3.0, "too <steep>")],
        base=teacher,
    ).html
    for part in ("what-if", "curves", "words", "listing", "distillation", "parity", "policy", "difference"):
        assert full.count(f'<section id="{part}"') == 1
    assert "x: max_slope: too &lt;steep&gt;" in full
    assert "~ StepCurve" in full or "- StepCurve(" in full
    assert "The models are equal." in report(model, base=model).html
    assert "Nothing found." in report(model, findings=[]).html
    assert (
        full
        == report(
            model,
            data,
            teacher=teacher,
            target=target,
            parity=check(model, data, ["python"]),
            findings=[Finding("x", "max_slope", 3.0, "too <steep>")],
            base=teacher,
        ).html
    )


def test_slanted_labels_have_room_and_nothing_on_them() -> None:
    levels = {f"level number {i}": float(i) for i in range(40)}
    page = report(CurveModel("m", [EnumCurve("k", levels)])).html
    height = float(re.findall(r'<svg class="panel" data-panel="0" viewBox="0 0 \d+ (\d+)"', page)[0])
    anchors = [float(y) for y in re.findall(r"rotate\(-55 [\d.]+ ([\d.]+)\)", page)]
    reach = max(anchors) + 11 * 8 * 0.6 * math.sin(math.radians(55))  # eleven letters of 8, some 0.6 as wide as high
    (further,) = re.findall(r'y="(\d+)" text-anchor="end" [^>]*>and 16 more', page)
    assert reach < float(further) - 0.7 * 9 < height


def test_the_mark_of_a_missing_input_is_on_no_level() -> None:
    for count in (2, 10, 24):
        model = CurveModel("m", [EnumCurve("k", {f"l{i}": float(i) for i in range(count)}, missing=float(count - 1))])
        page = report(model).html
        (mark,) = (float(x) for x in re.findall(r'class="missing" data-y="[^"]*" d="M([\d.]+) [^"]*" fill', page))
        (path,) = re.findall(r'class="curve" d="([^"]*)" stroke', page)
        start, width = re.findall(r"M([\d.]+) [\d.]+h([\d.]+)", path)[-1]
        assert float(start) + float(width) < mark - 5


def test_names_break_behind_underscores_before_words_do() -> None:
    page = report(CurveModel("m", [PWLCurve("age_in_<years>", [(0, 0), (1, 1)])])).html
    assert 'dir="auto">age_<wbr>in_&lt;years&gt;</label>' in page


def test_what_a_person_took_out_of_the_model_is_said() -> None:
    model, teacher, data, _ = small()
    product = Product([PWLCurve("x", [(0, 0), (1, 1)]), EnumCurve("k", {"a": 1.0}, default=0.0)])
    whole = CurveModel("t", [*teacher.terms, product, product], link="logit")
    assert compare_with_teacher(model, whole, data).removed == ("x * k",)
    less = model.drop("k")
    assert compare_with_teacher(less, teacher, data).removed == ("k",)
    text = "stands for the teacher\N{RIGHT SINGLE QUOTATION MARK}s function of: k."
    assert text in report(less, data, teacher=teacher).html
    assert text not in report(model, data, teacher=teacher).html


@pytest.mark.parametrize("with_data", [True, False])
def test_an_exposure_is_shown_where_its_data_are(with_data: bool) -> None:
    model, _, data, _ = small()
    rates = changed(model, link="log").with_offset("years", fx="log")
    years = np.linspace(0.05, 2, 200)
    rows = {**data, "years": years} if with_data else None
    least, most = (0.05, 2.0) if with_data else (0.1, 10.0)
    _, _, panel = panels(rates)
    (control,) = [one for one in controls(rates, [panel], rows) if one["feature"] == "years"]
    assert least <= control["low"] < control["start"] < control["high"] <= most
    axis = picture(panel, rows).axis
    assert least / 2 < math.exp(axis["from"]) < math.exp(axis["to"]) < 2 * most
    assert -10 < axis["bottom"] < axis["top"] < 10
    exposure = importances(rates, rows)[-1]
    assert exposure.high == pytest.approx(math.log(2) if with_data else math.inf)


def test_a_control_starts_at_the_median_on_a_logarithmic_axis() -> None:
    curve = PWLCurve("income", [(1, 0), (1e6, 1)], fx="log")
    (control,) = controls(CurveModel("m", [curve]), panels(CurveModel("m", [curve])), {"income": [20, 317.0, 5e4]})
    assert control["start"] == pytest.approx(317, rel=0.01)


def test_a_part_is_said_to_be_of_its_term() -> None:
    product = Product([PWLCurve("x", [(0, 0), (1, 1)]), EnumCurve("k", {"a": 1.0})])
    page = report(CurveModel("m", [product])).html
    assert page.count("a factor of the term x * k") == 2
    assert re.findall(r"<h3[^>]*>([^<]*)</h3>", page) == ["x * k", "x in x * k", "k in x * k"]


SIDE = StepCurve("z", [0, 1], [0.5, 1, 2], missing=0.0)
BENT = PWLCurve("x", [(0, 0), (6, 2)])
TERMS_OF_SEVERAL = [
    Product([BENT, SIDE]),
    Product([Sum([EnumCurve("k", {"a": 1.0, "b": -1.0}), BENT]), SIDE]),
    Sum([Product([BENT, SIDE]), Product([SIDE, PWLCurve("x", [(1, 3), (2, 1)])])]),
    PWLCurve(Sum([BENT, SIDE]), [(0, 0), (4, 1)]),
    StepCurve(Sum([Product([BENT, SIDE]), SIDE]), [1], [0, 1]),
]


@pytest.mark.parametrize("term", TERMS_OF_SEVERAL)
def test_what_did_not_change_is_drawn_over_the_base_and_the_teacher(term: Any) -> None:
    """Factors, parts of sums and curves of sums, too; each figure has a title of its own."""
    model = CurveModel("m", [term, PWLCurve("z", [(0, 0), (1, 1)])])
    base = CurveModel("b", [PWLCurve("z", [(0, 0), (1, 2)]), term])
    page = report(model, base=base, teacher=base).html
    figures = page.split("<figure ")[1:]
    for figure in figures:
        if 'class="panel heat"' in figure:
            continue
        lines = dict(re.findall(r'<path class="(curve|base)" d="([^"]*)"', figure))
        dots = re.findall(r'<path class="dots" d="([^"]*)"', figure)
        assert dots
        if '<h3 dir="auto">z</h3>' not in figure:
            assert lines["curve"] == lines["base"]
    titles = re.findall(r"<h3[^>]*>(.*?)</h3>", page)
    assert len(titles) == len(set(titles)) == len(figures)


@pytest.mark.parametrize("term", [*TERMS_OF_SEVERAL, EnumCurve("k", {"a": 1.0, "b": -1.0}), BENT])
def test_a_removed_term_has_a_figure(term: Any) -> None:
    model, base = CurveModel("m", [SIDE]), CurveModel("b", [SIDE, term])
    page = report(model, base=base).html
    figures = [figure for figure in page.split("<figure ")[1:] if 'id="term-0"' not in figure]
    assert figures
    assert len(figures) == page.count("<figure ") - 1
    for figure in figures:
        assert 'class="base"' in figure
        assert 'class="curve" d' not in figure
        assert "does not have" in figure or "the model has no such term" in figure
    assert page.count("const PANELS") == 1
    assert "the model has no such term" not in report(base, base=base).html


def test_the_comparison_is_the_difference_of_the_functions() -> None:
    model, teacher, data, target = small()
    w = np.random.default_rng(4).uniform(0.5, 2, len(target))
    found = compare_with_teacher(model, teacher, data, target, w)
    assert [curve.label for curve in found.worst()] == ["x", "k"]
    own, theirs = model.contributions(data)[:, 0], teacher.contributions(data)[:, 0]
    mean = np.average(theirs, weights=w)
    error = (own - np.average(own, weights=w)) - (theirs - mean)
    worst = found.worst()[0]
    assert worst.rmse == pytest.approx(math.sqrt(np.average(error**2, weights=w)))
    assert worst.unexplained == pytest.approx(
        np.average(error**2, weights=w) / np.average((theirs - mean) ** 2, weights=w)
    )
    assert worst.max_error == pytest.approx(np.abs(error).max())
    assert worst.at == pytest.approx(data["x"][np.abs(error).argmax()])
    assert worst.direction == "increasing"
    assert found.curves[1].max_error == 0
    assert found.curves[1].kept
    alone = np.round(teacher.eval(data) + error, 9)  # equal scores stay equal
    change = metrics.roc_auc_score(target, alone, sample_weight=w) - metrics.roc_auc_score(
        target, teacher.eval(data), sample_weight=w
    )
    assert found.metric_change(worst) == pytest.approx(change)
    difference = (model.eval(data) - teacher.eval(data)) ** 2
    assert found.rmse == pytest.approx(math.sqrt(np.average(difference, weights=w)))


@pytest.mark.parametrize(
    "change",
    [
        {"age": np.full(6, -5.0)},
        {"age": np.array([-5.0, 0.0, 20, 30, np.inf, np.nan])},
        {"age": np.full(6, np.nan)},
        {"raw": np.full(6, np.inf)},
        {"raw": np.full(6, 1e17)},
        {"k": np.full(6, None)},
        {"k": np.full(6, "unseen")},
    ],
)
def test_data_that_curves_clamp_or_miss_are_shown(change: dict[str, Any]) -> None:
    """A logarithm's curve is constant below its first point, where the logarithm itself may not go."""
    data = {"age": np.linspace(18, 60, 6), "raw": np.arange(6.0), "k": np.array(["a", "b"] * 3, dtype=object), **change}
    model = CurveModel(
        "m", [PWLCurve("age", [(18, 3), (46, -1)], "log"), Line("raw"), EnumCurve("k", {"a": 1.0, "b": -1.0})]
    )
    teacher = CurveModel("t", [StepCurve("age", [30], [1, 0]), Line("raw"), EnumCurve("k", {"a": 0.5, "b": -1.0})])
    assert "curve with its points" in report(model, data, teacher=teacher).html


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="an int is no CurveModel"):
        report(3)
    model, teacher, data, _ = small()
    with pytest.raises(InputError, match=r"y has dtype .*encode two classes as 0 and 1"):
        report(model, data, teacher=teacher, target=["no", "yes"] * 100)
    model, teacher, data, target = small()
    with pytest.raises(InputError, match="pass data with them"):
        report(model, target=target)
    with pytest.raises(InputError, match="no rows"):
        compare_with_teacher(model, teacher, {"x": [], "k": []})
    with pytest.raises(InputError, match="'k' is missing"):
        report(model, {"x": data["x"]})


def test_highlighting_changes_no_character() -> None:
    source = emit(hostile(), "python", standalone=True)
    shown = str(highlighted(source))
    text = re.sub(r"</?(span|var)[^>]*>", "", shown)
    for mark, character in (("&lt;", "<"), ("&gt;", ">"), ("&#34;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(mark, character)
    assert text == source
    assert '<span class="node">PWLCurve</span>' in shown


def test_notebooks_show_pictures_that_stand_alone() -> None:
    nested = PWLCurve(Sum([Line("a"), Line("b")]), [(0, 0), (1, 1)])
    model = CurveModel("m", [*hostile().terms, Product([nested, StepCurve("c", [1], [0, 1])])])
    small_model, teacher, data, _ = small()
    found = distill(teacher, data)
    refined = refine(small_model, data, np.arange(len(data["x"])) % 2, loss="log_loss", ridge=1.0)
    values: list[Any] = [refined, diff(small_model, refined.model), diff(model, model)]
    values += [model, nested, report(model), check(small_model, targets=["python"]), found, found.report]
    values.append(fit_pwl(np.arange(9.0), np.arange(9.0) ** 2, num_segments=2, feature=EVIL[1]))
    drawn = {"p", "pre", "div", "figure", "figcaption", "svg", "rect", "path", "g", "text", "circle", "title", "iframe"}
    for value in values:
        shown = value._repr_html_()
        assert {tag for tag, _ in Elements(shown).tags} <= drawn
        assert not re.search(r"<[^>]* on[a-z]+=", re.sub(r'"[^"]*"', '""', shown))
    assert found.report.curves[0].label in found._repr_html_()
    # The ticks are dark: the notebook's page may be, too, so each figure brings its own paper.
    for figure in re.findall(r"<figure [^>]*>", model._repr_html_()):
        assert "background: #fff" in figure


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, teacher, data, target = small()
    model.save(tmp_path / "model.json")
    teacher.save(tmp_path / "teacher.json")
    lines = ["x,k,y", *(f"{x!r},{k},{y:.0f}" for x, k, y in zip(data["x"].tolist(), data["k"], target, strict=True))]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    page = tmp_path / "page.html"
    arguments = ["report", str(tmp_path / "model.json"), "--data", str(tmp_path / "rows.csv"), "--targets", "python"]
    (tmp_path / "policy.toml").write_text("[curves]\nmax_segments = 0\n")
    arguments += ["--policy", str(tmp_path / "policy.toml")]
    more = ["--teacher", str(tmp_path / "teacher.json"), "--target", "y", "--base", str(tmp_path / "teacher.json")]
    assert main([*arguments, *more, "-o", str(page)]) == 0
    assert page.name in capsys.readouterr().out
    text = page.read_text()
    assert "roc_auc: teacher" in text
    assert '<section id="parity"' in text
    assert "x: max_segments: 1 segment, at most 0 allowed" in text
    (tmp_path / "later.csv").write_text("\n".join([lines[0], *lines[1:50]]) + "\n")
    further = ["--held-out", str(tmp_path / "later.csv"), "--group", "k", "--threshold", "0.5", "--date", "2026-11-28"]
    assert main([*arguments, *more, *further, "--examples", "5", "--id", "x", "-o", str(page)]) == 0
    capsys.readouterr()
    text = page.read_text()
    assert "Quality on the held-out rows" in text
    assert "2026-11-28" in text
    assert hashlib.sha256((tmp_path / "later.csv").read_bytes()).hexdigest() in text
    assert "5 of 200 rows are on this page" in text
    assert "threshold 0.5" in text
    assert text.count('<td dir="auto">k</td>') == 2
    assert main([*arguments, "--points", "20,600,50", "-o", str(page)]) == 0
    assert 'title="600 at odds 50, +20 doubles them"' in page.read_text()
    capsys.readouterr()
    assert main([*arguments, "--points", "20;600", "-o", str(page)]) == 2
    assert "--points 20;600: give three numbers with commas between them: 20,600,50" in capsys.readouterr().err
    assert main([*arguments, "--target", "zzz", "-o", str(page)]) == 2
    assert "is missing from the file (it has" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "model.json"), "--teacher", str(tmp_path / "none.json")]) == 2


EXTREMES = [
    [(1e6 + 0.1, 0), (1e6 + 0.9, 1)],
    [(1.7e9, 0), (1.7e9 + 5, 1)],
    [(-122.52, 0.1), (-122.38, 0.1000001)],
    [(1e-300, 1e-300), (3e-300, 2e-300)],
    [(1e300, 1e300), (5e300, 9e300)],
    [(-1e300, -1e300), (1e300, 1e300)],
    [(5e-324, 0), (1e-323, 5e-324)],
    [(1.0, 1.0), (1.0000000000000002, 1.0000000000000002)],
    [(1e15, 1e15), (1e15 + 1, 1e15 + 2)],
]


@pytest.mark.parametrize("points", EXTREMES)
@pytest.mark.parametrize("fx", ["identity", "log", "symlog1p"])
def test_the_ticks_of_any_range_can_be_told_apart(points: Any, fx: str) -> None:
    try:
        model = CurveModel("m", [PWLCurve("x", points, fx)])
    except InputError:
        return  # no curve with this transform
    page = report(model).html
    (panel,) = re.findall(r'<svg class="panel".*?</svg>', page, flags=re.DOTALL)
    assert "nan" not in panel
    assert "inf" not in panel
    for anchor in ("middle", "end"):
        (group,) = re.findall(rf'<g class="ticks[^>]*text-anchor="{anchor}">(.*?)</g>', panel, flags=re.DOTALL)
        labels = re.findall(r'<text x="([^"]*)" y="([^"]*)">(.*?)</text>', group)
        assert len(labels) >= 2
        assert len({text for *_, text in labels}) == len(labels)
    figure = plot(model)
    figure.canvas.draw()
    assert len({label.get_text() for label in figure.axes[0].get_xticklabels()}) >= 2


@pytest.mark.parametrize("with_data", [False, True])
def test_everything_that_is_drawn_is_inside_the_frame(with_data: bool) -> None:
    """The teacher's cuts may lie far outside the model's points."""
    model = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)]), PWLCurve("z", [(1, 0), (3, 1)], "log")])
    teacher = CurveModel(
        "t", [StepCurve("x", [-50, 0.5, 90], [0, 5, -5, 1]), StepCurve("z", [0.01, 2, 700], [0, 1, 2, 9])]
    )
    data = {"x": np.linspace(-3, 4, 50), "z": np.geomspace(0.5, 5, 50)} if with_data else None
    page = report(model, data, teacher=teacher, base=teacher).html
    for panel in re.findall(r'<svg class="panel".*?</svg>', page, flags=re.DOTALL):
        (path,) = re.findall(r'class="dots" d="([^"]*)"', panel)
        moves = [[float(number) for number in step.split()] for step in re.findall(r"[Mm]([^h]+)h0", path)]
        dots = np.cumsum(moves, axis=0).round(6).tolist()  # each from the one before
        knots = re.findall(r'class="knot" cx="([-\d.]+)" cy="([-\d.]+)"', panel)
        for x, y in [*dots, *knots]:
            assert 48 <= float(x) <= 302
            assert 10 <= float(y) <= 186


def test_parity_is_said_in_numbers() -> None:
    """Not "every target gives the reference's numbers" above a row that says 201 different."""

    def result(target: str, different: int, *, ok: bool = True, ran: bool = True) -> TargetResult:
        return TargetResult(target, ok, 9, 18, different, 4.0, None, [], "", ran)

    model, *_ = small()
    some = [result("python", 0), result("cpp", 0), result("javascript", 201)]
    for results, text in (
        (
            some,
            "of 3 targets that ran 2 identical to the last bit; 1 within their stated bounds: javascript (201 of",
        ),
        ([*some, result("spark", 5, ok=False)], "1 different or failed: spark."),
        ([*some, result("spark", 0, ran=False)], "1 did not run."),
    ):
        assert text in report(model, parity=ParityReport("m", results)).html


def test_the_script_holds_only_strict_json() -> None:
    page = report(hostile()).html
    (constant,) = re.findall(r"^const INPUTS = (.*);$", page, flags=re.MULTILINE)
    assert [control["feature"] for control in json.loads(constant)][: len(EVIL)] == EVIL


def test_every_level_of_a_large_table_is_in_one_that_folds() -> None:
    """A picture shows 24; the table has all, the most frequent first, with the values of both models."""
    levels = [f"level <{k}>" for k in range(300)]
    teacher = CurveModel("t", [EnumCurve("k", {name: k / 7 for k, name in enumerate(levels)})])
    model = CurveModel("m", [EnumCurve("k", {name: k / 8 for k, name in enumerate(levels[:299])})])
    rows = {"k": np.array([*levels, levels[7], levels[7], levels[3]], dtype=object)}
    page = report(model, rows, teacher=teacher).html
    (table,) = re.findall(r'<table class="sortable" id="levels-0">.*?</table>', page, flags=re.DOTALL)
    cell = r'<t[hd](?: scope="row")?(?: data-key="([^"]*)")?[^>]*>(.*?)</t[hd]>'  # without a key its text is one
    cells = [[key or text for key, text in re.findall(cell, line)] for line in table.split("<tr>")[2:]]
    assert len(cells) == 300
    assert cells[0][:3] == ["level &lt;7&gt;", f"{3 / 303:.9g}", f"{7 / 8:.9g}"]
    assert cells[1][0] == "level &lt;3&gt;"
    known = np.array([*range(299), 7, 7, 3])
    moved = 299 / 7 + (known / 8 - known / 7).mean()  # to the mean of the model's, over the rows that both have
    (last,) = [row for row in cells if row[0] == "level &lt;299&gt;"]
    assert last[1:3] == [f"{1 / 303:.9g}", "\N{EN DASH}"]
    assert float(last[3]) == pytest.approx(moved, rel=1e-8)
    assert "levels-0" not in report(CurveModel("m", [EnumCurve("k", {"a": 1.0, "b": 2.0})])).html


@pytest.mark.parametrize("points", [(0, 1, 2), (20, 600, 0), (20, 600), "20", (20, math.nan, 1), (20, True, 1)])
def test_what_is_no_scale_of_points(points: Any) -> None:
    model = CurveModel("m", [PWLCurve("x", [(0, -1), (4, 1)])], link="logit")
    with pytest.raises(InputError, match="is no scale: give the points that double the odds"):
        report(model, points=points)
    with pytest.raises(InputError, match="points are of log-odds, and the model has the link log"):
        report(CurveModel("m", model.terms, link="log"), points=(20, 600, 50))


def test_the_teachers_spread_is_a_band() -> None:
    """One standard deviation either side of the teacher's function, which is moved to the model's mean.

    Without data by what the two differ by in the mean on both sides of the breakpoints, -0.5, or the levels, -0.125.
    """
    model = CurveModel("m", [PWLCurve("x", [(0, 0), (4, 1)]), EnumCurve("k", {"a": 0.0, "b": 1.0})])
    teacher = CurveModel("t", [StepCurve("x", [1, 3], [0, 1, 2]), EnumCurve("k", {"a": 0.25, "b": 1.0})])
    spread = CurveModel("s", [StepCurve("x", [1, 2], [0.5, 0.25, 1]), EnumCurve("k", {"a": 0.125, "b": 3.0})])
    page = report(model, teacher=teacher, spread=spread).html
    number, levels = re.findall(r'<path class="band" d="([^"]*)" fill=', page)
    axes = [
        {name: float(value) for name, value in found}
        for line in re.findall(r"^  \{ inner: .*$", page, flags=re.MULTILINE)
        for found in [re.findall(r'"(from|to|low|high)":([-\d.e]+)', line)]
    ]

    def height(axis: dict[str, float], y: float) -> float:
        return 186 - 176 * (y - axis["low"]) / (axis["high"] - axis["low"])

    points = [tuple(map(float, point.split())) for point in re.findall(r"[-\d.]+ [-\d.]+", number)]
    for x, low, high in ((0.5, -1.0, 0.0), (1.5, 0.25, 0.75), (2.5, -0.5, 1.5), (3.5, 0.5, 2.5)):
        place = 48 + 254 * (x - axes[0]["from"]) / (axes[0]["to"] - axes[0]["from"])
        sides = list(zip(points, [*points[1:], points[0]], strict=True))
        crossed = sorted(y for (a, y), (b, z) in sides if y == z and min(a, b) <= place <= max(a, b))
        assert crossed == pytest.approx([height(axes[0], high), height(axes[0], low)], abs=0.1)
    boxes = [tuple(map(float, box)) for box in re.findall(r"M[-\d.]+ ([-\d.]+)h[-\d.]+V([-\d.]+)", levels)]
    expected = [(0.0, 0.25), (-2.125, 3.875)]
    assert boxes == [pytest.approx([height(axes[1], end) for end in ends], abs=0.1) for ends in expected]
    assert "one standard deviation" in page
    assert "one standard deviation" not in report(model, teacher=teacher).html
