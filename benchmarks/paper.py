"""The table and the figures of the paper (Ravina et al. 2021, section 5), from teachers that need no training.

    python benchmarks/paper.py DATA [--sets compas fico rank] [--segments 1 2 3 4 5] [--peers pwlfit pwlf] [--out DIR]

DATA is a folder with compas.csv, heloc.csv, contrib/ (the GAM forest's contributions at every row, one file a fold)
and shapes/ (one file a feature of the ranking teacher). Peers run where they can be imported; pwlf gets the distinct x
of each curve with their numbers of rows, on which its squared error is the same (the paper drew 1,000 rows for it), and
is left out of the 136 features. Every number is the mean of five folds and the sample standard deviation; every curve
has four significant digits.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import peers
from rich.console import Console
from rich.table import Table

import curvec
from curvec import CurveModel, EnumCurve, Feature, StepCurve
from curvec.metrics import metric
from curvec.refine import quantile_model

# Table 2 of the paper: what it reports for each model, COMPAS (AUC-ROC) and FICO (RMSE).
PAPER = {
    ("GAM forest", 0): ("0.741 ± 0.013", "3.495 ± 0.109"),
    ("pwlfit", 1): ("0.741 ± 0.008", "3.781 ± 0.105"),
    ("pwlfit", 2): ("0.742 ± 0.011", "3.617 ± 0.101"),
    ("pwlfit", 3): ("0.743 ± 0.010", "3.536 ± 0.099"),
    ("pwlfit", 4): ("0.742 ± 0.012", "3.505 ± 0.094"),
    ("pwlfit", 5): ("0.743 ± 0.012", "3.494 ± 0.096"),
    ("pwlfit monotone", 1): ("0.741 ± 0.008", "3.780 ± 0.105"),
    ("pwlfit monotone", 2): ("0.742 ± 0.011", "3.713 ± 0.103"),
    ("pwlfit monotone", 3): ("0.743 ± 0.011", "3.691 ± 0.100"),
    ("pwlfit monotone", 4): ("0.742 ± 0.012", "3.691 ± 0.101"),
    ("pwlfit monotone", 5): ("0.743 ± 0.013", "3.693 ± 0.101"),
    ("pwlf", 2): ("0.742 ± 0.014", "3.728 ± 0.101"),
    ("pwlf", 3): ("0.743 ± 0.012", "3.565 ± 0.108"),
    ("pwlf", 4): ("0.744 ± 0.012", "3.498 ± 0.099"),
    ("pwlf", 5): ("0.743 ± 0.012", "3.503 ± 0.096"),
    ("trained from zero", 1): ("0.728 ± 0.008", "4.349 ± 0.059"),
    ("trained from zero", 2): ("0.734 ± 0.007", "4.028 ± 0.095"),
    ("trained from zero", 3): ("0.742 ± 0.008", "3.887 ± 0.080"),
    ("trained from zero", 4): ("0.742 ± 0.010", "3.742 ± 0.110"),
    ("trained from zero", 5): ("0.741 ± 0.010", "3.643 ± 0.097"),
}


@dataclass(frozen=True)
class Task:
    """One data set of the paper."""

    name: str
    file: str
    target: str
    categories: tuple[str, ...]
    link: str
    metrics: tuple[str, ...]
    loss: str
    column: int

    def rows(self, data: Path) -> pd.DataFrame:
        """All rows, with labels and folds."""
        return pd.read_csv(data / f"{self.file}.csv")

    def teacher(self, data: Path, fold: int) -> CurveModel:
        """The GAM forest of a fold: its contribution at every row is a step function of the feature there."""
        rows = self.rows(data)
        parts = pd.read_parquet(data / "contrib" / f"{self.file}_gam_fold{fold}.parquet")
        terms = []
        for name in parts.columns.drop("bias"):
            x, first = np.unique(rows[name].to_numpy(dtype=float), return_index=True)
            y = parts[name].to_numpy()[first]
            if np.ptp(y) == 0:
                continue  # never split on
            if name in self.categories:
                terms.append(EnumCurve(name, dict(zip(x.astype(int).tolist(), y.tolist(), strict=True))))
            else:
                terms.append(StepCurve(name, ((x[1:] + x[:-1]) / 2).tolist(), y.tolist()))
        return CurveModel(self.name, terms, float(parts["bias"][0]), self.link)


COMPAS = Task(
    "COMPAS", "compas", "label", ("race", "sex", "c_charge_degree"), "logit", ("roc_auc", "log_loss"), "log_loss", 0
)
FICO = Task("FICO", "heloc", "ExternalRiskEstimate", ("delinquent", "inquiry"), "identity", ("rmse",), "squared", 1)
TASKS = {"compas": COMPAS, "fico": FICO}

Method = Callable[[Task, CurveModel, pd.DataFrame, int], CurveModel]


def free(_task: Task, teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """Distilled, no constraint."""
    return curvec.distill(teacher, rows, num_segments=segments).model


def monotone(_task: Task, teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """Distilled, every curve monotone in the direction found."""
    return curvec.distill(teacher, rows, num_segments=segments, mono=True).model


def refined(task: Task, teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """Distilled, then refined on the task's loss."""
    return curvec.refine(free(task, teacher, rows, segments), rows, rows[task.target], loss=task.loss).model


def monotone_refined(task: Task, teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """Distilled monotone, then refined."""
    return curvec.refine(monotone(task, teacher, rows, segments), rows, rows[task.target], loss=task.loss).model


def from_zero(task: Task, teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
    """The paper's SGD baseline, with an exact optimiser: knots at quantiles, no teacher."""
    features = [Feature(f.name, "int") if f.name in task.categories else f for f in teacher.features]
    start = quantile_model(rows, features, num_segments=segments, link=task.link)
    return curvec.refine(start, rows, rows[task.target], loss=task.loss, learned=False).model


def by_peer(curve: peers.Curve, *, mono: bool = False) -> Method:
    """The same distillation with another fitter."""

    def method(_task: Task, teacher: CurveModel, rows: pd.DataFrame, segments: int) -> CurveModel:
        return peers.distilled(teacher, rows, curve, segments, mono=mono)

    return method


def methods(wanted: Iterable[str]) -> dict[str, Method]:
    """What to compare, by the name in the table."""
    found: dict[str, Method] = {
        "curvec": free,
        "curvec monotone": monotone,
        "curvec refined": refined,
        "curvec monotone refined": monotone_refined,
        "trained from zero": from_zero,
    }
    for name in wanted:
        if importlib.util.find_spec(name) is None:
            print(f"{name} cannot be imported: left out, see the paper's column")
            continue
        found[name] = by_peer(peers.CURVES[name])
        if name == "pwlfit":
            found["pwlfit monotone"] = by_peer(peers.CURVES[name], mono=True)
    return found


Results = dict[tuple[str, int], tuple[list[float], float]]
"""(method, segments) -> the metric on each fold, and the CPU seconds of all folds."""


def measure(task: Task, data: Path, segments: list[int], chosen: dict[str, Method]) -> dict[str, Results]:
    """Every method at every size on every fold, by each metric of the task."""
    rows = task.rows(data)
    results: dict[str, Results] = {name: {} for name in task.metrics}
    for fold in sorted(rows["fold"].unique()):
        teacher = task.teacher(data, fold)
        train, test = rows[rows["fold"] != fold], rows[rows["fold"] == fold]
        runs = [(name, count) for name in chosen for count in segments]
        for key in [("GAM forest", 0), *runs]:
            if key == ("pwlf", 1):
                continue  # not in the paper: a straight line
            start = time.process_time()
            model = chosen[key[0]](task, teacher, train, key[1]) if key[1] else teacher
            seconds = time.process_time() - start
            for name in task.metrics:
                judge = metric(name)
                predicted = model.eval(test) if judge.on == "score" else model.predict(test)
                values, before = results[name].get(key, ([], 0.0))
                results[name][key] = ([*values, judge(test[task.target], predicted)], before + seconds)
    return results


def spread(values: list[float]) -> str:
    """Mean and sample standard deviation, as the paper prints them."""
    return f"{np.mean(values):.4f} ± {np.std(values, ddof=1):.4f}"


def print_table(task: Task, judged: str, results: Results, console: Console) -> None:
    """The table in the paper's form, with the paper's own numbers beside."""
    table = Table(title=f"{task.name}, {judged}")
    for header in ("model", "segments", "here", "paper", "CPU s"):
        table.add_column(header, justify="left" if header == "model" else "right")
    for (name, count), (values, seconds) in sorted(results.items(), key=lambda item: (item[0][0], item[0][1])):
        paper = PAPER.get((name, count), ("", ""))[task.column] if judged == task.metrics[0] else ""
        table.add_row(name, str(count or ""), spread(values), paper, f"{seconds:.2f}" if count else "")
    console.print(table)


def shapes_figure(task: Task, data: Path, out: Path) -> None:
    """Figure 1: the teacher's shapes and the curves of two segments."""
    teacher = task.teacher(data, 0)
    rows = task.rows(data)
    train = rows[rows["fold"] != 0]
    model = curvec.distill(teacher, train, num_segments=2).model
    curvec.plot(model, train, teacher=teacher).savefig(out / f"figure1_{task.file}.png", dpi=120)


def segments_figure(task: Task, results: Results, out: Path) -> None:
    """Figure 5: the metric against the number of segments."""
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for name in dict.fromkeys(method for method, count in results if count):
        counts = sorted(count for method, count in results if method == name)
        means = [np.mean(results[name, count][0]) for count in counts]
        axes.plot(counts, means, marker="o", markersize=4, label=name)
    axes.axhline(float(np.mean(results["GAM forest", 0][0])), color="grey", linestyle="--", label="GAM forest")
    axes.set(xlabel="segments", ylabel=task.metrics[0], title=task.name, xticks=sorted({c for _, c in results if c}))
    axes.legend(fontsize=8)
    figure.savefig(out / f"figure5_{task.file}.png", dpi=120)
    plt.close(figure)


def rank(data: Path, wanted: Iterable[str], console: Console) -> None:
    """The 136 shapes of the ranking teacher, five segments, free: wall and CPU seconds, and what is lost."""
    table = Table(title="136 features, 5 segments, free")
    for header in ("", "wall s", "CPU s", "median unexplained", "worst unexplained"):
        table.add_column(header, justify="right" if header else "left")
    columns: dict[str, Any] = {}
    terms = []
    for path in sorted((data / "shapes").glob("rank_ebm__*.parquet")):
        shape = pd.read_parquet(path)
        name = path.stem.split("__")[1]
        columns[name] = shape["x"].to_numpy(dtype=float)
        x, first = np.unique(columns[name], return_index=True)
        y = shape["y"].to_numpy()[first]
        if len(x) > 1:
            terms.append(StepCurve(name, ((x[1:] + x[:-1]) / 2).tolist(), y.tolist()))
    teacher = CurveModel("rank", terms)
    runs: dict[str, Callable[[], CurveModel]] = {
        "curvec": lambda: curvec.distill(teacher, columns, num_segments=5).model
    }
    if "pwlfit" in wanted and importlib.util.find_spec("pwlfit") is not None:  # pwlf needs hours for this many
        runs["pwlfit"] = lambda: peers.distilled(teacher, columns, peers.CURVES["pwlfit"], 5, mono=False)
    for name, run in runs.items():
        wall, cpu = time.perf_counter(), time.process_time()
        model = run()
        times = (time.perf_counter() - wall, time.process_time() - cpu)
        lost = peers.unexplained(teacher, model, columns)
        numbers = (*(f"{seconds:.1f}" for seconds in times), f"{np.median(lost):.4f}", f"{max(lost):.4f}")
        table.add_row(f"{name}, {len(terms)} curves", *numbers)
    console.print(table)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", choices=[*TASKS, "rank"], default=[*TASKS, "rank"])
    parser.add_argument("--segments", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--peers", nargs="*", choices=list(peers.CURVES), default=list(peers.CURVES))
    parser.add_argument("--out", type=Path, help="a folder for figures 1 and 5")
    arguments = parser.parse_args()
    console = Console(width=110)
    chosen = methods(arguments.peers)
    for name in arguments.sets:
        if name == "rank":
            rank(arguments.data, arguments.peers, console)
            continue
        task = TASKS[name]
        results = measure(task, arguments.data, arguments.segments, chosen)
        for judged, values in results.items():
            print_table(task, judged, values, console)
        if arguments.out is not None:
            arguments.out.mkdir(parents=True, exist_ok=True)
            shapes_figure(task, arguments.data, arguments.out)
            segments_figure(task, results[task.metrics[0]], arguments.out)


if __name__ == "__main__":
    main()
