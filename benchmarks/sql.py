# ruff: noqa: S608  the statements are made of names of this file
"""Scoring in SQL: the emitted query against the plainest hand-written forms, and against a forest as SQL.

    python benchmarks/sql.py [--engines duckdb,sqlite,postgres,spark] [--large]

Each engine scores the same table in one run; time is the processor time of the process that does it, the least of a
few alternating runs, and only the ratios mean anything. The hand-written forms add no cast, no test for missing values
and no guard: they are what an engine can do at best. The forest has 300 rounds; orbital writes its SQL where it is
installed, for a forest of stumps, the only additive one that it takes. ``--large`` runs models of 1,000 curves, of
10,000 categories and of a forest's every step on each engine, and holds every bit against the reference.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve
from curvec.contract import segments
from curvec.parity.runners import RUNNERS
from curvec.parity.runners.sql import TableColumn

FEATURES = [f"x{k}" for k in range(20)]
ROWS = {"duckdb": 300_000, "sqlite": 50_000, "postgres": 150_000, "spark": 300_000}
TICK = os.sysconf("SC_CLK_TCK")


def points(random: np.random.Generator, count: int = 6) -> list[tuple[float, float]]:
    """A curve's points, to four digits."""
    x = np.unique(random.normal(0, 1, count).round(4))
    return list(zip(x.tolist(), random.normal(0, 1, len(x)).round(4).tolist(), strict=True))


def flat(column: str, curve: Any, number: Callable[[float], str]) -> str:
    """The plainest CASE: one arm a segment, nothing for missing values."""
    arms = [f"WHEN {column} <= {number(curve.x[0])} THEN {number(curve.y[0])}"]
    arms += [
        f"WHEN {column} < {number(curve.x[k + 1])} THEN {line(column, curve, k, number)}"
        for k in range(len(curve.slope))
    ]
    return f"CASE {' '.join(arms)} ELSE {number(curve.y[-1])} END"


def line(column: str, curve: Any, k: int, number: Callable[[float], str]) -> str:
    """The curve on its k-th segment."""
    return f"{number(curve.y[k])} + ({number(curve.slope[k])}) * ({column} - ({number(curve.x[k])}))"


def halves(column: str, curve: Any, number: Callable[[float], str]) -> str:
    """The CASE searched by halves."""

    def search(low: int, high: int) -> str:
        if high - low == 1:
            return line(column, curve, low, number)
        middle = (low + high) // 2
        return (
            f"CASE WHEN {column} < {number(curve.x[middle])} THEN {search(low, middle)} ELSE {search(middle, high)} END"
        )

    first, last = f"WHEN {column} <= {number(curve.x[0])} THEN {number(curve.y[0])}", number(curve.y[-1])
    return f"CASE {first} WHEN {column} < {number(curve.x[-1])} THEN {search(0, len(curve.slope))} ELSE {last} END"


def by_hand(model: CurveModel, engine: str) -> dict[str, str]:
    """The hand-written forms: one expression, or a column a curve that is added afterwards."""
    suffix = "::float8" if engine == "postgres" else ""

    def number(value: float) -> str:
        return f"{float(value)!r}e0{suffix}" if "e" not in repr(float(value)) else f"{float(value)!r}{suffix}"

    curves = [(term.input, segments(term.points, term.fx)) for term in model.terms if isinstance(term, PWLCurve)]
    forms = {}
    for name, form in (("flat", flat), ("halves", halves)):
        texts = [form(column, curve, number) for column, curve in curves]
        forms[f"{name}, one sum"] = f"SELECT {number(model.intercept)} + {' + '.join(texts)} AS score FROM scored"
        made = ", ".join(f"{text} AS t{k}" for k, text in enumerate(texts))
        added = " + ".join(f"t{k}" for k in range(len(texts)))
        forms[f"{name}, a column each"] = (
            f"SELECT {number(model.intercept)} + {added} AS score FROM (SELECT {made} FROM scored) c"
        )
    return forms


def forest_sql(teacher: HistGradientBoostingRegressor, engine: str) -> str:
    """The forest as SQL: a nested CASE a tree, summed in groups."""
    suffix = "::float8" if engine == "postgres" else ""

    def tree(nodes: Any, at: int) -> str:
        node = nodes[at]
        if node["is_leaf"]:
            return f"({float(node['value'])!r}e0{suffix})".replace("e-", "E-").replace(
                "e0", "" if "e-" in repr(float(node["value"])) else "e0"
            )
        test = f"{FEATURES[node['feature_idx']]} <= ({float(node['num_threshold']):.17e}{suffix})"
        return f"CASE WHEN {test} THEN {tree(nodes, node['left'])} ELSE {tree(nodes, node['right'])} END"

    trees = [tree(round_[0].nodes, 0) for round_ in teacher._predictors]  # noqa: SLF001  the trees themselves
    groups = [" + ".join(trees[first : first + 25]) for first in range(0, len(trees), 25)]
    base = float(np.ravel(teacher._baseline_prediction)[0])  # noqa: SLF001
    return f"SELECT ({base:.17e}{suffix}) + ({') + ('.join(groups)}) AS score FROM scored"


def orbital_sql(teacher: GradientBoostingRegressor, engine: str) -> str | None:
    """The forest's SQL as orbital writes it; None where it is not installed."""
    try:
        import orbital  # noqa: PLC0415
        from orbital import types  # noqa: PLC0415
        from sklearn.pipeline import Pipeline  # noqa: PLC0415
    except ImportError:
        return None
    columns = {name: types.DoubleColumnType() for name in FEATURES}
    pipeline = orbital.parse_pipeline(Pipeline([("forest", teacher)]), features=columns)
    return str(orbital.export_sql("scored", pipeline, dialect=engine))


class Engine:
    """An engine with the table ``scored``, its processor time, and queries that are run for their sum."""

    def __init__(self, name: str, session: Any) -> None:
        self.name, self.session = name, session
        self.process = os.getpid()
        if name == "duckdb":
            session.connection.execute("SET threads = 1")
        if name == "postgres":
            self.process = next(iter(session.query("SELECT pg_backend_pid()")))[0]
        if name == "spark":
            self.process = int(session.spark._jvm.java.lang.ProcessHandle.current().pid())  # noqa: SLF001

    def load(self, rows: int) -> None:
        """Random rows; each value is one that its column's curve bends at, or between."""
        values = np.random.default_rng(9).normal(0, 1, (rows, len(FEATURES)))
        if self.name == "duckdb":
            frame = pd.DataFrame(values, columns=FEATURES)
            self.session.connection.register("frame", frame)
            self.session.connection.execute("CREATE TABLE scored AS SELECT * FROM frame")
        elif self.name == "spark":
            frame = pd.DataFrame(values, columns=FEATURES)
            self.session.spark.createDataFrame(frame).coalesce(1).cache().createOrReplaceTempView("scored")
        else:
            self.session.load(
                "scored", [TableColumn(n, "number", values[:, k].tolist()) for k, n in enumerate(FEATURES)]
            )

    def seconds(self, query: str, column: str = "score") -> float:
        """Processor seconds of one sum over the query."""
        before = self.clock()
        list(self.session.query(f"SELECT SUM({column}) FROM ({query}) q"))
        return self.clock() - before

    def clock(self) -> float:
        """Processor seconds that the engine's process has had."""
        if self.process == os.getpid():
            return time.process_time()
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK


def measure(engine: Engine, queries: dict[str, tuple[str, str]], rounds: int) -> dict[str, float]:
    """The least seconds of each query over alternating rounds, the first of which warms the engine."""
    best = dict.fromkeys(queries, float("inf"))
    for turn in range(rounds + 1):
        for name, (query, column) in queries.items():
            try:
                taken = engine.seconds(query, column)
            except Exception as error:  # noqa: BLE001  an engine that refuses a form says so in the table
                print(f"  {name}: {type(error).__name__}: {str(error)[:100]}")
                best[name] = float("nan")
                continue
            if turn:
                best[name] = min(best[name], taken)
    return best


def shapes(engine: Engine, rows: int) -> None:
    """The emitted query against the hand-written forms."""
    for count in (6, 32):
        random = np.random.default_rng(4)
        model = CurveModel("curves", [PWLCurve(name, points(random, count)) for name in FEATURES], 0.1)
        emitted = {
            "emitted": curvec.emit(model, "sql", engine.name, form="select", table="scored"),
            "emitted, expression": f"SELECT {curvec.emit(model, 'sql', engine.name)} AS score FROM scored",
            "emitted, as a view": curvec.emit(model, "sql", engine.name, form="view", table="scored").split(" AS\n", 1)[
                1
            ],
        }
        queries = {name: (text, "score") for name, text in {**by_hand(model, engine.name), **emitted}.items()}
        taken = measure(engine, queries, 3)
        fastest = min(value for name, value in taken.items() if not name.startswith("emitted") and not np.isnan(value))
        report(f"{engine.name}: 20 curves of {count} points", taken, fastest, rows)


def forests(engine: Engine, rows: int) -> None:
    """The emitted query of the distilled curves against the forest that they were distilled from."""
    random = np.random.default_rng(2)
    x = pd.DataFrame(random.normal(0, 1, (3000, len(FEATURES))), columns=FEATURES)
    y = np.sin(x).sum(axis=1) + random.normal(0, 0.3, len(x))
    hist = HistGradientBoostingRegressor(max_iter=300, interaction_cst="no_interactions", early_stopping=False).fit(
        x, y
    )
    stumps = GradientBoostingRegressor(n_estimators=300, max_depth=1).fit(x.to_numpy(), y)
    curves = curvec.distill(hist, x, fx="identity", progress=False).model
    queries = {"emitted curves": (curvec.emit(curves, "sql", engine.name, form="select", table="scored"), "score")}
    exact = curvec.read_teacher(hist, x)
    queries["emitted steps, lossless"] = (
        curvec.emit(exact, "sql", engine.name, form="select", table="scored"),
        "score",
    )
    queries["forest of 300 trees"] = (forest_sql(hist, engine.name), "score")
    if (text := orbital_sql(stumps, engine.name)) is not None:
        queries["orbital, 300 stumps"] = (text, '"variable"' if engine.name != "spark" else "`variable`")
    taken = measure(engine, queries, 1 if engine.name == "spark" else 2)
    sizes = {name: len(text) for name, (text, _) in queries.items()}
    report(f"{engine.name}: a forest of 300 rounds on 20 features", taken, taken["emitted curves"], rows, sizes)


def report(title: str, taken: dict[str, float], unit: float, rows: int, sizes: dict[str, int] | None = None) -> None:
    """A table in Markdown."""
    print(f"\n{title}\n\n| form | seconds | times | rows/s |" + (" bytes |" if sizes else ""))
    print("|---|---:|---:|---:|" + ("---:|" if sizes else ""))
    for name, value in taken.items():
        size = f" {sizes[name]:,} |" if sizes else ""
        print(f"| {name} | {value:.3f} | {value / unit:.2f} | {rows / value:,.0f} |{size}", flush=True)


def large(engines: Sequence[str]) -> None:
    """The three large models on each engine, against the reference."""
    random = np.random.default_rng(0)
    thousand = CurveModel(
        "a thousand", [PWLCurve(f"x{k}", points(random), missing=0.1) for k in range(1000)], 0.5, "logit"
    )
    levels = EnumCurve("c", {f"level {k}": k / 7 for k in range(10_000)}, 0.5, 1.5)
    categories = CurveModel("categories", [levels, EnumCurve("n", {3 * k: k / 11 for k in range(10_000)}, 0.5)])
    x = pd.DataFrame(random.normal(0, 1, (3000, 20)), columns=FEATURES)
    teacher = HistGradientBoostingRegressor(max_iter=300, interaction_cst="no_interactions", early_stopping=False)
    steps = curvec.read_teacher(teacher.fit(x, np.sin(x).sum(axis=1)), x)
    for model in (thousand, categories, steps):
        for name in engines:
            check = curvec.check(model, targets=[name])
            print(
                f"{model.name} on {name}: {'as the reference' if check.ok else 'NOT as the reference'}\n{check}",
                flush=True,
            )


def main() -> None:
    """Read the command line, run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default=",".join(ROWS))
    parser.add_argument("--large", action="store_true", help="the large models, against the reference")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    names = chosen.engines.split(",")
    if chosen.large:
        large(names)
        return
    for name in names:
        if (need := RUNNERS[name].needs()) is not None:
            print(f"{name}: {need}")
            continue
        with ExitStack() as stack:
            engine = Engine(name, stack.enter_context(RUNNERS[name].session()))
            engine.load(ROWS[name])
            shapes(engine, ROWS[name])
            forests(engine, ROWS[name])


if __name__ == "__main__":
    main()
