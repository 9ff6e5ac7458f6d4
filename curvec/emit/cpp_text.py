"""How C++ is spelled: literals, comments and line breaks, as clang-format leaves them (Google style, 120 columns)."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from curvec.emit.names import comment_text
from curvec.ir import Key

WIDTH = 120
"""Columns of a line."""

_FEW = 8
"""The most items of a list that are laid out with one on each line."""

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def string_literal(value: str) -> str:
    """``value`` as a narrow string literal in ASCII: UTF-8 bytes in octal, which a following digit cannot extend."""
    parts = []
    for character in value:
        if character in _ESCAPES:
            parts.append(_ESCAPES[character])
        elif character == "?" and parts and parts[-1][-1] == "?":
            parts.append("\\?")  # no trigraph
        elif " " <= character <= "~":
            parts.append(character)
        else:
            parts.extend(f"\\{byte:03o}" for byte in character.encode())
    return f'"{"".join(parts)}"'


def key_literal(key: Key) -> str:
    """A level's key as a constant of its C++ type."""
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, int):
        return str(key)
    return string_literal(key)


def comment(text: str, indent: int = 0, mark: str = "//") -> list[str]:
    """``text`` as comment lines, from which it cannot break out."""
    lines = textwrap.wrap(comment_text(text), WIDTH - indent - len(mark) - 3, break_on_hyphens=False)
    # A backslash at the end of a line would carry the comment on to the next one.
    return [f"{mark} {line} ." if line.endswith("\\") else f"{mark} {line}" for line in lines]


def filled(head: str, items: Sequence[str], tail: str) -> str:
    """``head(item, item)tail`` with the items filled into lines that start below the first one.

    If an item is too long for that, all of them start on the next line.
    """
    pieces = [f"{item}, " for item in items[:-1]] + ["".join(items[-1:]) + tail]
    indent = " " * len(head)
    if any(len(indent + piece.rstrip()) > WIDTH for piece in pieces):
        indent = " " * (len(head) - len(head.lstrip()) + 4)
        return "\n".join([head, *_packed(pieces, indent)])
    return head + "\n".join(_packed(pieces, indent)).lstrip()


def braced(head: str, items: Sequence[str], tail: str) -> str:
    """``head{item, item}tail``: on one line if it fits, else one item on each line, or, for many items, filled lines.

    clang-format would align many items in a grid; as they are data, it is told to leave them alone.
    """
    line = f"{head}{{{', '.join(items)}}}{tail}"
    if len(line) <= WIDTH:
        return line
    last = tail.startswith(",")  # further arguments follow: the list gets lines of its own
    indent = " " * (8 if last else 4)
    lines = (
        [f"{indent}{item}," for item in items]
        if len(items) <= _FEW
        else _packed([f"{item}, " for item in items], indent)
    )
    if last:
        lines = [head, "    {", *lines, "    },", f"    {tail.removeprefix(', ')}"]
    else:
        lines = [f"{head}{{", *lines, f"}}{tail}"]
    text = "\n".join(lines)
    if len(items) <= _FEW and all(len(line) <= WIDTH for line in lines):
        return text
    return f"// clang-format off\n{text}\n// clang-format on"


def array(kind: str, name: str, items: Sequence[str]) -> str:
    """A constant array; C++ has none without elements, but for std::array."""
    if not items:
        return f"inline constexpr std::array<{kind}, 0> {name}{{}};"
    return braced(f"inline constexpr {kind} {name}[] = ", items, ";")


def _packed(pieces: Sequence[str], indent: str) -> list[str]:
    """The pieces, each with its comma, in as few lines as hold them."""
    lines = [indent]
    for piece in pieces:
        if len(lines[-1]) + len(piece.rstrip()) > WIDTH and lines[-1] != indent:
            lines.append(indent)
        lines[-1] += piece
    return [line.rstrip() for line in lines]
