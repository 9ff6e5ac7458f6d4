"""Models of a size: what counts as a number to read, the front, the size that labels ask for, and what is printed."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import curvec
from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.distill import exchanges

RNG = np.random.default_rng(11)
ROWS = 3000
AGE = RNG.integers(18, 81, ROWS)
KIND = RNG.choice(np.array(["new", "used", "rented", "leased"], dtype=object), ROWS, p=[0.4, 0.3, 0.2, 0.1])
SMOKES = RNG.choice(np.array([False, True]), ROWS, p=[0.7, 0.3])


@pytest.mark.parametrize(
    ("term", "numbers"),
    [
        (PWLCurve("x", [(0, 1), (2, 3), (4, 0)]), 6),
        (PWLCurve("x", [(1, 1), (2, 3)], fx="log"), 5),
        (PWLCurve("x", [(1, 1), (2, 3)], missing=0.0), 5),
        (StepCurve("x", [1, 2], [0, 1, 2]), 5),
        (EnumCurve("k", {"a": 0.1, "b": 0.2, "c": 0.2}), 4),  # two groups
        (EnumCurve("k", {"a": 0, "b": 0.2, "c": 0.3}), 4),
        (EnumCurve("k", {"a": 0, "b": 0.2, "c": 0.2, "d": 0}), 1),  # a yes/no
        (EnumCurve("k", {True: 0.2, False: 0}, missing=0.1), 2),
        (EnumCurve("k", {"a": 0, "b": 0.2}, default=0.1), 2),
        (Product([EnumCurve("k", {"a": 1, "b": 2}), PWLCurve("x", [(0, 1), (2, 3)])]), 8),
        (Sum([Line("x", 0.5), PWLCurve("x", [(0, 1), (2, 3)])]), 5),
        (Line("x", 0.5, missing=0.0), 2),
    ],
)
def test_the_numbers_of_a_term_are_counted_as_a_reader_meets_them(term, numbers) -> None:
    assert term.numbers_to_read == numbers
    assert CurveModel("m", [term, term]).numbers_to_read == 1 + 2 * numbers


def steps(feature: str, function, low: float, high: float, n: int = 60) -> StepCurve:
    cuts = np.linspace(low, high, n)
    return StepCurve(feature, cuts.tolist(), function(np.concatenate([[low], cuts])).tolist(), 9.0)


CASES = {
    "a straight line": (
        StepCurve("age", np.arange(18.5, 80).tolist(), (0.1 * np.arange(18, 81) - 5).tolist()),
        'Line("age", 0.1)',
    ),
    "a single step": (StepCurve("age", [30.5], [0.75, -0.25]), 'PWLCurve("age", [(30, 0.75), (31, -0.25)])'),
    "a plateau": (
        PWLCurve("age", [(18, 0.5), (30, 0.5), (40, 0), (80, 0)]),
        'PWLCurve("age", [(30, 0.5), (40, 0)])',
    ),
    "a yes/no of numbers": (StepCurve("owns", [0.5], [-0.25, 0.5]), 'Line("owns", 0.75)'),
    "a yes/no": (EnumCurve("smokes", {False: -0.3, True: 0.45}), 'EnumCurve("smokes", {False: 0, True: 0.75})'),
    "levels in groups": (
        EnumCurve("kind", {"new": 0.2001, "used": 0.7003, "rented": 0.1999, "leased": 0.6997}),
        'EnumCurve("kind", {"new": 0, "used": 0.5, "rented": 0, "leased": 0.5})',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_text_is_what_a_person_would_write(name) -> None:
    teacher, text = CASES[name]
    found = curvec.distill(
        CurveModel("m", [teacher]), {"age": AGE, "kind": KIND, "smokes": SMOKES, "owns": SMOKES.astype(float)}
    )
    assert [str(term) for term in found.model.terms] == [text]


def test_a_constant_is_an_intercept() -> None:
    found = curvec.distill(CurveModel("m", [StepCurve("age", [30.5], [0.75, 0.75])], 0.5), {"age": AGE})
    assert str(found.model) == 'CurveModel(\n    name="m",\n    terms=[\n    ],\n    intercept=1.25,\n)'


TEACHER = CurveModel(
    "m",
    [
        StepCurve("age", np.arange(18.5, 80).tolist(), np.sin(np.arange(18, 81) / 12).tolist()),
        EnumCurve("kind", {"new": 0.2, "used": 0.7, "rented": -0.4, "leased": 0.65}),
        EnumCurve("smokes", {False: -0.3, True: 0.45}),
        steps("income", lambda x: np.log(x) / 3, 1.0, 90.0),
        steps("noise", lambda x: np.sin(9 * x) / 4, 0.0, 1.0),
    ],
    0.2,
    "logit",
)
DATA = {
    "age": AGE,
    "kind": KIND,
    "smokes": SMOKES,
    "income": RNG.gamma(2.0, 10.0, ROWS),
    "noise": RNG.random(ROWS),
}


def test_the_front_never_rises_and_the_model_is_within_its_size() -> None:
    front = curvec.distill(TEACHER, DATA).report.front
    assert [size.numbers for size in front] == sorted({size.numbers for size in front})
    assert [size.unexplained for size in front] == sorted((size.unexplained for size in front), reverse=True)
    assert front[0].numbers == 1
    losses = []
    for most in (1, 2, 8, 20, 40):
        found = curvec.distill(TEACHER, DATA, max_numbers=most)
        assert found.model.numbers_to_read == found.report.numbers <= most
        losses.append(found.report.unexplained)
    assert losses == sorted(losses, reverse=True)


def test_no_order_of_the_rows_changes_a_model_of_a_size() -> None:
    shuffled = RNG.permutation(ROWS)
    other = {name: column[shuffled] for name, column in DATA.items()}
    for most in (None, 12, 30):
        one, two = (curvec.distill(TEACHER, rows, max_numbers=most).model for rows in (DATA, other))
        assert str(one) == str(two)


def test_constraints_hold_in_the_printed_numbers_at_every_size() -> None:
    for most in (None, 10, 20, 30):
        model = curvec.distill(TEACHER, DATA, mono={"income": "increasing", "age": "valley"}, max_numbers=most).model
        for term in model.terms:
            if isinstance(term, PWLCurve) and term.input in ("income", "age"):
                rise = np.diff(term.ordinates)
                assert (rise >= 0).all() if term.input == "income" else not ((rise[:-1] > 0) & (rise[1:] < 0)).any()


def test_labels_choose_the_least_size_within_one_standard_error() -> None:
    """The noise that the teacher learnt is no label's; the rule is computed here again from the sizes."""
    truth = CurveModel("t", TEACHER.terms[:4], TEACHER.intercept, "logit")
    labels = (np.random.default_rng(0).random(ROWS) < truth.predict(DATA)).astype(float)
    found = curvec.distill(TEACHER, DATA, max_numbers="auto", y=labels, metric="log_loss")
    front = found.report.front
    best = min(size.metric for size in front)
    wanted = min(size.numbers for size in front if size.metric - best <= size.error)
    assert found.model.numbers_to_read <= wanted
    assert found.model == curvec.distill(TEACHER, DATA, max_numbers=wanted).model
    assert wanted < front[-1].numbers / 2
    places = np.random.default_rng(0).permutation(ROWS) % 10
    of_mean = [np.mean(labels[places == k]) for k in range(10)]
    share = float(TEACHER.predict(DATA).mean())
    assert share == pytest.approx(np.mean(of_mean), abs=0.03)


def test_the_report_says_the_size_and_what_others_lose(tmp_path: Path) -> None:
    report = curvec.distill(TEACHER, DATA, max_numbers=20).report
    assert f"{report.numbers} numbers to read" in str(report)
    assert "The best models of" in str(report)
    assert "A missing value gives no score, as no row has one." in " ".join(str(report).split())
    figure = curvec.plot(report, path=tmp_path / "front.svg")
    (line, mark) = figure.axes[0].lines
    assert line.get_xdata().tolist() == [size.numbers for size in report.front]
    assert mark.get_xdata().tolist() == [report.numbers]
    with pytest.raises(InputError, match="others= says nothing about a DistillationReport"):
        curvec.plot(report, others={})


def test_a_size_that_cannot_be_is_refused_with_the_least_that_can() -> None:
    guarded = CurveModel("m", [PWLCurve("age", [(18, 0), (80, 1)], missing=9.0)])
    with pytest.raises(InputError, match=r"max_numbers=2 is too few: .* have 3 numbers to read; allow as many"):
        curvec.distill(guarded, DATA, max_numbers=2, unseen="teacher")
    assert curvec.distill(guarded, DATA, max_numbers=3, unseen="teacher").model.numbers_to_read == 3
    assert curvec.distill(guarded, DATA, max_numbers=2).model.numbers_to_read == 2


def test_the_report_says_that_a_line_goes_on_where_its_teacher_is_constant() -> None:
    note = "a line goes on below 0 and above 10, where there are no rows; the teacher is constant beyond its end points"
    rows = {"x": np.linspace(0, 10, 50)}
    flat = curvec.distill(CurveModel("m", [PWLCurve("x", [(0, 0), (10, 5)])]), rows, max_numbers=2)
    assert isinstance(flat.model.terms[0], Line)
    assert note in " ".join(str(flat.report).split())
    line = curvec.distill(CurveModel("m", [Line("x", 0.5)]), rows, max_numbers=2)
    assert "a line goes on" not in str(line.report)


def test_functions_that_go_together_are_chosen_together() -> None:
    """Beside every combination of the forms: none within the size is nearer to the teacher by more than the margin."""
    random = np.random.default_rng(2)
    a = random.normal(size=600)
    rows = {"a": a, "b": a + random.normal(0, 0.1, 600), "c": random.normal(size=600)}
    slopes = {"a": 1.0, "b": 1.0, "c": 1.3}
    terms = [steps(name, lambda x, slope=slope: slope * np.sinh(x), -2, 2, 12) for name, slope in slopes.items()]
    teacher = CurveModel("t", terms)
    score = teacher.eval(rows)

    def lost(values: np.ndarray) -> float:
        return float(np.var(score - values) / np.var(score))

    forms = [[(0, np.zeros(600))] for _ in terms]
    for most in range(2, 14, 2):
        for term in curvec.distill(teacher, rows, max_numbers=most).model.terms:
            values = CurveModel("one", [term]).eval(rows)
            forms["abc".index(str(term.input))].append((term.numbers_to_read, values))
    for most in (2, 3, 5, 9, 12):
        best = min(
            lost(sum(values for _, values in chosen))
            for chosen in itertools.product(*forms)
            if sum(numbers for numbers, _ in chosen) < most
        )
        assert lost(curvec.distill(teacher, rows, max_numbers=most).model.eval(rows)) <= best + 1e-3


def test_a_feature_that_no_function_reads_and_many_rows_are_no_hindrance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget's choice looks at the rows again, some at a time, and only at what the functions read."""
    monkeypatch.setattr(exchanges, "_IN_MEMORY", 100_000)
    random = np.random.default_rng(3)
    rows = {name: random.normal(size=9_000) for name in "abz"}
    rows["k"] = random.integers(0, 3, 9_000)
    terms = [steps(name, np.sinh, -2, 2, 12) for name in "ab"]
    terms.append(EnumCurve("k", {0: 0.0, 1: 1.0, 2: -1.0}))
    teacher = CurveModel("t", terms, features=[*map(Feature, "abz"), Feature("k", "int")])
    few, many = (curvec.distill(teacher, rows, max_numbers=most).report.unexplained for most in (4, 12))
    assert many < few < 1
    assert curvec.distill(teacher, rows, max_numbers=12, margin=0).report.unexplained <= many
