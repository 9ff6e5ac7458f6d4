"""Random models, or large ones, on real SQL engines, compared value by value with the reference.

Usage: python benchmarks/parity.py [--pairs 100000] [--engines sqlite,duckdb,postgres] [--seed 1]
       python benchmarks/parity.py --together 20 --engines spark
       python benchmarks/parity.py --large [--engines sqlite,duckdb,postgres,spark]

100,000 (model, row) pairs an engine, of random models of every node and random rows, in columns of every type that the
engine takes, unless asked otherwise. Prints one line an engine: models, types of column, pairs, values compared in all
forms, values that differ, the largest distance of a term, a score and a prediction in ULP of the larger operand, and
the processor time of this process (a server's own is not in it). Any value outside its bound is printed whole, and the
exit status is 1.

``--together``: so many models are the terms of one, each feature in a column of a type drawn for it, and the query is
made once in one form. An engine that takes seconds to plan a query is through more models in that way; compared are
their terms, and the score and prediction of all together.

``--large``: a model of 1,000 curves, one with two categoricals of 10,000 levels, and the lossless steps of an additive
forest of 300 rounds, on parity's probes: one line an engine and model, with the seconds by the clock.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from curvec.fields import changed

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from strategies import models
from strategies import rows as random_rows

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve
from curvec.errors import UnsupportedError
from curvec.ir import FeatureType, Term
from curvec.links import LINKS
from curvec.parity import RUNNERS, TargetResult
from curvec.parity.check import run
from curvec.parity.compare import Reference, compare
from curvec.parity.limits import accepted
from curvec.parity.probes import Probes, probes
from curvec.parity.runners import ColumnType, Runner, StoredTable
from curvec.parity.runners.sql import SqlRunner

KINDS: tuple[FeatureType, ...] = get_args(FeatureType)


def main() -> int:
    """Run it; 1 if an engine is off."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--engines", help="default: sqlite,duckdb,postgres; with --large spark too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--together", type=int, default=1, help="so many models in one query")
    parser.add_argument("--rows", type=int, default=200, help="of each model, in each type of column")
    parser.add_argument("--large", action="store_true", help="three large models instead of random ones")
    arguments = parser.parse_args()
    engines = (arguments.engines or ("sqlite,duckdb,postgres" + ",spark" * arguments.large)).split(",")
    if arguments.large:
        return large(engines)
    print(
        f"{'engine':<10} {'models':>7} {'types':>6} {'pairs':>10} {'values':>11} {'differ':>9} "
        f"{'term':>6} {'score':>6} {'prediction':>10} {'CPU s':>7}"
    )
    return max([measure(name, arguments) for name in engines])


def measure(name: str, asked: argparse.Namespace) -> int:
    """One engine's line; 1 if it is off."""
    pairs, start, together = asked.pairs, asked.seed, asked.together
    runner = RUNNERS[name]
    if (need := runner.needs()) is not None:
        print(f"{name:<10} {need}")
        return 1
    results: list[TargetResult] = []
    begin = time.process_time()
    while sum(result.rows for result in results) * together < pairs:
        start += 1
        if together > 1:
            results.append(joined(runner, start, together, asked.rows))
            done = sum(result.rows for result in results) * together
            print(f"{name}: {done:,} pairs, {results[-1]}", file=sys.stderr, flush=True)
        else:
            batch(runner, start, results, pairs, asked.rows)
    spent = time.process_time() - begin
    count, values, different = (sum(getattr(r, field) for r in results) for field in ("rows", "values", "different"))
    count, models_run = count * together, sum(result.ran for result in results) * together
    far = [max(result.furthest.get(what, 0.0) for result in results) for what in ("term", "score", "prediction")]
    types = len({(kind, column) for result in results for kind, names in result.columns.items() for column in names})
    print(
        f"{name:<10} {models_run:>7,} {types:>6} {count:>10,} {values:>11,} {different:>9,} "
        f"{far[0]:>6.3g} {far[1]:>6.3g} {far[2]:>10.3g} {spent:>7.1f}",
        flush=True,
    )
    for result in results:
        if not result.ok:
            print(f"  {'; '.join(result.notes)} {result.worst}")
    return int(not all(result.ok for result in results))


def thousand() -> CurveModel:
    """A curve of six points on each of a thousand features."""
    random = np.random.default_rng(0)
    curves = []
    for k in range(1000):
        x = np.unique(random.normal(0, 1, 6).round(4)).tolist()
        y = random.normal(0, 1, len(x)).round(4).tolist()
        curves.append(PWLCurve(f"x{k}", list(zip(x, y, strict=True)), missing=0.1))
    return CurveModel("1,000 curves", curves, 0.5, "logit")


def categories() -> CurveModel:
    """Two categoricals of 10,000 levels, one of text and one of integers."""
    text = EnumCurve("c", {f"level {k}": k / 7 for k in range(10_000)}, 0.5, 1.5)
    return CurveModel("10,000 levels", [text, EnumCurve("n", {3 * k: k / 11 for k in range(10_000)}, 0.5)])


def forest() -> CurveModel:
    """The steps of a forest of 300 rounds, each tree of 31 leaves on one feature."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415  only for this model

    x = np.random.default_rng(0).normal(0, 1, (3000, 20))
    y = np.sin(x).sum(axis=1) > 0
    teacher = HistGradientBoostingClassifier(max_iter=300, interaction_cst="no_interactions", early_stopping=False)
    steps = curvec.read_teacher(teacher.fit(x, y), x)
    return CurveModel("300 rounds, steps", steps.terms, steps.intercept, steps.link)


LARGE: tuple[Callable[[], CurveModel], ...] = (thousand, categories, forest)


def large(engines: list[str]) -> int:
    """The lines of the large models; 1 if an engine is off."""
    print(f"{'model':<18} {'engine':<9} {'bytes':>9} {'rows':>6} {'values':>10} {'differ':>7} {'max ULP':>8} {'s':>6}")
    off = 0
    for make in LARGE:
        model = make()
        rows = probes(model)
        for name in engines:
            runner = RUNNERS[name]
            size = len(curvec.emit(model, "sql", name, form="select", table="t", per_term=True, link=True))
            begin = time.perf_counter()
            result = run(runner, model, rows)
            spent = time.perf_counter() - begin
            worst = abs(result.worst.ulps) if result.worst else 0.0
            print(
                f"{model.name:<18} {name:<9} {size:>9,} {result.rows:>6,} {result.values:>10,} {result.different:>7,} "
                f"{worst:>8.3g} {spent:>6.1f}  {result.verdict} {'; '.join(result.notes)}",
                flush=True,
            )
            off |= not (result.ok and result.ran)
    return off


def joined(runner: Runner, start: int, together: int, count: int) -> TargetResult:
    """Random models as the terms of one, in one form of its query: another one for another start."""
    whole, rows, types = drawn(runner, start, together, count)
    held = Probes(rows, ["random row"] * count).held(whole.features, types)
    reference = Reference.of(whole, held, {name: kind.name for name, kind in types.items()})
    kept, stored, _ = accepted(runner.limits, held.data, reference.operands)
    forms = runner.run(whole, [StoredTable(stored, types)])
    scores = list(itertools.islice(forms, start % 2 + 1))[-1]  # an engine may have one form only
    tried = {kind: sorted({types[f.name].name for f in whole.features if f.type == kind}) for kind in KINDS}
    return changed(compare(runner, scores, reference.take(kept, stored)), columns=tried)


def drawn(
    runner: Runner, start: int, together: int, count: int
) -> tuple[CurveModel, dict[str, np.ndarray], dict[str, ColumnType]]:
    """The model of a joined batch, its rows and the types of its columns."""
    terms: list[Term] = []
    rows: dict[str, np.ndarray] = {}
    number = 0
    for seed_of_model in itertools.count(10 * together * start):
        model, table = one(seed_of_model, count)
        names = {feature.name: f"m{number}_{feature.name}" for feature in model.features}
        renamed = model.rename(names)
        if not takes(runner, renamed):  # a name or a level that the engine cannot hold: the next model instead
            continue
        terms += renamed.terms
        rows |= {new: table[old] for old, new in names.items()}
        number += 1
        if number == together:
            break
    random = np.random.default_rng(start)
    whole = CurveModel("joined", terms, 0.5, str(random.choice(list(LINKS))))
    kinds = runner.column_types()
    return whole, rows, {f.name: kinds[f.type][random.integers(len(kinds[f.type]))] for f in whole.features}


def takes(runner: Runner, model: CurveModel) -> bool:
    """Whether the engine's dialect has a text for the model."""
    if not isinstance(runner, SqlRunner):
        return True
    try:
        curvec.emit(model, "sql", runner.dialect, form="select", table="t")
    except UnsupportedError:
        return False
    return True


def one(start: int, count: int) -> tuple[CurveModel, Mapping[str, np.ndarray]]:
    """A random model and rows of it."""
    found: list[tuple[CurveModel, Mapping[str, np.ndarray]]] = []

    @seed(start)
    @settings(max_examples=2, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=HealthCheck)
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        model = data.draw(models()).drop_unused()
        found.append((model, data.draw(random_rows(model, count))))

    draw()
    return found[-1]  # the first is the plainest one


def batch(runner: Runner, start: int, results: list[TargetResult], pairs: int, count: int) -> None:
    """Some tens of random models, until there are so many pairs."""

    @seed(start)
    @settings(phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        model = data.draw(models())
        table = data.draw(random_rows(model, count))
        if sum(result.rows for result in results) < pairs:
            results.append(run(runner, model, Probes(table, ["random row"] * count), named=False))

    draw()


if __name__ == "__main__":
    sys.exit(main())
