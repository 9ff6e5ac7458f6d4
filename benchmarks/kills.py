"""Kill ``curvec score`` at random moments: what has its name is whole, every time.

python benchmarks/kills.py [--times 100] [--rows 1000000]
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curvec import CurveModel, PWLCurve


def main() -> None:
    """Run, and say how many runs were killed, and how many had finished before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--rows", type=int, default=1_000_000)
    asked = parser.parse_args()
    dice = random.Random(0)  # noqa: S311  no secret
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = [f"x{k}" for k in range(5)]
        CurveModel("m", [PWLCurve(x, [(0, 0), (1, 1)]) for x in names]).save(folder / "model.json")
        values = np.random.default_rng(0).random((5, asked.rows))
        pq.write_table(pa.table(dict(zip(names, values, strict=True))), folder / "rows.parquet")
        out = folder / "out.parquet"
        start = time.perf_counter()
        subprocess.run(_command(folder), check=True, stderr=subprocess.DEVNULL)
        whole = time.perf_counter() - start
        out.unlink()
        killed = finished = 0
        for _ in range(asked.times):
            with subprocess.Popen(_command(folder), stderr=subprocess.DEVNULL) as run:
                time.sleep(dice.uniform(0, 1.1 * whole))
                run.send_signal(signal.SIGKILL)
            killed += run.returncode == -signal.SIGKILL
            if out.exists():
                rows = pq.read_table(out).num_rows
                if rows != asked.rows:
                    sys.exit(f"a file of {rows:,} rows, and there should be {asked.rows:,}")
                finished += 1
                out.unlink()
            for left in folder.glob(".curvec-*"):
                left.unlink()
        print(f"{asked.times} runs of {whole:.1f} s: {killed} killed; {finished} left a file, whole every time")


def _command(folder: Path) -> list[str]:
    files = [str(folder / name) for name in ("model.json", "rows.parquet")]
    return [sys.executable, "-m", "curvec", "score", *files, "-o", str(folder / "out.parquet")]


if __name__ == "__main__":
    main()
