"""What every library can end up with: unused columns, stumps, no trees, one class, whole numbers, ordered levels."""

from __future__ import annotations

import numpy as np
import pytest
from catboost import CatBoostClassifier
from interpret.glassbox import ExplainableBoostingClassifier
from lightgbm import LGBMClassifier
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier
from xgboost import XGBClassifier

import curvec
from curvec.teachers import read_and_check


def lightgbm(rounds):
    return LGBMClassifier(n_estimators=rounds, num_leaves=2, verbose=-1, n_jobs=1)


def xgboost(rounds):
    return XGBClassifier(n_estimators=rounds, max_depth=1, n_jobs=1)


def catboost(rounds):
    return CatBoostClassifier(iterations=rounds, depth=1, verbose=0, allow_writing_files=False, thread_count=1)


def ebm(rounds):
    return ExplainableBoostingClassifier(max_rounds=rounds, interactions=0, outer_bags=1, n_jobs=1)


def gradient_boosting(rounds):
    return GradientBoostingClassifier(n_estimators=rounds, max_depth=1)


def hist_gradient_boosting(rounds):
    return HistGradientBoostingClassifier(max_iter=rounds, interaction_cst="no_interactions", early_stopping=False)


MAKERS = [lightgbm, xgboost, catboost, ebm, gradient_boosting, hist_gradient_boosting]
every_library = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)


@every_library
def test_a_constant_column_in_the_middle_moves_no_other(numeric, make):
    """Kind P78."""
    frame = numeric[0].assign(smoothness=1.0)
    teacher = make(20).fit(frame, numeric[1])
    reading = read_and_check(teacher, frame)
    assert reading.distance <= reading.check.tolerance
    assert [feature.name for feature in reading.model.features] == list(frame.columns)
    assert "smoothness" not in {term.input for term in reading.model.terms}


@every_library
def test_one_round_is_a_stump(numeric, make):
    """Kind P79."""
    teacher = make(1).fit(*numeric)
    reading = read_and_check(teacher, numeric[0])
    np.testing.assert_allclose(reading.model.predict(numeric[0]), teacher.predict_proba(numeric[0])[:, 1], rtol=1e-5)


@pytest.mark.parametrize("make", [make for make in MAKERS if make is not catboost], ids=lambda make: make.__name__)
def test_nothing_to_split_on_is_a_constant(numeric, make):
    """Kind P79. CatBoost itself refuses to train on constant columns."""
    frame, target = numeric[0] * 0.0, numeric[1]
    teacher = make(3).fit(frame, target)
    reading = read_and_check(teacher, frame)
    assert len(np.unique(reading.model.eval(frame))) == 1
    assert reading.distance <= reading.check.tolerance


@every_library
def test_whole_numbers_are_cut_where_the_library_cuts_them(numeric, around_cuts, make):
    """Kind P25."""
    frame = numeric[0].round().astype(int)[["radius", "texture", "area_error"]]
    teacher = make(20).fit(frame, numeric[1])
    model = curvec.read_teacher(teacher, frame)
    probes = around_cuts(model, frame.astype(float), (12.0, 13.0, 12.5))
    np.testing.assert_allclose(model.predict(probes), teacher.predict_proba(probes)[:, 1], rtol=1e-5)


@every_library
def test_a_frame_whose_columns_are_numbered(numeric, make):
    """``pandas.DataFrame(array)``: each library keeps the numbers as text, makes up names, or keeps none."""
    frame = numeric[0].set_axis(range(numeric[0].shape[1]), axis=1)
    reading = read_and_check(make(5).fit(frame, numeric[1]), frame)
    assert reading.distance <= reading.check.tolerance
    assert {feature.name for feature in reading.model.features} == {str(name) for name in frame.columns}


@every_library
def test_text_is_no_number(numeric, make):
    model = curvec.read_teacher(make(3).fit(*numeric), numeric[0])
    used = model.terms[0].input
    with pytest.raises(curvec.InputError, match=used):
        model.predict(numeric[0].astype({used: str}))


def test_an_ebm_of_one_class(numeric):
    """Kind P79."""
    frame = numeric[0].head(60)
    teacher = ebm(3).fit(frame, np.zeros(60, dtype=int))
    with pytest.raises(curvec.UnsupportedError, match="one class only"):
        curvec.read_teacher(teacher)


def test_ordered_levels_of_an_ebm(cancer):
    frame = cancer[0][["size", "mean texture"]].assign(size=cancer[0]["size"].astype(object).fillna("mid"))
    order = ["tiny", "small", "mid", "large"]
    teacher = ExplainableBoostingClassifier(
        feature_types=[order, "continuous"], interactions=1, max_rounds=30, outer_bags=1, n_jobs=1
    ).fit(frame, cancer[1])
    reading = read_and_check(teacher, frame)
    assert reading.distance == 0.0
    assert list(reading.model.terms[0].levels) == order
