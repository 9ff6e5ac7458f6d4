"""The JSON form of nodes and of what holds them: strict, and every number keeps its exact double."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from curvec.errors import InputError
from curvec.fields import number
from curvec.ir.levels import Levels, SpecialCodes

DRAFT = "https://json-schema.org/draft/2020-12/schema"
"""The version of JSON Schema that :func:`schema_of` writes."""

StructT = TypeVar("StructT", bound=msgspec.Struct)


def written(value: msgspec.Struct) -> str:
    """The JSON text of a struct; mappings are lists of pairs, as JSON's own have keys of text only."""
    wire = _without_empty(msgspec.to_builtins(value, enc_hook=_encode))
    return json.dumps(wire, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def packed(value: msgspec.Struct) -> bytes:
    """The same without blanks and line breaks, for the compiled core."""
    return msgspec.json.encode(value, enc_hook=_encode)


def read(text: str, kind: type[StructT]) -> StructT:
    """The struct of a JSON text.

    Raises:
        ValueError, RecursionError, msgspec.ValidationError: not JSON, a duplicate key, an object without its type, a
            number outside the doubles, an unknown field, or a rule of the class is broken.

    """
    wire = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_int=_exact_integer)
    return msgspec.convert(wire, kind, dec_hook=_decode)


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of what :func:`written` gives for a class."""
    return msgspec.json.schema(kind, schema_hook=_schema)


def _encode(value: Any) -> Any:
    if isinstance(value, (Levels, SpecialCodes)):
        return [[key, level] for key, level in value.items()]
    raise NotImplementedError(f"no JSON form for {type(value).__name__}")


def _without_empty(wire: Any) -> Any:
    """The JSON form, in which curves without special codes do not say so."""
    if isinstance(wire, (list, tuple)):
        return [_without_empty(item) for item in wire]
    if isinstance(wire, dict):
        return {name: _without_empty(value) for name, value in wire.items() if (name, value) != ("special", [])}
    return wire


def _decode(kind: type, value: Any) -> Any:
    if kind is Levels or kind is SpecialCodes:
        if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            raise msgspec.ValidationError("a mapping must be a list of [level, value] pairs")
        return kind([(key, level) for key, level in value])
    raise NotImplementedError(f"no JSON form for {kind.__name__}")


def _schema(kind: type) -> dict[str, Any]:
    if kind is Levels:
        key = {"type": ["integer", "string", "boolean"]}
        pair = {"type": "array", "prefixItems": [key, {"type": "number"}], "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": pair, "minItems": 1}
    if kind is SpecialCodes:
        code = {"type": "array", "prefixItems": [{"type": "number"}] * 2, "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": code}
    raise NotImplementedError(f"no schema for {kind.__name__}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InputError(f"the key {key!r} is there twice")
        if key == "input" and isinstance(value, dict) and "type" not in value:  # msgspec would take it for a Sum
            raise InputError("an object is the 'input' of a curve and has no 'type'; that of a sum is 'Sum'")
        result[key] = value
    return result


def _refuse_constant(constant: str) -> float:
    raise InputError(f"{constant} is not strict JSON; numbers must be finite")


def _exact_integer(digits: str) -> int:
    # Here and not in the constructors: msgspec makes an integer a float, rounded, before they see it.
    value = int(digits)
    number(value, "a number")
    return value
