"""What refining stands on: derivatives, losses, curvatures, the quadratic program, each against an independent form."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from refine_cases import DATA, LABELS, LINKS, NESTED, QUERY, RNG, ROWS, SIMPLE, TURN, UP, query_of
from scipy.optimize import minimize
from scipy.sparse import csr_array

from curvec import CurveModel, FitError, Line, Product, PWLCurve, StepCurve
from curvec.metrics import metric
from curvec.parameters.design import blocks, design, parameters, weighted_squares, with_parameters
from curvec.parameters.quadratic import minimise
from curvec.refine.losses import LOSSES, loss_on
from curvec.refine.query_losses import QUERY_LOSSES

WITH_GAPS = {**DATA, "x": np.where(np.arange(ROWS) % 7 == 0, np.nan, DATA["x"])}


SPECIAL = CurveModel(
    "special",
    [
        Product([PWLCurve("x", [(-2, 0.5), (2, 1)], missing=0.25, special={float(DATA["x"][3]): 2.0, -9: 1}), TURN]),
        StepCurve("z", [-1.0, 1.0], [0.0, 1.0, 0.5], special={float(DATA["z"][5]): -1.0}),
        Line("x", 0.5, missing=0.1),
        Product([Line("z", 2), UP]),
    ],
)


@pytest.mark.parametrize("model", [SIMPLE, NESTED, SPECIAL])
def test_the_derivative_is_that_of_eval(model) -> None:
    """Against central differences of the reference evaluator."""
    theta = parameters(model)
    basis = design(model, model.table(WITH_GAPS)).toarray()
    for place in range(len(theta)):
        step = np.zeros(len(theta))
        step[place] = 1e-6
        up, down = (with_parameters(model, theta + sign * step).eval(WITH_GAPS) for sign in (1, -1))
        np.testing.assert_allclose(basis[:, place], (up - down) / 2e-6, atol=2e-5)


@pytest.mark.parametrize(("share", "products"), [(0.02, 5e7), (0.02, 30), (0.0, 30), (0.3, 5e7)])
def test_weighted_squares_of_sparse_and_dense_derivatives(share, products, monkeypatch) -> None:
    monkeypatch.setattr("curvec.parameters.design._PRODUCTS", products)  # so few make many products of few rows
    basis, weights = RNG.normal(size=(5000, 12)) * (RNG.random((5000, 12)) < share), RNG.random(5000)
    found = weighted_squares(csr_array(basis), weights)
    np.testing.assert_allclose(found, basis.T @ (weights[:, None] * basis), rtol=1e-9, atol=1e-9)


def test_parameters_round_trip() -> None:
    for model in (NESTED, SPECIAL):
        assert with_parameters(model, parameters(model)) == model
    assert sum(block.stop - block.start for block in blocks(NESTED, NESTED.table(DATA))) + 1 == len(parameters(NESTED))


@pytest.mark.parametrize("name", LOSSES)
def test_gradient_and_curvature_are_those_of_the_loss(name) -> None:
    loss = loss_on(name, LINKS[name], LABELS[name], None, query_of(name))
    score = RNG.normal(0, 1, ROWS)
    toward = RNG.normal(0, 1, ROWS)
    h = 1e-5
    slope = (loss.value(score + h * toward) - loss.value(score - h * toward)) / (2 * h)
    assert loss.gradient(score) @ toward == pytest.approx(slope, rel=1e-6, abs=1e-9)
    bend = (loss.gradient(score + h * toward) - loss.gradient(score - h * toward)) @ toward / (2 * h)
    found = loss.curvature(score, csr_array(toward[:, None]))[0, 0]
    if loss.exact:
        assert found == pytest.approx(bend, rel=1e-5)
    else:
        assert found > abs(bend)


@pytest.mark.parametrize("name", QUERY_LOSSES)
def test_curvature_trace_and_noise_of_queries_are_of_one_matrix(name) -> None:
    """By its entries; rows of a query stand anywhere, and one query has no order to learn."""
    mixed = np.random.default_rng(0).permutation(QUERY[:60])
    labels = np.where(mixed == mixed[0], 1.0, LABELS[name][:60])
    loss = loss_on(name, "identity", labels, None, mixed)
    score, change = RNG.normal(0, 0.3, 60), RNG.normal(0, 1, 60)
    matrix = loss.curvature(score, csr_array(np.eye(60)))
    assert np.linalg.eigvalsh(matrix).min() > -1e-12
    assert loss.scale(score) == pytest.approx(np.trace(matrix))
    share = loss.per_group(score)[0]
    slopes = loss.gradient(score)
    dispersion = slopes @ slopes / np.trace(matrix) / share[0]
    noise = share @ loss.label_noise_variance(score, change)
    expected = dispersion * (change @ matrix @ change) if loss.exact else 0.0  # ApproxNDCG is no log-likelihood
    assert noise == pytest.approx(expected)
    some = np.flatnonzero(mixed != mixed[1])
    alone = loss_on(name, "identity", labels[some], None, mixed[some])
    assert loss.restricted_to(some).value(score[some]) == alone.value(score[some])


def test_approx_ndcg_is_what_its_paper_says() -> None:
    """Term by term in 40 digits; with scores far apart it is NDCG itself."""
    score, labels = np.array([0.3, -0.2, 0.1, 0.25, 1.0]), [2, 0, 1, 4, 0]
    loss = loss_on("approx_ndcg", "identity", np.array(labels, dtype=float), None, np.zeros(5))

    def dcg(labels, ranks):
        return sum((2**label - 1) / mpmath.log(1 + rank, 2) for label, rank in zip(labels, ranks, strict=True))

    def value(*scores):
        behind = [[1 / (1 + mpmath.exp(10 * (own - other))) for other in scores] for own in scores]
        ranks = [mpmath.mpf("0.5") + sum(row) for row in behind]
        return 1 - dcg(labels, ranks) / dcg(sorted(labels, reverse=True), range(1, 6))

    with mpmath.workdps(40):
        at = tuple(map(mpmath.mpf, score))
        assert loss.value(score) == pytest.approx(float(value(*at)), rel=1e-14)
        slopes = [float(mpmath.diff(value, at, order)) for order in np.eye(5, dtype=int).tolist()]
    np.testing.assert_allclose(loss.gradient(score), slopes, rtol=1e-12)
    assert 1 - loss.value(1000 * score) == pytest.approx(metric("ndcg@5")(labels, score, None, np.zeros(5)))


@examples(60)
@given(seed=st.integers(0, 10**6), p=st.integers(1, 6), m=st.integers(0, 8))
def test_the_quadratic_program_against_scipy(seed, p, m) -> None:
    random = np.random.default_rng(seed)
    root = random.normal(size=(p + 2, p))
    hessian, gradient = root.T @ root + 0.1 * np.eye(p), random.normal(size=p) * 3
    matrix = random.normal(size=(m, p))
    least = matrix @ random.normal(size=p) - random.uniform(0, 1, m)  # some point obeys them
    found = minimise(hessian, gradient, matrix, least)
    assert (matrix @ found >= least - 1e-8).all()
    oracle = minimize(
        lambda d: d @ hessian @ d / 2 + gradient @ d,
        np.zeros(p),
        jac=lambda d: hessian @ d + gradient,
        constraints=[{"type": "ineq", "fun": lambda d: matrix @ d - least, "jac": lambda _: matrix}] if m else [],
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    value = found @ hessian @ found / 2 + gradient @ found
    assert value <= oracle.fun + 1e-6 * (1 + abs(oracle.fun)) or (matrix @ oracle.x < least - 1e-7).any()


def test_rules_that_nothing_obeys() -> None:
    with pytest.raises(FitError, match="no values obey"):
        minimise(np.eye(1), np.zeros(1), np.array([[1.0], [-1.0]]), np.array([1.0, 1.0]))


def test_a_solver_that_does_not_converge_gives_an_error_of_ours(monkeypatch) -> None:
    """Kind F42: no values that are not the best, and no error of the solver's library."""
    monkeypatch.setattr("scipy.optimize.nnls", _never)
    with pytest.raises(FitError, match="not found in 30 steps; use a larger ridge"):
        minimise(np.eye(1), np.ones(1), np.array([[1.0]]), np.array([1.0]))


def _never(*_: object, **__: object) -> None:
    raise RuntimeError("Maximum number of iterations reached.")


DRAWS = {
    "squared": lambda s: s + RNG.normal(0, 0.4, len(s)),
    "log_loss": lambda s: (RNG.random(len(s)) < 1 / (1 + np.exp(-s))).astype(float),
    "poisson": lambda s: RNG.poisson(np.exp(s)).astype(float),
    "gamma": lambda s: np.exp(s) * RNG.gamma(4, 0.25, len(s)),
    "tweedie": lambda s: _compound(np.exp(s)),
    "pairwise": lambda s: _one_of_each(s, 2),
    "listwise": lambda s: _one_of_each(s, 5),
}
"""Of every loss that is a log-likelihood."""


def _compound(mean):
    """Poisson many gamma amounts, so that the variance is the mean to the power 1.5 (Jorgensen 1987)."""
    counts = RNG.poisson(2 * np.sqrt(mean))  # rate mean^(2-p)/(2-p), shape (2-p)/(p-1), scale (p-1) mean^(p-1)
    return RNG.gamma(np.maximum(counts, 1e-12), 0.5 * np.sqrt(mean)) * (counts > 0)


def _one_of_each(score, size: int):
    """One document of every query is the best, drawn by its share: of two, the pair's order by the logistic curve."""
    share = np.exp(score.reshape(-1, size))
    draw = (np.cumsum(share, axis=1) / share.sum(axis=1)[:, None] > RNG.random((len(share), 1))).argmax(axis=1)
    return np.eye(size)[draw].ravel()


@pytest.mark.parametrize("name", DRAWS)
def test_chance_is_the_variance_over_labels_drawn_anew(name) -> None:
    score, change = RNG.normal(0, 0.7, 100), RNG.normal(0, 0.5, 100)
    query = {"pairwise": np.arange(100) // 2, "listwise": np.arange(100) // 5}.get(name)
    judges = [loss_on(name, LINKS[name], DRAWS[name](score), None, query) for _ in range(1000)]
    differences = [judge.value(score + change) - judge.value(score) for judge in judges]
    found = [judge.per_group(score)[0] ** 2 @ judge.label_noise_variance(score, change) for judge in judges[:100]]
    assert np.mean(found) == pytest.approx(np.var(differences), rel=0.2)  # of 1,000 draws: one standard error is 4.5 %
