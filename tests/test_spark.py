"""Spark: distilling and scoring on executors of their own, which give what one machine gives."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from nightly import NIGHTLY
from pages import ROOT, blocks
from sklearn.ensemble import HistGradientBoostingRegressor

import curvec
from curvec import CurveModel, EnumCurve, InputError, Product, PWLCurve, StepCurve
from curvec.parity.runners import RUNNERS
from curvec.parity.runners import spark as spark_runner

pyspark = pytest.importorskip("pyspark")
sql = pytest.importorskip("pyspark.sql")
pytest.importorskip("pyarrow")

NEED = RUNNERS["spark"].needs()
pytestmark = [
    pytest.mark.skipif(NEED is not None, reason=str(NEED)),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::ResourceWarning"),
]

MODEL = CurveModel(
    "claims",
    [
        StepCurve("a.b", np.linspace(-2, 2, 30).tolist(), np.sin(np.linspace(-2, 2, 31)).tolist(), missing=0.25),
        EnumCurve("c", {"x": 1.0, "y": 2.0, "w": 1.01}, default=0.5, missing=-1.0),
        PWLCurve("n", [(0, 0), (3, 0.3), (5, 1), (9, 0.2)], missing=0.75),
        StepCurve("d", [0.5, 2], [0, 0.25, 0.5], missing=0.125),
        EnumCurve("B", {True: 1.0, False: 0.5}, missing=0.75),
        Product([StepCurve("a.b", [0.0], [0.1, 0.2], missing=0.0), StepCurve("n", [4.0], [1.0, 2.0], missing=0.0)]),
    ],
    intercept=0.5,
    link="logit",
)
SCHEMA = "id int, `a.b` double, c string, n bigint, d decimal(9, 2), B boolean, w double"
SIMPLE = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])])


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Two threads, each with Python processes of its own; at night two workers, each with an executor of its own."""
    if pyspark.SparkContext._active_spark_context is not None:  # of parity's tests
        pyspark.SparkContext._active_spark_context.stop()
        spark_runner._spark.cache_clear()
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": java,
        "spark.executor.extraJavaOptions": java,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(Path(pyspark.__file__).parent))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        master = "local-cluster[2,1,1024]" if NIGHTLY else "local[2,4]"  # 4: as often a task may fail on a cluster
        builder = sql.SparkSession.builder.master(master).config(map=options)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def rows() -> list[tuple[Any, ...]]:
    """Python's own values, with gaps everywhere."""
    random, count = np.random.default_rng(0), 3000
    columns: list[list[Any]] = [
        random.normal(size=count).tolist(),
        random.choice(["x", "y", "w", "z"], count).tolist(),
        random.integers(0, 10, count).tolist(),
        [Decimal(cents) / 100 for cents in random.integers(0, 300, count).tolist()],
        (random.random(count) < 0.5).tolist(),
    ]
    for step, column in enumerate(columns, start=5):
        column[::step] = [None] * len(column[::step])
    return list(zip(range(count), *columns, random.random(count).tolist(), strict=True))


@pytest.fixture(scope="module")
def frame(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    """The same on one machine."""
    return pd.DataFrame(rows, columns=["id", "a.b", "c", "n", "d", "B", "w"], dtype=object).astype({"w": float})


@pytest.fixture(scope="module")
def distilled(frame: pd.DataFrame) -> str:
    return curvec.distill(MODEL, frame, "w", digits=None, margin=1e-4).model.to_json()


@pytest.mark.parametrize(
    "partitions", [pytest.param(1, marks=pytest.mark.nightly), 7, pytest.param(20, marks=pytest.mark.nightly)]
)
def test_any_partitions_give_the_same_bytes(
    partitions: int, spark: Any, rows: list[tuple[Any, ...]], distilled: str
) -> None:
    order = np.random.default_rng(partitions).permutation(len(rows))
    data = spark.createDataFrame([rows[k] for k in order], SCHEMA).repartition(partitions)
    assert curvec.distill(MODEL, data, "w", digits=None, margin=1e-4).model.to_json() == distilled


@pytest.mark.nightly  # by the same moments as a stream, whose parts test_refine_streams.py has
def test_refining_gives_the_bytes_of_one_machine(spark: Any, rows: list[tuple[Any, ...]], frame: pd.DataFrame) -> None:
    whole = frame[["n", "w"]].astype(float).fillna({"n": 4.0})
    data = spark.createDataFrame(whole).repartition(5)
    model = CurveModel("m", [PWLCurve("n", [(0, 0), (3, 0.3), (9, 0.2)])], intercept=0.5)
    stream = sys.modules["pyarrow"].Table.from_pandas(whole).to_reader()
    found, wanted = (curvec.refine(model, one, "w", loss="squared", digits=None) for one in (data, stream))
    assert found.model.to_json() == wanted.model.to_json()
    assert (found.ridge, found.rows) == (wanted.ridge, len(rows))


@pytest.mark.nightly
def test_a_live_teacher_and_a_model_of_a_size(spark: Any, rows: list[tuple[Any, ...]], frame: pd.DataFrame) -> None:
    some = frame[["a.b", "n"]].astype(float)
    teacher = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=20)
    teacher.fit(some, np.sin(some["a.b"].fillna(2.0)) + some["n"].fillna(0.0) / 5)
    data = spark.createDataFrame(rows, SCHEMA).coalesce(2)
    found, whole = (curvec.distill(teacher, one, max_numbers=12) for one in (data.select("`a.b`", "n"), some))
    assert found.model.to_json() == whole.model.to_json()
    assert found.report.rows == whole.report.rows == len(rows)
    assert found.report.rmse == pytest.approx(whole.report.rmse, rel=1e-9)


def test_a_task_that_fails_and_is_run_again_counts_once(
    spark: Any, rows: list[tuple[Any, ...]], distilled: str
) -> None:
    def fails_once(batches: Iterable[Any]) -> Iterator[Any]:  # in here, so that Spark sends it whole
        from pyspark import TaskContext  # noqa: PLC0415  on the executor

        yield from batches
        context = TaskContext.get()
        if context.partitionId() == 1 and not context.attemptNumber():
            raise RuntimeError("the first attempt fails, after its rows were read")

    data = spark.createDataFrame(rows, SCHEMA).repartition(3)
    plain = data.toDF(*"abcdefg")  # mapInArrow itself takes no dot in a name
    data = plain.mapInArrow(fails_once, plain.schema).toDF(*data.columns)
    assert curvec.distill(MODEL, data, "w", digits=None, margin=1e-4).model.to_json() == distilled


def test_scores_are_those_of_the_reference_by_the_core_and_by_sql(
    spark: Any, rows: list[tuple[Any, ...]], frame: pd.DataFrame
) -> None:
    data = spark.createDataFrame(rows, SCHEMA).repartition(3)
    by_sql = data.selectExpr("*", f"{curvec.emit(MODEL, 'sql', dialect='spark')} AS by_sql")
    found = sorted(map(tuple, curvec.spark.score(MODEL, by_sql, terms=True, keep=["id", "by_sql"]).collect()))
    assert [row[0] for row in found] == [row[0] for row in rows]
    values = np.array([row[1:] for row in found], dtype=float)
    assert np.array_equal(values[:, 0], MODEL.eval(frame))
    assert np.array_equal(values[:, 1], MODEL.eval(frame))
    assert np.array_equal(values[:, 2], MODEL.predict(frame))
    assert np.array_equal(values[:, 3:], MODEL.contributions(frame))


def test_columns_go_along_as_they_are_and_a_missing_score_is_null(spark: Any) -> None:
    day = dt.date(2020, 1, 1)
    data = spark.createDataFrame(
        [(1, [2], day, Decimal("1.50"), 0.5), (2, None, None, None, None)],
        "id int, list array<int>, day date, price decimal(5, 2), a double",
    )
    found = curvec.spark.score(SIMPLE, data, keep=data.columns)
    assert found.columns == [*data.columns, "score", "prediction"]
    assert [field.dataType for field in found.schema][:5] == [field.dataType for field in data.schema]
    assert sorted(map(tuple, found.collect())) == [
        (1, [2], day, Decimal("1.50"), 0.5, 0.5, 0.5),
        (2, None, None, None, None, None, None),
    ]


def test_a_model_without_features_scores_every_row(spark: Any) -> None:
    found = curvec.spark.score(CurveModel("m", [], intercept=2.0), spark.range(3))
    assert [tuple(row) for row in found.collect()] == [(2.0, 2.0)] * 3


BAD: dict[str, tuple[str, str | None, str]] = {
    "text": ("VALUES ('1', 1), ('old', 1) AS t(a, w)", None, r"partition \d: column 'a', row 1: 'old' is not a number"),
    "date": ("VALUES (date'2020-01-01', 1) AS t(a, w)", None, r"row 0: datetime.date\(2020, 1, 1\) is not a number"),
    "weight": ("VALUES (1, 1), (2, -3) AS t(a, w)", "w", r"column 'w', row 1: the weight is -3.0; it must be from 0"),
    "zero weights": ("VALUES (1, 0), (2, 0) AS t(a, w)", "w", "w='w': every weight is 0"),
    "no rows": ("SELECT 1 AS a WHERE false", None, "X has no rows"),
    "no such column": ("SELECT 1 AS A", None, r"column 'a' is missing from the data \(it has 'A'\)"),
    "two columns": ("SELECT 1 AS a, 2 AS a", None, "two columns are called 'a'"),
    "Spark's own": ("SELECT 1 / (1 - id) AS a FROM range(2)", None, "cannot be read: .*DIVIDE_BY_ZERO"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_are_named_in_a_line(name: str, spark: Any) -> None:
    query, w, said = BAD[name]
    with pytest.raises(InputError, match=said) as caught:
        curvec.distill(SIMPLE, spark.sql(query).coalesce(1), w)
    assert len(str(caught.value)) < 800
    assert "\n" not in str(caught.value)


def test_the_error_of_a_row_that_is_scored_is_in_sparks_own(spark: Any) -> None:
    data = spark.sql("SELECT * FROM VALUES ('1'), ('old') AS t(a)").coalesce(1)
    with pytest.raises(pyspark.errors.PythonException) as caught:
        curvec.spark.score(SIMPLE, data).collect()
    assert "partition 0: column 'a', row 1: 'old' is not a number" in str(caught.value)
    assert str(caught.value).count("\n") < 12


def test_what_spark_cannot_do_says_what_to_do(spark: Any) -> None:
    data = spark.range(2).selectExpr("id / 1.0 AS a", "id AS y")
    calls: list[Callable[[], Any]] = [
        lambda: SIMPLE.eval(data),
        lambda: curvec.parity.check(SIMPLE, data, ["python"]),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"curvec.spark.score scores it there; .* df.sample\(0.01, seed=0\)"):
            call()
    with pytest.raises(InputError, match=r"frame is a dict; pass a Spark data frame, and others to model.score"):
        curvec.spark.score(SIMPLE, {"a": [1.0]})
    with pytest.raises(InputError, match="two columns would be called 'a'"):
        curvec.spark.score(SIMPLE, data, terms=True, keep=["a"])
    with pytest.raises(InputError, match="the failure analysis needs labelled rows in memory, and X is a Spark data"):
        curvec.distill(SIMPLE, data, y=[0, 1], metric="rmse")


def test_the_job_of_the_page_runs(spark: Any, rows: list[tuple[Any, ...]], tmp_path: Path) -> None:
    (job,) = (block.body for block in blocks(ROOT / "docs" / "howto" / "scale.md") if block.title == "job.py")
    for name in ("claims", "teacher.json", "scores"):
        job = job.replace(f'"{name}"', repr(str(tmp_path / name)))
    data = spark.createDataFrame(rows, SCHEMA).withColumnRenamed("w", "exposure")
    data.coalesce(2).write.parquet(str(tmp_path / "claims"))
    MODEL.save(tmp_path / "teacher.json")
    names: dict[str, Any] = {}
    exec(job, names)  # noqa: S102  the project's own documentation
    assert spark.read.parquet(str(tmp_path / "scores")).count() == names["found"].report.rows == len(rows)
