"""The C++ runtime's curves, bound back to Python: what emitted C++ computes, one curve at a time.

They run the same functions of the headers as emitted code does, on tables whose size is known at run time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvec import ir
from curvec._core import IntEnumCurve, TextEnumCurve
from curvec._core import PWLCurve as CorePWLCurve
from curvec.conversion import categories, numbers, objects, unmasked
from curvec.errors import InputError


class PWLCurve:
    """A piecewise-linear curve of the runtime (Ravina et al. 2021, section 3).

    Args:
        points: K >= 2 pairs (x, y), x strictly increasing and inside the domain of fx.
        fx: the transform's name.
        missing: the value for NaN; None gives NaN.

    Attributes:
        slopes: the slope of each segment, in the bits of the numeric contract.

    Raises:
        InputError: a rule of :class:`curvec.PWLCurve` is broken.

    """

    def __init__(
        self, points: Sequence[tuple[float, float]], fx: str = "identity", missing: float | None = None
    ) -> None:
        checked = ir.PWLCurve("x", points, fx, missing)
        self._core = CorePWLCurve(list(checked.points), fx, checked.missing)
        self.slopes = tuple(self._core.slopes)

    def Eval(self, x: Any) -> Any:  # noqa: N802  as in C++ and in the paper
        """The curve at x: a float for a number, an array of the same shape for an array; None and NaN are missing.

        Raises:
            InputError: x is no number, or an array of what are none.

        """
        array = unmasked(x) if isinstance(x, np.ma.MaskedArray) else np.asarray(x)
        values = numbers(array.ravel(), "x").reshape(array.shape)
        return self._core.eval_array(values) if array.ndim else self._core.eval(float(values))


class EnumCurve:
    """A table from categories to values, of the runtime.

    Args:
        mapping: level -> value; keys all int, all str or all bool.
        default: the value of an unseen level; None gives NaN.
        missing: the value for None; None gives NaN.

    Raises:
        InputError: a rule of :class:`curvec.EnumCurve` is broken.

    """

    def __init__(
        self, mapping: Mapping[Any, float], default: float | None = None, missing: float | None = None
    ) -> None:
        checked = ir.EnumCurve("x", mapping, default, missing)
        self._type = checked.levels.type
        bound: Any = TextEnumCurve if self._type == "str" else IntEnumCurve
        levels: list[tuple[Any, float]] = list(checked.levels.items())  # to the core, a bool is 0 or 1
        self._core = bound(levels, checked.default, checked.missing)
        self._unseen = math.nan if checked.default is None else checked.default

    def Eval(self, key: Any) -> Any:  # noqa: N802  as in C++ and in the paper
        """The value of a category, or (n,) those of n; None is missing.

        Raises:
            InputError: a key is of another type than the levels.

        """
        if isinstance(key, np.ma.MaskedArray):
            column = unmasked(key)
        elif isinstance(key, np.generic):
            column = objects([key]).reshape(())  # numpy makes an integer of a date in nanoseconds
        else:
            column = key if isinstance(key, np.ndarray) else np.array(key, dtype=object)
        if column.ndim > 1:
            raise InputError(f"the keys have shape {column.shape}; pass one key or a one-dimensional sequence")
        values = [self._one(value) for value in categories(column.ravel(), "x", self._type)]
        return np.array(values, dtype=np.float64) if column.ndim else values[0]

    def _one(self, key: Any) -> float:
        if isinstance(key, float) or (self._type == "int" and key is not None and not -(2**63) <= key < 2**63):
            return self._unseen  # a fraction, or more than the levels' type holds
        value: float = self._core.eval(key)
        return value
