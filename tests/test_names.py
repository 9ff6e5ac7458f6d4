"""Any feature name goes through every language."""

from __future__ import annotations

import keyword

from hypothesis import given
from hypothesis import strategies as st

from curvec.emit.names import comment_text, identifier, identifiers

NASTY = ["select", "a b", "class", "1x", 'x"; DROP TABLE t; --', "naïve", "a_b", "A b", "", "é", "日本", "*/", "??/"]


@given(st.lists(st.one_of(st.text(), st.sampled_from(NASTY)), unique=True))
def test_identifiers_are_valid_unique_and_not_reserved(names: list[str]) -> None:
    reserved = frozenset([*keyword.kwlist, "score"])
    result = identifiers(names, reserved)
    assert list(result) == names
    assert len(set(result.values())) == len(names)
    for value in result.values():
        assert value.isascii()
        assert value.isidentifier()
        assert value not in reserved


def test_a_valid_name_is_kept_whatever_else_is_there() -> None:
    assert identifiers(["a b", "a_b", "class"], keyword.kwlist) == {"a b": "a_b_2", "a_b": "a_b", "class": "class_"}
    assert identifier("naïve") == "naive"
    assert identifier("1x") == "x1x"


@given(st.text())
def test_a_comment_is_one_harmless_line(name: str) -> None:
    text = comment_text(name)
    assert text.isascii()
    assert not set("\n\r\t\f\v\0") & set(text)
    for end in ("*/", '"""', "--", "??"):
        assert end not in text
