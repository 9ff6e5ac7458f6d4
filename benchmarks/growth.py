"""How time grows with size: each stage and target on three sizes of a model or of rows, each four times the one before.

    python benchmarks/growth.py [--only terms] [--repeats 3]

The table is that of docs/explanation/limits.md. Time is of the processor, the least of some runs, so that a busy
machine changes it little; the slope is the exponent of the size between the two larger ones: 1 is a straight line, 2 a
square.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from compilers import USED
from limits import levels, read_back, scored, terms, written_and_read

import curvec
from curvec import CurveModel, Product, PWLCurve, StepCurve, Sum

TIMES = 4
"""How many times as large each size is as the one before."""


def curve(feature: str) -> PWLCurve:
    """Three points."""
    return PWLCurve(feature, [(0, 0.25), (1, 0.5), (2.5, -1)], missing=0.125)


def points(count: int) -> CurveModel:
    """One curve of so many points."""
    return CurveModel("m", [PWLCurve("x", [(k, k % 7) for k in range(count)])])


def steps(count: int) -> CurveModel:
    """One curve of so many cuts."""
    return CurveModel("m", [StepCurve("x", range(count), [k % 7 for k in range(count + 1)])])


def products(count: int) -> CurveModel:
    """So many products of two curves."""
    return CurveModel("m", [Product([curve(f"x{k}"), curve("y")]) for k in range(count)])


def features(count: int) -> CurveModel:
    """One curve of a sum of so many features."""
    return CurveModel("m", [PWLCurve(Sum([curve(f"x{k}") for k in range(count)]), [(0, 0), (1, 1)])])


MODELS: dict[str, tuple[int, Callable[[int], CurveModel]]] = {
    "terms": (500, terms),
    "points of a curve": (1_000, points),
    "cuts of a step curve": (5_000, steps),
    "levels of a table": (5_000, levels),
    "products": (200, products),
    "features in one curve": (200, features),
}
"""The smallest size of each, and the model of a size."""


def of_a_model(make: Callable[[int], CurveModel]) -> Iterator[tuple[str, Callable[[int], Callable[[], Any]]]]:
    """Everything that is done with a model: in words, and the action for a size."""

    def on(action: Callable[[CurveModel], Any]) -> Callable[[int], Callable[[], Any]]:
        return lambda size: partial(action, make(size))

    def emitted(target: str, dialect: str | None = None, **options: Any) -> Callable[[int], Callable[[], Any]]:
        return lambda size: partial(curvec.emit, make(size), target, dialect, **options)

    yield "made", lambda size: partial(make, size)
    yield "JSON, written and read", on(written_and_read)
    yield "1,000 rows scored", on(scored)
    yield "Python", emitted("python")
    yield "Python, emitted and read", on(read_back)
    yield "C++", emitted("cpp")
    for compiler in filter(shutil.which, ("g++", "clang++")):
        stage = f"C++, compiled by {compiler} -O2, of a quarter of the size"
        yield stage, lambda size, by=compiler: partial(compiled, by, text_of(make(size // 4)))
    yield "JavaScript", emitted("javascript")
    for dialect in ("sqlite", "duckdb", "postgres"):
        yield f"SQL for {dialect}", emitted("sql", dialect, form="select", table="t")


def text_of(model: CurveModel) -> str:
    """The model's header, with a pointer to each function, so that the compiler makes code of it."""
    return f"{curvec.emit(model, 'cpp')}\n{USED.replace('SPACE', model.name).replace('NAME', model.name)}"


def compiled(compiler: str, text: str) -> None:
    """Compile a C++ text."""
    command = [compiler, "-std=c++17", "-O2", f"-I{curvec.get_include()}", "-c", "-x", "c++", "-", "-o", os.devnull]
    subprocess.run([*command, "-w"], input=text.encode(), check=True)


def of_rows() -> Iterator[tuple[str, Callable[[int], Callable[[], Any]]]]:
    """Everything that is done with rows."""
    model = CurveModel("m", [PWLCurve(f"x{k}", [(j, math.sin(j + k)) for j in range(9)]) for k in range(5)])

    def rows(count: int) -> dict[str, Any]:
        dice = np.random.default_rng(0)
        return {f"x{k}": dice.uniform(0, 8, count) for k in range(5)}

    def with_labels(count: int) -> tuple[dict[str, Any], Any]:
        table = rows(count)
        return table, model.eval(table) + np.random.default_rng(1).normal(0, 1, count)

    def fitted(table: dict[str, Any], y: Any) -> Any:
        return curvec.fit_pwl(table["x0"], y, num_segments=5)

    yield "rows scored", lambda size: partial(model.eval, rows(size))
    yield "one curve fitted", lambda size: partial(fitted, *with_labels(size))
    yield "distilled", lambda size: partial(curvec.distill, model, rows(size), num_segments=5)
    yield (
        "refined",
        lambda size: partial(lambda table, y: curvec.refine(model, table, y, loss="squared"), *with_labels(size)),
    )


def seconds(action: Callable[[], Any], repeats: int) -> float:
    """The least processor time of some runs, with that of the processes that they start."""
    found = []
    for _ in range(repeats):
        start = _used()
        action()
        found.append(_used() - start)
    return min(found)


def _used() -> float:
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(own.ru_utime + own.ru_stime for own in used)


def line(what: str, stage: str, start: int, action: Callable[[int], Callable[[], Any]], repeats: int) -> str:
    """A line of the table; what is refused at the largest size is refused there."""
    action(start // 10)()  # what is made once and kept
    sizes = [start * TIMES**k for k in range(3)]
    named = " / ".join(f"{size:,}" for size in sizes)
    try:
        taken = [seconds(action(size), repeats) for size in sizes]
    except curvec.CurvecError as error:
        return f"| {what} | {stage} | {named} | refused: {' '.join(str(error).split())[:80]} | |"
    times = " / ".join(f"{value:.3g}" for value in taken)
    return f"| {what} | {stage} | {named} | {times} | {math.log(taken[2] / taken[1], TIMES):.2f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*MODELS, "rows"], action="append")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    print("| size | stage | sizes | CPU seconds | slope |\n|---|---|---|---|---:|", flush=True)
    for what in asked.only or [*MODELS, "rows"]:
        start, make = MODELS.get(what, (10_000, None))
        for stage, action in of_a_model(make) if make else of_rows():
            print(line(what, stage, start, action, asked.repeats), flush=True)


if __name__ == "__main__":
    main()
