"""Models made, scored and dropped: what memory the process has after each tenth of them.

A service that gets a new version of its model every few minutes does so for years. From the first tenth to the last one
the memory must stay within 5 %.

    python benchmarks/memory.py --models 1000000
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from curvec import CurveModel, EnumCurve, Line, PWLCurve, StepCurve, Sum


def resident() -> int:
    """The bytes of memory that the process has now (Linux)."""
    pages = Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def made_scored_and_dropped(number: int) -> float:
    """A model unlike the others, its score of two rows and of one; nothing of it is left afterwards."""
    age = [(18.0, number / 7), (21.0, 0.5914), (46.0 + number, -0.7206)]
    model = CurveModel(
        f"model {number}",
        [
            PWLCurve("age", age, fx="log", missing=0.0),
            StepCurve(Sum([Line("age"), Line("stay", 0.5)]), [1.0, 3.0], [number / 3, 2.0, 3.0]),
            EnumCurve("degree", {f"level {number}": 1.0, "M": 2.0}, default=0.0),
        ],
        link="logit",
    )
    two = model.predict({"age": [20.0, 30.0], "stay": [1.0, 2.0], "degree": ["M", "unseen"]})
    return float(two[0]) + model.score_row({"age": 20.0, "stay": 1.0, "degree": f"level {number}"})


def main() -> None:
    """Make them, and print a line for each tenth."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--models", type=int, default=1_000_000)
    models = options.parse_args().models
    tenths = []
    for number in range(1, models + 1):
        made_scored_and_dropped(number)
        if number % (models // 10) == 0:
            tenths.append(resident())
            print(f"{number:>10,} models: {tenths[-1] / 1e6:.1f} MB", flush=True)
    growth = max(tenths) / tenths[0] - 1
    print(f"growth from the first tenth on: {growth:.1%}")
    sys.exit(growth > 0.05)


if __name__ == "__main__":
    main()
