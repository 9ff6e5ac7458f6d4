"""How much a person has to read, and what it costs: pwlfit, the curves as the search finds them, and the default.

    python benchmarks/readable.py DATA [--sets compas fico hprice2 cps91 gpa2] [--segments 1 2 3 4 5] [--folds 0 1 ...]

DATA is the folder of paper_sets.py. Teachers of the paper's sets are its GAM forests; those of the package's sets
are trained here. Every method gets the same teacher and rows, and at most so many segments. "chars" are the characters
of all numbers of the listing (points, tables, missing and unseen values, intercept), as Python prints them, whole
numbers without ".0"; "fractional" is the share of knots between whole numbers on features whose values all are whole.
"margin 0.001" is the default of a model whose labels are no classes; that of one whose labels are classes may be more.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import paper_sets
import peers
import sets
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

import curvec
from curvec import CurveModel, PWLCurve
from curvec.ir import walk
from curvec.metrics import metric
from curvec.spelling import shortest

Method = Callable[[CurveModel, pd.DataFrame, int], CurveModel]


def as_found(teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """The best curves, at four digits: knots anywhere, nothing left out."""
    asked = {"knots_on": "any"}
    return curvec.distill(teacher, rows, num_segments=segments, overrides=asked, digits=4, margin=0.0).model


def default(teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """What ``distill`` does unasked."""
    return curvec.distill(teacher, rows, num_segments=segments).model


def within_a_thousandth(teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """The same where only 0.1 % of the score's variance may be lost, whatever the labels."""
    return curvec.distill(teacher, rows, num_segments=segments, margin=1e-3).model


def by_pwlfit(teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """google/pwlfit, four digits."""
    return peers.distilled(teacher, rows, peers.CURVES["pwlfit"], segments, mono=False)


@dataclass(frozen=True)
class Problem:
    """A teacher, the rows it was trained on, and rows that it has not seen."""

    teacher: CurveModel
    train: pd.DataFrame
    test: pd.DataFrame
    y: np.ndarray
    metric: str


def problems(name: str, data: Path, folds: list[int]) -> Iterator[Problem]:
    """The folds of one data set."""
    if name in paper_sets.TASKS:
        task = paper_sets.TASKS[name]
        rows = task.rows(data)
        for fold in folds:
            test = rows[rows["fold"] == fold]
            y = test[task.target].to_numpy()
            yield Problem(task.teacher(data, fold), rows[rows["fold"] != fold], test, y, task.metrics[0])
        return
    rows, y = {**sets.CHOSEN, **sets.MORE}[name]()
    classes = set(np.unique(y)) == {0.0, 1.0}
    model = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    place = np.random.default_rng(42).permutation(len(rows)) % 5
    for fold in folds:
        train = rows[place != fold]
        forest = model(interaction_cst="no_interactions", early_stopping=True, random_state=0)
        forest.fit(train, y[place != fold])
        teacher = curvec.read_teacher(forest, train)
        yield Problem(teacher, train, rows[place == fold], y[place == fold], "roc_auc" if classes else "rmse")


def printed(model: CurveModel) -> Iterator[float]:
    """Every number of the listing."""
    yield model.intercept
    for node in walk(*model.terms):
        yield from node.numbers


def measures(problem: Problem, model: CurveModel) -> dict[str, float]:
    """The figures of one distilled model."""
    whole = {name for name in problem.train if (problem.train[name] % 1 == 0).all()}
    curves = [node for term in model.terms for node in walk(term) if isinstance(node, PWLCurve)]
    knots = [x for curve in curves if curve.input in whole for x, _ in curve.points]
    score, exact = model.eval(problem.test), problem.teacher.eval(problem.test)
    judge = metric(problem.metric)
    predicted = score if judge.on == "score" else model.predict(problem.test)
    points = sum(len(curve.points) for curve in curves)
    in_points = sum(len(shortest(v).removesuffix(".0")) for curve in curves for point in curve.points for v in point)
    return {
        "chars": sum(len(shortest(value).removesuffix(".0")) for value in printed(model)),
        "chars/point": in_points / max(points, 1),
        "points": points,
        "numbers": model.numbers_to_read,
        "fractional": float(np.mean([x % 1 != 0 for x in knots])) if knots else 0.0,
        "unexplained": float(np.mean((score - exact) ** 2) / np.var(exact)),
        **({"log_loss": metric("log_loss")(problem.y, model.predict(problem.test))} if model.link == "logit" else {}),
        problem.metric: judge(problem.y, predicted),
    }


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=["compas", "fico", "hprice2", "cps91", "gpa2"])
    parser.add_argument("--segments", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    arguments = parser.parse_args()
    methods: dict[str, Method] = {"as found": as_found, "margin 0.001": within_a_thousandth, "default": default}
    if importlib.util.find_spec("pwlfit") is None:
        print("pwlfit cannot be imported: left out")
    else:
        methods = {"pwlfit": by_pwlfit, **methods}
    console = Console(width=120)
    for name in arguments.sets:
        cells: dict[tuple[int, str], list[dict[str, float]]] = defaultdict(list)
        for problem in problems(name, arguments.data, arguments.folds):
            for segments in arguments.segments:
                for method, distil in methods.items():
                    model = distil(problem.teacher, problem.train, segments)
                    cells[segments, method].append(measures(problem, model))
        table = Table(title=f"{name}, mean of {len(arguments.folds)} folds")
        headers = list(next(iter(cells.values()))[0])
        for header in ("segments", "method", *headers, "± (s.e.)"):
            table.add_column(header, justify="left" if header == "method" else "right")
        for (segments, method), found in cells.items():
            means = [f"{np.mean([fold[header] for fold in found]):.4g}" for header in headers]
            error = np.std([fold[headers[-1]] for fold in found], ddof=1) / np.sqrt(len(found))
            table.add_row(str(segments), method, *means, f"{error:.4f}")
        console.print(table)


if __name__ == "__main__":
    main()
