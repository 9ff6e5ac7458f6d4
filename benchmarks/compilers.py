"""Emitted headers under every compiler, standard and level of optimisation that is here: no warning, and the same bits.

The compilers are those of the search path: g++ and clang++ in any version, clang with libc++ where it is installed, g++
for 32-bit x86 where its libraries are, for AArch64 and s390x (whose bytes stand in the other order) with QEMU, and for
Windows with Wine. Each compiles the models of the golden files and of the tests as one program, which scores the same
rows. On Debian 12:

    apt-get install clang-{14,15,16,19,22} g++-{11,12} g++-12-multilib libc++-19-dev libc++abi-19-dev qemu-user \
      g++-{aarch64,s390x}-linux-gnu g++-mingw-w64-x86-64 wine64

    python benchmarks/compilers.py

With --headers it compiles the headers that the tests emitted, each function of them, and no warning may come:

    CURVEC_KEEP_CPP=build/headers pytest tests
    python benchmarks/compilers.py --headers build/headers --standards c++17
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import curvec
from curvec import CurveModel, emit
from curvec.emit.cpp_text import string_literal
from curvec.transforms import FloatArray

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from golden_python import long, nodes, paper
from models import every_node

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wfloat-equal", "-Werror"]
STANDARDS = ["c++17", "c++20", "c++23"]

HEADERS_A_UNIT = 25

SMALLEST = "#include <string>\nint main() {}\n"

# Reads each model's rows, feature by feature, as doubles (of text: the number of its entry), and writes the scores.
DRIVER = """
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif
#include <cstdio>
#include <string>
#include <vector>

template <class Score>
void Run(Score score, const std::int32_t* types, std::int32_t features, const std::vector<std::string_view>& entries) {
#ifdef _WIN32  // no byte is the end of a line
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  std::int64_t rows = 0;
  if (std::fread(&rows, sizeof rows, 1, stdin) != 1) return;
  const auto count = static_cast<std::size_t>(rows);
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::string_view>> texts;
  std::vector<curvec_column> columns;
  std::vector<std::vector<std::int32_t>> codes;
  std::string bytes;
  std::vector<std::int64_t> offsets{0};
  for (const std::string_view entry : entries) {
    bytes += entry;
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  for (std::int32_t i = 0; i < features; ++i) {
    numbers.emplace_back(count);
    if (std::fread(numbers.back().data(), sizeof(double), count, stdin) != count) return;
    curvec_column column = curvec::Numbers(numbers.back().data()).raw();
    if (types[i] == CURVEC_STRING) {
      codes.emplace_back();
      for (const double number : numbers.back()) codes.back().push_back(static_cast<std::int32_t>(number));
      column.values = codes.back().data();
      column.offsets = offsets.data();
      column.bytes = bytes.data();
      column.entries = static_cast<std::int64_t>(entries.size());
      column.storage = CURVEC_TEXT_CODES;
    }
    columns.push_back(column);
  }
  std::vector<double> scores(count);
  if (score(columns.data(), features, rows, scores.data(), nullptr) != CURVEC_OK) return;
  std::fwrite(scores.data(), sizeof(double), count, stdout);
}
"""


USED = """namespace used_NAME {
double (*score)(const SPACE::Features&) = SPACE::Score;
double (*predict)(const SPACE::Features&) = SPACE::Predict;
SPACE::Terms (*terms)(const SPACE::Features&) = SPACE::Contributions;
void (*batch)(const SPACE::Columns&, std::size_t, double*, curvec::BatchOptions) = SPACE::PredictBatch;
}
"""


@dataclass(frozen=True)
class Compiler:
    """A compiler with the options that choose its target, and what runs its programs."""

    name: str
    command: Sequence[str]
    runner: Sequence[str] = field(default=())
    byte_order: str = "<"  # of the target's numbers, as NumPy writes it


def compilers() -> Iterator[Compiler]:
    """Those that are here and can build a program."""
    found = {  # a compiler that has two names once, by the longer one
        path.resolve(): str(path)
        for folder in os.environ["PATH"].split(os.pathsep)
        for path in sorted(Path(folder).glob("*++*"))
        if re.fullmatch(r"(clang\+\+|g\+\+)(-\d+)?", path.name)
    }
    named = {Path(path).name: path for path in found.values()}
    tried = [Compiler(name, [path]) for name, path in sorted(named.items())]
    tried += [Compiler(f"{name} with libc++", [path, "-stdlib=libc++"]) for name, path in named.items() if "cl" in name]
    tried += [Compiler(f"{name} for 32 bits", [path, "-m32", "-msse2", "-mfpmath=sse"]) for name, path in named.items()]
    tried += [
        Compiler("g++ for AArch64", ["aarch64-linux-gnu-g++", "-static"], ["qemu-aarch64"]),
        Compiler("g++ for s390x", ["s390x-linux-gnu-g++", "-static"], ["qemu-s390x"], ">"),
        Compiler("MinGW g++ for Windows", ["x86_64-w64-mingw32-g++", "-static"], ["wine"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for compiler in tried:
            needed = [compiler.command[0], *compiler.runner]
            if not all(map(shutil.which, needed)):
                continue
            if built(SMALLEST, [*compiler.command, "-Werror"], f"{folder}/program", say=False):
                yield compiler


def built(source: str, command: Sequence[str], program: str, *, say: bool = True) -> bool:
    """Whether a text compiles and links; what the compiler says is printed if not."""
    asked = [*command, "-x", "c++", "-", "-o", program]
    done = subprocess.run(asked, input=source, capture_output=True, text=True, check=False)
    if done.returncode and say:
        print(done.stderr[:2000], file=sys.stderr)
    return done.returncode == 0


def rows_of(model: CurveModel, count: int) -> tuple[dict[str, np.ndarray], list[np.ndarray], list[str]]:
    """Rows for a model: as its columns, as the numbers that the driver reads, and the entries of its text."""
    chosen = np.random.default_rng(0)
    edges = [x for node in curvec.ir.walk(*model.terms) for x in node.breaks]
    levels = [level for node in curvec.ir.walk(*model.terms) for level in node.levels]
    entries = [*dict.fromkeys(level for level in levels if isinstance(level, str)), "unseen"]
    beside = np.concatenate([np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf), edges, [np.nan, np.inf, 0.0]])
    data: dict[str, np.ndarray] = {}
    sent = [np.array(count)]
    for feature in model.features:
        if feature.type == "number":
            values = np.where(chosen.random(count) < 0.5, chosen.choice(beside, count), chosen.normal(0, 100, count))
        else:
            most = {"str": len(entries), "int": 15, "bool": 2}[feature.type]
            values = chosen.integers(0 if feature.type == "bool" else -1, most, count).astype(float)
        data[feature.name] = values
        if feature.type == "str":
            data[feature.name] = np.array([None if v < 0 else entries[int(v)] for v in values], object)
        elif feature.type == "bool":
            data[feature.name] = values == 1
        sent.append(values.astype(float))
    return data, sent, entries


def same(scores: FloatArray, wanted: FloatArray) -> bool:
    """Whether the bits are the same, but for those of NaN."""
    if scores.shape != wanted.shape:
        return False
    return bool((np.isnan(scores) & np.isnan(wanted) | (scores.view("i8") == wanted.view("i8"))).all())


def scores_of_models(count: int, folder: Path) -> Callable[[Compiler, list[str]], str]:
    """What says, of a compiler and its options, whether the models' program gives the reference's bits."""
    models = [every_node(), every_node("log"), paper(), long(), nodes()]
    texts, calls, wanted = [], [], []
    sent: list[np.ndarray] = []
    for number, model in enumerate(models):
        text = emit(model, "cpp", namespace=f"m{number}", c_interface=True, standalone=False)
        texts.append(text.replace("#pragma once\n", ""))
        data, rows, entries = rows_of(model, count)
        listed = ", ".join(f"{{{string_literal(entry)}, {len(entry.encode())}}}" for entry in entries)
        calls.append(f"  Run(m{number}_score, m{number}::kFeatureTypes, {len(model.features)}, {{{listed}}});")
        sent += rows
        wanted.append(model.eval(data))
    source = "\n".join([*texts, DRIVER, "int main() {", *calls, "}\n"])
    program = str(folder / "program.exe")

    def result(compiler: Compiler, options: list[str]) -> str:
        order = compiler.byte_order
        rows_in = b"".join(column.astype(column.dtype.newbyteorder(order)).tobytes() for column in sent)
        if not built(source, [*compiler.command, *options], program):
            return "does not compile"
        done = subprocess.run([*compiler.runner, program], input=rows_in, capture_output=True, check=False)
        scores = np.frombuffer(done.stdout, f"{order}f8").astype(float)
        return "same bits" if same(scores, np.concatenate(wanted)) else "other bits"

    return result


def units(headers: Path) -> list[str]:
    """Kept headers in a few sources, with a pointer to each function, so that the compiler makes code of it.

    Those that carry the runtime are in sources of their own, or its text would be left out after the first.
    """
    alone: list[str] = []
    carrying: list[str] = []
    for file in sorted(headers.glob("kept_*")):
        text = file.read_text(encoding="utf-8")
        found = re.search(r"^namespace (kept_[\w:]+) \{", text, re.MULTILINE)
        used = (
            "" if file.suffix == ".h" or found is None else USED.replace("SPACE", found[1]).replace("NAME", file.stem)
        )
        (carrying if "define CURVEC_ABI_HPP" in text else alone).append(f'#include "{file.name}"\n{used}')
    return [
        "".join(kind[first : first + HEADERS_A_UNIT])
        for kind in (alone, carrying)
        for first in range(0, len(kind), HEADERS_A_UNIT)
    ]


def warnings_of_headers(headers: Path) -> Callable[[Compiler, list[str]], str]:
    """What says, of a compiler and its options, whether it compiles the kept headers."""
    sources = units(headers)
    if not sources:
        sys.exit(f"no header in {headers}: run the tests with CURVEC_KEEP_CPP={headers}")
    print(f"{len(list(headers.glob('kept_*')))} headers in {len(sources)} sources\n")

    def result(compiler: Compiler, options: list[str]) -> str:
        command = [*compiler.command, *options, f"-I{headers.resolve()}", "-c"]
        failed = sum(not built(source, command, os.devnull) for source in sources)
        return f"warnings in {failed} sources" if failed else "no warning"

    return result


def main() -> None:
    """Try them all; print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--only", type=re.compile, default="", help="a pattern that the compiler's name holds")
    parser.add_argument("--standards", nargs="*", default=STANDARDS)
    parser.add_argument("--levels", nargs="*", type=int, default=[0, 1, 2, 3], help="of optimisation")
    parser.add_argument("--headers", type=Path, help="a folder of headers that the tests kept")
    asked = parser.parse_args()
    good = {"same bits", "no warning"}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        result = warnings_of_headers(asked.headers) if asked.headers else scores_of_models(asked.rows, Path(folder))
        print(f"| compiler | standard | {' | '.join(f'-O{level}' for level in asked.levels)} |")
        print("|---" * (2 + len(asked.levels)) + "|")
        for compiler in filter(lambda compiler: re.search(asked.only, compiler.name), compilers()):
            for standard in asked.standards:
                options = [f"-std={standard.replace('23', '2b')}", f"-I{curvec.get_include()}", *WARNINGS]
                cells = [result(compiler, [*options, f"-O{level}"]) for level in asked.levels]
                failed |= not good.issuperset(cells)
                print(f"| {compiler.name} | {standard} | {' | '.join(cells)} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
