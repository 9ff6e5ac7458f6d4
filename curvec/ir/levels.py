"""The table of an :class:`curvec.EnumCurve`: levels of one type, each with a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from curvec.checks import plain
from curvec.contract import EXACT_INTEGERS
from curvec.errors import InputError, shown
from curvec.features import FeatureType, Key
from curvec.fields import number, text


class Levels(Mapping[Key, float]):
    """The immutable mapping of an :class:`EnumCurve`, in the order given; keys all int, all str or all bool."""

    __slots__ = ("_items", "type")
    type: FeatureType

    def __init__(self, items: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> None:
        pairs = _pairs(items, "the mapping of an EnumCurve", "level: value")
        if not pairs:
            raise InputError("the mapping of an EnumCurve is empty; give at least one level")
        keys = [plain(key) for key, _ in pairs]
        self.type = _key_type(keys)
        self._items: dict[Key, float] = {}
        for place, (key, (_, value)) in enumerate(zip(keys, pairs, strict=True)):
            if key in self._items:
                raise InputError(f"the level {shown(key)} is there twice").at("mapping", place)
            try:
                self._items[key] = number(value, f"the value of level {shown(key)}")
            except InputError as error:
                raise error.at("mapping", place) from None

    @property
    def complete(self) -> bool:
        """Whether no other level is possible: True and False are all values of a bool."""
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


def unlisted_level(kind: FeatureType, levels: Iterable[Key]) -> Key | None:
    """A level of this type that is none of these; None for a bool of which both are there."""
    listed = set(levels)
    if kind == "bool":
        return next((key for key in (False, True) if key not in listed), None)
    return max(map(int, listed), default=0) + 1 if kind == "int" else max(map(str, listed), default="") + "\x00"


class SpecialCodes(Mapping[float, float]):
    """The immutable values of a curve at single inputs, apart from its line: code -> value, ascending."""

    __slots__ = ("_values",)

    def __init__(self, items: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = ()) -> None:
        found: dict[float, float] = {}
        for place, (key, value) in enumerate(_pairs(items, "special", "code: value")):
            try:
                code = number(plain(key), "a special code")
                found_value = number(value, f"the value of the special code {shown(key)}")
            except InputError as error:
                raise error.at("special", place) from None
            if code in found:
                raise InputError(f"the special code {shown(key)} is there twice").at("special", place)
            found[code] = found_value
        self._values = dict(sorted(found.items()))

    def __getitem__(self, code: float) -> float:
        return self._values[code]

    def __iter__(self) -> Iterator[float]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


def _pairs(items: Any, what: str, form: str) -> list[tuple[Any, Any]]:
    """The pairs of a mapping, or of several pairs."""
    try:
        return [(key, value) for key, value in (items.items() if isinstance(items, Mapping) else items)]
    except (TypeError, ValueError):
        raise InputError(f"{what} is {shown(items)}; give a dict of {form}") from None


def _key_type(keys: Sequence[Any]) -> FeatureType:
    types: dict[type, FeatureType] = {int: "int", str: "str", bool: "bool"}
    found = type(keys[0])
    odd = next((place for place, key in enumerate(keys) if type(key) is not found or found not in types), None)
    if odd is not None:
        apart = [keys[0], keys[odd]] if odd else keys[:1]
        names = ", ".join(dict.fromkeys(type(key).__name__ for key in apart))
        message = f"the levels {shown(apart)} are of type {names}; they must be all int, all str or all bool"
        raise InputError(message).at("mapping", odd)
    kind = types[found]
    for place, key in enumerate(keys):
        if kind == "str":
            text(key, "a level")
        elif kind == "int" and abs(key) > EXACT_INTEGERS:
            message = f"the level {shown(key)} is beyond 2^53, where doubles skip integers; use a string level"
            raise InputError(message).at("mapping", place)
    return kind


if TYPE_CHECKING:
    # A caller passes any mapping; the constructor makes it Levels, which is what is stored and in JSON.
    LevelsLike: TypeAlias = Mapping[int, float] | Mapping[str, float] | Mapping[bool, float] | Levels
    SpecialLike: TypeAlias = Mapping[float, float] | Mapping[int, float] | SpecialCodes
else:
    LevelsLike = Levels
    SpecialLike = SpecialCodes
