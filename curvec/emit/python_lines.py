"""Long lists of the Python listing, laid out without black, which takes milliseconds a term.

Black gives each element of a list too long for one line a line of its own, and leaves alone what fits on that line and
is spelt as black spells it, as nodes are. Such elements are kept out of the text that black gets: one name stands for a
run of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

__all__ = ["KeptLines"]


class KeptLines:
    """The elements that black does not get, and their places.

    Args:
        width: columns of a line.

    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._kept: list[Sequence[str]] = []

    def stand_ins(self, elements: Sequence[str], indent: int, value: str = "") -> list[str]:
        """The elements, with a name (and a value, in a dict) for each run of those that fit on a line.

        Elements that may share one line are given back as they are: how, black knows.
        """
        if indent + len(", ".join(elements)) <= self._width:
            return list(elements)
        result: list[str] = []
        for fits, run in groupby(elements, lambda element: self._fits(element, indent)):
            if fits:
                result.append(f"_lines_{len(self._kept)}{value}")
                self._kept.append(list(run))
            else:
                result.extend(run)
        result[-1] += ","  # tells black to give each a line, however few are left
        return result

    def _fits(self, element: str, indent: int) -> bool:
        # Some characters beyond ASCII are two columns wide: those are for black to count. And 1e+16 is 1e16 to black.
        return indent + len(element) + 1 <= self._width and element.isascii() and "e+" not in element

    def put_back(self, text: str) -> str:
        """The text that black made, with the elements in their places."""
        return re.sub(r"^( +)_lines_(\d+)(?:: 0)?,$", self._lines, text, flags=re.MULTILINE)

    def _lines(self, found: re.Match[str]) -> str:
        return "\n".join(f"{found[1]}{element}," for element in self._kept[int(found[2])])
