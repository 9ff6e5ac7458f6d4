"""Ctrl-C at random moments of long calls: how long each goes on, and whether a half file is left.

    python benchmarks/interrupts.py [--times 10] [--rows 5000000] [--only distill] [--spark]

Each call is a process of its own, which is sent SIGINT between its start and its likely end.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from scale import teacher, write_rows

import curvec
from curvec import Moments, parity
from curvec.cli import main as command

FEATURES = 20


def distil(folder: Path) -> None:
    """Both passes and the fits."""
    curvec.distill(teacher(FEATURES), folder / "rows")


def refine(folder: Path) -> None:
    """The passes, and the choice of the ridge."""
    curvec.refine(curvec.load(folder / "short.json"), folder / "rows", "x2", loss="squared")


def score(folder: Path) -> None:
    """``curvec score`` into one file."""
    command(["score", str(folder / "model.json"), str(folder / "rows"), "-o", str(folder / "out" / "scores.parquet")])


def check(folder: Path) -> None:
    """Python, DuckDB and C++ on all rows."""
    parity.check(teacher(FEATURES), folder / "rows", ["python", "duckdb", "cpp"])


def heavy_fit(_: Path) -> None:
    """200 knots under a monotone constraint, the transform chosen, on two million rows."""
    dice = np.random.default_rng(0)
    x = dice.lognormal(size=2_000_000)
    curvec.fit_pwl(x, np.log(x) + dice.normal(size=len(x)), num_segments=200, mono="increasing")


def moments(_: Path) -> None:
    """10^8 rows in memory."""
    x = np.random.default_rng(0).random(100_000_000)
    print("ready", flush=True)
    Moments(np.linspace(0.01, 0.99, 99)).update(x, x)


def on_spark(folder: Path) -> None:
    """Both passes on two executors."""
    from spark import session  # noqa: PLC0415  Spark is not needed by the others

    rows = session(str(folder / "spark")).read.parquet(str(folder / "rows")).repartition(16)
    print("ready", flush=True)
    curvec.distill(teacher(FEATURES), rows)


CALLS: dict[str, Callable[[Path], Any]] = {
    "distill": distil,
    "refine": refine,
    "score": score,
    "parity": check,
    "fit": heavy_fit,
    "moments": moments,
}


def main() -> None:
    """Run, and print a line for each call."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--only", choices=[*CALLS, "spark"], action="append")
    parser.add_argument("--spark", action="store_true", help="a distillation on Spark, too")
    parser.add_argument("--run", nargs=2, metavar=("CALL", "FOLDER"), help="one call")
    asked = parser.parse_args()
    calls = CALLS | ({"spark": on_spark} if asked.spark or asked.run or "spark" in (asked.only or ()) else {})
    if asked.run:
        own_call(calls[asked.run[0]], asked.run[0], Path(asked.run[1]))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "out").mkdir()
        write_rows(folder / "rows", asked.rows, FEATURES)
        teacher(FEATURES).save(folder / "model.json")
        some = pq.read_table(folder / "rows" / "00000.parquet").slice(0, 50_000)
        found = curvec.distill(teacher(FEATURES), some).model
        curvec.CurveModel("short", found.terms, found.intercept).save(folder / "short.json")
        print("call        seconds of it   interrupted   seconds until it ended: median   most")
        for call in asked.only or calls:
            print(interrupted(call, folder, asked.times), flush=True)


def own_call(call: Callable[[Path], Any], name: str, folder: Path) -> None:
    """Say when the call begins, and make it."""
    if name not in ("moments", "spark"):
        print("ready", flush=True)
    call(folder)


def started(call: str, folder: Path) -> subprocess.Popen[str]:
    """A process that has begun the call."""
    run = subprocess.Popen(
        [sys.executable, __file__, "--run", call, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert run.stdout is not None  # noqa: S101  asked for
    while "ready" not in run.stdout.readline():
        pass
    return run


def interrupted(call: str, folder: Path, times: int) -> str:
    """A line of the table."""
    with started(call, folder) as run:
        begun = time.perf_counter()
        run.communicate()
    whole, dice, took = time.perf_counter() - begun, random.Random(call), []  # noqa: S311  no secret
    written = {file.name: file.read_bytes() for file in (folder / "out").iterdir()}
    for _ in range(times):
        with started(call, folder) as run:
            try:
                run.wait(dice.uniform(0.02, 0.95) * whole)
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGINT)
                sent = time.perf_counter()
                run.wait()  # for the process: Spark's Java, which holds its output open, ends some time after it
                took.append(time.perf_counter() - sent)
        left = {file.name: file.read_bytes() for file in (folder / "out").iterdir()}
        if left != written:
            sys.exit(f"{call}: {', '.join(left)} is left, which is not as it was")
    return f"{call:<11} {whole:>13.1f}   {len(took):>11}   {np.median(took):>30.2f}   {max(took):>4.2f}"


if __name__ == "__main__":
    main()
