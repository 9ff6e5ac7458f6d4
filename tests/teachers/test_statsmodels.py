"""statsmodels' GLMGam read exactly."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels import api
from statsmodels.gam import api as gam

import curvec
from curvec import InputError, UnsupportedError
from curvec.teachers import read_and_check


def fit(frame, target, **options):
    smoother = gam.BSplines(frame[["bmi", "bp"]], df=[8, 6], degree=[3, 2], **options)
    exog = api.add_constant(frame[["age"]])
    return gam.GLMGam(target, exog=exog, smoother=smoother, alpha=[1.0, 1.0], family=api.families.Gaussian()).fit()


def test_the_linear_part_and_the_splines(diabetes):
    frame, target = diabetes
    teacher = fit(frame, target)
    reading = read_and_check(teacher, frame)
    assert [feature.name for feature in reading.model.features] == ["age", "bmi", "bp"]
    theirs = teacher.fittedvalues.to_numpy()
    np.testing.assert_allclose(reading.model.eval(frame), theirs, rtol=0, atol=1e-12 * theirs.max())
    assert "goes on constant" in reading.notes[0]


def test_a_formula_of_plain_columns(diabetes):
    frame, target = diabetes
    smoother = gam.BSplines(frame[["bmi"]], df=[6], degree=[3])
    teacher = gam.GLMGam.from_formula("y ~ age + sex", frame.assign(y=target), smoother=smoother).fit()
    reading = read_and_check(teacher, frame)
    np.testing.assert_allclose(reading.model.eval(frame), teacher.fittedvalues, rtol=1e-12)


@pytest.mark.parametrize("formula", [True, False])
def test_a_glm_without_smoothers(diabetes, formula):
    frame, target = diabetes
    family = api.families.Gamma(api.families.links.Log())
    if formula:
        teacher = api.GLM.from_formula("y ~ age + bmi", frame.assign(y=target), family=family).fit()
    else:
        teacher = api.GLM(target, api.add_constant(frame[["age", "bmi"]]), family=family).fit()
    reading = read_and_check(teacher, frame)
    assert reading.model.link == "log"
    assert reading.notes == ()
    assert reading.check is not None
    np.testing.assert_allclose(reading.model.predict(frame), teacher.fittedvalues, rtol=1e-11)


@pytest.mark.parametrize("how", ["exposure", "offset"])
def test_what_the_teacher_was_given_beside_the_features_is_said(diabetes, how):
    frame, target = diabetes
    years = np.linspace(0.5, 2.0, len(frame))
    given = {"exposure": years} if how == "exposure" else {"offset": np.log(years)}
    smoother = gam.BSplines(frame[["bmi"]], df=[6], degree=[3])
    exog = api.add_constant(frame[["age"]])
    teacher = gam.GLMGam(target.round(), exog=exog, smoother=smoother, family=api.families.Poisson(), **given).fit()
    reading = read_and_check(teacher, frame)
    assert [note for note in reading.notes if how in note]
    np.testing.assert_allclose(reading.model.predict(frame) * years, teacher.fittedvalues, rtol=1e-10)


def test_a_formula_that_makes_columns_is_read_by_asking(diabetes):
    frame, target = diabetes
    frame = frame.assign(sex=(frame["sex"] > frame["sex"].mean()).astype(int), y=target)
    formula = "y ~ C(sex) + np.log1p(bmi) + age"
    teacher = api.GLM.from_formula(formula, frame, family=api.families.Gamma(api.families.links.Log())).fit()
    with pytest.raises(UnsupportedError, match="or read the model as a function of rows: lambda rows"):
        read_and_check(teacher, frame)

    def raw(rows):
        return teacher.predict(rows, which="linear")

    X = frame[["sex", "bmi", "age"]]
    with pytest.raises(InputError, match=r"values between its own: .* astype\('category'\)"):
        read_and_check(raw, X, link="log")
    reading = read_and_check(raw, X.astype({"sex": "category"}), link="log")
    np.testing.assert_allclose(reading.model.predict(X), teacher.fittedvalues, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:The design matrix is rank-deficient")
def test_names_that_statsmodels_made_up_twice_are_refused(diabetes):
    """Columns of arrays are x1, x2 in the linear part, and x0, x1 in the splines."""
    frame, target = diabetes
    smoother = gam.BSplines(frame[["bmi", "bp"]].to_numpy(), df=[6, 6], degree=[3, 3])
    exog = api.add_constant(frame[["age"]].to_numpy())
    teacher = gam.GLMGam(target.to_numpy(), exog=exog, smoother=smoother, alpha=[1.0, 1.0]).fit()
    with pytest.raises(UnsupportedError, match="both call a column 'x1'"):
        curvec.read_teacher(teacher)


def test_the_end_of_a_spline_is_where_it_goes_on(diabetes):
    frame, target = diabetes
    model = curvec.read_teacher(fit(frame, target))
    edge, beyond = (frame.head(1).assign(bmi=value) for value in (frame["bmi"].max(), 1e6))
    np.testing.assert_allclose(model.eval(beyond), model.eval(edge), rtol=1e-12)
    assert np.isfinite(model.eval(edge)).all()


def test_a_logit_link(numeric):
    frame, target = numeric
    smoother = gam.BSplines(frame[["radius"]], df=[6], degree=[3])
    exog = api.add_constant(frame[["texture"]])
    teacher = gam.GLMGam(target, exog=exog, smoother=smoother, alpha=[1.0], family=api.families.Binomial()).fit()
    reading = read_and_check(teacher, frame[["texture", "radius"]])
    assert reading.model.link == "logit"
    np.testing.assert_allclose(reading.model.predict(frame), teacher.fittedvalues, rtol=1e-10)


@pytest.mark.filterwarnings("ignore:The design matrix is rank-deficient")
def test_smoothers_that_are_not_known_are_refused(diabetes):
    frame, target = diabetes
    smoother = gam.CyclicCubicSplines(frame[["bmi"]], df=[6])
    teacher = gam.GLMGam(target, exog=api.add_constant(frame[["age"]]), smoother=smoother, alpha=[1.0]).fit()
    with pytest.raises(UnsupportedError, match="Cyclic"):
        curvec.read_teacher(teacher)
