"""The C++ target: what the emitted header says, that it compiles clean, and that it scores as the reference does."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

import clang_format
import numpy as np
import pytest
from cpp_sources import COMPILERS, LISTING, WARNINGS, check, one_unit
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from nightly import by_diagonal, examples
from strategies import models, rows, usual_table

import curvec
from curvec import (
    CurveModel,
    EnumCurve,
    Feature,
    Line,
    Product,
    PWLCurve,
    StepCurve,
    Sum,
    UnsupportedError,
    emit,
)
from curvec.parity.runners import RUNNERS, Data, StoredTable
from curvec.parity.runners.cpp import CppRunner, compiled, compiler, library_scores, one_row

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler (Debian: apt-get install g++)")

BY_EACH = [COMPILERS[0], *(pytest.param(by, marks=pytest.mark.nightly) for by in COMPILERS[1:])]
"""By day one compiler, where what is asked is no matter of the compiler's."""

CLANG_FORMAT = Path(clang_format.__file__).parent / "data" / "bin" / "clang-format"


def reference(model: CurveModel, data: Data) -> list[np.ndarray]:
    plain = {name: np.asarray(column) for name, column in data.items()}
    return [model.contributions(plain), model.eval(plain), model.predict(plain)]


def assert_same_bits(model: CurveModel, data: Data, scores: object) -> None:
    for wanted, name in zip(reference(model, data), ("terms", "score", "prediction"), strict=True):
        got = getattr(scores, name)
        wrong = ~((got == wanted) & (np.signbit(got) == np.signbit(wanted)) | np.isnan(got) & np.isnan(wanted))
        assert not wrong.any(), f"{name} of {model!r}: {got[wrong][:3]} for {wanted[wrong][:3]}"


@st.composite
def models_with_rows(draw: st.DrawFn) -> tuple[CurveModel, Data]:
    model = draw(models())
    return model, draw(rows(model, 200))


def some(strategy: st.SearchStrategy, count: int) -> list:
    """That many values of a strategy, the same on every run but at night."""
    found = []

    @settings(examples(count), database=None, phases=[Phase.generate], suppress_health_check=HealthCheck)
    @given(strategy)
    def collect(value: object) -> None:
        found.append(value)

    collect()
    return found


@pytest.mark.parametrize("by", COMPILERS, ids=lambda path: Path(path).name)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_any_models_in_one_program_score_with_the_bits_of_the_reference(by: str, level: str) -> None:
    full = (COMPILERS.index(by) + (level == "-O2")) % 2 == 0  # each model with optimisation, without, and by everyone
    cases = some(models_with_rows(), 9 if full else 2)
    texts = []
    for number, (model, _) in enumerate(cases):
        text = emit(model, "cpp", namespace=f"m{number}", standalone=number % 2 == 0, c_interface=True)
        texts += [text, one_row(f"m{number}")]
    with compiled(one_unit(texts), level, *WARNINGS, by=by) as library:
        for number, (model, data) in enumerate(cases):
            assert_same_bits(
                model, data, library_scores(library, f"m{number}", model, usual_table(RUNNERS["cpp"], model, data))
            )


@pytest.mark.parametrize("name", ["cpp", "cpp_standalone", "bound"])
def test_runners_give_the_bits_of_the_reference(name: str) -> None:
    levels = {"a'b": 1.0, '"\\\n??/*/': 2.0, "nul\0in": 3.0, "nul": 4.0, "🙂é": 5.0}
    model = CurveModel(
        "any nodes",
        [
            *LISTING.terms,
            StepCurve(Sum([Line("age"), PWLCurve("x", [(0, 1), (2, 3)])]), [1, 30], [0.1, 0.2, 0.3], missing=7),
            Product([Line("x"), PWLCurve("age", [(1, 2), (3, 4)], fx="symlog1p"), Line("x")]),
            EnumCurve("text", levels, default=-1.0),
            EnumCurve("flag", {True: 1.5, False: 2.5}, missing=0.5),
        ],
        0.25,
        "log",
    )
    numeric = [-np.inf, -1.0, 0.0, 1.0, 3.0, 18.0, 20.5, 21.0, 46.0, np.inf, np.nan, 5e-324]
    count = len(numeric)
    data: Data = {
        **{column: np.array(numeric) for column in ("age", "priors_count", "length_of_stay", "x")},
        "c_charge_degree": np.array([1, 2, 3, None] * (count // 4), object),
        "text": np.array(([*levels, None, "unseen"] * count)[:count], object),
        "flag": np.array([True, False, None] * (count // 3), object),
    }
    (scores,) = RUNNERS[name].run(model, [usual_table(RUNNERS[name], model, data)])
    assert_same_bits(model, data, scores)


ON_K = CurveModel(
    "m",
    [
        EnumCurve("k", {1: 10.0, 2: 20.0, -(2**53): 40.0, 200: 5.0}, default=0.5, missing=0.75),
        PWLCurve("k", [(0, 0), (10, 1)], missing=-100.0),
        PWLCurve("k", [(0, 3), (300, 1)], fx="symlog1p"),
        StepCurve("k", [0, 150], [1, 2, 3]),
        Line("k"),
        Product([Line("k"), EnumCurve("k", {0: 2.0}, default=1.0, missing=3.0)]),
        PWLCurve(Sum([Line("k"), Line("k")]), [(-1, 2), (1, 3)], missing=4.0),
        EnumCurve("yes", {True: 1.0, False: 2.0}, missing=3.0),
    ],
    0.25,
)
"""Every node on one column that is a category and a number."""


def stored(data: Data) -> StoredTable:
    """The arrays in columns of their own types."""
    types = {column.name: column for found in RUNNERS["cpp"].column_types().values() for column in found}
    names = {"?": "bool", "f8": "double", "f4": "float"}
    names |= {f"{sign or 'i'}{bits // 8}": f"std::{sign}int{bits}_t" for sign in ("", "u") for bits in (64, 32, 16, 8)}
    codes = {name: column.dtype.str[1:].replace("b1", "?") for name, column in data.items()}
    return StoredTable(data, {name: types[names[code]] for name, code in codes.items()})


def test_a_column_of_any_type_is_one_number_to_every_node() -> None:
    floats = [1.5, 1.0, 2.0, -0.0, 0.0, np.inf, -np.inf, np.nan, 1e30, -(2.0**53), 2.0**60, -1e-40, 200.0, 9.75]
    with compiled(emit(ON_K, "cpp", c_interface=True) + one_row("m"), "-O0") as library:
        for dtype in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"):
            if dtype[0] == "f":
                values = np.array(floats, dtype)
            else:
                ends = np.iinfo(dtype)
                some = [0, 1, 2, 100, 127, 200, -56, -1, 2**53, -(2**53)]
                values = np.array([value for value in some if ends.min <= value <= ends.max], dtype)
            for flags in ("?", "u1", "i8", "f8"):
                data: Data = {"k": values, "yes": (np.arange(len(values)) % 2).astype(flags)}
                assert_same_bits(ON_K, data, library_scores(library, "m", ON_K, stored(data)))


def test_a_type_that_is_no_number_is_no_column_of_numbers() -> None:
    refused = [
        "char",
        "wchar_t",
        "char16_t",
        "char32_t",
        "Enum",
        "long double",
        "__int128",
        "unsigned __int128",
        "int*",
    ]
    lines = [f"curvec::Numbers n{n}(static_cast<const T{n}*>(nullptr));" for n in range(len(refused))]
    types = [f"using T{n} = {name};" for n, name in enumerate(refused)]
    source = "\n".join(["#include <curvec/curvec.hpp>", "enum Enum { kOne };", *types, *lines])
    options = [f"-I{curvec.get_include()}", "-fsyntax-only", "-ferror-limit=0" if "clang" in COMPILERS[0] else "-w"]
    command = [str(COMPILERS[0]), "-std=gnu++17", "-x", "c++", *options, "-"]
    done = subprocess.run(command, input=source, capture_output=True, check=False, encoding="utf-8")
    assert done.stderr.count("a column holds double, float, bool, or integers of 8 to 64 bits") == len(refused)


def test_the_listing_reads_as_the_paper_s() -> None:
    text = emit(LISTING, "cpp")
    for line in (
        "namespace COMPAS {",
        "inline constexpr PWLCurve length_of_stay_curve({{0, -0.1855}, {3, -0.04099}, {4, 0.2443}});",
        "inline constexpr EnumCurve<std::int64_t, 2> c_charge_degree_curve({{1, 0.0198}, {2, -0.0384}});",
        "[[nodiscard]] inline double Score(double age, double priors_count, double length_of_stay,",
        "                                  Category<std::int64_t> c_charge_degree) noexcept {",
        "  score += length_of_stay_curve.Eval(length_of_stay);",
    ):
        assert line in text.split("\n")


def test_an_x_that_was_changed_without_its_logarithm_does_not_compile() -> None:
    firsts = {"log": 1e-300, "log1p": -0.5, "symlog1p": -0.5}
    curves = [PWLCurve(f"of {fx}", [(first, 1), (21, 0.5), (1e300, 3)], fx) for fx, first in firsts.items()]
    text = emit(CurveModel("m", curves), "cpp")
    for fx in firsts:
        assert f"// Points: x, {fx}(x), y." in text
    check(text)
    definitions = [
        range(text.count("\n", 0, found.start()) + 1, text.count("\n", 0, found.end()) + 2)
        for found in re.finditer(r"^inline constexpr PWLCurve of_\w+_curve\([^;]*;", text, re.MULTILINE)
    ]
    assert len(definitions) == len(firsts)
    for options in (["-std=c++17"], ["-std=c++20", "-O2"]):
        command = ["-fsyntax-only", "-x", "c++", f"-I{curvec.get_include()}", *options, "-"]
        for by in COMPILERS:
            changed = text.replace("{21, ", "{22, ")
            done = subprocess.run(
                [str(by), *command], input=changed, capture_output=True, check=False, encoding="utf-8"
            )
            assert done.returncode
            assert "ThisUIsNotFxOfThisX" in done.stderr
            said = {int(line) for line in re.findall(r"<stdin>:(\d+):", done.stderr)}
            assert all(said & set(lines) for lines in definitions), done.stderr


def test_the_text_is_as_clang_format_leaves_it() -> None:
    texts = [emit(model, "cpp", c_interface=True) for model in some(models(), 10)]
    long = [PWLCurve("x", [(x, x * x / 7) for x in range(n)], fx=fx) for n in (9, 40) for fx in ("identity", "log1p")]
    joined = "\n".join(texts)
    command = [str(CLANG_FORMAT), "--style={BasedOnStyle: Google, ColumnLimit: 120}", "--assume-filename=model.hpp"]
    for text in (emit(CurveModel("long", long), "cpp"), emit(LISTING, "cpp", standalone=True)):
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, encoding="utf-8")
        assert done.stdout == text
    done = subprocess.run(command, input=joined, capture_output=True, text=True, check=True, encoding="utf-8")
    assert [line for line in done.stdout.split("\n") if line] == [line for line in joined.split("\n") if line]


@pytest.mark.parametrize("level", ["-O0", pytest.param("-O2", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("by", BY_EACH, ids=lambda path: Path(path).name)
def test_two_libraries_of_one_name_in_one_process_answer_for_themselves(by: str, level: str) -> None:
    two = [
        CurveModel("twins", [PWLCurve("x", [(0, 1), (1, 2)]), EnumCurve("k", {"a": 1.0})]),
        CurveModel("twins", [EnumCurve("x", {1: 7.0}), PWLCurve("k", [(0, 3), (1, 106)])]),
    ]
    rows: list[Data] = [
        {"x": np.array([1.0]), "k": np.array(["a"], object)},
        {"x": np.array([1], object), "k": np.array([0.5])},
    ]
    texts = [emit(model, "cpp", c_interface=True) + one_row("twins") for model in two]
    with compiled(texts[0], level, by=by) as first, compiled(texts[1], level, by=by) as second:
        for library, model, data in zip((first, second), two, rows, strict=True):
            assert_same_bits(
                model, data, library_scores(library, "twins", model, usual_table(RUNNERS["cpp"], model, data))
            )


def test_a_model_that_reads_no_column_compiles() -> None:
    check(emit(CurveModel("m", [], 0.25, "logit", [Feature("x"), Feature("k", "str")]), "cpp", c_interface=True))
    check(emit(CurveModel("m", [], 0.25), "cpp", standalone=True))


AS_WRITTEN = [
    ["-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"],
    ["-ffp-contract=fast", "-march=x86-64-v3"],  # as GCC does by default, so that GCC is on the diagonal
    # -nostartfiles: this option's start file makes tiny numbers zero in the whole process, which is that of the tests
    ["-funsafe-math-optimizations", "-march=x86-64-v3", "-nostartfiles"],
]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="options of x86-64")
@by_diagonal(
    ["options", "by"],
    AS_WRITTEN,
    COMPILERS,
    ids=lambda value: " ".join(value) if isinstance(value, list) else Path(value).name,
)
def test_no_option_of_a_compiler_changes_a_bit_in_silence(by: str, options: list[str]) -> None:
    if "-march=x86-64-v3" in options and " avx2 " not in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        pytest.skip("a processor without AVX2")
    points = [(0, 0.1), (0.3, 1.7), (1.1, -2.3), (3, 0.7)]
    curves = [PWLCurve(name, points, fx) for name in ("x", "y") for fx in ("identity", "log1p")]
    nested = PWLCurve(Sum([Line("x"), Line("y"), curves[0]]), [(0, 1), (5, 3.3)])
    terms = [*curves, Product([Line("x"), curves[1], Line("y")]), Line("y"), nested]
    model = CurveModel("m", [*terms, *terms, *terms, *terms], 0.1)
    random = np.random.default_rng(0)
    data: Data = {"x": random.uniform(-0.5, 4, 3000), "y": random.uniform(-0.5, 4, 3000)}
    try:
        with compiled(emit(model, "cpp", c_interface=True) + one_row("m"), *options, by=by) as library:
            assert_same_bits(model, data, library_scores(library, "m", model, stored(data)))
    except curvec.ParityError as error:
        assert "compile without -ffast-math" in str(error)  # noqa: PT017  refused, which is as good
    assert np.array([5e-324])[0] + np.array([0.0])[0] > 0, "tiny numbers are zero in this process from here on"


LARGE = {
    "levels": lambda: EnumCurve("k", {f"level {number:015d}": float(number) for number in range(20_000)}),
    # far from 1: logarithms of many steps
    "points": lambda: PWLCurve("x", [(number * 1e300, number % 2) for number in range(-10_000, 10_000)], "symlog1p"),
    "steps": lambda: StepCurve("x", range(20_000), range(20_001)),
}


@by_diagonal(["table", "by"], list(LARGE), COMPILERS, ids=lambda value: Path(value).name)
def test_tables_of_twenty_thousand_entries_are_constants(table: str, by: str) -> None:
    check(emit(CurveModel("m", [LARGE[table]()]), "cpp"), compilers=[by])


@pytest.mark.parametrize("by", [path for path in COMPILERS if "clang" in Path(path).name])
def test_twenty_thousand_points_of_a_logarithm_leave_clang_steps_to_spare(by: str) -> None:
    # It takes 1,048,576 for a constant by default: 52 a point. Its own standard library needs more than GCC's.
    points = [(number * 1e300, number % 2) for number in range(-1000, 1000)]
    text = emit(CurveModel("p", [PWLCurve("x", points, fx="symlog1p")]), "cpp")
    options = ["-std=c++17", f"-I{curvec.get_include()}", "-fconstexpr-steps=100000", "-w", "-fsyntax-only"]
    subprocess.run([by, *options, "-x", "c++", "-"], input=text, text=True, check=True)


def test_a_curve_that_no_compiler_would_take_is_refused() -> None:
    model = CurveModel("m", [PWLCurve("x", [(x, x % 2) for x in range(20_001)])])
    with pytest.raises(
        UnsupportedError, match="x_curve has 20,001 entries, and C\\+\\+ compilers make a constant of at"
    ):
        emit(model, "cpp")
    texts = CurveModel("m", [EnumCurve("k", {str(level): 1 for level in range(150_001)})])
    with pytest.raises(UnsupportedError, match=r"150,001 entries, and .* at most 150,000"):
        emit(texts, "cpp")


@pytest.mark.parametrize("by", BY_EACH, ids=lambda path: Path(path).name)
def test_the_stack_does_not_grow_with_the_number_of_terms(by: str, tmp_path: Path) -> None:
    inner = [Sum([Line("x"), Product([Line("y"), Line("x"), Sum([Line("x"), Line("y")])])])]
    for count in (200, 400):
        products = [Product([PWLCurve("x", [(0, 1), (1, i)]), Line("y"), *inner]) for i in range(count)]
        text = emit(CurveModel("m", products), "cpp").replace("#pragma once\n", "") + "auto* used = m::ScoreBatch;\n"
        options = ["-std=c++17", "-O0", f"-I{curvec.get_include()}", "-x", "c++", "-c", "-", "-o", str(tmp_path / "o")]
        # a buffer is 8 kB, and there are as many as there are levels of nesting
        limit = ["-Wframe-larger-than=65536", "-Werror"]
        done = subprocess.run([by, *options, *limit], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:500]


SCORED = """
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int, char** arguments) {
  static double x[1000];
  static double scores[1000];
  static std::string_view texts[1000];
  const std::string_view text = "a text that is too long for a small string";
  const std::size_t rows = std::strtoul(arguments[1], nullptr, 10);
  std::string own(std::strtoul(arguments[2], nullptr, 10), 'a');  // of so many characters: that valgrind counts at all
  double total = static_cast<double>(own.size());
  for (std::size_t row = 0; row < rows; ++row) {
    x[row % 1000] = static_cast<double>(row % 977) / 16;
    texts[row % 1000] = text;
    total += m::Score(x[row % 1000], text) + m::Predict(x[row % 1000], "b") + m::Contributions(5.0, text)[1];
    if (row % 1000 == 999) m::PredictBatch({x, texts}, 1000, scores);
  }
  std::printf("%g\\n", total + scores[999]);
}
"""


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="no Valgrind (Debian: apt-get install valgrind)")
def test_valgrind_counts_no_allocation_in_scoring(tmp_path: Path) -> None:
    curves = [PWLCurve("x", [(1, 2), (3, 4), (50, 1)], fx=fx) for fx in ("identity", "log", "symlog1p")]
    steps = StepCurve(Sum([Line("x"), curves[0]]), [1, 30], [0.1, 0.2, 0.3])
    text = EnumCurve("text", {"a text that is too long for a small string": 1.0, "b": 2.0})
    model = CurveModel("m", [*curves, steps, Product([Line("x"), curves[1]]), text], link="logit")
    (tmp_path / "scored.cpp").write_text(one_unit([emit(model, "cpp"), SCORED]), encoding="utf-8")
    command = [str(compiler()), "-std=c++17", "-O2", "-g", f"-I{curvec.get_include()}", "scored.cpp", "-o", "scored"]
    subprocess.run(command, cwd=tmp_path, check=True)

    def allocations(rows: int, characters: int) -> int:
        run = ["valgrind", "--error-exitcode=3", "./scored", str(rows), str(characters)]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
        return int(re.search(r"total heap usage: ([\d,]+) allocs", done.stderr)[1].replace(",", ""))

    assert allocations(2_000, 0) == allocations(0, 0) == allocations(0, 100) - 1


def test_the_python_package_says_where_the_headers_are() -> None:
    assert (Path(curvec.get_include()) / "curvec" / "curvec.hpp").is_file()


def test_a_text_that_does_not_compile_is_a_parity_error() -> None:
    with pytest.raises(curvec.ParityError, match="does not compile"), compiled("#error no"):
        pass


def test_what_a_runner_needs_is_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CXX", "")
    assert "C++17 compiler" in str(CppRunner("cpp", standalone=False).needs())
