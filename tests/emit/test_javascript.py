"""The JavaScript target under Node.js: the reference's numbers, its refusals, and text that stays text."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import examples
from strategies import HARD_NAMES, models, rows, usual_table

from curvec import CurveModel, EnumCurve, Feature, InputError, Line, ParityError, PWLCurve, StepCurve, Sum, emit
from curvec.parity import RUNNERS

RUNNER = RUNNERS["javascript"]
needs_node = pytest.mark.skipif(RUNNER.needs() is not None, reason=f"no javascript ({RUNNER.needs()})")

MODEL = CurveModel(
    "m",
    [
        PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], missing=0.25),
        EnumCurve("degree", {1: 0.0198, 2: -0.0384}, default=7.0),
        EnumCurve("who", {"a": 1.0}, missing=-1.0),
        EnumCurve("yes", {True: 2.0}),
        StepCurve("age", [20, 30], [1, 2, 3]),
        Line("size"),
    ],
    intercept=0.5,
)


def evaluate(expression: str, folder: Path, model: CurveModel = MODEL) -> Any:
    """The value of a JavaScript expression over the emitted module ``m``; NaN and undefined become text."""
    (folder / "m.mjs").write_text(emit(model, "javascript"))
    show = "(k, v) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v)"
    (folder / "run.mjs").write_text(
        'import * as m from "./m.mjs";\n'
        f"let value;\ntry {{ value = {expression}; }} catch (error) {{ value = String(error); }}\n"
        f"console.log(JSON.stringify(value, {show}));\n"
    )
    node = shutil.which("node")
    assert node
    done = subprocess.run([node, "run.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def row(**changes: str) -> str:
    values = {"age": "20", "degree": "1", "who": '"a"', "yes": "true", "size": "3"} | changes
    return "{" + ", ".join(f"{name}: {value}" for name, value in values.items()) + "}"


@needs_node
@examples(12)
@given(st.data())
def test_without_a_logarithm_every_bit_is_the_references(data: st.DataObject) -> None:
    model = data.draw(models(fx=("identity",), links=("identity",)))
    table = data.draw(rows(model))
    (scores,) = RUNNER.run(model, [usual_table(RUNNER, model, table)])
    np.testing.assert_array_equal(scores.terms, model.contributions(table))
    np.testing.assert_array_equal(scores.score, model.eval(table))
    np.testing.assert_array_equal(scores.prediction, model.predict(table))


@needs_node
@pytest.mark.parametrize(
    ("changes", "index", "expected"),
    [
        ({"age": "null"}, 0, 0.25),
        ({"age": "undefined"}, 0, 0.25),
        ({"age": "NaN"}, 0, 0.25),
        ({"age": "-Infinity"}, 0, 3.13),
        ({"age": "Infinity"}, 0, -0.7206),
        ({"age": "21n"}, 0, 0.5914),
        ({"age": "20"}, 4, 2.0),
        ({"degree": "2.0"}, 1, -0.0384),
        ({"degree": "2n"}, 1, -0.0384),
        ({"degree": "2.5"}, 1, 7.0),
        ({"degree": "Infinity"}, 1, 7.0),
        ({"degree": "null"}, 1, "NaN"),
        ({"who": '"A"'}, 2, "NaN"),
        ({"who": "undefined"}, 2, -1.0),
        ({"yes": "1"}, 3, 2.0),
        ({"yes": "false"}, 3, "NaN"),
        ({"size": "true"}, 5, 1),
        ({"size": "null"}, 5, "NaN"),
    ],
)
def test_values_of_a_row(changes: dict[str, str], index: int, expected: Any, tmp_path: Path) -> None:
    assert evaluate(f"m.contributions({row(**changes)})[{index}]", tmp_path) == expected


@needs_node
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"age": '"20"'}, 'feature "age" is "20", a string; it must be a number'),
        ({"degree": "true"}, 'feature "degree" is true, a boolean; it must be an integer'),
        ({"who": "1"}, 'feature "who" is 1, a number; it must be a string'),
        ({"yes": "2"}, 'feature "yes" is 2, a number; it must be true or false'),
        ({"size": "9007199254740993n"}, "within 2^53"),
    ],
)
def test_a_wrong_type_is_refused_by_name(changes: dict[str, str], message: str, tmp_path: Path) -> None:
    assert message in evaluate(f"m.score({row(**changes)})", tmp_path)


@needs_node
def test_a_missing_feature_is_refused_and_tables_are_scored(tmp_path: Path) -> None:
    assert 'the row has no feature "age"' in evaluate("m.score({})", tmp_path)
    single = CurveModel("m", [Line("__proto__"), Line("b")])
    assert 'no feature "__proto__"' in evaluate("m.score({b: 1})", tmp_path, single)
    table = 'JSON.parse(\'{"__proto__": [1, 2], "b": [3, null]}\')'
    assert evaluate(f"[...m.scoreTable({table})]", tmp_path, single) == [4, "NaN"]
    ragged = table.replace("null", "4, 5")
    assert "they must agree" in evaluate(f"m.scoreTable({ragged})", tmp_path, single)


@needs_node
def test_an_error_of_the_module_is_a_parity_error() -> None:
    model = CurveModel("m", [MODEL.terms[2]])
    table = usual_table(RUNNER, model, {"who": np.array([3], dtype=object)})
    with pytest.raises(ParityError, match=r"feature .who. is 3, a number; it must be a string"):
        list(RUNNER.run(model, [table]))


def test_no_text_of_a_model_ends_a_script_or_a_comment() -> None:
    evil = [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "\u2028alert(1)",
        "*/ alert(1) //",
        "\nalert(1)",
        "`${1}`",
    ]
    terms = [EnumCurve(name, {name: 1.0}, note=name) for name in (*evil, *HARD_NAMES)]
    text = emit(CurveModel(evil[0], [*terms, Sum([Line("z", note=evil[4])])], note=evil[1]), "javascript")
    assert text.isascii()
    assert not re.search(r"<[/!a-z]", text)
    assert all(not line.startswith("alert") for line in text.splitlines())


def test_the_text_is_stable_and_takes_no_options() -> None:
    assert emit(MODEL, "javascript") == emit(MODEL, "javascript")
    assert 'pwlCurve("age", [[18, 3.13], [21, 0.5914], [46, -0.7206]], { missing: 0.25 }),' in emit(MODEL, "javascript")
    with pytest.raises(InputError, match="takes no option 'standalone'"):
        emit(MODEL, "javascript", standalone=True)
    many = CurveModel("m", [EnumCurve("k", {k: float(k) for k in range(10_000)})], features=[Feature("k", "int")])
    assert max(map(len, emit(many, "javascript").splitlines())) < 130


def test_what_eslint_recommends_is_kept_but_for_what_the_text_says() -> None:
    """Its rules that emitted text could break: a function without a use is the one, and switched off by name."""
    text = emit(CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])]), "javascript")
    made = re.findall(r"^function (\w+)", text, re.MULTILINE)
    unused = {name for name in made if len(re.findall(rf"\b{name}\b", text)) == 1}
    assert unused >= {"stepCurve", "product"}
    assert text.splitlines()[1].startswith("/* eslint-disable no-unused-vars -- ")
    assert not re.search(r"\b(var|debugger|with)\b(?=[ (])", re.sub(r"//.*|/\*.*?\*/", "", text))


def test_the_declarations_are_of_what_the_module_exports() -> None:
    """Tried on the compiler of TypeScript by hand: it takes them, and refuses a row that lacks a feature."""
    model = CurveModel("m </script>", [*MODEL.terms, PWLCurve("a\n*/ b", [(0, 0), (1, 1)])], features=[
        Feature("age"), Feature("degree", "int"), Feature("who", "str"), Feature("yes", "bool"), Feature("size"),
        Feature("a\n*/ b"), Feature("unused", "str"),
    ])  # fmt: skip
    types = emit(model, "javascript", types=True)
    exported = re.compile(r"^export (?:const|function) (\w+)", re.MULTILINE)
    assert exported.findall(types) == exported.findall(emit(model, "javascript"))
    assert "<" not in re.sub(r"ArrayLike<.*>|ReadonlyArray<.*>", "", types)
    assert [line.strip() for line in types.split("interface Row {\n")[1].split("}")[0].splitlines()] == [
        '"age": number | bigint | boolean | null | undefined;',
        '"degree": number | bigint | null | undefined;',
        '"who": string | null | undefined;',
        '"yes": boolean | 0 | 1 | null | undefined;',
        '"size": number | bigint | boolean | null | undefined;',
        '"a\\n*/ b": number | bigint | boolean | null | undefined;',
        '"unused"?: string | null | undefined;',
    ]
    assert types.count("ArrayLike<") == len(model.features)
