"""Every row of the paper's tables (Ravina et al. 2021, table 2 and appendix), trained, distilled and judged here.

    python benchmarks/paper.py RESULTS --data DATA [--mslr DIR] [--pwlfit PATH] [--sets compas fico rank mslr]
        [--rows "GAM forest" curvec ...] [--segments 1 2 3 4 5] [--bags 56] [--jobs 2] [--quick] [--table FILE]
        [--figures DIR] [--failures 5]

RESULTS is a file of one JSON line a cell (row, segments, fold); what it has already is not run again, so that a run
may be stopped and gone on with. Teachers are kept in a folder beside it. DATA and --mslr are as paper_sets.py says.
google/pwlfit is not on PyPI: --pwlfit is where it was cloned to. Peers that cannot be imported are left out. --quick
is one fold. --jobs is how many folds are run at a time, each on one core. Printed, and written to --table, is
markdown: the mean of the folds and their sample standard deviation, the paper's beside it, where a cell is worse than
the paper's by more than the folds' deviation, and how many bags a teacher had. pwlf gets at most 1,000 rows of a
curve, as in the paper. "curvec" is ``curvec.distill`` with its defaults, its paper's column pwlfit's; "fit_pwl" is
each curve by ``curvec.fit_pwl`` alone. --failures is the paper's failure analysis at so many segments. --figures
draws its figures: the metric against segments, time against RMSE of every fit of the first fold, and of that fold's
curves: the GAM forest's with what is distilled of it and the distributions, free against monotone, and the worst.
Both need the teachers that RESULTS has beside it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import peers
from paper_sets import TASKS, Array, Fold, Part, Task
from paper_sgd import trained_curves
from paper_teachers import additive_network, forest, forest_score
from peers import Fitted
from rich.console import Console

import curvec
from curvec import CurveModel, EnumCurve, StepCurve
from curvec.distill import Fold as Judged
from curvec.distill import evaluate_folds
from curvec.metrics import metric
from curvec.teachers import Structure

PAPER = """
interacting forest | 0 | 0.742 ± 0.011 | 3.128 ± 0.092 | 0.485 ± 0.002
GAM forest         | 0 | 0.741 ± 0.013 | 3.495 ± 0.109 | 0.442 ± 0.002
NAM                | 0 | 0.741 ± 0.009 | 3.490 ± 0.081 |
pwlfit             | 1 | 0.741 ± 0.008 | 3.781 ± 0.105 | 0.432 ± 0.003
pwlfit             | 2 | 0.742 ± 0.011 | 3.617 ± 0.101 | 0.438 ± 0.002
pwlfit             | 3 | 0.743 ± 0.010 | 3.536 ± 0.099 | 0.440 ± 0.002
pwlfit             | 4 | 0.742 ± 0.012 | 3.505 ± 0.094 | 0.441 ± 0.002
pwlfit             | 5 | 0.743 ± 0.012 | 3.494 ± 0.096 | 0.441 ± 0.002
pwlfit monotone    | 1 | 0.741 ± 0.008 | 3.780 ± 0.105 | 0.432 ± 0.003
pwlfit monotone    | 2 | 0.742 ± 0.011 | 3.713 ± 0.103 | 0.435 ± 0.003
pwlfit monotone    | 3 | 0.743 ± 0.011 | 3.691 ± 0.100 | 0.437 ± 0.002
pwlfit monotone    | 4 | 0.742 ± 0.012 | 3.691 ± 0.101 | 0.437 ± 0.003
pwlfit monotone    | 5 | 0.743 ± 0.013 | 3.693 ± 0.101 | 0.437 ± 0.003
pwlf               | 2 | 0.742 ± 0.014 | 3.728 ± 0.101 | 0.428 ± 0.004
pwlf               | 3 | 0.743 ± 0.012 | 3.565 ± 0.108 | 0.434 ± 0.004
pwlf               | 4 | 0.744 ± 0.012 | 3.498 ± 0.099 | 0.436 ± 0.004
pwlf               | 5 | 0.743 ± 0.012 | 3.503 ± 0.096 | 0.433 ± 0.003
SGD                | 1 | 0.728 ± 0.008 | 4.349 ± 0.059 | 0.352 ± 0.002
SGD                | 2 | 0.734 ± 0.007 | 4.028 ± 0.095 | 0.382 ± 0.001
SGD                | 3 | 0.742 ± 0.008 | 3.887 ± 0.080 | 0.394 ± 0.002
SGD                | 4 | 0.742 ± 0.010 | 3.742 ± 0.110 | 0.403 ± 0.003
SGD                | 5 | 0.741 ± 0.010 | 3.643 ± 0.097 | 0.405 ± 0.002
SGD                | 6 | 0.742 ± 0.010 | 3.583 ± 0.105 | 0.408 ± 0.002
SGD                | 7 | 0.741 ± 0.010 | 3.604 ± 0.098 | 0.408 ± 0.002
SGD                | 8 | 0.741 ± 0.010 | 3.561 ± 0.111 | 0.411 ± 0.003
SGD                | 9 | 0.741 ± 0.011 | 3.522 ± 0.103 | 0.414 ± 0.002
SGD                | 10 | 0.741 ± 0.010 | 3.544 ± 0.117 | 0.415 ± 0.002
SGD                | 15 | 0.740 ± 0.011 | 3.499 ± 0.101 | 0.419 ± 0.003
SGD                | 20 | 0.738 ± 0.011 | 3.499 ± 0.117 | 0.419 ± 0.003
"""
"""Row, segments, then the mean ± the sample standard deviation on COMPAS, FICO and MSLR-WEB30K."""

STANDS_FOR = {
    "curvec": "pwlfit",
    "curvec monotone": "pwlfit monotone",
    "fit_pwl": "pwlfit",
    "fit_pwl monotone": "pwlfit monotone",
}
"""Whose figures in the paper a row of ours is set beside."""


NETWORKS = 8
"""Bags of the NAM, at most."""


@dataclass(frozen=True)
class Settings:
    """How long a task's models are trained, and how fast.

    Attributes:
        rounds: of the GAM forest, at most.
        rate: its learning rate.
        deep_rounds: of the interacting forest, at most.
        deep_rate: its learning rate.
        epochs: of the additive networks.
        steps: of gradient descent.
        batch: rows (queries for rankings) of one step.
        descent_bags: of gradient descent, at most: a bag of rankings takes ten minutes for all numbers of segments.

    """

    rounds: int
    rate: float
    deep_rounds: int
    deep_rate: float
    epochs: int
    steps: int
    batch: int
    descent_bags: int = 56


_RANKING = Settings(600, 0.05, 400, 0.05, 0, 3000, 16, descent_bags=4)
SETTINGS = {
    "compas": Settings(1500, 0.02, 300, 0.02, 60, 5000, 512),
    "fico": Settings(2000, 0.05, 1000, 0.05, 120, 12000, 256),
    "rank": _RANKING,
    "mslr": _RANKING,
}


class Bench:
    """One fold of one set, with its teachers: trained where a row needs them, and kept.

    Args:
        name: the set's.
        number: the fold's.
        arguments: the command's.
        say: what shows where a long step is.

    Attributes:
        fits: the single fits of the row that was run last.

    """

    def __init__(self, name: str, number: int, arguments: argparse.Namespace, say: Callable[[str], None]) -> None:
        self.name, self.bags, self.say = name, arguments.bags, say
        self.task, self.settings = TASKS[name], SETTINGS[name]
        self._data = arguments.mslr if name == "mslr" else arguments.data
        self._number, self._quick = number, arguments.quick
        folder = arguments.results.with_suffix(".teachers")
        folder.mkdir(parents=True, exist_ok=True)
        self._kept = folder / f"{name}-{number}-{arguments.bags}.json"
        self.fits: list[Fitted] = []

    @cached_property
    def fold(self) -> Fold:
        """Its rows."""
        return self.task.fold(self._data, self._number)

    @property
    def has_gam(self) -> bool:
        """Whether the GAM forest was kept."""
        return self._kept.exists()

    @cached_property
    def gam(self) -> CurveModel:
        """The GAM forest, all bags read as one sum; codes as tables."""
        if self._kept.exists():
            return curvec.load(self._kept)
        bags = self._forest(depth=3, rounds=self.settings.rounds, rate=self.settings.rate, interacting=False)
        model = self._with_tables(curvec.read_teacher(bags, self.fold.train.rows))
        away = np.abs(model.eval(self.fold.test.rows) - forest_score(bags, self.fold.test)).max()
        if away > 1e-9 * (1 + np.abs(model.intercept)):
            raise SystemExit(f"the GAM forest was read wrongly: {away:g} apart from its bags")
        model.save(self._kept)
        return model

    @cached_property
    def interacting(self) -> Array:
        """The interacting forest's scores of the test rows."""
        settings = self.settings
        bags = self._forest(depth=5, rounds=settings.deep_rounds, rate=settings.deep_rate, interacting=True)
        return forest_score(bags, self.fold.test)

    @cached_property
    def network(self) -> Structure:
        """The neural additive model."""
        return additive_network(
            self.task, self.fold.train, members=self.bags_of("NAM"), epochs=self.settings.epochs, say=self.say
        )

    def bags_of(self, row: str) -> int:
        """How many models the teacher of a row, or the row itself, is the mean of."""
        return min(self.bags, NETWORKS if "NAM" in row else self.settings.descent_bags if row == "SGD" else self.bags)

    def _forest(self, **options: Any) -> list[Any]:
        return forest(self.task, self.fold.train, bags=self.bags, say=self.say, **options)

    def _with_tables(self, model: CurveModel) -> CurveModel:
        """Step curves of codes as tables of the codes that there are."""
        terms = []
        for term in model.terms:
            if term.feature in self.task.categories:
                codes = np.unique(
                    np.concatenate([part.rows[term.feature] for part in (self.fold.train, self.fold.test)])
                )
                levels = dict(zip(codes.astype(int).tolist(), term(codes).tolist(), strict=True))
                terms.append(EnumCurve(term.feature, levels))
            else:
                terms.append(term)
        return CurveModel(self.task.name, terms, model.intercept, model.link)


def interacting_forest(bench: Bench, _segments: int) -> Array:
    """Depth 5, any features."""
    return bench.interacting


def gam_forest(bench: Bench, _segments: int) -> CurveModel:
    """Depth 3, one feature a tree."""
    return bench.gam


def nam(bench: Bench, _segments: int) -> Array:
    """The networks' own scores."""
    rows, structure = bench.fold.test.rows, bench.network
    return structure.intercept + sum(part.function(rows[part.feature].to_numpy()) for part in structure.parts)


def nam_distilled(bench: Bench, segments: int) -> CurveModel:
    """The additive network, distilled."""
    rows = bench.fold.train.rows
    return curvec.distill(bench.network, rows, num_segments=segments, categorical=bench.task.categories).model


def free(bench: Bench, segments: int) -> CurveModel:
    """The GAM forest, distilled."""
    return curvec.distill(bench.gam, bench.fold.train.rows, num_segments=segments).model


def monotone(bench: Bench, segments: int) -> CurveModel:
    """Every curve monotone in the direction found."""
    return curvec.distill(bench.gam, bench.fold.train.rows, num_segments=segments, mono=True).model


def refined(distilled: Callable[[Bench, int], CurveModel]) -> Callable[[Bench, int], CurveModel]:
    """What another row distils, refined on the task's loss."""

    def run(bench: Bench, segments: int) -> CurveModel:
        train = bench.fold.train
        found = distilled(bench, segments)
        return curvec.refine(found, train.rows, train.y, loss=bench.task.loss, query=train.query).model

    return run


def refined_on_teacher(bench: Bench, segments: int) -> CurveModel:
    """Distilled, then all y moved together towards the teacher's score, without labels."""
    rows = bench.fold.train.rows
    found = curvec.distill(bench.gam, rows, num_segments=segments)
    return curvec.refine(found, rows, loss="teacher").model


def sgd(bench: Bench, segments: int) -> CurveModel:
    """Curves trained from zero."""
    steps, batch = bench.settings.steps, bench.settings.batch
    return trained_curves(
        bench.task,
        bench.fold.train,
        segments=segments,
        bags=bench.bags_of("SGD"),
        steps=steps,
        batch=batch,
        say=bench.say,
    )


def by_peer(name: str, *, mono: bool = False) -> Callable[[Bench, int], CurveModel]:
    """The GAM forest, one curve at a time by a fitter."""

    def run(bench: Bench, segments: int) -> CurveModel:
        rows, curve = bench.fold.train.rows, peers.CURVES[name]
        return peers.distilled(bench.gam, rows, curve, segments, mono=mono, fits=bench.fits)

    return run


FEW = (1, 2, 3, 4, 5)
ROWS: dict[str, tuple[Callable[[Bench, int], CurveModel | Array], tuple[int, ...]]] = {
    "interacting forest": (interacting_forest, (0,)),
    "GAM forest": (gam_forest, (0,)),
    "NAM": (nam, (0,)),
    "curvec": (free, FEW),
    "curvec monotone": (monotone, FEW),
    "curvec refined": (refined(free), FEW),
    "curvec monotone, refined": (refined(monotone), FEW),
    "curvec refined, no labels": (refined_on_teacher, FEW),
    "curvec of the NAM": (nam_distilled, (5,)),
    "fit_pwl": (by_peer("fit_pwl"), FEW),
    "fit_pwl monotone": (by_peer("fit_pwl", mono=True), FEW),
    "pwlfit": (by_peer("pwlfit"), FEW),
    "pwlfit monotone": (by_peer("pwlfit", mono=True), FEW),
    "pwlf": (by_peer("pwlf"), FEW[1:]),
    "SGD": (sgd, (*FEW, 6, 7, 8, 9, 10, 15, 20)),
}
"""Row -> how it is made, and its numbers of segments; 0 where it has none."""


@dataclass(frozen=True)
class Cell:
    """One row at one size on one fold."""

    set: str
    fold: int
    row: str
    segments: int

    @property
    def key(self) -> tuple[str, int, str, int]:
        """What tells it from others."""
        return self.set, self.fold, self.row, self.segments


def wanted(arguments: argparse.Namespace) -> Iterator[Cell]:
    """Every cell asked for that can be run, fold by fold."""
    missing = {name for name in ("pwlfit", "pwlf") if importlib.util.find_spec(name) is None}
    for name in sorted(missing & {row.split()[0] for row in arguments.rows}):
        print(f"{name} cannot be imported: its rows are left out", file=sys.stderr)
    for name in arguments.sets:
        if (arguments.mslr if name == "mslr" else arguments.data) is None:
            print(f"{name} is left out: it needs --{'mslr' if name == 'mslr' else 'data'}", file=sys.stderr)
            continue
        for fold in arguments.folds:
            for row in arguments.rows:
                if row.split()[0] in missing or ("NAM" in row and TASKS[name].ranking):
                    continue
                for segments in ROWS[row][1]:
                    if not segments or arguments.segments is None or segments in arguments.segments:
                        yield Cell(name, fold, row, segments)


def known(results: Path) -> list[dict[str, Any]]:
    """The cells that have been run."""
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]


def workers(count: int) -> ProcessPoolExecutor:
    """Processes of one thread each: sums of BLAS, and what is rounded after them, depend on the number of threads."""
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "CURVEC_THREADS"):
        os.environ[threads] = "1"
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))


def run(arguments: argparse.Namespace) -> None:
    """Run what is asked for and not known yet, a line of RESULTS each: folds side by side, the longest set's first."""
    done = {(one["set"], one["fold"], one["row"], one["segments"]) for one in known(arguments.results)}
    folds: dict[tuple[str, int], list[Cell]] = {}
    for cell in wanted(arguments):
        if cell.key not in done:
            folds.setdefault((cell.set, cell.fold), []).append(cell)
    start = time.monotonic()
    with workers(arguments.jobs) as pool:
        for fold in [pool.submit(run_fold, arguments, cells) for cells in reversed(folds.values())]:
            fold.result()
    if folds:
        minutes = (time.monotonic() - start) / 60
        print(f"{minutes:.0f} minutes by the clock, {arguments.jobs} folds at a time", file=sys.stderr)


def run_fold(arguments: argparse.Namespace, cells: list[Cell]) -> None:
    """Run cells of one fold and append them to RESULTS."""
    warnings.simplefilter("ignore")
    if arguments.pwlfit is not None:
        sys.path.insert(0, str(arguments.pwlfit))
    place = f"{cells[0].set}, fold {cells[0].fold}"
    console = Console(width=130)
    with console.status(place) if arguments.jobs == 1 else nullcontext() as status:
        said = (lambda text: status.update(f"{place}: {text}")) if status else (lambda _: None)
        bench = Bench(cells[0].set, cells[0].fold, arguments, said)
        for number, cell in enumerate(cells):
            line = measured(cell, bench)
            with arguments.results.open("a", encoding="utf-8") as file:  # in one write, as other folds write there, too
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
            figures = ", ".join(f"{name} {value:.4f}" for name, value in line["metrics"].items())
            what = f"{cell.row} {cell.segments or ''}".strip()
            console.print(f"{place}, {number + 1} of {len(cells)}: {what}: {figures}", highlight=False)


def measured(cell: Cell, bench: Bench) -> dict[str, Any]:
    """The metrics on the fold's test rows, and the seconds of the row's own step where its teacher was there."""
    if cell.row not in ("GAM forest", "interacting forest", "NAM", "SGD"):
        _ = bench.network if "NAM" in cell.row else bench.gam
    bench.fits = []
    start = time.process_time()
    found = ROWS[cell.row][0](bench, cell.segments)
    seconds = time.process_time() - start
    test: Part = bench.fold.test
    score = found.eval(test.rows) if isinstance(found, CurveModel) else found
    inverse = curvec.links.link(bench.task.link).inverse
    judges = [metric(name) for name in bench.task.metrics]
    values = {each.name: each(test.y, each.predicted(score, inverse), None, test.query) for each in judges}
    line = {**asdict(cell), "bags": bench.bags_of(cell.row), "metrics": values, "cpu_seconds": round(seconds, 3)}
    return line | ({"fits": bench.fits} if bench.fits else {})


def paper_figures() -> dict[tuple[str, int], list[str]]:
    """(row, segments) -> the paper's text for COMPAS, FICO and MSLR."""
    lines = [[cell.strip() for cell in line.split("|")] for line in PAPER.strip().splitlines()]
    return {(row, int(segments)): rest for row, segments, *rest in lines}


def markdown(results: list[dict[str, Any]]) -> str:
    """A table a set and metric."""
    parts = []
    for name, task in TASKS.items():
        own = [one for one in results if one["set"] == name]
        if own:
            parts += [_table(task, judged, own) for judged in task.metrics]
    return "\n".join(parts)


def _table(task: Task, judged: str, results: list[dict[str, Any]]) -> str:
    figures = paper_figures() if judged == task.metrics[0] else {}
    better = 1.0 if metric(judged).greater_is_better else -1.0
    column = "paper" if task.same_rows else "paper, MSLR-WEB30K"
    lines = [
        f"### {task.name}, {judged}\n",
        f"| model | segments | here | {column} | | folds | bags | CPU s a fold |",
        "|---|---:|---:|---:|---|---:|---:|---:|",
    ]
    for row, (_, sizes) in ROWS.items():
        for segments in sizes:
            own = [one for one in results if (one["row"], one["segments"]) == (row, segments)]
            if not own:
                continue
            values = [one["metrics"][judged] for one in own]
            mean, spread = float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
            theirs = figures.get((STANDS_FOR.get(row, row), segments), ["", "", ""])[task.column]
            worse = (
                bool(theirs)
                and task.same_rows
                and better * (float(theirs.split()[0]) - mean) > max(spread, float(theirs.split()[-1]))
            )
            here = f"{mean:.4f} ± {spread:.4f}" if len(values) > 1 else f"{mean:.4f}"
            bags = " to ".join(map(str, sorted({one["bags"] for one in own})))
            seconds = np.mean([one["cpu_seconds"] for one in own])
            cells = (row, segments or "", here, theirs, "worse" if worse else "", len(own), bags, f"{seconds:.1f}")
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join([*lines, ""])


def failures(arguments: argparse.Namespace, name: str) -> curvec.distill.Evaluation:
    """What each curve costs the metric, and what leaving the worst undistilled gives back: the mean over the folds."""
    benches = [Bench(name, number, arguments, print) for number in arguments.folds]
    features = {str(term.feature) for bench in benches for term in bench.gam.terms}
    judged = []
    for bench in benches:
        test, teacher = bench.fold.test, bench.gam
        unused = features - {term.feature for term in teacher.terms}  # no tree of this fold splits on them
        zeros = [StepCurve(feature, [0.0], [0.0, 0.0]) for feature in sorted(unused)]
        whole = CurveModel(teacher.name, [*teacher.terms, *zeros], teacher.intercept, teacher.link)
        judged.append(Judged(free(bench, arguments.failures), whole, test.rows, test.y, None, test.query))
    return evaluate_folds(judged, TASKS[name].metrics[0])


def draw(arguments: argparse.Namespace, results: list[dict[str, Any]]) -> None:
    """The paper's figures."""
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("Agg")
    arguments.figures.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys(one["set"] for one in results):
        own = [one for one in results if one["set"] == name]
        draw_metric(TASKS[name], own, arguments.figures / f"{name}-segments.png")
        draw_fits(TASKS[name], own, arguments.figures / f"{name}-fits.png")
        if Bench(name, 0, arguments, print).has_gam:
            draw_shapes(Bench(name, 0, arguments, print), arguments.figures)


LINES = {
    "curvec": ("#e8710a", "-"),
    "curvec monotone": ("#e8710a", "--"),
    "curvec refined": ("#b3261e", "-"),
    "pwlfit": ("#1a73e8", "-"),
    "pwlfit monotone": ("#1a73e8", "--"),
    "pwlf": ("#188038", "-"),
    "SGD": ("#9334e6", "-"),
}
"""Which rows the figure of the metric has, their colours and dashes."""


def draw_metric(task: Task, results: list[dict[str, Any]], path: Path) -> None:
    """The metric against segments, the mean over the folds; forests and NAM are lines across."""
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    by_cell: dict[tuple[str, int], list[float]] = {}
    for one in results:
        by_cell.setdefault((one["row"], one["segments"]), []).append(one["metrics"][task.metrics[0]])
    most = max(map(len, by_cell.values()))  # the mean of fewer folds is that of other rows
    for row, (_, sizes) in ROWS.items():
        cells = {size: by_cell.get((row, size), []) for size in sizes}
        means = {size: float(np.mean(values)) for size, values in cells.items() if len(values) == most}
        if 0 in means:
            axes.axhline(means[0], color="#80868b", linestyle="-" if row == "GAM forest" else ":", linewidth=1)
            place, above, side = (1, "top", "left") if row == "GAM forest" else (20, "bottom", "right")
            axes.annotate(row, (place, means[0]), fontsize=7, color="#5f6368", va=above, ha=side)
        elif means and row in LINES:
            colour, dashes = LINES[row]
            axes.plot(
                list(means), list(means.values()), color=colour, linestyle=dashes, marker="o", markersize=3, label=row
            )
    axes.set_xscale("log")
    axes.set_xticks([1, 2, 3, 4, 5, 10, 20], ["1", "2", "3", "4", "5", "10", "20"])
    axes.minorticks_off()
    axes.set(xlabel="segments", ylabel=f"{task.metrics[0]}, mean of the folds", title=task.name)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw_fits(task: Task, results: list[dict[str, Any]], path: Path) -> None:
    """Of every single fit of the first fold, processor time and RMSE to the teacher's function, by segments."""
    import matplotlib.pyplot as plt  # noqa: PLC0415

    found = {(one["row"], one["segments"]): one["fits"] for one in results if one["fold"] == 0 and "fits" in one}
    kinds = [kind for kind in ("fit_pwl", "pwlfit", "pwlf") if any(row == kind for row, _ in found)]
    if not kinds:
        return
    figure, panels = plt.subplots(2, 1, figsize=(6.4, 5.6), layout="constrained", sharex=True)
    for place, kind in enumerate(kinds):
        sizes = [size for size in FEW if (kind, size) in found]
        colour = {"fit_pwl": "#e8710a", "pwlfit": "#1a73e8", "pwlf": "#188038"}[kind]
        for axes, column in zip(panels, (1, 2), strict=True):
            axes.boxplot(
                [[max(fit[column], 1e-6) for fit in found[kind, size]] for size in sizes],
                positions=[size + 0.25 * (place - (len(kinds) - 1) / 2) for size in sizes],
                widths=0.18,
                whis=(0, 100),
                patch_artist=True,
                boxprops={"facecolor": colour, "alpha": 0.5},
                medianprops={"color": "black"},
                manage_ticks=False,
            )
        panels[0].plot(
            [], [], color=colour, linewidth=6, alpha=0.5, label="curvec.fit_pwl" if kind == "fit_pwl" else kind
        )
    for axes, label in zip(panels, ("processor seconds", "RMSE to the teacher's function"), strict=True):
        axes.set(yscale="log", ylabel=label)
    panels[1].set(xlabel="segments", xticks=list(FEW))
    panels[0].set_title(
        f"{task.name}, first fold: median, quartiles, least and most of {len(next(iter(found.values())))} fits"
    )
    panels[0].legend(fontsize=8, loc="upper left")
    figure.savefig(path, dpi=120)
    plt.close(figure)


PICKED = {
    "fico": ["MSinceMostRecentDelq", "PercentTradesWBalance"],
    "rank": ["feature_0011", "feature_0128"],
    "mslr": ["feature_0011", "feature_0128"],
}
"""The features of which the paper shows curves; all numeric ones where a set is not named."""


def draw_shapes(bench: Bench, folder: Path) -> None:
    """The curves of the first fold: two segments over the teacher, free against monotone, and the worst."""
    task, train = bench.task, bench.fold.train

    def picked(model: CurveModel, label: str) -> CurveModel:
        names = PICKED.get(bench.name, [name for name in train.rows.columns if name not in task.categories])
        terms = [term for term in model.terms if term.feature in names]
        return CurveModel(label, terms, model.intercept, model.link)

    rows, teacher = train.rows, picked(bench.gam, "GAM forest")
    two, five = (picked(free(bench, size), f"{size} segments") for size in (2, 5))
    stiff = picked(monotone(bench, 5), "monotone")
    if two.terms:
        curvec.plot(two, rows, teacher=teacher, path=folder / f"{bench.name}-shapes.png")
    if five.terms:
        curvec.plot(five, rows, teacher=teacher, others={"monotone": stiff}, path=folder / f"{bench.name}-monotone.png")
    found = curvec.distill(bench.gam, rows, num_segments=5, y=train.y, metric=task.metrics[0], query=train.query)
    curvec.plot_worst(found, 2, rows, columns=2, path=folder / f"{bench.name}-worst.png")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--mslr", type=Path)
    parser.add_argument("--pwlfit", type=Path, help="a clone of google/pwlfit")
    parser.add_argument("--sets", nargs="+", choices=list(TASKS), default=list(TASKS))
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--segments", nargs="+", type=int)
    parser.add_argument("--folds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--bags", type=int, default=56)
    parser.add_argument("--jobs", type=int, default=1, help="folds at a time")
    parser.add_argument("--quick", action="store_true", help="one fold")
    parser.add_argument("--table", type=Path, help="write the tables there, too")
    parser.add_argument("--figures", type=Path, help="a folder for the figures")
    parser.add_argument("--failures", type=int, metavar="SEGMENTS", help="the failure analysis at so many segments")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.folds = arguments.folds[:1]
    if arguments.pwlfit is not None:
        sys.path.insert(0, str(arguments.pwlfit))
    warnings.simplefilter("ignore")
    run(arguments)
    results = known(arguments.results)
    text = markdown(results)
    print(text)
    print(f"{sum(one['cpu_seconds'] for one in results):.0f} seconds of the processor in all", file=sys.stderr)
    if arguments.table is not None:
        arguments.table.write_text(text, encoding="utf-8")
    with workers(1) as pool:
        if arguments.figures is not None:
            pool.submit(draw, arguments, results).result()
        for name in arguments.sets if arguments.failures else ():
            if Bench(name, 0, arguments, print).has_gam:
                print(TASKS[name].name, pool.submit(failures, arguments, name).result(), sep="\n")


if __name__ == "__main__":
    main()
