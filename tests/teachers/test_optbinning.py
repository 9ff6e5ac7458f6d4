"""Scorecards read exactly: sum of points equal to the score, to the last bit."""

from __future__ import annotations

import numpy as np
import optbinning
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import curvec
from curvec import UnsupportedError
from curvec.teachers import read_and_check

# optbinning's own use of pandas and scikit-learn.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")


@pytest.fixture(scope="module")
def rows(cancer) -> pd.DataFrame:
    frame = cancer[0][["mean texture", "area error", "size"]].copy()
    frame["size"] = frame["size"].astype(object).fillna("none")
    frame.loc[frame.index % 9 == 0, "mean texture"] = -1.0
    return frame


@pytest.fixture(scope="module")
def scorecard(rows, cancer):
    special = {"mean texture": {"special_codes": [-1.0]}}
    process = optbinning.BinningProcess(list(rows.columns), categorical_variables=["size"], binning_fit_params=special)
    points = {"pdo": 20, "odds": 50, "scorecard_points": 600}
    card = optbinning.Scorecard(process, LogisticRegression(), scaling_method="pdo_odds", scaling_method_params=points)
    return card.fit(rows, cancer[1], metric_special="empirical", metric_missing="empirical")


def test_the_points_add_up_to_the_score_at_every_split(scorecard, rows, around_cuts):
    reading = read_and_check(scorecard, rows)
    assert reading.distance == 0.0
    probes = around_cuts(reading.model, rows, (np.nan, -1.0, 0.0, 1e9))
    assert np.array_equal(reading.model.eval(probes), scorecard.score(probes))


def test_the_points_are_those_of_the_printed_table(scorecard, rows):
    """Kind P81: the scaling is in the curves."""
    table = scorecard.table("detailed")
    values = {v for term in curvec.read_teacher(scorecard, rows).terms for v in getattr(term, "values", ())}
    assert values <= set(table["Points"])


def test_an_unseen_category_scores_as_the_card_does(scorecard, rows):
    probe = rows.head(2).assign(size=["never seen", "tiny"])
    assert np.array_equal(read_and_check(scorecard, rows).model.eval(probe), scorecard.score(probe))


@pytest.mark.parametrize("metrics", [{}, {"metric_missing": 0.5}, {"metric_special": 1.5}], ids=str)
@pytest.mark.parametrize("codes", [["tiny"], {"small": ["tiny", "small"], "other": "large"}, None], ids=str)
def test_special_codes_in_groups_and_what_was_never_seen(rows, cancer, codes, metrics):
    frame = rows.copy()
    frame.loc[frame.index % 5 == 0, "mean texture"] = -2.0
    special = {
        "mean texture": {"special_codes": {"refused": -1.0, "unknown": [-2.0, 99.0]}},
        "size": {"special_codes": codes},
    }
    process = optbinning.BinningProcess(list(rows.columns), categorical_variables=["size"], binning_fit_params=special)
    card = optbinning.Scorecard(process, LogisticRegression()).fit(frame, cancer[1], **metrics)
    reading = read_and_check(card, frame)
    probes = pd.DataFrame(
        {
            "mean texture": [-1.0, -2.0, 99.0, np.nan, 15.0, -1.5, -3.0],
            "area error": [np.nan, 30.0, 30.0, 30.0, 1.0, 200.0, 30.0],
            "size": ["tiny", "small", "large", "mid", "none", "never seen", None],
        }
    )
    np.testing.assert_allclose(reading.model.eval(probes), card.score(probes), rtol=1e-14)


@pytest.mark.parametrize("option", ["metric_special", "metric_missing"])
def test_a_whole_number_for_one_variable_is_refused_as_the_card_does_not_score_its_own_table(rows, cancer, option):
    def fit(value):
        process = optbinning.BinningProcess(
            list(rows.columns),
            categorical_variables=["size"],
            special_codes=[-1.0],
            binning_transform_params={"mean texture": {option: value}},
        )
        return optbinning.Scorecard(process, LogisticRegression()).fit(rows.assign(size=rows["size"]), cancer[1])

    with pytest.raises(UnsupportedError, match=r"give it as 2\.0 and fit again"):
        read_and_check(fit(2), rows)
    card = fit(2.0)
    assert read_and_check(card, rows).distance == 0.0
    probe = rows.head(3).assign(**{"mean texture": [-1.0, np.nan, 15.0]})
    assert np.array_equal(curvec.read_teacher(card, rows).eval(probe), card.score(probe))


def test_an_unfitted_card_is_refused():
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(optbinning.Scorecard(optbinning.BinningProcess(["x"]), LogisticRegression()))
