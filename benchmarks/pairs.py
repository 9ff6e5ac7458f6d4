"""An EBM with interpret's default pairs on the FICO data: pairs as products of curves against pairs dropped.

    python benchmarks/pairs.py DATA [--bags 2] [--fold 0]

DATA is a folder with heloc.csv. "pairs alone" leaves the main effects as the teacher has them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

import curvec
from curvec.distill import Distillation
from curvec.evaluate import term_values
from curvec.metrics import METRICS

TARGET = "ExternalRiskEstimate"


def pairs_alone(result: Distillation, rows: Any) -> Any:
    """(rows,) the teacher's score with its pairs replaced and nothing else."""
    score = result.teacher.eval(rows)
    before, after = result.teacher.table(rows), result.model.table(rows)
    for part in result.parts:
        if part.pair is not None:
            score = score + part.values(after) + part.shift - term_values(part.teacher, before)
    return score


def compare(teacher: curvec.CurveModel, train: pd.DataFrame, test: pd.DataFrame, target: Any, console: Console) -> None:
    """The table: RMSE on held-out rows, and the loss as a share of what dropping the pairs loses."""
    rmse = METRICS["rmse"]
    exact = rmse(target, teacher.eval(test))
    table = Table(title="EBM with pairs, RMSE on held-out rows")
    for header in ("", "products", "pairs alone", "share of the loss", "all distilled", "share of the loss"):
        table.add_column(header, justify="right" if header else "left")
    table.add_row("teacher", "", f"{exact:.4f}", "", "", "")
    dropped = curvec.distill(teacher, train, pairs="drop")
    worst = rmse(target, pairs_alone(dropped, test)) - exact
    runs = {
        "pairs dropped": dropped,
        "one product a pair": curvec.distill(teacher, train, max_products=1),
        "at most two": curvec.distill(teacher, train, max_products=2),
        "at most three (default)": curvec.distill(teacher, train),
    }
    for name, result in runs.items():
        alone, whole = rmse(target, pairs_alone(result, test)), rmse(target, result.model.eval(test))
        count = sum(pair.products for pair in result.report.pairs)
        shares = [f"{(value - exact) / worst:.0%}" for value in (alone, whole)]
        table.add_row(name, str(count), f"{alone:.4f}", shares[0], f"{whole:.4f}", shares[1])
    console.print(table)


def main() -> None:
    """Train the teacher and compare."""
    from interpret.glassbox import ExplainableBoostingRegressor  # noqa: PLC0415  takes seconds to import

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--bags", type=int, default=2, help="outer bags of the EBM; interpret's default is slower")
    parser.add_argument("--fold", type=int, default=0)
    arguments = parser.parse_args()
    rows = pd.read_csv(arguments.data / "heloc.csv")
    features = rows.columns.drop([TARGET, "fold"])
    train, test = rows[rows["fold"] != arguments.fold], rows[rows["fold"] == arguments.fold]
    ebm = ExplainableBoostingRegressor(outer_bags=arguments.bags, random_state=0, n_jobs=1)
    ebm.fit(train[features], train[TARGET])
    teacher = curvec.read_teacher(ebm, train[features])
    compare(teacher, train[features], test[features], test[TARGET], Console(width=110))


if __name__ == "__main__":
    main()
