"""Random edits of emitted text: refused with an InputError, or the model that the running module holds."""

from __future__ import annotations

import re
import types
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from models import every_node
from nightly import examples

from curvec import CurveModel, InputError, emit
from curvec.ir import changed
from curvec.read import from_python

TEXT = emit(every_node(), "python")
PIECES = re.findall(r"\s+|\w+|\"[^\"\n]*\"|#[^\n]*|.", TEXT, re.DOTALL)
TOKENS = [
    *"()[]{},:=+-*/@.;\n",
    *('"a"', "1", "-1", "1e999", "0x10", "True", "None", "x", "f'{a}'", "# note\n", "\0", "\\", "lambda: 1", "**", "é"),
    *("PWLCurve", "Sum([", "])", "missing=1", "note='n'", "MODEL", "import os\n", "eval('1')", "  ", "\ufeff", "\x0c"),
]
edits = st.tuples(st.integers(0, len(PIECES)), st.integers(0, 3), st.sampled_from(TOKENS))


def without_notes(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [without_notes(item) for item in value]
    if not isinstance(value, msgspec.Struct) or not hasattr(value, "note"):
        return value
    inner = {
        name: without_notes(getattr(value, name))
        for name in value.__struct_fields__
        if name in ("terms", "factors", "input")
    }
    return changed(value, **inner, note="")


@given(st.lists(edits, min_size=1, max_size=4))
@examples(150)
def test_an_edited_text_is_refused_or_means_what_it_says(changes: list[tuple[int, int, str]]) -> None:
    pieces = list(PIECES)
    for at, span, token in changes:
        pieces[at : at + span] = [token]
    text = "".join(pieces)
    try:
        model = from_python(text)
    except InputError:
        return
    assert from_python(emit(model, "python")) == model
    module = types.ModuleType("edited")
    try:
        exec(compile(text, "edited", "exec", dont_inherit=True), module.__dict__)  # noqa: S102  claimed to be harmless
    except (NameError, SyntaxError):  # it does not run at all, which nobody can miss
        return
    running = module.__dict__["MODEL"]
    assert isinstance(running, CurveModel)
    assert without_notes(running) == without_notes(model)
