"""Models in other forms than ``MODEL = CurveModel(...)``: the paper's listing, lists of curves, curves of pwlfit.

Each is turned into the syntax tree of the equivalent ``CurveModel(...)``, which is then read like any other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import product
from typing import TypeVar

import msgspec

from curvec.model import UNNAMED
from curvec.read.literals import items
from curvec.read.nodes import TERMS
from curvec.read.notes import operands
from curvec.read.source import Source
from curvec.transforms import TRANSFORMS

_OWNERS = ("", "math.", "np.", "numpy.", "transform.", "pwlfit.transform.")
_TRANSFORMS = {"symmetriclog1p": "symlog1p", **{name: name for name in TRANSFORMS}}
_FUNCTIONS = {owner + name: fx for owner, (name, fx) in product(_OWNERS, _TRANSFORMS.items())}
"""The functions that pwlfit takes as ``fx``, as they are written in a program, with curvec's names."""

_SCALARS = frozenset(f"{owner}.{name}" for owner in ("np", "numpy") for name in ("float64", "int64", "str_"))
"""How numpy 2 prints its scalars: ``np.float64(0.5)``; these hold exactly what their argument says."""

_REPR = re.compile(
    r"""(?P<other>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*)"""
    r"""|<ufunc\ '(?P<ufunc>\w+)'>|<function\ (?P<function>\w+)\ at\ 0x[0-9a-fA-F]+>""",
    re.VERBOSE,
)

NodeT = TypeVar("NodeT", bound=ast.expr)


def python_spelling(text: str) -> str:
    """The text with functions as ``repr`` prints them (``<ufunc 'log'>``) as strings, every character in its place."""
    if "<ufunc " not in text and "<function " not in text:
        return text
    return _REPR.sub(_as_string, text)


def _as_string(found: re.Match[str]) -> str:
    name = found["ufunc"] or found["function"]
    return f'"{name}"'.ljust(len(found[0])) if name else found[0]


def is_listing(statement: ast.stmt) -> bool:
    """Whether a statement is a model or a part of one, by itself or assigned to a name other than MODEL."""
    value = _value(statement)
    return isinstance(value, (ast.List, ast.Tuple, ast.BinOp)) or _called(value) in (*TERMS, "sum", "CurveModel")


def model_call(listing: Sequence[ast.stmt], source: Source) -> ast.Call:
    """The ``CurveModel(...)`` of a listing: one statement, or several that are a curve each.

    Raises:
        InputError: there are several models, or the spelling says no model; the message says where.

    """
    _check_one_model(listing, source)
    values = [value for statement in listing if (value := _value(statement)) is not None]
    if _called(values[0]) == "CurveModel":
        call: ast.Call = _Respelt(source, None).visit(values[0])
        return call
    parts = _parts(values, source)
    if not parts.terms:
        raise source.error(values[0], "holds no curve")
    if len(parts.numbers) > 1:
        raise source.error(parts.numbers[1], "a second number is added; write one intercept")
    unnamed = parts.terms[0] if len(parts.terms) == 1 else None
    terms = [_Respelt(source, unnamed).visit(term) for term in parts.terms]
    bracket = parts.bracket or _whole_lines(listing, source)
    name = listing[0].targets[0].id if isinstance(listing[0], ast.Assign) else UNNAMED  # type: ignore[attr-defined]
    arguments: list[ast.expr] = [
        _spanning(argument, bracket, bracket) for argument in (ast.Constant(name), ast.List(terms, ast.Load()))
    ]
    intercept = [ast.keyword("intercept", number) for number in parts.numbers]
    return _spanning(ast.Call(ast.Name("CurveModel", ast.Load()), arguments, intercept), listing[0], listing[-1])


def _value(statement: ast.stmt) -> ast.expr | None:
    match statement:
        case ast.Expr(value=value):
            return value
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name != "MODEL":
            return value
    return None


def _called(value: ast.expr | None) -> str:
    """The dotted name of the function of a call; "" for what is not a call."""
    return _dotted(value.func) if isinstance(value, ast.Call) else ""


def _check_one_model(listing: Sequence[ast.stmt], source: Source) -> None:
    curves = [
        isinstance(statement, ast.Expr)
        and (isinstance(statement.value, ast.Tuple) or _called(statement.value) in TERMS)
        for statement in listing
    ]
    if len(listing) > 1 and not all(curves):
        raise source.error(
            listing[1], f"a second model; the first is in line {listing[0].lineno}, and a file holds one"
        )


class _Parts(msgspec.Struct):
    """The parts of the sum in a listing, and the bracket around it, if there is one."""

    terms: list[ast.expr] = msgspec.field(default_factory=list)
    numbers: list[ast.expr] = msgspec.field(default_factory=list)
    bracket: ast.expr | None = None


def _parts(values: Sequence[ast.expr], source: Source) -> _Parts:
    if isinstance(values[0], ast.List):
        return _Parts(values[0].elts, bracket=values[0])
    parts = _Parts()
    for value in values:
        for part in value.elts if isinstance(value, ast.Tuple) else _added(value):
            if isinstance(part, ast.Call) and _called(part) == "sum":
                _add_sum(part, parts, source)
            elif isinstance(part, (ast.Constant, ast.UnaryOp)):
                parts.numbers.append(part)
            else:
                parts.terms.append(part)
    return parts


def _added(value: ast.expr) -> list[ast.expr]:
    return operands(value) if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) else [value]


def _add_sum(call: ast.Call, parts: _Parts, source: Source) -> None:
    """Add what ``sum([...], start)`` sums."""
    starts = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg == "start")]
    if not call.args or len(starts) > 1 or len(call.args) + len(call.keywords) > 1 + len(starts):
        raise source.expected("sum([...]) of a list of curves", call)
    parts.terms.extend(items(call.args[0], "curves", source))
    parts.numbers.extend(starts)
    parts.bracket = call.args[0]


def _whole_lines(listing: Sequence[ast.stmt], source: Source) -> ast.AST:
    """A place from the start of the first statement to the end of its last line, where a comment may stand."""
    place = ast.copy_location(ast.Pass(), listing[0])
    last = listing[-1].end_lineno or listing[-1].lineno
    place.end_lineno, place.end_col_offset = last, source.width(last)
    return place


def _spanning(node: NodeT, first: ast.AST, last: ast.AST) -> NodeT:
    """The new node, at the place from one node to another, and all in it that has no place of its own."""
    ast.copy_location(node, first)
    node.end_lineno, node.end_col_offset = last.end_lineno, last.end_col_offset  # type: ignore[attr-defined]
    return ast.fix_missing_locations(node)


def _dotted(node: ast.expr) -> str:
    """``a.b.c`` of a dotted name; "" of anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


class _Respelt(ast.NodeTransformer):
    """Curves in the listing's own spelling: transforms by name, plain numbers, and a feature for each curve.

    Args:
        source: the file, for errors.
        unnamed: the one curve that may name no feature, as curves of pwlfit name none; its feature is "x".

    """

    def __init__(self, source: Source, unnamed: ast.expr | None) -> None:
        self._source = source
        self._unnamed = unnamed

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call respelt."""
        self.generic_visit(node)
        name = _dotted(node.func)
        if name in _SCALARS and len(node.args) == 1 and not node.keywords:
            return node.args[0]
        if name == "PWLCurve":
            self._name_feature(node)
            node.args[2:3] = [_transform(value) for value in node.args[2:3]]
            for keyword in node.keywords:
                keyword.value = _transform(keyword.value) if keyword.arg == "fx" else keyword.value
        return node

    def _name_feature(self, node: ast.Call) -> None:
        if not node.args or not isinstance(node.args[0], (ast.List, ast.Tuple)):
            return
        if node is not self._unnamed:
            raise self._source.error(node, 'the curve names no feature; write PWLCurve("feature", [(x, y), ...])')
        node.args.insert(0, ast.copy_location(ast.Constant("x"), node))


def _transform(value: ast.expr) -> ast.expr:
    """The transform that a function's name stands for, as a string; anything else as it is."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        name = _TRANSFORMS.get(value.value)
    else:
        name = _FUNCTIONS.get(_dotted(value))
    return value if name is None else ast.copy_location(ast.Constant(name), value)
