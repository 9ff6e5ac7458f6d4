"""What the reference shares with other stages: rows without a score, sums of nothing, ties."""

from __future__ import annotations

import math

import numpy as np
import pytest

from curvec import InputError
from curvec.evaluate import added, check_scored, columns_of, without_rounding


def test_a_row_without_a_score_is_named() -> None:
    check_scored(np.array([0.0, math.inf]))
    with pytest.raises(InputError, match="row 1 has no score of the teacher"):
        check_scored(np.array([0.0, math.nan, 1.0, math.nan]), " of the teacher")


def test_no_terms_are_no_columns_and_a_score_that_is_the_intercept() -> None:
    assert columns_of([], 3).shape == (3, 0)
    assert added([], 0.25, 3).tolist() == [0.25] * 3


def test_scores_that_differ_by_rounding_alone_are_equal() -> None:
    scores = np.array([1000.0, 1 / 3, 1 / 3 + 2e-16, 1 / 3 + 1e-8, math.inf, math.nan])
    found = without_rounding(scores)
    assert found[1] == found[2] != found[3]
    np.testing.assert_allclose(found, scores, atol=1e-9)
    assert without_rounding(np.zeros(2)).tolist() == [0.0, 0.0]
