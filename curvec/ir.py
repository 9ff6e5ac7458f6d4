"""The nodes of a curve model: six frozen, validated values with no behaviour of any target.

They are every part of the model forms of Ravina et al. (2021, section 4) and of every additive teacher read
exactly: raw columns, piecewise-linear curves, step curves, tables of categories, sums and products.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np

from curvec.contract import segments
from curvec.errors import InputError
from curvec.transforms import transform

__all__ = [
    "MAX_DEPTH",
    "Column",
    "EnumCurve",
    "Feature",
    "FeatureType",
    "Key",
    "Levels",
    "PWLCurve",
    "Product",
    "StepCurve",
    "Sum",
    "Term",
    "changed",
    "children",
    "features_of",
    "names_of",
    "number",
    "walk",
]

MAX_DEPTH = 32
"""How deep nodes may nest: models are flat, and no walk over one, in any target, may run out of stack."""

Key: TypeAlias = int | str | bool
FeatureType: TypeAlias = Literal["number", "int", "str", "bool"]


def number(value: Any, what: str) -> float:
    """``value`` as a finite float, exactly; -0.0 becomes 0.0.

    Raises:
        InputError: not a real number, not finite, or an integer that no double holds.

    """
    if type(value) is float and math.isfinite(value):
        return value + 0.0
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise InputError(f"{what} is {value!r}; it must be a number")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise InputError(f"{what} is {value!r}; it must be finite")
    if isinstance(value, (int, np.integer)) and int(result) != int(value):
        raise InputError(f"{what} is {value!r}, which no double holds; the nearest is {result!r}")
    return result + 0.0


def text(value: Any, what: str) -> str:
    """``value`` as text that UTF-8 can hold.

    Raises:
        InputError: not a string, or a string with a lone surrogate.

    """
    if not isinstance(value, str):
        raise InputError(f"{what} is {value!r}; it must be a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} is {value!r}, which is not valid Unicode (a lone surrogate)") from None
    return str(value)


class Levels(Mapping[Key, float]):
    """The immutable mapping of an :class:`EnumCurve`, in the order given; keys all int, all str or all bool."""

    __slots__ = ("_items", "type")
    type: FeatureType

    def __init__(self, items: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> None:
        pairs = list(items.items() if isinstance(items, Mapping) else items)
        if not pairs:
            raise InputError("the mapping of an EnumCurve is empty; give at least one level")
        keys = [key.item() if isinstance(key, np.generic) else key for key, _ in pairs]
        self.type = _key_type(keys)
        self._items: dict[Key, float] = {}
        for key, (_, value) in zip(keys, pairs, strict=True):
            if key in self._items:
                raise InputError(f"the level {key!r} is there twice")
            self._items[key] = number(value, f"the value of level {key!r}")

    @property
    def complete(self) -> bool:
        """Whether no other level can come: True and False are all there is of a bool."""
        return self.type == "bool" and len(self) == 2

    def __getitem__(self, key: Key) -> float:
        if type(key) is not type(next(iter(self._items))):
            raise KeyError(key)  # 1, True and 1.0 are one key to a dict, and three to a model
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Levels):
            return NotImplemented
        return self.type == other.type and list(self._items.items()) == list(other._items.items())

    def __hash__(self) -> int:
        return hash((self.type, tuple(self._items.items())))

    def __repr__(self) -> str:
        return repr(self._items)


def _key_type(keys: Sequence[Any]) -> FeatureType:
    types: dict[type, FeatureType] = {int: "int", str: "str", bool: "bool"}
    found = {type(key) for key in keys}
    if len(found) != 1 or not found <= set(types):
        names = ", ".join(sorted(kind.__name__ for kind in found))
        raise InputError(f"the levels {keys[:5]!r} are of type {names}; they must be all int, all str or all bool")
    kind = types[found.pop()]
    for key in keys:
        if kind == "str":
            text(key, "a level")
        elif kind == "int" and abs(key) > 2**53:
            raise InputError(f"the level {key!r} is beyond 2^53, where doubles skip integers; use a string level")
    return kind


if TYPE_CHECKING:
    # A caller passes any mapping; the constructor makes it Levels, which is what is stored and in JSON.
    LevelsLike: TypeAlias = Mapping[int, float] | Mapping[str, float] | Mapping[bool, float] | Levels
else:
    LevelsLike = Levels


StructT = TypeVar("StructT", bound=msgspec.Struct)
NodeT = TypeVar("NodeT", bound="Node")


def changed(value: StructT, **fields: Any) -> StructT:
    """The node, feature or model with some fields different, constructed anew so that every check runs.

    (``msgspec.structs.replace`` runs none before msgspec 0.21.)

    Raises:
        InputError: a rule of the class is broken.

    """
    return type(value)(**{name: getattr(value, name) for name in value.__struct_fields__} | fields)


class Node(msgspec.Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """Base of the nodes: a frozen struct whose JSON form says its type."""

    def _set(self, name: str, value: Any) -> None:
        msgspec.structs.force_setattr(self, name, value)

    def _set_missing(self, name: str) -> None:
        if (value := getattr(self, name)) is not None:
            self._set(name, number(value, f"{name} of {type(self).__name__}"))

    def round(self: NodeT, digits: int) -> NodeT:  # noqa: PYI019  Self came with Python 3.11
        """The node with every number at so many significant digits; see :func:`curvec.edit.round_term`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.round_term(self, digits)  # type: ignore[type-var]  # every node is a Term

    def __str__(self: Term) -> str:  # type: ignore[misc]  # every node is a Term
        """The node as the emitted listing has it."""
        from curvec.emit.python import node_text  # noqa: PLC0415  a later stage, loaded only where it is used

        return node_text(self)

    def _repr_html_(self: Term) -> str:  # type: ignore[misc]  # every node is a Term
        from curvec.review.notebook import curve_html  # noqa: PLC0415  a later stage, loaded only where it is used

        return curve_html(self)

    def __add__(self: Term, other: Term) -> Sum:  # type: ignore[misc]  # every node is a Term
        """``a + b + c`` is ``Sum([a, b, c])``."""
        if not isinstance(other, Node):
            return NotImplemented
        return Sum([*(self.terms if isinstance(self, Sum) and not self.note else [self]), other])

    def __mul__(self: Term, other: Term) -> Product:  # type: ignore[misc]  # every node is a Term
        """``a * b * c`` is ``Product([a, b, c])``."""
        if not isinstance(other, Node):
            return NotImplemented
        return Product([*(self.factors if isinstance(self, Product) and not self.note else [self]), other])


class Feature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of the input: its name, and its type ("number", or the type of its categories)."""

    name: str
    type: FeatureType = "number"

    def __post_init__(self) -> None:
        """Check the name and the type."""
        text(self.name, "a feature's name")
        if self.type not in ("number", "int", "str", "bool"):
            raise InputError(f"feature {self.name!r} has type {self.type!r}; use number, int, str or bool")


class Column(Node, frozen=True):
    """The raw value of a numeric feature."""

    feature: str
    note: str = ""

    def __post_init__(self) -> None:
        """Check the name."""
        text(self.feature, "the feature of a Column")
        text(self.note, "a note")


class PWLCurve(Node, frozen=True):
    """A piecewise-linear curve in ``fx(x)``, constant outside its points.

    Attributes:
        input: a feature's name, or a Sum (a curve nested in a curve).
        points: K >= 2 pairs (x, y), x strictly increasing and inside the domain of fx; all finite.
        fx: the transform's name.
        missing: the value for a missing input; None gives a missing result.
        note: a reviewer's remark, carried along.

    Raises:
        InputError: a rule above is broken, or two points are too close for a finite slope.

    """

    input: str | Sum
    points: Sequence[tuple[float, float]]
    fx: str = "identity"
    missing: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Normalise the points to a tuple of float pairs and check every rule."""
        what = f"PWLCurve of {_input_name(self.input)}"
        self._set("points", _points(self.points, what))
        self._set_missing("missing")
        text(self.note, "a note")
        domain, least = transform(self.fx), self.points[0][0]
        if not domain.contains(least):
            raise InputError(f"{what}: x={least!r} is outside the domain of {self.fx} (x > {domain.lower:g})")
        try:
            segments(self.points, self.fx)
        except InputError as error:
            raise InputError(f"{what}: {error}") from None

    def monotone(self, direction: str | None = None) -> PWLCurve:
        """The nearest curve that is "increasing" or "decreasing"; see :func:`curvec.edit.monotone`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.monotone(self, direction)


class StepCurve(Node, frozen=True):
    """A step curve: ``values[k]`` on cuts[k-1] <= x < cuts[k]; what trees and binned models are.

    Attributes:
        input: a feature's name, or a Sum.
        cuts: K >= 1 finite numbers, strictly increasing; x == cut belongs to the right.
        values: K + 1 finite numbers.
        missing: the value for a missing input; None gives a missing result.
        note: a reviewer's remark, carried along.

    Raises:
        InputError: a rule above is broken.

    """

    input: str | Sum
    cuts: Sequence[float]
    values: Sequence[float]
    missing: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Normalise to tuples of floats and check every rule."""
        what = f"StepCurve of {_input_name(self.input)}"
        self._set("cuts", tuple(number(cut, f"{what}: a cut") for cut in sequence(self.cuts, f"{what}: the cuts")))
        self._set(
            "values", tuple(number(value, f"{what}: a value") for value in sequence(self.values, f"{what}: the values"))
        )
        self._set_missing("missing")
        text(self.note, "a note")
        if not self.cuts:
            raise InputError(f"{what} has no cut; fold the constant into the intercept")
        if len(self.values) != len(self.cuts) + 1:
            raise InputError(f"{what} has {len(self.cuts)} cuts and {len(self.values)} values; need one more value")
        _check_increasing(self.cuts, what)

    def monotone(self, direction: str | None = None) -> StepCurve:
        """The nearest curve that is "increasing" or "decreasing"; see :func:`curvec.edit.monotone`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.monotone(self, direction)


class EnumCurve(Node, frozen=True):
    """A table from categories to values.

    Attributes:
        feature: the feature's name.
        mapping: level -> finite value, in order; keys all int, all str or all bool (the type is part of the node).
        default: the value of an unseen level; None gives a missing result.
        missing: the value for a missing input; None gives a missing result.
        note: a reviewer's remark, carried along.

    Raises:
        InputError: a rule above is broken.

    """

    feature: str
    mapping: LevelsLike
    default: float | None = None
    missing: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Make the mapping immutable and check every rule."""
        text(self.feature, "the feature of an EnumCurve")
        if not isinstance(self.mapping, Levels):
            try:
                self._set("mapping", Levels(self.mapping))
            except InputError as error:
                raise InputError(f"EnumCurve of {self.feature!r}: {error}") from None
        self._set_missing("default")
        self._set_missing("missing")
        text(self.note, "a note")

    @property
    def levels(self) -> Levels:
        """The mapping as it is stored."""
        assert isinstance(self.mapping, Levels)  # noqa: S101  what __post_init__ made of it
        return self.mapping


class Sum(Node, frozen=True):
    """The sum of its terms, in groups of 25 (contract, point 5)."""

    terms: Sequence[Term]
    note: str = ""

    def __post_init__(self) -> None:
        """Make the terms a tuple and check them."""
        self._set("terms", terms_tuple(self.terms, "a Sum"))
        text(self.note, "a note")


class Product(Node, frozen=True):
    """The product of its factors, left to right."""

    factors: Sequence[Term]
    note: str = ""

    def __post_init__(self) -> None:
        """Make the factors a tuple and check them."""
        self._set("factors", terms_tuple(self.factors, "a Product"))
        text(self.note, "a note")


Term: TypeAlias = Column | PWLCurve | StepCurve | EnumCurve | Sum | Product


def sequence(values: Any, what: str) -> tuple[Any, ...]:
    """``values`` as a tuple.

    Raises:
        InputError: they are not several.

    """
    try:
        return tuple(values)
    except TypeError:
        raise InputError(f"{what} are {values!r}; pass a list") from None


def terms_tuple(terms: Any, what: str) -> tuple[Term, ...]:
    """``terms`` as a non-empty tuple of nodes.

    Raises:
        InputError: it is empty or holds something else.

    """
    nodes = sequence(terms, f"the terms of {what}")
    if not nodes:
        raise InputError(f"{what} has no terms; give at least one")
    for node in nodes:
        if not isinstance(node, Node):
            raise InputError(f"{what} holds {node!r}; its terms must be curves, columns, sums or products")
    if max(map(_depth, nodes)) >= MAX_DEPTH:
        raise InputError(f"{what} is nested more than {MAX_DEPTH} deep; no target says that, so flatten it")
    return nodes


def children(term: Term) -> Sequence[Term]:
    """The nodes directly inside a term."""
    if isinstance(term, Sum):
        return term.terms
    if isinstance(term, Product):
        return term.factors
    inner = getattr(term, "input", None)
    return (inner,) if isinstance(inner, Sum) else ()


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, children(term)), default=0)


def features_of(term: Term) -> Iterator[Feature]:
    """Every use of a feature in a term, depth first, with the type that the use asks for."""
    for node in walk(term):
        if isinstance(node, EnumCurve):
            yield Feature(node.feature, node.levels.type)
        elif isinstance(node, Column):
            yield Feature(node.feature)
        elif isinstance(node, (PWLCurve, StepCurve)) and isinstance(node.input, str):
            yield Feature(node.input)


def walk(*terms: Term) -> Iterator[Term]:
    """The terms and all that is inside them, depth first."""
    for term in terms:
        yield term
        yield from walk(*children(term))


def names_of(*terms: Term) -> list[str]:
    """The features that the terms use, each once, in the order of their first use."""
    return list(dict.fromkeys(use.name for term in terms for use in features_of(term)))


def _input_name(value: Any) -> str:
    if isinstance(value, Sum):
        return "a Sum"
    return repr(text(value, "the input of a curve"))


def _points(points: Any, what: str) -> tuple[tuple[float, float], ...]:
    x_of, y_of = f"{what}: an x", f"{what}: a y"
    result = []
    for point in sequence(points, f"{what}: the points"):
        try:
            x, y = point
        except (TypeError, ValueError):
            raise InputError(f"{what}: the point {point!r} is not a pair (x, y)") from None
        result.append((number(x, x_of), number(y, y_of)))
    if len(result) < 2:
        raise InputError(f"{what} has {len(result)} points; it needs two (fold a constant into the intercept)")
    _check_increasing([x for x, _ in result], what)
    return tuple(result)


def _check_increasing(values: Sequence[float], what: str) -> None:
    for left, right in itertools.pairwise(values):
        if not left < right:
            raise InputError(f"{what}: {left!r} is followed by {right!r}; x must be strictly increasing")
