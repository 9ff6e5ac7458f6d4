"""What a user installs: the wheel from the sdist, a plain and an editable install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from nightly import NIGHTLY
from packaging.metadata import Metadata

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
FAST = ["-Ccmake.build-type=Debug", "-Ccmake.define.CMAKE_UNITY_BUILD=ON", "-Ccmake.define.CMAKE_CXX_FLAGS_DEBUG=-O0"]
"""The same files in a seventh of the time: not optimised, and without debug information."""
if CLANG := shutil.which("clang++"):  # in three fifths of that
    FAST.append(f"-Ccmake.define.CMAKE_CXX_COMPILER={CLANG}")

PROGRAM = """
import curvec, curvec._core, importlib.resources as r
model = curvec.CurveModel("m", [curvec.PWLCurve("x", [(0, 0), (1, 1)])])
assert "PWLCurve" in curvec.emit(model, "python")
assert (r.files("curvec") / "include" / "curvec").is_dir()
assert (r.files("curvec") / "py.typed").is_file()
print(curvec.__file__)
"""


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=clean | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree as git knows it, or of everything but build products where there is no git."""
    target = tmp_path_factory.mktemp("source") / "curvec"
    ignore = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, target, ignore=ignore)
    return target


@pytest.fixture(scope="module")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What CMake starts the compiler with: the three builds are of the same sources."""
    store = tmp_path_factory.mktemp("objects")
    return f"{sys.executable};{Path(__file__).with_name('compile_once.py')};{store}"


@pytest.fixture(scope="module")
def built(source: Path, launcher: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it; by day without the core, which `make test` itself has built."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", *(FAST if NIGHTLY else ["-Cwheel.cmake=false"])]
    run(*command, "--outdir", out, source, cwd=out, CMAKE_CXX_COMPILER_LAUNCHER=launcher)
    return next(out.glob("curvec-*.tar.gz")), next(out.glob("curvec-*.whl"))


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A new environment that sees this one's packages, and curvec only once it is installed there."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    target = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip()
    links = Path(target) / "packages"
    links.mkdir()
    for folder in (path for path in sys.path if path.endswith("site-packages")):
        for entry in Path(folder).iterdir():
            if "curvec" not in entry.name.lower() and entry.suffix != ".pth" and not (links / entry.name).exists():
                (links / entry.name).symlink_to(entry)
    (Path(target) / "packages.pth").write_text(str(links) + "\n", encoding="utf-8")
    return python


def test_the_wheel_from_the_sdist_holds_everything(built: tuple[Path, Path]) -> None:
    sdist, wheel = built
    names = zipfile.ZipFile(wheel).namelist()
    assert (f"curvec/_core{sysconfig.get_config_var('EXT_SUFFIX')}" in names) == NIGHTLY
    for folder in ("curvec", "templates", "runtime/cpp/include"):
        prefix = {"curvec": "curvec", "templates": "curvec/templates", "runtime/cpp/include": "curvec/include"}[folder]
        for path in files_of(folder):
            assert f"{prefix}/{path.relative_to(ROOT / folder)}" in names
    assert not [name for name in names if name.startswith(("tests", "benchmarks", "shared"))]
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    needed = {str(path.relative_to(ROOT)) for folder in ("curvec", "templates", "runtime") for path in files_of(folder)}
    assert needed | {"CMakeLists.txt", "pyproject.toml", "README.md"} <= sources


def files_of(folder: str) -> list[Path]:
    """What git knows there."""
    every = (path for path in (ROOT / folder).rglob("*") if path.is_file())
    return [path for path in every if "__pycache__" not in path.parts and path.suffix != ".so"]


def test_the_metadata_are_whole_and_valid(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        found = Metadata.from_email(archive.read(name))  # which raises what a package index would refuse
    assert found.description_content_type == "text/markdown"
    assert found.description == (ROOT / "README.md").read_text(encoding="utf-8")
    assert all((found.summary, found.keywords, found.classifiers, found.requires_python, found.requires_dist))


@pytest.mark.nightly  # as the next one
def test_the_wheel_works(built: tuple[Path, Path], environment: Path, tmp_path: Path) -> None:
    run(environment, "-m", "pip", "install", "--no-deps", "--no-index", built[1], cwd=tmp_path)
    assert str(tmp_path) in run(environment, "-c", PROGRAM, cwd=tmp_path)


@pytest.mark.nightly  # `make test` itself runs on an editable one
@pytest.mark.parametrize("mode", [[], ["--editable"]], ids=["plain", "editable"])
def test_an_install_of_the_tree_works(
    mode: list[str], source: Path, launcher: str, environment: Path, tmp_path: Path
) -> None:
    options = ["--no-deps", "--no-index", "--no-build-isolation", *FAST]
    command = [environment, "-m", "pip", "install", *options, *mode, source]
    run(*command, cwd=tmp_path, CMAKE_CXX_COMPILER_LAUNCHER=launcher)
    run(environment, "-c", PROGRAM, cwd=tmp_path)


def test_without_the_compiled_core_the_import_says_what_to_do(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "curvec", tmp_path / "curvec", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    code = f"sys.path.insert(0, {str(tmp_path)!r}); import curvec"  # -S: no editable install gets in the way
    done = subprocess.run(
        [sys.executable, "-S", "-c", _with_packages(code)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "pip install" in done.stderr
    assert "curvec._core" in done.stderr


def _with_packages(code: str) -> str:
    folders = [path for path in sys.path if path.endswith("site-packages")]
    return f"import sys; sys.path[1:1] = {folders!r}; {code}"


def test_without_extras_a_star_import_and_what_the_docs_call_by_its_whole_name_work() -> None:
    names = ["curvec.review.report.report", "curvec.review.policy.check_policy", "curvec.plot",
             "curvec.review.diff.diff", "curvec.parity.check"]  # fmt: skip
    block = "import sys; sys.modules['sklearn'] = None; import curvec; "
    program = block + "print(*[callable(eval(name)) for name in " + repr(names) + "]); from curvec import *; "
    program += "print(emit.__name__, 'CurveClassifier' in dir(curvec)); "
    program += "del sys.modules['sklearn']; print(callable(curvec.sklearn.CurveClassifier))"
    shown = run(sys.executable, "-c", program, cwd=ROOT).split()
    assert shown == [*["True"] * len(names), "emit", "True", "True"]


def test_import_curvec_loads_nothing_heavy() -> None:
    heavy = {"scipy", "sklearn", "jinja2", "black", "rich", "typer", "click", "matplotlib", "narwhals", "pandas",
             "polars", "pyarrow", "duckdb", "concurrent.futures.thread", "multiprocessing", "email", "hashlib",
             "html", "secrets", "curvec.parity", "curvec.sklearn", "curvec.commands"}  # fmt: skip
    program = "import sys, curvec; print(*[name for name in sys.modules if name in " + repr(heavy) + "])"
    assert run(sys.executable, "-c", program, cwd=ROOT).split() == []
    new = "{name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names"
    found = run(sys.executable, "-c", f"import sys; before = set(sys.modules); import curvec; print(*{new})", cwd=ROOT)
    assert set(found.split()) - {"typing_extensions"} == {"curvec", "numpy", "msgspec", "markupsafe"}


def test_all_is_every_extra_but_dbt() -> None:
    # dbt pins what others need in newer versions, and one test alone builds a project with it.
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = re.fullmatch(r"curvec\[(.*)\]", *extras["all"])
    assert named is not None
    assert {*named[1].split(","), "all", "dbt"} == set(extras)


def test_what_a_change_must_pass_are_the_commands_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert not re.findall(r"pytest|pip install|EXTRAS|HYPOTHESIS", script)
    commands = re.search(r"for command in (.*); do\n  env -i .* make \"\$command\"", script)
    assert commands is not None
    assert commands[1].split() == ["test", "lint", "demo"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {"test", "demo"} <= set(re.findall(r"^\$ make (\w+)", readme, re.MULTILINE))
