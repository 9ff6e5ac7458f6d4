"""Universal Binary JSON (specification draft 12), as XGBoost writes it: objects, strings, numbers, typed arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvec.errors import InputError, with_article

_NUMBERS = {b"i": ">i1", b"U": ">u1", b"I": ">i2", b"l": ">i4", b"L": ">i8", b"d": ">f4", b"D": ">f8"}
_CONSTANTS: dict[bytes, Any] = {b"Z": None, b"T": True, b"F": False}


def loads(data: bytes) -> dict[str, Any]:
    """The object of a UBJSON document; a typed array is a list of numbers.

    Raises:
        InputError: the data are cut short, or not UBJSON with an object at the top; the message says at which byte.

    """
    reader = _Reader(data)
    try:
        value = reader.value(reader.marker())
    except (IndexError, KeyError, ValueError, RecursionError):
        raise InputError(f"not valid UBJSON at byte {reader.position}") from None
    if not isinstance(value, dict):
        raise InputError(f"UBJSON with {with_article(type(value).__name__)}; a model is an object")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        # Constants in a typed array take no bytes: their number is only what the data say, so it is bounded.
        self.constants_left = len(data)

    def take(self, count: int) -> bytes:
        chunk = self.data[self.position : self.position + count]
        if len(chunk) < count or count < 0:
            raise IndexError
        self.position += count
        return chunk

    def marker(self) -> bytes:
        mark = self.take(1)
        while mark == b"N":  # a no-op
            mark = self.take(1)
        return mark

    def number(self, mark: bytes) -> Any:
        kind = np.dtype(_NUMBERS[mark])
        return np.frombuffer(self.take(kind.itemsize), kind)[0].item()

    def length(self) -> int:
        value = self.number(self.marker())
        if not isinstance(value, int) or value < 0:
            raise ValueError
        return value

    def text(self) -> str:
        return self.take(self.length()).decode("utf-8")

    def value(self, mark: bytes) -> Any:
        if mark in _CONSTANTS:
            return _CONSTANTS[mark]
        if mark in (b"S", b"H"):
            return self.text()
        if mark == b"C":
            return self.take(1).decode("ascii")
        if mark == b"{":
            return self.object()
        if mark == b"[":
            return self.array()
        return self.number(mark)

    def header(self) -> tuple[bytes | None, int | None]:
        """The optional type and count of a container."""
        kind = count = None
        if self.data[self.position : self.position + 1] == b"$":
            self.position += 1
            kind = self.take(1)
        if self.data[self.position : self.position + 1] == b"#":
            self.position += 1
            count = self.length()
        return kind, count

    def array(self) -> list[Any]:
        kind, count = self.header()
        if kind in _NUMBERS and count is not None:
            dtype = np.dtype(_NUMBERS[kind])
            return list(np.frombuffer(self.take(count * dtype.itemsize), dtype).tolist())
        if kind in _CONSTANTS and count is not None:
            self.constants_left -= count
            if self.constants_left < 0:
                raise ValueError
        items: list[Any] = []
        while count is None or len(items) < count:
            mark = self.marker() if kind is None else kind
            if count is None and mark == b"]":
                break
            items.append(self.value(mark))
        return items

    def object(self) -> dict[str, Any]:
        kind, count = self.header()
        items: dict[str, Any] = {}
        while count is None or len(items) < count:
            if count is None and self.data[self.position : self.position + 1] == b"}":
                self.position += 1
                break
            key = self.text()
            items[key] = self.value(self.marker() if kind is None else kind)
        return items
