"""Long lists and tables of the Python listing, laid out without black, which takes milliseconds a line.

Black puts each element of a list that is too long for one line on a line of its own, and does not change an element
that fits there and is spelt as black spells it, as nodes are. Such elements are kept out of the text for black: each
run of them is replaced by one name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from curvec.ir import Node
from curvec.spelling import bracketed, elements, literal

INDENT = 4
"""Columns by which black indents what stands in brackets."""


class KeptLines:
    """The elements that are kept from black, and their places; ``width`` is that of a line."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._kept: list[Sequence[str]] = []

    def stand_ins(self, values: Sequence[Any] | Mapping[Any, Any], indent: int) -> list[str]:
        """The elements of a list or table whose lines have this indent, with a name for each run of those that fit.

        Elements that may share one line (characters beyond ASCII may take no column) are returned unchanged, as their
        layout is black's decision.
        """
        texts = elements(values)
        if indent + len(", ".join(texts).encode("ascii", "ignore")) <= self._width:
            return texts
        table = isinstance(values, Mapping)
        result: list[str] = []
        for fits, run in groupby(zip(texts, values, strict=True), lambda pair: self._fits(pair[0], indent)):
            if fits:
                result.append(f"_lines_{len(self._kept)}{': 0' if table else ''}")
                self._kept.append([text for text, _ in run])
            else:
                whole = (
                    text if table or isinstance(value, tuple) else self._expression(value, indent)
                    for text, value in run
                )
                result.extend(whole)
        result[-1] += ","  # tells black to give each a line, however few are left
        return result

    def put_back(self, text: str) -> str:
        """The text that black made, with the elements in their places."""
        return re.sub(r"^( +)_lines_(\d+)(?:: 0)?,$", self._lines, text, flags=re.MULTILINE)

    def _expression(self, value: Any, indent: int) -> str:
        """The expression of a value too long for a line, with stand-ins in the lists and tables in it."""
        if isinstance(value, Node):
            return value.spelt(lambda argument: self._expression(argument, indent + INDENT))
        if isinstance(value, (Mapping, tuple)):
            return bracketed(value, self.stand_ins(value, indent + INDENT))
        return literal(value)

    def _fits(self, element: str, indent: int) -> bool:
        # A character is no more columns wide than it has bytes. And 1e+16 is 1e16 to black.
        return indent + len(element.encode()) + 1 <= self._width and "e+" not in element

    def _lines(self, found: re.Match[str]) -> str:
        return "\n".join(f"{found[1]}{element}," for element in self._kept[int(found[2])])
