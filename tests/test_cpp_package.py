"""The C++ runtime as a package: its own tests by CTest, an installation, and a user's build against each form of it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cpp_sources import COMPILERS
from nightly import NIGHTLY

import curvec
from curvec.includes import get_cmake_dir
from curvec.parity.runners.cpp import compiler

ROOT = Path(__file__).parent.parent
CMAKE = shutil.which("cmake") or str(Path(sys.executable).with_name("cmake"))
AGE_30 = 0.5914 + (-0.7206 - 0.5914) / (46 - 21) * (30 - 21)

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler (Debian: apt-get install g++)")


def cmake(*arguments: object) -> str:
    """Run CMake, in an environment that names no package of ours."""
    clean = {key: value for key, value in os.environ.items() if "curvec" not in key.lower()}
    done = subprocess.run([CMAKE, *map(str, arguments)], capture_output=True, encoding="utf-8", env=clean, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    options = [f"-DCMAKE_INSTALL_PREFIX={folder / 'prefix'}", f"-DCURVEC_TEST_ALL={'ON' if NIGHTLY else 'OFF'}"]
    if not NIGHTLY and (clang := shutil.which("clang++")):  # in two thirds of the time where nothing is optimised
        options.append(f"-DCMAKE_CXX_COMPILER={clang}")
    cmake("-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", *options)
    cmake("--build", folder, "--parallel", "2")
    return folder


def test_the_runtime_s_own_tests_pass(build: Path) -> None:
    cmake("--build", build, "--target", "test")


def test_a_user_s_build_finds_an_installation(build: Path, tmp_path: Path) -> None:
    cmake("--install", build)
    assert_consumer(tmp_path, f"-DCMAKE_PREFIX_PATH={build / 'prefix'}")


def test_a_user_s_build_finds_the_python_package(tmp_path: Path) -> None:
    assert_consumer(tmp_path, f"-Dcurvec_DIR={get_cmake_dir()}")


def test_a_user_s_build_takes_the_source_tree_in(tmp_path: Path) -> None:
    assert_consumer(tmp_path, f"-DCURVEC_SOURCE={ROOT}")


@pytest.mark.parametrize("absolute", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_headers_may_be_installed_anywhere(tmp_path: Path, absolute: bool) -> None:
    prefix = tmp_path / "another prefix"
    headers = tmp_path / "headers" if absolute else Path("include/elsewhere")
    options = [f"-DCMAKE_INSTALL_INCLUDEDIR={headers}", "-DBUILD_TESTING=OFF"]
    cmake("-S", ROOT, "-B", tmp_path / "build", f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'prefix'}", *options)
    cmake("--install", tmp_path / "build", "--prefix", prefix)
    assert_consumer(tmp_path / "use", f"-DCMAKE_PREFIX_PATH={prefix}")
    packages = prefix / "share" / "pkgconfig"
    packaged = (packages / "curvec.pc").read_text(encoding="utf-8").replace("${pcfiledir}", str(packages))
    found = Path(packaged.partition("includedir=")[2].partition("\n")[0])
    assert (found / "curvec" / "curvec.hpp").is_file()


def test_a_project_around_it_installs_nothing_of_it_and_may_be_built_by_scikit_build(tmp_path: Path) -> None:
    assert_consumer(
        tmp_path, f"-DCURVEC_SOURCE={ROOT}", "-DSKBUILD=ON", f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'prefix'}"
    )
    cmake("--install", tmp_path)
    installed = [path for path in (tmp_path / "prefix").rglob("*") if path.is_file()]
    assert [path.name for path in installed] == ["consumer"]


def test_a_user_s_build_emits_a_model(tmp_path: Path) -> None:
    model = curvec.CurveModel("anything", [curvec.PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)])])
    model.save(tmp_path / "model.json")
    command = Path(sys.executable).with_name("curvec")
    options = [f"-DCURVEC_MODEL={tmp_path / 'model.json'}", f"-DCURVEC_EXECUTABLE={command}"]
    assert_consumer(tmp_path / "use", f"-Dcurvec_DIR={get_cmake_dir()}", *options)


def assert_consumer(folder: Path, *options: str) -> None:
    """The consumer's build with these options prints the curve's value."""
    cmake("-S", ROOT / "tests" / "cpp" / "consumer", "-B", folder, *options)
    cmake("--build", folder)
    printed = subprocess.run([folder / "consumer"], capture_output=True, encoding="utf-8", check=True).stdout
    assert float(printed) == pytest.approx(AGE_30, rel=1e-12)


@pytest.mark.parametrize(
    "options", [["-ffast-math"], ["-Ofast"], ["-ffinite-math-only"], ["-fassociative-math", "-fno-signed-zeros"]]
)
def test_fast_math_is_refused_with_a_message(options: list[str]) -> None:
    command = [str(COMPILERS[-1]), "-std=c++17", "-fsyntax-only", "-x", "c++", f"-I{curvec.get_include()}", *options]
    source = "#include <curvec/curvec.hpp>\n"
    done = subprocess.run([*command, "-"], input=source, capture_output=True, encoding="utf-8", check=False)
    if options[0] == "-fassociative-math" and "disabled" in done.stderr:
        return  # gcc drops it by itself where traps are kept
    assert done.returncode != 0
    assert "curvec keeps NaN and the order of operations: compile without -ffast-math" in done.stderr


@pytest.mark.skipif(shutil.which("g++") is None, reason="an option of GCC (Debian: apt-get install g++)")
def test_constants_in_single_precision_are_refused_with_a_message() -> None:
    command = [
        "g++",
        "-std=c++17",
        "-fsyntax-only",
        "-fsingle-precision-constant",
        f"-I{curvec.get_include()}",
        "-xc++",
    ]
    model = curvec.CurveModel("m", [curvec.StepCurve("x", [0.1], [1, 2])])
    for standalone in (False, True):
        source = curvec.emit(model, "cpp", standalone=standalone)
        done = subprocess.run([*command, "-"], input=source, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode != 0
        assert "curvec's numbers are doubles: compile without -fsingle-precision-constant" in done.stderr


def test_the_first_thing_an_older_standard_is_told_is_which_it_must_be() -> None:
    model = curvec.CurveModel("m", [curvec.EnumCurve("k", {"a": 1.0})])
    command = [str(compiler()), "-std=c++14", "-fsyntax-only", "-x", "c++", f"-I{curvec.get_include()}", "-"]
    for standalone in (False, True):
        source = curvec.emit(model, "cpp", standalone=standalone)
        done = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=False)
        first = next(line for line in done.stderr.splitlines() if "error:" in line)
        assert "curvec needs C++17 or newer: compile with -std=c++17" in first


X86_64 = platform.machine().lower() in ("x86_64", "amd64")
EXTENSIONS = """
sse3 ssse3 sse4.1 sse4.2 avx avx2 fma fma4 xop bmi bmi2 lzcnt popcnt movbe avx512f avx512vl avx512dq avx512bw avx512cd
""".split()  # noqa: SIM905  a list that is read as words


@pytest.mark.skipif(not X86_64, reason="instruction sets of x86-64")
def test_every_instruction_set_has_a_namespace_of_its_own() -> None:
    found = {}
    for flag in ["", *(f"-m{name}" for name in EXTENSIONS), *(f"-march=x86-64-v{level}" for level in (3, 4))]:
        command = [str(compiler()), "-E", "-P", "-x", "c++", f"-I{curvec.get_include()}", *filter(None, [flag]), "-"]
        source = "#include <curvec/abi.hpp>\nCURVEC_MODEL(0a1b)\n"
        done = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=True)
        found[flag] = done.stdout.split()[-1]
    assert all(name.startswith("model_0a1b_v") for name in found.values())
    assert len(set(found.values())) == len(found), found


@pytest.mark.skipif(not X86_64 or shutil.which("nm") is None, reason="instruction sets of x86-64; needs nm")
def test_no_function_is_merged_with_that_of_another_instruction_set(tmp_path: Path) -> None:
    inner = curvec.Sum([curvec.Line("x"), curvec.PWLCurve("x", [(1, 2), (3, 4)], fx="log")])
    terms = [curvec.StepCurve(inner, [1], [2, 3]), curvec.EnumCurve("k", {"a": 1.0}), curvec.Product([inner, inner])]
    text = curvec.emit(curvec.CurveModel("merged", terms, link="logit"), "cpp")
    weak = []
    for flag in ("-march=x86-64", "-march=x86-64-v3"):
        use = "double (*one)(const merged::Features&) = merged::Score;\nauto* all = merged::PredictBatch;\n"
        (tmp_path / "unit.cpp").write_text(text.replace("#pragma once", "") + use, encoding="utf-8")
        command = [str(compiler()), "-std=c++17", "-O0", flag, f"-I{curvec.get_include()}", "-c", "unit.cpp"]
        subprocess.run(command, cwd=tmp_path, check=True)
        table = subprocess.run(["nm", "-C", "unit.o"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
        weak.append(set(re.findall(r"^\w* +[uVvWw] (.*(?:curvec|merged).*)$", table.stdout, re.MULTILINE)))
    assert min(map(len, weak)) > 20
    assert not weak[0] & weak[1]


def test_the_version_is_the_same_everywhere() -> None:
    header = (ROOT / "runtime/cpp/include/curvec/version.hpp").read_text(encoding="utf-8")
    wanted = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    found = {
        re.search(r"VERSION (\d[\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").split("project")[1])[1],
        re.search(r"PACKAGE_VERSION (\S+)\)", (ROOT / "runtime/cpp/cmake/curvecConfigVersion.cmake").read_text())[1],
        re.search(r'CURVEC_VERSION "(.+)"', header)[1],
        re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1],
        ".".join(re.findall(r"CURVEC_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)),
    }
    assert found == {wanted[1]}


@pytest.mark.parametrize(
    ("option", "answer"), [("--includes", f"-I{curvec.get_include()}"), ("--cmakedir", get_cmake_dir())]
)
def test_the_command_line_says_where_they_are(option: str, answer: str) -> None:
    done = subprocess.run([sys.executable, "-m", "curvec", option], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == f"{answer}\n"
