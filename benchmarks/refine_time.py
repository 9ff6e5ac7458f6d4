"""Processor seconds and memory of refining a ranking, beside LightGBM's rounds on the same rows.

    python benchmarks/refine_time.py DATA [--rows 100000] [--losses listwise] [--segments 5] [--features 136]
        [--rounds 100] [--max-seconds 300]

The rows are those of the ranking set of paper_sets.py, over and over: each time a part of them, as queries of their own
and with every feature changed by some percent. The model has a curve a feature, its knots at quantiles and its values 0
to begin with. The peer is LightGBM's lambdarank on trees of 32 leaves. Times are of the processor, of all threads.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import lightgbm as lgb
import numpy as np
import pandas as pd
from paper_sets import TASKS, Part

import curvec
from curvec import Feature
from curvec.refine import quantile_model


def repeated(data: Path, rows: int, features: int) -> Part:
    """So many rows and features, of these the ones with the most values."""
    one = TASKS["rank"].fold(data, 0).train
    names = one.rows.nunique().sort_values(ascending=False, kind="stable").index[:features]
    x, place = one.rows[names].to_numpy(), np.unique(one.query, return_inverse=True)[1]
    random, parts, count = np.random.default_rng(0), [], 0
    while count < rows:
        kept = random.random(len(x)) < 0.8
        moved = x[kept] * (1 + 0.02 * random.normal(size=(kept.sum(), x.shape[1])))
        parts.append((moved, one.y[kept], place[kept] + len(parts) * (place.max() + 1)))
        count += int(kept.sum())
    moved, y, query = (np.concatenate(arrays)[:rows] for arrays in zip(*parts, strict=True))
    return Part(pd.DataFrame(moved, columns=names), y, query)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print what a step took, and the most memory so far."""
    start = time.process_time()
    yield
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what}: {time.process_time() - start:.0f} s of the processor, peak {most:.1f} GB", flush=True)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--losses", nargs="+", default=["listwise"])
    parser.add_argument("--segments", type=int, default=5)
    parser.add_argument("--features", type=int, default=136)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--max-seconds", type=float)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    part = repeated(arguments.data, arguments.rows, arguments.features)
    varied = [name for name in part.rows.columns if np.ptp(part.rows[name].to_numpy()) > 0]
    start = quantile_model(part.rows, [Feature(name) for name in varied], num_segments=arguments.segments)
    queries = np.unique(part.query, return_counts=True)[1]
    print(f"{len(part.y):,} rows of {len(queries):,} queries, {start.numbers_to_read} numbers")
    if arguments.rounds:
        with timed(f"LightGBM, {arguments.rounds} rounds"):
            options = {"objective": "lambdarank", "num_leaves": 32, "verbosity": -1}
            lgb.train(options, lgb.Dataset(part.rows, part.y, group=queries), arguments.rounds)
    for loss in arguments.losses:
        with timed(f"refine, {loss}"):
            found = curvec.refine(
                start,
                part.rows,
                part.y,
                loss=loss,
                query=part.query,
                learned=False,
                max_seconds=arguments.max_seconds,
            )
        print(f"  loss {found.before:.4f} -> {found.after:.4f}, ridge {found.ridge:.3g}{found.stopped}", flush=True)


if __name__ == "__main__":
    main()
