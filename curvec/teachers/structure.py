"""Teachers that expose their parts: the paper's forms beyond a plain sum (Ravina et al. 2021, section 4).

A teacher is read through this protocol if it has a method ``curve_structure()`` that returns a :class:`Structure`,
or is one. ``(g1(c1) + g2(c2)) * f1(x1) + g(f2(x2) + f3(x3))`` is::

    Structure([
        Multiply([Add([Part("c1", g1), Part("c2", g2)]), Part("x1", f1)]),
        Outer(g, Add([Part("x2", f2), Part("x3", f3)])),
    ])

where each function takes and returns an array of shape (n,). The documentation's page "Distil a network of torch"
trains a network of that form and reads it so.

Each function is evaluated at the data's own values; an outer one at those that its sum takes there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.conversion import is_missing, numbers
from curvec.errors import InputError, UnsupportedError, with_article
from curvec.ir import EnumCurve, Feature, Levels, Product, Sum, Term, number, sequence
from curvec.teachers.parts.adapter import Adapter, TeacherOptions
from curvec.teachers.parts.additive_parts import AdditiveParts
from curvec.teachers.parts.categories import key_type, level_keys
from curvec.teachers.parts.curves import merged_steps
from curvec.teachers.parts.sample_curve import CLOSE, curves_of, questions_about
from curvec.teachers.parts.user_rows import UserRows
from curvec.transforms import FloatArray

Function: TypeAlias = Callable[[npt.NDArray[Any]], Any]


class Part(msgspec.Struct, frozen=True, eq=False):
    """A function of one feature: an array of the column's values to an array of numbers."""

    feature: str
    function: Function


class Add(msgspec.Struct, frozen=True, eq=False):
    """The sum of its parts."""

    parts: Sequence[Node]


class Multiply(msgspec.Struct, frozen=True, eq=False):
    """The product of its parts."""

    parts: Sequence[Node]


class Outer(msgspec.Struct, frozen=True, eq=False):
    """A function of a sum."""

    function: Function
    inner: Add


Node: TypeAlias = Part | Add | Multiply | Outer


class Structure(msgspec.Struct, frozen=True, eq=False):
    """A teacher's parts: their sum and the intercept are the raw score, ``link`` is its link."""

    parts: Sequence[Node]
    intercept: float = 0.0
    link: str = "identity"


def _matches(teacher: Any) -> bool:
    return isinstance(teacher, Structure) or callable(getattr(teacher, "curve_structure", None))


def _take_apart(teacher: Any, options: TeacherOptions) -> AdditiveParts:
    if options.rows is None:
        raise UnsupportedError("a teacher's parts are read from their values on rows: pass X, these rows")
    structure = teacher if isinstance(teacher, Structure) else teacher.curve_structure()
    if not isinstance(structure, Structure):
        raise InputError(f"curve_structure() gave {with_article(type(structure).__name__)}; it must give a Structure")
    _check_parts(structure.parts, "a Structure")
    number(structure.intercept, "the intercept of a Structure")
    features = list(dict.fromkeys(part.feature for node in structure.parts for part in _leaves(node)))
    parts = AdditiveParts([Feature(name) for name in features], [], structure.intercept, options.link or structure.link)
    reader = _Reader(parts, options.rows, features)
    for node in structure.parts:
        parts.terms.append(reader.term(node))
    parts.tolerance = 1e-5 if reader.single else 1e-12
    parts.raw = lambda _: structure.intercept + np.sum([reader.values(node) for node in structure.parts], axis=0)
    parts.from_scores = True
    parts.notes.append("read from its parts' values on X: outside the range of X the curves stay constant")
    return parts


def _check_parts(nodes: Any, what: str) -> None:
    """Check that these are nodes, and that what they hold are nodes.

    Raises:
        InputError: something else is among them, or there is none.

    """
    found = sequence(nodes, f"the parts of {what}")
    if not found:
        raise InputError(f"{what} has no parts; give at least one")
    for node in found:
        if isinstance(node, (Add, Multiply)):
            _check_parts(node.parts, type(node).__name__)
        elif isinstance(node, Outer):
            if not isinstance(node.inner, Add):
                raise InputError(
                    f"an Outer is a function of an Add, and here of {with_article(type(node.inner).__name__)}"
                )
            _check_parts(node.inner.parts, "an Outer")
        elif not isinstance(node, Part):
            raise InputError(
                f"{what} holds {with_article(type(node).__name__)}; its parts are Part, Add, Multiply and Outer"
            )


def _leaves(node: Node) -> Iterator[Part]:
    if isinstance(node, Part):
        yield node
    else:
        for child in node.inner.parts if isinstance(node, Outer) else node.parts:
            yield from _leaves(child)


class _Reader:
    """Makes a term of each node, by calling its functions on the rows.

    Attributes:
        single: whether some function gave float32 so far.

    """

    def __init__(self, parts: AdditiveParts, rows: UserRows, features: list[str]) -> None:
        self.parts = parts
        self.columns = {name: rows.listed(name) for name in features}
        self.features = features
        self.single = False

    def term(self, node: Node) -> Term:
        match node:
            case Part():
                return self._leaf(node)
            case Add(children):
                return Sum([self.term(child) for child in children])
            case Multiply(children):
                return Product([self.term(child) for child in children])
            case Outer(function, inner):
                values = self.values(inner)
                term = self.term(inner)
                assert isinstance(term, Sum)  # noqa: S101  what an Add is made of
                x = np.unique(values[np.isfinite(values)])
                return self._curve(function, x, term, None, "an outer function")

    def values(self, node: Node) -> FloatArray:
        """(rows,) the node's value by the teacher's own functions; NaN where one of its inputs is missing."""
        match node:
            case Part(feature, function):
                return self._evaluated(function, _array(self.columns[feature]), node.feature)
            case Add(children):
                return np.asarray(np.sum([self.values(child) for child in children], axis=0))
            case Multiply(children):
                return np.asarray(np.prod([self.values(child) for child in children], axis=0))
            case Outer(function, inner):
                return self._evaluated(function, self.values(inner), "an outer function")

    def _leaf(self, node: Part) -> Term:
        column = self.columns[node.feature]
        present = [value for value in column if not is_missing(value)]
        if not present:
            raise InputError(f"column {node.feature!r} of X has only missing values; leave it out or fill it")
        missing = None
        if len(present) < len(column):
            gap = _array([value for value in column if is_missing(value)][:1] + present[:1])
            value = float(self._evaluated(node.function, gap, node.feature)[0])
            missing = None if math.isnan(value) else value
        if isinstance(present[0], (str, bool)):
            levels = list(dict.fromkeys(present))
            keys = level_keys(levels, node.feature)
            self.parts.features[self.features.index(node.feature)] = Feature(node.feature, key_type(keys))
            values = self._evaluated(node.function, _array(levels), node.feature).tolist()
            return EnumCurve(node.feature, Levels(zip(keys, values, strict=True)), missing=missing)
        x = np.unique(numbers(_array(present), node.feature))
        return self._curve(node.function, x[np.isfinite(x)], node.feature, missing, node.feature)

    def _curve(self, function: Function, x: FloatArray, what: str | Sum, missing: float | None, name: str) -> Term:
        scale = 1 + float(np.abs(self._evaluated(function, x, name)).max())
        noise = (1e-6 if self.single else 1e-12) * scale
        questions = questions_about(x, what, missing, noise=noise, close=CLOSE * scale)
        curve = curves_of(lambda asked: {0: self._evaluated(function, asked[0], name)}, {0: questions})[0]
        if curve.error:
            self.parts.exact = False
            self.parts.notes.append(curve.note(name))
        return merged_steps(what, [], [curve.constant], missing) if curve.term is None else curve.term

    def _evaluated(self, function: Function, values: npt.NDArray[Any], name: str) -> FloatArray:
        answer = np.asarray(function(values))
        self.single |= answer.dtype == np.float32
        if answer.shape != values.shape:
            raise InputError(
                f"the function of {name!r} gave the shape {answer.shape} for {values.shape}; give a number a value"
            )
        try:
            result = answer.astype(np.float64)
        except (ValueError, TypeError, OverflowError) as error:
            raise InputError(f"the function of {name!r} must give numbers; it gave something else ({error})") from None
        there = np.array([not is_missing(value) for value in values.tolist()])
        if not np.isfinite(result[there]).all():
            raise InputError(
                f"the function of {name!r} is not finite at {values[there][~np.isfinite(result[there])][0]}"
            )
        return result


def _array(values: list[Any]) -> npt.NDArray[Any]:
    """The values as doubles where they are numbers, else as they are."""
    if any(isinstance(value, (str, bool)) for value in values):
        return np.array(values, dtype=object)
    return np.array([math.nan if is_missing(value) else value for value in values], dtype=np.float64)


ADAPTER = Adapter("structure of parts", _matches, _take_apart, frozenset({"link"}))
