"""Mutation testing: a module is changed in one small place at a time, and the tests of its stage have to notice.

    python benchmarks/mutants.py --sample 30 [--stage ir] [--seed 0]

A mutant is one change of the syntax tree: a comparison's or an operator's other one, a constant beside it, a condition
turned round, a branch not taken, an argument of ``min`` or ``max`` exchanged, a statement left out, ``None`` returned.
Text, annotations, messages of errors and ``__all__`` are left alone. A first run writes down which functions each test
calls, and how long it takes. For each mutant, the files of tests that call its function run until one fails, in a
process of their own, on a copy of the package; tests that call the function themselves come before their neighbours,
and short ones before long ones. Where no test calls it, as at the head of a module, all tests of the stage run. A
mutant that they pass survives, and is printed as a difference. The interval is Wilson's, of 95 %. A mutant that ends in
no time counts as noticed, as does one that does not import.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import math
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hypothesis  # noqa: F401  loaded before the fork, so that no mutant has to
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pytest
import scipy.optimize  # noqa: F401
import sklearn.ensemble  # noqa: F401

STAGES: dict[str, tuple[list[str], list[str]]] = {
    "ir": (
        ["curvec/ir", "curvec/fields.py", "curvec/features.py"],
        ["test_ir.py", "test_node_values.py", "test_model.py", "test_edit.py", "test_strategies.py"],
    ),
    "contract": (
        ["curvec/contract.py"],
        ["test_contract.py", "test_vectors.py", "test_node_values.py", "test_compiled.py"],
    ),
    "evaluate": (
        ["curvec/evaluate.py", "curvec/links.py"],
        [
            *("test_evaluate.py", "test_model.py", "test_node_values.py", "test_model_rows.py"),
            *("test_transforms.py", "test_contract.py", "test_compiled.py"),
        ],
    ),
    "transforms": (["curvec/transforms.py"], ["test_transforms.py", "test_contract.py", "test_ir.py"]),
    "fit": (["curvec/fit"], ["fit"]),
    "emit": (
        ["curvec/emit"],
        [
            *(f"emit/test_sql_{name}.py" for name in ("forms", "golden", "kinds", "levels_table", "names", "nested")),
            *(f"emit/test_sql_{name}.py" for name in ("population", "production", "reasons", "text", "types", "check")),
            *(f"emit/test_{name}.py" for name in ("python_functions", "python_golden", "python_layout")),
            *(f"emit/test_{name}.py" for name in ("javascript", "c_interface", "cpp_names", "deterministic")),
            *("emit/test_python_standalone.py", "test_every_language.py"),
        ],
    ),
    "read": (["curvec/read"], ["read"]),
    "teachers": (["curvec/teachers"], ["teachers"]),
}
"""Of each stage: what is changed, and the tests that have to notice: all of its own, or those that take seconds."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Or: ast.And,
    ast.And: ast.Or,
    ast.USub: ast.UAdd,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
EXCHANGED = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
REWRITTEN = "ignore::pytest.PytestAssertRewriteWarning"
WITHOUT_EDITABLE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
"""
"""An editable install finds its own tree first, and the copy is to be tested."""


@dataclass(frozen=True)
class Mutant:
    """One change: the module, which of its nodes, and which of the ways to change that."""

    path: Path
    place: int
    way: int

    @property
    def text(self) -> str:
        """The module with the change."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        node = list(nodes(tree))[self.place]
        name, value = changes(node)[self.way]
        setattr(node, name, value)
        return ast.unparse(ast.fix_missing_locations(tree))


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node that may be changed, in order: not within annotations, docstrings, raised errors and ``__all__``."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, (ast.Raise, ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Assert)):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, (ast.arg, ast.AnnAssign)):
            if isinstance(child, ast.AnnAssign) and child.value is not None:
                yield from nodes(ast.Expr(child.value))
            continue
        if (
            isinstance(child, ast.Assign)
            and isinstance(child.targets[0], ast.Name)
            and child.targets[0].id == "__all__"
        ):
            continue
        yield child
        yield from nodes(child)


def changes(node: ast.AST) -> list[tuple[str, object]]:
    """The ways to change this node: a field, and what it becomes."""
    if isinstance(node, ast.Constant):
        return [("value", other) for other in _beside(node)]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return [("ops", [COMPARISONS[type(node.ops[0])]()])]
    if (operator := OPERATORS.get(type(getattr(node, "op", None)))) is not None:
        return [("op", operator())]
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return [("test", ast.UnaryOp(ast.Not(), node.test))]
    if (isinstance(node, ast.Return) and node.value) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        return [("value", ast.Constant(None))]
    return _exchanged(node) if isinstance(node, ast.Call) else []


def _beside(node: Any) -> list[Any]:
    """Another truth, or the number one further."""
    if isinstance(node.value, bool):
        return [not node.value]
    return [node.value + 1] if isinstance(node.value, (int, float)) else []


def _exchanged(node: ast.Call) -> list[tuple[str, object]]:
    """``max`` for ``min``, as a function or a method."""
    called = node.func
    if isinstance(called, ast.Name) and called.id in EXCHANGED:
        return [("func", ast.Name(EXCHANGED[called.id], ast.Load()))]
    if isinstance(called, ast.Attribute) and called.attr in EXCHANGED:
        return [("func", ast.Attribute(called.value, EXCHANGED[called.attr], ast.Load()))]
    return []


@dataclass
class Calls:
    """A plugin for pytest: of each test, the functions of curvec that it calls, and its seconds."""

    root: str
    functions: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Count while this test runs, its fixtures, too."""
        found = self.functions[item.nodeid] = set()

        def called(frame: Any, event: str, _: object) -> None:
            if event == "call" and frame.f_code.co_filename.startswith(self.root):
                found.add((frame.f_code.co_filename[len(self.root) :], frame.f_code.co_firstlineno))

        start = time.perf_counter()
        threading.setprofile(called)
        sys.setprofile(called)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            self.seconds[item.nodeid] = time.perf_counter() - start

    def files(self, function: tuple[str, int]) -> list[str]:
        """The files of tests that call a function."""
        return sorted({test.partition("::")[0] for test, called in self.functions.items() if function in called})


@dataclass
class Order:
    """A plugin for pytest: the tests that call the function first, short ones before long ones."""

    calls: Calls
    function: tuple[str, int]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort them."""

        def place(item: pytest.Item) -> tuple[bool, float]:
            called = self.calls.functions.get(item.nodeid, ())
            return self.function not in called, self.calls.seconds.get(item.nodeid, 0.0)

        items.sort(key=place)


def function_of(mutant: Mutant) -> tuple[str, int]:
    """The innermost function that holds the change, as frames name it: its file and its first line."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    line = getattr(list(nodes(tree))[mutant.place], "lineno", 0)
    first = 0
    for node in ast.walk(tree):  # an inner one comes after the one around it
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno < line <= (node.end_lineno or 0):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return f"{mutant.path}", first


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a module."""
    every = list(nodes(ast.parse(path.read_text(encoding="utf-8"))))
    return [Mutant(path, place, way) for place, node in enumerate(every) for way in range(len(changes(node)))]


def noticed(mutant: Mutant, copied: Path, tests: list[str], seconds: float, calls: Calls) -> bool:
    """Whether the tests fail on the mutant."""
    place = copied / mutant.path
    whole = place.read_text(encoding="utf-8")
    function = function_of(mutant)
    place.write_text(mutant.text, encoding="utf-8")
    try:
        return run(copied, calls.files(function) or tests, seconds, Order(calls, function)) != 0
    finally:
        place.write_text(whole, encoding="utf-8")


def run(copied: Path, tests: list[str], seconds: float, plugin: Any, done: Callable[[], None] = bool) -> int:
    """The status of the tests on the copy, in a process that has the heavy packages already; it ends with its own."""
    child = os.fork()
    if not child:
        os.setsid()
        nothing = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nothing, stream)
        os.chdir(copied)
        os.environ |= {"PYTHONPATH": str(copied), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.path.insert(0, str(copied))
        exec(WITHOUT_EDITABLE, {})  # noqa: S102  our own text
        status = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-W", REWRITTEN, *tests], [plugin])
        done()
        os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (found := os.waitpid(child, os.WNOHANG))[0]:
            return found[1]
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def called_by(copied: Path, tests: list[str]) -> Calls:
    """Which functions each test calls without a mutant; the tests have to pass."""
    calls = Calls(f"{copied}/")
    kept = copied / "calls.pickle"

    def keep() -> None:
        kept.write_bytes(pickle.dumps((calls.functions, calls.seconds)))

    if run(copied, tests, 3600, calls, keep) != 0:
        sys.exit(f"{' '.join(tests)}: the tests fail without a mutant")
    calls.functions, calls.seconds = pickle.loads(kept.read_bytes())  # noqa: S301  our own, of a moment ago
    return calls


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Wilson's of 95 %."""
    z, share = 1.96, hits / tries
    middle, half = share + z * z / (2 * tries), z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    return (middle - half) / (1 + z * z / tries), (middle + half) / (1 + z * z / tries)


def modules(paths: list[str]) -> list[Path]:
    """The files of a stage."""
    return [file for path in map(Path, paths) for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]


def tried(stage: str, sample: int, seed: int, copied: Path) -> str:
    """A line of the table for one stage; survivors are printed as they are found."""
    paths, names = STAGES[stage]
    tests = [f"tests/{name}" for name in names]
    start = time.perf_counter()
    calls = called_by(copied, tests)
    whole = time.perf_counter() - start
    every = [mutant for path in modules(paths) for mutant in mutants(path)]
    chosen = random.Random(seed).sample(every, min(sample, len(every)))  # noqa: S311  no secret
    caught = 0
    for mutant in chosen:
        if noticed(mutant, copied, tests, 60 + 4 * whole, calls):
            caught += 1
            continue
        before = ast.unparse(ast.parse(mutant.path.read_text(encoding="utf-8"))).splitlines()
        print(f"survives: {mutant.path}")
        print("\n".join(list(difflib.unified_diff(before, mutant.text.splitlines(), n=1, lineterm=""))[2:]), flush=True)
    low, high = interval(caught, len(chosen))
    share = f"{caught / len(chosen):.0%} | {low:.0%} to {high:.0%}"
    return f"| {stage} | {len(every):,} | {len(chosen)} | {caught} | {share} |"


def main() -> None:
    """Try the stages one after the other, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", choices=STAGES, action="append")
    parser.add_argument("--sample", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder)
        for part in ("curvec", "tests", "templates", "runtime", "docs", "benchmarks"):
            shutil.copytree(part, copied / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        for file in Path().iterdir():
            if file.is_file():
                shutil.copy(file, copied)
        # Asked in another process, as no child is to have the whole package already.
        asking = [sys.executable, "-c", "import curvec._core as core; print(core.__file__)"]
        shutil.copy(
            subprocess.run(asking, check=True, capture_output=True, text=True).stdout.strip(), copied / "curvec"
        )
        for name, source in (
            ("templates", "templates"),
            ("include", "runtime/cpp/include"),
            ("cmake", "runtime/cpp/cmake"),
        ):
            (copied / "curvec" / name).symlink_to(copied / source)
        (copied / "sitecustomize.py").write_text(WITHOUT_EDITABLE, encoding="utf-8")
        for stage in asked.stage or STAGES:
            lines.append(tried(stage, asked.sample, asked.seed, copied))
            print(lines[-1], flush=True)
    print(
        "\n".join(["", "| stage | mutants | tried | noticed | share | 95 % |", "|---|---:|---:|---:|---:|---|", *lines])
    )


if __name__ == "__main__":
    main()
