"""pyGAM read exactly: splines and tensor terms as polynomials, factors as tables."""

from __future__ import annotations

import numpy as np
import pygam
import pytest
from pygam import GammaGAM, LinearGAM, LogisticGAM, PoissonGAM, f, l, s, te

import curvec
from curvec import EnumCurve, UnsupportedError
from curvec.teachers import read_and_check

# pyGAM's own use of numpy and scipy.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def rows(diabetes):
    return diabetes[0].to_numpy(), diabetes[1].to_numpy()


def close(model, rows, raw, tolerance=1e-12):
    data = {f"x{j}": column for j, column in enumerate(rows.T)}
    np.testing.assert_allclose(model.eval(data), raw, rtol=0, atol=tolerance * (1 + np.abs(raw).max()))


def varied(rows):
    """Rows in which every column goes through its range, its cuts and far beyond them, the factor aside."""
    out = rows[np.arange(600) % len(rows)].copy()
    for j in range(rows.shape[1]):
        if j != 1:
            low, high = rows[:, j].min(), rows[:, j].max()
            out[:, j] = np.random.default_rng(j).permutation(np.linspace(low - (high - low), high + (high - low), 600))
    return out


@pytest.mark.parametrize(("gam", "link"), [(LinearGAM, "identity"), (PoissonGAM, "log"), (GammaGAM, "log")])
def test_splines_are_exact_inside_and_outside_of_their_knots(rows, gam, link):
    teacher = gam(s(2) + s(3) + s(8, spline_order=2) + s(6, spline_order=1) + s(9, spline_order=0)).fit(*rows)
    reading = read_and_check(teacher, rows[0])
    assert reading.exact
    assert reading.model.link == link
    probes = varied(rows[0])
    close(reading.model, probes, teacher._linear_predictor(probes))


def test_every_kind_of_term(rows):
    teacher = LinearGAM(s(2) + l(0) + f(1) + te(3, 4, n_splines=[5, 6]) + s(5, by=0)).fit(*rows)
    model = curvec.read_teacher(teacher, rows[0])
    close(model, varied(rows[0]), teacher._linear_predictor(varied(rows[0])), 1e-11)
    factor = next(term for term in model.terms if isinstance(term, EnumCurve))
    assert list(factor.levels) == [1, 2]
    assert np.isnan(model.eval({f"x{j}": [float(j == 1) * 3 + 20] for j in range(10)})).all()  # pyGAM raises there


def test_a_classifier_gives_probabilities(numeric):
    frame, target = numeric
    teacher = LogisticGAM(s(0, n_splines=8) + s(1, n_splines=8) + s(4, n_splines=8)).fit(frame, target)
    reading = read_and_check(teacher, frame)
    assert [feature.name for feature in reading.model.features] == list(frame.columns)
    np.testing.assert_allclose(reading.model.predict(frame), teacher.predict_proba(frame), rtol=1e-10)


def test_curves_are_centred_and_their_means_in_the_intercept(rows):
    teacher = LinearGAM(s(2) + s(3)).fit(*rows)
    model = curvec.read_teacher(teacher, rows[0])
    means = model.contributions({f"x{j}": column for j, column in enumerate(rows[0].T)}).mean(axis=0)
    assert np.abs(means).max() < 1e-10
    assert model.intercept == pytest.approx(teacher._linear_predictor(rows[0]).mean())


def test_levels_that_share_a_coefficient(diabetes):
    levels = np.array([1, 2, 4, 5, 6, 9])[np.arange(len(diabetes[1])) % 6].astype(float)
    rows = np.column_stack([levels, diabetes[0]["bmi"]])
    teacher = LinearGAM(f(0) + s(1)).fit(rows, diabetes[1])
    assert read_and_check(teacher, rows).distance < 1e-11


def test_what_cannot_be_read_is_refused_by_name(rows):
    with pytest.raises(UnsupportedError, match="repeats without end"):
        curvec.read_teacher(LinearGAM(s(2, basis="cp")).fit(*rows))
    with pytest.raises(UnsupportedError, match="not fitted"):
        curvec.read_teacher(LinearGAM(s(2)))
    inverse = pygam.GAM(s(2), distribution="gamma", link="inverse").fit(rows[0], rows[1])
    with pytest.raises(UnsupportedError, match="inverse"):
        curvec.read_teacher(inverse)
