"""Refining on streams: the same bytes whatever the parts and their order, and what a frame in memory gives."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve
from curvec._core import NormalSums
from curvec.parameters.constraints import constraints_of, penalty
from curvec.parameters.design import blocks, parameters
from curvec.refine.losses import loss_on
from curvec.refine.ridge_choice import RIDGES, _scores, _summary, stiffness
from curvec.refine.rows import LabelledReading
from curvec.refine.solve import Problem
from curvec.rows import stream_of

pa = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")

ROWS = 600
TERMS = [
    PWLCurve("a", [(-2, -0.5), (-1, -0.7), (0, 0), (1, 0.6), (2, 0.9)], missing=0.3),
    EnumCurve("c", {"x": 0.0, "y": 0.5, "z": 0.0}, default=0.1),
    Line("n", 0.05),
]
PRODUCT = Product([PWLCurve("a", [(-1, 0.5), (1, 1.0)], missing=1.0), StepCurve("n", [4.5], [1.0, 1.5])])
LABELS = {"squared": ("identity", "r"), "log_loss": ("logit", "y"), "gamma": ("log", "g")}


def model(link: str, *more: Any) -> CurveModel:
    return CurveModel("m", [*TERMS, *more], intercept=0.1, link=link)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(0)
    a = np.where(np.arange(ROWS) % 17 == 0, np.nan, random.normal(size=ROWS))
    c, n = random.choice(["x", "y", "z", "w"], ROWS), random.integers(0, 10, ROWS)
    score = np.sin(np.nan_to_num(a, nan=1.0)) + (c == "y") * 0.7 + n * 0.1
    y = (random.random(ROWS) < 1 / (1 + np.exp(-score))).astype(float)
    noisy, skewed = score + random.normal(size=ROWS), np.exp(score) * random.gamma(2, 0.5, ROWS)
    return pd.DataFrame({"a": a, "c": c, "n": n, "w": random.random(ROWS), "y": y, "r": noisy, "g": skewed})


def in_batches(frame: pd.DataFrame, parts: int) -> Any:
    """The rows in another order, in so many batches, which can be read again and again."""
    order = np.random.default_rng(parts).permutation(len(frame))
    made = [pa.RecordBatch.from_pandas(frame.iloc[order[k::parts]], preserve_index=False) for k in range(parts)]
    return dataset.dataset(made)


@pytest.mark.parametrize(
    ("loss", "more", "ridge"), [("squared", [], None), ("log_loss", [], 0.01), ("gamma", [PRODUCT], 0.1)]
)
def test_any_parts_give_the_same_bytes_near_those_of_a_frame(
    loss: str, more: list[Any], ridge: float | None, frame: pd.DataFrame
) -> None:
    link, label = LABELS[loss]
    start = model(link, *more)
    streams = [in_batches(frame, parts) for parts in (1, 7, 64)]
    found = [curvec.refine(start, stream, label, "w", loss=loss, ridge=ridge, digits=None) for stream in streams]
    assert (
        len({one.model.to_json() for one in found}) == len({(one.before, one.after, one.tried) for one in found}) == 1
    )
    wanted = curvec.refine(start, frame, frame[label], frame["w"], loss=loss, ridge=found[0].ridge, digits=None)
    assert found[0].before == pytest.approx(wanted.before, rel=1e-12)
    assert found[0].after == pytest.approx(wanted.after, rel=1e-6)
    assert parameters(found[0].model) == pytest.approx(parameters(wanted.model), abs=5e-3 if more else 1e-3)
    assert found[0].rows == wanted.rows == ROWS
    assert f"{found[0].passes} passes over 600 rows" in str(found[0])
    assert wanted.passes == 0


@pytest.mark.parametrize("learned", [True, False])
def test_the_losses_held_out_are_those_of_fits_without_each_fold(*, learned: bool, frame: pd.DataFrame) -> None:
    start, y, w = model("identity"), frame["r"].to_numpy(), frame["w"].to_numpy()
    found = curvec.refine(start, in_batches(frame, 3), "r", "w", loss="squared", folds=4, learned=learned)
    features = start.compile().features
    reading = LabelledReading(features, "w", "squared", "r", None, start, 4, None)
    stream = stream_of(dataset.dataset(pa.table(frame)))
    assert stream is not None
    folds = np.concatenate([reading.rows(batch)[0].folds for batch in stream.batches(reading.names)])
    table, theta = start.table(frame), parameters(start)
    parts, judge = blocks(start, table), loss_on("squared", "identity", y, w, None)
    rules = constraints_of(parts, len(theta), "keep", {})
    problem = Problem(start, table, judge, rules, penalty(parts, len(theta)))
    learning = stiffness(problem, theta) if learned else None
    before, after = np.empty(ROWS), np.empty((ROWS, len(RIDGES)))
    for fold in range(4):
        out = np.flatnonzero(folds == fold)
        scores = _scores(problem, theta, out, learning, math.inf)
        assert scores is not None
        before[out], after[out] = scores
    losses = np.column_stack([judge.per_group(column)[1] for column in after.T])
    wanted = _summary(judge, losses, before, after - before[:, None])
    assert np.array(found.tried) == pytest.approx(np.array(wanted), rel=1e-6, abs=1e-9)


def test_a_sample_follows_from_the_rows_and_is_said(frame: pd.DataFrame) -> None:
    one, other = (
        curvec.refine(model("logit"), in_batches(frame, parts), "y", ridge=0.1, sample=0.3) for parts in (2, 9)
    )
    assert one.model.to_json() == other.model.to_json()
    assert 0.2 * ROWS < one.rows == other.rows < 0.4 * ROWS
    assert "a sample of 0.3 of all, by a hash of each" in str(one)


def test_the_teachers_score_and_its_range_on_a_stream(frame: pd.DataFrame) -> None:
    steps = StepCurve("a", np.linspace(-2, 2, 30).tolist(), np.sin(np.linspace(-2, 2, 31)).tolist(), missing=0.3)
    found = curvec.distill(CurveModel("t", [steps, TERMS[2]]), frame, num_segments=2)
    asked: dict[str, Any] = {"loss": "teacher", "ridge": 0.01, "y_bounds": "teacher"}
    stream, whole = (curvec.refine(found, rows, **asked) for rows in (in_batches(frame, 5), frame))
    assert stream.model == whole.model
    assert stream.after == pytest.approx(whole.after, rel=1e-9)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "text": ({"y": ["0.5", "old"]}, r"2\.parquet: column 'y' is string from row 0 on, and double in the first rows"),
    "label": ({"y": [0.5, 2.0]}, r"2\.parquet: column 'y', row 1: the label is 2\.0; labels of loss 'log_loss'"),
    "missing": ({"y": [0.5, None]}, r"2\.parquet: column 'y', row 1: the label is nan, not finite"),
    "score": ({"x": [None, 0.5]}, r"2\.parquet: row 0 has no score"),
    "weight": ({"w": [1.0, -1.0]}, r"2\.parquet: column 'w', row 1: the weight is -1\.0"),
    "column": ({"y": None}, r"2\.parquet: column 'y' is missing from the data"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_are_named_with_their_file(name: str, tmp_path: Path) -> None:
    changed, said = BAD[name]
    columns: dict[str, Any] = {"x": [0.25, 0.75], "y": [0.0, 1.0], "w": [1.0, 2.0]}
    parquet.write_table(pa.table(columns), tmp_path / "1.parquet")
    columns = {key: values for key, values in {**columns, **changed}.items() if values is not None}
    parquet.write_table(pa.table(columns), tmp_path / "2.parquet")
    with pytest.raises(InputError, match=said):
        curvec.refine(CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])], link="logit"), tmp_path, "y", "w")


def test_what_streams_cannot_do_says_what_to_do(frame: pd.DataFrame) -> None:
    stream, asked = in_batches(frame, 2), {"loss": "squared", "ridge": 0.1}
    empty = dataset.dataset(pa.table(frame.iloc[:0]))
    calls: list[tuple[Any, tuple[Any, ...], dict[str, Any], str]] = [
        (stream, ([1.0],), asked, "y is a list, and X is a stream; pass the name of its column of labels"),
        (stream, (), asked, "y is a NoneType, .* or loss='teacher'"),
        (stream, ("r", [1.0]), asked, "w is a list, and X is a stream; pass the name of its column of weights"),
        (stream, ("r",), {"loss": "pairwise"}, "pass a frame of the rows of some queries"),
        (stream, ("r",), {"loss": "squared", "folds": 1}, "folds=1; use 2 or more, or give the ridge"),
        (stream, ("r",), {**asked, "sample": 0}, "sample=0; it is a share of the rows above 0 and at most 1"),
        (stream, ("r",), {"loss": "log_loss"}, "is of models with link 'logit'; this one has 'identity'"),
        (empty, ("r",), asked, "X has no rows"),
        (frame, (frame["r"],), {**asked, "sample": 0.5}, "of rows in memory, pass those that shall count"),
    ]
    for rows, given, options, said in calls:
        with pytest.raises(InputError, match=said):
            curvec.refine(model("identity"), rows, *given, **options)


def test_normal_sums_are_exact_in_any_parts() -> None:
    random = np.random.default_rng(0)
    basis = csr_array(np.where(random.random((200, 4)) < 0.5, 0.0, random.normal(size=(200, 4)) * 1e6))
    r, h = random.normal(size=200) * 10.0 ** random.integers(-9, 9, 200), random.random(200)
    groups = random.integers(0, 2, 200).astype(np.int32)
    whole, parts = NormalSums(4, 2), [NormalSums(4, 2) for _ in range(3)]
    assert whole.add(basis.indptr, basis.indices, basis.data, groups, r, h)
    for k, part in enumerate(parts):
        own = np.arange(200)[::-1][k::3]
        some = basis[own]
        assert part.add(some.indptr, some.indices, some.data, groups[own], r[own], h[own])
    parts[2].merge(parts[0])
    parts[2].merge(parts[1])
    for one, other in zip(whole.values(), parts[2].values(), strict=True):
        assert np.array_equal(one, other)
    first, second = whole.values()
    dense = basis.toarray()
    exact = sum(Fraction(float(b * v)) for b, v, group in zip(dense[:, 1], r, groups, strict=True) if group == 1)
    assert first[1, 1] == pytest.approx(float(exact), rel=1e-15)
    used = groups == 0
    assert second[0] == pytest.approx(dense[used].T @ (dense[used] * h[used, None]), rel=1e-12)
    assert not whole.add(basis.indptr, basis.indices, basis.data, groups, np.full(200, np.nan), h)
