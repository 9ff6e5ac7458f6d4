"""What a distilled model is worth as the start of an optimisation of all y (Ravina et al. 2021, section 4).

    python benchmarks/paper_start.py DATA [--folds 0 1 2 3 4] [--segments 5]

A GAM forest of eight bags is distilled; its y values, and zeros with the intercept at the labels' mean, are then the
start of the same descent on the same loss: the curves' knots are the distilled model's in both. Printed are the steps
of Adadelta (batches of 256 rows) and of Newton's method (all rows, the least ridge that refine tries) after which the
training loss is within 1 and within 0.1 percent of the least. DATA is as paper_sets.py says.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from paper_sets import TASKS, Array, Part, Task
from paper_sgd import descend
from paper_teachers import forest
from rich.console import Console
from rich.table import Table

import curvec
from curvec.parameters.constraints import constraints_of, penalty
from curvec.parameters.design import blocks, parameters
from curvec.refine.losses import loss_on
from curvec.refine.ridge_choice import RIDGES
from curvec.refine.solve import Problem

SHARES = (0.01, 0.001)
STEPS = 12000


def problem(task: Task, train: Part, segments: int) -> tuple[Problem, Array]:
    """What is minimised, and the distilled model's y values."""
    bags = forest(task, train, depth=3, interacting=False, bags=8, rounds=1500, rate=0.05, say=lambda _: None)
    model = curvec.distill(curvec.read_teacher(bags, train.rows), train.rows, num_segments=segments).model
    start, parts, table = parameters(model), blocks(model, model.table(train.rows)), model.table(train.rows)
    loss = loss_on(task.loss, model.link, train.y, None, None)
    ridge = loss.scale(model.eval(train.rows)) * penalty(parts, len(start))
    return Problem(model, table, loss, constraints_of(parts, len(start), None, {}), ridge), start


def newton(asked: Problem, start: Array, level: float) -> int:
    """Steps after which the loss is no more than ``level``."""
    theta, steps = start, 0
    while asked.loss.value(asked.score(theta)) > level and steps < 100:
        gradient = asked.gradient(theta) + RIDGES[-1] * (asked.penalty @ theta)
        theta = theta + asked.descent(theta, gradient, asked.curvature(theta), RIDGES[-1])
        steps += 1
    return steps


def adadelta(asked: Problem, train: Part, start: Array, levels: list[float]) -> list[float]:
    """Steps after which the loss is no more than each level; infinite if none is."""
    basis = asked.derivative(start).toarray().astype(np.float32)
    everything = np.arange(len(train.y))
    looks = descend(basis, asked.loss, train, everything, start, STEPS, 256, 0, looks=600)
    losses = np.array([asked.loss.value(asked.score(theta)) for theta in [start, *looks]])
    steps = np.arange(len(losses)) * (STEPS // len(looks))
    return [float(steps[np.argmax(losses <= level)]) if (losses <= level).any() else np.inf for level in levels]


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--segments", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    found = []
    for name in ("compas", "fico"):
        for number in arguments.folds:
            train = TASKS[name].fold(arguments.data, number).train
            asked, distilled = problem(TASKS[name], train, arguments.segments)
            zero = np.zeros(len(distilled))
            mean = train.y.mean()
            zero[-1] = np.log(mean / (1 - mean)) if TASKS[name].link == "logit" else mean
            least = asked.loss.value(asked.score(asked.solve(RIDGES[-1], zero, distilled)[0]))
            levels = [least * (1 + share) for share in SHARES]
            for label, start in (("distilled", distilled), ("zero", zero)):
                rest = [*adadelta(asked, train, start, levels), *(newton(asked, start, level) for level in levels)]
                first = asked.loss.value(asked.score(start)) / least - 1
                found.append((name, label, first, *rest))
                print(name, number, found[-1], flush=True)
    names = [
        "set",
        "start",
        "loss above the least, at first",
        *(f"{m}, {s:.1%}" for m in ("Adadelta", "Newton") for s in SHARES),
    ]
    means = pd.DataFrame(found, columns=names).groupby(["set", "start"], sort=False).mean()
    table = Table(title=f"steps, mean of {len(arguments.folds)} folds, {arguments.segments} segments")
    for header in names:
        table.add_column(header, justify="right")
    for place, row in means.iterrows():
        table.add_row(*place, f"{row.iloc[0]:.2%}", *(f"{value:.1f}" for value in row.iloc[1:]))
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
