"""Emitted Python as highlighted HTML, by the standard library's own tokenizer."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator

from markupsafe import Markup, escape

from curvec.ir import NODES

__all__ = ["highlighted"]

_NODES = {*NODES, "CurveModel", "Feature"}


def highlighted(source: str) -> Markup:
    """The source with a span for each comment, string, number, keyword and node; the text itself is unchanged."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    done, pieces = 0, []
    for start, end, kind in _spans(source, starts):
        pieces.append(escape(source[done:start]))
        pieces.append(Markup('<span class="{}">{}</span>').format(kind, source[start:end]))
        done = end
    pieces.append(escape(source[done:]))
    return Markup("").join(pieces)


def _spans(source: str, starts: list[int]) -> Iterator[tuple[int, int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = _kind(token)
        if kind:
            yield starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1], kind


def _kind(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return "keyword" if keyword.iskeyword(token.string) else "node" if token.string in _NODES else ""
    return {tokenize.COMMENT: "comment", tokenize.STRING: "string", tokenize.NUMBER: "number"}.get(token.type, "")
