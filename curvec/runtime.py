"""The C++ runtime's curves, bound back to Python, one curve at a time.

Each is a compiled model of one term: the engine that computes emitted C++ in blocks computes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from curvec import ir
from curvec.conversion import objects, unmasked
from curvec.errors import InputError
from curvec.model import CurveModel


class _Curve:
    """A node over one feature, compiled."""

    def __init__(self, node: ir.Term) -> None:
        self._model = CurveModel("curve", [node]).compile()

    def _values(self, column: Any) -> Any:
        return self._model.contributions({"x": column})[:, 0]


class PWLCurve(_Curve):
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
        curve = ir.PWLCurve("x", points, fx, missing)
        super().__init__(curve)
        self.slopes = curve.slopes

    def Eval(self, x: Any) -> Any:  # noqa: N802  as in C++ and in the paper
        """The curve at x: a float for a number, an array of the same shape for an array; None and NaN are missing.

        Raises:
            InputError: x is no number, or an array of what are none.

        """
        array = unmasked(x) if isinstance(x, np.ma.MaskedArray) else np.asarray(x)
        values = self._values(array.ravel()).reshape(array.shape)
        return values if array.ndim else float(values)


class EnumCurve(_Curve):
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
        super().__init__(ir.EnumCurve("x", mapping, default, missing))

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
        values = self._values(column.ravel())
        return values if column.ndim else float(values[0])
