"""Which node of a model a comment belongs to.

A comment is a reviewer's remark, and it becomes the note of the node it stands at:

- behind code, the node that ends on that line; behind an opening bracket, the node that the bracket belongs to;
- on a line of its own, the next node of the same list; at the end of a list, the node that holds the list;
- inside a curve, that curve.

A comment at a ``Feature``, or outside the model, becomes a line of the model's note.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from curvec.read.source import Comment, Source

Position: TypeAlias = tuple[int, int]


def with_remarks(note: str, remarks: Sequence[str]) -> str:
    """A note and the comments at the same node, one a line."""
    return "\n".join([note, *remarks] if note else remarks)


def operands(node: ast.BinOp) -> list[ast.expr]:
    """The operands of ``a + b + c``, and of ``a * b * c``."""
    right, left = [node.right], node.left
    while isinstance(left, ast.BinOp) and type(left.op) is type(node.op):
        right.append(left.right)
        left = left.left
    return [left, *reversed(right)]


def attach(model: ast.Call, comments: Sequence[Comment], source: Source) -> dict[ast.expr, list[str]]:
    """Each node of the model's expression with the comments at it; those outside belong to the model."""
    result: dict[ast.expr, list[str]] = defaultdict(list)
    groups: dict[ast.expr, list[_Group]] = {}
    for comment in comments:
        owner = _owner(model, comment, groups, source)
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "Feature":
            result[model].append(f"{_feature_name(owner)}: {comment.text}")
        else:
            result[owner].append(comment.text)
    return result


class _Group(msgspec.Struct, frozen=True):
    """A bracket of a node and the nodes in it, in order, with their positions."""

    start: Position
    end: Position
    nodes: list[ast.expr]
    starts: list[Position]
    ends: list[Position]

    def around(self, here: Position) -> ast.expr | None:
        """The node that spans a position."""
        k = bisect_right(self.starts, here) - 1
        return self.nodes[k] if k >= 0 and here < self.ends[k] else None

    def beside(self, comment: Comment) -> ast.expr | None:
        """The node that a comment between the nodes stands behind or above."""
        here = (comment.line, comment.column)
        if comment.trailing:
            k = bisect_right(self.ends, here) - 1
            return self.nodes[k] if k >= 0 and self.ends[k][0] == comment.line else None
        k = bisect_left(self.starts, here)
        return self.nodes[k] if k < len(self.nodes) else None


def _owner(model: ast.Call, comment: Comment, known: dict[ast.expr, list[_Group]], source: Source) -> ast.expr:
    here = (comment.line, comment.column)
    holder: ast.expr = model
    while True:
        groups = known.setdefault(holder, []) or list(_groups(holder, source))
        known[holder] = groups
        inside = next((node for group in groups if (node := group.around(here)) is not None), None)
        if inside is None:
            beside = next((group.beside(comment) for group in groups if group.start <= here < group.end), None)
            return holder if beside is None else beside
        holder = inside


def _groups(holder: ast.expr, source: Source) -> Iterator[_Group]:
    if isinstance(holder, ast.BinOp):
        yield _group(holder, operands(holder), source)
    elif isinstance(holder, ast.Call):
        for argument in [*holder.args, *(keyword.value for keyword in holder.keywords)]:
            elements = argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument]
            nodes: list[ast.expr] = [node for node in elements if isinstance(node, (ast.Call, ast.BinOp))]
            if nodes:
                yield _group(argument, nodes, source)


def _group(bracket: ast.expr, nodes: list[ast.expr], source: Source) -> _Group:
    starts, ends = [source.position(node) for node in nodes], [source.end(node) for node in nodes]
    return _Group(source.position(bracket), source.end(bracket), nodes, starts, ends)


def _feature_name(call: ast.Call) -> str:
    named = [keyword.value for keyword in call.keywords if keyword.arg == "name"]
    name = next((value.value for value in [*call.args[:1], *named] if isinstance(value, ast.Constant)), "")
    return str(name)
