"""Interactions: the weighted factorisation against its definition, and pairs as products or dropped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvec
from curvec import CurveModel, EnumCurve, InputError, Product, PWLCurve, StepCurve, Sum, parity
from curvec.distill.pairs import factored, low_rank, pair_of
from curvec.ir import changed, walk

RNG = np.random.default_rng(5)
ROWS = 3000
DATA = {
    "x": RNG.uniform(0, 10, ROWS),
    "z": RNG.normal(0, 2, ROWS),
    "c": RNG.choice(np.array(["a", "b", "c"], dtype=object), ROWS, p=[0.5, 0.3, 0.2]),
}
CUTS_X, CUTS_Z = np.linspace(0.5, 9.5, 19), np.linspace(-3, 3, 13)
MAIN = StepCurve("x", CUTS_X.tolist(), np.sqrt(np.arange(20)).tolist(), 0.0)


def axis(feature: str, values: np.ndarray) -> StepCurve | EnumCurve:
    """Cells of a feature: missing first, unseen last for a category."""
    inner = values.tolist()
    if feature == "c":
        return EnumCurve("c", dict(zip("abc", inner[1:-1], strict=True)), inner[-1], inner[0])
    cuts = CUTS_X if feature == "x" else CUTS_Z
    return StepCurve(feature, cuts.tolist(), inner[1:], inner[0])


def table_term(first: str, second: str, table: np.ndarray) -> Sum:
    """A pair table exactly: one product a row of the table."""
    return Sum([Product([axis(first, row), axis(second, table[k])]) for k, row in enumerate(np.eye(len(table)))])


X_CELLS, Z_CELLS = np.arange(21) / 10 - 1, np.arange(15) / 7 - 1
RANK_ONE = np.outer(np.sin(2 * X_CELLS), Z_CELLS)
RANK_TWO = RANK_ONE + 0.3 * np.outer(np.cos(3 * X_CELLS), Z_CELLS**2)
OF_TWO_PRODUCTS = RANK_ONE + 2 * np.outer(np.cos(3 * X_CELLS), Z_CELLS**2)
"""Neither product alone explains nine tenths of it."""


@given(seed=st.integers(0, 10**6), rank=st.integers(1, 3))
def test_a_table_of_low_rank_is_found_whatever_the_weights(seed, rank) -> None:
    random = np.random.default_rng(seed)
    table = random.normal(size=(7, rank)) @ random.normal(size=(rank, 5))
    weights = random.uniform(0.1, 3, size=table.shape)
    u, v = low_rank(table, weights, rank)
    np.testing.assert_allclose(u @ v.T, table, atol=1e-6 * np.abs(table).max())
    np.testing.assert_allclose(np.sum(weights.sum(axis=0)[:, None] * v**2, axis=0) / weights.sum(), 1.0, rtol=1e-6)


@given(seed=st.integers(0, 10**6))
def test_weights_that_are_a_product_of_margins_give_the_singular_vectors(seed) -> None:
    random = np.random.default_rng(seed)
    table, a, b = random.normal(size=(6, 5)), random.uniform(0.5, 2, 6), random.uniform(0.5, 2, 5)
    weights = np.outer(a, b)
    u, v = low_rank(table, weights, 2)
    scaled = np.sqrt(a)[:, None] * table * np.sqrt(b)
    best = np.sum(np.linalg.svd(scaled)[1][2:] ** 2)
    assert np.sum(weights * (table - u @ v.T) ** 2) == pytest.approx(best, rel=1e-4, abs=1e-9)


@given(seed=st.integers(0, 10**6))
def test_no_small_change_is_better(seed) -> None:
    """General weights have no closed form; the answer is a local optimum, and not above that of the start."""
    random = np.random.default_rng(seed)
    table, weights = random.normal(size=(6, 5)), random.uniform(0.01, 5, size=(6, 5))
    u, v = low_rank(table, weights, 1)
    loss = np.sum(weights * (table - u @ v.T) ** 2)
    for _ in range(20):
        du, dv = 1e-2 * random.normal(size=u.shape), 1e-2 * random.normal(size=v.shape)
        assert np.sum(weights * (table - (u + du) @ (v + dv).T) ** 2) > loss - 1e-5


def test_what_is_a_pair() -> None:
    pair = table_term("x", "z", RANK_ONE)
    assert [feature.name for feature in pair_of(pair)] == ["x", "z"]
    assert pair_of(MAIN) is None
    assert pair_of(pair.terms[0]) is None  # a product already
    assert pair_of(Sum([pair, PWLCurve("x", [(0, 0), (1, 1)])])) is None  # not a table


def test_as_few_products_as_reach_the_share() -> None:
    model = CurveModel("m", [table_term("x", "z", RANK_TWO)])
    table = model.table(DATA)
    one = factored(model.terms[0], table, np.ones(ROWS), share=0.5, most=3)
    two = factored(model.terms[0], table, np.ones(ROWS), share=0.999, most=3)
    assert (one.products, two.products) == (1, 2)
    np.testing.assert_allclose(CurveModel("m", [two.term]).eval(DATA), model.eval(DATA), atol=1e-5)
    capped = factored(model.terms[0], table, np.ones(ROWS), share=1.0, most=1)
    assert capped.products == 1
    exact, new = model.eval(DATA), CurveModel("m", [capped.term]).eval(DATA)
    assert capped.share == pytest.approx(1 - np.sum((exact - new) ** 2) / np.sum((exact - exact.mean()) ** 2))


@pytest.mark.parametrize("second", ["z", "c"])
def test_a_pair_becomes_products_of_short_curves(second) -> None:
    table = RANK_ONE if second == "z" else np.outer(np.sin(2 * X_CELLS), [0.0, 1.0, -0.5, 2.0, 0.25])
    teacher = CurveModel("m", [MAIN, table_term("x", second, table)], 0.2)
    result = curvec.distill(teacher, DATA)
    product = result.model.terms[1]
    assert isinstance(product, Product)
    assert all(isinstance(factor, EnumCurve) or len(factor.points) <= 6 for factor in product.factors)
    pair = result.report.curves[1]
    assert (pair.label, pair.kind) == (f"x * {second}", "product")
    assert pair.notes == ("1 product, with 100.00% of its variance before fitting",)
    assert pair.unexplained < 0.03
    assert [inner.label for inner in pair.inner] == ["x", second]
    exact, new = (CurveModel("m", [side.terms[1]]).eval(DATA) for side in (teacher, result.model))
    error = new - exact - np.mean(new - exact)
    assert pair.unexplained == pytest.approx(np.mean(error**2) / np.var(exact))
    assert result.report.unexplained < 0.03
    assert f"x * {second}: 1 product, with" in str(result.report)


def test_what_the_teacher_adds_nothing_for_is_nothing_in_the_text() -> None:
    """A teacher that saw no missing value; the factorisation's rounding is no number for a reviewer to read."""
    table = OF_TWO_PRODUCTS.copy()
    table[0], table[:, 0] = 0.0, 0.0
    result = curvec.distill(CurveModel("m", [table_term("x", "z", table)]), DATA, unseen="teacher")
    term = result.model.terms[0]
    assert isinstance(term, Sum)
    assert len(term.terms) > 1
    factors = [factor for product in term.terms for factor in product.factors]
    assert [factor.missing for factor in factors] == [0.0] * len(factors)
    (pair,) = result.report.curves
    assert [curve.label for curve in pair.inner][:3] == ["product 1, x", "product 1, z", "product 2, x"]


def test_missing_and_unseen_cells_stay() -> None:
    """Kind P35: either side of an interaction missing."""
    table = np.outer(np.sin(2 * X_CELLS) + 2, [0.7, 1.0, -0.5, 2.0, 0.25])
    teacher = CurveModel("m", [table_term("x", "c", table)])
    model = curvec.distill(teacher, DATA, digits=None, unseen="teacher").model
    strange = {"x": [np.nan, 4.0, np.nan, 4.0], "c": ["a", None, None, "new"]}
    np.testing.assert_allclose(model.eval(strange), teacher.eval(strange), atol=0.1)


def test_a_pair_without_a_value_at_missing_has_none_after() -> None:
    """Kind P35: a missing result of the pair is a missing score of the model and of every target, not a 0."""
    table = np.outer(np.sin(2 * X_CELLS) + 2, Z_CELLS)
    table[0] = np.nan
    rows = [Product([axis("x", row), axis("z", table[k])]) for k, row in enumerate(np.eye(len(table))) if k]
    open_ended = [
        Product([changed(factor, missing=None) if factor.input == "x" else factor for factor in row.factors])
        for row in rows
    ]
    teacher = CurveModel("m", [MAIN, Sum(open_ended)])
    assert pair_of(teacher.terms[1]) is not None
    strange = {"x": [np.nan, 4.0, np.nan, 4.0], "z": [1.0, np.nan, np.nan, 1.0]}
    for model in (teacher, curvec.distill(teacher, DATA, unseen="teacher").model):
        assert np.isnan(model.eval(strange)).tolist() == [True, False, True, False]
        report = parity.check(model, strange, ["python", "sqlite"])
        assert report.ok


def test_dropping_a_pair_refits_the_intercept_and_says_what_it_cost() -> None:
    teacher = CurveModel("m", [MAIN, table_term("x", "z", RANK_ONE + 0.5)], 0.2)
    result = curvec.distill(teacher, DATA, pairs="drop", y=teacher.eval(DATA), metric="rmse", digits=4)
    assert len(result.model.terms) == 1
    assert np.mean(result.model.eval(DATA)) == pytest.approx(np.mean(teacher.eval(DATA)), abs=1e-3)
    pair = result.report.curves[-1]
    assert (pair.label, pair.kind) == ("x * z", "constant")
    assert result.report.removed == ("x * z",)
    assert pair.unexplained == pytest.approx(1.0)
    cost = {curve.label: curve.loss for curve in result.report.evaluation.curves}
    assert cost["x * z"] == pytest.approx(np.std(CurveModel("m", [teacher.terms[1]]).eval(DATA)), rel=1e-6)


def test_a_direction_of_a_feature_in_a_product_is_refused() -> None:
    """Kind F28: never silently ignored."""
    teacher = CurveModel("m", [MAIN, table_term("x", "z", RANK_ONE)])
    with pytest.raises(InputError, match=r"mono\['x'\] cannot hold: 'x' is also in a term with other features"):
        curvec.distill(teacher, DATA, mono={"x": "increasing"})
    kept = curvec.distill(teacher, DATA, mono={"x": "increasing"}, pairs="drop").report.curves[0]
    assert kept.direction == "increasing"


def test_another_word_for_pairs_is_refused() -> None:
    with pytest.raises(InputError, match="pairs='keep'; use one of 'products', 'drop'"):
        curvec.distill(CurveModel("m", [MAIN]), DATA, pairs="keep")


def test_a_budget_takes_fewer_products() -> None:
    """Of two products the first, and then neither; what is lost is what the comparison with the teacher says."""
    teacher = CurveModel("m", [MAIN, table_term("x", "z", OF_TWO_PRODUCTS)])
    counts = []
    for most in (None, 30, 8):
        found = curvec.distill(teacher, DATA, max_numbers=most)
        counts.append(sum(isinstance(node, Product) for node in walk(*found.model.terms)))
        assert most is None or found.model.numbers_to_read <= most
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 1
    assert counts[-1] == 0


GATE = StepCurve("x", CUTS_X.tolist(), (1 + np.arange(20) / 20).tolist())
MAIN_OF_Z = StepCurve("z", CUTS_Z.tolist(), (np.arange(14.0) ** 2 / 20 - 3).tolist())


@pytest.mark.parametrize("by", [1.0, -4.0, 0.0078125])
@pytest.mark.parametrize("order", [1, -1])
def test_the_main_factor_has_the_sign_and_the_scale_of_a_product(by, order) -> None:
    """However the teacher shares them out; the other factor is a gate, positive and 1 in the mean."""
    factors = [GATE.scaled(1 / by), MAIN_OF_Z.scaled(by)][::order]
    found = curvec.distill(CurveModel("m", [Product(factors)]), DATA, num_segments=2)
    (product,) = found.model.terms
    assert isinstance(product, Product)
    gate, main = product.factors[::order]
    values = CurveModel("gate", [gate]).eval(DATA)
    assert values.min() > 0
    assert values.mean() == pytest.approx(1, abs=0.02)
    plain = curvec.distill(CurveModel("m", [Product([GATE, MAIN_OF_Z])]), DATA, num_segments=2).model.terms[0]
    assert (gate, main) == plain.factors


def test_a_product_that_a_person_may_have_written_stays() -> None:
    written = Product([PWLCurve("x", [(0, -2), (10, -3)]), PWLCurve("z", [(-3, 1), (3, 2)])])
    assert curvec.distill(CurveModel("m", [written]), DATA).model.terms == (written,)


def test_a_factor_that_hardly_varies_is_a_short_constant() -> None:
    flat = StepCurve("x", [5.0], [2.0, 2.0001])
    product = curvec.distill(CurveModel("m", [Product([flat, MAIN_OF_Z])]), DATA).model.terms[0]
    assert isinstance(product, Product)
    assert product.factors[0] == PWLCurve("x", [(0, 1), (10, 1)])


@given(seed=st.integers(0, 10_000), rank=st.integers(1, 3))
def test_the_second_factor_of_a_component_has_no_negative_mean(seed, rank) -> None:
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=(6, 5)), rng.uniform(0.1, 2, (6, 5))
    _, right = low_rank(values, weights, rank)
    assert np.all(weights.sum(axis=0) @ right >= -1e-9)
