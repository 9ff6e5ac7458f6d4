"""Refining: the derivative, the losses and the quadratic program against independent sources; what must be kept."""

from __future__ import annotations

import importlib
import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
from refine_cases import DATA, LABELS, LINKS, NESTED, QUERY, RNG, ROWS, SIMPLE, TABLE, TRUTH, query_of
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.metrics import mean_tweedie_deviance

import curvec
from curvec import CurveModel, EnumCurve, Feature, InputError, Line, Product, PWLCurve, StepCurve
from curvec.parameters.constraints import constraints_of, penalty
from curvec.parameters.design import blocks, design, parameters
from curvec.refine import quantile_model
from curvec.refine.losses import LOSSES, loss_on
from curvec.refine.query_losses import QUERY_LOSSES
from curvec.refine.ridge_choice import (
    RIDGES,
    _summary,
    _values_without,
    choose_ridge,
    held_out,
    stiffness,
)
from curvec.refine.solve import Problem, folds_of, sampled_rows

# By import_module, as curvec.refine is the function, too.
CHOICE, SOLVE = (importlib.import_module(f"curvec.refine.{name}") for name in ("ridge_choice", "solve"))
WEIGHTS = RNG.uniform(0, 2, ROWS)


def linked(model: CurveModel, loss: str) -> CurveModel:
    return CurveModel(model.name, model.terms, model.intercept, LINKS[loss])


@pytest.mark.parametrize(
    ("name", "model"), [*((name, SIMPLE) for name in LOSSES), ("squared", NESTED), ("listwise", NESTED)]
)
def test_refining_lowers_the_loss_and_keeps_the_form(name, model) -> None:
    given_model = linked(model, name)
    result = curvec.refine(given_model, DATA, LABELS[name], loss=name, query=query_of(name), ridge=1e-3)
    assert result.after < result.before
    loss = loss_on(name, LINKS[name], LABELS[name], None, query_of(name))
    assert loss.value(result.model.eval(DATA)) == pytest.approx(result.after, rel=1e-9)
    assert loss.value(given_model.eval(DATA)) == pytest.approx(result.before, rel=1e-9)
    for before, after in zip(
        blocks(given_model, given_model.table(DATA)), blocks(result.model, result.model.table(DATA)), strict=True
    ):
        assert type(before.curve) is type(after.curve)
        if isinstance(before.curve, PWLCurve):
            assert [x for x, _ in before.curve.points] == [x for x, _ in after.curve.points]
            assert before.curve.fx == after.curve.fx


def test_a_strong_ridge_changes_nothing_but_the_intercept() -> None:
    result = curvec.refine(SIMPLE, DATA, LABELS["squared"], loss="squared", ridge=1e5, digits=None)
    moved = parameters(result.model) - parameters(SIMPLE)
    assert np.abs(moved[:-1]).max() < 1e-4
    assert moved[-1] == pytest.approx(np.mean(LABELS["squared"] - SIMPLE.eval(DATA)), abs=1e-4)


def test_values_without_data_stay() -> None:
    """No row has a missing x or the level "b": their values do not move."""
    data = {**DATA, "c": np.full(ROWS, "a", dtype=object)}
    result = curvec.refine(SIMPLE, data, LABELS["squared"], loss="squared", ridge=1e-3, digits=None)
    assert result.model.terms[0].missing == pytest.approx(0.25, abs=1e-12)
    assert result.model.terms[2].levels["b"] == pytest.approx(-0.5, abs=1e-12)
    assert result.model.terms[2].default == 0.0


def test_monotone_stays_monotone() -> None:
    labels = LABELS["squared"] - 2 * DATA["x"]  # pulls hard against the curve that rises
    for digits in (2, 4, None):
        kept = curvec.refine(SIMPLE, DATA, labels, loss="squared", ridge=1e-4, digits=digits).model
        values = [y for _, y in kept.terms[0].points]
        assert all(left <= right for left, right in itertools.pairwise(values))
    free = curvec.refine(SIMPLE, DATA, labels, loss="squared", ridge=1e-4, mono=None).model
    assert free.terms[0].points[0][1] > free.terms[0].points[-1][1]


def test_bounds_are_kept() -> None:
    bounds = {"z": (-0.6, 0.8), "x": (None, 0.5)}
    labels = 10 * LABELS["squared"]
    result = curvec.refine(SIMPLE, DATA, labels, loss="squared", ridge=1e-4, y_bounds=bounds, digits=3).model
    assert all(-0.6 <= y <= 0.8 for _, y in result.terms[1].points)
    assert all(y <= 0.5 for _, y in result.terms[0].points)
    assert max(abs(y) for _, y in result.terms[1].points) > 0.59  # they bind


def test_the_teacher_s_values_as_bounds() -> None:
    """They bind by feature, a product in the model has none, and without a teacher they are refused."""
    steps = StepCurve("x", [2.0, 5.0, 8.0], [-0.2, 0.1, 0.15, 0.3])
    teacher = CurveModel("m", [Product([TABLE, StepCurve("z", [0.0], [0.5, 1.0])]), steps, TABLE], 0.1)
    result = curvec.distill(teacher, DATA, order="teacher")
    labels = 10 * LABELS["squared"]
    free = curvec.refine(result, DATA, labels, loss="squared", ridge=1e-4).model
    assert free == curvec.refine(result.model, DATA, labels, loss="squared", ridge=1e-4).model
    assert max(y for _, y in free.terms[1].points) > 0.3
    held = curvec.refine(result, DATA, labels, loss="squared", ridge=1e-4, y_bounds="teacher").model
    assert min(y for _, y in held.terms[1].points) >= -0.2
    assert max(y for _, y in held.terms[1].points) == 0.3
    sorted_ = curvec.distill(teacher, DATA)  # terms in another order have the same bounds
    again = curvec.refine(sorted_, DATA, labels, loss="squared", ridge=1e-4, y_bounds="teacher").model
    assert [type(term) for term in again.terms] != [type(term) for term in held.terms]
    (curve,) = (term for term in again.terms if isinstance(term, PWLCurve))
    assert [x for x, _ in curve.points] == [x for x, _ in held.terms[1].points]
    assert [y for _, y in curve.points] == pytest.approx([y for _, y in held.terms[1].points], abs=1e-3)
    with pytest.raises(InputError, match="pass what distill gave"):
        curvec.refine(result.model, DATA, labels, loss="squared", y_bounds="teacher")


def test_the_optimum_is_that_of_scikit_learn() -> None:
    """Tables of one level each are dummies; without a ridge the fit is the maximum likelihood fit."""
    design_matrix = np.column_stack([DATA["c"] == "b"]).astype(float)
    table = CurveModel("m", [EnumCurve("c", {"a": 0.0, "b": 0.0})], 0.0, "logit")
    data = {"c": DATA["c"]}
    ours = curvec.refine(table, data, LABELS["log_loss"], loss="log_loss", ridge=1e-9, digits=None).model
    theirs = LogisticRegression(C=np.inf, tol=1e-10).fit(design_matrix, LABELS["log_loss"])
    np.testing.assert_allclose(ours.predict(data), theirs.predict_proba(design_matrix)[:, 1], atol=1e-5)
    weights = RNG.uniform(0, 2, ROWS)
    counts = linked(table, "poisson")
    ours = curvec.refine(counts, data, LABELS["poisson"], weights, loss="poisson", ridge=1e-9, digits=None).model
    rates = PoissonRegressor(alpha=0, tol=1e-10).fit(design_matrix, LABELS["poisson"], weights).predict(design_matrix)
    np.testing.assert_allclose(ours.predict(data), rates, rtol=1e-4)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_lines_are_refined_to_the_maximum_likelihood_whatever_their_columns_are_measured_in(unit) -> None:
    """Against scikit-learn on standardised columns; one column is a hundred thousand times as large as the other."""
    rng = np.random.default_rng(0)
    area, share = rng.normal(900, 300, ROWS), rng.normal(0.05, 0.003, ROWS)
    standard = np.column_stack([(area - 900) / 300, (share - 0.05) / 0.003])
    y = (rng.random(ROWS) < 1 / (1 + np.exp(-standard @ [1.5, 1.0]))).astype(float)
    data = {"area": area * unit, "share": share / unit}
    start = CurveModel("m", [Line("area", 0.001 / unit), Line("share", 2.5 * unit)], -1.0, "logit")
    ours = curvec.refine(start, data, y, loss="log_loss", ridge=1e-9, digits=None).model
    theirs = LogisticRegression(C=np.inf, tol=1e-10).fit(standard, y)
    np.testing.assert_allclose(ours.predict(data), theirs.predict_proba(standard)[:, 1], atol=1e-5)


@pytest.mark.parametrize(("name", "power"), [("poisson", 1), ("tweedie", 1.5), ("gamma", 2)])
def test_the_losses_of_insurance_are_scikit_learn_s_deviances(name, power) -> None:
    """Half the deviance, but for what does not depend on the prediction."""
    loss = loss_on(name, "log", LABELS[name], WEIGHTS, None)
    scores = [TRUTH, 0.3 * TRUTH - 0.2]
    ours = [loss.value(score) for score in scores]
    theirs = [
        mean_tweedie_deviance(LABELS[name], np.exp(score), sample_weight=WEIGHTS, power=power) for score in scores
    ]
    assert 2 * (ours[0] - ours[1]) == pytest.approx(theirs[0] - theirs[1], rel=1e-9)


def test_a_rate_with_its_exposure_is_the_count_with_an_offset() -> None:
    """The maximum likelihood fit of counts with log(exposure) as an offset, one dummy: the groups' rates."""
    table = CurveModel("m", [EnumCurve("c", {"a": 0.0, "b": 0.0})], 0.0, "log")
    exposure, claims = RNG.uniform(0.1, 1, ROWS), LABELS["poisson"]
    model = curvec.refine(
        table, {"c": DATA["c"]}, claims / exposure, exposure, loss="poisson", ridge=1e-9, digits=None
    ).model
    for level in "ab":
        group = DATA["c"] == level
        rate = claims[group].sum() / exposure[group].sum()
        assert model.predict({"c": np.array([level], dtype=object)})[0] == pytest.approx(rate, rel=1e-4)


def test_the_ridge_is_chosen_inside_the_rows() -> None:
    result = curvec.refine(SIMPLE, DATA, LABELS["squared"], loss="squared")
    assert [one.ridge for one in result.tried] == list(RIDGES)
    low = min(one.loss for one in result.tried)
    assert result.ridge == max(one.ridge for one in result.tried if one.loss <= low + one.error)
    again = curvec.refine(SIMPLE, DATA, LABELS["squared"], loss="squared")
    assert again == result  # no random state
    unseen = curvec.refine(SIMPLE, DATA, LABELS["squared"], loss="squared", learned=False)
    assert next(one.loss for one in unseen.tried if one.ridge == unseen.ridge) == min(one.loss for one in unseen.tried)


def test_no_time_leaves_the_model_and_says_so() -> None:
    result = curvec.refine(SIMPLE, DATA, LABELS["squared"], loss="squared", max_seconds=1e-9)
    assert (result.model, result.after, result.tried) == (SIMPLE, result.before, ())
    assert "stopped by max_seconds: no time to choose the ridge, the largest is taken and the values are" in str(result)
    enough = curvec.refine(SIMPLE, DATA, LABELS["squared"], loss="squared", max_seconds=1e9)
    assert enough == curvec.refine(SIMPLE, DATA, LABELS["squared"], loss="squared")
    assert "max_seconds" not in str(enough)


@pytest.mark.parametrize("through", [3, 7])
def test_the_folds_that_are_through_choose_the_ridge(monkeypatch, through) -> None:
    """The time is over after so many folds: three of the first partition, or all five of it and two of the next."""
    ticks = itertools.count()
    monkeypatch.setattr(CHOICE, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    monkeypatch.setattr(SOLVE, "time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr(CHOICE, "threads", lambda: 1)
    problem, start = _problem_of(SIMPLE, "squared")
    outs = folds_of(problem.loss, 5)[: min(through, 5)]
    choice = choose_ridge(problem, start, 5, learned=False, deadline=float(through))
    assert choice.cut_short == f"the ridge is chosen by {len(outs)} of 15 parts"
    for one in choice.tried[::7]:
        losses = []
        for out in outs:
            theta, _ = problem.restricted_to(np.setdiff1d(np.arange(ROWS), out)).solve(one.ridge, start, start)
            losses += ((problem.score(theta) - LABELS["squared"])[out] ** 2 / 2).tolist()
        assert one.loss == pytest.approx(np.mean(losses), rel=1e-6)


@pytest.mark.parametrize("name", ["squared", "log_loss", "listwise", "pairwise"])
def test_of_many_rows_the_least_loss_is_the_same(monkeypatch, name) -> None:
    """By a curvature of some of the rows and no copy of them; the ridge is chosen by one dealing into folds."""
    problem, start = _problem_of(SIMPLE, name)
    half = folds_of(problem.loss, 2)[0]
    expected, _ = problem.restricted_to(half).solve(0.01, start, start)
    for module in (CHOICE, SOLVE):
        monkeypatch.setattr(module, "_MANY", 100)
    part = problem.restricted_to(half)
    found, _ = part.solve(0.01, start, start)
    np.testing.assert_allclose(*(part.score(x) - part.score(x).mean() for x in (found, expected)), rtol=0, atol=1e-3)
    rows = sampled_rows(part.loss.groups, 100)
    assert set(part.loss.groups[rows]).isdisjoint(np.delete(part.loss.groups, rows))  # whole queries
    assert (
        choose_ridge(problem, start, 5, learned=True, deadline=math.inf).tried
        == held_out(problem, start, 5, learned=True, partitions=1)[0]
    )


def _problem_of(model: CurveModel, name: str) -> tuple[Problem, np.ndarray]:
    parts, start = blocks(model, model.table(DATA)), parameters(model)
    link = "logit" if name == "log_loss" else "identity"
    judge = loss_on(name, link, LABELS[name], None, QUERY if name in QUERY_LOSSES else None)
    ridge = judge.scale(model.eval(DATA)) * penalty(parts, len(start))
    return Problem(model, model.table(DATA), judge, constraints_of(parts, len(start), None, {}), ridge), start


def test_the_standard_errors_are_those_of_the_difference_over_the_rows() -> None:
    """Against the definitions, for weighted rows."""
    losses, weights = RNG.uniform(size=(50, len(RIDGES))), RNG.uniform(size=50)
    y, score, score_change = RNG.normal(size=50), RNG.normal(size=50), RNG.normal(size=(50, len(RIDGES)))
    share = weights / weights.sum()
    best = int(np.argmin(share @ losses))
    for place, one in enumerate(
        _summary(loss_on("squared", "identity", y, weights, None), losses, score, score_change)
    ):
        difference = losses[:, place] - losses[:, best]
        assert one.loss == pytest.approx(np.average(losses[:, place], weights=weights))
        spread = np.sum(share**2 * (difference - np.average(difference, weights=weights)) ** 2)
        assert one.seen == pytest.approx(np.sqrt(spread))
        noise = np.average((y - score) ** 2, weights=weights)  # of a label: what half the squared error turns on
        assert one.expected == pytest.approx(
            np.sqrt(np.sum((share * (score_change[:, place] - score_change[:, best])) ** 2) * noise)
        )
        assert one.error == max(one.seen, one.expected)


def test_rows_that_all_say_the_same_are_no_certainty() -> None:
    """Twelve rows of a rare level, all with label 1, as its value of 2.5 makes likely: no reason to move it."""
    level = np.array(["rare"] * 12 + ["often"] * 588, dtype=object)
    model = CurveModel("m", [EnumCurve("c", {"rare": 2.5, "often": 0.0})], 0.0, "logit")
    y = np.r_[np.ones(12), np.arange(588) % 2]
    found = curvec.refine(model, {"c": level}, y, loss="log_loss")
    assert found.tried[0].expected > 3 * found.tried[0].seen
    assert found.ridge == RIDGES[0]
    as_seen = [one for one in found.tried if one.loss - min(found.tried, key=lambda x: x.loss).loss <= one.seen]
    assert max(one.ridge for one in as_seen) < RIDGES[0]


@pytest.mark.parametrize("taught", [RIDGES[6], RIDGES[10]])
def test_taking_rows_out_is_learning_without_them(taught) -> None:
    """Values learned with a ridge towards nothing: what the choice of the ridge makes of them, and the truth."""
    zero = quantile_model(DATA, ["x", "z", Feature("c", "str")], num_segments=4)
    parts, start = blocks(zero, zero.table(DATA)), parameters(zero)
    judge = loss_on("squared", "identity", LABELS["squared"], None, None)
    problem = Problem(
        zero, zero.table(DATA), judge, constraints_of(parts, len(start), None, {}), penalty(parts, len(start))
    )
    anchor, _ = problem.solve(taught, start, start)
    assert stiffness(problem, anchor) == taught
    out = folds_of(judge, 5)[0]
    inside, outside = problem.restricted_to(np.setdiff1d(np.arange(ROWS), out)), problem.restricted_to(out)
    learned, _ = inside.solve(taught, start, start)
    np.testing.assert_allclose(
        inside.score(_values_without(inside, outside, anchor, taught)),
        inside.score(learned),
        rtol=0,
        atol=1e-6,
    )


def test_training_from_zero_at_quantiles() -> None:
    features = ["x", "z", Feature("c", "str")]
    start = quantile_model(DATA, features, num_segments=8)
    assert [x for x, _ in start.terms[1].points] == sorted({x for x, _ in start.terms[1].points})
    assert start.eval(DATA).tolist() == [0.0] * ROWS
    trained = curvec.refine(start, DATA, LABELS["squared"], loss="squared", learned=False).model
    error = np.sqrt(np.mean((trained.eval(DATA) - TRUTH) ** 2))
    assert error < 0.25 * TRUTH.std()
    for data, options, message in (
        ({"x": [np.nan, np.inf]}, {}, "'x' has fewer than two distinct values"),
        ({"x": []}, {}, "'x' has fewer than two distinct values"),
        ({"x": [1.0, 2.0]}, {"num_segments": 0}, "num_segments=0; it must be a whole number"),
        ({"x": [1.0, 2.0]}, {"num_segments": 2.5}, r"num_segments=2\.5"),
    ):
        with pytest.raises(InputError, match=message):
            quantile_model(data, ["x"], **options)
    with pytest.raises(InputError, match="'x' has fewer than two distinct values"):
        quantile_model({"x": [1.0, 1.0]}, ["x"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loss": "log_loss"}, "link 'logit'; this one has 'identity'"),
        ({"loss": "hinge"}, "loss='hinge' is not a loss"),
        ({"loss": "pairwise"}, "pass query="),
        ({"loss": "listwise", "query": QUERY, "w": np.ones(ROWS)}, "leave w out"),
        ({"loss": "squared", "ridge": -1.0}, "ridge=-1.0"),
        ({"loss": "squared", "folds": 1}, "folds=1"),
        ({"loss": "squared", "max_seconds": 0}, "max_seconds=0; it must be a number of seconds above zero, or None"),
        ({"loss": "squared", "mono": {"z": "increasing"}}, "'z' is not increasing to begin with"),
        ({"loss": "squared", "mono": {"q": "increasing"}}, "'q' has no curve"),
        ({"loss": "squared", "mono": {"c": "increasing"}}, "its levels have no order"),
        ({"loss": "squared", "y_bounds": {"z": (0.0, 1.0)}}, "outside its y_bounds"),
        ({"loss": "squared", "w": -np.ones(ROWS)}, r"w\[0\] is -1.0; must not be negative"),
        ({"loss": "squared", "ridge": "1"}, "ridge='1'"),
        ({"loss": "squared", "folds": 2.5}, r"folds=2\.5"),
        ({"loss": "squared", "learned": "no"}, "learned='no'; use True or False"),
        ({"loss": "squared", "digits": 0}, "digits=0"),
        ({"loss": "squared", "mono": "up"}, "mono='up'; use 'keep', None, or a mapping"),
        ({"loss": "squared", "y_bounds": (-1.0, 1.0)}, r"y_bounds=\(-1\.0, 1\.0\); use 'teacher', None, or a mapping"),
        ({"loss": "squared", "y_bounds": "data"}, "y_bounds='data'"),
        ({"loss": "squared", "w": ["a"] * ROWS}, r"w\[0\]: 'a' is not a number"),
        ({"loss": "pairwise", "query": np.full(ROWS, np.nan)}, r"query\[0\] is missing"),
        ({"loss": "pairwise", "query": np.arange(3)}, r"query has shape \(3,\)"),
        ({"loss": "pairwise", "query": np.arange(ROWS)}, "no query has documents of different labels"),
    ],
)
def test_bad_options_are_refused_by_name(options, message) -> None:
    with pytest.raises(InputError, match=message):
        curvec.refine(SIMPLE, DATA, LABELS["squared"], **options)


def test_bad_labels_and_rows_without_a_score_are_refused() -> None:
    with pytest.raises(InputError, match=r"y has shape \(2,\)"):
        curvec.refine(SIMPLE, DATA, [1.0, 2.0], loss="squared")
    with pytest.raises(InputError, match=r"y.0.: .* is not a number; encode two classes as 0 and 1"):
        curvec.refine(SIMPLE, DATA, ["yes"] * ROWS, loss="squared")
    with pytest.raises(InputError, match="model is an int; pass a CurveModel"):
        curvec.refine(3, DATA, LABELS["squared"], loss="squared")
    with pytest.raises(InputError, match=r"y\[0\] is nan"):
        curvec.refine(SIMPLE, DATA, np.full(ROWS, np.nan), loss="squared")
    with pytest.raises(InputError, match=r"y\[0\] is -1.0; labels of loss 'poisson' are not negative"):
        curvec.refine(linked(SIMPLE, "poisson"), DATA, -np.ones(ROWS), loss="poisson")
    with pytest.raises(InputError, match=r"y\[0\] is -1e\+200; labels of loss 'squared' are within 1e\+70"):
        curvec.refine(SIMPLE, DATA, np.where(np.arange(ROWS) == 0, -1e200, 0.0), loss="squared")
    with pytest.raises(InputError, match=r"y\[0\] is 0.0; labels of loss 'gamma' are above 0"):
        curvec.refine(linked(SIMPLE, "gamma"), DATA, np.zeros(ROWS), loss="gamma")
    gone = r"every label \(of positive weight\) is 0, and the loss {!r} would only fall as the score goes to -inf"
    for loss in ("log_loss", "poisson", "tweedie"):
        with pytest.raises(InputError, match=gone.format(loss)):
            curvec.refine(linked(SIMPLE, loss), DATA, np.zeros(ROWS), loss=loss)
    weights = np.where(np.arange(ROWS) == 0, 0.0, 1.0)  # the one row of the other class does not count
    with pytest.raises(InputError, match=r"is 1, .* goes to infinity; refine on rows of both classes"):
        curvec.refine(linked(SIMPLE, "log_loss"), DATA, weights, weights, loss="log_loss")
    with pytest.raises(InputError, match="there is only one; give the ridge"):
        curvec.refine(SIMPLE, DATA, LABELS["pairwise"], loss="pairwise", query=np.zeros(ROWS))
    gaps = {**DATA, "z": np.where(np.arange(ROWS) == 4, np.nan, DATA["z"])}
    with pytest.raises(InputError, match="row 4 has no score"):
        curvec.refine(SIMPLE, gaps, LABELS["squared"], loss="squared")


def test_levels_in_groups_stay_in_groups_and_the_base_level_at_0() -> None:
    """The score is what free values of each group give; no score changes by where the base is."""
    rng = np.random.default_rng(2)
    keys = rng.choice(np.array(list("abcd"), dtype=object), 4000, p=[0.4, 0.3, 0.2, 0.1])
    means = {"a": 0.3, "b": 0.5, "c": 1.7, "d": 2.2}
    y = np.array([means[key] for key in keys]) + rng.normal(size=4000)
    table = EnumCurve("k", {"a": 0.0, "b": 0.0, "c": 1.0, "d": 1.0}, default=0.25, missing=-1.0)
    found = curvec.refine(CurveModel("m", [table], 0.1), {"k": keys}, y, loss="squared", ridge=1e-9, digits=None).model
    (refined,) = found.terms
    low, high = (y[np.isin(keys, list(group))].mean() for group in ("ab", "cd"))
    assert refined.levels["a"] == refined.levels["b"] == 0.0
    assert refined.levels["c"] == refined.levels["d"] == pytest.approx(high - low, abs=1e-6)
    assert found.intercept == pytest.approx(low, abs=1e-6)
    assert found.numbers_to_read == CurveModel("m", [table], 0.1).numbers_to_read


@pytest.mark.parametrize("link", ["identity", "logit"])
def test_the_teachers_score_is_approached_without_labels(link: str) -> None:
    """Curves that share what their features share, beside the least squares solution on the same knots."""
    random = np.random.default_rng(4)
    a = random.normal(size=800)
    rows = {"a": a, "b": a + random.normal(0, 0.3, 800)}
    cuts = np.linspace(-2, 2, 40)
    steps = [StepCurve(name, cuts.tolist(), np.sin(np.arange(41) / k).tolist()) for name, k in (("a", 6), ("b", 9))]
    teacher = CurveModel("t", steps, 0.2, link)
    found = curvec.distill(teacher, rows, num_segments=2)
    score = teacher.eval(rows)

    def distance(model: CurveModel) -> float:
        return float(np.mean((model.eval(rows) - score) ** 2))

    refined = curvec.refine(found, rows, loss="teacher")
    assert (2 * refined.before, 2 * refined.after) == pytest.approx((distance(found.model), distance(refined.model)))
    assert distance(refined.model) < 0.9 * distance(found.model)
    for before, after in zip(found.model.terms, refined.model.terms, strict=True):
        assert before.breaks == after.breaks
    free = curvec.refine(found, rows, loss="teacher", ridge=0, mono=None, digits=None)
    basis = design(found.model, found.model.table(rows)).toarray()
    best = np.linalg.lstsq(basis, score, rcond=None)[0]
    assert distance(free.model) == pytest.approx(float(np.mean((basis @ best - score) ** 2)), rel=1e-6)


def test_the_teachers_score_needs_a_teacher_and_takes_no_labels() -> None:
    found = curvec.distill(SIMPLE, DATA)
    for model, y in ((found.model, None), (found, np.zeros(ROWS))):
        with pytest.raises(InputError, match="pass what distill gave, and no y"):
            curvec.refine(model, DATA, y, loss="teacher")
    with pytest.raises(InputError, match="needs labels"):
        curvec.refine(found, DATA)


@pytest.mark.parametrize("loss", ["squared", "log_loss", "poisson"])
def test_without_a_loss_it_is_the_links_own(loss: str) -> None:
    model = linked(SIMPLE, loss)
    found = curvec.refine(model, DATA, LABELS[loss], ridge=0.1)
    assert found == curvec.refine(model, DATA, LABELS[loss], loss=loss, ridge=0.1)
    assert str(found).startswith(f"{loss} ")
    with pytest.raises(InputError, match="leave query out, or use one of pairwise, listwise"):
        curvec.refine(model, DATA, LABELS[loss], query=np.zeros(ROWS))


def test_rounding_errors_make_up_for_each_other() -> None:
    """Rounded each to the nearest, all values of these curves would fall by 0.04, and the score by 0.28."""
    rng = np.random.default_rng(0)
    rows = {f"x{place}": (rng.random(400) < 0.9).astype(float) for place in range(6)}
    model = CurveModel("m", [PWLCurve(name, [(0, -4.96), (1, 0.04)]) for name in rows], 0.04)
    y = model.eval(rows) + rng.normal(0, 0.01, 400)
    printed, exact = (curvec.refine(model, rows, y, ridge=1e-3, digits=digits) for digits in ("auto", None))
    assert all(value == round(value, 1) for term in printed.model.terms for value in term.ordinates)
    allowed = 1e-3 * np.var(y)  # of the score's variance; the loss is half the squared error
    assert printed.after - exact.after <= allowed / 2
    rising = curvec.refine(model, rows, y, ridge=1e-3, y_bounds={"x0": (-4.96, 0.04)}).model
    assert {term.direction for term in rising.terms} == {"increasing"}
    assert rising["x0"].own_range[0] >= -4.96
    assert rising["x0"].own_range[1] <= 0.04


def test_points_are_not_moved_to_the_labels_of_classes_unasked() -> None:
    card = CurveModel("card", [PWLCurve("a", [(0, 300), (1, 500)])])
    rows, good = {"a": np.linspace(0, 1, 40)}, np.arange(40) % 2
    with pytest.raises(InputError, match=r"y is 0 and 1, and the model's scores are from 300 to 500: .* say loss='squ"):
        curvec.refine(card, rows, good, ridge=1.0)
    assert curvec.refine(card, rows, good, loss="squared", ridge=1.0).loss == "squared"
    curvec.refine(card, rows, good + 300, ridge=1.0)


@pytest.mark.parametrize(("loss", "suits"), [("listwise", False), ("approx_ndcg", False), ("pairwise", True)])
@pytest.mark.parametrize("label", [-1.0, 2000.0])
def test_labels_whose_gain_is_a_loss_or_no_double(loss: str, suits: bool, label: float) -> None:
    rows, y = {"a": np.arange(6.0)}, np.array([0.0, 1.0, label, 0.0, 1.0, 2.0])
    model, query = CurveModel("m", [PWLCurve("a", [(0, 0), (5, 1)])]), [1, 1, 1, 2, 2, 2]
    if suits:
        curvec.refine(model, rows, y, loss=loss, query=query, ridge=1.0)
        return
    with pytest.raises(InputError, match=rf"y\[2\] is {label}; labels of loss '{loss}' are from 0 to 1000"):
        curvec.refine(model, rows, y, loss=loss, query=query, ridge=1.0)
