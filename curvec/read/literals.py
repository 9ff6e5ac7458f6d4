"""The literals of the listing: numbers with signs, strings, truth values, and lists, tuples and dicts of them."""

from __future__ import annotations

import ast
from typing import Any

from curvec.read.source import Source

_WIDEST = 1024
"""Bits of the largest integer that a double reaches; Python refuses to print much longer ones."""


def literal(node: ast.expr, source: Source) -> Any:
    """The Python value of a literal; no name is looked up and nothing is called.

    Raises:
        InputError: it is something else; the message says where and what was expected.

    """
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (int, float, str))):
        if isinstance(node.value, int) and node.value.bit_length() > _WIDEST:
            raise source.error(node, "this integer is beyond every double")
        return node.value
    if isinstance(node, ast.UnaryOp):
        return _signed(node, source)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [literal(item, source) for item in node.elts]
    if isinstance(node, ast.Dict):
        return pairs(node, source)
    if isinstance(node, ast.BinOp):
        raise source.error(node, f"{source.excerpt(node)} is arithmetic; write its result")
    if isinstance(node, (ast.Call, ast.Subscript)):
        first = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(first, (ast.Constant, ast.Tuple, ast.List, ast.Dict)):
            raise source.error(node, f"a comma is missing behind {source.excerpt(first)}")
    raise source.expected("a number, a string, True, False, None, or a list or dict of them", node)


def items(node: ast.expr, what: str, source: Source) -> list[ast.expr]:
    """The elements of a list or tuple.

    Raises:
        InputError: it is neither.

    """
    if not isinstance(node, (ast.List, ast.Tuple)):
        raise source.expected(f"a list of {what}", node)
    return node.elts


def pairs(node: ast.Dict, source: Source) -> list[tuple[Any, Any]]:
    """The items of a dict in order; a key that is there twice stays there twice."""
    result = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise source.expected("level: value", value)
        result.append((literal(key, source), literal(value, source)))
    return result


def _signed(node: ast.UnaryOp, source: Source) -> int | float:
    if not isinstance(node.op, (ast.UAdd, ast.USub)):
        raise source.expected("a number", node)
    value = literal(node.operand, source)
    if type(value) is int or type(value) is float:  # not bool, which Python lets carry a sign
        return -value if isinstance(node.op, ast.USub) else value
    raise source.expected("a number behind the sign", node.operand)
