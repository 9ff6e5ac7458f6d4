# ruff: noqa: SLF001  where Spark's processes are is no part of its interface
"""Spark on a cluster of two executors on this machine: what scoring and distilling cost.

    python benchmarks/spark.py [--rows 1000000] [--features 20]

Scores are computed and thrown away: by the compiled core, by the emitted SQL, and by the teacher's own
``predict_proba`` on pandas frames. Processor seconds are those of the cluster's processes, Python's included.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyspark
from interpret.glassbox import ExplainableBoostingClassifier
from pyspark.sql import SparkSession
from scale import write_rows

import curvec
import curvec.spark

TEACHER_ROWS = 20_000
JAVA = "CoarseGrainedExecutorBackend"


def main() -> None:
    """Measure, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--features", type=int, default=20)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        write_rows(Path(name) / "rows", asked.rows, asked.features)
        spark = session(name)
        rows = spark.read.parquet(f"{name}/rows").repartition(16)
        rows.write.parquet(f"{name}/parts")
        rows = spark.read.parquet(f"{name}/parts")
        teacher = trained(rows, asked.features)
        model = curvec.distill(teacher, rows).model
        print("what               seconds   CPU seconds   rows a second")
        for what, run in measurements(rows, teacher, model).items():
            run()  # once for the compilers
            seconds, cpu = timed(spark, run)
            print(f"{what:<18} {seconds:>7.1f}   {cpu:>11.1f}   {asked.rows / seconds:>13,.0f}", flush=True)
        spark.stop()


def session(folder: str) -> Any:
    """A cluster of two workers, each with an executor of its own."""
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    options = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.local.dir": folder}
    spark = SparkSession.builder.master("local-cluster[2,1,2048]").config(map=options).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def trained(rows: Any, features: int) -> Any:
    """An EBM of some of the rows."""
    some = pd.DataFrame([row.asDict() for row in rows.limit(TEACHER_ROWS).collect()])
    score = sum(np.sin(some[f"x{k}"] / some[f"x{k}"].std()) for k in range(features))
    y = np.random.default_rng(0).random(len(some)) < 1 / (1 + np.exp(-score))
    return ExplainableBoostingClassifier(interactions=0, outer_bags=2, max_rounds=200, random_state=0).fit(some, y)


def measurements(rows: Any, teacher: Any, model: Any) -> dict[str, Callable[[], Any]]:
    """What is measured, each to the end of its rows."""

    def predicted(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            yield pd.DataFrame({"p": teacher.predict_proba(frame)[:, 1]})

    sql = curvec.emit(model, "sql", dialect="spark")
    exact = curvec.read_teacher(teacher)
    return {
        "reading alone": lambda: through(rows),
        "core": lambda: through(curvec.spark.score(model, rows)),
        "SQL": lambda: through(rows.selectExpr(f"{sql} AS score")),
        "predict_proba": lambda: through(rows.mapInPandas(predicted, "p double")),
        "distill": lambda: curvec.distill(exact, rows),
    }


def through(frame: Any) -> None:
    """Compute every row and keep none."""
    frame.write.format("noop").mode("overwrite").save()


def timed(spark: Any, run: Callable[[], Any]) -> tuple[float, float]:
    """Seconds, and processor seconds of this process, the JVM and all that it started."""
    start, before = time.perf_counter(), processor_seconds(spark)
    run()
    return time.perf_counter() - start, processor_seconds(spark) - before


def processor_seconds(spark: Any) -> float:
    """Of this process, the JVM, and all processes below, those that have ended included."""
    tree, found = parents(), {os.getpid(), spark.sparkContext._gateway.proc.pid}
    while more := {pid for pid, (parent, _) in tree.items() if parent in found} - found:
        found |= more
    return sum(tree[pid][1] for pid in found if pid in tree)


def parents() -> dict[int, tuple[int, float]]:
    """Of each process its parent and its processor seconds."""
    tick, found = os.sysconf("SC_CLK_TCK"), {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        found[int(file.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / tick)
    return found


def executors(spark: Any) -> list[int]:
    """The processes of the executors, which the JVM started."""
    jvm = spark.sparkContext._gateway.proc.pid
    found = []
    for pid, (parent, _) in parents().items():
        command = Path(f"/proc/{pid}/cmdline")
        if parent == jvm and command.exists() and JAVA in command.read_text():
            found.append(pid)
    return found


if __name__ == "__main__":
    main()
