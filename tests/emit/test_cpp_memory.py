"""Emitted headers under AddressSanitizer and UndefinedBehaviorSanitizer: no column makes them read beyond it.

Every column stands in an allocation of exactly its bytes. The layouts hold the same rows, so that their scores are the
same bits.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from golden_python import long, nodes, paper
from models import every_node

import curvec
from curvec import CurveModel, Line, Product, PWLCurve, Sum, emit
from curvec.parity.runners.cpp import compiler

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler (Debian: apt-get install g++)")

COMPILERS = [  # the sanitizers are the same; clang takes two thirds of the time
    pytest.param(path, marks=[pytest.mark.nightly] * (name == "g++" and shutil.which("clang++") is not None))
    for name in ("clang++", "g++")
    if (path := shutil.which(name))
]

# curvec_column in any layout, of values that are all a double, an int8_t or a text.
DRIVER = r"""
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

using Score = std::int32_t (*)(const curvec_column*, std::int32_t, std::int64_t, double*, std::int32_t*);
using Type = std::int32_t (*)(std::int32_t);

std::vector<std::unique_ptr<char[]>> kept;

char* Bytes(std::size_t size) {
  kept.emplace_back(new char[size]);
  return kept.back().get();
}

// The number of a row: small integers, that every storage holds.
double ValueOf(std::int64_t row, bool is_flag) { return static_cast<double>(is_flag ? row % 2 : row * 7 % 100); }

template <class T>
curvec_column NumbersOf(std::int64_t rows, bool is_flag, std::int32_t storage, std::int64_t stride,
                        std::int64_t before) {
  const std::int64_t step = stride == 0 ? static_cast<std::int64_t>(sizeof(T)) : stride;
  const std::int64_t size = step < 0 ? -step : step;
  const std::int64_t last = rows == 0 ? 0 : (rows - 1) * size + static_cast<std::int64_t>(sizeof(T));
  char* bytes = Bytes(static_cast<std::size_t>(before + last)) + before;
  if (step < 0 && rows != 0) bytes += (rows - 1) * size;
  for (std::int64_t row = 0; row < rows; ++row) {
    const T value = static_cast<T>(ValueOf(row, is_flag));
    std::memcpy(bytes + row * step, &value, sizeof value);
  }
  curvec_column column{};
  column.values = bytes;
  column.stride = stride;
  column.storage = storage;
  return column;
}

curvec_column TextOf(std::int64_t rows, bool with_codes) {
  const std::string entries[] = {"F", "O'Brien", "", "unseen"};
  const std::int64_t count = with_codes ? 4 : rows;
  auto* offsets = reinterpret_cast<std::int64_t*>(Bytes(static_cast<std::size_t>(count + 1) * sizeof(std::int64_t)));
  std::string all;
  for (std::int64_t i = 0; i < count; ++i) {
    offsets[i] = static_cast<std::int64_t>(all.size());
    all += entries[i % 4];
  }
  offsets[count] = static_cast<std::int64_t>(all.size());
  char* bytes = Bytes(all.size());
  std::memcpy(bytes, all.data(), all.size());
  curvec_column column{};
  if (with_codes) {
    char* codes = Bytes(static_cast<std::size_t>(rows) * 4 + 1) + 1;
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto code = static_cast<std::int32_t>(row % 4);
      std::memcpy(codes + row * 4, &code, 4);
    }
    column.values = codes;
    column.entries = 4;
  }
  column.offsets = offsets;
  column.bytes = bytes;
  column.storage = with_codes ? CURVEC_TEXT_CODES : CURVEC_TEXT;
  return column;
}

curvec_column ColumnOf(int layout, std::int32_t type, std::int64_t rows) {
  if (type == CURVEC_STRING) return TextOf(rows, layout % 2 == 0);
  const bool is_flag = type == CURVEC_BOOLEAN;
  switch (layout) {
    case 0:
      return NumbersOf<double>(rows, is_flag, CURVEC_FLOAT64, 0, 0);
    case 1:
      return NumbersOf<double>(rows, is_flag, CURVEC_FLOAT64, 0, 3);
    case 2:
      return NumbersOf<double>(rows, is_flag, CURVEC_FLOAT64, 11, 1);
    case 3:
      return NumbersOf<double>(rows, is_flag, CURVEC_FLOAT64, -13, 0);
    case 4:
      return NumbersOf<float>(rows, is_flag, CURVEC_FLOAT32, 0, 0);
    case 5:
      return NumbersOf<float>(rows, is_flag, CURVEC_FLOAT32, 0, 1);
    case 6:
      return NumbersOf<std::int64_t>(rows, is_flag, CURVEC_INT64, 0, 5);
    case 7:
      return NumbersOf<std::uint16_t>(rows, is_flag, CURVEC_UINT16, 3, 1);
    default:
      return NumbersOf<std::int8_t>(rows, is_flag, CURVEC_INT8, 0, 0);
  }
}

void TryModel(std::int32_t features, std::size_t terms, Type type_of, Score score, Score predict, Score all_terms) {
  for (const std::int64_t rows : {0, 1, 7, 9, 1025}) {
    for (const bool gaps : {false, true}) {
      std::vector<double> wanted;
      for (int layout = 0; layout < 9; ++layout) {
        std::vector<curvec_column> columns;
        for (std::int32_t i = 0; i < features; ++i) {
          columns.push_back(ColumnOf(layout, type_of(i), rows));
          if (!gaps || columns.back().storage == CURVEC_TEXT) continue;
          const std::size_t size = static_cast<std::size_t>(rows + 3 + 7) / 8;
          char* bits = Bytes(size);
          std::memset(bits, 0x5a, size);
          columns.back().validity = reinterpret_cast<const std::uint8_t*>(bits);
          columns.back().first = 3;
        }
        if (gaps && layout % 2 == 1) continue;  // text without codes had no gaps
        const auto count = static_cast<std::size_t>(rows);
        std::vector<double> results((2 + terms) * count);
        const auto call = [&](Score function, std::size_t from) {
          if (function(columns.data(), features, rows, results.data() + from, nullptr) != CURVEC_OK) std::exit(3);
        };
        call(score, 0);
        call(predict, count);
        call(all_terms, 2 * count);
        if (layout == 0) wanted = results;
        if (rows != 0 && std::memcmp(results.data(), wanted.data(), results.size() * sizeof(double)) != 0) {
          std::printf("layout %d gives other bits\n", layout);
          std::exit(4);
        }
        kept.clear();
      }
    }
  }
}

}  // namespace
"""


def products() -> CurveModel:
    """60 products, more than two groups of a sum; that the stack does not grow with many more has a test of its own."""
    curves = [PWLCurve("x", [(0, 1), (50, k)]) for k in range(2, 7)]
    inner = Sum([Line("x"), Line("y", 0.5)])
    return CurveModel("products", [Product([curves[k % 5], Line("y"), inner]) for k in range(60)])


@pytest.mark.parametrize("by", COMPILERS, ids=lambda by: Path(by).name)
def test_no_layout_of_a_column_makes_a_header_read_beyond_it(by: str, tmp_path: Path) -> None:
    models = [every_node(), every_node("log"), paper(), long(), nodes(), products()]
    texts = [emit(model, "cpp", namespace=f"m{n}", c_interface=True) for n, model in enumerate(models)]
    functions = [
        ", ".join(f"m{n}_{name}" for name in ("feature_type", "score", "predict", "terms")) for n in range(len(models))
    ]
    sizes = [f"{len(model.features)}, {len(model.terms)}" for model in models]
    calls = [f"  TryModel({size}, {names});" for size, names in zip(sizes, functions, strict=True)]
    source = "\n".join([*texts, DRIVER, "int main() {", *calls, "}\n"])
    options = ["-std=c++17", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    command = [by, *options, f"-I{curvec.get_include()}", "-x", "c++", "-", "-o", str(tmp_path / "program")]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if done.returncode and "libclang_rt" in done.stderr:
        pytest.skip("no sanitizers for clang (Debian: apt-get install libclang-rt-dev)")
    assert done.returncode == 0, done.stderr[:3000]
    run = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr[:3000]
