"""What the adapters are made of, against brute force: forests, pair tables, polynomials, bisection."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples

from curvec import CurveModel, Feature, UnsupportedError
from curvec.doubles import first_double, middle_double
from curvec.teachers import Axis, Pair
from curvec.teachers.parts.curves import polynomial_term, shifted
from curvec.teachers.parts.forest import Branch, CategoryCodes, CategorySplit, Forest, NumericSplit, forest_terms

finite = st.floats(-1e6, 1e6)
cuts = st.lists(st.sampled_from([-2.5, -1.0, 0.0, 1e-36, 0.5, 3.0, math.inf]), min_size=1, max_size=4)
ZERO = 1e-35


def numeric_trees(depth=3):
    splits = st.builds(NumericSplit, cuts.map(lambda c: c[0]), st.booleans(), st.sampled_from([None, ZERO]))
    return trees(splits, depth)


def category_trees(depth=2):
    codes = st.frozensets(st.integers(0, 4))
    splits = st.builds(lambda a, b, *go: CategorySplit(a, b - a, *go), codes, codes, st.booleans(), st.booleans())
    return trees(splits, depth)


def trees(splits, depth):
    leaf = st.integers(-64, 64).map(float)  # sums of these are exact in any order
    if not depth:
        return leaf
    below = trees(splits, depth - 1)
    return st.builds(Branch, st.just(0), splits, below, below) | leaf


def followed(tree, x):
    """The leaf's value, one decision at a time."""
    while isinstance(tree, Branch):
        split = tree.split
        if isinstance(split, CategorySplit):
            left = (
                split.missing_left if math.isnan(x) else x in split.left or (x not in split.right and split.other_left)
            )
        elif math.isnan(x) or (split.zero is not None and abs(x) <= split.zero):
            left = split.missing_left
        else:
            left = x < split.cut or split.cut == math.inf
        tree = tree.left if left else tree.right
    return tree


def model_of(forest):
    terms, constant = forest_terms(forest)
    return (
        (lambda data: CurveModel("m", terms, constant).eval(data))
        if terms
        else (lambda data: np.full(len(data["x"]), constant))
    )


@given(st.lists(numeric_trees(), min_size=1, max_size=5))
def test_a_forest_of_numbers_is_its_trees_added(trees):
    marks = np.array([-2.5, -1.0, 0.0, 1e-36, ZERO, 0.5, 3.0])
    x = np.r_[marks, np.nextafter(marks, np.inf), np.nextafter(marks, -np.inf), -ZERO, np.inf, -np.inf, np.nan]
    expected = [sum(followed(tree, value) for tree in trees) for value in x.tolist()]
    assert model_of(Forest(["x"], trees, {}, "advice"))({"x": x}).tolist() == expected


@given(st.lists(category_trees(), min_size=1, max_size=4))
def test_a_forest_of_categories_is_its_trees_added(trees):
    codes = {"a": 0, "b": 1, "c": 2}
    model = model_of(Forest(["x"], trees, {0: CategoryCodes(codes)}, "advice"))
    column = np.array(["a", "b", "c", "unseen", None], dtype=object)
    expected = [sum(followed(tree, code) for tree in trees) for code in (0.0, 1.0, 2.0, -1.0, math.nan)]
    assert model({"x": column}).tolist() == expected
    refusing = model_of(Forest(["x"], trees, {0: CategoryCodes(codes, unseen=None)}, "advice"))
    where_splits = {"x": column[:4]} if any(isinstance(tree, Branch) for tree in trees) else None
    assert where_splits is None or np.array_equal(refusing(where_splits), [*expected[:3], math.nan], equal_nan=True)


def test_trees_of_two_features_are_refused_with_the_advice():
    inner = Branch(1, NumericSplit(0.0, missing_left=True), 0.0, 1.0)
    tree = Branch(0, NumericSplit(0.0, missing_left=True), inner, 1.0)
    with pytest.raises(UnsupportedError, match=r"tree 1 splits on 'a' and 'b'.*max_depth=1"):
        forest_terms(Forest(["a", "b"], [2.0, tree], {}, "max_depth=1"))


@given(st.data())
def test_a_pair_is_its_table_in_every_cell(data):
    rows = Axis("n", cuts=tuple(sorted(data.draw(st.sets(st.integers(-5, 5).map(float), max_size=4)))))
    columns = Axis("c", levels={"a": 1, "b": 2, "c": 1})
    values = st.lists(finite | st.just(0.0), min_size=rows.size * columns.size, max_size=rows.size * columns.size)
    table = np.array(data.draw(values)).reshape(rows.size, columns.size)
    inside = [*(cut - 0.5 for cut in rows.cuts), rows.cuts[-1] if rows.cuts else 0.0]
    n = np.repeat([np.nan, *inside], 5)
    c = np.tile(np.array([None, "a", "b", "c", "unseen"], dtype=object), rows.size)
    found = {"n": n, "c": c}
    expected = table[np.repeat(np.arange(rows.size), 5), np.tile([0, 1, 2, 1, 3], rows.size)]
    for pair in (Pair(("n", "c"), (rows, columns), table), Pair(("c", "n"), (columns, rows), table.T)):
        features = [Feature("n"), Feature("c", "str")]
        assert np.array_equal(CurveModel("m", [pair.term()], features=features).eval(found), expected)
        assert np.array_equal(pair.table[tuple(axis.cells(found) for axis in pair.axes)], expected)


@given(st.integers(0, 3), st.integers(1, 4), st.randoms(use_true_random=False), st.booleans())
@examples(50)
def test_a_polynomial_term_is_its_pieces(degree, pieces, random, has_missing):
    draw = np.random.default_rng(random.randrange(2**32))
    at = np.sort(draw.normal(size=pieces - 1)) * 10
    anchors, coefficients = draw.normal(size=pieces) * 10, draw.normal(size=(pieces, degree + 1))
    term = polynomial_term("x", at, anchors, coefficients, 0.75 if has_missing else None)
    x = np.r_[draw.normal(size=50) * 20, at, np.nextafter(at, -np.inf)]
    ours = CurveModel("m", [term]).eval({"x": np.r_[x, np.nan]})
    assert np.array_equal(ours[-1:], [0.75 if has_missing else math.nan], equal_nan=True)
    with mpmath.workdps(40):
        for value, mine in zip(x.tolist(), ours[:-1].tolist(), strict=True):
            piece = int(np.searchsorted(at, value, side="right"))
            offset = mpmath.mpf(value) - mpmath.mpf(float(anchors[piece]))
            exact = sum(mpmath.mpf(float(c)) * offset**p for p, c in enumerate(coefficients[piece]))
            size = sum(abs(float(c) * float(offset) ** p) for p, c in enumerate(coefficients[piece]))
            assert abs(mine - float(exact)) <= 1e-14 * (size + 1)
    moved = shifted(term, 2.0)
    if moved is not None:
        np.testing.assert_allclose(
            CurveModel("m", [moved]).eval({"x": x}), ours[:-1] + 2.0, rtol=0, atol=1e-9 * np.abs(ours[:-1]).max()
        )


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_bisection_finds_the_double_itself(target, other):
    low, high = min(target, other), max(target, other)
    if low == high:
        assert middle_double(low, high) is None
        return
    assert first_double(lambda x: x >= high, low, high) == high
    above = math.nextafter(low, math.inf)
    assert first_double(lambda x: x > low, low, high) == above
