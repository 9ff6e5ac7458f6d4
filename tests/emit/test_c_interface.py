"""The C interface of emitted C++: what programs in C get of it, and what it refuses."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, PWLCurve, emit
from curvec.parity.runners.cpp import compiler

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler (Debian: apt-get install g++)")


def linked(folder: Path, sources: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    """Sources, each compiled by the compiler of its language, as one program."""
    objects = []
    for name, text in sources.items():
        (folder / name).write_text(text, encoding="utf-8")
        if not name.endswith(".h"):
            by = ["gcc", "-std=c99", "-pedantic"] if name.endswith(".c") else [str(compiler()), "-std=c++17"]
            command = [*by, "-Wall", "-Wextra", "-Werror", f"-I{curvec.get_include()}", *options, "-c", name]
            done = subprocess.run(
                [*command, "-o", f"{name}.o"], cwd=folder, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
            objects.append(f"{name}.o")
    command = [str(compiler()), *options, *objects, "-lm", "-o", "program"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def printed(folder: Path) -> list[str]:
    done = subprocess.run([folder / "program"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout.split("\n")


def test_two_models_of_one_name_do_not_answer_for_each_other_in_c(tmp_path: Path) -> None:
    two = [CurveModel("m", [PWLCurve("x", [(0, 1), (1, last)])]) for last in (2, 106)]
    sources = {f"{n}.cpp": emit(model, "cpp", c_interface=True) for n, model in enumerate(two)}
    done = linked(tmp_path, {**sources, "main.c": "int main(void) { return 0; }\n"})
    assert done.returncode != 0
    assert "m_score" in done.stderr  # defined twice, says the linker


CHECKED = r"""
#include "m.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double out[64];

static void say(struct curvec_column column, int32_t feature, int32_t count, int64_t rows) {
  struct curvec_column columns[3];
  int32_t wrong = -2;
  int32_t status;
  memset(columns, 0, sizeof columns);
  columns[0].storage = columns[1].storage = columns[2].storage = CURVEC_ALL_MISSING;
  columns[feature] = column;
  out[0] = 4321;
  status = m_score(columns, count, rows, out, &wrong);
  printf("%d %d %g %s\n", status, wrong, isnan(out[0]) ? -1 : out[0], m_message(status));
}

int main(void) {
  const double x[] = {0.5, 0.5};
  const uint8_t flags[] = {1, 2};
  const int64_t offsets[] = {0, 1, 0};
  const int32_t codes[] = {1, -1};
  struct curvec_column column;
  printf("%d %s %s %d %d\n", strcmp(m_version(), M_VERSION), m_feature_name(m_column_t), m_feature_name(2),
         m_feature_name(3) == NULL && m_feature_type(-1) == -1, m_feature_count() * 100 + m_term_count());
  memset(&column, 0, sizeof column);
  say(column, 0, 3, 2);
  column.storage = 99;
  say(column, 1, 3, 2);
  column.storage = CURVEC_FLOAT64;
  say(column, 0, 3, 2);
  column.values = x;
  say(column, 1, 3, 2);
  say(column, 0, 2, 2);
  say(column, 0, 3, -1);
  say(column, 0, 3, 2);
  column.values = flags;
  column.storage = CURVEC_UINT8;
  say(column, 2, 3, 2);
  say(column, 2, 3, 1);
  column.values = NULL;
  column.storage = CURVEC_TEXT;
  say(column, 1, 3, 2);
  column.offsets = offsets;
  column.bytes = "ab";
  say(column, 1, 3, 2);
  say(column, 1, 3, 1);
  say(column, 0, 3, 1);
  column.values = codes;
  column.storage = CURVEC_TEXT_CODES;
  column.entries = 1;
  say(column, 1, 3, 2);
  column.entries = 2;
  say(column, 1, 3, 1);
  column.storage = CURVEC_TEXT_VIEWS;
  say(column, 1, 3, 2);
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_c_interface_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    model = CurveModel(
        "m",
        [
            PWLCurve("x", [(0, 0), (1, 1)], missing=0),
            EnumCurve("t", {"a": 1.0}, missing=0.0),
            EnumCurve("f", {True: 1.0, False: 2.0}, missing=0.0),
        ],
    )
    for standalone in (False, True):
        header = emit(model, "cpp", c_header=True, standalone=standalone)
        # a definition that is not what the header declares is an error of the compiler
        source = '#include "m.h"\n' + emit(model, "cpp", c_interface=True, standalone=standalone)
        assert linked(tmp_path, {"m.h": header, "m.cpp": source, "main.c": CHECKED}).returncode == 0
        lines = [line.split(" ", 3) for line in printed(tmp_path) if line]
        assert lines[0] == ["0", "t", "f", "1 303"]
        assert [" ".join(line[:3]) for line in lines[1:]] == [
            "4 0 4321", "5 1 4321", "1 0 4321", "5 1 4321", "2 -1 4321", "3 -1 4321", "0 -1 0.5", "7 2 4321", "0 -1 1",
            "1 1 4321", "6 1 4321", "0 -1 1", "5 0 4321", "6 1 4321", "6 1 4321", "5 1 4321",
        ]  # fmt: skip
        assert all(line[3] != "no status of curvec's" for line in lines)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_model_that_reads_no_column_takes_none(tmp_path: Path) -> None:
    constant = CurveModel("m", [], 0.25)
    source = '#include "m.h"\n' + emit(constant, "cpp", c_interface=True)
    main = """#include <stdio.h>
#include "m.h"
int main(void) {
  double scores[] = {4, 3, 2};
  const int32_t status = m_score(0, 0, 2, scores, 0);
  printf("%d %d %g %g %g", status, m_feature_count() - m_feature_type(0), scores[0], scores[1], scores[2]);
  return m_feature_name(0) == 0 ? 0 : 1;
}
"""
    texts = {"m.h": emit(constant, "cpp", c_header=True), "m.cpp": source, "main.c": main}
    assert linked(tmp_path, texts).returncode == 0
    assert printed(tmp_path) == ["0 1 0.25 0.25 2"]


def test_a_name_that_is_no_string_of_c_is_refused() -> None:
    with pytest.raises(InputError, match=r"feature 'a\\x00b' has a NUL in its name"):
        emit(CurveModel("m", [Line("a\0b")]), "cpp", c_header=True)
