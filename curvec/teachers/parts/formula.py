"""The columns that a model's formula makes, each as a function of one column of the data."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import numpy as np

from curvec.errors import InputError, UnsupportedError
from curvec.teachers.parts.basis_functions import Polynomial
from curvec.transforms import FloatArray

Kind = Literal["power", "log", "levels", "other"]


class FormulaColumn(NamedTuple):
    """A column of the design matrix.

    Attributes:
        name: its name in the design matrix, such as "C(plan)[T.b]".
        variable: the column of the data that it is a function of.
        kind: "power" for a polynomial, "log" for a logarithm, "levels" for a function of categories; "other" for one
            that is found by evaluating the formula.
        coefficients: (degree + 1,) rising, of a polynomial; else empty.
        fx: the transform of a logarithm; else "".

    """

    name: str
    variable: str
    kind: Kind
    coefficients: FloatArray
    fx: str = ""

    def polynomial(self, feature: int, weight: float) -> Polynomial:
        """``weight`` times the polynomial, of the feature with that number."""
        return Polynomial(feature, np.empty(0), np.zeros(1), weight * self.coefficients[np.newaxis])


_LOGARITHMS = {"np.log": "log", "numpy.log": "log", "log": "log", "np.log1p": "log1p", "numpy.log1p": "log1p"}
_LEVEL = re.compile(r"\[[^\[\]]*\]$")
_NOTHING = np.empty(0)


def formula_columns(names: Sequence[str], known: Collection[str] | None) -> list[FormulaColumn]:
    """Each column of a design matrix as a function of one column of the data.

    Args:
        names: the columns' names, as patsy and formulaic spell them.
        known: the columns of the data; None: the names in a formula are taken to be columns.

    Raises:
        UnsupportedError: a column is of several columns of the data; the message names it.
        InputError: a column of the data is not among those that are known.

    """
    return [_column(name, known) for name in names]


def _column(name: str, known: Collection[str] | None) -> FormulaColumn:
    if known is not None and name in known:  # of any name, also one that is no expression
        return FormulaColumn(name, name, "power", np.array([0.0, 1.0]))
    source = ":".join(_LEVEL.sub("", part) for part in _factors(name))
    tree = _parsed(source)
    variables = [] if tree is None else _variables(tree, known)
    if known is not None and source in known:
        tree, variables = ast.Name(source), [source]
    if tree is None or ":" in source or len(variables) != 1:
        raise _no_function(name, source, [] if tree is None else _variables(tree, None), known)
    (variable,) = variables
    contrast = isinstance(tree, ast.Attribute)  # polynomial contrasts are called "C(k, Poly).Linear"
    tree = tree.value if isinstance(tree, ast.Attribute) else tree
    if source != name or contrast:
        inside = tree.args[0] if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "C" and tree.args else tree
        of_levels = isinstance(inside, ast.Name) or ast.unparse(inside).startswith("Q(")
        return FormulaColumn(name, variable, "levels" if of_levels else "other", _NOTHING)
    coefficients = _polynomial(tree)
    if coefficients is not None:
        return FormulaColumn(name, variable, "power", coefficients)
    if isinstance(tree, ast.Call) and isinstance(tree.args[0], ast.Name) and len(tree.args) == 1 and not tree.keywords:
        fx = _LOGARITHMS.get(ast.unparse(tree.func))
        if fx:
            return FormulaColumn(name, variable, "log", _NOTHING, fx)
    return FormulaColumn(name, variable, "other", _NOTHING)


def _factors(name: str) -> list[str]:
    """The factors of an interaction; colons inside of brackets or quotes divide nothing."""
    return re.findall(r"(?:[^:()\[\]]|\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])+", name) or [name]


def _no_function(name: str, source: str, read: Sequence[str], known: Collection[str] | None) -> Exception:
    """Why a column of a formula, which reads these names, is no function of one column of the data."""
    absent = [one for one in read if known is not None and one not in known]
    if absent and (":" in source or len(absent) == len(read)):
        return InputError(
            f"X has no column {absent[0]!r}, which the formula's column {name!r} reads "
            f"(it has {list(known or ())[:8]!r})"
        )
    of = f" joins {' and '.join(map(repr, read))}" if len(read) > 1 else " is of several columns, or none"
    way_out = "" if known is not None or ":" in source else "; pass X, if only one of these is a column of the data"
    return UnsupportedError(
        f"the formula's column {name!r}{of}; a model is a sum of functions of one column each{way_out}"
    )


def _parsed(source: str) -> ast.expr | None:
    try:
        return ast.parse(source.replace(":", "+"), mode="eval").body
    except SyntaxError:
        return None


def _variables(tree: ast.expr, known: Collection[str] | None) -> list[str]:
    """The columns of the data that an expression reads, each once, without the functions and modules it names."""
    called = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Call) for part in ast.walk(node.func)}
    quoted = [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "Q"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called]
    return list(dict.fromkeys(str(name) for name in [*quoted, *names] if known is None or name in known))


def _polynomial(tree: ast.expr) -> FloatArray | None:
    """(degree + 1,) rising coefficients of an expression in one name; None where it is no polynomial."""
    match tree:
        case ast.Name() | ast.Call(func=ast.Name(id="Q"), args=[ast.Constant()], keywords=[]):
            return np.array([0.0, 1.0])
        case ast.Constant(value=int() | float() as value):
            return np.array([float(value)])
        case ast.Call(func=ast.Name(id="I"), args=[inside], keywords=[]):
            return _polynomial(inside)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _polynomial(ast.BinOp(ast.Constant(-1), ast.Mult(), operand))
        case ast.BinOp(left=left, op=operator, right=right):
            one, other = _polynomial(left), _polynomial(right)
            return None if one is None or other is None else _combined(one, other, operator)
    return None


def _combined(one: FloatArray, other: FloatArray, operator: ast.operator) -> FloatArray | None:
    constant = float(other[0]) if len(other) == 1 else None
    match operator:
        case ast.Add():
            return np.asarray(np.polynomial.polynomial.polyadd(one, other))
        case ast.Sub():
            return np.asarray(np.polynomial.polynomial.polysub(one, other))
        case ast.Mult():
            return np.asarray(np.polynomial.polynomial.polymul(one, other))
        case ast.Div() if constant:
            return one / constant
        case ast.Pow() if constant is not None and constant in range(1, 9):
            return np.asarray(np.polynomial.polynomial.polypow(one, int(constant)))
    return None
