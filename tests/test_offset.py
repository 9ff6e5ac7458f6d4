"""Offsets and sums of models: what is added to a score, in every language, and what leaves it as it is."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from statsmodels import api

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, PWLCurve, StepCurve
from curvec.read import from_python
from curvec.teachers import read_and_check

RNG = np.random.default_rng(2)
ROWS = 400
DATA = {
    "age": RNG.uniform(18, 80, ROWS),
    "region": RNG.choice(np.array(["n", "s"], dtype=object), ROWS),
    "years": np.r_[1.0, 1e-9, 1e9, RNG.gamma(0.7, 1.0, ROWS - 3)],
}
FREQUENCY = CurveModel(
    "frequency",
    [PWLCurve("age", [(18, 0.5), (30, 0.0), (70, 0.25)]), EnumCurve("region", {"n": 0.0, "s": 0.2})],
    -2.0,
    "log",
)
SEVERITY = CurveModel(
    "severity",
    [
        StepCurve("age", [40.0], [0.0, 0.3]),
        PWLCurve("age", [(20, 0.1), (60, -0.1)]),
        EnumCurve("region", {"s": 0.5}, 0),
    ],
    7.0,
    "log",
)


def test_an_exposure_multiplies_the_prediction() -> None:
    counts = FREQUENCY.with_offset("years", fx="log")
    np.testing.assert_allclose(counts.predict(DATA), FREQUENCY.predict(DATA) * DATA["years"], rtol=1e-12)
    assert counts.term_names == ["age", "region", "years"]
    nothing = {**DATA, "years": np.where(np.arange(ROWS) % 2, 0.0, np.nan)}
    predicted = counts.predict(nothing)
    assert np.isnan(predicted[::2]).all()
    assert (predicted[1::2] < 1e-299).all()


def test_a_column_is_added_as_it_is() -> None:
    model = CurveModel("m", FREQUENCY.terms, link="logit", features=FREQUENCY.features).with_offset("earlier")
    earlier = RNG.normal(size=ROWS)
    np.testing.assert_allclose(
        model.eval({**DATA, "earlier": earlier}), CurveModel("m", FREQUENCY.terms).eval(DATA) + earlier, atol=1e-15
    )


def test_every_language_has_it() -> None:
    report = curvec.parity.check(FREQUENCY.with_offset("years", fx="log"), DATA, ["python", "cpp", "sqlite", "duckdb"])
    assert report.ok


def test_distilling_and_refining_leave_it_as_it_is() -> None:
    model = FREQUENCY.with_offset("years", fx="log").with_offset("earlier")
    rows = {**DATA, "earlier": RNG.normal(size=ROWS) / 1e6}
    distilled = curvec.distill(model, rows, num_segments=1, max_numbers=9).model
    assert [distilled["years"], distilled["earlier"]] == [model["years"], model["earlier"]]
    y = RNG.poisson(np.minimum(model.predict(rows), 1e3))
    refined = curvec.refine(model, rows, y, loss="poisson", ridge=1e-9).model
    assert [refined["years"], refined["earlier"]] == [model["years"], model["earlier"]]
    assert refined["age"] != model["age"]


@pytest.mark.parametrize("exposure", [np.r_[np.zeros(5), np.ones(ROWS - 5)], np.geomspace(1e-6, 1e6, ROWS)])
def test_distilling_shortens_the_rest_as_without_an_offset(exposure: np.ndarray) -> None:
    """An exposure's own variance is no reason to lose more of the curves."""
    teacher = CurveModel(
        "m",
        [StepCurve("age", [*range(20, 80, 2)], np.sin(np.arange(31) / 5).tolist()), *FREQUENCY.terms[1:]],
        link="log",
    )
    rows = {**DATA, "years": exposure}
    alone = curvec.distill(teacher, rows, margin=1e-3).model
    beside = curvec.distill(teacher.with_offset("years", fx="log"), rows, margin=1e-3).model
    assert [term for term in beside.terms if term.input != "years"] == list(alone.terms)
    assert beside.intercept == alone.intercept


def test_refined_values_are_as_fine_as_without_an_offset() -> None:
    y = RNG.poisson(np.exp(FREQUENCY.eval(DATA)))
    ones = {**DATA, "years": np.r_[np.full(5, 1e-30), np.ones(ROWS - 5)]}
    alone = curvec.refine(FREQUENCY, DATA, y, loss="poisson", ridge=1.0).model
    beside = curvec.refine(FREQUENCY.with_offset("years", fx="log"), ones, y, loss="poisson", ridge=1.0).model
    finest = [min(Decimal(str(y)).as_tuple().exponent for y in model["age"].ordinates) for model in (alone, beside)]
    assert finest[0] == finest[1]


def test_refining_counts_is_refining_rates_by_exposure() -> None:
    """Both are the likelihood of a GLM with the logarithm of the exposure as an offset."""
    random = np.random.default_rng(5)
    rows = {
        "x": random.uniform(0, 2, 500),
        "k": random.choice(np.array(["a", "b", "c"], dtype=object), 500),
        "years": random.gamma(1.0, 1.0, 500) + 0.01,
    }
    counts = random.poisson(rows["years"] * np.exp(0.4 * rows["x"] - 0.5 * (rows["k"] == "b")))
    # Level c is not listed, and its value stays as it is.
    start = CurveModel(
        "m", [PWLCurve("x", [(0, 0), (2, 0)]), EnumCurve("k", {"a": 0, "b": 0}, default=0.7)], link="log"
    )
    model = start.with_offset("years", fx="log")
    found = curvec.refine(model, rows, counts, loss="poisson", ridge=1e-9, digits=None).model
    rates = curvec.refine(
        start, rows, counts / rows["years"], rows["years"], loss="poisson", ridge=1e-9, digits=None
    ).model
    np.testing.assert_allclose(found.predict(rows), rates.predict(rows) * rows["years"], rtol=1e-4)
    rest = np.log(rows["years"]) + 0.7 * (rows["k"] == "c")
    columns = np.column_stack([np.ones(500), rows["x"], rows["k"] == "a", rows["k"] == "b"]).astype(float)
    glm = api.GLM(counts, columns, family=api.families.Poisson(), offset=rest).fit()
    listed = rows["k"] != "c"
    np.testing.assert_allclose(found.predict(rows)[listed], glm.fittedvalues[listed], rtol=1e-3)


def test_a_line_whose_coefficient_is_1_is_no_offset() -> None:
    """As a fit may find it. What with_offset adds says so in its note, in Python's listing, too."""
    random = np.random.default_rng(0)
    rows = {"a": random.normal(size=300), "b": random.normal(size=300)}
    found = CurveModel("m", [Line("a", 1.0), Line("b", 0.2)])
    y = 1.4 * rows["a"] + 0.3 * rows["b"]
    refined = curvec.refine(found, rows, y, ridge=1e-9).model
    assert (refined["a"].coefficient, refined["b"].coefficient) == pytest.approx((1.4, 0.3), abs=0.01)
    declared = CurveModel("m", [Line("b", 0.2)]).with_offset("a")
    again = from_python(curvec.emit(declared, "python"))
    assert again == declared
    kept = curvec.refine(again, rows, y, ridge=1e-9).model
    assert kept["a"] == declared["a"]
    assert kept["b"].coefficient == pytest.approx(0.3, abs=0.1)
    with pytest.raises(InputError, match="both have the offset 'a', and the sum would count it twice"):
        declared.plus(declared)


def test_frequency_and_severity_multiply() -> None:
    cost = FREQUENCY.plus(SEVERITY, name="cost")
    np.testing.assert_allclose(cost.predict(DATA), FREQUENCY.predict(DATA) * SEVERITY.predict(DATA), rtol=1e-12)
    assert cost.name == "cost"
    assert cost.term_names == ["age", "region", "age (2)"]  # the curves of age are one, its steps stay steps
    assert FREQUENCY.plus(FREQUENCY).eval(DATA) == pytest.approx(2 * FREQUENCY.eval(DATA), rel=1e-14)


def test_types_that_do_not_go_together_are_refused() -> None:
    whole = CurveModel("a", [EnumCurve("k", {1: 0.5})], link="log")
    number = CurveModel("b", [Line("k", 0.1), Line("z", 1.0)], link="log")
    rows = {"k": [1, 1], "z": [0.5, 2.0]}
    for both in (whole.plus(number), number.plus(whole)):
        assert {feature.name: feature.type for feature in both.features} == {"k": "int", "z": "number"}
        np.testing.assert_allclose(both.eval(rows), 0.6 + np.array(rows["z"]))
    text = CurveModel("c", [EnumCurve("k", {"one": 0.5})], link="log")
    with pytest.raises(InputError, match="feature 'k' is used as number and as str"):
        number.plus(text)
    with pytest.raises(InputError, match="has the link 'log' and model 'd' 'identity'"):
        number.plus(CurveModel("d", [Line("z", 1.0)]))


def test_offsets_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="multiplies the prediction where the link is 'log'"):
        CurveModel("m", [Line("x", 1.0)]).with_offset("years", fx="log")
    with pytest.raises(InputError, match="fx='sqrt'; an offset is a column as it is"):
        FREQUENCY.with_offset("years", fx="sqrt")  # type: ignore[arg-type]
    counts = FREQUENCY.with_offset("years", fx="log")
    with pytest.raises(InputError, match="has the offset 'years' already, which would count twice"):
        counts.with_offset("years", fx="log")
    with pytest.raises(InputError, match=r"both have the offset 'years', .* would count it twice; drop it from one"):
        counts.plus(SEVERITY.with_offset("years", fx="log"))
    assert counts.plus(SEVERITY)["years"] == counts["years"]


def test_the_way_that_a_reading_of_a_glm_names() -> None:
    """Trained with an exposure and with an offset: the model with the columns predicts what the teacher fitted."""
    x, years = RNG.normal(size=ROWS), RNG.uniform(0.1, 3.0, ROWS)
    y = RNG.poisson(years * np.exp(0.3 * x))
    for given, fx in (({"exposure": years}, "log"), ({"offset": years}, "identity")):
        teacher = api.GLM(y, api.add_constant(np.c_[x]), family=api.families.Poisson(), **given).fit()
        reading = read_and_check(teacher, {"x": x}, feature_names=["x"])
        assert any(f"model.with_offset('column'{', fx=' if fx == 'log' else ')'}" in note for note in reading.notes)
        model = reading.model.with_offset("years", fx=fx)
        np.testing.assert_allclose(model.predict({"x": x, "years": years}), teacher.fittedvalues, rtol=1e-11)
