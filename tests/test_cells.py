"""Rows counted in cells and summed exactly: the same whatever their order and their parts."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples

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


def brute_force(x: np.ndarray, cuts: np.ndarray, most: int) -> tuple[list[float], list[float]]:
    """The values and the rows of the cells, straight from their definition: by the fewest bits left out that do."""
    x = x + 0.0
    values, gaps = np.sort(x[~np.isnan(x)]), int(np.isnan(x).sum())
    bits = values.view(np.int64)
    keys = np.where(bits < 0, ~bits, bits ^ np.int64(-(2**63))).view(np.uint64)
    side = np.searchsorted(cuts, values, side="right")
    for left_out in range(65):
        leading = keys >> np.uint64(left_out) if left_out < 64 else np.zeros_like(keys)
        begins = np.flatnonzero(np.r_[True, (leading[1:] != leading[:-1]) | (side[1:] != side[:-1])])
        if len(begins) + (gaps > 0) <= most:
            break
    ends = np.r_[begins[1:], len(values)] - 1
    found: list[tuple[float, float]] = []
    for begin, end in zip(begins, ends, strict=True):
        ends_of = sorted({values[begin], values[end]})
        found += [(float(value), (end - begin + 1) / len(ends_of)) for value in ends_of]
    return [value for value, _ in found] + [math.nan] * (gaps > 0), [rows for _, rows in found] + [gaps] * (gaps > 0)


def kinds_of_values(random: np.random.Generator) -> dict[str, np.ndarray]:
    count = 6000
    normal = random.normal(size=count)
    return {
        "normal": normal,
        "whole": random.integers(-40, 60, count).astype(float),
        "two decimals": np.round(random.gamma(2, 20, count), 2),
        "decimals, then others": np.r_[np.round(normal[:4000], 1), normal[4000:]],
        "half zeros": np.where(random.random(count) < 0.5, 0.0, normal),
        "half gaps": np.where(random.random(count) < 0.5, np.nan, normal),
        "ascending": np.sort(normal),
        "narrow": 1.7e9 + random.random(count),
        "narrow, then zeros": np.r_[1.7e9 + random.random(4000), np.zeros(2000)],
        "of all sizes": np.exp(random.uniform(-700, 700, count)) * random.choice([-1, 1], count),
        "at the ends": np.r_[normal, np.inf, -np.inf, 5e-324, -0.0, 1.7e308],
        "neighbours": 1.0 + np.arange(count) * 2.0**-52,
    }


@pytest.mark.parametrize("kind", kinds_of_values(np.random.default_rng(0)))
@pytest.mark.parametrize("most", [70, 600])
def test_cells_are_those_of_their_definition(kind: str, most: int) -> None:
    random = np.random.default_rng(most)
    x = kinds_of_values(random)[kind]
    cuts = np.sort(random.choice(x[np.isfinite(x)], 40)) + random.choice([0.0, 1e-3], 40)
    cuts = np.unique(cuts)
    cells = Cells([cuts], most)
    for rows in np.split(x, np.sort(random.integers(0, len(x), 7))):
        cells.update([rows], None)
    found = cells.examples()
    values, rows = brute_force(x, cuts, most)
    assert np.array_equal(found.values[0], values, equal_nan=True)
    assert found.rows.tolist() == rows


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


@examples(50)
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
