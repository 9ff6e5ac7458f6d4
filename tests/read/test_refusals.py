"""Whatever is not the listing is refused: where, and what was expected. Nothing is executed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from curvec import CurveModel, InputError, Line, PWLCurve, emit, load
from curvec.read import from_python

HEAD = "from curvec import Line, CurveModel, EnumCurve, Feature, PWLCurve, Product, StepCurve, Sum\n"
EMITTED = emit(CurveModel("m", [PWLCurve("a", [(0, 1), (1, 2)])]), "python")
ALONE = emit(CurveModel("m", [PWLCurve("a", [(0, 1), (1, 2)])]), "python", standalone=True)


def term(text: str) -> str:
    return f"{HEAD}MODEL = CurveModel('m', [{text}])"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.py: holds no MODEL = CurveModel(...)"),
        ("import os", "f.py:1:1: expected MODEL = CurveModel(...)"),
        ("import curvec", "f.py:1:1: write 'from curvec import CurveModel, ...'"),
        ("from curvec import PWLCurve as P", "f.py:1:20: expected an import of CurveModel, EnumCurve"),
        ("from curvec import emit", "f.py:1:20: expected an import of CurveModel"),
        ("from .curvec import Line", "f.py:1:21: expected an import of"),
        ("from typing import Any as A", "expected MODEL"),
        ("from __future__ import division", "expected MODEL"),
        (
            "from curvec import Line\nfrom __future__ import annotations\n" + term("Line('a')"),
            "f.py:2:1: not Python: from __future__ imports must occur at the beginning of the file",
        ),
        ("MODEL = 1", "f.py:1:1: expected MODEL = CurveModel(...)"),
        ("MODEL = OTHER = CurveModel('m', [])", "expected MODEL = CurveModel"),
        ("MODEL = CurveModel('m', [])", "f.py:1:9: CurveModel is not imported; add it to 'from curvec import ...'"),
        (term("Line('a')") + "\n" + "MODEL = CurveModel('m', [Line('a')])", "f.py:3:9: MODEL is there twice"),
        (term("'a'"), "f.py:2:26: expected EnumCurve or Line or PWLCurve or Product or StepCurve or Sum, found"),
        (term("Line"), "f.py:2:26: expected EnumCurve or Line"),
        (term("curvec.Line('a')"), "f.py:2:26: expected EnumCurve or Line"),
        (term("exec('1')"), "f.py:2:26: expected EnumCurve or Line"),
        (term("Line('a') - Line('b')"), "f.py:2:26: expected EnumCurve or Line or"),
        (term("2 * Line('a')"), "f.py:2:26: expected EnumCurve or Line or"),
        (term("-Line('a')"), "f.py:2:26: expected EnumCurve or Line or"),
        (term("*[Line('a')]"), "f.py:2:26: expected EnumCurve or Line or"),
        (term("Line(f'a')"), "f.py:2:31: expected a number, a string"),
        (term("Line(b'a')"), "f.py:2:31: expected a number, a string"),
        (term("Line(x)"), "f.py:2:31: expected a number, a string"),
        (term("Line(1)"), "f.py:2:26: the input of a Line is 1; it must be a string"),
        (term("Line(['a'])"), "f.py:2:26: the input of a Line is ['a']; it must be a string"),
        (term("Line()"), "f.py:2:26: Line needs 'input'"),
        (term("Line('a', 'n')"), "f.py:2:26: the coefficient of the Line of 'a' is 'n'; it must be a number"),
        (term("Line('a', True)"), "f.py:2:26: the coefficient of the Line of 'a' is True; it must be a number"),
        (term("Line('a', 1, 2, 'n', 3)"), "f.py:2:47: Line takes 4 arguments"),
        (term("Line('a', input='a')"), "the argument 'input' of Line is there twice"),
        (term("Line('a', note='a', note='b')"), "f.py:2:51: the argument 'note' of Line is there twice"),
        (term("Line(**{'feature': 'a'})"), "Line has no argument '**'"),
        (term("Line(*['a'])"), "f.py:2:31: expected an argument"),
        (term("Line('a', weight=1)"), "Line has no argument 'weight'; it has input, coefficient, missing, note"),
        (term("PWLCurve('a', [(0, 1)])"), "f.py:2:26: PWLCurve of 'a' has 1 point"),
        (term("PWLCurve('a', [(1, 1), (0, 1)])"), "f.py:2:49: PWLCurve of 'a': 1 is followed by 0"),
        (term("PWLCurve('a', [(0, 1), (1, 2, 3)])"), "is not a pair"),
        (term("PWLCurve('a', [(0, 1), (1, 1 + 1)])"), "f.py:2:53: '1 + 1' is arithmetic; write its result"),
        (term("PWLCurve('a', [(0, 1) (1, 2)])"), "f.py:2:41: a comma is missing behind '(0, 1)'"),
        (term("PWLCurve('a', [(0, 1), [1, 2][0]])"), "a comma is missing behind '[1, 2]'"),
        (term("PWLCurve('a', [(0, 1),\n(2, 1),\n('3', 2)])"), "f.py:4:1: PWLCurve of 'a': an x is '3'"),
        (term("PWLCurve('a', [(0, 1), (1, 2)],\nmissing=True)"), "f.py:3:9: missing of PWLCurve of 'a' is True"),
        (
            term("PWLCurve('a',\n[(0, 1), (1, 2)], 'log')"),
            "f.py:3:2: PWLCurve of 'a': x=0 is outside the domain of log",
        ),
        (
            term("PWLCurve('a', [(0, 1), (1, 2)], special={9: 1,\n9: 2})"),
            "f.py:3:1: PWLCurve of 'a': the special code 9",
        ),
        (term("StepCurve('a', [1, 2,\n2], [1, 2, 3, 4])"), "f.py:3:1: StepCurve of 'a': 2 is followed by 2"),
        (term("StepCurve('a', [1], [1,\n'2'])"), "f.py:3:1: StepCurve of 'a': a value is '2'"),
        (
            term("EnumCurve('a', {1: 0, 2: 0, 3: 0, 4: 0, 5: 0,\n'6': 0})"),
            "f.py:3:1: EnumCurve of 'a': the levels [1, '6'] are",
        ),
        (term("EnumCurve('a', {'b': 0,\n'b': 1})"), "f.py:3:1: EnumCurve of 'a': the level 'b' is there twice"),
        (term("EnumCurve('a', {'b': 0,\n'c': None})"), "f.py:3:1: EnumCurve of 'a': the value of level 'c' is None"),
        (term("Line('a'),\nEnumCurve('a', {'b': 0})"), "f.py:3:1: feature 'a' is used as number and as str"),
        (term("PWLCurve('a', [(0, 1), (1, -True)])"), "expected a number behind the sign"),
        (term("PWLCurve('a', [(0, 1), (1, not 1)])"), "expected a number"),
        (term("PWLCurve('a', [(0, 1), (1, 1j)])"), "expected a number"),
        (term("PWLCurve('a', [(0, 1), (1, 1e999)])"), "must be finite"),
        (term("PWLCurve('a', [(0, 1), (1, True)])"), "must be a number"),
        (term("PWLCurve('a', [(0, 1), (1, 9007199254740993)])"), "no double holds"),
        (term(f"PWLCurve('a', [(0, 1), (1, 0x{'f' * 5000})])"), "beyond every double"),
        (term(f"PWLCurve('a', [(0, 1), (1, {'9' * 5000})])"), "f.py:2"),
        (term("PWLCurve('a', 5)"), "f.py:2:40: expected a list of points (x, y)"),
        (term("PWLCurve('a', [(x, 0) for x in y])"), "f.py:2:40: expected a list of points"),
        (term("PWLCurve('a', [(0, 0), (1, 1)], fx='sqrt')"), "fx='sqrt' is not a transform"),
        (term("PWLCurve('a', [(0, 0), (1, 1)], fx=[])"), "is not a transform"),
        (term("PWLCurve('a', [(0, 0), (1, 1)], missing='x')"), "must be a number"),
        (term("PWLCurve('a', [(0, 0), (1, 1)], note=None)"), "a note is None; it must be a string"),
        (term("PWLCurve(Product([Line('a')]), [(0, 0), (1, 1)])"), "f.py:2:35: expected Sum, found"),
        (term("PWLCurve(Line('a') * Line('a'), [(0, 0), (1, 1)])"), "expected Sum"),
        (term("PWLCurve('a\\ud800', [(0, 0), (1, 1)])"), "not valid Unicode"),
        (term("StepCurve('a', 1, [1, 2])"), "expected a list of numbers"),
        (term("EnumCurve('a', [(1, 2)])"), "f.py:2:41: expected a dict {level: value}"),
        (term("EnumCurve('a', {1: 2, **{}})"), "expected level: value"),
        (term("EnumCurve('a', {1: 2, True: 3})"), "all int, all str or all bool"),
        (term("EnumCurve('a', {1: 2, 1: 3})"), "the level 1 is there twice"),
        (term("EnumCurve('a', {1.0: 2})"), "of type float"),
        (term("EnumCurve('a', {None: 2})"), "of type NoneType"),
        (term("EnumCurve('a', {(): 2})"), "of type list"),
        (f"{HEAD}MODEL = CurveModel('m', Line('a'))", "f.py:2:25: expected a list of EnumCurve or Line or"),
        (f"{HEAD}MODEL = CurveModel('m', [Line('a')], features=[Line('a')])", "expected Feature, found"),
        (f"{HEAD}MODEL = CurveModel('m', [Line('a')], features=[Feature('a', 'date')])", "has type 'date'"),
        (f"{HEAD}MODEL = CurveModel('m', [Line('a')], features=[Feature('b')])", "not listed in features"),
        (f"{HEAD}MODEL = CurveModel('m', [Line('a')], link='probit')", "link='probit' is not a link"),
        (f"{HEAD}MODEL = CurveModel('m', [Line('a')], link={{}})", "is not a link"),
        ("x = (", "f.py:1:5: not Python: '(' was never closed"),
        ("a = 1\0", "f.py"),
        ("  a = 1\n b = 2", "f.py:1"),
        ("if True:\n pass", "f.py:1:1: expected MODEL"),
        (EMITTED + "\nprint('done')\n", "expected MODEL"),
        (
            EMITTED.replace("MODEL.predict_row(row)", "2 * MODEL.predict_row(row)"),
            "the function 'predict' is not as curvec",
        ),
        (EMITTED.replace("def predict", "@property\ndef predict"), "the function 'predict' is not as curvec"),
        (EMITTED.replace("**row: object", "**row: evil()"), "the function 'score' is not as curvec"),
        (EMITTED.replace("**row: object", "a=1, **row: object"), "the function 'score' is not as curvec"),
        (EMITTED.replace("-> dict[str, float]", "-> evil()"), "the function 'contributions' is not as curvec"),
        (EMITTED.replace("def score", "async def score"), "expected MODEL"),
        (
            ALONE.replace("return -log1p(-x) if x < 0", "return log1p(-x) if x < 0"),
            "the function 'symlog1p' is not as curvec",
        ),
        (ALONE.replace("GROUP = 25", "GROUP = 24"), "expected MODEL"),
    ],
)
def test_refused_with_the_place_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        from_python(text, "f.py")


@pytest.mark.parametrize(
    "text",
    [
        "-" * 200_000 + "1",
        "(" * 100_000,
        "1+" * 200_000 + "1",
        "MODEL = a" + ".b" * 200_000,
        "a" + "()" * 20_000,
        "not " * 100_000 + "1",
        "lambda:" * 50_000 + "1",
        "if a:\n  b\n" + "elif a:\n  b\n" * 20_000,
        "x if y else " * 20_000 + "z",
        term("Sum([" * 60 + "Line('a')" + "])" * 60),
        term("Sum([" * 300 + "Line('a')" + "])" * 300),
        term("Line('a')" + "+Line('a')" * 10_000),
        term("Line('a')" + "*Line('a')" * 10_000),
        "\0" * 1000,
        "\x0c\r\r\n\t" * 100,
        "'''" + "a\n" * 100_000,
        "f'{" * 200,
        "\ufeff\ufeff",
        "é" * 10_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_hostile_texts_are_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        from_python(text)


def test_a_long_chain_of_additions_is_read() -> None:
    text = term("Line('a')" + " + Line('a')" * 299)
    assert len(from_python(text).terms[0].terms) == 300


def test_a_literal_beside_the_listing_is_not_executed(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    for text in (f"open({str(witness)!r}, 'w')", term(f"open({str(witness)!r}, 'w')")):
        with pytest.raises(InputError):
            from_python(text)
    assert not witness.exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.yaml", b"", "suffix '.yaml' is not a model file's; use .json or .py"),
        ("m", b"", "suffix '' is not a model file's"),
        ("m.py", b"\xff\xfe", "not UTF-8 text"),
        ("m.json", b"\xff\xfe", "not UTF-8 text"),
        ("m.py", b"# -*- coding: latin-1 -*-\n", "declares the encoding iso-8859-1; models are UTF-8"),
        ("m.py", b"# -*- coding: klingon -*-\n", "an encoding that Python does not know"),
        ("m.py", b"#" * (16 * 2**20 + 1), "more than 16 MB"),
        ("m.json", b"[" * 100_000, "m.json"),
        ("m.json", b"\0", "m.json"),
        ("m.json", b"[" + b"9" * 5000 + b"]", "m.json: Exceeds the limit"),
    ],
)
def test_a_file_that_is_no_model(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(message)):
        load(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        load(tmp_path / "m.py")
    (tmp_path / "d.py").mkdir()
    with pytest.raises(InputError, match="directory"):
        load(tmp_path / "d.py")
    with pytest.raises(InputError, match="null byte"):
        load("a\0.py")


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(b"\xef\xbb\xbf" + EMITTED.replace("\n", "\r\n").encode())
    assert load(path) == from_python(EMITTED)


def test_more_tokens_than_a_model_has_are_refused_before_they_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curvec.read.source._MAX_TOKENS", 1000)
    with pytest.raises(InputError, match=r"f.py: more than 1000 tokens"):
        from_python("a = [" + "1," * 1000, "f.py")


def test_many_comments_find_their_terms() -> None:
    lines = "".join(f"# note {k}\nLine('a'),\n" for k in range(2000))
    assert [node.note for node in from_python(term("\n" + lines)).terms] == [f"note {k}" for k in range(2000)]


@pytest.mark.parametrize("between", [" + ", "\n  # a remark\n  + ", " + +"], ids=["plain", "comments", "signs"])
def test_more_operators_in_a_row_than_a_reader_can_follow_are_refused(between: str) -> None:
    sums = [between.join(["Line('a')"] * (count + 1)) for count in (400, 401)]
    if between != " + +":
        assert len(from_python(term(sums[0])).terms) == 1
        assert len(from_python(term(f"{sums[0]}, {sums[0]}")).terms) == 2
    with pytest.raises(InputError, match=r"f.py:\d+:\d+: more than 400 operators in a row; write Sum"):
        from_python(term(sums[1]), "f.py")


def test_more_open_brackets_than_a_model_has_are_refused() -> None:
    with pytest.raises(InputError, match=r"f.py:2:\d+: nested too deeply to be a model; more than 128 brackets"):
        from_python(term("(" * 127 + "Line('a')" + ")" * 127), "f.py")


def test_an_odd_escape_in_a_name_is_no_warning() -> None:
    assert from_python(term(r"Line('a\d')")) == CurveModel("m", [Line(r"a\d")])
