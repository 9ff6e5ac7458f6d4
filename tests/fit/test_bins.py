"""Bins of many rows: where each row goes, what is summed, and that the processor does not matter."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import by_diagonal, examples

from curvec._core import use_level
from curvec.condense import read_rows
from curvec.condense.bins import Bins
from curvec.transforms import TRANSFORMS

RNG = np.random.default_rng(8)
N = 3000
COLUMNS = {
    "normal": RNG.normal(size=N),
    "lognormal": RNG.lognormal(size=N),
    "wide": RNG.lognormal(0, 30, size=N),
    "both signs, wide": RNG.standard_cauchy(N) ** 5,
    "negative": -RNG.lognormal(size=N),
    "zeros": np.where(np.arange(N) % 3 == 0, RNG.normal(size=N), 0.0),
    "signed zeros": np.where(np.arange(N) % 2 == 0, -0.0, np.arange(N) % 5),
    "two clusters": np.r_[1e-3 + 1e-9 * RNG.uniform(size=N // 2), -1e6 + RNG.uniform(size=N // 2)],
    "epoch": 1.7e9 + RNG.uniform(0, 6e4, N),
    "few": RNG.integers(-3, 4, N).astype(float),
    "small": RNG.uniform(-1, 2, N) * 1e-140,
}


@pytest.fixture(params=COLUMNS)
def x(request):
    return COLUMNS[request.param]


def binned(x, y, w, edges, names=("identity",)):
    bins = Bins.empty(edges, [TRANSFORMS[name] for name in names])
    bins.add(x, y, w)
    return bins


def groups(x, edges):
    """The rows of each bin, by numpy's own search."""
    at = np.searchsorted(edges, x, side="right")
    return [np.flatnonzero(at == k) for k in range(len(edges) + 1)]


def test_edges_hold_about_equal_weight_or_one_value(x):
    edges = read_rows(x, x).edges()
    assert np.all(np.diff(edges) > 0)
    assert edges[0] == x.min()
    assert edges[-1] == x.max()
    for rows in groups(x, edges):
        assert len(rows) <= 4 * N / 2048 + 1 or len(np.unique(x[rows])) == 1 or len(rows) < N / 100


@by_diagonal(["crowded", "weighted"], [False, True], [False, True])
def test_sums_are_those_of_the_rows(x, crowded, weighted):
    """math.fsum of exact products is the independent source."""
    rng = np.random.default_rng(1)
    edges = read_rows(x, x).edges()
    if crowded:  # many edges in one cell
        edges = np.unique(np.r_[edges, np.median(x) * (1 + np.arange(300) * 2.0**-50)])
    y, w = rng.normal(size=len(x)), rng.integers(0, 4, len(x)) / 2 if weighted else None
    sums = binned(x, y, w, edges).sums
    for k, rows in enumerate(groups(x, edges)):
        ws = np.ones(len(rows)) if w is None else w[rows]
        rows, ws = rows[ws > 0], ws[ws > 0]  # noqa: PLW2901 - zero weights are no rows
        u = x[rows] - edges[max(k - 1, 0)]
        products = (u, y[rows], u * u, u * y[rows], y[rows] * y[rows])
        assert sums[k, 16:18].sum() == ws.sum()
        for lane, values in enumerate(products):
            exact = math.fsum((ws * values).tolist())
            size = math.fsum(np.abs(ws * values).tolist())
            assert sums[k, lane] + sums[k, 8 + lane] == pytest.approx(exact, rel=0, abs=4e-16 * size)
        if len(rows):
            assert (sums[k, 18], sums[k, 19]) == (x[rows].min(), x[rows].max())


@pytest.mark.parametrize("names", [("identity", "symlog1p"), ("log",), ("identity", "log"), ("identity", "log1p")])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_processor_gives_the_same_bits(names, weighted):
    x = np.abs(COLUMNS["lognormal"]) if names[-1].startswith("log") else COLUMNS["both signs, wide"]
    y, w = np.sin(x), RNG.uniform(size=N).round(1) if weighted else None
    top = use_level(1)
    results = []
    try:
        for level in (1, 3, 4):
            if level <= top:
                use_level(level)
                rows = read_rows(x, y, w)
                edges = rows.edges()
                results.append((rows.x_range, rows.y_range, edges, binned(x, y, w, edges, names).sums))
    finally:
        use_level(top)
    for one, other in itertools.pairwise(results):
        assert one[:2] == other[:2]
        assert np.array_equal(one[2], other[2])
        assert np.array_equal(one[3], other[3])


def test_a_level_that_the_processor_lacks_is_refused():
    with pytest.raises(ValueError, match="no such level"):
        use_level(5)


@given(st.integers(1, 700), st.sampled_from(list(COLUMNS)), st.randoms(use_true_random=False))
@examples(20)
def test_any_number_of_rows_in_any_order_and_any_chunks(count, name, random):
    """Blocks have 256 rows: their ends, and chunks that end anywhere, leave no trace."""
    x = COLUMNS[name][:count]
    y, w = np.cos(np.arange(count)), 1 + np.arange(count) % 3 / 4
    edges = np.unique(x[:: max(1, count // 20)])
    order = list(range(count))
    random.shuffle(order)
    whole = binned(x, y, w, edges)
    pieces = binned(x[:0], y[:0], w[:0], edges)
    cut = random.randint(0, count)
    for part in (order[:cut], order[cut:]):
        piece = binned(x[part], y[part], w[part], edges)
        pieces.merge(piece)
    assert np.array_equal(pieces.sums[:, 18:20], whole.sums[:, 18:20])
    joined = [s[:, :8] + s[:, 8:16] for s in (pieces.sums, whole.sums)]
    assert np.array_equal(*joined)


def test_a_log_of_subnormal_numbers():
    x = np.r_[5e-324, 1e-310, 1e-300, 1.0, 3.0]
    edges = x[[0, 2, 4]]
    sums = binned(x, x, None, edges, ("log",)).sums
    assert sums[1, 0] + sums[1, 8] == pytest.approx(math.log(1e-310) - math.log(5e-324))
    assert sums[2, 0] + sums[2, 8] == pytest.approx(-math.log(1e-300))
