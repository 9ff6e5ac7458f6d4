"""Emitted Python as highlighted HTML, by the standard library's own tokenizer."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections import deque
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from curvec.ir import NODES

_NODES = {*NODES, "CurveModel", "Feature"}


def highlighted(source: str, parts: Sequence[tuple[int, int]] = ()) -> Markup:
    """The source with an element for each comment, string, number, keyword and node; the text itself is unchanged.

    Args:
        source: Python.
        parts: the start and the end of each part of the text that gets a span, with its number as ``data-term``.

    """
    marks = deque(
        mark
        for number, (start, end) in enumerate(parts)
        for mark in ((start, Markup('<span data-term="{}">').format(number)), (end, Markup("</span>")))
    )
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    done = 0
    pieces: list[Markup] = []
    for start, end, kind in _spans(source, starts):
        pieces.extend(_plain(source, done, start, marks))
        # Numbers are most of a listing: a page of many terms is much shorter by their short element.
        element = Markup("<var>{1}</var>") if kind == "number" else Markup('<span class="{0}">{1}</span>')
        pieces.append(element.format(kind, source[start:end]))
        done = end
    pieces.extend(_plain(source, done, len(source), marks))
    return Markup("").join(pieces)


def _plain(source: str, start: int, end: int, marks: deque[tuple[int, Markup]]) -> Iterator[Markup]:
    """The text from start to end with the marks in it, which are taken from the iterator."""
    while marks and marks[0][0] <= end:
        place, mark = marks.popleft()
        yield escape(source[start:place])
        yield mark
        start = place
    yield escape(source[start:end])


def _spans(source: str, starts: list[int]) -> Iterator[tuple[int, int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = _kind(token)
        if kind:
            yield starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1], kind


def _kind(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return "keyword" if keyword.iskeyword(token.string) else "node" if token.string in _NODES else ""
    return {tokenize.COMMENT: "comment", tokenize.STRING: "string", tokenize.NUMBER: "number"}.get(token.type, "")
