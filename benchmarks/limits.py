"""What comes of the largest things: for each a result or a refusal that names the rule, its time and its memory.

    python benchmarks/limits.py [--only terms] [--megabytes 1000] [--seconds 600]

Every case runs in a process of its own, which may take so many seconds of processor time and 16 GB. The table is that
of docs/explanation/limits.md. Time is of the processor, so that a busy machine changes it little; memory is the largest
of the process, with Python and its packages.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import curvec
from curvec import CurvecError, CurveModel, EnumCurve, Line, PWLCurve, Sum
from curvec.model import from_json
from curvec.read import from_python

MEMORY = 16 * 2**30
SQL = ("sqlite", "duckdb", "postgres", "mariadb", "clickhouse", "spark", "bigquery", "snowflake")


def lightgbm_text(megabytes: int) -> str:
    """A LightGBM file of so many megabytes: trees of one feature each, 64 leaves a tree."""
    leaves = 64
    lines = [
        f"num_leaves={leaves}",
        "num_cat=0",
        "split_feature=" + " ".join(["0"] * (leaves - 1)),
        "threshold=" + " ".join(f"{k + 0.12345678901}" for k in range(leaves - 1)),
        "decision_type=" + " ".join(["2"] * (leaves - 1)),
        "left_child=" + " ".join(str(~k) for k in range(leaves - 1)),
        "right_child=" + " ".join([*(str(k + 1) for k in range(leaves - 2)), str(~(leaves - 1))]),
        "leaf_value=" + " ".join(f"{np.sin(k) / 1000:.17g}" for k in range(leaves)),
    ]
    tree = "\n".join(lines) + "\n\n\n"
    head = "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=0\n"
    head += "objective=regression\nfeature_names=a\nfeature_infos=[0.5:64.5]\n\n"
    count = megabytes * 10**6 // len(tree)
    trees = "".join(f"Tree={number}\n{tree}" for number in range(count))
    return f"{head}{trees}end of trees\n\npandas_categorical:null\n"


def terms(count: int) -> CurveModel:
    """A model of so many curves, each of another feature."""
    return CurveModel("m", [PWLCurve(f"x{k}", [(0, 0.25), (1, 0.5), (2.5, -1)]) for k in range(count)])


def levels(count: int) -> CurveModel:
    """A model of one table."""
    return CurveModel("m", [EnumCurve("k", {f"level {k}": k / 7 for k in range(count)}, 0.5)])


def nested(depth: int) -> CurveModel:
    """Sums in sums, as deep as a model may be."""
    node: Any = Line("x0")
    for k in range(1, depth):
        node = Sum([Line(f"x{k}"), node])
    return CurveModel("m", [node])


def named(length: int) -> CurveModel:
    """A feature, a level and a note of so many characters."""
    name = "n" * length
    return CurveModel("m", [PWLCurve(name, [(0, 0), (1, 1)], note=name), EnumCurve("k", {name: 1.0}, 0.0)])


def written_and_read(model: CurveModel) -> str:
    """The model's JSON, back."""
    text = model.to_json()
    if from_json(text) != model:
        raise AssertionError
    return f"{len(text) / 1e6:.1f} MB"


def scored(model: CurveModel) -> str:
    """A thousand rows."""
    columns = {
        feature.name: ["level 5"] * 1000 if feature.type == "str" else np.ones(1000) for feature in model.features
    }
    model.eval(columns)
    return "1,000 scores"


def emitted(model: CurveModel, target: str, dialect: str | None = None, **options: Any) -> str:
    """Its code."""
    return f"{len(curvec.emit(model, target, dialect, **options)) / 1e6:.2f} MB"


def read_back(model: CurveModel) -> str:
    """Emitted Python, read."""
    if from_python(curvec.emit(model, "python")) != model:
        raise AssertionError
    return "the same model"


def teacher(path: Path) -> str:
    """A teacher's file, read."""
    return f"{len(curvec.read_teacher(path).terms)} terms"


def targets(model: CurveModel) -> Iterator[tuple[str, Callable[[], str]]]:
    """Everything that is done with a model."""
    yield "written as JSON and read", partial(written_and_read, model)
    yield "scored", partial(scored, model)
    for target in ("python", "cpp", "javascript"):
        yield f"emitted as {target}", partial(emitted, model, target)
    yield "read from Python", partial(read_back, model)
    for dialect in SQL:
        yield f"emitted for {dialect}", partial(emitted, model, "sql", dialect, form="select", table="t")


def of_files(folder: Path, megabytes: int) -> Iterator[tuple[str, Callable[[], str]]]:
    """Large files of teachers and models."""
    path = folder / "teacher.txt"
    path.write_text(lightgbm_text(megabytes), encoding="utf-8")
    yield f"LightGBM's text, {megabytes} MB", partial(teacher, path)
    for name, start in (
        ("teacher.json", b'{"learner": "'),
        ("teacher.ubj", b"{i\x07learner[$D#l\x7f\xff\xff\xff"),
        ("model.json", b'{"curvec": 1, '),
    ):
        large = folder / name
        with large.open("wb") as file:
            file.write(start)
            for _ in range(megabytes):
                file.write(b"a" * 10**6)
        read = partial(curvec.load, large) if name == "model.json" else partial(teacher, large)
        yield f"{name}, {megabytes} MB without an end", read


CASES: dict[str, tuple[str, Callable[[], CurveModel]]] = {
    "terms": ("100,000 terms", partial(terms, 10**5)),
    "levels": ("1,000,000 levels", partial(levels, 10**6)),
    "categories": ("10,000 categories", partial(levels, 10**4)),
    "names": ("names of 64 KB", partial(named, 2**16)),
    "depth": ("sums 31 deep", partial(nested, 31)),
}


def alone(action: Callable[[], Any], seconds: int) -> tuple[str, float, float]:
    """What came of it in a process of its own: in words, the seconds of processor time, and its most memory in MB."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        try:
            said = str(action())
        except CurvecError as error:
            said = f"refused: {' '.join(str(error).split())}"
        except BaseException as error:  # noqa: BLE001  a finding
            said = f"FAULT: {type(error).__name__}: {error}"
        os.write(writer, said.encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _, status, used = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        ended = os.WTERMSIG(status)
        said = f"more than {seconds} s" if ended == signal.SIGXCPU else f"FAULT: signal {ended}"
    return said, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000


def row(what: str, action: Callable[[], Any], seconds: int) -> str:
    """A line of the table."""
    said, took, memory = alone(action, seconds)
    said = said.replace("n" * 30, "n").replace("|", "\\|")
    while "nn" * 8 in said:
        said = said.replace("nn", "n")
    return f"| {what} | {said[:300]} | {took:.1f} | {memory:,.0f} |"


def main() -> None:
    """Run the cases, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*CASES, "files"], action="append")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=600)
    asked = parser.parse_args()
    print("| what | what comes of it | CPU seconds | MB |\n|---|---|---:|---:|", flush=True)
    start = time.process_time()
    for case in asked.only or [*CASES, "files"]:
        if case == "files":
            with tempfile.TemporaryDirectory() as folder:
                for what, action in of_files(Path(folder), asked.megabytes):
                    print(row(what, action, asked.seconds), flush=True)
            continue
        title, make = CASES[case]
        print(row(f"{title}, made", lambda make=make: f"{len(make().terms):,} terms", asked.seconds), flush=True)
        for what, action in targets(make()):
            print(row(f"{title}, {what}", action, asked.seconds), flush=True)
    print(f"{time.process_time() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
