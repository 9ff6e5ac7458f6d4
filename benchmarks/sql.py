# ruff: noqa: S608  the statements are made of names of this file
"""Scoring in SQL: the emitted query against the plainest hand-written forms, and against a forest as SQL.

    python benchmarks/sql.py [--engines duckdb,sqlite,postgres,spark] [--parts shapes,6,31]
    python benchmarks/sql.py --engines sqlite,postgres,mariadb --parts nested,levels

Each engine scores the same table in one run; time is the processor time of the process that does it, the least of a
few runs, and only the ratios mean anything. The hand-written forms add no cast, no value for what is missing and no
guard: they are what an engine can do at best. On Spark the processor time of the tasks is compared; that of the whole
query, with planning and Java's compilers, stands beside it. Spark makes one plan of a sum and of a column a curve, and
one of the emitted query, expression and view: their figures tell how much equal queries differ.

The forests have 300 rounds of 6 or 31 leaves, each tree on one feature. Their SQL is a plain CASE a tree, and what
orbital writes of the same scikit-learn object that curvec reads. Rows a second are those after the first: seconds over
few rows tell what parsing and planning cost. The means show that all forms score the same. A query of more than 300
seconds is given up.

nested: a curve of a sum of a curve of a sum, eight deep. levels: 100,000 levels in a table with an index, which the
query joins.
"""

from __future__ import annotations

import argparse
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from engines import FEATURES, FEW, Engine, opened, table
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.pipeline import Pipeline

import curvec
from curvec import CurveModel, EnumCurve, PWLCurve, Sum
from curvec.contract import segments
from curvec.parity.runners import RUNNERS

ROWS = {"duckdb": 300_000, "sqlite": 50_000, "postgres": 300_000, "mariadb": 50_000, "spark": 3_000_000}
"""On Spark enough of them that compiling a query is a small part of it."""
SLOW = 60.0
"""Seconds after which a query is not run again; one that takes them over few rows is run over a tenth of the rows."""


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


def ends(column: str, curve: Any, number: Callable[[float], str]) -> str:
    """The CASE searched by halves, the curve's ends no sooner than what lies between them."""
    tests = [f"{column} <= {number(curve.x[0])}", *(f"{column} < {number(x)}" for x in curve.x[1:])]
    values = [number(curve.y[0]), *(line(column, curve, k, number) for k in range(len(curve.slope)))]

    def search(low: int, high: int) -> str:
        if low == high:
            return values[low] if low < len(values) else number(curve.y[-1])
        middle = (low + high) // 2
        return f"CASE WHEN {tests[middle]} THEN {search(low, middle)} ELSE {search(middle + 1, high)} END"

    return search(0, len(tests))


def literal(value: float, engine: str) -> str:
    """A double."""
    text = repr(float(value))
    return f"{text if 'e' in text else f'{text}e0'}{'::float8' if engine == 'postgres' else ''}"


def by_hand(model: CurveModel, engine: str) -> dict[str, str]:
    """The hand-written forms: one expression, or a column a curve that is added afterwards."""

    def number(value: float) -> str:
        return literal(value, engine)

    curves = [(term.input, segments(term.points, term.fx)) for term in model.terms if isinstance(term, PWLCurve)]
    forms = {}
    for name, form in (("flat", flat), ("halves", halves), ("halves, ends last", ends)):
        texts = [form(column, curve, number) for column, curve in curves]
        forms[f"{name}, one sum"] = f"SELECT {number(model.intercept)} + {' + '.join(texts)} AS score FROM scored"
        made = ", ".join(f"{text} AS t{k}" for k, text in enumerate(texts))
        added = " + ".join(f"t{k}" for k in range(len(texts)))
        forms[f"{name}, a column each"] = (
            f"SELECT {number(model.intercept)} + {added} AS score FROM (SELECT {made} FROM scored) c"
        )
        if engine == "spark":  # which looks for a NULL before every operation on what can be one
            texts = [form(f"COALESCE({column}, DOUBLE('NaN'))", curve, number) for column, curve in curves]
            forms[f"{name}, no NULL"] = f"SELECT {number(model.intercept)} + {' + '.join(texts)} AS score FROM scored"
    return forms


def forest_sql(teacher: HistGradientBoostingRegressor, engine: str) -> str:
    """The forest as SQL: a nested CASE a tree, summed in groups."""
    suffix = "::float8" if engine == "postgres" else ""

    def tree(nodes: Any, at: int) -> str:
        node = nodes[at]
        if node["is_leaf"]:
            return f"({literal(node['value'], engine)})"
        test = f"{FEATURES[node['feature_idx']]} <= ({float(node['num_threshold']):.17e}{suffix})"
        return f"CASE WHEN {test} THEN {tree(nodes, node['left'])} ELSE {tree(nodes, node['right'])} END"

    trees = [tree(round_[0].nodes, 0) for round_ in teacher._predictors]  # noqa: SLF001  the trees themselves
    groups = [" + ".join(trees[first : first + 25]) for first in range(0, len(trees), 25)]
    base = float(np.ravel(teacher._baseline_prediction)[0])  # noqa: SLF001
    return f"SELECT ({base:.17e}{suffix}) + ({') + ('.join(groups)}) AS score FROM scored"


def orbital_sql(teacher: HistGradientBoostingRegressor, engine: str, **options: Any) -> str:
    """The forest's SQL as orbital writes it; it knows Spark's dialect as Databricks'."""
    import orbital  # noqa: PLC0415  a peer, which need not be there
    from orbital import types  # noqa: PLC0415

    columns = {name: types.DoubleColumnType() for name in FEATURES}
    pipeline = orbital.parse_pipeline(Pipeline([("forest", teacher)]), features=columns)
    dialect = {"spark": "databricks"}.get(engine, engine)
    return str(orbital.export_sql("scored", pipeline, dialect=dialect, **options))


def shapes(engine: Engine) -> None:
    """The emitted query against the hand-written forms."""
    for count in (6, 32):
        random = np.random.default_rng(4)
        model = CurveModel("curves", [PWLCurve(name, points(random, count)) for name in FEATURES], 0.1)
        view = curvec.emit(model, "sql", engine.name, form="view", table="scored").partition(" AS\n")[2]
        texts = {
            **by_hand(model, engine.name),
            "emitted": curvec.emit(model, "sql", engine.name, form="select", table="scored"),
            "emitted, expression": f"SELECT {curvec.emit(model, 'sql', engine.name)} AS score FROM scored",
            "emitted, as a view": view,
        }
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in texts}
        for _ in range(9 if engine.name == "spark" else 7):  # alternating; Java compiles in the first ones
            for name, text in texts.items():
                taken[name].append(engine.scoring(text))
        least = {name: [min(seconds) for seconds in zip(*runs[1:], strict=True)] for name, runs in taken.items()}
        fastest = min(scoring for name, (scoring, _) in least.items() if not name.startswith("emitted"))
        print(f"\n{engine.name}: 20 curves of {count} points\n")
        print("| form | seconds | times | rows/s | seconds of the whole query |\n|---|---:|---:|---:|---:|")
        for name, (scoring, whole) in least.items():
            times, rate = scoring / fastest, engine.rows / scoring
            print(f"| {name} | {scoring:.3f} | {times:.2f} | {rate:,.0f} | {whole:.2f} |", flush=True)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a query costs: seconds before its first row, seconds a row, and the mean of what it gives."""

    start: float
    each: float
    mean: float


def cost(engine: Engine, query: str, column: str) -> Cost:
    """The cost of a query, from its seconds over few rows and over all of them."""
    few, mean = repeated(lambda: engine.seconds(query, column, "few"))
    source, rows = ("tenth", engine.tenth) if few > SLOW else ("scored", engine.rows)
    whole, _ = repeated(lambda: engine.seconds(query, column, source))
    each = (whole - few) / (rows - FEW) if whole > few else whole / rows
    return Cost(max(few - FEW * each, 0.0), each, mean / FEW)


def repeated(run: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    """The least seconds of four runs, or of as many as begin within SLOW seconds, and what the first one gave."""
    found = [run()]
    while len(found) < 4 and sum(seconds for seconds, _ in found) < SLOW:
        found.append(run())
    return min(seconds for seconds, _ in found), found[0][1]


@cache
def forest(leaves: int) -> tuple[HistGradientBoostingRegressor, CurveModel, CurveModel]:
    """A forest of 300 rounds, each tree on one feature; its lossless steps; the curves that it is distilled to."""
    random = np.random.default_rng(2)
    x = random.normal(0, 1, (3000, len(FEATURES)))
    y = np.sin(x).sum(axis=1) + random.normal(0, 0.3, len(x))
    teacher = HistGradientBoostingRegressor(
        max_iter=300, max_leaf_nodes=leaves, interaction_cst="no_interactions", early_stopping=False
    ).fit(x, y)
    for (tree,) in teacher._predictors:  # noqa: SLF001  the trees themselves
        tree.nodes["missing_go_to_left"] = 0  # no row is missing, and orbital refuses a forest that says left
    frame = pd.DataFrame(x, columns=FEATURES)
    steps = curvec.read_teacher(teacher, frame)
    return teacher, steps, curvec.distill(steps, frame, overrides={"fx": "identity"}).model


def forests(engine: Engine, leaves: int) -> None:
    """The emitted query of the distilled curves, and of the lossless steps, against the forest that they come from."""
    teacher, steps, curves = forest(leaves)
    texts: dict[str, Callable[[], str]] = {
        "emitted curves": lambda: curvec.emit(curves, "sql", engine.name, form="select", table="scored"),
        "emitted steps, lossless": lambda: curvec.emit(steps, "sql", engine.name, form="select", table="scored"),
        "emitted curves, expression": lambda: f"SELECT {curvec.emit(curves, 'sql', engine.name)} AS score FROM scored",
        "a CASE a tree": lambda: forest_sql(teacher, engine.name),
        "orbital": lambda: orbital_sql(teacher, engine.name),
        "orbital, separate_trees": lambda: orbital_sql(teacher, engine.name, separate_trees=True),
    }
    right = float(np.mean(teacher.predict(table(engine.rows)[:FEW].to_numpy())))
    print(f"\n{engine.name}: a forest of 300 rounds of {leaves} leaves on 20 features, {engine.rows:,} rows\n")
    print("| form | bytes | rows/s | slower than curves | than steps | seconds before the first row | mean is off by |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    found: list[Cost] = []
    for name, text in texts.items():
        column = "score" if "orbital" not in name else {"spark": "`variable`"}.get(engine.name, '"variable"')
        try:
            query = text()
            taken = cost(engine, query, column)
        except TimeoutError as error:
            print(f"| {name} | given up: {error} |", flush=True)
            break  # the engine may still be at it, and what comes next is the same in another form
        except Exception as error:  # noqa: BLE001  an engine that refuses a form says so in the table
            print(f"| {name} | refused: {reason(error)} |", flush=True)
            continue
        found.append(taken)
        times = " | ".join(f"{taken.each / base.each:.1f}" for base in (found * 2)[:2])
        off = abs(taken.mean - right)
        print(
            f"| {name} | {len(query):,} | {1 / taken.each:,.0f} | {times} | {taken.start:.2f} | {off:.1e} |", flush=True
        )


def nested(engine: Engine) -> None:
    """Curves of sums of curves: the cost of each depth."""
    print(f"\n{engine.name}: curves of sums of curves, {engine.rows:,} rows\n")
    print("| depth | bytes | seconds | the first one's |\n|---:|---:|---:|---:|")
    random, first = np.random.default_rng(4), 0.0
    curve = PWLCurve(FEATURES[0], points(random))
    for depth in range(1, 9):
        curve = PWLCurve(Sum([curve, PWLCurve(FEATURES[depth], points(random))]), points(random))
        text = curvec.emit(CurveModel("nested", [curve]), "sql", engine.name, form="select", table="scored")
        seconds, _ = repeated(lambda text=text: engine.seconds(text))
        first = first or seconds
        print(f"| {depth} | {len(text):,} | {seconds:.2f} | {seconds / first:.1f} |", flush=True)


def levels(engine: Engine) -> None:
    """A categorical of 100,000 levels, as a table of its own."""
    count = 100_000
    model = CurveModel("levels", [EnumCurve("zip", {f"{k:06}": k / 7 for k in range(count)}, default=0.5)])
    runner: Any = RUNNERS[engine.name]
    rows = np.random.default_rng(5).integers(0, count + 9, engine.rows)
    engine.session.load("homes", [runner.column("zip", "str", [f"{k:06}" for k in rows.tolist()])])
    columns = {
        "categorical": ("int", [1] * count),
        "text_level": ("str", list(model.terms[0].levels)),
        "number_level": ("int", [None] * count),
        "value": ("number", [k / 7 for k in range(count)]),
    }
    engine.session.load("known", [runner.column(name, kind, values) for name, (kind, values) in columns.items()])
    cursor = getattr(engine.session, "cursor", None) or engine.session.connection
    cursor.execute(f"CREATE INDEX by_level ON known (categorical, text_level{'(20)' * (engine.name == 'mariadb')})")
    text = curvec.emit(model, "sql", engine.name, form="select", table="homes", levels="known")
    seconds, total = repeated(lambda: engine.seconds(text))
    right = sum(k / 7 if k < count else 0.5 for k in rows.tolist())
    print(
        f"\n{engine.name}: 100,000 levels, {engine.rows:,} rows: {seconds:.2f} s, {1e6 * seconds / engine.rows:.1f} "
        f"microseconds a row, sum off by {abs(total / right - 1):.0e}",
        flush=True,
    )


def reason(error: Exception) -> str:
    """An error on one line; of one that Java passed on, its cause."""
    causes = re.findall(r"Caused by: ([\w.$]+(?:: [^\n]*)?)", str(error)) or re.findall(
        r"java\.lang\.\w+Error", str(error)
    )
    return causes[-1][:120] if causes else f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"


PARTS = {"shapes": shapes, "nested": nested, "levels": levels}


def main() -> None:
    """Read the command line, run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default=",".join(ROWS))
    parser.add_argument("--parts", default="shapes,6,31", help="shapes, nested, levels; forests of so many leaves")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in chosen.engines.split(","):
        if (need := RUNNERS[name].needs()) is not None:
            print(f"{name}: {need}")
            continue
        with opened(name) as engine:
            engine.load(ROWS[name])
            for part in chosen.parts.split(","):
                if part in PARTS:
                    PARTS[part](engine)
                else:
                    forests(engine, int(part))


if __name__ == "__main__":
    main()
