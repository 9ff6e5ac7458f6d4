"""The features of a model: what a column of the input is called, and of what type it is."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from curvec.errors import InputError, shown
from curvec.fields import text
from curvec.spelling import call, quoted

Key: TypeAlias = int | str | bool
FeatureType: TypeAlias = Literal["number", "int", "str", "bool"]


class Feature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of the input: its name, and its type ("number", or the type of its categories)."""

    name: str
    type: FeatureType = "number"

    def __post_init__(self) -> None:
        """Check the name and the type."""
        text(self.name, "a feature's name")
        if not isinstance(self.type, str) or self.type not in get_args(FeatureType):
            raise InputError(f"feature {shown(self.name)} has type {shown(self.type)}; use number, int, str or bool")

    def __str__(self) -> str:
        """The feature as the Python expression that builds it; a number's type is left out."""
        return call("Feature", quoted(self.name), *([] if self.type == "number" else [quoted(self.type)]))
