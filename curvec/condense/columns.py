"""A user's column of numbers as float64, or an error that names the first value that is none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec._core import survey
from curvec.errors import InputError
from curvec.transforms import FloatArray

__all__ = ["column", "surveyed", "weights_of"]

_EXACT = 2**53
_NUMBERS = (int, float, np.integer, np.floating)


def column(values: Any, name: str) -> FloatArray:
    """(n,) finite float64.

    Raises:
        InputError: not one column, not real numbers, or not finite; names the first offending value and its index.

    """
    return surveyed(values, name)[0]


def surveyed(values: Any, name: str) -> tuple[FloatArray, float, float]:
    """The column as :func:`column` gives it, its least and its largest value (inf and -inf where it is empty)."""
    array = _array(values, name)
    _check_type(array, name)
    out = np.ascontiguousarray(array, dtype=np.float64)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        _check_exact(array, name)
    low, high, finite = survey(out)
    if not finite:
        _refuse(np.isfinite(out), array, name, "must be finite")
    return out, low, high


def weights_of(values: Any) -> tuple[FloatArray, float, float]:
    """(n,) weights, finite and not negative, the least and the largest."""
    out, least, largest = surveyed(values, "w")
    if least < 0:
        _refuse(out >= 0, out, "w", "must not be negative")
    return out, least, largest


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
    if array.size == 0:
        return
    if kind in "mM":
        raise InputError(
            f"{name} holds dates or durations ({array.dtype}), which have no unit here; "
            f"pass numbers, for instance ({name} - start) / numpy.timedelta64(1, 'D')"
        )
    at = next((row for row, value in enumerate(array) if not isinstance(value, _NUMBERS)), None)
    if kind == "O" and at is None:
        raise InputError(
            f"{name} has dtype object, though its values are numbers; pass numpy.asarray({name}, dtype=float)"
        )
    raise InputError(
        f"{name} has dtype {array.dtype} ({name}[{at or 0}] is {array[at or 0]!r}); it must be real numbers"
    )


def _check_exact(array: npt.NDArray[Any], name: str) -> None:
    if array.size and (array.max() > _EXACT or array.min() < -_EXACT):
        _refuse(
            (array <= _EXACT) & (array >= -_EXACT),
            array,
            name,
            "no double holds integers beyond 2**53 exactly; pass floats",
        )


def _refuse(good: npt.NDArray[np.bool_], array: npt.NDArray[Any], name: str, rule: str) -> None:
    """Raise for the first value that is not good."""
    index = int(np.flatnonzero(~good)[0])
    raise InputError(f"{name}[{index}] is {array[index].item()!r}; {rule}")
