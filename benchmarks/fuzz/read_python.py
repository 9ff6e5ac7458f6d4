"""Fuzz the reading of Python.

Needs atheris::

    python benchmarks/fuzz/read_python.py -max_total_time=3600 CORPUS

Each text is an emitted model, with a few tokens changed as the fuzzer says. What must hold:

- reading gives a model or an InputError, and nothing else;
- reading executes nothing: no file, process, import or code object is touched while it runs (audit events);
- no wrong acceptance: a text that is read means, when it is run, the model that was read (notes apart), and the
  model's own text reads back as the same model.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
from typing import Any

import atheris
import msgspec

from curvec import CurveModel, EnumCurve, InputError, Line, Product, PWLCurve, StepCurve, Sum, emit
from curvec.ir import Term
from curvec.read import from_python, literals, module, nodes, notes, source

FORBIDDEN = ("exec", "open", "import", "os.", "subprocess.", "socket.", "shutil.", "ctypes.")
TOKENS = """
( ) [ ] { } , : = + - * ** / @ . ; | -> := == not and or if else for in lambda yield await def class import from as
return global del assert raise try with None True False MODEL CurveModel PWLCurve StepCurve EnumCurve Line Sum Product
Feature name terms intercept link features note input points cuts values mapping feature default missing fx type
score predict contributions row object float eval exec open __import__ curvec annotations 0 1 -1 1.5 1e999 0x10 1_0
sum np.log 1j "a" 'b' "logit" "log" "identity" b"a" f"{a}" r"\\" \\"\\"\\" '''  # #note # * ... \0 \f \t \n é µ \ufeff
""".split(" ")  # noqa: SIM905  a list of tokens reads better as one text

_watching = False


def models() -> list[CurveModel]:
    """The seeds: every node, nested, with notes and hard names."""
    curve = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log", missing=0.5, note="why")
    table = EnumCurve("degree", {"F": 0.02, 'M"\\': -0.04}, default=0, missing=1)
    nested = PWLCurve(Sum([curve, Line("a b")]), [(0, 0), (1, 1)])
    product = Product([Sum([nested, StepCurve("x", [1, 2], [0, 1, -1])]), Line("x")], note="pair")
    codes = [EnumCurve("k", {1: 0.5, -2: 1}), EnumCurve("b", {True: 1, False: 0})]
    return [
        CurveModel("small", [Line("a")]),
        CurveModel("demo", [curve, table, product, *codes], -1.5, "logit", note="whole\nmodel"),
    ]


SEEDS = [emit(model, "python", standalone=alone) for model in models() for alone in (False, True)]
SEEDS += [text.replace("terms=[\n", "terms=[\n        # a remark\n") for text in SEEDS[::2]]
PIECES = [re.findall(r"\s+|\w+|\"[^\"\n]*\"|#[^\n]*|.", text, re.DOTALL) for text in SEEDS]


def watch(event: str, _: tuple[Any, ...]) -> None:
    """Refuse what reading must never do."""
    if _watching and event.startswith(FORBIDDEN) and event != "import":
        raise RuntimeError(f"reading a file did {event}")


def read(text: str) -> CurveModel | None:
    """The model, or None where it is refused; anything else escapes."""
    global _watching  # noqa: PLW0603  an audit hook cannot be removed
    _watching = True
    try:
        return from_python(text, "fuzz.py")
    except InputError:
        return None
    finally:
        _watching = False


def without_notes(value: Any) -> Any:
    """A model or node with every note empty."""
    if isinstance(value, (list, tuple)):
        return [without_notes(item) for item in value]
    if not isinstance(value, (Term, CurveModel)):
        return value
    inner = {
        field: without_notes(getattr(value, field)) for field in ("terms", "factors", "input") if hasattr(value, field)
    }
    return msgspec.structs.replace(value, **inner, note="")


def check(data: bytes) -> None:
    """One text."""
    text = text_of(data)
    model = read(text)
    if model is None:
        return
    again = from_python(emit(model, "python"))
    if again != model:
        raise AssertionError("the emitted text reads back as another model")
    run = _run(text)
    if isinstance(run, CurveModel):
        if without_notes(run) != without_notes(model):
            raise AssertionError("the running module holds another model than was read")
    elif run is not None and _scores(run, model) != _scores(model, model):
        raise AssertionError("the running standalone module scores otherwise than the model that was read")


def _run(text: str) -> Any:
    """``MODEL`` of the running module; None where it does not run, which is loud and so no wrong acceptance."""
    running = types.ModuleType("fuzzed")
    sys.modules["fuzzed"] = running
    try:
        exec(compile(text, "fuzzed", "exec", dont_inherit=True), running.__dict__)  # noqa: S102  claimed to be harmless
    except (NameError, SyntaxError):
        return None
    return running.__dict__["MODEL"]


def _scores(scorer: Any, model: CurveModel) -> list[str]:
    values = {"number": [0.0, 20.5, None], "int": [1, -2, None], "str": ["F", "", None], "bool": [True, False, None]}
    try:
        return [float(score).hex() for score in scorer.eval({f.name: values[f.type] for f in model.features})]
    except (AttributeError, NameError):  # a part of the runtime is missing, which is loud
        return [score.hex() for score in model.eval({f.name: values[f.type] for f in model.features}).tolist()]


def text_of(data: bytes) -> str:
    """An emitted text with the edits that the fuzzer's bytes say: tokens put in, taken out, replaced, copied."""
    choice = atheris.FuzzedDataProvider(data)
    pieces = list(PIECES[choice.ConsumeIntInRange(0, len(PIECES) - 1)])
    for _ in range(choice.ConsumeIntInRange(1, 8)):
        at = choice.ConsumeIntInRange(0, len(pieces))
        span = choice.ConsumeIntInRange(0, 3)
        action = choice.ConsumeIntInRange(0, 9)
        if action < 7:
            new = [TOKENS[choice.ConsumeIntInRange(0, len(TOKENS) - 1)]]
        elif action < 9:
            start = choice.ConsumeIntInRange(0, len(pieces))
            new = pieces[start : start + choice.ConsumeIntInRange(1, 30)]
        else:
            new = [choice.ConsumeUnicodeNoSurrogates(12)]
        pieces[at : at + span] = new
        if not choice.remaining_bytes():
            break
    return "".join(pieces)


def instrument() -> None:
    """Let the fuzzer see the branches of the reader."""
    for part in (literals, module, nodes, notes, source):
        for value in list(vars(part).values()):
            if getattr(value, "__module__", "") != part.__name__:
                continue
            for function in [value] if inspect.isfunction(value) else list(vars(value).values()):
                if inspect.isfunction(function):
                    atheris.instrument_func(function)


def main() -> None:
    """Run until the time given is over."""
    instrument()
    for seed in SEEDS:
        if read(seed) is None:
            raise AssertionError("an emitted text is refused")
    sys.addaudithook(watch)
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
