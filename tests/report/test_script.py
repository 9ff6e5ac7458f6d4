"""The page's script: its modules alone in Node.js, and what the page makes one of them."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curvec import CurveModel, EnumCurve, Feature, Line, Product, PWLCurve, StepCurve, Sum, emit
from curvec.directions import WAYS
from curvec.evaluate import SCORE_ROUNDING, without_rounding
from curvec.ir import Term
from curvec.links import link
from curvec.metrics import metric
from curvec.review.page.editing import places_of_terms
from curvec.review.page.script import MODULES, asset, constants
from curvec.review.panels import panels
from curvec.review.report import report
from curvec.review.svg import picture

MODEL = CurveModel("m", [PWLCurve("x", [(1, 0), (2, 1)], "log")])


def run_in_node(name: str, model: CurveModel, folder: Path) -> None:
    """The tests of a file beside this one, over the page's modules and a model."""
    (folder / "package.json").write_text('{"type": "module"}')
    nodes = "enumCurve, groupedSum, line, product, pwlCurve, stepCurve, sum"
    data = constants(
        model, [(panel, picture(panel)) for panel in panels(model)], [], COMMON=None, EXAMPLES=None, POINTS=None
    )
    exported = f"export {{ {nodes}, INVERSE_LINKS, TRANSFORMS, MODEL, QUOTED, PANELS, FRAME, EXAMPLES, POINTS }};\n"
    (folder / "model.js").write_text("\n".join([emit(model, "javascript"), data, exported]))
    for module in MODULES:
        (folder / f"{module}.js").write_text(asset(f"script/{module}.js"))
    shutil.copy(Path(__file__).parent / "script" / name, folder)
    done = subprocess.run(["node", "--test", name], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js")
def test_its_modules_alone(tmp_path: Path) -> None:
    run_in_node("modules.test.mjs", MODEL, tmp_path)


LONG = [(18 + k, round(0.123456 * k, 6)) for k in range(12)]
EDITED: list[Term] = [
    PWLCurve("age", LONG, "log", missing=0.5, note="x"),
    PWLCurve("age", [(0, 1e-05), (0.25, -1e300), (1e22, 0.1)], special={-9: 0.5, -8.5: 1}),
    PWLCurve("the_number_of_priors", [(0, -0.5), (1, 0.25), (3, 0.75)], "log1p", 0.1, "a note to break the line at"),
    PWLCurve(Sum([PWLCurve("a", [(0, 0), (9, 3)]), Line("b")]), [(-5, -1), (0, 0), (8, 2), (9, 1)], missing=0.5),
    PWLCurve(Sum([PWLCurve(f"feature_{k}", LONG[k : k + 2]) for k in range(9)]), [(-5, -1), (0, 0)]),
    StepCurve("d", [1.5], [0, 5]),
    StepCurve("d", [k / 7 for k in range(9)], [(-1) ** k * k / 3 for k in range(10)], special={-1: 2}),
    EnumCurve("k", {"a'b": 1.0, 'c"': 2.5, "d\n": 3, "\u2028": 4}, default=0.25, missing=-1),
    EnumCurve("n", {k: k * 0.37 for k in (-5, 2**53, *range(20))}),
    EnumCurve("yes", {True: 1.0, False: 0.5}),
    Product([PWLCurve("e", LONG), PWLCurve("f", LONG[:3]), EnumCurve("g", {1: 1.0})], note='say "x"'),
    Sum([Sum([Line("a", 2.5), Line("b", missing=1)])], note="a note so long that black leaves it as it is " * 2),
    Line("x" * 90, 1e16),
]
BOUNDS = [(19.5, 27), (-math.inf, 0.5), (1, 3), (3, 1), (0.2, math.inf), (-7, -6), (100, 200)]


def wire(node: Term) -> Any:
    """A term as a model's file has it."""
    return json.loads(CurveModel("m", [node]).to_json())["model"]["terms"][0]


def capped(node: PWLCurve | StepCurve, low: float, high: float) -> Any:
    """What Python makes of a cap; None where it refuses it."""
    if not low < high or (low <= node.breaks[0] and high >= node.breaks[-1]):
        return None
    return wire(node.capped(low, high))


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js")
def test_what_an_edit_makes_is_what_python_makes(tmp_path: Path) -> None:
    """Values, caps, monotone curves, the text of a listing and of a file, of every kind of node."""
    model = CurveModel("m", EDITED, 1e-5, "logit", features=[*features_of_all(EDITED), Feature("unused", "bool")])
    listing = emit(model, "python")
    cases = []
    for node, (start, end) in zip(EDITED, places_of_terms(listing), strict=True):
        case: dict[str, Any] = {"node": wire(node), "text": listing[start:end]}
        if isinstance(node, (PWLCurve, StepCurve)):
            numbers = [str(bound) if math.isinf(bound) else bound for pair in BOUNDS for bound in pair]
            case["capped"] = [[*numbers[2 * k : 2 * k + 2], capped(node, *bounds)] for k, bounds in enumerate(BOUNDS)]
            case["monotone"] = {way: wire(node.monotone(way)) for way in WAYS}
        if isinstance(node, PWLCurve) and isinstance(node.input, str):
            x = [*np.linspace(-10, 60, 141), *node.breaks, *node.special_codes]
            case["values"] = [[one, None if math.isnan(y := node(one)) else y] for one in map(float, x)]
        cases.append(case)
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    (tmp_path / "file.json").write_text(model.to_json())
    run_in_node("edits.test.mjs", model, tmp_path)


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js")
def test_its_metrics_are_pythons(tmp_path: Path) -> None:
    """Each with ties, weights and, for rankings, queries of one row and without a relevant document."""
    rng = np.random.default_rng(5)
    rows = 80
    score = rng.normal(size=rows).round(1) + rng.choice([0.0, 1e-15], rows)  # equal but for rounding
    classes, amounts, weights = rng.integers(0, 2, rows), rng.gamma(2, 1, rows), rng.integers(0, 4, rows) / 2
    query = np.sort(rng.integers(0, 15, rows))
    grades = np.where(query == 3, 0, rng.integers(0, 4, rows))
    of = {
        "roc_auc": (classes, "logit"),
        "log_loss": (classes, "logit"),
        "rmse": (amounts, "identity"),
        "poisson_deviance": (rng.poisson(1, rows), "log"),
        "gamma_deviance": (amounts, "log"),
        "ndcg@1": (grades, "identity"),
        "ndcg@5": (grades, "identity"),
    }
    cases = []
    for name, (y, by) in of.items():
        predicted = link(by).inverse(without_rounding(score))
        for w in [None] if "ndcg" in name else [None, weights]:
            value = metric(name).of_score(score, link(by).inverse, y, w, query if "ndcg" in name else None)
            columns = {
                "y": y,
                "score": score,
                "predicted": predicted,
                "query": query,
                "w": np.ones(rows) if w is None else w,
            }
            cases.append({"name": name, "expected": value} | {key: column.tolist() for key, column in columns.items()})
    (tmp_path / "cases.json").write_text(json.dumps({"rounding": SCORE_ROUNDING, "cases": cases}))
    run_in_node("metrics.test.mjs", MODEL, tmp_path)


def features_of_all(terms: list[Term]) -> list[Feature]:
    return list(CurveModel("m", terms).features)


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
        last = asset(f"script/{name}.js").rstrip().splitlines()[-2].removeprefix("export ")
        assert last in page, name
    assert "import {" not in page
