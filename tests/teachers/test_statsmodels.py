"""statsmodels' GLMGam read exactly."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from nightly import NIGHTLY
from statsmodels import api
from statsmodels.formula import api as formulas
from statsmodels.gam import api as gam

import curvec
from curvec import InputError, UnsupportedError
from curvec.teachers import read_and_check

RNG = np.random.default_rng(5)


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
    assert "stays constant" in reading.notes[0]


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


PEOPLE = pd.DataFrame(
    {
        "age": RNG.uniform(20, 70, 300),
        "plan": RNG.choice(["a", "b", "c"], 300),
        "rooms": RNG.integers(0, 4, 300),
        "bmi": RNG.uniform(18, 40, 300),
        "score": RNG.normal(size=300),
        "smoker": RNG.random(300) < 0.5,
    }
)
PEOPLE["claims"] = RNG.poisson(np.exp(0.01 * PEOPLE["age"] + 0.3 * (PEOPLE["plan"] == "b")))
PEOPLE["any"] = (PEOPLE["claims"] > 1).astype(int)


def regressions(formula, frame):
    """The same formula fitted, in a few steps, by each class that is read, and by its own account of the raw score."""
    poisson = api.families.Poisson()
    return {
        "GLM": (formulas.glm(f"claims ~ {formula}", frame, family=poisson).fit(), "linear"),
        "OLS": (formulas.ols(f"claims ~ {formula}", frame).fit(), None),
        "RLM": (formulas.rlm(f"claims ~ {formula}", frame).fit(maxiter=5), None),
        "Logit": (formulas.logit(f"any ~ {formula}", frame).fit(disp=0, maxiter=5), "linear"),
        "Poisson": (formulas.poisson(f"claims ~ {formula}", frame).fit(disp=0, maxiter=5), "linear"),
        "NegativeBinomial": (formulas.negativebinomial(f"claims ~ {formula}", frame).fit(disp=0, maxiter=5), "linear"),
    }


def raw(teacher, which, rows):
    return np.asarray(teacher.predict(rows, **({} if which is None else {"which": which})))


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")  # of fits that do not converge
def test_levels_powers_and_logarithms_of_a_formula_are_exact():
    formula = "C(plan) + C(rooms) + smoker + age + I(age**2 / 100) + np.log(bmi) + np.log1p(bmi)"
    links = dict.fromkeys(["OLS", "RLM"], "identity") | {"Logit": "logit"}
    for kind, (teacher, which) in regressions(formula, PEOPLE).items():
        if not NIGHTLY and kind not in ("GLM", "OLS", "Logit"):
            continue  # each asks a hundred times for the formula's columns
        reading = read_and_check(teacher, PEOPLE)
        assert reading.exact, kind
        assert reading.model.link == links.get(kind, "log")
        beyond = PEOPLE.assign(age=PEOPLE["age"] * 3, bmi=PEOPLE["bmi"] * 1e3)  # not in the range of X
        for rows in (PEOPLE, beyond):
            expected = raw(teacher, which, rows)
            np.testing.assert_allclose(reading.model.eval(rows), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
        types = {feature.name: feature.type for feature in reading.model.features}
        assert types == {"plan": "str", "rooms": "int", "smoker": "bool", "age": "number", "bmi": "number"}


def test_a_formula_without_levels_needs_no_rows():
    teacher = formulas.ols("claims ~ age + I(age**2) + np.log(bmi) + I(2 * (score - 1) ** 3 - score)", PEOPLE).fit()
    model = curvec.read_teacher(teacher)
    np.testing.assert_allclose(model.eval(PEOPLE), teacher.fittedvalues, rtol=1e-10)
    with_levels = formulas.ols("claims ~ age + C(plan)", PEOPLE).fit()
    with pytest.raises(UnsupportedError, match=r"'C\(plan\)\[T.b\]' is read from the model's scores: pass X"):
        curvec.read_teacher(with_levels)


def test_splines_and_functions_of_a_formula_are_asked_to_a_stated_error():
    teacher = formulas.glm(
        "claims ~ bs(age, df=5) + np.sqrt(bmi) + plan + scale(score)", PEOPLE, family=api.families.Poisson()
    ).fit()
    reading = read_and_check(teacher, PEOPLE)
    assert reading.check is not None
    assert not reading.exact
    stated = {
        note.split(":")[0]: float(note.split("up to ")[1].split()[0]) for note in reading.notes if "sampled" in note
    }
    assert stated.keys() == {"age", "bmi"}  # a scaled column is a line
    assert max(stated.values()) < 1e-5
    assert 0 < reading.check.distance < 2 * sum(stated.values())


def test_rows_with_missing_values_have_no_score_as_the_teacher_has_none():
    gaps = PEOPLE.assign(age=PEOPLE["age"].where(PEOPLE.index % 7 > 0), plan=PEOPLE["plan"].where(PEOPLE.index % 5 > 0))
    teacher = formulas.ols("claims ~ age + C(plan) + np.sqrt(bmi)", gaps).fit()
    reading = read_and_check(teacher, gaps)
    score = reading.model.eval(gaps)
    np.testing.assert_allclose(score, teacher.predict(gaps), rtol=0, atol=1e-6)
    assert np.isnan(score).sum() == gaps[["age", "plan"]].isna().any(axis=1).sum()


def test_other_tables_than_pandas():
    teacher = formulas.ols("claims ~ age + C(plan) + smoker", PEOPLE).fit()
    for X in (pl.from_pandas(PEOPLE), {name: PEOPLE[name].to_numpy() for name in PEOPLE}):
        np.testing.assert_allclose(curvec.read_teacher(teacher, X).eval(X), teacher.fittedvalues, rtol=1e-10)


def test_a_column_of_two_columns_is_refused():
    for formula, joined in (
        ("age * C(plan)", r"'age:C\(plan\)\[T.b\]' joins 'age' and 'plan'"),
        ("C(plan):bmi", r"'C\(plan\)\[a\]:bmi' joins 'bmi' and 'plan'"),
        ("C(plan):C(rooms)", r"'C\(plan\)\[T.b\]:C\(rooms\)\[0\]' joins 'plan' and 'rooms'"),
    ):
        teacher = formulas.ols(f"claims ~ {formula}", PEOPLE).fit()
        with pytest.raises(UnsupportedError, match=joined):
            curvec.read_teacher(teacher, PEOPLE)


def test_what_is_not_fitted_is_refused():
    for model in (formulas.ols("claims ~ age", PEOPLE), formulas.logit("any ~ age", PEOPLE)):
        with pytest.raises(UnsupportedError, match=f"{type(model).__name__} is not fitted; pass what its fit"):
            curvec.read_teacher(model, PEOPLE)
    stripped = formulas.ols("claims ~ age", PEOPLE).fit()
    exact = curvec.read_teacher(stripped, PEOPLE)
    stripped.remove_data()
    with pytest.raises(UnsupportedError, match=r"lost their data by remove_data\(\); read them before"):
        curvec.read_teacher(stripped, PEOPLE)
    np.testing.assert_allclose(exact.predict(PEOPLE), stripped.predict(PEOPLE))


@pytest.mark.parametrize("formula", ["age + C(plan)", "age + np.sqrt(bmi)", "age:bmi"])
def test_a_column_that_x_lacks_is_named(formula):
    teacher = formulas.ols(f"claims ~ {formula}", PEOPLE).fit()
    with pytest.raises(InputError, match=r"X has no column '(plan|bmi)', which the formula's column .* reads"):
        curvec.read_teacher(teacher, PEOPLE[["age", "score"]])


def test_a_level_that_the_formula_does_not_know_is_named():
    teacher = formulas.ols("claims ~ age + C(plan)", PEOPLE).fit()
    with pytest.raises(InputError, match=r"does not score X: PatsyError: .* 'zz' does not match"):
        curvec.read_teacher(teacher, PEOPLE.assign(plan="zz"))


def test_contrasts_are_no_columns():
    teacher = formulas.ols("claims ~ C(plan, Sum)", PEOPLE).fit()
    with pytest.raises(UnsupportedError, match=r"'plan' and 'Sum'.*; pass X, if only one of these is a column"):
        curvec.read_teacher(teacher)
    np.testing.assert_allclose(curvec.read_teacher(teacher, PEOPLE).eval(PEOPLE), teacher.fittedvalues, rtol=1e-10)


def test_categories_of_numbers():
    """Polynomial contrasts of codes, which have no score between them, and a category that a condition makes."""
    teacher = formulas.ols("claims ~ C(rooms, Poly) + C(bmi > 30)", PEOPLE).fit()
    model = curvec.read_teacher(teacher, PEOPLE)
    assert {feature.name: feature.type for feature in model.features} == {"rooms": "int", "bmi": "number"}
    np.testing.assert_allclose(model.eval(PEOPLE), teacher.fittedvalues, rtol=1e-10)


@pytest.mark.parametrize("rows", [PEOPLE, None], ids=["with rows", "without"])
def test_a_constant_alone_is_a_model_without_terms(rows):
    for teacher in (
        formulas.poisson("claims ~ 1", PEOPLE).fit(disp=0),
        api.GLM(PEOPLE["claims"], np.ones(300), family=api.families.Poisson()).fit(),
    ):
        model = curvec.read_teacher(teacher, rows)
        assert not model.terms
        np.testing.assert_allclose(model.predict(PEOPLE), PEOPLE["claims"].mean(), rtol=1e-9)


CASES = pd.DataFrame({"a": RNG.uniform(1, 2, 200), "g": RNG.integers(0, 9, 200), "c": RNG.choice(["u", "v"], 200)})
CASES["y"] = CASES["a"] + RNG.normal(0, 0.1, 9)[CASES["g"]] + RNG.normal(0, 0.1, 200)
CASES["n"] = RNG.poisson(CASES["a"])
POISSON = {"data": CASES, "family": api.families.Poisson()}


@pytest.mark.parametrize(
    ("fitted", "link", "note"),
    [
        (lambda: formulas.ols("y ~ a + C(c)", CASES).fit_regularized(alpha=0.01), "identity", ""),
        (lambda: api.OLS(CASES["y"], CASES[["a"]]).fit_regularized(alpha=0.01, L1_wt=0.5), "identity", ""),
        (lambda: formulas.glm("n ~ np.log(a)", **POISSON).fit_regularized(alpha=0.01), "log", ""),
        (lambda: formulas.poisson("n ~ a", CASES).fit_regularized(alpha=0.1, disp=0), "log", ""),
        (lambda: formulas.gee("n ~ a + c", "g", **POISSON).fit(), "log", ""),
        (lambda: formulas.mixedlm("y ~ a + I(a**2)", CASES, groups="g").fit(), "identity", "random effects"),
    ],
)
@pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.ConvergenceWarning")  # of so few rows
def test_the_linear_predictor_of_other_fits_is_the_model(fitted, link, note):
    teacher = fitted()
    reading = read_and_check(teacher, CASES[["a", "c"]])
    assert (reading.model.link, reading.check is not None) == (link, True)
    assert note in " ".join(reading.notes)
    rows = CASES if hasattr(teacher.model, "formula") else CASES[["a"]]
    np.testing.assert_allclose(reading.model.predict(CASES), teacher.predict(rows), rtol=1e-9)


def test_probit_is_refused():
    with pytest.raises(UnsupportedError, match="statsmodels' Probit is not known; known are GLM, GLMGam, GEE, OLS"):
        curvec.read_teacher(formulas.probit("any ~ age", PEOPLE).fit(disp=0), PEOPLE)


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


def test_a_distillation_says_what_was_sampled_and_left_out():
    teacher = formulas.glm(
        "claims ~ bs(age, df=5) + bmi", PEOPLE, family=api.families.Poisson(), exposure=np.full(len(PEOPLE), 2.0)
    ).fit()
    reading = read_and_check(teacher, PEOPLE)
    assert any("trained with an exposure" in note for note in reading.notes)
    for given in (teacher, reading):
        report = curvec.distill(given, PEOPLE, num_segments=2).report
        assert report.reading == reading.notes
        assert "sampled at" in str(report)


@pytest.mark.parametrize("given", ["exposure", "offset"])
def test_an_exposure_or_offset_of_a_count_regression_is_said(given):
    years = np.linspace(0.5, 2.0, len(PEOPLE))
    teacher = formulas.poisson("claims ~ age + C(plan)", PEOPLE, **{given: years}).fit(disp=0)
    reading = read_and_check(teacher, PEOPLE)
    assert any(f"trained with an {given}" in note for note in reading.notes)
    np.testing.assert_allclose(reading.model.eval(PEOPLE), teacher.predict(PEOPLE, which="linear"), rtol=1e-9)
    fx = "log" if given == "exposure" else "identity"
    counts = reading.model.with_offset("years", fx=fx).predict(PEOPLE.assign(years=years))
    np.testing.assert_allclose(counts, teacher.predict(), rtol=1e-9)
