"""Scoring against its peers, in one run: ns per row of 20 features, in a batch and one row at a time.

    python benchmarks/score.py [--rows N] [--march LEVEL] [--output build/bench] [--skip-peers]

The models are 20 curves of 5 segments, without a logarithm and with 4 of the 20 logged; the peers score as many
features (a forest of 1,000 trees with one feature each, an EBM). Times are CPU times of this process on one core, the
median of interleaved repetitions; what counts are the ratios to the plain read of the same columns.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # before numpy: one core for everybody

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from curvec import CurveModel, PWLCurve, emit, get_include  # noqa: E402
from curvec.parity.runners.cpp import compiler  # noqa: E402

FEATURES, RESIDENT, REPEATS = 20, 1024, 7
console = Console(width=140)
Engine = tuple[str, Callable[[], Any], int]

DRIVER = """
#include "identity_model.hpp"
#include "logged_model.hpp"

#include <vector>

namespace {

// The paper's listing as it stands: static curves, a linear search, log by name.
class ListedCurve {
 public:
  ListedCurve(std::vector<std::pair<double, double>> points, bool log) : points_(std::move(points)), log_(log) {
    if (log_) for (auto& point : points_) point.first = std::log(point.first);
  }
  double Eval(double x) const {
    if (log_) x = std::log(x);
    if (x <= points_.front().first) return points_.front().second;
    for (std::size_t k = 1; k < points_.size(); ++k) {
      if (x < points_[k].first) {
        const double t = (x - points_[k - 1].first) / (points_[k].first - points_[k - 1].first);
        return points_[k - 1].second + t * (points_[k].second - points_[k - 1].second);
      }
    }
    return points_.back().second;
  }
 private:
  std::vector<std::pair<double, double>> points_;
  bool log_;
};

double ListedScore(LISTED_PARAMETERS) {
LISTED_STATICS
  return LISTED_SUM;
}

template <class Columns, class T>
Columns Table(const T* const* columns) {
  Columns table;
  TABLE
  return table;
}

}  // namespace

extern "C" {

double read_columns(const double* const* columns, std::size_t rows) {
  double sums[16] = {};
  for (int f = 0; f < 20; ++f) {
    for (std::size_t i = 0; i < rows; i += 16) for (std::size_t j = 0; j < 16; ++j) sums[j] += columns[f][i + j];
  }
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}
void batch_identity(const double* const* c, std::size_t rows, double* out) {
  identity_model::ScoreBatch(Table<identity_model::Columns>(c), rows, out);
}
void batch_logged(const double* const* c, std::size_t rows, double* out) {
  logged_model::ScoreBatch(Table<logged_model::Columns>(c), rows, out);
}
void batch_vector(const double* const* c, std::size_t rows, double* out) {
  logged_model::ScoreBatch(Table<logged_model::Columns>(c), rows, out, curvec::BatchOptions{true});
}
void batch_float(const float* const* c, std::size_t rows, double* out) {
  identity_model::ScoreBatch(Table<identity_model::Columns>(c), rows, out);
}
void one_identity(const double* const* c, std::size_t rows, double* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = identity_model::Score(ROW);
}
void one_logged(const double* const* c, std::size_t rows, double* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = logged_model::Score(ROW);
}
void listed(const double* const* c, std::size_t rows, double* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = ListedScore(ROW);
}

}
"""


def model(name: str, logged: int) -> CurveModel:
    """20 curves of 5 segments, the first so many in log(x); the inputs reach over both ends."""
    random = np.random.default_rng(7)
    curves = []
    for feature in range(FEATURES):
        x = np.arange(6) + 0.2 + 0.5 * random.random(6)
        points = [(float(f"{a:.4g}"), float(f"{b:.4g}")) for a, b in zip(x, random.normal(size=6), strict=True)]
        curves.append(PWLCurve(f"x{feature}", points, "log" if feature < logged else "identity", missing=0.5))
    return CurveModel(name, curves, 0.25, "logit")


def listed(curves: CurveModel) -> dict[str, str]:
    """The pieces of the driver that name the features."""
    indices = range(FEATURES)
    statics = []
    for index, curve in zip(indices, curves.terms, strict=True):
        points = ", ".join(f"{{{x}, {y}}}" for x, y in curve.points)
        statics.append(f"  static auto c{index} = ListedCurve({{{points}}}, {str(curve.fx == 'log').lower()});")
    return {
        "LISTED_PARAMETERS": ", ".join(f"double x{i}" for i in indices),
        "LISTED_STATICS": "\n".join(statics),
        "LISTED_SUM": " + ".join(f"c{i}.Eval(x{i})" for i in indices),
        "TABLE": "\n  ".join(f"table.x{i} = curvec::Numbers(columns[{i}]);" for i in indices),
        "ROW": ", ".join(f"c[{i}][i]" for i in indices),
    }


def built(folder: Path, march: str) -> ctypes.CDLL:
    """The driver, compiled as a user would: optimised, and with the compiler's own contraction."""
    text = DRIVER
    for name, piece in listed(model("logged", 4)).items():
        text = text.replace(name, piece)
    (folder / "driver.cpp").write_text(text, encoding="utf-8")
    for name, logs in (("identity_model", 0), ("logged_model", 4)):
        (folder / f"{name}.hpp").write_text(emit(model(name, logs), "cpp", namespace=name), encoding="utf-8")
    command = [str(compiler()), "-std=c++17", "-O3", f"-march={march}", "-fPIC", "-shared", f"-I{get_include()}"]
    subprocess.run([*command, "driver.cpp", "-o", "driver.so"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "driver.so"))


def pointers(columns: list[np.ndarray]) -> Any:
    """The columns as C takes them."""
    return (ctypes.c_void_p * len(columns))(*(column.ctypes.data for column in columns))


def engines_of_curvec(library: ctypes.CDLL, data: Mapping[str, np.ndarray]) -> list[Engine]:
    """The emitted C++, and curvec from Python."""
    rows = len(data["x0"])
    doubles, out = list(data.values()), np.empty(rows)
    floats = [column.astype(np.float32) for column in doubles]
    c_doubles, c_floats, c_out = pointers(doubles), pointers(floats), ctypes.c_void_p(out.ctypes.data)

    def call(name: str, columns: Any, count: int, times: int = 1) -> Callable[[], None]:
        function, size = library[name], ctypes.c_size_t(count)

        def run(_keep: Any = (doubles, floats, out)) -> None:
            for _ in range(times):
                function(columns, size, c_out)

        return run

    resident = RESIDENT * 200
    identity, logged = model("identity", 0), model("logged", 4)
    compiled, row = logged.compile(), {name: float(column[0]) for name, column in data.items()}
    batch = {name: call(name, c_doubles, rows) for name in ("batch_identity", "batch_logged", "batch_vector", "listed")}
    return [
        ("read the columns", lambda: library.read_columns(c_doubles, ctypes.c_size_t(rows)), rows),
        ("C++ batch, identity", batch["batch_identity"], rows),
        ("C++ batch, 4 logged, the one-row form's bits", batch["batch_logged"], rows),
        ("C++ batch, 4 logged, vector_log", batch["batch_vector"], rows),
        ("C++ batch, identity, float columns", call("batch_float", c_floats, rows), rows),
        ("C++ one row, identity", call("one_identity", c_doubles, RESIDENT, 200), resident),
        ("C++ one row, 4 logged", call("one_logged", c_doubles, RESIDENT, 200), resident),
        ("the paper's listing, 4 logged", batch["listed"], rows),
        ("curvec from Python, identity", lambda: identity.eval(data), rows),
        ("curvec from Python, 4 logged", lambda: logged.eval(data), rows),
        ("curvec from Python, one row, 4 logged", lambda: [compiled.score_row(row) for _ in range(20_000)], 20_000),
        ("numpy.interp, 4 logged", lambda: interp(logged, data), rows),
    ]


def interp(curves: CurveModel, data: Mapping[str, np.ndarray]) -> np.ndarray:
    """What one would write by hand in numpy."""
    total = np.full(len(data["x0"]), curves.intercept)
    for curve in curves.terms:
        x, y = np.array(curve.points).T
        column = data[curve.input]
        if curve.fx == "log":
            column, x = np.log(np.clip(column, x[0], x[-1])), np.log(x)
        total += np.interp(column, x, y)
    return total


def peers(data: Mapping[str, np.ndarray]) -> list[Engine]:
    """What users have today: an EBM, a forest in LightGBM, and that forest in treelite, where installed."""
    matrix = np.column_stack(list(data.values()))
    target = interp(model("logged", 4), data) + np.random.default_rng(0).normal(size=len(matrix)) > 0.5
    train, few = slice(0, 20_000), matrix[:20_000].copy()
    found: list[Engine] = []
    try:
        from interpret.glassbox import ExplainableBoostingClassifier  # noqa: PLC0415  a peer, where it is installed

        settings = {"interactions": 0, "outer_bags": 1, "max_rounds": 300, "n_jobs": 1, "random_state": 0}
        ebm = ExplainableBoostingClassifier(**settings).fit(matrix[train], target[train])
        half = matrix[: len(matrix) // 4].copy()
        found.append(("EBM predict", lambda: ebm.predict(half), len(half)))
    except ImportError as error:
        console.print(f"without EBM: {error}")
    try:
        import lightgbm  # noqa: PLC0415  a peer, where it is installed

        settings = {"objective": "binary", "num_leaves": 8, "num_threads": 1, "verbose": -1, "learning_rate": 0.05}
        settings["interaction_constraints"] = [[feature] for feature in range(FEATURES)]
        forest = lightgbm.train(settings, lightgbm.Dataset(matrix[train], target[train]), 1000)
        found.append(("LightGBM predict, 1,000 trees", lambda: forest.predict(few, num_threads=1), len(few)))
        found += treelite_peers(forest, few)
    except ImportError as error:
        console.print(f"without LightGBM: {error}")
    return found


def treelite_peers(forest: Any, few: np.ndarray) -> list[Engine]:
    """The forest in treelite's reference interpreter, and compiled to C by tl2cgen."""
    try:
        import tl2cgen  # noqa: PLC0415  a peer, where it is installed
        import treelite  # noqa: PLC0415  a peer, where it is installed
    except ImportError as error:
        console.print(f"without treelite: {error}")
        return []
    source = treelite.frontend.from_lightgbm(forest)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "forest.so"
        tl2cgen.export_lib(source, toolchain="gcc", libpath=library, params={"parallel_comp": 4}, verbose=False)
        predictor = tl2cgen.Predictor(library, nthread=1)
    matrix = tl2cgen.DMatrix(few)
    some = few[:2000].copy()
    return [
        ("tl2cgen, 1,000 trees compiled", lambda: predictor.predict(matrix), len(few)),
        ("treelite GTIL, 1,000 trees", lambda: treelite.gtil.predict(source, some, nthread=1), len(some)),
    ]


def measured(engines: list[Engine]) -> pd.DataFrame:
    """The ns per row: the median and the extremes over interleaved repetitions, after one for warming up."""
    times: dict[str, list[float]] = {name: [] for name, _, _ in engines}
    for repeat in range(REPEATS + 1):
        for name, function, rows in engines:
            start = time.process_time()
            function()
            if repeat:
                times[name].append((time.process_time() - start) / rows * 1e9)
    frame = pd.DataFrame(
        [(name, statistics.median(found), min(found), max(found)) for name, found in times.items()],
        columns=["engine", "median", "min", "max"],
    ).set_index("engine")
    frame["times the read"] = frame["median"] / frame.loc["read the columns", "median"]
    return frame


def big_header() -> tuple[float, float]:
    """Seconds to emit a model of 500 curves, and to compile it at -O2."""
    random = np.random.default_rng(0)
    terms = [
        PWLCurve(f"x{i % 100}", list(zip(np.arange(6) + random.random(6) / 2, random.normal(size=6), strict=True)))
        for i in range(500)
    ]
    big = CurveModel("big", terms)
    start = time.process_time()
    text = emit(big, "cpp", c_interface=True)
    emitting = time.process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "big.hpp").write_text(text, encoding="utf-8")
        (Path(folder) / "big.cpp").write_text('#include "big.hpp"\n', encoding="utf-8")
        before = os.times().children_user
        command = [str(compiler()), "-std=c++17", "-O2", "-c", f"-I{get_include()}", "big.cpp"]
        subprocess.run(command, cwd=folder, check=True)
        return emitting, os.times().children_user - before


def bars(frame: pd.DataFrame, emitting: float, compiling: float) -> list[tuple[str, float, float]]:
    """What must hold: the claim, the figure, and the most it may be."""
    ns = frame["median"]
    read = ns["read the columns"]
    found = [
        ("identity batch / read", ns["C++ batch, identity"] / read, 3.0),
        (
            "4 logged batch / read, the one-row form's bits",
            ns["C++ batch, 4 logged, the one-row form's bits"] / read,
            3.6,
        ),
        ("4 logged batch / read, vector_log", ns["C++ batch, 4 logged, vector_log"] / read, 3.6),
        ("float batch / read of doubles", ns["C++ batch, identity, float columns"] / read, 2.0),
        (
            "vector_log batch / listing",
            ns["C++ batch, 4 logged, vector_log"] / ns["the paper's listing, 4 logged"],
            0.1,
        ),
        ("Python / C++, identity", ns["curvec from Python, identity"] / ns["C++ batch, identity"], 1.3),
        (
            "Python / C++, 4 logged",
            ns["curvec from Python, 4 logged"] / ns["C++ batch, 4 logged, the one-row form's bits"],
            1.3,
        ),
        ("one row from Python, microseconds", ns["curvec from Python, one row, 4 logged"] / 1000, 5.0),
        ("seconds to emit 500 curves", emitting, 0.2),
        ("seconds to compile them", compiling, 3.0),
    ]
    if "EBM predict" in ns:
        found.insert(
            5, ("vector_log batch / EBM predict", ns["C++ batch, 4 logged, vector_log"] / ns["EBM predict"], 0.04)
        )
    return found


def main() -> None:
    """Measure, print one table and the bars, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1 << 20)
    parser.add_argument("--march", default="x86-64-v3")
    parser.add_argument("--output", type=Path, default=Path("build/bench"))
    parser.add_argument("--skip-peers", action="store_true")
    options = parser.parse_args()
    random = np.random.default_rng(0)
    data = {f"x{feature}": random.uniform(-1, 7, options.rows) for feature in range(FEATURES)}
    with tempfile.TemporaryDirectory() as folder:
        engines = engines_of_curvec(built(Path(folder), options.march), data)
        frame = measured(engines + ([] if options.skip_peers else peers(data)))
    table = Table("engine", "ns/row", "min", "max", "times the read", title=f"{options.rows:,} rows, {options.march}")
    for name, row in frame.iterrows():
        table.add_row(str(name), *(f"{row[column]:,.1f}" for column in ("median", "min", "max")), f"{row.iloc[3]:,.2f}")
    console.print(table)
    for claim, figure, most in bars(frame, *big_header()):
        console.print(f"{'met' if figure <= most else 'NOT met':8} {claim}: {figure:.3g} (at most {most:g})")
    options.output.mkdir(parents=True, exist_ok=True)
    frame.to_csv(options.output / "score.csv")


if __name__ == "__main__":
    main()
