"""A million (model, row) pairs an engine: random models of every node against random rows, compared value by value.

Usage: python benchmarks/parity.py [--pairs 1000000] [--engines sqlite,duckdb,postgres] [--seed 1]

Prints one line an engine: pairs compared, values that differ, the worst distance in ULP of the larger operand, and the
processor time of this process (a server's own is not in it). Any value outside its bound is printed whole, and the exit
status is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from strategies import models, rows

from curvec.parity import RUNNERS, TargetResult
from curvec.parity.check import run
from curvec.parity.compare import Reference
from curvec.parity.probes import Probes
from curvec.parity.runners import Runner

ROWS = 1000


def main() -> int:
    """Run it; 1 if an engine is off."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--engines", default="sqlite,duckdb,postgres")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"{'engine':<10} {'models':>7} {'pairs':>10} {'differ':>7} {'max ULP':>8} {'CPU s':>7}")
    return max([measure(name, arguments.pairs, arguments.seed) for name in arguments.engines.split(",")])


def measure(name: str, pairs: int, start: int) -> int:
    """One engine's line; 1 if it is off."""
    runner = RUNNERS[name]
    if (need := runner.needs()) is not None:
        print(f"{name:<10} {need}")
        return 1
    results: list[TargetResult] = []
    begin = time.process_time()
    while sum(result.rows for result in results) < pairs:
        start += 1
        batch(runner, start, results)
    spent = time.process_time() - begin
    worst = [abs(result.worst.ulps) for result in results if result.worst]
    count, different = (sum(getattr(result, field) for result in results) for field in ("rows", "different"))
    print(f"{name:<10} {len(results):>7,} {count:>10,} {different:>7,} {max(worst, default=0.0):>8.3g} {spent:>7.1f}")
    for result in results:
        if not result.ok:
            print(f"  {'; '.join(result.notes)} {result.worst}")
    return int(not all(result.ok for result in results))


def batch(runner: Runner, start: int, results: list[TargetResult]) -> None:
    """Some tens of random models."""

    @seed(start)
    @settings(phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        model = data.draw(models())
        table = data.draw(rows(model, ROWS))
        results.append(run(runner, Reference.of(model, Probes(table, ["random row"] * ROWS))))

    draw()


if __name__ == "__main__":
    sys.exit(main())
