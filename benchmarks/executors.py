"""Spark executors that are killed in the middle of a distillation: the model is the same to the byte.

    python benchmarks/executors.py [--rows 1000000] [--features 20] [--kills 10]

Each distillation has a session of its own on a cluster of two workers of this machine, with an executor each. One of
the two is killed (SIGKILL) at a random moment of the passes over the rows; its worker starts another one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from pyspark.sql import SparkSession
from scale import teacher, write_rows
from spark import executors, session

import curvec

PARTS = 16


def main() -> None:
    """One run to its end, then the runs with a kill."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--run", nargs=2, metavar=("FOLDER", "MOMENT"), help="one distillation, as JSON")
    asked = parser.parse_args()
    if asked.run:
        print(json.dumps(one_run(Path(asked.run[0]), asked.features, float(asked.run[1]))))
        return
    with tempfile.TemporaryDirectory() as name:
        write_rows(Path(name) / "rows", asked.rows, asked.features)
        whole = of_its_own(name, asked.features, -1.0)
        dice, struck = random.Random(0), 0  # noqa: S311  no secret
        for _ in range(asked.kills):
            moment = dice.uniform(0.1, 0.8) * whole["seconds"]
            found = of_its_own(name, asked.features, moment)
            struck += found["killed"]
            print(f"killed {found['killed']} at {moment:.1f} s, done at {found['seconds']:.1f} s", flush=True)
            if found["model"] != whole["model"]:
                sys.exit(f"another model, after a kill at {moment:.1f} s")
        print(f"{asked.kills} runs of {whole['seconds']:.1f} s, {struck} with a kill: the same model every time")


def of_its_own(folder: str, features: int, moment: float) -> dict[str, object]:
    """A run in a process of its own."""
    command = [sys.executable, __file__, "--features", str(features), "--run", folder, str(moment)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stderr[-3000:])
    return json.loads(run.stdout.splitlines()[-1])


def one_run(folder: Path, features: int, moment: float) -> dict[str, object]:
    """A distillation, and whether an executor was killed before its end; at no moment if that is negative."""
    spark: SparkSession = session(str(folder))
    rows = spark.read.parquet(str(folder / "rows")).repartition(PARTS)
    while len(executors(spark)) < 2:
        time.sleep(0.1)
    killed: list[int] = []

    def kill() -> None:
        victim = random.Random(moment).choice(executors(spark))  # noqa: S311  no secret
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    timer = threading.Timer(max(0.0, moment), kill)
    if moment >= 0:
        timer.start()
    start = time.perf_counter()
    model = curvec.distill(teacher(features), rows).model.to_json()
    timer.cancel()
    seconds = time.perf_counter() - start
    spark.stop()
    return {"model": model, "seconds": seconds, "killed": len(killed)}


if __name__ == "__main__":
    main()
