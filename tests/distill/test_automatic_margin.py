"""What may be lost unasked: more where the rows are few and say yes or no, or are counts."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, StepCurve
from curvec.ir import offset
from curvec.spelling import decimals

RNG = np.random.default_rng(8)
ROWS = 20_000
DATA = {
    "age": RNG.integers(18, 81, ROWS),
    "owns": RNG.integers(0, 2, ROWS),
    "kind": RNG.choice(np.array(["a", "b", "c"], dtype=object), ROWS),
    "days": RNG.uniform(0, 365, ROWS),
}
TERMS = [
    PWLCurve("age", [(18, 1.8), (30, 0.2), (45, 0.6), (80, -1.4)]),
    PWLCurve("owns", [(0, 0), (1, 0.8)]),
    EnumCurve("kind", {"a": 0, "b": 0.6, "c": -0.5}),
]
NUMBERS = 12 + 2 + 3
"""Six points of age, the two values of owns, three levels."""


def first(rows: int) -> dict[str, np.ndarray]:
    return {name: column[:rows] for name, column in DATA.items()}


def margin(link: str, rows: int = 2_000, **options: object) -> float:
    data = options.pop("data", first(rows))
    return curvec.distill(CurveModel("m", TERMS, -0.5, link), data, **options).report.margin


@pytest.mark.parametrize("link", ["logit", "log"])
@pytest.mark.parametrize("rows", [400, 2_000, 6_000, ROWS])
def test_it_is_a_seventh_of_the_variance_that_chance_gives_the_score(link, rows) -> None:
    score = CurveModel("m", TERMS, -0.5).eval(first(rows))
    per_row = np.mean(np.exp(score) if link == "log" else 1 / (2 + np.exp(score) + np.exp(-score)))
    expected = NUMBERS / (7 * rows * per_row * np.var(score))
    assert margin(link, rows) == pytest.approx(np.clip(expected, 1e-3, 6.5e-3), rel=1e-9)


def test_chance_gives_a_score_of_yes_and_no_that_variance() -> None:
    """Fitted by maximum likelihood to labels that are drawn anew 40 times: a curve, a yes/no and a constant."""
    data, dice = first(2_000), np.random.default_rng(4)
    hats = [np.maximum(0, 1 - np.abs(data["age"] - knot) / 15) for knot in (30, 45, 60, 75)]
    columns = np.column_stack([*hats, data["owns"]]).astype(float)
    score = columns @ np.array([0.3, -0.6, 0.2, 0.9, -0.5])
    chances = 1 / (1 + np.exp(-score))
    fit = LogisticRegression(C=1e8, solver="newton-cholesky").fit
    fitted = [fit(columns, dice.random(len(score)) < chances).decision_function(columns) for _ in range(40)]
    expected = (columns.shape[1] + 1) / (len(score) * np.mean(chances * (1 - chances)))
    assert np.mean(np.square(fitted - score)) == pytest.approx(expected, rel=0.35)


@pytest.mark.parametrize(("link", "most"), [("identity", None), ("logit", 30), ("log", 5)])
def test_elsewhere_it_is_a_thousandth(link, most) -> None:
    assert margin(link, 300, max_numbers=most) == 1e-3


@pytest.mark.parametrize("link", ["logit", "log"])
@pytest.mark.parametrize("size", [1e-130, 1e3, 1e140])
def test_scores_of_any_size_have_one(link, size) -> None:
    teacher = CurveModel("m", [2.0**-20 * size * term for term in TERMS], 0, link)
    assert 1e-3 <= curvec.distill(teacher, first(400)).report.margin <= 6.5e-3


def test_weights_count_by_their_ratios_and_rows_without_weight_do_not_count() -> None:
    w = RNG.integers(1, 4, 6_000).astype(float)
    plain = margin("logit", 6_000, w=w)
    assert plain > margin("logit", 6_000)  # uneven weights say less
    assert margin("logit", 6_000, w=1024 * w) == plain
    more = np.concatenate([w, np.zeros(500)])
    assert margin("logit", 6_500, w=more) == pytest.approx(plain, rel=1e-12)


def test_a_stream_has_the_margin_of_the_frame() -> None:
    frame = pl.DataFrame(first(6_000))
    teacher = CurveModel("m", TERMS, -0.5, "logit")
    found = [curvec.distill(teacher, rows) for rows in (frame.to_pandas(), frame.lazy(), frame.reverse().lazy())]
    assert 1e-3 < found[0].report.margin < 6.5e-3
    assert len({(one.report.margin, one.model.to_json()) for one in found}) == 1


def test_an_offset_is_part_of_the_prediction_but_not_of_what_is_learnt() -> None:
    data = {**first(6_000), "exposure": RNG.uniform(0.1, 1, 6_000)}
    teacher = CurveModel("m", [*TERMS, offset("exposure", "log")], -2, "log")
    counts = np.exp(teacher.eval(data))
    learnt = np.var(CurveModel("m", TERMS).eval(data))
    expected = NUMBERS / (7 * 6_000 * np.mean(counts) * learnt)
    assert 1e-3 < expected < 6.5e-3
    assert curvec.distill(teacher, data).report.margin == pytest.approx(expected, rel=1e-9)


def test_refined_values_have_no_more_decimals_than_the_distilled_ones() -> None:
    data = first(2_000)
    steps = StepCurve("age", np.arange(18.5, 80).tolist(), np.sin(np.arange(18, 81) / 9).tolist())
    found = curvec.distill(CurveModel("m", [steps, *TERMS[1:]], -0.5, "logit"), data)
    labels = RNG.random(2_000) < found.teacher.predict(data)
    refined = curvec.refine(found.model, data, labels).model
    longest, longest_refined = (
        decimals(value for term in model.terms for value in term.ordinates) for model in (found.model, refined)
    )
    assert longest_refined == longest == 1


def test_a_model_of_whole_numbers_is_refined_to_the_decimals_that_the_score_needs() -> None:
    data = first(2_000)
    labels = RNG.random(2_000) < CurveModel("m", TERMS, -0.5, "logit").predict(data)
    rough = CurveModel("m", [PWLCurve("age", [(18, 1), (80, -1)]), PWLCurve("owns", [(0, 0), (1, 0)])], 0, "logit")
    refined = curvec.refine(rough, data, labels).model
    assert decimals(value for term in refined.terms for value in term.ordinates) > 0
