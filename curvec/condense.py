"""Rows to points with distinct x, and points to the moments between candidate knots.

A curve on given knots is linear between neighbours, so the squared error of all rows in a gap depends on six
numbers only (Ravina et al. 2021, appendix B, in its most useful form). The compiled core does both reductions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec._core import fuse, gaps_between
from curvec.errors import InputError
from curvec.transforms import FloatArray, Transform

__all__ = ["Points", "column", "points_of", "weights_of"]

_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Points:
    """Rows with equal x made one, in ascending order of x.

    Attributes:
        table: (n, 4) x, total weight, weighted mean of y - y_origin, squared error about that mean.
        y_origin: what was taken off every y, so that a far origin costs no digits.
        y_range: least and largest y of a row with positive weight.
        weight: total weight, in the caller's units; the table's weights are divided by ``weight_unit``.
        weight_unit: the largest weight.

    """

    table: FloatArray
    y_origin: float
    y_range: tuple[float, float]
    weight: float
    weight_unit: float

    @property
    def x(self) -> FloatArray:
        """(n,) distinct x, ascending."""
        return self.table[:, 0]

    @property
    def w(self) -> FloatArray:
        """(n,) the weight at each x, in units of the largest row's."""
        return self.table[:, 1]

    @property
    def y(self) -> FloatArray:
        """(n,) mean y at each x, less y_origin."""
        return self.table[:, 2]

    @property
    def noise(self) -> float:
        """Squared error that no function of x avoids: the spread of y at equal x."""
        return float(self.table[:, 3].sum())

    @property
    def total(self) -> float:
        """Squared error of the mean, noise included."""
        return float(np.dot(self.w, self.y**2)) + self.noise

    def gaps(self, knots: FloatArray, fx: Transform) -> FloatArray:
        """(k + 1, 6) the moments left of, between and right of the knots, in u = fx(x)."""
        return gaps_between(knots, fx.forward(knots), self.table, _fast(fx, self.x))


def _fast(fx: Transform, x: FloatArray) -> FloatArray:
    """Numpy's own logarithm: its last bit is not the contract's, and does not matter to a sum over rows."""
    return _NUMPY[fx.name](x) if fx.name in _NUMPY else fx.forward(x)


def _symlog1p(x: FloatArray) -> FloatArray:
    return np.copysign(np.log1p(np.abs(x)), x)


_NUMPY: dict[str, Callable[[FloatArray], FloatArray]] = {"log": np.log, "log1p": np.log1p, "symlog1p": _symlog1p}


def points_of(x: Any, y: Any, w: Any = None) -> Points:
    """Reduce rows to points.

    Args:
        x: (n,) the feature. Anything that becomes a one-dimensional array of real numbers.
        y: (n,) the target.
        w: (n,) weights >= 0, None for ones; rows of weight zero are ignored.

    Raises:
        InputError: different lengths, no row, a value that is no finite real number, a negative weight.

    """
    xs, ys = column(x, "x"), column(y, "y")
    ws = np.ones_like(xs) if w is None else weights_of(w)
    for name, values in (("y", ys), ("w", ws)):
        if len(values) != len(xs):
            raise InputError(f"x has {len(xs)} rows and {name} has {len(values)}; they must agree")
    return _reduce(xs, ys, ws)


def _reduce(x: FloatArray, y: FloatArray, w: FloatArray) -> Points:
    unit = float(w.max(initial=0.0))
    if not unit > 0:
        raise InputError(f"there are {len(x)} rows and none has a weight above zero; at least one is needed")
    positive = w > 0
    kept = y if positive.all() else y[positive]
    table = fuse(x, y, w if unit == 1.0 else w / unit)
    origin = float(np.average(table[:, 2], weights=table[:, 1]))
    table[:, 2] -= origin
    total = float(table[:, 1].sum()) * unit
    return Points(table, origin, (float(kept.min()), float(kept.max())), total, unit)


def column(values: Any, name: str) -> FloatArray:
    """(n,) finite float64.

    Raises:
        InputError: not one column, not real numbers, or not finite; names the first offending value and its index.

    """
    array = _array(values, name)
    _check_type(array, name)
    out = np.ascontiguousarray(array, dtype=np.float64)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        _check_exact(array, out, name)
    if not math.isfinite(float(out.sum())):
        _refuse(np.isfinite(out), array, name, "must be finite")
    return out


def weights_of(values: Any) -> FloatArray:
    """(n,) weights, finite and not negative."""
    out = column(values, "w")
    if out.size and out.min() < 0:
        _refuse(out >= 0, out, "w", "must not be negative")
    return out


def _array(values: Any, name: str) -> npt.NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        index = int(np.flatnonzero(np.ma.getmaskarray(values).ravel())[0])
        raise InputError(f"{name}[{index}] is masked; leave such rows out")
    try:
        array = np.asarray(values)
    except (ValueError, TypeError) as error:
        raise InputError(f"{name} is no array of numbers: {error}") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(f"{name} has shape {array.shape}; it must be one column")
    if array.dtype.kind == "O" and hasattr(values, "to_numpy") and _nullable(values):
        array = values.to_numpy(dtype=np.float64, na_value=math.nan)
    return array


def _nullable(values: Any) -> bool:
    """A pandas extension column of numbers ("Int64", "Float64", "boolean"), which numpy sees as objects."""
    return bool(getattr(getattr(values, "dtype", None), "kind", "O") in "iufb")


def _check_type(array: npt.NDArray[Any], name: str) -> None:
    kind = array.dtype.kind
    if kind in "biuf" and array.dtype.itemsize <= 8:
        return
    if array.size == 0 and kind != "O":
        return
    if kind in "mM":
        raise InputError(
            f"{name} holds dates or durations ({array.dtype}), which have no unit here; "
            f"pass numbers, for instance ({name} - start) / numpy.timedelta64(1, 'D')"
        )
    first = array[0] if array.size else None
    raise InputError(f"{name} has dtype {array.dtype} ({name}[0] is {first!r}); it must be real numbers")


def _check_exact(array: npt.NDArray[Any], out: FloatArray, name: str) -> None:
    if out.size and max(out.max(), -out.min()) > _EXACT:
        _refuse(np.abs(out) <= _EXACT, array, name, "no double holds integers beyond 2**53 exactly; pass floats")


def _refuse(good: npt.NDArray[np.bool_], array: npt.NDArray[Any], name: str, rule: str) -> None:
    """Raise for the first value that is not good; a sum of finite values may overflow, so none may be."""
    bad = np.flatnonzero(~good)
    if bad.size:
        index = int(bad[0])
        raise InputError(f"{name}[{index}] is {array[index].item()!r}; {rule}")
