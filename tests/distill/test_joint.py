"""The last step of distilling: all curves moved together towards the teacher's score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import curvec
from curvec import PWLCurve
from curvec.distill import Distillation
from curvec.transforms import transform

RNG = np.random.default_rng(11)
KNOTS = np.linspace(0, 10, 21)
FORMS = (np.sqrt, np.square, np.sin, lambda x: np.minimum(x, 3.0))
TEACHER = curvec.CurveModel(
    "t",
    [
        PWLCurve(name, [(x, float(y)) for x, y in zip(KNOTS, scale * form(KNOTS), strict=True)])
        for name, form, scale in zip("abcd", FORMS, (2.0, 0.04, 0.5, 1.0), strict=True)
    ],
)


def correlated(rows: int) -> pd.DataFrame:
    """Features that share most of what varies."""
    shared = RNG.random(rows)
    return pd.DataFrame({name: np.round(10 * (0.8 * shared + 0.2 * RNG.random(rows)), 2) for name in "abcd"})


FRAME = correlated(2_000)
SHAPED: dict[str, Any] = {"learn_ends": True}
"""The default of an option of fit_pwl: curves that an option shapes stay as they were fitted."""


def error(model: curvec.CurveModel, rows: Any = FRAME) -> float:
    return float(np.var(TEACHER.eval(rows) - model.eval(rows)))


@pytest.fixture(scope="module")
def alone() -> Distillation:
    return curvec.distill(TEACHER, FRAME, num_segments=1, digits=4, overrides=SHAPED)


@pytest.fixture(scope="module")
def together() -> Distillation:
    return curvec.distill(TEACHER, FRAME, num_segments=1, digits=4)


def least_error(model: curvec.CurveModel) -> float:
    """What least squares leaves of the score with the model's knots, and any values at them."""
    hats = [np.ones(len(FRAME))]
    for term in model.terms:
        assert isinstance(term, PWLCurve)
        x = transform(term.fx).forward(np.array([one for one, _ in term.points]))
        at = transform(term.fx).forward(FRAME[str(term.input)].to_numpy())
        hats += [np.interp(at, x, hat) for hat in np.eye(len(x))]
    basis, score = np.column_stack(hats), TEACHER.eval(FRAME)
    best, *_ = np.linalg.lstsq(basis, score, rcond=None)
    return float(np.var(score - basis @ best))


def test_the_score_is_as_near_as_least_squares_brings_it(alone: Distillation, together: Distillation) -> None:
    least = least_error(together.model)
    assert error(together.model) <= 0.6 * error(alone.model)
    # A ridge and rounded values are between the two.
    assert error(together.model) <= least + 0.2 * (error(alone.model) - least)


def test_knots_move_where_no_values_at_the_old_ones_come_so_near(alone: Distillation, together: Distillation) -> None:
    assert least_error(together.model) < 0.9 * least_error(alone.model)


def test_knots_stay_where_the_others_leave_nothing_but_chance() -> None:
    """Features that have nothing to do with each other: each curve is already the best for the score."""
    few = pd.DataFrame({name: np.round(10 * RNG.random(150), 2) for name in "abcd"})
    found, alone = (curvec.distill(TEACHER, few, num_segments=2, overrides=own).model for own in ({}, SHAPED))
    for term in found.terms:
        assert {x for x, _ in term.points} <= {x for x, _ in alone[str(term.input)].points}


def test_the_report_says_what_the_separate_fits_lose(alone: Distillation, together: Distillation) -> None:
    assert alone.report.separate is None
    assert together.report.separate == pytest.approx(error(alone.model) / np.var(TEACHER.eval(FRAME)))
    assert "With each function fitted alone it would be" in together.report.summary()
    for curve in together.report.curves:  # each is compared with its own function as it is now
        part = next(part for part in together.parts if part.label == curve.label)
        assert part.term is not None
        own = part.term(FRAME[curve.label]) - TEACHER[curve.label](FRAME[curve.label])
        assert curve.rmse == pytest.approx(float(np.std(own)))
        assert part.curves[0].term == part.term


def test_the_mean_score_stays(together: Distillation) -> None:
    assert together.model.eval(FRAME).mean() == pytest.approx(
        TEACHER.eval(FRAME).mean(), abs=0.05
    )  # the intercept is rounded


def test_size_transform_direction_and_the_range_of_values_stay(alone: Distillation, together: Distillation) -> None:
    for term in together.model.terms:
        before, name = alone.model[str(term.input)], str(term.input)
        assert isinstance(before, PWLCurve)
        assert isinstance(term, PWLCurve)
        assert (len(term.points), term.fx, term.direction) == (len(before.points), before.fx, before.direction)
        exact = TEACHER[name](FRAME[name])
        low, high = min(exact.min(), *before.ordinates), max(exact.max(), *before.ordinates)
        assert all(low <= y <= high for y in term.ordinates)


def test_a_single_function_does_not_move() -> None:
    teacher = curvec.CurveModel("one", TEACHER.terms[2:3])
    assert curvec.distill(teacher, FRAME, num_segments=3).report.separate is None


def test_without_a_margin_each_function_is_fitted_alone() -> None:
    found, shaped = (curvec.distill(TEACHER, FRAME, margin=0, overrides=own) for own in ({}, SHAPED))
    assert found.report.separate is None
    assert found.model == shaped.model


def test_a_curve_with_digits_of_its_own_stays() -> None:
    own = {"a": {"digits": 7}}
    found = curvec.distill(TEACHER, FRAME, num_segments=1, overrides=own)
    alone = curvec.distill(TEACHER, FRAME, num_segments=1, overrides={**own, **SHAPED})
    assert found.report.separate is not None
    assert found.model["a"] == alone.model["a"]


def test_more_rows_than_the_sample_holds() -> None:
    rows = correlated(30_000)
    found = curvec.distill(TEACHER, rows, num_segments=1)
    assert found.report.separate is not None
    shuffled = rows.sample(frac=1, random_state=1)
    batches = pa.Table.from_pandas(shuffled, preserve_index=False).to_batches(max_chunksize=4_321)
    for form in (shuffled, pa.RecordBatchReader.from_batches(batches[0].schema, batches)):
        assert curvec.distill(TEACHER, form, num_segments=1).model == found.model
    separate = curvec.distill(TEACHER, rows, num_segments=1, overrides=SHAPED).model
    assert error(found.model, rows) < error(separate, rows)


def test_one_row_that_occurs_very_often_makes_the_score_of_all_no_worse() -> None:
    many = correlated(25_000)
    rows = pd.concat([many, pd.concat([many.iloc[:1]] * 20_000)])
    found, separate = (curvec.distill(TEACHER, rows, num_segments=1, overrides=own).model for own in ({}, SHAPED))
    assert error(found, rows) <= error(separate, rows)
