"""The calls of the listing as nodes of the IR: each class with its own arguments, checked by the class itself."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from curvec.errors import InputError, counted
from curvec.ir import MAX_DEPTH, NODES, Feature, Product, Sum
from curvec.model import CurveModel
from curvec.read.literals import items, literal
from curvec.read.notes import operands, with_remarks
from curvec.read.source import Source

CLASSES: dict[str, type[Any]] = {**NODES, "CurveModel": CurveModel, "Feature": Feature}
"""The classes that the listing may call."""

TERMS = tuple(NODES)
_NODE_LISTS = {"terms": TERMS, "factors": TERMS, "features": ("Feature",)}
_NUMBER_LISTS = {"points": "points (x, y)", "cuts": "numbers", "values": "numbers"}
_DEEPEST = 4 * MAX_DEPTH


class Builder:
    """Builds nodes from expressions.

    Args:
        source: the file, for errors.
        names: the classes that the file imports or defines.
        remarks: the comments at each expression.

    """

    def __init__(self, source: Source, names: Collection[str], remarks: Mapping[ast.expr, Sequence[str]]) -> None:
        self._source = source
        self._names = names
        self._remarks = remarks

    def build(self, node: ast.expr, expected: Sequence[str], depth: int = 0) -> Any:
        """The value of a call of one of ``expected``, or of terms joined by ``+`` or ``*``.

        Raises:
            InputError: it is something else, or a rule of the node is broken; the message says where.

        """
        if depth > _DEEPEST:
            raise self._source.error(node, f"nested more than {MAX_DEPTH} deep")
        name = _kind(node)
        if name not in expected:
            raise self._source.expected(" or ".join(expected), node)
        if isinstance(node, ast.BinOp):
            return self._joined(node, depth)
        if name not in self._names:
            raise self._source.error(node, f"{name} is not imported; add it to 'from curvec import ...'")
        assert isinstance(node, ast.Call)  # noqa: S101  what _kind named
        return self._checked(node, CLASSES[name], self._arguments(node, CLASSES[name], depth))

    def _joined(self, node: ast.BinOp, depth: int) -> Any:
        first, *others = (self.build(operand, TERMS, depth + 1) for operand in operands(node))
        add = isinstance(node.op, ast.Add)
        kind, field = (Sum, "terms") if add else (Product, "factors")
        own = getattr(first, field) if isinstance(first, kind) and not first.note else (first,)
        return self._checked(node, kind, {field: [*own, *others]})

    def _checked(self, node: ast.expr, kind: type[Any], arguments: dict[str, Any]) -> Any:
        if remarks := self._remarks.get(node):
            note = arguments.get("note", "")
            if isinstance(note, str):  # else the class itself refuses it
                arguments["note"] = with_remarks(note, remarks)
        try:
            return kind(**arguments)
        except InputError as error:
            raise self._source.error(_place(node, kind, error), str(error)) from None

    def _arguments(self, node: ast.Call, kind: type[Any], depth: int) -> dict[str, Any]:
        fields: Sequence[str] = kind.__struct_fields__
        given: list[tuple[str | None, ast.expr]] = list(zip(fields, node.args, strict=False))
        if len(node.args) > len(fields):
            raise self._source.error(
                node.args[len(fields)], f"{kind.__name__} takes {counted(len(fields), 'argument')}"
            )
        given += [(keyword.arg, keyword.value) for keyword in node.keywords]
        arguments: dict[str, Any] = {}
        for field, value in given:
            if field is None or field not in fields:
                known = ", ".join(fields)
                raise self._source.error(value, f"{kind.__name__} has no argument {field or '**'!r}; it has {known}")
            if field in arguments:
                raise self._source.error(value, f"the argument {field!r} of {kind.__name__} is there twice")
            arguments[field] = self._argument(field, value, depth)
        required = fields[: len(fields) - len(kind.__struct_defaults__)]
        for field in required:
            if field not in arguments:
                raise self._source.error(node, f"{kind.__name__} needs {field!r}; it is not there")
        return arguments

    def _argument(self, field: str, value: ast.expr, depth: int) -> Any:
        if kinds := _NODE_LISTS.get(field):
            elements = items(value, " or ".join(kinds), self._source)
            return [self.build(element, kinds, depth + 1) for element in elements]
        if field == "input" and isinstance(value, (ast.Call, ast.BinOp)):
            return self.build(value, ("Sum",), depth + 1)
        if field in _NUMBER_LISTS:
            return [literal(element, self._source) for element in items(value, _NUMBER_LISTS[field], self._source)]
        if field == "mapping" and not isinstance(value, ast.Dict):
            raise self._source.expected("a dict {level: value}", value)
        if isinstance(value, ast.Starred):
            raise self._source.expected("an argument", value)
        return literal(value, self._source)


def _place(node: ast.expr, kind: type[Any], error: InputError) -> ast.expr:
    """The part of the call that breaks a rule: an element of a list, the key of a dict, an argument, or all of it."""
    if error.part is None or not isinstance(node, ast.Call):
        return node
    argument, place = error.part
    given: dict[str | None, ast.expr] = dict(zip(kind.__struct_fields__, node.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in node.keywords}
    value = given.get(argument, node)
    if place is None:
        return value
    elements: Sequence[ast.expr | None] = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    return elements[place] or node if place < len(elements) else node


def _kind(node: ast.expr) -> str:
    """The class of the value that an expression of the listing has."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES:
        return node.func.id
    if isinstance(node, ast.BinOp):
        return {ast.Add: "Sum", ast.Mult: "Product"}.get(type(node.op), "")
    return ""
