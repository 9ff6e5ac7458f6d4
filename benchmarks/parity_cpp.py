"""The emitted C++ against the reference evaluator, at length: doubles of every bit pattern, and random models.

    python benchmarks/parity_cpp.py [--doubles 10000000] [--models 1000] [--options="-O1 -march=x86-64-v3"]

Identity curves must agree in every bit; with a logarithm they do wherever Python and C++ share the C library. The
models are those of the tests' strategies, 40 to a program.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.progress import track

from curvec import CurveModel, PWLCurve, StepCurve, emit, evaluate
from curvec.links import link
from curvec.parity.runners import RUNNERS, Scores, usual_table
from curvec.parity.runners.cpp import compiled, library_scores, one_row

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from strategies import models, rows  # the tests' own

CHUNK, PROGRAM = 500_000, 40
console = Console(width=120)


def reference(model: CurveModel, data: Any) -> Scores:
    """What the reference evaluator says."""
    table = model.table({name: np.asarray(column) for name, column in data.items()})
    score = evaluate.raw_score(model.terms, model.intercept, table)
    return Scores(evaluate.contributions(model.terms, table), score, link(model.link).inverse(score))


def different(got: np.ndarray, wanted: np.ndarray) -> int:
    """How many values differ in a bit; one NaN is as good as another."""
    same = (got.view(np.uint64) == wanted.view(np.uint64)) | (np.isnan(got) & np.isnan(wanted))
    return int(np.count_nonzero(~same))


def all_kinds() -> CurveModel:
    """A curve of each transform, few points and many, over many orders of magnitude."""
    random = np.random.default_rng(3)

    def curve(low: float, high: float, count: int, fx: str) -> PWLCurve:
        x = np.unique(np.geomspace(max(low, 1e-3), high, count).round(6)) if low >= 0 else np.linspace(low, high, count)
        return PWLCurve("x", list(zip(x, random.normal(size=len(x)).round(4), strict=True)), fx, 0.5)

    wide = [(-1e300, -5.0), (-1e-300, -1.0), (5e-324, 0.0), (1e-300, 0.5), (1.0, 2.0), (1e308, 7.0)]
    fxs = ("log", "log1p", "symlog1p")
    logged = [curve(low, 1e6, n, fx) for fx, low in zip(fxs, (1e-3, 1e-3, -1e6), strict=True) for n in (6, 40)]
    steps = StepCurve("x", np.linspace(-100, 100, 201), random.normal(size=202), -1.0)
    return CurveModel(
        "m", [PWLCurve("x", wide), curve(-1e3, 1e3, 6, "identity"), curve(-1e3, 1e3, 40, "identity"), steps, *logged]
    )


def bit_patterns(model: CurveModel, count: int) -> Iterator[np.ndarray]:
    """Doubles drawn from bit patterns, and each x of a point with the 1,000 doubles on either side of it."""
    random = np.random.default_rng(11)
    points = [x for term in model.terms if isinstance(term, PWLCurve) for x, _ in term.points]
    beside = (np.array(points).view(np.int64)[:, None] + np.arange(-1000, 1001)).ravel()
    yield beside.view(np.float64)
    for _ in range(max(1, count // CHUNK)):
        yield random.integers(0, 2**64, CHUNK, dtype=np.uint64).view(np.float64)


def doubles(count: int, options: list[str]) -> int:
    """Every curve at that many doubles; the number of values that differ."""
    model = all_kinds()
    wrong = seen = 0
    with compiled(emit(model, "cpp", c_interface=True) + one_row("m"), *options) as library:
        for x in track(bit_patterns(model, count), "doubles", total=count // CHUNK + 1, console=console):
            got = library_scores(library, "m", model, usual_table(RUNNERS["cpp"], model, {"x": x}))
            wanted = reference(model, {"x": x})
            wrong += different(got.terms, wanted.terms) + different(got.score, wanted.score)
            seen += len(x)
    console.print(f"{seen:,} doubles through {len(model.terms)} curves: {wrong} values differ")
    return wrong


def program(number: int, count: int) -> list[tuple[CurveModel, Any]]:
    """The random models of one program, each with 200 rows."""
    cases: list[tuple[CurveModel, Any]] = []

    @seed(number)
    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate])
    @given(st.data())
    def collect(data: st.DataObject) -> None:
        model = data.draw(models())
        cases.append((model, data.draw(rows(model, 200))))

    collect()
    return cases


def random_models(count: int, options: list[str]) -> int:
    """So many random models on 200 rows each; the number of models that differ."""
    wrong = seen = 0
    for number in track(range(-(-count // PROGRAM)), "models", console=console):
        part = program(number, PROGRAM)
        texts = [
            emit(model, "cpp", namespace=f"m{i}", c_interface=True) + one_row(f"m{i}")
            for i, (model, _) in enumerate(part)
        ]
        with compiled("\n".join(texts), *options) as library:
            for i, (model, data) in enumerate(part):
                got = library_scores(library, f"m{i}", model, usual_table(RUNNERS["cpp"], model, data))
                wanted = reference(model, data)
                pairs = [(getattr(got, what), getattr(wanted, what)) for what in ("terms", "score", "prediction")]
                wrong += any(different(np.ascontiguousarray(a), np.ascontiguousarray(b)) for a, b in pairs)
        seen += len(part)
    console.print(f"{seen:,} random models on 200 rows each: {wrong} differ")
    return wrong


def main() -> None:
    """Both comparisons; the exit status says whether anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--doubles", type=int, default=10_000_000)
    parser.add_argument("--models", type=int, default=1000)
    parser.add_argument("--options", default="-O1", help="the compiler's")
    options = parser.parse_args()
    start = time.process_time()
    wrong = doubles(options.doubles, options.options.split())
    wrong += random_models(options.models, options.options.split())
    console.print(f"{time.process_time() - start:.0f} s of this process, compilers apart")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
