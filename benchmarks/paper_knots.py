"""The distilled model as the start of an optimisation of the y values, then of the knots among round numbers.

    python benchmarks/paper_knots.py DATA [--sets compas fico] [--folds 0 1 2 3 4] [--segments 3] [--sweeps 2]
        [--teachers FOLDER] [--bags 8]

Ravina et al. (2021, section 4) hope for this. The y values are refined by ``curvec.refine``. Then every inner knot in
turn may move to the round numbers (two digits) between its neighbours, its curve answering with its y values each time,
and goes where the training loss is least; after so many sweeps over all curves the y values are refined again. All that
is done from curves, too, whose knots are quantiles and values 0. Printed are the training loss and the metric on the
test rows after each stage, the mean over the folds. FOLDER has teachers that paper.py kept, with so many bags; others
are trained. DATA is as paper_sets.py says.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from paper_sets import TASKS, Array, Fold, Part, Task
from paper_teachers import forest
from rich.console import Console
from rich.table import Table

import curvec
from curvec import CurveModel, Feature, PWLCurve
from curvec.metrics import metric
from curvec.parameters.design import design
from curvec.refine import quantile_model
from curvec.refine.losses import Loss, loss_on

STAGES = ("to begin with", "y refined", "knots moved, y refined")


def teacher_of(task: Task, train: Part, path: Path | None, bags: int) -> CurveModel:
    """The GAM forest: kept, or trained now."""
    if path is not None and path.exists():
        return curvec.load(path)
    trained = forest(task, train, depth=3, interacting=False, bags=bags, rounds=1500, rate=0.05, say=lambda _: None)
    return curvec.read_teacher(trained, train.rows)


def round_numbers(values: Array, low: float, high: float) -> list[float]:
    """Numbers of two digits beside a dozen quantiles of the values between two knots."""
    inside = values[(values > low) & (values < high)]
    if not len(inside):
        return []
    found = {float(f"{x:.1e}") for x in np.quantile(inside, np.linspace(0, 1, 12))}
    return sorted(x for x in found if low < x < high)


def with_knot(curve: PWLCurve, place: int, x: float) -> PWLCurve:
    """The curve with one knot moved, its y what the curve had there."""
    points = list(curve.points)
    points[place] = (x, float(curve(np.array([x]))[0]))
    return PWLCurve(curve.input, points, curve.fx)


def fitted(curve: PWLCurve, rows: pd.DataFrame, rest: Array, loss: Loss) -> tuple[PWLCurve, float, float]:
    """The curve with the y values of the least loss beside the rest of the score; the constant to add, and the loss."""
    alone = CurveModel("curve", [curve])
    basis = design(alone, alone.table(rows))
    theta = np.append(curve.coefficients, 0.0)
    for _ in range(1 if loss.constant else 3):
        curvature = loss.curvature(rest + basis @ theta, basis)
        hessian = curvature + 1e-6 * np.diag(np.diag(curvature) + curvature.max())
        theta = theta - np.linalg.solve(hessian, basis.T @ loss.gradient(rest + basis @ theta))
    return curve.with_coefficients(theta[:-1].tolist()), float(theta[-1]), loss.value(rest + basis @ theta)


def with_moved_knots(model: CurveModel, rows: pd.DataFrame, loss: Loss, sweeps: int) -> tuple[CurveModel, int]:
    """The model with its knots where the loss is least, one after the other, and how many moved."""
    terms, intercept, count = list(model.terms), model.intercept, 0
    score = model.eval(rows)
    least = loss.value(score)
    for _ in range(sweeps):
        before = count
        for number, term in enumerate(terms):
            if not isinstance(term, PWLCurve) or not isinstance(term.input, str):
                continue
            values = rows[term.input].to_numpy(dtype=float)
            for place in range(1, len(term.points) - 1):
                curve = terms[number]
                rest = score - curve(values)
                low, high = curve.points[place - 1][0], curve.points[place + 1][0]
                tries = [
                    fitted(with_knot(curve, place, x), rows, rest, loss)
                    for x in round_numbers(values, low, high)
                    if x != curve.points[place][0]
                ]
                best = min(tries, key=lambda one: one[2], default=None)
                if best is not None and best[2] < least * (1 - 1e-6):
                    terms[number], constant, least = best
                    intercept += constant
                    score = rest + best[0](values) + constant
                    count += 1
        if count == before:
            break
    return CurveModel(model.name, terms, intercept, model.link), count


def stages(task: Task, fold: Fold, start: CurveModel, sweeps: int, *, learned: bool) -> list[tuple[float, float, int]]:
    """Training loss, test metric and moved knots after each stage."""
    train, test = fold.train, fold.test
    loss, judge = loss_on(task.loss, task.link, train.y, None, None), metric(task.metrics[0])
    inverse = curvec.links.link(task.link).inverse

    def seen(model: CurveModel, moved: int = 0) -> tuple[float, float, int]:
        after = judge.of_score(model.eval(test.rows), inverse, test.y, None, None)
        return loss.value(model.eval(train.rows)), float(after), moved

    refined = curvec.refine(start, train.rows, train.y, loss=task.loss, learned=learned).model
    moved, count = with_moved_knots(refined, train.rows, loss, sweeps)
    # The knots have seen all rows: only values that the rows held out had no part in may be judged by these.
    again = curvec.refine(moved, train.rows, train.y, loss=task.loss, learned=True).model
    return [seen(start), seen(refined), seen(again, count)]


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", choices=["compas", "fico"], default=["compas", "fico"])
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--segments", type=int, default=3)
    parser.add_argument("--sweeps", type=int, default=2)
    parser.add_argument("--teachers", type=Path)
    parser.add_argument("--bags", type=int, default=8)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    found = []
    for name in arguments.sets:
        task = TASKS[name]
        for number in arguments.folds:
            fold = task.fold(arguments.data, number)
            kept = arguments.teachers and arguments.teachers / f"{name}-{number}-{arguments.bags}.json"
            exact, rows = teacher_of(task, fold.train, kept, arguments.bags), fold.train.rows
            varied = [
                Feature(one, "int") if one in task.categories else Feature(one) for one in rows if np.ptp(rows[one])
            ]
            zero = quantile_model(rows, varied, num_segments=arguments.segments, link=task.link)
            distilled = curvec.distill(exact, rows, num_segments=arguments.segments).model
            for label, start in (("distilled", distilled), ("quantiles and zeros", zero)):
                began = time.process_time()
                for stage, values in zip(
                    STAGES, stages(task, fold, start, arguments.sweeps, learned=start is distilled), strict=True
                ):
                    found.append((name, label, stage, *values))
                print(name, number, label, found[-3:], f"{time.process_time() - began:.0f} s", flush=True)
    columns = ["set", "start", "stage", "training loss", "test metric", "knots moved"]
    means = pd.DataFrame(found, columns=columns).groupby(columns[:3], sort=False).mean()
    table = Table(title=f"{arguments.segments} segments, mean of {len(arguments.folds)} folds")
    for header in columns:
        table.add_column(header)
    for place, row in means.iterrows():
        table.add_row(*place, *(f"{value:.4f}" for value in row))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
