"""What a distillation needs of the rows: the same for the same rows, in any order and in any parts."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

from curvec import CurveModel, EnumCurve, Line, PWLCurve, StepCurve, Sum
from curvec.distill.row_summary import RowSummary
from curvec.distill.term_distiller import functions_of

TEACHER = CurveModel(
    "t",
    [
        StepCurve("a", [-1.0, 0.0, 1.0], [0.0, 1.0, 2.0, 1.0], missing=0.5),
        EnumCurve("c", {"x": 1.0, "y": 2.0}, default=0.0),
        PWLCurve("n", [(0, 0), (5, 1)]),
        PWLCurve(Sum([Line("a", 1.0), Line("n", 0.1)]), [(0, 0), (1, 1)]),
    ],
    intercept=0.5,
)
TERMS = [function.term for function in functions_of(TEACHER.terms)]


def rows(count: int) -> pd.DataFrame:
    random = np.random.default_rng(0)
    a = random.normal(size=count)
    a[::9] = np.nan
    levels = random.choice(np.array(["x", "y", "z", None], dtype=object), count)
    return pd.DataFrame({"a": a, "c": levels, "n": random.integers(0, 9, count).astype(float)})


def update(summary: RowSummary, data: pd.DataFrame, w: np.ndarray | None) -> None:
    for part in summary.parts:
        part.update(TEACHER.table(data), w)


def test_views_hold_every_row_of_each_function() -> None:
    data = rows(500)
    summary = RowSummary(TEACHER, TERMS)
    update(summary, data, None)
    a, c, n, both = summary.views()
    assert a is not None
    assert c is not None
    assert n is not None
    assert both is not None
    assert all(view.rows.sum() == 500 for view in (a, c, n, both))
    assert np.array_equal(np.unique(a.table.number("a")), np.unique(data["a"].to_numpy()), equal_nan=True)
    counts = dict(zip(c.table.keys("c", "str").tolist(), c.rows.tolist(), strict=True))
    assert counts["x"] == (data["c"] == "x").sum()
    assert counts[None] == data["c"].isna().sum()
    assert {key for key in counts if key not in ("x", "y", None)} == {"y\x00"}
    assert np.array_equal(n.rows, np.bincount(data["n"].astype(int)))
    assert summary.score.mean == pytest.approx(np.nanmean(TEACHER.eval(data)), rel=1e-14)
    assert summary.score.without == np.isnan(TEACHER.eval(data)).sum()


@pytest.mark.parametrize("parts", [2, 13])
def test_parts_in_any_order_are_the_whole(parts: int) -> None:
    data = rows(3000)
    w = np.random.default_rng(1).random(3000)
    whole = RowSummary(TEACHER, TERMS)
    update(whole, data, w)
    made = []
    for part in range(parts):
        made.append(RowSummary(TEACHER, TERMS))
        update(made[-1], data[part::parts], w[part::parts])
    merged = RowSummary(TEACHER, TERMS)
    for part in made[::-1]:
        for own, theirs in zip(merged.parts, part.parts, strict=True):
            own.merge(pickle.loads(pickle.dumps(theirs)))  # noqa: S301  our own bytes
    assert [pickle.dumps(part) for part in merged.parts] == [pickle.dumps(part) for part in whole.parts]
    assert merged.rows == whole.rows
    assert (merged.score.mean, merged.score.squares) == (whole.score.mean, whole.score.squares)
    for own, theirs in zip(merged.views(), whole.views(), strict=True):
        assert own is not None
        assert theirs is not None
        assert np.array_equal(own.weights, theirs.weights)
        for feature in own.table.features:
            if feature.type == "number":
                names = own.table.number(feature.name), theirs.table.number(feature.name)
                assert np.array_equal(*names, equal_nan=True)
