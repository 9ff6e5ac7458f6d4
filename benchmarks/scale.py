"""Rows in Parquet files: what distilling and scoring them costs, beside DuckDB's own queries over the same files.

    python benchmarks/scale.py [--rows 1000000 10000000] [--features 20] [--folder FOLDER]

Each measurement is a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import curvec
from curvec import CurveModel, StepCurve

FILE_ROWS = 1_000_000
ROW_GROUP = 2**27
"""Bytes of doubles in a row group, as Spark and Parquet's Java library write them unasked."""


def main() -> None:
    """Generate the rows where they are not there, measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--measure", nargs=2, metavar=("WHAT", "FOLDER"), help="one measurement, as JSON")
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measured(asked.measure[0], Path(asked.measure[1]), asked.features)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        print("rows        what      seconds   CPU seconds   CPU ns a value   peak MB")
        for rows in asked.rows:
            folder = (asked.folder or Path(temporary)) / f"{rows}x{asked.features}"
            if not folder.exists():
                # Not here: a measurement would begin with this process's peak of memory as its own.
                writer = get_context("spawn").Process(target=write_rows, args=(folder, rows, asked.features))
                writer.start()
                writer.join()
            for what in MEASUREMENTS:
                command = [sys.executable, __file__, "--features", str(asked.features), "--measure", what, str(folder)]
                found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                value = found["cpu"] / rows / asked.features * 1e9
                times = f"{found['seconds']:>7.2f}   {found['cpu']:>11.2f}   {value:>14.1f}"
                print(f"{rows:<11,} {what:<9} {times}   {found['peak']:>7.0f}", flush=True)


def write_rows(folder: Path, rows: int, features: int) -> None:
    """Files of a million rows, in row groups of 128 MB: normal, lognormal, whole and two-digit numbers in turn."""
    folder.mkdir(parents=True)
    for number, begin in enumerate(range(0, rows, FILE_ROWS)):
        columns = _columns(np.random.default_rng([number, features]), min(FILE_ROWS, rows - begin), features)
        group = ROW_GROUP // (8 * features)
        pq.write_table(pa.table(columns), folder / f"{number:05}.parquet", row_group_size=group)


def _columns(random: np.random.Generator, count: int, features: int) -> dict[str, Any]:
    kinds = [
        lambda: random.normal(size=count),
        lambda: random.lognormal(3, 1, count),
        lambda: random.integers(0, 120, count).astype(float),
        lambda: np.round(random.gamma(2, 20, count), 2),
    ]
    return {f"x{k}": kinds[k % 4]() for k in range(features)}


def teacher(features: int) -> CurveModel:
    """Steps as an EBM has them: 256 bins a feature, the function a wave."""
    places = {0: (-3, 3), 1: (1, 200), 2: (0, 120), 3: (0, 150)}
    terms = []
    for k in range(features):
        cuts = np.linspace(*places[k % 4], 255)
        terms.append(StepCurve(f"x{k}", cuts.tolist(), np.sin(np.linspace(0, 4 + k / 5, 256)).tolist()))
    return CurveModel("teacher", terms, link="logit")


def distil(folder: Path, features: int) -> None:
    """Both passes and the fits."""
    curvec.distill(teacher(features), folder)


def sums(folder: Path, features: int) -> None:
    """DuckDB: the sum and the sum of squares of every column."""
    asked = ", ".join(f"sum(x{k}), sum(x{k} * x{k})" for k in range(features))
    duckdb.sql(f"SELECT {asked} FROM read_parquet('{folder}/*.parquet')").fetchall()  # noqa: S608


def score(folder: Path, features: int) -> None:
    """``curvec score``, one prediction a row."""
    with tempfile.TemporaryDirectory() as place:
        model = Path(place) / "model.json"
        teacher(features).save(model)
        command = [sys.executable, "-m", "curvec", "score", str(model), str(folder), "-o", f"{place}/out.parquet"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def copy(folder: Path, _: int) -> None:
    """DuckDB: every column copied into one file."""
    with tempfile.TemporaryDirectory() as place:
        duckdb.sql(f"COPY (FROM read_parquet('{folder}/*.parquet')) TO '{place}/out.parquet' (COMPRESSION zstd)")


MEASUREMENTS = {"distill": distil, "sums": sums, "score": score, "copy": copy}


def measured(what: str, folder: Path, features: int) -> dict[str, Any]:
    """Seconds, CPU seconds, and the peak of memory of this process and of those that it started, in MB."""
    who = resource.RUSAGE_CHILDREN if what == "score" else resource.RUSAGE_SELF
    start, before = time.perf_counter(), resource.getrusage(who)
    MEASUREMENTS[what](folder, features)
    seconds, used = time.perf_counter() - start, resource.getrusage(who)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": seconds, "cpu": cpu, "peak": used.ru_maxrss / 1024}


if __name__ == "__main__":
    main()
