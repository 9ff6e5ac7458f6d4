"""Rows counted in cells and summed exactly: the same whatever their order and their parts."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvec.condense.cells import Cells
from curvec.condense.spread import Spread
from curvec.errors import InputError

FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.floats(-1e100, 1e100).map(lambda value: value if abs(value) > 1e-100 else 0.0)  # squares are doubles
WEIGHTS = st.one_of(st.just(0.0), st.floats(1e-3, 1e9))


def in_parts(cells_of, columns: list[np.ndarray], w: np.ndarray | None, parts: int, seed: int) -> Cells:
    """The rows shuffled, counted in parts that travel as bytes, and merged in any order."""
    random = np.random.default_rng(seed)
    order, part = random.permutation(len(columns[0])), random.integers(0, parts, len(columns[0]))
    made = []
    for number in range(parts):
        rows = order[part[order] == number]
        made.append(cells_of())
        made[-1].update([column[rows] for column in columns], None if w is None else w[rows])
    whole = cells_of()
    for number in random.permutation(parts):
        whole.merge(pickle.loads(pickle.dumps(made[number])))  # noqa: S301  our own bytes
    return whole


def same(a: Cells, b: Cells) -> bool:
    """In what they say, and in the bytes that travel: Spark compares those of a task that is run again."""
    return pickle.dumps(a) == pickle.dumps(b) and all(
        np.array_equal(x, y, equal_nan=True) for x, y in zip(a.examples(), b.examples(), strict=True)
    )


@given(st.lists(st.one_of(FINITE, st.just(math.nan), st.integers(-3, 3).map(float)), min_size=1, max_size=200))
def test_few_values_are_all_kept_with_their_counts(values: list[float]) -> None:
    cells = Cells([[0.5]], 1000)
    cells.update([np.array(values)], None)
    found = cells.examples()
    want = Counter(value + 0.0 for value in values if value == value)
    gaps = sum(math.isnan(value) for value in values)
    assert found.values[0][: len(want)].tolist() == sorted(want)
    assert found.rows.tolist() == [want[value] for value in sorted(want)] + [gaps] * (gaps > 0)
    assert np.isnan(found.values[0][len(want) :]).all()


@pytest.mark.parametrize("parts", [1, 7, 64])
@pytest.mark.parametrize("weighted", [False, True])
def test_many_values_are_the_same_cells_in_any_parts(parts: int, weighted: bool) -> None:
    random = np.random.default_rng(parts)
    x = np.concatenate([random.normal(size=20_000), 1e9 + random.random(5000), np.full(50, np.nan), np.zeros(900)])
    w = random.random(len(x)) ** 8 if weighted else None
    cuts = [-1.0, 0.1, 0.10000001, 5.0]

    def empty() -> Cells:
        return Cells([cuts], 512)

    whole = empty()
    whole.update([x], w)
    assert same(whole, in_parts(empty, [x], w, parts, parts))
    found = whole.examples()
    assert len(found.rows) <= 2 * 512
    assert found.rows.sum() == len(x)
    total = sum(map(Fraction, (np.ones(len(x)) if w is None else w).tolist()))
    assert found.weights.sum() == pytest.approx(float(total), rel=1e-14)
    assert (found.values[0][0], found.values[0][-2]) == (np.nanmin(x), np.nanmax(x))


def test_no_cell_lies_across_a_cut() -> None:
    x = np.random.default_rng(0).random(50_000)
    cuts = np.sort(np.random.default_rng(1).random(30))
    cells = Cells([cuts], 64)
    cells.update([x], None)
    found = cells.examples()
    side = np.searchsorted(cuts, found.values[0], side="right")
    held = np.bincount(side, weights=found.rows, minlength=31)
    assert np.array_equal(held, np.bincount(np.searchsorted(cuts, x, side="right"), minlength=31))


def test_quantiles_of_the_cells_are_those_of_the_rows() -> None:
    x = np.random.default_rng(0).lognormal(2, 1, 200_000)
    cells = Cells([[]], 1 << 14)
    cells.update([x], None)
    found = cells.examples()
    share = np.cumsum(found.rows) / len(x)
    ranks = np.searchsorted(np.sort(x), found.values[0], side="right") / len(x)
    assert np.abs(ranks - share).max() < 5e-4


def test_weights_are_summed_without_rounding() -> None:
    w = np.array([2.0**-60, 1.0, 2.0**31, 2.0**-60, 3.0, 2.0**-59, 0.1] * 3)
    cells = Cells([[]], 8)
    cells.update([np.ones(len(w))], w)
    assert cells.examples().weights.tolist() == [float(sum(map(Fraction, w.tolist())))]


def test_rows_without_weight_are_left_out() -> None:
    cells = Cells([[]], 8)
    cells.update([np.array([1.0, 2.0, np.nan])], np.array([1.0, 0.0, 0.0]))
    assert cells.examples().values.tolist() == [[1.0]]


@pytest.mark.parametrize("parts", [1, 7])
def test_combinations_of_values_in_any_parts(parts: int) -> None:
    random = np.random.default_rng(parts)
    a, b = random.normal(size=6000), random.integers(0, 5, 6000).astype(float)
    a[::11] = np.nan
    cuts = [[-0.5, 0.5], [2.0]]

    def empty() -> Cells:
        return Cells(cuts, 300)

    whole = empty()
    whole.update([a, b], None)
    assert same(whole, in_parts(empty, [a, b], None, parts, parts))
    found = whole.examples()
    assert len(found.rows) <= 600
    for column, own in ((a, 0), (b, 1)):
        for cut in cuts[own]:
            assert found.rows[found.values[own] < cut].sum() == (column < cut).sum()
    assert found.rows[np.isnan(found.values[0])].sum() == np.isnan(a).sum()


def test_too_many_combinations_are_said() -> None:
    random = np.random.default_rng(0)
    cuts = np.linspace(0.1, 0.9, 9)
    cells = Cells([cuts, cuts], 50)
    cells.update([random.random(1000), random.random(1000)], None)
    assert cells.too_many
    other = Cells([cuts, cuts], 50)
    other.merge(cells)
    assert other.too_many


def test_other_cuts_are_not_merged() -> None:
    with pytest.raises(InputError, match="other cuts"):
        Cells([[1.0]], 8).merge(Cells([[2.0]], 8))


@settings(max_examples=50)
@given(st.lists(st.tuples(VALUES, WEIGHTS), min_size=1, max_size=60), st.randoms())
def test_a_spread_is_exact_in_any_order(rows: list[tuple[float, float]], random: object) -> None:
    y, w = (np.array(column) for column in zip(*rows, strict=True))
    whole = Spread.of(y, w)
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    parts = Spread()
    for value, weight in shuffled:
        parts.merge(pickle.loads(pickle.dumps(Spread.of(np.array([value]), np.array([weight])))))  # noqa: S301
    assert (parts.rows, parts.mean, parts.squares, parts.weight) == (
        whole.rows,
        whole.mean,
        whole.squares,
        whole.weight,
    )
    used = [(Fraction(a), Fraction(b)) for a, b in rows if b > 0]
    if used:
        total = sum(b for _, b in used)
        mean = sum(a * b for a, b in used) / total
        assert whole.mean == pytest.approx(float(mean), rel=1e-15, abs=1e-300)
        squares = float(sum(b * (a - mean) ** 2 for a, b in used))
        largest = float(max(abs(a) for a, _ in used))
        assert whole.squares == pytest.approx(squares, rel=1e-12, abs=1e-29 * largest**2 * float(total))


def test_a_spread_counts_rows_without_a_value() -> None:
    found = Spread.of(np.array([1.0, np.nan, 3.0, np.nan]), np.array([1.0, 1.0, 1.0, 0.0]))
    assert (found.rows, found.without, found.mean, found.squares, found.sd) == (2, 2, 2.0, 2.0, 1.0)
