"""A user's single columns (x, labels, weights, query ids), each read in one way: float64 and finite, or an error.

The error names the first offending value. Tables of features, where values may be missing, are curvec/data.py's.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from curvec._core import survey
from curvec.checks import is_real, is_whole, plain
from curvec.contract import EXACT_INTEGERS
from curvec.conversion import is_missing, time_hint
from curvec.errors import InputError, counted, shown
from curvec.transforms import FloatArray


def column(values: Any, name: str) -> FloatArray:
    """(n,) finite float64.

    Raises:
        InputError: not one column, not real numbers, or not finite; names the first offending value and its index.

    """
    return surveyed(values, name)[0]


def surveyed(values: Any, name: str) -> tuple[FloatArray, float, float]:
    """The column as :func:`column` gives it, its least and its largest value (inf and -inf where it is empty)."""
    array = _array(values, name)
    if array.dtype.kind == "O":
        _check_present(array, name)
    _check_type(array, name)
    if array.dtype.kind in "iuO" and array.dtype.itemsize == 8:
        _check_exact(array, name)
    out = np.ascontiguousarray(array, dtype=np.float64)
    low, high, finite = survey(out)
    if not finite:
        _refuse(np.isfinite(out), array, name, "must be finite" + (_LEAVE_OUT if np.isnan(out).any() else ""))
    return out, low, high


def name_of(values: Any) -> str | None:
    """The name of a pandas, polars or similar series, or of a frame's only column, if it has one."""
    columns: Any = getattr(values, "columns", ())
    name = columns[0] if len(columns) == 1 else getattr(values, "name", None)
    return name if isinstance(name, str) and name else None


def check_aligned(**columns: Any) -> None:
    """Refuse columns of pandas whose rows have the labels of the first one's in another order.

    Rows belong together by their places, as in numpy and scikit-learn. Labels that are not the same say nothing.

    Raises:
        InputError: a column was sorted or shuffled without the others.

    """
    indices = {
        name: values.index
        for name, values in columns.items()
        if type(values).__module__.partition(".")[0] == "pandas" and hasattr(values, "index")
    }
    first = next(iter(indices), "")
    for name in list(indices)[1:]:
        one, other = indices[first], indices[name]
        if len(one) == len(other) and not one.equals(other) and one.isin(other).all() and other.isin(one).all():
            raise InputError(
                f"{name} has the index labels of {first} in another order, and rows belong together by their places; "
                f"pass {name}.loc[{first}.index], or {name}.to_numpy() where the places are right"
            )


def weights_of(values: Any) -> tuple[FloatArray, float, float]:
    """(n,) weights, finite and not negative, the least and the largest."""
    out, least, largest = surveyed(values, "w")
    if least < 0:
        _refuse(out >= 0, out, "w", "must not be negative")
    return out, least, largest


def unit_of(largest: float) -> float:
    """The power of two at or just below the largest weight, which is positive; in this unit weights are below 2."""
    return math.ldexp(1.0, math.frexp(largest)[1] - 1)


def row_column(values: Any, name: str, rows: int) -> FloatArray:
    """(rows,) the column, as long as the table that it goes with.

    Raises:
        InputError: as :func:`column`, or it is not as long as the table.

    """
    out = column(values, name)
    if out.shape != (rows,):
        raise InputError(f"{name} has shape {out.shape}; X has {counted(rows, 'row')}, so it must be ({rows},)")
    return out


def row_weights(values: Any, rows: int) -> FloatArray | None:
    """(rows,) weights, finite, not negative and not all zero; None as it is.

    Raises:
        InputError: they are not that.

    """
    if values is None:
        return None
    out, _, largest = weights_of(values)
    if out.shape != (rows,):
        raise InputError(f"w has shape {out.shape}; X has {counted(rows, 'row')}, so it must be ({rows},)")
    if not out.any():
        raise InputError("every weight is 0; give some row a positive weight")
    return rescaled(out, largest)[0]


_UNITS = 2.0**200
"""Weights of about this size and more, or its inverse and less, are rescaled."""


def rescaled(weights: FloatArray, largest: float) -> tuple[FloatArray, float]:
    """(rows,) weights, and the power of two near the largest, for uses in which only ratios of weights matter.

    Where that unit is extreme, the weights are divided by it, so that their products with squares stay doubles.
    """
    unit = unit_of(largest) if largest > 0 else 1.0
    return (weights, unit) if 1 / _UNITS < unit < _UNITS else (weights / unit, 1.0)


def weights_or_ones(values: Any, rows: int) -> FloatArray:
    """(rows,) weights as :func:`row_weights` reads them; ones for None."""
    weights = row_weights(values, rows)
    return np.ones(rows) if weights is None else weights


def query_ids(values: Any, rows: int) -> npt.NDArray[Any]:
    """(rows,) query ids, of any type.

    Raises:
        InputError: they are not one a row, or one is missing.

    """
    groups = np.asarray(values)
    if groups.shape != (rows,):
        raise InputError(f"query has shape {groups.shape}; it must be one id a row, ({rows},)")
    # What is missing does not equal itself: NaN, NaT; None is no id either.
    bad = np.array([value is None for value in groups.tolist()]) | (groups != groups)  # noqa: PLR0124
    if bad.any():
        raise InputError(f"query[{int(np.argmax(bad))}] is missing; every row needs the id of its query")
    return groups


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
    if array.ndim == 0:
        raise InputError(
            f"{name} is {shown(plain(values))}; it must be a column of numbers: a list, an array, a series"
        )
    if array.ndim != 1:
        raise InputError(f"{name} has shape {array.shape}; it must be one column")
    if array.dtype.kind == "O" and hasattr(values, "to_numpy") and _nullable(values):
        array = values.to_numpy(dtype=np.float64, na_value=math.nan)
    return array


def _nullable(values: Any) -> bool:
    """A pandas extension column of numbers ("Int64", "Float64", "boolean"), which numpy sees as objects."""
    return bool(getattr(getattr(values, "dtype", None), "kind", "O") in "iufb")


_LEAVE_OUT = "; leave out the rows in which it is missing"


def _check_present(array: npt.NDArray[Any], name: str) -> None:
    """Refuse missing objects: None and a signalling NaN cannot become floats."""
    present = np.array([not is_missing(value) for value in array], dtype=bool)
    if not present.all():
        _refuse(present, array, name, "must be finite" + _LEAVE_OUT)


def _check_type(array: npt.NDArray[Any], name: str) -> None:
    kind = array.dtype.kind
    if kind in "biuf" and array.dtype.itemsize <= 8:
        return
    if array.size == 0:
        return
    if kind == "f":
        raise InputError(f"{name} has dtype {array.dtype}, wider than a double; pass {name}.astype(float)")
    if hint := time_hint(array.ravel()[0], name):
        raise InputError(f"{name} holds dates or durations ({shown(array.ravel()[0])}){hint}")
    wrong = [row for row, value in enumerate(array) if not is_real(value) and not isinstance(value, (bool, Decimal))]
    if kind == "O" and not wrong:
        return
    at = next((row for row in wrong if not _is_numeral(array[row])), wrong[0] if wrong else 0)
    hint = "; encode two classes as 0 and 1" if name == "y" else ""
    if all(_is_numeral(value) for value in array):
        hint = f"; it is text that reads as numbers, which numpy.array({name}, dtype=float) makes of it"
    first = f"{name}[{at}] is {shown(plain(array[at]))}"
    raise InputError(f"{name} has dtype {array.dtype} ({first}); it must be real numbers{hint}")


def _is_numeral(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return math.isfinite(float(value))
    except ValueError:
        return False


def _check_exact(array: npt.NDArray[Any], name: str) -> None:
    if array.dtype.kind == "O":
        whole = np.array([is_whole(value) for value in array], dtype=bool)
        good = ~whole | np.array([-EXACT_INTEGERS <= value <= EXACT_INTEGERS for value in array], dtype=bool)
    elif not array.size or (array.max() <= EXACT_INTEGERS and array.min() >= -EXACT_INTEGERS):
        return
    else:
        good = (array <= EXACT_INTEGERS) & (array >= -EXACT_INTEGERS)
    if not good.all():
        _refuse(good, array, name, "no double holds integers beyond 2**53 exactly; pass floats")


def _refuse(good: npt.NDArray[np.bool_], array: npt.NDArray[Any], name: str, rule: str) -> None:
    """Raise for the first value that is not good."""
    index = int(np.flatnonzero(~good)[0])
    raise InputError(f"{name}[{index}] is {shown(plain(array[index]))}; {rule}")
