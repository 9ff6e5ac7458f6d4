"""The rows on which all values are moved together: the same sample in whatever order and parts the rows come."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import curvec
from curvec import EnumCurve, PWLCurve
from curvec.data import Table
from curvec.distill.row_sample import RowSample

MODEL = curvec.CurveModel(
    "m", [PWLCurve("x", [(0, 0), (1, 1)], missing=0.0), EnumCurve("c", {"a": 1.0, "b": 2.0}, default=0.0, missing=0.5)]
)
RNG = np.random.default_rng(3)
ROWS = 3_000
FRAME = pd.DataFrame(
    {
        "x": np.where(RNG.random(ROWS) < 0.3, np.nan, RNG.integers(0, 400, ROWS) / 10),
        "c": RNG.choice(np.array(["a", "b", "never listed", None], dtype=object), ROWS),
    }
)
WEIGHTS = RNG.integers(1, 3, ROWS).astype(float)


def sampled(parts: list[np.ndarray], most: int) -> RowSample:
    """The sample of the rows, part by part."""
    merged = RowSample(MODEL, most)
    for rows in parts:
        own = RowSample(MODEL, most)
        own.update(Table(FRAME.iloc[rows], MODEL.features), WEIGHTS[rows])
        merged.merge(own)
    return merged


def listed(sample: RowSample) -> list[tuple[str, str | None, float]]:
    table, w = sample.rows()
    keys = [None if key is None else str(key) for key in table.keys("c", "str").tolist()]
    return list(zip(map(repr, table.number("x").tolist()), keys, w.tolist(), strict=True))


@pytest.mark.parametrize("most", [50, 400, 10_000])
def test_parts_and_order_do_not_matter(most: int) -> None:
    whole = sampled([np.arange(ROWS)], most)
    parts = np.array_split(np.random.default_rng(1).permutation(ROWS), 7)
    assert listed(sampled(parts, most)) == listed(whole)
    assert 0 < len(listed(whole)) <= most


def test_each_sampled_row_counts_as_often_as_it_occurs() -> None:
    levels = [
        ("unseen" if level not in ("a", "b") else level) if isinstance(level, str) else None for level in FRAME["c"]
    ]
    rows = Counter(zip(map(repr, FRAME["x"].tolist()), levels, WEIGHTS.tolist(), strict=True))
    possible = {(x, level, w * count) for (x, level, w), count in rows.items()}
    found = listed(sampled([np.arange(ROWS)], 400))
    assert {(x, level if level in ("a", "b", None) else "unseen", w) for x, level, w in found} <= possible


def test_few_rows_are_all_there() -> None:
    _, w = sampled([np.arange(ROWS)], 10_000).rows()
    assert w.sum() == WEIGHTS.sum()
