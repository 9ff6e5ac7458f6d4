"""Distilling with and without its last step, in which all values move together towards the teacher's score.

    python benchmarks/together.py [--data DATA] [--sets compas fico diabetes ...] [--folds 0 1 ...]

DATA is the folder of paper_sets.py, for COMPAS and FICO; the other sets are of packages. The teachers are those of
front.py. By how many percent the loss on new rows changes (mean over folds and its standard error), and what share of
the teacher's variance is lost there, without and with the step, at a margin of 0.1 %.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import front
import numpy as np
from rich.console import Console
from rich.table import Table

import curvec

SEGMENTS = (1, 3, 5)
ALONE: dict[str, Any] = {"learn_ends": True}
"""An option of fit_pwl, at its default: curves that an option shapes stay as they were fitted."""


def losses(task: front.Task, teacher: curvec.CurveModel) -> list[list[float]]:
    """For each number of segments the loss and the share unexplained on new rows, without and with the step."""
    exact = teacher.eval(task.test)
    found = []
    for segments in SEGMENTS:
        models = [
            curvec.distill(teacher, task.train, num_segments=segments, margin=1e-3, overrides=own).model
            for own in (ALONE, {})
        ]
        unexplained = [float(np.var(exact - model.eval(task.test)) / np.var(exact)) for model in models]
        found.append([*(task.loss(model.predict(task.test)) for model in models), *unexplained])
    return found


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sets", nargs="+", default=[*front.SETS, *front.UNSEEN])
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    console = Console(width=130)
    table = Table("set", *(f"{segments} segments" for segments in SEGMENTS))
    for name in arguments.sets:
        tasks = [front.task_of(name, arguments.data, fold) for fold in arguments.folds]
        folds = np.array([losses(task, front.taught(task)) for task in tasks])
        change = 100 * (folds[..., 1] / folds[..., 0] - 1)
        error = np.std(change, axis=0, ddof=1) / np.sqrt(len(tasks))
        means = zip(change.mean(axis=0), error, folds.mean(axis=0)[:, 2:], strict=True)
        table.add_row(name, *(f"{own:+.2f} ± {one:.2f} ({a:.2%}, {b:.2%})" for own, one, (a, b) in means))
    console.print(table)


if __name__ == "__main__":
    main()
