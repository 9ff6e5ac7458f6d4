"""The page's script: its modules alone in Node.js, and what the page makes one of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from curvec import CurveModel, PWLCurve, emit
from curvec.review.page.script import MODULES, asset
from curvec.review.report import report

MODEL = CurveModel("m", [PWLCurve("x", [(1, 0), (2, 1)], "log")])


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js")
def test_its_modules_alone(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "model.js").write_text(emit(MODEL, "javascript") + "export { TRANSFORMS };\n")
    for name in MODULES:
        (tmp_path / f"{name}.js").write_text(asset(f"script/{name}.js"))
    tests = Path(__file__).parent / "script" / "modules.test.mjs"
    shutil.copy(tests, tmp_path)
    done = subprocess.run(
        ["node", "--test", "modules.test.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_module_imports_what_stands_before_it_and_no_two_give_one_name() -> None:
    exported: dict[str, str] = {}
    for name in MODULES:
        text = asset(f"script/{name}.js")
        for names, source in re.findall(r'^import \{ (.*) \} from "\./(\w+)\.js";$', text, flags=re.MULTILINE):
            assert source == "model" or all(exported[one] == source for one in names.split(", ")), (name, source)
        assert text.count("import ") == len(re.findall(r"^import .*;$", text, flags=re.MULTILINE))
        # In one file all names are in one scope, those that a module keeps to itself, too.
        own = re.findall(r"^(?:export )?(?:function|const|let) (\w+)", text, flags=re.MULTILINE)
        for one in own:
            assert one not in exported, f"{name} and {exported.get(one)} both have {one}"
        exported |= dict.fromkeys(own, name)
    emitted = re.findall(r"^(?:export )?(?:function|const|let) (\w+)", emit(MODEL, "javascript"), flags=re.MULTILINE)
    assert not set(emitted) & set(exported)


def test_the_page_holds_every_module() -> None:
    page = report(MODEL).html
    for name in MODULES:
        last = asset(f"script/{name}.js").rstrip().splitlines()[-2]
        assert last in page, name
    assert "import {" not in page
