"""The C++ runtime as a package: its own tests by CTest, an installation, and a user's build against each form of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import curvec
from curvec.includes import get_cmake_dir
from curvec.parity.runners.cpp import compiler

ROOT = Path(__file__).parent.parent
CMAKE = shutil.which("cmake") or str(Path(sys.executable).with_name("cmake"))
AGE_30 = 0.5914 + (-0.7206 - 0.5914) / (46 - 21) * (30 - 21)

pytestmark = [
    pytest.mark.skipif(compiler() is None, reason="no C++ compiler (Debian: apt-get install g++)"),
    pytest.mark.xdist_group("cmake"),
]


def cmake(*arguments: object) -> str:
    """Run CMake, in an environment that names no package of ours."""
    clean = {key: value for key, value in os.environ.items() if "curvec" not in key.lower()}
    done = subprocess.run([CMAKE, *map(str, arguments)], capture_output=True, encoding="utf-8", env=clean, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    cmake("-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_INSTALL_PREFIX={folder / 'prefix'}")
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


def assert_consumer(folder: Path, option: str) -> None:
    """The consumer's build with that option prints the curve's value."""
    cmake("-S", ROOT / "tests" / "cpp" / "consumer", "-B", folder, option)
    cmake("--build", folder)
    printed = subprocess.run([folder / "consumer"], capture_output=True, encoding="utf-8", check=True).stdout
    assert float(printed) == pytest.approx(AGE_30, rel=1e-12)


@pytest.mark.parametrize(
    "options", [["-ffast-math"], ["-Ofast"], ["-ffinite-math-only"], ["-fassociative-math", "-fno-signed-zeros"]]
)
def test_fast_math_is_refused_with_a_message(options: list[str]) -> None:
    command = [str(compiler()), "-std=c++17", "-fsyntax-only", "-x", "c++", f"-I{curvec.get_include()}", *options]
    source = "#include <curvec/curvec.hpp>\n"
    done = subprocess.run([*command, "-"], input=source, capture_output=True, encoding="utf-8", check=False)
    if options[0] == "-fassociative-math" and "disabled" in done.stderr:
        return  # gcc drops it by itself where traps are kept
    assert done.returncode != 0
    assert "curvec keeps NaN and the order of operations: compile without -ffast-math" in done.stderr


def test_the_first_thing_an_older_standard_is_told_is_which_it_must_be() -> None:
    model = curvec.CurveModel("m", [curvec.EnumCurve("k", {"a": 1.0})])
    command = [str(compiler()), "-std=c++14", "-fsyntax-only", "-x", "c++", f"-I{curvec.get_include()}", "-"]
    for standalone in (False, True):
        source = curvec.emit(model, "cpp", standalone=standalone)
        done = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=False)
        first = next(line for line in done.stderr.splitlines() if "error:" in line)
        assert "curvec needs C++17 or newer: compile with -std=c++17" in first


def test_the_version_is_the_same_everywhere() -> None:
    wanted = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    found = {
        re.search(r"VERSION (\d[\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").split("project")[1])[1],
        re.search(r"PACKAGE_VERSION (\S+)\)", (ROOT / "runtime/cpp/cmake/curvecConfigVersion.cmake").read_text())[1],
    }
    assert found == {wanted[1]}


@pytest.mark.parametrize(
    ("option", "answer"), [("--includes", f"-I{curvec.get_include()}"), ("--cmakedir", get_cmake_dir())]
)
def test_the_command_line_says_where_they_are(option: str, answer: str) -> None:
    done = subprocess.run([sys.executable, "-m", "curvec", option], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == f"{answer}\n"
