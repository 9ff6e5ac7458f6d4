"""The properties that every node of a model has: what it reads, its values, breaks and numbers, and its text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import msgspec
import numpy as np
import numpy.typing as npt

from curvec.checks import check_digits
from curvec.data import Table, rows_of
from curvec.directions import Direction
from curvec.display import Displayed
from curvec.errors import InputError, counted, with_article
from curvec.features import Feature, FeatureType, Key
from curvec.fields import changed, number
from curvec.spelling import call, decimal_of, literal, quoted, rounded
from curvec.transforms import FloatArray

if TYPE_CHECKING:
    from typing_extensions import Self  # of Python 3.11

Value: TypeAlias = float | str | None
"""One value of a feature, as a caller writes it; a bool is a float to a type checker."""


_OPTIONS = ("fx", "default", "missing", "note", "special")
"""The fields that the expression of a node gives by keyword."""


class Weights(msgspec.Struct, frozen=True):
    """A sparse matrix of rows by coefficients: the factor of each coefficient in the value of each row.

    Attributes:
        rows: (n,) the row of each entry.
        columns: (n,) its coefficient.
        entries: (n,) the entry.

    """

    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    entries: FloatArray


class NodeBase(Displayed, msgspec.Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """A frozen struct whose JSON form names its type.

    Every class has the same few properties, so that code that walks over a model uses these and does not test for
    classes.
    """

    @property
    def input(self) -> str | NodeBase | None:
        """What the node itself reads: a feature's name, or the Sum that a curve is nested in; None: other nodes."""
        return None

    @property
    def feature(self) -> str | None:
        """The input, where that is a feature."""
        return self.input if isinstance(self.input, str) else None

    @property
    def reads(self) -> FeatureType:
        """The type of the feature that the node itself reads."""
        return "number"

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features that the node and those inside it read, each once with each type that it is read as."""
        own = [] if self.feature is None else [Feature(self.feature, self.reads)]
        return tuple(dict.fromkeys([*own, *(feature for child in self.children for feature in child.features)]))

    @overload
    def __call__(self, data: Value | Mapping[str, Value]) -> float: ...
    @overload
    def __call__(self, data: Any) -> FloatArray: ...
    def __call__(self, data: Any) -> float | FloatArray:
        """The node's value, with the same bits as in a model that has it as a term.

        Args:
            data: values of the one feature that the node reads: one value, an array of any shape, a list, a series;
                None and NaN are missing. Or a mapping of arrays, or a frame, that holds the node's features; for one
                row a dict of plain values.

        Returns:
            A float for one value or one row, else an array: of the shape of an array of values, (rows,) of a table.

        Raises:
            InputError: a value is of the wrong type, or a feature is not there; the message names it.

        """
        table, shape = rows_of(data, self.features)
        with np.errstate(over="ignore", invalid="ignore"):
            values = self.at_rows(table)
        return values.reshape(shape) if shape else float(values[0])

    @abstractmethod
    def at_rows(self, table: Table) -> FloatArray:
        """(rows,) the value for each row of a table that holds the node's features; NaN where it is missing."""

    def weights(self, table: Table) -> Weights:  # noqa: ARG002  there are no coefficients
        """The node's value as a linear function of its :attr:`coefficients`, for the rows that depend on them.

        A row with a missing input, a special code or an unseen level does not depend on them.
        """
        nothing = np.zeros(0, np.intp)
        return Weights(nothing, nothing, np.zeros(0))

    def is_missing(self, table: Table) -> npt.NDArray[np.bool_]:
        """(rows,) where the node gives its value for a missing input."""
        return np.zeros(table.rows, np.bool_)

    def gains(self, table: Table) -> tuple[FloatArray, ...]:
        """(rows,) for each of the :attr:`children`, the derivative of the node's value with respect to the child's."""
        return tuple(np.ones(table.rows) for _ in self.children)

    @property
    def children(self) -> tuple[NodeBase, ...]:
        """The nodes directly inside."""
        return ()

    @property
    def breaks(self) -> tuple[float, ...]:
        """The inputs at which the curve begins, ends, bends or jumps, increasing; () where there are none."""
        return ()

    @property
    def ordinates(self) -> tuple[float, ...]:
        """The node's own values, in order: of its points, steps or levels; () if it has none."""
        return ()

    def with_ordinates(self, values: Iterable[float]) -> Self:
        """The node with other values in the place of :attr:`ordinates`, the same number of them."""
        if tuple(values):
            raise InputError(f"{with_article(type(self).__name__)} has no values of its own")
        return self

    @property
    def coefficients(self) -> tuple[float, ...]:
        """The numbers that the node's value is linear in: the coefficient of a line, else the :attr:`ordinates`."""
        return self.ordinates

    def with_coefficients(self, values: Iterable[float]) -> Self:
        """The node with other numbers in the place of :attr:`coefficients`, the same number of them."""
        return self.with_ordinates(values)

    @property
    def entries(self) -> dict[str, float]:
        """The :attr:`coefficients`, each with a label for a reader: ``x=18``, ``from 18``, ``'red'``."""
        return {}

    @property
    def declared(self) -> dict[str, float]:
        """The values for other inputs, as far as they are declared: "missing", and "default" for unseen levels."""
        values = {"default": getattr(self, "default", None), "missing": self.missing}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def special_codes(self) -> Mapping[float, float]:
        """The inputs that have a value of their own, apart from the curve; empty if there are none."""
        return {}

    @property
    def levels(self) -> Mapping[Key, float]:
        """The levels of a table, each with its value; empty if the node is not a table."""
        return {}

    @property
    def fx(self) -> str:
        """The transform in which the node is linear between its breaks."""
        return "identity"

    @property
    def missing(self) -> float | None:
        """The value for a missing input; None if there is none, or if it follows from the nodes inside."""
        return None

    @property
    def pieces(self) -> int:
        """The number of segments, steps or levels; 1 for a line; for a sum or product, those of the nodes inside."""
        return len(self.ordinates) or sum(child.pieces for child in self.children) or 1

    @property
    def numbers(self) -> tuple[float, ...]:
        """Every number of the node itself, as it is printed: breaks, values, special codes, declared values."""
        codes = self.special_codes
        return (*self.breaks, *self.coefficients, *codes, *codes.values(), *self.declared.values())

    @property
    def numbers_to_read(self) -> int:
        """How many numbers a reader has to take in: the size of the node, with the nodes inside it.

        A line is one, its coefficient. A point is two, x and y; a transform other than identity is one more. A cut and
        a step's value are one each. Of a table, levels with one value are a group, and a group is two, a name and a
        value; the group at 0 needs no reading, and a table of one group beside it, a yes/no, is one number. ``missing``
        and ``default`` are one each, and a special code is two, as a level is.
        """
        own = self._own_numbers() + 2 * len(self.special_codes) + len(self.declared) + (self.fx != "identity")
        return own + sum(child.numbers_to_read for child in self.children)

    @property
    def slopes(self) -> tuple[float, ...]:
        """How steep the curve is in u = fx(x): between its breaks, or at them where it jumps; () where it has none."""
        return ()

    def slope_at(self, x: float) -> float:  # noqa: ARG002  there is none
        """The slope in u = fx(x) just right of x; 0 for a node that has no slopes of its own."""
        return 0.0

    @property
    def own_range(self) -> tuple[float, float] | None:
        """The least and the greatest value over all inputs; None if they depend on the nodes inside."""
        values = (*self.ordinates, *self.special_codes.values(), *self.declared.values())
        return (min(values), max(values)) if self.ordinates else None

    @property
    def direction(self) -> Direction:
        """The direction of the values from the least input to the largest; "neither" for what is not a curve."""
        return "neither"

    def map_children(self, change: Callable[[Any], Any]) -> Self:  # noqa: ARG002  nothing is inside
        """The node with each of the nodes directly inside it changed."""
        return self

    def map_numbers(self, change: Callable[[float], float]) -> Self:
        """The node with every number of it, and of the nodes inside it, changed; levels and special codes stay.

        Raises:
            InputError: the numbers break a rule of the node.

        """
        own = changed(self, **self._declared_by(change), **self._numbers(change))
        return own.map_children(lambda child: child.map_numbers(change))

    def map_values(self, change: Callable[[float], float]) -> Self:
        """The node with each of its own values changed: coefficients, those of special codes, and declared ones.

        Raises:
            InputError: a value is not finite.

        """
        own = changed(self, **self._declared_by(change))
        return own.with_coefficients([change(value) for value in own.coefficients])

    def _declared_by(self, change: Callable[[float], float]) -> dict[str, Any]:
        fields: dict[str, Any] = {name: change(value) for name, value in self.declared.items()}
        if self.special_codes:
            fields["special"] = {code: change(value) for code, value in self.special_codes.items()}
        return fields

    def round(self, digits: int) -> Self:
        """The node with every number at no more than ``digits`` significant decimal digits.

        Levels, special codes and notes stay.

        Raises:
            InputError: digits is not 1 to 17, or rounded points fall together or leave the domain of fx.

        """
        check_digits(digits, or_none=False)
        try:
            return self.map_numbers(lambda value: rounded(value, digits))
        except InputError as error:
            raise InputError(f"rounding to {counted(digits, 'digit')}: {error}; keep more digits") from None

    def __str__(self) -> str:
        """The node as the Python expression that builds it, on one line, arguments at their default left out."""
        return self.spelt(literal)

    def spelt(self, spell: Callable[[Any], str]) -> str:
        """That expression with each argument, but for the note, spelt by a function."""
        options = {name: spell(value) for name, value in self.options.items()}
        note = getattr(self, "note", "")
        return call(type(self).__name__, *map(spell, self.arguments), **options, note=quoted(note) if note else "")

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The positional arguments of that expression: names, numbers, tuples of them, nodes."""
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name not in _OPTIONS)

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments of that expression that are not at their default, apart from the note."""
        fx = {} if self.fx == "identity" else {"fx": self.fx}
        return {**fx, **self.declared, **({"special": self.special_codes} if self.special_codes else {})}

    def scaled(self, factor: float) -> Self:
        """The node whose values are ``factor`` times as large: those of a sum's terms, and of a product's first factor.

        Raises:
            InputError: the factor is not finite, or the values are not.

        """
        by = number(factor, "the factor")
        own = self.map_values(lambda value: decimal_of(by * value))
        return own if own.coefficients else own.inside_scaled(by)

    def inside_scaled(self, factor: float) -> Self:
        """The node with ``factor`` times its value, by changing the nodes directly inside it."""
        return self.map_children(lambda child: child.scaled(factor))

    def _own_numbers(self) -> int:
        """The part of :attr:`numbers_to_read` that the breaks and coefficients are."""
        return len(self.breaks) + len(self.coefficients)

    def _numbers(self, change: Callable[[float], float]) -> dict[str, Any]:  # noqa: ARG002  there are none
        """The fields with numbers, except the declared ones, each number changed."""
        return {}

    def _set(self, name: str, value: Any) -> None:
        msgspec.structs.force_setattr(self, name, value)

    def _set_declared(self, name: str) -> None:
        if (value := getattr(self, name)) is not None:
            feature = getattr(self, "input", None)
            whose = f" of {feature!r}" if isinstance(feature, str) else ""
            try:
                self._set(name, number(value, f"{name} of {type(self).__name__}{whose}"))
            except InputError as error:
                raise error.at(name) from None
