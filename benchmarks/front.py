"""Loss on new rows against the numbers that a person has to read: curvec at several sizes, and what else there is.

    python benchmarks/front.py RESULTS [--data DATA] [--sets compas fico diabetes ...] [--folds 0 1 ...] [--quick]

RESULTS is a file of one JSON line a run; what it has already is not run again. DATA is the folder of paper_sets.py, for
COMPAS and FICO; the other sets are of packages. A point is two numbers, a line one, a level or a bin two, a yes/no
one, a tree of L leaves 2 L - 1, the intercept one. curvec's teacher is the mean of eight boosted forests without
interactions, each stopped early on its own held-out rows. At a size every method shows its largest model that is no
larger. "on the front": within two paired standard errors of the best method at the size.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import paper_sets
import sets
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import Lasso, LogisticRegression, RidgeCV, lars_path
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import curvec

SIZES = (8, 12, 20, 30, 40, 60, 100)
BAGS = 8
Array = npt.NDArray[np.float64]
Run = tuple[int, Array]
"""The numbers to read of a model, and its predictions for the new rows."""

SETS = ("compas", "fico", "diabetes", "breast_cancer", "401ksubs", "hprice2", "cps91", "econmath")
UNSEEN = ("loanapp", "bwght2_c")
"""Sets that were not looked at while curvec was made."""


@dataclass(frozen=True)
class Task:
    """Training rows and new ones; ``classes`` says whether the labels are 0 and 1."""

    train: pd.DataFrame
    y: Array
    test: pd.DataFrame
    truth: Array
    classes: bool

    def loss(self, predicted: Array) -> float:
        """Log loss, or root mean squared error."""
        if self.classes:
            return float(log_loss(self.truth, np.clip(predicted, 1e-6, 1 - 1e-6)))
        return float(np.sqrt(np.mean((self.truth - predicted) ** 2)))

    def plain(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """All columns as numbers, a category as a yes/no a level but the first; training rows, then new ones."""
        both = pd.get_dummies(pd.concat([self.train, self.test]), drop_first=True, dtype=float)
        return both.iloc[: len(self.train)], both.iloc[len(self.train) :]


def task_of(name: str, data: Path | None, fold: int) -> Task:
    """One fold of a set."""
    if name in paper_sets.TASKS:
        if data is None:
            raise SystemExit(f"{name} needs --data, the folder that paper_sets.py reads")
        own = paper_sets.TASKS[name]
        rows = own.rows(data)
        y, out = rows[own.target].to_numpy(dtype=float), (rows["fold"] == fold).to_numpy()
        rows = rows.drop(columns=[own.target, "fold"])
        rows = rows.astype(dict.fromkeys(own.categories, "category"))
    else:
        rows, y = {**sets.CHOSEN, **sets.MORE}[name]()
        out = np.random.default_rng(7).permutation(len(rows)) % 5 == fold
    train, test = (rows[part].reset_index(drop=True) for part in (~out, out))
    return Task(train, y[~out], test, y[out], set(np.unique(y)) == {0.0, 1.0})


def taught(task: Task) -> curvec.CurveModel:
    """The teacher read exactly."""
    model = HistGradientBoostingClassifier if task.classes else HistGradientBoostingRegressor
    asked = {"interaction_cst": "no_interactions", "early_stopping": True, "learning_rate": 0.05, "max_iter": 500}
    forests = [
        model(**asked, categorical_features="from_dtype", random_state=bag).fit(task.train, task.y)
        for bag in range(BAGS)
    ]
    return curvec.read_teacher(forests, task.train)


def of_curvec(task: Task) -> Iterator[tuple[str, Run]]:
    """The teacher, the default model, and one of every size; distilled, and refined on the labels."""
    teacher = taught(task)
    yield "teacher", (teacher.numbers_to_read, teacher.predict(task.test))
    loss = "log_loss" if task.classes else "squared"
    for most in (None, *SIZES):
        found = curvec.distill(teacher, task.train, max_numbers=most)
        name = "curvec" if most is not None else "curvec, default"
        yield name, (found.model.numbers_to_read, found.model.predict(task.test))
        refined = curvec.refine(found, task.train, task.y, loss=loss).model
        yield f"{name}, refined", (refined.numbers_to_read, refined.predict(task.test))


def of_lasso(task: Task) -> Iterator[tuple[str, Run]]:
    """A coefficient a column; the largest model of each size on the path."""
    train, test = task.plain()
    scaler = StandardScaler().fit(train)
    x, new = scaler.transform(train), scaler.transform(test)
    sizes: dict[int, Array] = {}
    if task.classes:
        for strength in np.logspace(-3.5, 2, 30):
            fit = LogisticRegression(C=strength, l1_ratio=1.0, solver="liblinear").fit(x, task.y)
            sizes[1 + int(np.count_nonzero(fit.coef_))] = fit.predict_proba(new)[:, 1]
    else:
        for strength in lars_path(x, task.y - task.y.mean())[0]:
            fit = Lasso(alpha=max(float(strength), 1e-9)).fit(x, task.y)
            sizes[1 + int(np.count_nonzero(fit.coef_))] = fit.predict(new)
    for numbers, predicted in sorted(sizes.items()):
        yield "lasso", (numbers, predicted)


def of_trees(task: Task) -> Iterator[tuple[str, Run]]:
    """A tree of as many leaves as a size allows."""
    train, test = task.plain()
    model = DecisionTreeClassifier if task.classes else DecisionTreeRegressor
    for most in SIZES:
        leaves = (most + 1) // 2
        fit = model(max_leaf_nodes=leaves, min_samples_leaf=20, random_state=0).fit(train, task.y)
        predicted = fit.predict_proba(test)[:, 1] if task.classes else fit.predict(test)
        yield "tree", (2 * fit.get_n_leaves() - 1, predicted)


def of_splines(task: Task) -> Iterator[tuple[str, Run]]:
    """Straight between the minimum, two inner quantiles and the maximum of a column; a line where it has two values."""
    train, test = task.plain()
    parts, new, numbers = [], [], 1
    for name in train:
        x, z = train[name].to_numpy(), test[name].to_numpy()
        knots = np.unique(np.quantile(x, [0, 1 / 3, 2 / 3, 1]))
        hats = np.eye(len(knots))[1:] if len(knots) > 1 else np.empty((0, 1))
        parts += [np.interp(x, knots, hat) for hat in hats]
        new += [np.interp(z, knots, hat) for hat in hats]
        numbers += 1 if len(knots) == 2 else 2 * len(knots)
    x, z = np.column_stack(parts), np.column_stack(new)
    if task.classes:
        predicted = LogisticRegression(C=10.0, max_iter=5000).fit(x, task.y).predict_proba(z)[:, 1]
    else:
        predicted = RidgeCV(np.logspace(-3, 3, 13)).fit(x, task.y).predict(z)
    yield "splines", (numbers, predicted)


def of_optbinning(task: Task) -> Iterator[tuple[str, Run]]:
    """Optimal bins (Navas-Palencia 2020) with a coefficient each: at most 3 a column, and the default."""
    from optbinning import ContinuousOptimalBinning, OptimalBinning  # noqa: PLC0415  where it is installed

    train, test = task.plain()
    for bins in (3, None):
        parts, new, numbers = [], [], 1
        for name in train:
            binning = (OptimalBinning if task.classes else ContinuousOptimalBinning)(name=name, max_n_bins=bins)
            binning.fit(train[name].to_numpy(), task.y)
            if not len(binning.splits):
                continue
            parts.append(binning.transform(train[name].to_numpy()))
            new.append(binning.transform(test[name].to_numpy()))
            numbers += 1 if len(binning.splits) == 1 else 2 * (len(binning.splits) + 1)
        x, z = np.column_stack(parts), np.column_stack(new)
        if task.classes:
            predicted = LogisticRegression(C=100.0, max_iter=5000).fit(x, task.y).predict_proba(z)[:, 1]
        else:
            predicted = RidgeCV().fit(x, task.y).predict(z)
        yield "optbinning", (numbers, predicted)


def of_ebm(task: Task) -> Iterator[tuple[str, Run]]:
    """InterpretML's EBM without pairs: 8 bins a column, and the default; a bin is two numbers."""
    from interpret.glassbox import (  # noqa: PLC0415  where it is installed
        ExplainableBoostingClassifier,
        ExplainableBoostingRegressor,
    )

    train, test = task.plain()
    model = ExplainableBoostingClassifier if task.classes else ExplainableBoostingRegressor
    for bins in (8, 1024):
        fit = model(interactions=0, max_bins=bins, outer_bags=8, random_state=0, n_jobs=1).fit(train, task.y)
        # The first and the last score of a column are those of missing and of unseen values.
        columns = [np.count_nonzero(np.diff(scores[1:-1])) + 1 for scores in fit.term_scores_]
        numbers = 1 + sum(1 if steps == 2 else 2 * steps for steps in columns if steps > 1)
        yield "EBM", (int(numbers), fit.predict_proba(test)[:, 1] if task.classes else fit.predict(test))


def of_pygam(task: Task) -> Iterator[tuple[str, Run]]:
    """Run pyGAM with five straight hats a column, a line where it has two values."""
    from pygam import LinearGAM, LogisticGAM, l, s  # noqa: PLC0415  where it is installed

    train, test = task.plain()
    terms, numbers = None, 1
    for place, name in enumerate(train):
        two = train[name].nunique() <= 2
        term = l(place) if two else s(place, n_splines=5, spline_order=1)
        terms = term if terms is None else terms + term
        numbers += 1 if two else 10
    fit = (LogisticGAM if task.classes else LinearGAM)(terms).gridsearch(train.to_numpy(), task.y, progress=False)
    values = fit.predict_proba(test.to_numpy()) if task.classes else fit.predict(test.to_numpy())
    yield "pyGAM", (numbers, values)


METHODS: dict[str, tuple[Callable[[Task], Iterator[tuple[str, Run]]], str]] = {
    "curvec": (of_curvec, ""),
    "lasso": (of_lasso, ""),
    "trees": (of_trees, ""),
    "splines": (of_splines, ""),
    "optbinning": (of_optbinning, "optbinning"),
    "pygam": (of_pygam, "pygam"),
    "ebm": (of_ebm, "interpret"),
}
"""Each with the package that it needs."""


def run(arguments: argparse.Namespace) -> None:
    """Run what the results lack, one line a model."""
    done = set()
    if arguments.results.exists():
        lines = map(json.loads, arguments.results.read_text(encoding="utf-8").splitlines())
        done = {(line["set"], line["fold"], line["by"]) for line in lines}
    for name in arguments.sets:
        for fold in arguments.folds:
            for by in arguments.methods:
                make, package = METHODS[by]
                if (name, fold, by) in done:
                    continue
                if package and importlib.util.find_spec(package) is None:
                    print(f"{by} is left out: pip install {package}")
                    continue
                task = task_of(name, arguments.data, fold)
                lines = [
                    {
                        "set": name,
                        "fold": fold,
                        "by": by,
                        "method": method,
                        "numbers": int(size),
                        "loss": task.loss(new),
                    }
                    for method, (size, new) in make(task)
                ]
                with arguments.results.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps(line) + "\n" for line in lines)


def report(results: pd.DataFrame, console: Console) -> None:
    """For every set the loss of each method at each size, * where it is on the front; and on how many sets it is."""
    on_front: dict[tuple[str, int], int] = {}
    methods = list(results["method"].drop_duplicates())
    for name, rows in results.groupby("set", sort=False):
        folds = sorted(rows["fold"].unique())
        cells = {
            key: np.array([found[fold] for fold in folds]) for key, found in _at_sizes(rows) if len(found) == len(folds)
        }
        good = {
            key: _is_best(loss, [c for (_, size), c in cells.items() if size == key[1]]) for key, loss in cells.items()
        }
        for key, best in good.items():
            on_front[key] = on_front.get(key, 0) + best
        texts = {key: f"{loss.mean():.4g}{'*' if good[key] else ' '}" for key, loss in cells.items()}
        console.print(
            _table(f"{name}: loss of the largest model of at most so many numbers, {len(folds)} folds", methods, texts)
        )
    counts = {key: str(count) for key, count in on_front.items()}
    console.print(_table(f"of {results['set'].nunique()} sets, on how many a method is on the front", methods, counts))


def _is_best(loss: Array, others: list[Array]) -> bool:
    """Whether a loss (folds,) is within two paired standard errors of the least."""
    gap = loss - min(others, key=np.mean)
    return bool(gap.mean() <= 2 * np.std(gap, ddof=1) / np.sqrt(len(gap))) if len(gap) > 1 else bool(gap[0] <= 0)


def _table(title: str, methods: list[str], texts: dict[tuple[str, int], str]) -> Table:
    table = Table(title=title)
    for header in ("method", *map(str, SIZES)):
        table.add_column(header, justify="left" if header == "method" else "right")
    for method in methods:
        if any((method, most) in texts for most in SIZES):
            table.add_row(method, *(texts.get((method, most), "") for most in SIZES))
    return table


def _at_sizes(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, int], dict[int, float]]]:
    """For each method and size, fold -> loss of its largest model that is no larger."""
    for method, own in rows.groupby("method", sort=False):
        for most in SIZES:
            small = own[own["numbers"] <= most].sort_values("numbers", kind="stable")
            last = small.groupby("fold").last()
            yield (str(method), most), {int(fold): float(loss) for fold, loss in last["loss"].items()}


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sets", nargs="+", default=[*SETS, *UNSEEN])
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--quick", action="store_true", help="two folds of the sets of packages, without the slow EBM")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.folds, arguments.methods = [0, 1], [name for name in METHODS if name != "ebm"]
        arguments.sets = [name for name in arguments.sets if name not in paper_sets.TASKS]
    warnings.simplefilter("ignore")
    run(arguments)
    lines: list[dict[str, Any]] = list(map(json.loads, arguments.results.read_text(encoding="utf-8").splitlines()))
    found = pd.DataFrame(lines)
    report(found[found["set"].isin(arguments.sets) & found["fold"].isin(arguments.folds)], Console(width=130))


if __name__ == "__main__":
    main()
