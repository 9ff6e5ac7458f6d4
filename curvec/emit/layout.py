"""Python source laid out over lines, the way black does it.

A bracket that fits its line stays on it. Otherwise what is inside moves to lines of its own: the arguments of a
call to one line if they fit there, else one each; the elements of a list or dict always one each. Tests hold the
text against black itself, which is slow, and whose style changes with its year.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["WIDTH", "Bracket", "Piece", "call", "dictionary", "lay_out", "list_of", "quoted"]

WIDTH = 120
_INDENT = 4


@dataclass(frozen=True, slots=True)
class Bracket:
    """What stands before an opening bracket, the pieces inside, and what closes it.

    Attributes:
        head: up to and with the opening bracket.
        pieces: what is inside, without commas.
        tail: from the closing bracket.
        is_call: its pieces may share a line of their own.
        flat: all of it on one line.

    """

    head: str
    pieces: Sequence[Piece]
    tail: str
    is_call: bool
    flat: str = field(init=False)

    def __post_init__(self) -> None:
        """Write the flat form once: laying out asks for it at every level."""
        object.__setattr__(self, "flat", self.head + self.inside() + self.tail)

    def inside(self) -> str:
        """The pieces on one line."""
        return ", ".join(map(flat, self.pieces))


Piece: TypeAlias = str | Bracket


def flat(piece: Piece) -> str:
    """A piece on one line."""
    return piece if isinstance(piece, str) else piece.flat


def call(name: str, pieces: Sequence[Piece]) -> Bracket:
    """``name(piece, piece)``."""
    return Bracket(f"{name}(", pieces, ")", is_call=True)


def list_of(pieces: Sequence[Piece], head: str = "") -> Bracket:
    """``[piece, piece]``, behind ``head``."""
    return Bracket(f"{head}[", pieces, "]", is_call=False)


def dictionary(pieces: Sequence[Piece], head: str = "") -> Bracket:
    """``{piece, piece}``, behind ``head``; a piece is ``key: value``."""
    return Bracket(f"{head}{{", pieces, "}", is_call=False)


def lay_out(piece: Piece, depth: int = 0, end: str = "") -> Iterator[str]:
    """The lines of a piece at a depth, with ``end`` behind its last character."""
    indent = " " * (_INDENT * depth)
    if isinstance(piece, str) or _fits(indent + piece.flat + end):
        yield indent + flat(piece) + end
        return
    yield indent + piece.head
    alone = len(piece.pieces) == 1
    if piece.is_call and not alone and _fits(indent + " " * _INDENT + piece.inside()):
        yield indent + " " * _INDENT + piece.inside()
    else:
        for inner in piece.pieces:
            yield from lay_out(inner, depth + 1, "" if alone else ",")
    yield indent + piece.tail + end


def quoted(text: str) -> str:
    """A string literal, in double quotes unless that takes more backslashes."""
    literal = repr(text)
    if literal[0] == '"' or text.count('"') > text.count("'"):
        return literal
    body = literal[1:-1].replace("\\'", "'").replace('"', '\\"')
    return f'"{body}"'


def _fits(line: str) -> bool:
    if line.isascii():
        return len(line) <= WIDTH
    return sum(map(_columns, line)) <= WIDTH


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
