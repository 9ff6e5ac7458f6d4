"""The fit against its peers, in one run: google/pwlfit (if importable) and pwlf (if installed).

    python benchmarks/fit.py SHAPES [--reference FOLDER] [--output build/bench] [--every N] [--pwlf-every N] [--rows]
                             [--limit CANDIDATES]

SHAPES is a folder of parquet files with columns x and y; synthetic shapes are added. FOLDER holds
reference_fits.csv and reference_candidates.parquet: optima on given candidates. Times are CPU times of this process.
--limit asks how low any curve of as many segments goes: the exact optimum on very many candidates, over the identity
and the log without a margin; and, for monotone curves, isotonic regression, below which no monotone function goes.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # before numpy: one core for everybody

import matplotlib as mpl  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import track  # noqa: E402
from rich.table import Table  # noqa: E402
from scipy.optimize import isotonic_regression  # noqa: E402

import curvec  # noqa: E402
from curvec.contract import pwl_values, segments  # noqa: E402
from curvec.fit.data import LOG_MARGIN  # noqa: E402

mpl.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

try:
    from pwlfit import fitter
    from pwlfit import transform as pwlfit_transform
except ImportError:
    fitter = None
try:
    import pwlf
except ImportError:
    pwlf = None

PWLFIT_FX: dict[str, Any] = {"log": np.log, "log1p": np.log1p}
if fitter is not None:
    PWLFIT_FX |= {"identity": pwlfit_transform.identity, "symlog1p": pwlfit_transform.symlog1p}

Shape = tuple[str, np.ndarray, np.ndarray]
SEGMENTS = range(1, 6)
console = Console(width=150)


def cpu(function: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and the CPU seconds that took."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start


def shapes(folder: Path, every: int) -> list[Shape]:
    """The numeric shapes of a folder (more than two distinct values), and synthetic ones."""
    out = []
    for path in sorted(folder.glob("*.parquet"))[::every]:
        frame = pd.read_parquet(path, columns=["x", "y"])
        x, y = frame["x"].to_numpy(float), frame["y"].to_numpy(float)
        if len(np.unique(x)) > 2 and np.ptp(y) > 0:
            out.append((path.stem, x, y))
    return out + list(synthetic())


def synthetic() -> Iterator[Shape]:
    """Smooth, stepped, noisy and awkward."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.1, 10, 4000)
    yield "synthetic: sine", x, np.sin(x)
    yield "synthetic: log", x, np.log(x)
    yield "synthetic: sine and noise", x, np.sin(x) + rng.normal(size=x.size) * 0.3
    yield "synthetic: tree", x, np.round(np.sqrt(x) * 4 + np.sin(3 * x)) / 4
    few = rng.integers(0, 8, 4000).astype(float)
    yield "synthetic: eight values", few, np.abs(few - 3.3)
    tail = rng.pareto(1.0, 4000)
    yield "synthetic: heavy tail", tail, np.log1p(tail) + rng.normal(size=tail.size) * 0.1


def sse(points: Any, fx: str, x: np.ndarray, y: np.ndarray) -> float:
    """Squared error on all rows, by the reference evaluator."""
    return float(np.sum((pwl_values(x, segments(points, fx), None) - y) ** 2))


def fit_curvec(x: np.ndarray, y: np.ndarray, k: int, mono: bool, **options: Any) -> tuple[curvec.Fit, float]:  # noqa: FBT001
    """A fit and its time."""
    return cpu(lambda: curvec.fit_pwl(x, y, num_segments=k, mono=mono, **options))


def fit_pwlfit(x: np.ndarray, y: np.ndarray, k: int, mono: bool, **options: Any) -> tuple[Any, float]:  # noqa: FBT001
    """A curve and its time."""
    kind = fitter.MonoType.mono if mono else fitter.MonoType.nonmono
    return cpu(lambda: fitter.fit_pwl(x, y, num_segments=k, mono=kind, **options))


Asked = tuple[str, np.ndarray, np.ndarray, int, bool]
"""A shape's name, x and y, the number of segments and whether the curve must be monotone."""


def asked(data: list[Shape]) -> list[Asked]:
    """Every fit of the comparison."""
    return [(name, x, y, k, mono) for name, x, y in data for k in SEGMENTS for mono in (False, True)]


def compare(data: list[Shape]) -> pd.DataFrame:
    """One row a shape, number of segments and direction: errors as shares of the total, and times.

    Each library makes all of its fits one after the other, once, as a distillation does.
    """
    fits = asked(data)
    result = pd.DataFrame(
        {"shape": [f[0] for f in fits], "segments": [f[3] for f in fits], "mono": [f[4] for f in fits]}
    )
    totals = np.array([float(np.sum((y - y.mean()) ** 2)) for _, _, y, _, _ in fits])
    for label, options in (("free_y", {"y_bounds": None}), ("default", {})):
        curves, seconds, optimal = [], [], []
        for _, x, y, k, mono in track(fits, f"curvec, {label}", console=console):
            fit, took = fit_curvec(x, y, k, mono, **options)
            curves.append(fit.curve)
            seconds.append(took)
            optimal.append(fit.optimal)
        errors = [sse(c.points, c.fx, x, y) for c, (_, x, y, _, _) in zip(curves, fits, strict=True)]
        result[label], result[f"{label}_seconds"] = errors / totals, seconds
        result[f"{label}_optimal"] = optimal
    if fitter is not None:
        peers = [fit_pwlfit(x, y, k, mono) for _, x, y, k, mono in track(fits, "pwlfit", console=console)]
        errors = [
            float(np.sum((curve.eval(x) - y) ** 2)) for (curve, _), (_, x, y, _, _) in zip(peers, fits, strict=True)
        ]
        result["pwlfit"], result["pwlfit_seconds"] = errors / totals, [took for _, took in peers]
    return result


def limits(data: list[Shape], most: int, seconds: float) -> pd.DataFrame:
    """How low a curve of so many segments goes: one row a shape, number of segments and direction.

    ``limit_bound`` is the proof's side: no curve on the candidates is better; ``any_monotone`` is what the best
    monotone function leaves.
    """
    rows = []
    for name, x, y in track(data, f"the limit, {most} candidates", console=console):
        total = float(np.sum((y - y.mean()) ** 2))
        isotonic = unexplained_by_isotonic(x, y) / total
        options = {"candidates": dense(x, most), "y_bounds": None, "max_seconds": seconds}
        for k in SEGMENTS:
            for mono in (False, True):
                fits = [fit_curvec(x, y, k, mono, fx=fx, **options)[0] for fx in ("identity", log_for(x))]
                row = {"shape": name, "segments": k, "mono": mono, "limit_optimal": all(fit.optimal for fit in fits)}
                row["limit"] = min(sse(fit.curve.points, fit.curve.fx, x, y) for fit in fits) / total
                row["limit_bound"] = min(fit.lower_bound for fit in fits) / total
                row["any_monotone"] = isotonic
                rows.append(row)
    return pd.DataFrame(rows)


def unexplained_by_isotonic(x: np.ndarray, y: np.ndarray) -> float:
    """Squared error of isotonic regression, in the better direction."""
    groups = pd.DataFrame({"x": x, "y": y}).groupby("x")["y"]
    mean, size = groups.mean().to_numpy(), groups.size().to_numpy(float)
    about = float(np.sum((y - groups.transform("mean").to_numpy()) ** 2))
    return about + min(
        float(np.sum(size * (isotonic_regression(mean, weights=size, increasing=up).x - mean) ** 2))
        for up in (True, False)
    )


def dense(x: np.ndarray, most: int) -> np.ndarray:
    """Every distinct value, or quantiles where those are too many, and evenly spaced points between for the rest."""
    values = np.unique(x)
    if len(values) > most:
        values = np.unique(np.quantile(x, np.linspace(0, 1, most), method="nearest"))
    parts = max(1, most // len(values))
    steps = np.arange(parts) / parts
    between = values[:-1, None] + np.diff(values)[:, None] * steps
    return np.unique(np.append(between.ravel(), values[-1]))


def log_for(x: np.ndarray) -> str:
    """The logarithm that fits the domain."""
    least = x.min()
    return "log" if least > 0 else "log1p" if least > -1 else "symlog1p"


def show_limits(result: pd.DataFrame) -> None:
    """Both readings of "a quarter lower", of the fits as they are and of the limit."""
    left = result[result.pwlfit > 1e-9].copy()
    left["limit"] = left[["limit", "free_y"]].min(axis=1)  # what a fit reached is possible
    left["limit_bound"] = left[["limit_bound", "free_y"]].min(axis=1)
    table = Table(
        "segments", "mono", "fits", "ratio of medians", "limit", "bound", "median of ratios", "limit", "bound"
    )
    for k in (None, *SEGMENTS):
        for mono in (None, False, True) if k is None else (False, True):
            part = left[(k is None) | (left.segments == k)]
            part = part[(mono is None) | (part.mono == mono)]
            labels = ("free_y", "limit", "limit_bound")
            medians = [f"{part[label].median() / part.pwlfit.median():.3f}" for label in labels]
            ratios = [f"{(part[label] / part.pwlfit).median():.3f}" for label in labels]
            directions = "both" if mono is None else str(mono)
            table.add_row("all" if k is None else str(k), directions, f"{len(part)}", *medians, *ratios)
    console.print("[bold]How low any curve of as many segments goes: share left unexplained, to pwlfit's[/]", table)
    console.print(f"limit proven to be the optimum of its candidates: {int(left.limit_optimal.sum())} of {len(left)}")
    instead = left.limit.where(~left.mono, left[["limit", "any_monotone"]].min(axis=1))
    console.print(
        "the same with isotonic regression, steps without number, instead of each monotone curve: "
        f"ratio of medians {instead.median() / left.pwlfit.median():.3f}"
    )


def spread(values: pd.Series) -> list[str]:
    """Median, 95th percentile, worst."""
    return [f"{values.quantile(q):.3g}" for q in (0.5, 0.95, 1.0)]


def show_comparison(result: pd.DataFrame) -> None:
    """Loss and time ratios to pwlfit."""
    table = Table("", "mono", "loss ratio: median", "95%", "worst", "over the margin", "median share left", "pwlfit's")
    times = Table("", "mono", "times faster: median", "5%", "worst fit", "slowest against slowest", "slowest, s")
    left = result[result.pwlfit > 1e-9]
    for label in ("free_y", "default"):
        for mono in (False, True):
            part = left[left.mono == mono]
            ratio = part[label] / part.pwlfit
            over = int((ratio > 1 / (1 - LOG_MARGIN) + 1e-9).sum())
            shares = [f"{part[c].median():.4f}" for c in (label, "pwlfit")]
            table.add_row(label, str(mono), *spread(ratio), f"{over} of {len(part)}", *shares)
            part = result[result.mono == mono]
            faster = part.pwlfit_seconds / part[f"{label}_seconds"]
            slowest = part.pwlfit_seconds.max() / part[f"{label}_seconds"].max()
            figures = [f"{faster.quantile(q):.1f}" for q in (0.5, 0.05, 0.0)]
            times.add_row(label, str(mono), *figures, f"{slowest:.1f}", f"{part[f'{label}_seconds'].max():.3f}")
    console.print("[bold]All shapes, own candidates and transforms, against pwlfit (squared error on all rows)[/]")
    console.print(table, times)
    share = left.free_y.median() / left.pwlfit.median()
    console.print(f"median share left unexplained, all fits, free_y / pwlfit: {share:.3f}\n")


def reference(folder: Path, data: dict[str, tuple[np.ndarray, np.ndarray]]) -> None:
    """On the reference's candidates and transform: every fit against the known optimum, and the times of both."""
    known = pd.read_csv(folder / "reference_fits.csv").set_index(["file", "num_segments", "mono"])["sse_optimum"]
    tables = pd.read_parquet(folder / "reference_candidates.parquet")
    fits = [
        (*data[Path(file).stem], k, mono, fx, candidates, file)
        for file, fx, candidates in tables.itertuples(index=False)
        for k in SEGMENTS
        for mono in (False, True)
        if Path(file).stem in data and (file, k, mono) in known.index
    ]
    rows = []
    for x, y, k, mono, fx, candidates, file in track(fits, "reference, curvec", console=console):
        fit, seconds = fit_curvec(x, y, k, mono, fx=fx, candidates=candidates, y_bounds=None)
        rows.append({"file": file, "segments": k, "mono": mono, "sse": fit.sse, "seconds": seconds})
        rows[-1]["optimal"] = fit.optimal
    result = pd.DataFrame(rows)
    if fitter is not None:
        times = []
        for x, y, k, mono, fx, _, _ in track(fits, "reference, pwlfit", console=console):
            times.append(fit_pwlfit(x, y, k, mono, fx=PWLFIT_FX[fx])[1])
        result["pwlfit_seconds"] = times
    away = {
        file: condensed_away(*data[Path(file).stem], fx, np.array(c))
        for file, fx, c in tables.itertuples(index=False)
        if Path(file).stem in data
    }
    optimum = np.array([known[key] for key in zip(result.file, result.segments, result.mono, strict=True)])
    ours = result.sse - result.file.map(away)
    # The reference is printed with nine digits.
    result["met"] = ours <= optimum * (1 + 1e-9) + 0.5 * 10 ** (np.floor(np.log10(optimum)) - 8) + 1e-12
    show_reference(result)


def condensed_away(x: np.ndarray, y: np.ndarray, fx: str, candidates: np.ndarray) -> float:
    """The squared error that the reference's condensed points do not have: what lines within the gaps leave.

    Its last gap includes the last candidate.
    """
    fit = curvec.transforms.transform(fx)
    u, knots = fit.forward(x), fit.forward(candidates)
    total = 0.0
    gap = np.minimum(np.searchsorted(candidates, x, side="right"), len(candidates) - 1)
    for k in np.unique(gap):
        inside = gap == k
        line = np.column_stack([np.ones(inside.sum()), u[inside] - knots[k - 1]])
        v = y[inside] - line @ np.linalg.lstsq(line, y[inside], rcond=None)[0]
        if len(np.unique(x[inside])) <= 2:
            v = y[inside] - pd.Series(y[inside]).groupby(x[inside]).transform("mean").to_numpy()
        total += float(v @ v)
    return total


def show_reference(result: pd.DataFrame) -> None:
    """How many fits are optimal, and how long they took."""
    console.print("[bold]The reference's candidates and transform, rows to curve[/]")
    met = f"{int(result.met.sum())} of {len(result)}"
    console.print(f"sse <= sse_optimum * (1 + 1e-9): {met}; optimal: {int(result.optimal.sum())} of {len(result)}")
    if "pwlfit_seconds" in result:
        table = Table("mono", "times faster: median", "slowest against slowest", "median, ms", "slowest, ms")
        for mono, part in result.groupby("mono"):
            faster = (part.pwlfit_seconds / part.seconds).median()
            slowest = part.pwlfit_seconds.max() / part.seconds.max()
            ms = [f"{1e3 * v:.2f}" for v in (part.seconds.median(), part.seconds.max())]
            table.add_row(str(mono), f"{faster:.1f}", f"{slowest:.1f}", *ms)
        console.print(table)


def against_pwlf(data: list[Shape]) -> pd.DataFrame:
    """Pwlf, whose knots are free but whose ends are pinned, on the distinct values of each shape."""
    rows = []
    for name, x, y in track(data, "pwlf", console=console):
        frame = pd.DataFrame({"x": x, "y": y}).groupby("x")["y"].agg(["mean", "size"])
        xs, ys, ws = frame.index.to_numpy(), frame["mean"].to_numpy(), frame["size"].to_numpy(float)
        for k in SEGMENTS:
            if len(xs) < k + 2:
                continue
            model = pwlf.PiecewiseLinFit(xs, ys, weights=np.sqrt(ws))
            _, seconds = cpu(lambda k=k, model=model: model.fitfast(k, pop=3))
            error = float(np.sum(ws * (model.predict(xs) - ys) ** 2))
            options: dict[str, Any] = {"fx": "identity", "y_bounds": None, "num_segments": k}
            fit, own = cpu(lambda xs=xs, ys=ys, ws=ws, options=options: curvec.fit_pwl(xs, ys, ws, **options))
            rows.append({"shape": name, "segments": k, "pwlf": error, "ours": fit.sse, "faster": seconds / own})
    return pd.DataFrame(rows)


def show_pwlf(result: pd.DataFrame) -> None:
    """Loss and time ratios to pwlf."""
    part = result[result.pwlf > 1e-9]
    ratio = part.ours / part.pwlf
    console.print("[bold]pwlf (fitfast, pop=3) on distinct values, identity, free[/]")
    worse = int((ratio > 1 + 1e-6).sum())
    console.print(f"loss ratio: median, 95%, worst {spread(ratio)}; worse in {worse} of {len(part)}")
    console.print(f"times faster: median {result.faster.median():.0f}, least {result.faster.min():.1f}\n")


def resident(field: str) -> int:
    """Bytes of this process in memory: now (VmRSS), or at most since the mark was last reset (VmHWM)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(status.split(f"{field}:")[1].split()[0])


def memory(function: Callable[[], Any], size: int) -> str:
    """The most memory that is held while it runs, its input of ``size`` bytes included, in times the input."""
    mark = Path("/proc/self/clear_refs")
    if not mark.exists():
        return "-"
    mark.write_text("5", encoding="ascii")  # the high-water mark is what is held now
    before = resident("VmRSS")
    function()
    return f"{1 + (resident('VmHWM') - before) / size:.2f}"


def many_rows() -> None:
    """A million and ten million rows, end to end."""
    columns = ("curvec, s", "pwlfit, s", "times faster", "curvec mse", "pwlfit mse", "curvec memory / input")
    table = Table("rows", "x", "mono", *columns)
    rng = np.random.default_rng(0)
    for rows in (1_000_000, 10_000_000):
        for name, x in (("lognormal", rng.lognormal(size=rows)), ("normal", rng.normal(size=rows))):
            y = np.sin(x) + rng.normal(size=rows) * 0.1
            for mono in (False, True):
                fit, own = fit_curvec(x, y, 5, mono)
                figures = ["", "", ""]
                if fitter is not None:
                    curve, seconds = fit_pwlfit(x, y, 5, mono)
                    error = float(np.sum((curve.eval(x) - y) ** 2))
                    figures = [f"{seconds:.3f}", f"{seconds / own:.1f}", f"{error / rows:.6f}"]
                used = memory(lambda x=x, y=y, mono=mono: fit_curvec(x, y, 5, mono), x.nbytes + y.nbytes)
                table.add_row(
                    f"{rows:,}", name, str(mono), f"{own:.3f}", *figures[:2], f"{fit.mse:.6f}", figures[2], used
                )
    console.print("[bold]Many rows, five segments (pwlfit samples one million of the ten)[/]", table)


def plot(result: pd.DataFrame, path: Path) -> None:
    """Loss ratios and time ratios to pwlfit, sorted, by number of segments."""
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for mono, style in ((False, "-"), (True, "--")):
        for k in SEGMENTS:
            part = result[(result.mono == mono) & (result.segments == k) & (result.pwlfit > 1e-9)]
            where = np.linspace(0, 1, len(part))
            label = f"{k} segment{'s' if k > 1 else ''}, {'monotone' if mono else 'free'}"
            color = plt.get_cmap("viridis")((k - 1) / 4.5)
            axes[0].plot(where, np.sort(part.free_y / part.pwlfit), style, color=color, lw=1.2, label=label)
            axes[1].plot(where, np.sort(part.pwlfit_seconds / part.free_y_seconds), style, color=color, lw=1.2)
    axes[0].axhline(1, color="0.6", lw=0.8)
    axes[0].set(title="Squared error, curvec / pwlfit", xlabel="share of the shapes", ylim=(0, 1.1))
    axes[1].axhline(1, color="0.6", lw=0.8)
    axes[1].set(title="CPU time, pwlfit / curvec", xlabel="share of the shapes", yscale="log")
    axes[0].legend(fontsize=7, frameon=False, loc="lower right", ncols=2)
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", type=Path)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--output", type=Path, default=Path("build/bench"))
    parser.add_argument("--every", type=int, default=1, help="only every Nth shape")
    parser.add_argument("--pwlf-every", type=int, default=1, help="pwlf on every Nth shape; 0: none")
    parser.add_argument("--limit", type=int, default=0, help="candidates of the search for the limit; 0: none")
    parser.add_argument("--limit-seconds", type=float, default=60.0, help="the most that one fit of it may take")
    parser.add_argument("--rows", action="store_true", help="one and ten million rows too")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    data = shapes(options.shapes, options.every)
    if options.reference:
        reference(options.reference, {name: (x, y) for name, x, y in data})
    result = compare(data)
    result.to_csv(options.output / "fit.csv", index=False)
    if fitter is None:
        console.print("pwlfit is not importable: put a checkout of google/pwlfit on PYTHONPATH to compare")
    else:
        show_comparison(result)
        plot(result, options.output / "fit.png")
    if options.limit:
        found = limits(data, options.limit, options.limit_seconds)
        found.to_csv(options.output / "limit.csv", index=False)
        if fitter is not None:
            show_limits(result.merge(found))
    if pwlf is not None and options.pwlf_every:
        show_pwlf(against_pwlf(data[:: options.pwlf_every]))
    if options.rows:
        many_rows()


if __name__ == "__main__":
    main()
