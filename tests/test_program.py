"""curvec::Program: a model that C++ reads from its file scores with the bits of the reference; what is none is refused.

What is read and what is refused must be what the Python package reads and refuses; no text crashes it.
"""

from __future__ import annotations

import ctypes
import json
import random
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from nightly import NIGHTLY, examples
from strategies import models, rows, usual_table

import curvec
from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, evaluate
from curvec.links import link
from curvec.model import from_json
from curvec.parity.runners import RUNNERS, Data
from curvec.parity.runners.cpp import compiled, compiler, library_scores

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler (Debian: apt-get install g++)")

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wfloat-equal", "-Werror"]
COMPILERS = sorted(filter(None, map(shutil.which, ("g++", "clang++")))) or [compiler()]

# The functions of a C interface over the program that was loaded last.
LIBRARY = r"""
#include <curvec/program.hpp>
#include <optional>

namespace {
std::optional<curvec::Program> program;
std::string message;
}  // namespace

extern "C" CURVEC_EXPORT const char* program_load(const char* json, std::size_t size) {
  message.clear();
  try {
    program = curvec::Program::FromJson({json, size});
  } catch (const curvec::ModelError& error) {
    message = error.what();
  }
  return message.c_str();
}
#define FUNCTION(NAME, METHOD)                                                                                       \
  extern "C" CURVEC_EXPORT std::int32_t program_##NAME(const curvec_column* columns, std::int32_t count,            \
                                                       std::int64_t rows, double* result, std::int32_t* wrong) {     \
    return program->METHOD(columns, static_cast<std::size_t>(count), static_cast<std::size_t>(rows), result, wrong); \
  }
FUNCTION(score, Score)
FUNCTION(predict, Predict)
FUNCTION(terms, Terms)
extern "C" CURVEC_EXPORT void program_score_rows(const curvec_column* columns, std::int64_t rows, double* scores) {
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    program->ScoreRange(columns, row, row + 1, scores);
  }
}
"""


BY_OTHERS = [pytest.param(by, marks=pytest.mark.nightly) for by in COMPILERS[1:]]
"""test_cpp.py has each compiler score by day."""


@pytest.fixture(scope="module", params=[COMPILERS[0], *BY_OTHERS], ids=lambda path: Path(path).name)
def library(request: pytest.FixtureRequest) -> Any:
    level = "-O2" if NIGHTLY and request.param == COMPILERS[-1] else "-O0"
    with compiled(LIBRARY, level, *WARNINGS, by=request.param) as loaded:
        loaded.program_load.restype = ctypes.c_char_p
        loaded.program_load.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        yield loaded


def load(library: Any, text: str | bytes) -> str:
    """What loading says: nothing where it succeeds."""
    encoded = text.encode() if isinstance(text, str) else text
    return library.program_load(encoded, len(encoded)).decode()


def assert_scores(library: Any, model: CurveModel, data: Data) -> None:
    assert load(library, model.to_json()) == ""
    scores = library_scores(library, "program", model, usual_table(RUNNERS["cpp"], model, data))
    table = model.table({name: np.asarray(column) for name, column in data.items()})
    score = evaluate.raw_score(model.terms, model.intercept, table)
    for name, wanted in (
        ("terms", evaluate.contributions(model.terms, table)),
        ("score", score),
        ("prediction", link(model.link).inverse(score)),
    ):
        got = getattr(scores, name)
        same = (got == wanted) & (np.signbit(got) == np.signbit(wanted)) | np.isnan(got) & np.isnan(wanted)
        assert same.all(), f"{name} of {model!r}: {got[~same][:3]} for {wanted[~same][:3]}"


@settings(examples(12), phases=[Phase.generate])
@given(st.data())
def test_any_model_scores_with_the_bits_of_the_reference(library: Any, data: st.DataObject) -> None:
    model = data.draw(models())
    assert_scores(library, model, data.draw(rows(model, data.draw(st.sampled_from([1, 200, 1100])))))


EVERY_NODE = CurveModel(
    'every "node" é\u2028',
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log", missing=0.25, note="a\tnote \\ 🙂"),
        PWLCurve(Sum([Line("age"), Line("k")]), [(-1e300, 1), (5e-324, 2), (1.7e308, 3)]),
        StepCurve("age", [0.1, 2.0], [1.0, -2.5e-7, 3.0]),
        StepCurve(Sum([Product([Line("age"), Line("k")])]), [1], [2, 3], missing=4),
        EnumCurve("k", {1: 0.0198, -(2**53): -0.0384}, default=0.5),
        EnumCurve("k", {2: 7.0}, missing=-1.0),
        EnumCurve("who", {"a": 1.0, "": 2.0, 'b"\\\n🙂': 3.0}, missing=0.5),
        EnumCurve("flag", {True: 1.5, False: 2.5}),
        Line("age", -0.031, missing=2.0),
        Product([Sum([Line("age")]), PWLCurve("k", [(0, 1), (2, 3)], fx="symlog1p"), Line("k")]),
        *[PWLCurve("age", [(0, k), (100, k / 7)]) for k in range(60)],
    ],
    0.1,
    "logit",
    note="n",
)


def test_every_node_and_more_than_a_group_of_terms(library: Any) -> None:
    count = 1100
    chosen = np.random.default_rng(0)
    data: Data = {
        "age": chosen.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 18.0, 30.0, 46.0, 1e300, 5e-324], count),
        "k": chosen.choice(np.array([1, 2, 3, None, -(2**53)], object), count),
        "who": chosen.choice(np.array(["a", "", 'b"\\\n🙂', None, "unseen"], object), count),
        "flag": chosen.choice(np.array([True, False, None], object), count),
    }
    assert_scores(library, EVERY_NODE, data)
    compact = json.dumps(json.loads(EVERY_NODE.to_json()))  # in ASCII, text escaped
    assert "\\ud83d" in compact
    assert load(library, compact) == ""


def test_integers_and_other_spellings_of_a_number_are_read_as_python_reads_them(library: Any) -> None:
    spelled = ["18", "1.8e1", "180E-1", "0.18e+2", "18.000000000000000000000000000000000001", "-0", "-0.0", "1e-999"]
    spelled += ["9007199254740993", "9007199254740992", "1" + "0" * 300, "1" + "0" * 309, "1e999", "-1e309"]
    spelled += ["01", "+1", ".5", "1.", "1e", "0x1", "NaN", "Infinity", "1_0", "1 0", "true", '"1"', "null", "--1"]
    spelled += ["0.1000000000000000055511151231257827021181583404541015625", "4.9e-324", "2.4703282292062328e-324"]
    for number in spelled:
        text = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])], 4.5).to_json().replace("4.5", number)
        wanted = python_reads(text)
        assert (load(library, text) == "") == (wanted is not None), number
        if wanted is not None:
            assert_scores(library, wanted, {"x": np.array([0.0, 0.5])})


def python_reads(text: str | bytes) -> CurveModel | None:
    try:
        return from_json(text if isinstance(text, str) else text.decode())
    except (InputError, UnicodeDecodeError):
        return None


POOL: list[Any] = [None, True, False, 0, 1, -1, 2.5, 2**53 + 2, 1e308, "", "age", "Sum", "log", "number", [], [[]], {}]
POOL += [[1, 2], [[1, 2]], [["a", 1]], [[1, 1]], {"type": "Line", "input": "age"}, {"type": "Sum", "terms": []}]


def mutated(value: Any, chosen: random.Random) -> Any:
    """A JSON value with something in it changed, left out, doubled, renamed or put elsewhere."""
    if isinstance(value, dict) and value and chosen.random() < 0.85:
        name = chosen.choice(list(value))
        if chosen.random() < 0.12:
            return {key: item for key, item in value.items() if key != name}
        if chosen.random() < 0.05:
            return {(key + "2" if key == name else key): item for key, item in value.items()}
        return {**value, name: mutated(value[name], chosen)}
    if isinstance(value, list) and value and chosen.random() < 0.85:
        place = chosen.randrange(len(value))
        if chosen.random() < 0.1:
            return value[:place] + value[place + 1 :]
        if chosen.random() < 0.1:
            return [*value, value[place]]
        return [mutated(item, chosen) if i == place else item for i, item in enumerate(value)]
    return chosen.choice(POOL)


def test_what_python_refuses_is_refused_and_nothing_else(library: Any) -> None:
    chosen = random.Random(1)  # noqa: S311  no secret
    whole = json.loads(EVERY_NODE.to_json())
    whole["model"]["terms"] = whole["model"]["terms"][:11]
    read = 0
    for _ in range(16_000 if NIGHTLY else 1500):
        text = json.dumps(mutated(whole, chosen))
        message = load(library, text)
        wanted = python_reads(text)
        read += wanted is not None
        assert (message == "") == (wanted is not None), (message, text)
        assert len(message) < 400
    assert 30 < read < 1400 * (11 if NIGHTLY else 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"curvec": 1', '"curvec": 2'), "curvec: version 2 is unknown; it must be 1"),
        (("[\n      18.0,", "[\n      21.0,"), r"model.terms[0].points: 21 is followed by 21; x must be strictly incr"),
        (('"fx": "log"', '"fx": "sqrt"'), 'model.terms[0].fx: "sqrt" is not a transform'),
        (("18.0", "-18.0"), "model.terms[0].points: -18 is outside the domain of log"),
        (("18.0", "1e999"), "model.terms[0].points[0]: 1e999 must be finite"),
        (("18.0", "9007199254740993"), "[0]: 9007199254740993 is an integer that no double holds"),
        (('"default": null', '"unseen": null'), 'model.terms[1]: the member "unseen" is unknown'),
        (('"F"', '"M"'), 'model.terms[1].mapping: the level "M" is there twice'),
        (('"F"', "3"), "model.terms[1].mapping[1]: the levels must be all integers, all text or all true and false"),
        (('"type": "EnumCurve"', '"type": "Spline"'), 'model.terms[1].type: "Spline" is not a node'),
        (('"link": "logit"', '"link": "probit"'), 'model.link: "probit" is not a link'),
        (('"curvec": 1,', '"curvec": 1, "curvec": 1,'), 'the member "curvec" is there twice'),
        (("3.13", "[3.13"), "line 19: a list is not closed: a comma or ] is missing"),
        (("3.13", "03.13"), "line 12: a number begins with 0"),
        (('"risk"', '"risk\\ud800"'), "line 4: the first half of a surrogate pair without the second one"),
        (('"risk"', '"' + "r" * 70000), "line 4: a control character in text must be escaped"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(library: Any, change: tuple[str, str], message: str) -> None:
    terms = [PWLCurve("age", [(18, 3.13), (21, 0.5)], fx="log"), EnumCurve("degree", {"F": 1.0, "M": 2.0})]
    text = CurveModel("risk", terms, link="logit").to_json()
    assert change[0] in text
    assert message in load(library, text.replace(*change, 1))


def test_a_file_that_is_not_there_or_deep_or_long_is_refused(library: Any) -> None:
    short = ["", " ", "{", "[]", "null", "{}", '{"curvec": 1}', '{"curvec": 1} x']
    for text in [*short, "[" * 100_000, '{"a":' * 100_000]:
        assert load(library, text) != ""
    node: Any = {"type": "Line", "input": "x"}
    for depth in range(1, 40):
        text = json.dumps({"curvec": 1, "model": {"name": "m", "terms": [node]}})
        assert (load(library, text) == "") == (python_reads(text) is not None) == (depth < 32)
        node = {"type": "Sum", "terms": [node]}


# Reads texts, each behind its size, loads each and scores rows of it; prints how many were models.
FUZZED = r"""
#include <curvec/program.hpp>
#include <cstdio>
#include <memory>

int main() {
  std::size_t models = 0;
  std::uint32_t size = 0;
  while (std::fread(&size, sizeof size, 1, stdin) == 1) {
    const std::unique_ptr<char[]> text(new char[size]);  // not one byte more
    if (std::fread(text.get(), 1, size, stdin) != size) return 2;
    try {
      const curvec::Program program = curvec::Program::FromJson({text.get(), size});
      constexpr std::size_t kRows = 9;
      const double numbers[kRows] = {-1e300, -1, 0, 0.5, 1, 2, 20, 1e300, curvec::kNaN};
      const std::string_view texts[kRows] = {"a", "", "b", "F", "M", "unseen", "\xff", "1", "age"};
      std::vector<curvec_column> columns;
      for (const curvec::program::Feature& feature : program.features()) {
        const bool text_feature = feature.type == CURVEC_STRING;
        columns.push_back(text_feature ? curvec::Keys<std::string_view>(texts).raw() : curvec::Numbers(numbers).raw());
        if (feature.type == CURVEC_BOOLEAN) columns.back().storage = CURVEC_ALL_MISSING;
      }
      std::vector<double> terms(kRows * program.term_count() + 1);
      if (program.Predict(columns.data(), columns.size(), kRows, std::vector<double>(kRows).data()) != CURVEC_OK ||
          program.Terms(columns.data(), columns.size(), kRows, terms.data()) != CURVEC_OK) {
        return 3;
      }
      ++models;
    } catch (const curvec::ModelError& error) {
      if (*error.what() == '\0') return 4;
    }
  }
  std::printf("%zu\n", models);
}
"""


def sanitized(source: str, folder: Path, by: str) -> Path:
    """A program under AddressSanitizer and UndefinedBehaviorSanitizer."""
    program = folder / "sanitized"
    options = ["-std=c++17", "-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    command = [by, *options, f"-I{curvec.get_include()}", "-x", "c++", "-", "-o", str(program)]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if done.returncode and "libclang_rt" in done.stderr:
        pytest.skip("no sanitizers for clang (Debian: apt-get install libclang-rt-dev)")
    assert done.returncode == 0, done.stderr
    return program


def test_no_damaged_text_reads_or_writes_where_it_must_not(tmp_path: Path) -> None:
    chosen = random.Random(2)  # noqa: S311  no secret
    whole = CurveModel(EVERY_NODE.name, EVERY_NODE.terms[:11], 0.1, "logit").to_json().encode()
    texts = [whole, *(whole[:size] for size in range(0, len(whole), 7))]
    for _ in range(6000 if NIGHTLY else 600):
        damaged = bytearray(whole)
        for _ in range(chosen.choice([1, 1, 2, 8])):
            place = chosen.randrange(len(damaged))
            kind = chosen.random()
            if kind < 0.4:
                damaged[place] ^= 1 << chosen.randrange(8)
            elif kind < 0.7:
                damaged[place] = chosen.choice(b'{}[]",:\\0189.eE-+u \x00\xff\xc3\xe0\xf0')
            elif kind < 0.85:
                del damaged[place : place + chosen.randrange(1, 40)]
            else:
                damaged[place:place] = damaged[chosen.randrange(len(damaged)) :][: chosen.randrange(1, 60)]
        texts.append(bytes(damaged))
    wanted = sum(python_reads(text) is not None for text in texts)
    program = sanitized(FUZZED, tmp_path, str(COMPILERS[0]))  # clang takes half of the time
    given = b"".join(struct.pack("=I", len(text)) + text for text in texts)
    done = subprocess.run([program], input=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-3000:]
    assert int(done.stdout) == wanted > 10
