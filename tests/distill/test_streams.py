"""Distilling a stream: the same model to the byte as from a frame, whatever the form, the order and the parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum
from curvec.distill import row_summary

pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
dataset = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")

TEACHER = CurveModel(
    "teacher",
    [
        StepCurve("a", np.linspace(-2, 2, 30).tolist(), np.sin(np.linspace(-2, 2, 31)).tolist(), missing=0.25),
        EnumCurve("c", {"x": 1.0, "y": 2.0, "w": 1.01}, default=0.5, missing=-1.0),
        PWLCurve("n", [(0, 0), (3, 0.3), (5, 1), (9, 0.2)]),
        Product([StepCurve("a", [0.0], [0.1, 0.2], missing=0.0), StepCurve("n", [4.0], [1.0, 2.0])]),
        PWLCurve(
            Sum([Line("n", 0.3), EnumCurve("c", {"x": 0.0, "y": 1.0}, default=0.0, missing=0.0)]), [(0, 0), (2, 1)]
        ),
    ],
    intercept=0.5,
    link="logit",
)


@pytest.fixture(scope="module")
def rows() -> Any:
    random = np.random.default_rng(0)
    count = 4000
    return pa.table(
        {
            "a": pa.array(np.where(random.random(count) < 0.1, np.nan, random.normal(size=count)), from_pandas=True),
            "c": pa.array(random.choice(np.array(["x", "y", "w", "z", None], dtype=object), count)),
            "n": random.integers(0, 10, count),
            "weight": random.random(count),
        }
    )


def lazy_frame(folder: Path) -> Any:
    return pytest.importorskip("polars").scan_parquet(folder / "*.parquet")


FORMS: dict[str, Callable[[Path], Any]] = {
    "folder": lambda folder: folder,
    "reader": lambda folder: dataset.dataset(folder).scanner(batch_size=99).to_reader(),
    "relation": lambda folder: duckdb.connect().read_parquet(f"{folder}/*.parquet"),
    "dataset": dataset.dataset,
    "lazy frame": lazy_frame,
    "frame": lambda folder: dataset.dataset(folder).to_table().to_pandas(),
}


def in_parts(rows: Any, parts: int, folder: Path) -> Path:
    order = np.random.default_rng(parts).permutation(len(rows))
    for part in range(parts):
        parquet.write_table(rows.take(order[part::parts]), folder / f"{part:02}.parquet")
    return folder


@pytest.fixture(scope="module")
def wanted(rows: Any) -> str:
    return curvec.distill(TEACHER, rows.to_pandas(), "weight", digits=None, margin=1e-4).model.to_json()


@pytest.mark.parametrize(("form", "parts"), [*((form, 7) for form in FORMS), ("folder", 1), ("folder", 64)])
def test_every_form_gives_the_same_bytes(form: str, parts: int, rows: Any, wanted: str, tmp_path: Path) -> None:
    data = FORMS[form](in_parts(rows, parts, tmp_path))
    assert curvec.distill(TEACHER, data, "weight", digits=None, margin=1e-4).model.to_json() == wanted


@pytest.mark.parametrize("parts", [1, 7, 64])
def test_a_model_of_a_size_is_chosen_together_alike(parts: int, rows: Any, tmp_path: Path) -> None:
    folder, frame = in_parts(rows, parts, tmp_path), rows.to_pandas()
    for most in (4, 12):
        found, whole = (curvec.distill(TEACHER, data, "weight", max_numbers=most).model for data in (folder, frame))
        assert found.to_json() == whole.to_json()


def test_a_live_teacher_and_more_values_than_cells(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=20_000), "k": random.integers(0, 9, 20_000).astype(float)})
    y = np.sin(frame["x"]) + frame["k"] / 5
    teacher = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=20).fit(frame[:3000], y[:3000])
    folder = in_parts(pa.Table.from_pandas(frame), 5, tmp_path)
    found, whole = curvec.distill(teacher, folder, digits=None), curvec.distill(teacher, frame, digits=None)
    assert found.model.to_json() == whole.model.to_json()
    assert found.teacher.to_json() == whole.teacher.to_json()
    assert found.report.rows == whole.report.rows == 20_000
    assert found.report.rmse == pytest.approx(whole.report.rmse, rel=1e-9)
    assert found.report.max_error == pytest.approx(whole.report.max_error, rel=1e-9)
    for own, other in zip(found.report.curves, whole.report.curves, strict=True):
        assert own.rows == other.rows
        assert own.rmse == pytest.approx(other.rmse, rel=1e-2)


def test_the_report_of_a_stream_is_that_of_its_rows(rows: Any, tmp_path: Path) -> None:
    found = curvec.distill(TEACHER, in_parts(rows, 3, tmp_path)).report
    whole = curvec.distill(TEACHER, rows.to_pandas()).report
    assert (found.rows, found.rows_without_score) == (whole.rows, whole.rows_without_score)
    assert found.rmse == pytest.approx(whole.rmse, rel=1e-9)
    assert found.unexplained == pytest.approx(whole.unexplained, rel=1e-9)
    for own, other in zip(found.curves, whole.curves, strict=True):
        assert (own.label, own.rows, own.kind) == (other.label, other.rows, other.kind)
        assert own.rmse == pytest.approx(other.rmse, rel=1e-9, abs=1e-12)


def test_a_reader_of_bad_rows_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    schema = pa.schema([("a", pa.float64())])
    batches = iter([pa.record_batch({"a": [1.0]}), pa.record_batch({"a": ["two"]})])
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match="row 1"):
        curvec.distill(model, pa.RecordBatchReader.from_batches(schema, batches))
    assert not list(tmp_path.iterdir())


def test_what_a_stream_cannot_give_is_refused(rows: Any, tmp_path: Path) -> None:
    folder = in_parts(rows, 1, tmp_path)
    with pytest.raises(InputError, match=r"the failure analysis needs labelled rows in memory.*call evaluate"):
        curvec.distill(TEACHER, folder, y=np.zeros(4000), metric="log_loss")
    with pytest.raises(InputError, match="pass the name of its column of weights"):
        curvec.distill(TEACHER, folder, np.ones(4000))
    with pytest.raises(InputError, match="column 'heft' is missing"):
        curvec.distill(TEACHER, folder, "heft")
    with pytest.raises(InputError, match=r"is read at the rows.*read_teacher"):
        curvec.distill(lambda rows: np.asarray(rows["weight"]), folder)


def test_a_column_of_weights_is_that_of_the_labels_too(rows: Any) -> None:
    frame = rows.slice(0, 500).to_pandas().dropna()
    y = (np.arange(len(frame)) % 3 == 0).astype(float)
    named = curvec.distill(TEACHER, frame, "weight", y=y, metric="log_loss")
    given = curvec.distill(TEACHER, frame, frame["weight"], y=y, metric="log_loss")
    assert named.model == given.model
    assert named.report.evaluation == given.report.evaluation


def test_an_empty_stream_is_refused(rows: Any) -> None:
    with pytest.raises(InputError, match="has no rows; a reader that was read before has none left, so make a new one"):
        curvec.distill(TEACHER, rows.slice(0, 0).to_reader())


@pytest.mark.parametrize(("weight", "said"), [(-3.0, "-3.0"), (2.0**33, "8589934592.0"), (np.nan, "nan")])
def test_a_bad_weight_is_named_by_its_file_and_row(weight: float, said: str, tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": [1.0, 2.0], "w": [1.0, weight]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=rf"a\.parquet: column 'w', row 1: the weight is {said}; it must be from 0"):
        curvec.distill(CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]), tmp_path, "w")


def test_weights_of_zero_alone_are_refused(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": [1.0, 2.0], "w": [0.0, 0.0]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="w='w': every weight is 0; give some row a positive weight"):
        curvec.distill(CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]), tmp_path, "w")


def test_a_term_of_too_many_combinations_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_summary, "_JOINT_CELLS", 50)
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.random((1000, 3)), columns=list("abc"))
    steps = np.linspace(0.1, 0.9, 9).tolist()
    inner = Sum([StepCurve(name, steps, list(range(10))) for name in "abc"])
    teacher = CurveModel("m", [PWLCurve(inner, [(0, 0), (20, 1)])])
    parquet.write_table(pa.Table.from_pandas(frame), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"joins 3 features.*distil on a frame in memory"):
        curvec.distill(teacher, tmp_path)
    assert curvec.distill(teacher, frame).report.unexplained < 0.05
